package read

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/modelled"
)

// release unpacks a made-up release, with changes of its files, and reads it.
func release(t *testing.T, change func(map[string]string), parts ...modelled.Part) *inventory.Inventory {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "release.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	if change != nil {
		change(files)
	}
	root := t.TempDir()
	dirs := map[string]string{}
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, module := range []string{"k8s.io/kubernetes", "k8s.io/apiserver",
			"k8s.io/component-base", "k8s.io/kubelet", "k8s.io/api", "k8s.io/apimachinery",
			"k8s.io/klog/v2", "github.com/spf13/pflag"} {
			if strings.HasPrefix(name, module+"/") {
				dirs[module] = filepath.Join(root, filepath.FromSlash(module))
			}
		}
	}
	return Read("v1.99.0", dirs, nil, parts)
}

var syncPod = modelled.Part{Package: "pkg/kubelet", Name: "worker.sync"}

func TestAReleaseIsRead(t *testing.T) {
	i := release(t, nil, syncPod)
	if len(i.Gaps) > 0 {
		t.Errorf("gaps: %v", i.Gaps)
	}
	want := &inventory.Inventory{
		Version: "v1.99.0", Binary: "1.99",
		Gates: map[string][]inventory.Stage{
			"Typed": {{Since: "1.30", Stage: "ALPHA"}, {Since: "1.32", Stage: "BETA", Default: true},
				{Since: "1.33", Default: true, Locked: true}},
			"Untyped": {{Since: "1.31", Stage: "BETA", Default: true}},
			"Called":  {{Since: "1.31", Stage: "DEPRECATED"}},
			"Generic": {{Since: "1.28", Stage: "ALPHA"}},
			"Own":     {{Stage: "ALPHA"}},
		},
		Flags:   []string{"a-flag", "from-a-library", "short"},
		Reasons: []string{"BackOff", "Killing"},
		Config: map[string]inventory.Field{
			"frequency": {Type: "metav1.Duration", Default: "20s"}, "limit": {Type: "*int32", Default: "5"},
			"name": {Type: "string", Default: `"x"`}, "later": {Type: "string", Default: "?"}, "none": {Type: "bool"},
		},
		Logs: []inventory.Log{
			{File: "kubelet.go", Severity: "E", V: -1, Style: "H", Text: "handled %q"},
			{File: "kubelet.go", Severity: "E", V: -1, Style: "S", Text: "By a variable", Keys: []string{"pod"}},
			{File: "kubelet.go", Severity: "E", V: 4, Style: "S", Text: "By a variable", Keys: []string{"pod"}},
			{File: "kubelet.go", Severity: "E", V: -1, Style: "S", Text: "Failed", Keys: []string{"pod", "podUID"}},
			{File: "kubelet.go", Severity: "I", V: 5, Style: "S", Text: "Kept in a variable", Keys: []string{"?"}},
			{File: "kubelet.go", Severity: "I", V: -1, Style: "S", Text: "One of 2 for pods"},
			{File: "kubelet.go", Severity: "I", V: -1, Style: "S", Text: "The other"},
			{File: "kubelet.go", Severity: "W", V: -1, Style: "f", Text: "format %d"},
			{File: "kubelet.go", Severity: "I", V: 2, Style: "f", Text: "verbose %s"},
		},
		Events: []inventory.Event{{File: "kubelet.go", Type: "Warning", Reason: "BackOff", Text: "Back-off %s"}},
		Errors: map[string][]string{"kubelet.go": {"handled %q", "no such pod: %w"}},
		Print: map[string]inventory.Type{
			"Pod": {Always: true, Fields: []string{"metav1.ObjectMeta", "Spec PodSpec"}},
			"PodSpec": {Always: true, Fields: []string{"Containers []Container",
				"Security *PodSecurityContext", "Volumes []Volume"}},
			"Container":          {Always: true, Fields: []string{"Name string", "Probe *Probe"}},
			"PodSecurityContext": {Always: true, Fields: []string{"A bool"}},
			"Probe":              {Fields: []string{"B bool"}}, "Volume": {Fields: []string{"C bool"}},
			"meta.ObjectMeta": {Always: true, Fields: []string{"UID string"}},
		},
		Container: map[string]inventory.Type{"Container": {Fields: []string{"Name string `name`"}}},
	}
	got := *i
	got.Functions = nil
	sortLogs(got.Logs)
	sortLogs(want.Logs)
	if d := cmp.Diff(want, &got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func sortLogs(logs []inventory.Log) { slices.SortFunc(logs, compareLogs) }

func TestAFingerprintIsOfTheCodeAlone(t *testing.T) {
	const file = "k8s.io/kubernetes/pkg/kubelet/kubelet.go"
	of := func(old, new string) inventory.Function {
		i := release(t, func(files map[string]string) {
			if old != "" && !strings.Contains(files[file], old) {
				t.Fatalf("%q is not in the release", old)
			}
			files[file] = strings.ReplaceAll(files[file], old, new)
		}, syncPod)
		return i.Functions[syncPod.Key()]
	}
	before := of("", "")
	if before.Hash == "" || before.File != "pkg/kubelet/kubelet.go" || before.Line == 0 ||
		!slices.Contains(before.Calls, "compute") || !slices.Contains(before.Texts, "no such pod: %w") {
		t.Fatalf("%+v", before)
	}
	for name, c := range map[string]struct {
		old, new    string
		hash, quiet bool // the same
	}{
		"a comment":   {"// the heart of it", "// another word", true, true},
		"a line":      {"// the heart of it", "\n\n\n", true, true},
		"a log line":  {`"Kept in a variable"`, `"Kept elsewhere"`, false, true},
		"a level":     {"logger.V(5)", "logger.V(6)", false, false}, // its variable is not a statement of its own
		"an operator": {"n > 1", "n >= 1", false, false},
		"a call":      {"w.compute(n)", "w.guess(n)", false, false},
		"a text":      {"no such pod", "no pod of the name", false, false},
		"another function": {"func (w *worker) compute(n int) bool { return n > 0 }",
			"func (w *worker) compute(n int) bool { return true }", true, true},
	} {
		if got := of(c.old, c.new); (got.Hash == before.Hash) != c.hash || (got.Quiet == before.Quiet) != c.quiet {
			t.Errorf("%s: hash the same %t, without logs %t", name, got.Hash == before.Hash, got.Quiet == before.Quiet)
		}
	}
}

func TestAFunctionThatMovedIsFoundWhereItIs(t *testing.T) {
	i := release(t, func(files map[string]string) {
		files["k8s.io/kubernetes/pkg/kubelet/moved/moved.go"] = strings.Replace(
			files["k8s.io/kubernetes/pkg/kubelet/kubelet.go"], "package kubelet", "package moved", 1)
		delete(files, "k8s.io/kubernetes/pkg/kubelet/kubelet.go")
	}, syncPod)
	if f := i.Functions[syncPod.Key()]; f.File != "pkg/kubelet/moved/moved.go" {
		t.Errorf("%+v", f)
	}
	gone := release(t, nil, modelled.Part{Package: "pkg/kubelet", Name: "nowhere"})
	if len(gone.Functions) > 0 {
		t.Errorf("a function that is nowhere: %v", gone.Functions)
	}
}

// What is wrong with a release costs only itself, and is reported.
func TestABrokenReleaseIsReadAsFarAsItGoes(t *testing.T) {
	const kubelet, features = "k8s.io/kubernetes/pkg/kubelet/", "k8s.io/kubernetes/pkg/features/kube_features.go"
	for name, c := range map[string]struct {
		change func(map[string]string)
		gap    string
		rest   func(*inventory.Inventory) bool
	}{
		"a file that does not parse": {
			func(f map[string]string) { f[kubelet+"broken.go"] = "package kubelet\nfunc {" },
			"parse k8s.io/kubernetes/pkg/kubelet/broken.go",
			func(i *inventory.Inventory) bool { return len(i.Logs) == 9 && len(i.Gates) == 5 },
		},
		"a module that is not there": {
			func(f map[string]string) {
				for name := range f {
					if strings.HasPrefix(name, "k8s.io/kubelet/") {
						delete(f, name)
					}
				}
			}, "read k8s.io/kubelet/config/v1beta1: not in this release",
			func(i *inventory.Inventory) bool { return len(i.Config) == 0 && len(i.Flags) == 3 },
		},
		"a gate whose constant is unknown": {
			func(f map[string]string) {
				f[features] = strings.Replace(f[features], "\tUntyped:", "\televhere.Untyped:", 1)
			}, "its constant is not known",
			func(i *inventory.Inventory) bool { return len(i.Gates) == 4 },
		},
		"a gate whose stages are made": {
			func(f map[string]string) {
				f[features] = strings.Replace(f[features],
					"\tUntyped: {{Version: version.MustParse(\"1.31\"), Default: true, PreRelease: featuregate.Beta}},",
					"\tUntyped: made(),", 1)
			}, "read gate Untyped of k8s.io/kubernetes/pkg/features: its stages are not written out",
			func(i *inventory.Inventory) bool { return len(i.Gates) == 4 },
		},
		"a flag without a name": {
			func(f map[string]string) {
				const file = "k8s.io/kubernetes/cmd/kubelet/app/options/options.go"
				f[file] = strings.Replace(f[file], `"a-flag"`, `elsewhere.Name`, 1)
			}, "read flag elsewhere.Name",
			func(i *inventory.Inventory) bool { return len(i.Flags) == 2 },
		},
		"a type that went": {
			func(f map[string]string) {
				f["k8s.io/kubernetes/pkg/apis/core/types.go"] = "package core\ntype Pid struct{}\n"
			}, "read type Pod of k8s.io/kubernetes/pkg/apis/core: it is not there",
			func(i *inventory.Inventory) bool { return len(i.Print) == 0 && len(i.Logs) == 9 },
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := release(t, c.change)
			if !slices.ContainsFunc(i.Gaps, func(g string) bool { return strings.Contains(g, c.gap) }) {
				t.Errorf("%q is not among the gaps %q", c.gap, i.Gaps)
			}
			if !c.rest(i) {
				t.Errorf("the rest is not there: %d gates, %d flags, %d log calls, %d fields",
					len(i.Gates), len(i.Flags), len(i.Logs), len(i.Config))
			}
			for _, g := range i.Gaps {
				if strings.Contains(g, os.TempDir()) {
					t.Errorf("a folder of this machine: %s", g)
				}
			}
		})
	}
}

func TestAnInventoryComesBackAsItWas(t *testing.T) {
	i := release(t, nil, syncPod)
	one, two := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	if err := i.Write(one); err != nil {
		t.Fatal(err)
	}
	back, err := inventory.Read(one)
	if err != nil {
		t.Fatal(err)
	}
	if err := back.Write(two); err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(one)
	b, _ := os.ReadFile(two)
	if len(a) == 0 || string(a) != string(b) {
		t.Error("the same release gives other bytes")
	}
	if err := os.WriteFile(two, []byte("no inventory"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := inventory.Read(two); err == nil {
		t.Error("a file that is none is read")
	}
}
