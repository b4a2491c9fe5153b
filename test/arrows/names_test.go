package arrows

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shared are the names that types of several packages have, each with its one meaning. A new type with such a name must
// have that meaning; a type with another meaning needs another name.
var shared = map[string]string{
	"Cause":     "an entry of the catalogue",
	"Command":   "a command line that is run, was typed or is advised",
	"Container": "a container as its pod's spec or the runtime's record has it",
	"Entry":     "an entry of a log",
	"File":      "a file that evidence is read from",
	"Found":     "what a pasted text told",
	"Gap":       "evidence that is missing, and why",
	"Hasher":    "computes what is kept of specs instead of their values",
	"Header":    "what the head of a line or of a file says",
	"Instance":  "a container as the runtime knew it: one container ID, one attempt",
	"Kind":      "of which sort the thing is that the package is about",
	"Lane":      "a line of a drawn timeline",
	"Limits":    "how much there may be at most",
	"Line":      "a line of text",
	"Link":      "a link of a verdict's chain",
	"Log":       "the lines of one log in their order",
	"Mark":      "a moment in a lane",
	"Options":   "what a caller may choose; the zero value is what most want",
	"Parser":    "makes observations of a log's lines",
	"Piece":     "raw evidence of one source, for a bundle and for the analysis",
	"Pod":       "a pod as its object has it",
	"Profile":   "how one version of the kubelet behaves",
	"Progress":  "how far the reading of evidence has come",
	"Reader":    "reads what there is, and keeps what it needs for that",
	"Result":    "what the package's main function returns",
	"Row":       "a row of a table",
	"Rules":     "what one version of the kubelet does where versions differ",
	"Sandbox":   "a pod's sandbox",
	"Scope":     "which pods, nodes and times were asked about",
	"Sink":      "takes what is found while a log is read",
	"Source":    "where something was read, and who reads it",
	"Span":      "a stretch of time in a lane",
	"Subject":   "whom an observation is about",
	"Text":      "words that may be shown",
	"Watcher":   "keeps what was read up to date",
}

// A name that means two things is looked up twice.
func TestOneNameHasOneMeaning(t *testing.T) {
	where := map[string][]string{}
	root := filepath.Join("..", "..")
	for _, p := range list(t, "./cmd/kubectl-restartwhy")[0].Deps {
		dir, ours := strings.CutPrefix(p, module+"/")
		if !ours {
			continue
		}
		for _, name := range exportedTypes(t, filepath.Join(root, filepath.FromSlash(dir))) {
			where[name] = append(where[name], dir)
		}
	}
	if len(where) < 300 {
		t.Errorf("only %d types seen", len(where))
	}
	for _, name := range slices.Sorted(maps.Keys(where)) {
		if _, ok := shared[name]; !ok && len(where[name]) > 1 {
			t.Errorf("%s is a type of %s: one of them is something else", name, strings.Join(where[name], ", "))
		}
	}
	for name := range shared {
		if len(where[name]) < 2 {
			t.Errorf("%s is not shared: take it off the list", name)
		}
	}
}

// exportedTypes returns those of a package's files, for all build targets. An alias counts as the type that it refers
// to.
func exportedTypes(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if ok && spec.Name.IsExported() && !spec.Assign.IsValid() && !slices.Contains(names, spec.Name.Name) {
				names = append(names, spec.Name.Name)
			}
			_, local := n.(*ast.FuncDecl)
			return !local
		})
	}
	return names
}
