package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// foreign are words and phrases that a native speaker would not use here, each with what to write instead.
var foreign = []struct{ word, instead string }{
	{"anew", "again, recreated, restarted"},
	{"somebody", "someone, or the passive"},
	{"whoever", "anyone who"},
	{"ought", "should"},
	{"lest", "so that … not"},
	{"foretold", "predicted"},
	{"of this very", "of this"},
	{"what became of", "what happened to"},
	{"what becomes of", "what happens to"},
	{"made its end up", "recorded a placeholder exit code"},
	{"made up its end", "recorded a placeholder exit code"},
	{"come to its end", "ended"},
	{"came to its end", "ended"},
	{"what is the matter", "the problem"},
	{"for want of", "because … was low"},
	{"knows nothing of", "does not know"},
	{"died of", "was killed by, was terminated by"},
	{"by itself with code", "with code"},
	{"evidence does not tell", "evidence does not show, or the cause is not known"},
	{"at hand here", "available here"},
	{"anyhow", "in any case"},
	{"tells of", "shows, records, reports"},
	{"tells that", "says that, shows that"},
	{"of no known kind", "not recognised"},
	{"nothing in it is known", "not recognised"},
	{"row of its own", "one row for each"},
	{"not as required", "must be replaced"},
	{"what proves most", "strongest first"},
	{"at a time not known", "time unknown"},
	{"for which containers were not there", "downtime"},
	{"gets more or less", "the trend"},
	{"stretch of time", "period"},
	{"for long", "for a long time"},
}

var foreignWords = func() *regexp.Regexp {
	words := make([]string, len(foreign))
	for i, f := range foreign {
		words[i] = regexp.QuoteMeta(f.word)
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(words, "|") + `)\b`)
}()

// quoting are files and directories that quote others, such as kubelet messages, people's descriptions of their pods
// and titles of public incidents, and test code, which users do not read.
var quoting = []string{"diag/kubeletlog/", "diag/internal/kubeletmsg/", "diag/internal/mention/",
	"docs/INCIDENTS.md", "test/"}

// Foreign lists the foreign words of a text, each with its replacement.
func Foreign(text string) (found []string) {
	for _, word := range foreignWords.FindAllString(text, -1) {
		for _, f := range foreign {
			if strings.EqualFold(f.word, word) {
				found = append(found, fmt.Sprintf("%q: write %s", word, f.instead))
			}
		}
	}
	return found
}

// ForeignGo lists the foreign words in the string literals of Go code, each with its line.
func ForeignGo(name, code string) (found []string, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, code, 0)
	if err != nil {
		return nil, fmt.Errorf("read the literals of %s: %w", name, err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			return true // the parser has already reported it
		}
		for _, word := range Foreign(text) {
			found = append(found, fmt.Sprintf("%d: %s", set.Position(lit.Pos()).Line, word))
		}
		return true
	})
	return found, nil
}

// ForeignBelow lists the foreign words in the documents and in the literals of the program below a directory.
func ForeignBelow(root string) (found []string, read int, err error) {
	err = filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		switch {
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") ||
			d.Name() == "testdata" || name == "bin" || name == "dist"):
			return fs.SkipDir
		case d.IsDir(), quotes(name), strings.HasSuffix(name, "_test.go"), strings.HasPrefix(d.Name(), "zz_generated"):
			return nil
		}
		words := func(code string) ([]string, error) { return ForeignGo(name, code) }
		switch filepath.Ext(name) {
		case ".go":
		case ".md":
			words = func(text string) ([]string, error) { return Foreign(text), nil }
		default:
			return nil
		}
		text, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		read++
		all, err := words(string(text))
		for _, word := range all {
			found = append(found, name+": "+word)
		}
		return err
	})
	return found, read, err
}

func quotes(name string) bool {
	for _, q := range quoting {
		if name == q || strings.HasSuffix(q, "/") && strings.HasPrefix(name, q) {
			return true
		}
	}
	return false
}
