package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// form is a way in which the same evidence reaches us: through an editor, a mail, a page, a chat.
type form struct {
	name string
	make func(files map[string][]byte) map[string][]byte
}

var (
	blanks    = regexp.MustCompile(`(\S)[ \t]{2,}`)
	blankLine = regexp.MustCompile(`\n(?:[ \t]*\n)+`)
	token     = regexp.MustCompile(`\S+`)
	klog      = regexp.MustCompile(`[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} `)
	logHead   = regexp.MustCompile(`^(?:[IWEF]\d{4} \d\d:|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |time="|\[ *\d+\.\d{6}\])`)
	together  = regexp.MustCompile(`(?m)^(?:` + logHead.String()[1:] + `.*\n){2,}`)
	atWidth   = regexp.MustCompile(`.{100}`)
	straight  = regexp.MustCompile(`"([^"]*)"`)
	anID      = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{64}\b`)
	anAddress = regexp.MustCompile(`\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b`)
	letter    = regexp.MustCompile(`[0-9a-f]`)
	escapes   = strings.NewReplacer("_", `\_`, "*", `\*`, "[", `\[`, "]", `\]`)
	toHTML    = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

var forms = []form{
	{"lines end as on Windows", eachLine(func(_ int, l string) string { return l + "\r" })},
	{"quoted in a mail", eachLine(func(_ int, l string) string { return "> " + l })},
	{"indented", eachLine(func(_ int, l string) string { return "    " + l })},
	{"indented by tabs", eachLine(func(_ int, l string) string { return "\t" + l })},
	{"blanks at the end", eachLine(func(_ int, l string) string { return l + "   " })},
	{"no indent", eachLine(func(_ int, l string) string { return strings.TrimLeft(l, " \t") })},
	{"single blanks", eachLine(func(_ int, l string) string { return blanks.ReplaceAllString(l, "$1 ") })},
	{"two blanks", eachLine(func(_ int, l string) string { return blanks.ReplaceAllString(l, "$1  ") })},
	{"tabs for blanks", eachLine(func(_ int, l string) string { return blanks.ReplaceAllString(l, "$1\t") })},
	{"escaped for HTML", eachLine(func(_ int, l string) string { return toHTML.Replace(l) })},
	{"hard blanks", eachLine(func(_ int, l string) string { return strings.ReplaceAll(l, "  ", " \u00a0") })},
	{"numbered", eachLine(func(n int, l string) string { return fmt.Sprintf("%4d  %s", n, l) })},
	{"kubelet's lines broken", eachLine(func(_ int, l string) string {
		if !klog.MatchString(l) {
			return l
		}
		return strings.TrimSuffix(atWidth.ReplaceAllString(l, "$0\n"), "\n")
	})},
	{"log cut by a pager", eachLine(func(_ int, l string) string {
		if len(l) <= 200 || !logHead.MatchString(l) {
			return l
		}
		return l[:199] + ">"
	})},
	{"log run together", eachFile(func(d []byte) []byte {
		return together.ReplaceAllFunc(d, func(lines []byte) []byte {
			return append(bytes.ReplaceAll(bytes.TrimRight(lines, "\n"), []byte("\n"), []byte(" ")), '\n')
		})
	})},
	{"log escaped for Markdown", eachLine(func(_ int, l string) string {
		if !logHead.MatchString(l) {
			return l
		}
		return escapes.Replace(l)
	})},
	{"coloured", eachLine(func(_ int, l string) string { return token.ReplaceAllString(l, "\x1b[33m$0\x1b[0m") })},
	{"in a box", eachLine(func(_ int, l string) string { return fmt.Sprintf("│ %-200s │", l) })},
	{"blank lines between", eachFile(func(d []byte) []byte { return bytes.ReplaceAll(d, []byte("\n"), []byte("\n\n")) })},
	{"no blank lines", eachFile(func(d []byte) []byte { return blankLine.ReplaceAll(d, []byte("\n")) })},
	{"behind a mark of bytes", eachFile(func(d []byte) []byte { return append([]byte("\ufeff"), d...) })},
	{"cut in front", eachFile(func(d []byte) []byte { return append([]byte("...\n"), d...) })},
	{"cut behind", eachFile(func(d []byte) []byte {
		return append(bytes.TrimRight(d, "\n"), []byte("\n[...]\n(output trimmed)\n")...)
	})},
	{"objects as JSON", objects(yaml.YAMLToJSON)},
	{"objects as YAML", objects(yaml.JSONToYAML)},
	{"objects as JSON for people", objects(func(d []byte) ([]byte, error) {
		var b bytes.Buffer
		j, err := yaml.YAMLToJSON(d)
		if err == nil {
			err = json.Indent(&b, j, "", "    ")
		}
		return b.Bytes(), err
	})},
	{"added by a diff", eachLine(func(_ int, l string) string { return "+" + l })},
	{"in curly quotes", eachLine(func(_ int, l string) string { return straight.ReplaceAllString(l, "“$1”") })},
	{"ids hidden", eachLine(func(_ int, l string) string { return anID.ReplaceAllString(l, "<redacted>") })},
	{"ids as x", eachLine(func(_ int, l string) string { return anID.ReplaceAllStringFunc(l, crossed) })},
	{"addresses hidden", eachLine(func(_ int, l string) string { return anAddress.ReplaceAllString(l, "x.x.x.x") })},
	{"a string in JSON", eachFile(func(d []byte) []byte {
		raw, err := json.Marshal(map[string]string{"title": "pod restarts", "body": string(d)})
		if err != nil {
			return d
		}
		return raw
	})},
	{"one below the other", oneFile("", "", "")},
	{"with rules between", oneFile("", "------------------------------\n", "")},
	{"as tail prints files", oneFile("==> NAME <==\n", "\n", "")},
	{"with words", oneFile("Hello, my pod was restarted, here is the output:\n\n", "\nAnd here is more:\n\n", "\n")},
	{"in a chat", oneFile("bob  10:23 AM\n", "bob  10:25 AM\n", "")},
	{"in fences", oneFile("### NAME\n\n```console\n", "\nand also:\n\n", "```\n\nThanks for any help!\n")},
	{"in folds", oneFile("<details>\n<summary>NAME</summary>\n\n```text\n", "\n", "```\n\n</details>\n")},
	{"in a Jira ticket", oneFile("h3. NAME\n{code}\n", "\n", "{code}\n")},
	{"in a Jira ticket, unformatted", oneFile("{noformat}\n", "\n", "{noformat}\n")},
	{"in a forum", oneFile("[code]\n", "\n", "[/code]\n")},
	{"on a page", oneFile("<p>my pod restarts:</p>\n<pre><code>", "\n", "</code></pre>\n")},
}

func init() {
	for _, store := range hostless {
		forms = append(forms, form{"logs in a store's " + store, fromStore(store)})
	}
}

func eachFile(change func([]byte) []byte) func(map[string][]byte) map[string][]byte {
	return func(in map[string][]byte) map[string][]byte {
		out := map[string][]byte{}
		for p, data := range in {
			out[p] = change(bytes.Clone(data))
		}
		return out
	}
}

func eachLine(change func(n int, line string) string) func(map[string][]byte) map[string][]byte {
	return eachFile(func(data []byte) []byte {
		var b strings.Builder
		n := 0
		for line := range strings.Lines(string(data)) {
			n++
			b.WriteString(change(n, strings.TrimRight(line, "\n")) + "\n")
		}
		return []byte(b.String())
	})
}

// oneFile puts all files into one, each between marks that may contain its NAME.
func oneFile(before, between, after string) func(map[string][]byte) map[string][]byte {
	return func(in map[string][]byte) map[string][]byte {
		var b strings.Builder
		for i, p := range (&entry.Entry{Files: in}).Paths() {
			if i > 0 {
				b.WriteString(between)
			}
			fmt.Fprintf(&b, "%s%s\n%s", strings.ReplaceAll(before, "NAME", p), bytes.TrimRight(in[p], "\n"), after)
		}
		return map[string][]byte{"paste.txt": []byte(b.String())}
	}
}

func objects(convert func([]byte) ([]byte, error)) func(map[string][]byte) map[string][]byte {
	return func(in map[string][]byte) map[string][]byte {
		out := map[string][]byte{}
		for p, data := range in {
			out[p] = data
			stem, ok := strings.CutSuffix(strings.TrimSuffix(p, ".json"), ".yaml")
			if stem == p && !ok {
				continue
			}
			if converted, err := convert(data); err == nil && len(converted) > len("{}\n") {
				delete(out, p)
				out[stem+".objects"] = converted
			}
		}
		return out
	}
}

// readable reports whether an entry consists of texts and is small enough to be read in every form.
func readable(e *entry.Entry) bool {
	size := 0
	for _, data := range e.Files {
		size += len(data)
		if bytes.IndexByte(data, 0) >= 0 {
			return false
		}
	}
	return size < 200<<10
}

// fell reports whether a verdict is worse than that on the same evidence in its original form.
func fell(before, after judged) bool {
	switch after.Outcome {
	case before.Outcome, score.Right:
		return false
	case score.Silent, score.WrongProven:
		return true
	}
	return before.Outcome == score.Right
}

// inForms reads the open half in every form whose name contains a word, and writes what is worse.
func inForms(ctx context.Context, w io.Writer, entries []*entry.Entry, word string) error {
	rows := [][]string{{"form", "verdicts", "worse", "of these silent"}}
	for _, f := range forms {
		if !strings.Contains(f.name, word) {
			continue
		}
		read, worse, silent := 0, 0, 0
		for _, e := range entries {
			if e.Blind() || !readable(e) {
				continue
			}
			before, _, err := judge(e)
			if err != nil {
				return err
			}
			in := *e
			in.Files = f.make(e.Files)
			after, _, err := judge(&in)
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			for i, j := range after {
				if read++; !fell(before[i], j) {
					continue
				}
				worse++
				if j.Outcome == score.Silent {
					silent++
				}
				fmt.Fprintf(w, "%s: was %s: ", f.name, before[i].Outcome)
				j.print(w)
			}
		}
		rows = append(rows, []string{f.name, strconv.Itoa(read), strconv.Itoa(worse), strconv.Itoa(silent)})
	}
	score.Lay(w, rows)
	return nil
}

// crossed returns an id with its letters crossed out.
func crossed(id string) string { return letter.ReplaceAllString(id, "x") }
