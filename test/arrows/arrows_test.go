// Package arrows holds the tests of the house rules: which package may import which, what must never be in the binary,
// how long a file may be. It only reads the source tree.
package arrows

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/restartwhy/kubectl-restartwhy"

type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func list(t *testing.T, args ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps"}, args...)...)
	cmd.Dir = filepath.Join("..", "..")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", args, err, stderr.String())
	}
	var all []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func in(path string, rooms ...string) bool {
	return slices.ContainsFunc(rooms, func(room string) bool {
		return path == module+"/"+room || strings.HasPrefix(path, module+"/"+room+"/")
	})
}

// rules: packages below From may import, of this module, only what is below To.
var rules = []struct {
	From, Why string
	To        []string
}{
	{"diag/internal/secrets", "it is the lowest room", []string{"diag/internal/secrets"}},
	{"diag/internal/secrets/look", "how letters look knows no words", nil},
	{"diag/internal/secrets/column", "a table knows no names", nil},
	{"diag/internal/secrets/lex", "how names are written knows no certain one", []string{"diag/internal/secrets/look"}},
	{"diag/internal/secrets/cut", "what is cut out knows no finder", []string{"diag/internal/secrets/lex"}},
	{"diag/internal/secrets/words", "words know no place and cut out nothing",
		[]string{"diag/internal/secrets/lex", "diag/internal/secrets/look"}},
	{"diag/internal/secrets/shell", "a notation knows no other", []string{"diag/internal/secrets/cut",
		"diag/internal/secrets/lex", "diag/internal/secrets/look", "diag/internal/secrets/words"}},
	{"diag/internal/secrets/address", "a notation knows no other", []string{"diag/internal/secrets/cut",
		"diag/internal/secrets/lex", "diag/internal/secrets/look", "diag/internal/secrets/words"}},
	{"diag/safetext", "it stands on secrets alone", []string{"diag/internal/secrets"}},
	{"diag/evidence", "the model knows no source", []string{"diag/evidence/podobject", "diag/safetext"}},
	{"diag/skew", "it compares times alone", nil},
	{"diag", "diagnostics collect and never judge", []string{"diag"}},
	{"analyzer/internal/slab", "it knows of nothing that it holds", nil},
	{"analyzer/report", "the result types depend on nothing", []string{"analyzer/report"}},
	{"analyzer/internal/pool", "it shares parts of verdicts and makes none",
		[]string{"analyzer/internal/slab", "analyzer/report"}},
	{"analyzer", "the analyzer never imports a collector",
		[]string{"analyzer", "diag/evidence", "diag/safetext", "diag/skew"}},
	{"analyzer/internal/controller", "a name is read by itself", nil},
	{"analyzer/internal/timeline", "what is known does not know who found it out",
		[]string{"analyzer/internal/controller", "analyzer/internal/slab", "analyzer/internal/tolerance", "diag/evidence",
			"diag/safetext"}},
	{"analyzer/internal/history/subject", "whom a line is about is settled before anything is joined",
		[]string{"analyzer/internal/timeline", "analyzer/internal/slab", "analyzer/internal/tolerance", "diag/evidence",
			"diag/skew"}},
	{"analyzer/internal/finding/basis", "what all facts rest on knows none of them",
		[]string{"analyzer/internal/timeline", "analyzer/internal/tolerance", "diag/evidence"}},
	{"analyzer/internal/finding/stop", "who asked for an end does not rest on what else is found", []string{
		"analyzer/internal/finding/basis", "analyzer/internal/timeline", "analyzer/internal/tolerance", "diag/evidence"}},
	{"analyzer/internal/finding/access", "who reached a process does not rest on what else is found", []string{
		"analyzer/internal/finding/basis", "analyzer/internal/timeline", "analyzer/internal/tolerance", "diag/evidence"}},
	{"analyzer/internal/finding/memory", "facts about memory rest on no other family", []string{
		"analyzer/internal/finding/basis", "analyzer/internal/timeline", "analyzer/internal/tolerance", "diag/evidence"}},
	{"analyzer/sim", "the simulator knows no evidence", []string{"analyzer/sim", "analyzer/kubelet"}},
	{"tui", "the viewer knows only the report and its pages",
		[]string{"tui", "analyzer/report", "analyzer/present", "analyzer/document"}},
	{"cmd/internal/render", "what prints knows the report and its pages",
		[]string{"cmd/internal/render", "analyzer/report", "analyzer/present", "analyzer/document"}},
	{"cmd/internal/render/text", "a form knows no report", []string{"analyzer/document"}},
	{"cmd/internal/render/markdown", "a form knows no report", []string{"analyzer/document"}},
	{"cmd/internal/render/html", "a form knows no report", []string{"analyzer/document"}},
	{"analyzer/document", "pages know no report", []string{"analyzer/document"}},
	{"analyzer/present", "words know the report and its pages",
		[]string{"analyzer/present", "analyzer/report", "analyzer/document"}},
	{"tui/style", "a look knows no data", []string{"analyzer/document"}},
	{"tui/pane", "widgets know no report", []string{"tui/pane", "tui/style", "analyzer/document"}},
	{"tui/pager", "a pager knows no report", []string{"tui/style", "tui/pane", "analyzer/document"}},
	{"tui/prompt", "a prompt knows nothing of what it is for", []string{"tui/style"}},
	{"tui/timelineview", "a timeline knows no screen",
		[]string{"tui/style", "tui/pane", "tui/pager", "analyzer/report", "analyzer/document"}},
	{"analyzer/document/axis", "it knows no page", nil},
	{"tui/internal/dataset", "what screens see of a report knows no terminal",
		[]string{"analyzer/report", "analyzer/present"}},
	{"tui/internal/screen", "what a screen is knows no certain one",
		[]string{"tui/internal/dataset", "tui/style", "tui/pane", "tui/pager", "tui/prompt",
			"analyzer/report", "analyzer/present", "analyzer/document"}},
	// A screen reads the frame and says what it wants done. If it knew the program around it, it could access every
	// other screen.
	{"tui/internal/screens", "a screen does not know the model", []string{"tui/internal/screen", "tui/internal/dataset",
		"tui/style", "tui/pane", "tui/pager", "tui/prompt", "tui/timelineview",
		"analyzer/report", "analyzer/present", "analyzer/document"}},
	{"tui/internal/preflight", "a screen does not know the model", []string{"tui/internal/screen", "tui/internal/dataset",
		"tui/style", "tui/pane", "tui/pager", "analyzer/report", "analyzer/present", "analyzer/document"}},
	{"tui/internal/sample", "examples are reports", []string{"analyzer/report"}},
}

