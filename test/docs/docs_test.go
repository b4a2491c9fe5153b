package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

var root = filepath.Join("..", "..")

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func files(t *testing.T) []string {
	t.Helper()
	all, err := Files(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// problem returns what is wrong with a link of a document, or nothing. It does not contact other hosts: tests run
// without a network.
func problem(from, target string, read func(string) (string, bool)) string {
	if strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "mailto:") {
		return ""
	}
	if strings.Contains(target, "://") {
		return "is neither https nor a path"
	}
	file, anchor, named := strings.Cut(target, "#")
	at := from
	if file != "" {
		at = path.Join(path.Dir(from), file)
	}
	if path.IsAbs(file) || strings.HasPrefix(at, "..") {
		return "leaves the project"
	}
	text, ok := read(at)
	switch {
	case !ok:
		return "leads nowhere"
	case named && path.Ext(at) != ".md":
		return "names a place in what is no document"
	case named && !Anchors(text)[anchor]:
		return "names a heading that is not there"
	}
	return ""
}

func TestEveryLinkLeadsSomewhere(t *testing.T) {
	onDisk := func(name string) (string, bool) {
		p := filepath.Join(root, filepath.FromSlash(name))
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			return "", true
		}
		data, err := os.ReadFile(p)
		return string(data), err == nil
	}
	links := 0
	for _, name := range files(t) {
		for _, l := range Links(read(t, name)) {
			links++
			if said := problem(name, l.Target, onDisk); said != "" {
				t.Errorf("%s:%d: %s %s", name, l.Line, l.Target, said)
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links found: the test sees too little", links)
	}
}

func TestALinkThatLeadsNowhereIsFound(t *testing.T) {
	tree := map[string]string{"docs/A.md": "# One two\n", "docs/b.yaml": "x: y\n", "README.md": "# Top\n"}
	in := func(name string) (string, bool) { text, ok := tree[name]; return text, ok }
	for target, want := range map[string]string{
		"A.md": "", "A.md#one-two": "", "#one-two": "", "b.yaml": "", "../README.md": "", "https://example.com/x": "",
		"B.md": "leads nowhere", "A.md#three": "names a heading that is not there",
		"#three":   "names a heading that is not there",
		"b.yaml#x": "names a place in what is no document", "../../x.md": "leaves the project",
		"/etc/passwd":        "leaves the project",
		"http://example.com": "is neither https nor a path",
	} {
		if got := problem("docs/A.md", target, in); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
}

// unknown lists the documents that no other document mentions, neither by a link nor by their path: nobody finds them.
func unknown(texts map[string]string) (all []string) {
	linked := map[string]bool{}
	for from, text := range texts {
		for _, l := range Links(text) {
			file, _, _ := strings.Cut(l.Target, "#")
			if to := path.Join(path.Dir(from), file); to != from {
				linked[to] = true
			}
		}
	}
	for name := range texts {
		dir := path.Dir(name)
		if name == "README.md" || linked[name] || dir != "." && dir != "docs" {
			continue
		}
		written := false
		for from, text := range texts {
			written = written || from != name && dir == "docs" && strings.Contains(text, name)
		}
		if !written {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

func TestEveryDocumentIsKnownToAnother(t *testing.T) {
	texts := map[string]string{}
	for _, name := range files(t) {
		texts[name] = read(t, name)
	}
	for _, name := range unknown(texts) {
		t.Errorf("no document knows of %s", name)
	}
}

func TestADocumentThatNobodyKnowsIsFound(t *testing.T) {
	got := unknown(map[string]string{
		"README.md": "[a](docs/A.md#x), and docs/B.md", "docs/A.md": "[itself](A.md), [c](../C.md)",
		"docs/B.md": "", "C.md": "see D.md",
		"D.md": "[itself](D.md)", "docs/E.md": "docs/E.md", "docs/causes/f.md": "",
	})
	if d := cmp.Diff([]string{"D.md", "docs/E.md"}, got); d != "" {
		t.Errorf("unknown (-want +got):\n%s", d)
	}
}

func TestEveryTargetOfMakeExists(t *testing.T) {
	have := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		have[m[1]] = true
	}
	named := 0
	for _, name := range files(t) {
		for _, c := range Make(read(t, name)) {
			named++
			if !have[c.Args[0]] {
				t.Errorf("%s:%d: make has no target %s", name, c.Line, c.Args[0])
			}
		}
	}
	if named < 10 {
		t.Errorf("only %d targets named: the test sees too little", named)
	}
}

func TestDocumentsAreFoundAndDataIsNot(t *testing.T) {
	dir := filetest.Plant(t, map[string]string{"README.md": "", "docs/A.md": "", ".github/B.md": "",
		".cache/C.md": "", "x/testdata/D.md": "", "dist/E.md": "", "docs/f.txt": ""})
	got, err := Files(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{".github/B.md", "README.md", "docs/A.md"}, got); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	if _, err := Files(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory that is not there has documents")
	}
}

func TestLinks(t *testing.T) {
	text := "See [a](A.md) and [b](<B.md#x> \"title\"), not `[c](C.md)`.\n\n" +
		"```\n[d](D.md)\n```\n\n[e]: E.md\n<!-- [f](F.md)\n[g](G.md) -->\n![h](H.png)\n\n    [i](I.md)\n- item\n    [j](J.md)\n"
	want := []Link{{1, "A.md"}, {1, "B.md#x"}, {7, "E.md"}, {10, "H.png"}, {14, "J.md"}}
	if d := cmp.Diff(want, Links(text)); d != "" {
		t.Errorf("links (-want +got):\n%s", d)
	}
}

func TestAnchors(t *testing.T) {
	text := "# Why `--evidence pod`?\n## [Linked](x.md) & more\n## Twice\n## Twice\n### It's 1.30–1.31\n<a id=\"here\"></a>\n```\n# no heading\n```\n#nor this\n"
	want := map[string]bool{"why---evidence-pod": true, "linked--more": true,
		"twice": true, "twice-1": true, "its-130131": true, "here": true}
	if d := cmp.Diff(want, Anchors(text)); d != "" {
		t.Errorf("anchors (-want +got):\n%s", d)
	}
}

// A dependency is a decision, and docs/DEPENDENCIES.md says why it was made.
func TestEveryDependencyIsExplained(t *testing.T) {
	direct, _, _ := strings.Cut(read(t, "go.mod"), "// indirect")
	_, table, found := strings.Cut(read(t, "docs/DEPENDENCIES.md"), "# Dependencies")
	named := 0
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+/)?([a-z0-9-]+)(/v\d+)? v\S+$`).FindAllStringSubmatch(direct, -1) {
		named++
		if !found || !strings.Contains(table, m[2]) {
			t.Errorf("docs/DEPENDENCIES.md does not say what %s%s is for", m[1], m[2])
		}
	}
	if named < 20 {
		t.Errorf("only %d dependencies found: the test sees too little", named)
	}
}