func TestArrowsPointOneWay(t *testing.T) {
	checked := map[string]int{}
	for _, p := range list(t, "./...") {
		for _, r := range rules {
			if !in(p.ImportPath, r.From) {
				continue
			}
			checked[r.From]++
			for _, dep := range p.Imports {
				if strings.HasPrefix(dep, module) && dep != p.ImportPath && !in(dep, r.To...) {
					t.Errorf("%s imports %s: %s", p.ImportPath, dep, r.Why)
				}
			}
		}
	}
	for _, r := range rules {
		if checked[r.From] == 0 {
			t.Errorf("no package is below %s: the rule checks nothing", r.From)
		}
	}
}

func TestTheAnalyzerDoesNoIO(t *testing.T) {
	for _, p := range list(t, "./analyzer/...") {
		for _, dep := range p.Imports {
			if dep == "os" || dep == "net" || dep == "net/http" || dep == "os/exec" || dep == "io/ioutil" {
				t.Errorf("%s imports %s: the analyzer is pure", p.ImportPath, dep)
			}
		}
	}
}

func TestNoEBPFAnywhereInTheBinary(t *testing.T) {
	for _, p := range list(t, "./cmd/kubectl-restartwhy") {
		if len(p.Deps) < 100 {
			t.Fatalf("only %d dependencies listed: the check sees nothing", len(p.Deps))
		}
		for _, dep := range p.Deps {
			if strings.Contains(strings.ToLower(dep), "ebpf") {
				t.Errorf("%s depends on %s", p.ImportPath, dep)
			}
		}
	}
}

// Packages that add a large part of Kubernetes to the binary for little benefit: with the clientset it was twice as
// large.
func TestTheBinaryStaysSmall(t *testing.T) {
	for _, p := range list(t, "./cmd/kubectl-restartwhy") {
		for _, dep := range p.Deps {
			for _, heavy := range []string{"k8s.io/client-go/kubernetes", "k8s.io/client-go/applyconfigurations",
				"k8s.io/client-go/discovery", "sigs.k8s.io/kustomize", "github.com/google/gnostic-models"} {
				if dep == heavy || strings.HasPrefix(dep, heavy+"/") {
					t.Errorf("%s depends on %s: diag/kube is the client of the API server", p.ImportPath, dep)
				}
			}
		}
	}
}

// No test needs it either: the clientset was a fifth of all packages that make test compiles, vets and checks.
// kubetest.Fake replaces its fake, and the lab has its own client.
func TestNothingNeedsTheClientset(t *testing.T) {
	all := list(t, "-test", "./...")
	if len(all) < 200 {
		t.Fatalf("only %d packages and tests listed: the check sees nothing", len(all))
	}
	for _, p := range all {
		for _, dep := range p.Imports {
			if heavy := "k8s.io/client-go/kubernetes"; dep == heavy || strings.HasPrefix(dep, heavy+"/") {
				t.Errorf("%s imports %s", p.ImportPath, dep)
			}
		}
	}
}

// Long files hide several things under one name.
func TestFilesStayShort(t *testing.T) {
	const ceiling = 500
	files := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && len(name) > 2) {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_table.go") {
			return nil
		}
		files++
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := 0
		for s := bufio.NewScanner(f); s.Scan(); {
			lines++
		}
		if lines > ceiling {
			t.Errorf("%s has %d lines, more than %d: split it by what it knows", path, lines, ceiling)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("only %d files seen", files)
	}
}
