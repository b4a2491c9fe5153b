package hashdriver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// sourceTree creates a small tree of two packages with everything that the shaker must distinguish.
func sourceTree(t *testing.T) string {
	t.Helper()
	dir := filetest.Plant(t, map[string]string{
		"hash/hash.go": `package hash

import (
	"fmt"
	other "example.org/lib"
	"tree.local/types"
)

func Sum(b *types.Box) string { return fmt.Sprint(b.Size(), limit) }

func Unused() { other.Do() }

const (
	zero = iota
	limit
)

var x, y = 1, 2
`,
		"hash/hash_test.go":           "package hash\n\nfunc TestSum() {}\n",
		"types/generated.pb.go":       "package types\n\nimport _ \"example.org/proto\"\n\nfunc (b *Box) Size() int { return 0 }\n",
		"types/types_windows.go":      "package types\n\ntype Lid struct{}\n",
		"types/types.go":              "package types\n\n// Box has a field whose name is that of a type.\ntype Box struct {\n\tCrate int\n\tLid   *Lid `json:\"lid\"`\n}\n\ntype Crate struct{}\n\ntype Lid struct{}\n\nfunc (b Box) Size() int { return b.measure() }\n\nfunc (b Box) measure() int { return 1 }\n\nfunc (b Box) Paint() {}\n\nfunc (l *Lid) UnmarshalJSON([]byte) error { return nil }\n\nfunc (c Crate) Size() int { return 2 }\n",
		"types/zz_generated.other.go": "package types\n\nimport \"example.org/inf.v0\"\n\nfunc (l Lid) Len() int { return inf.One }\n",
	})
	return dir
}

func shakeTree(t *testing.T) *shaker {
	from := sourceTree(t)
	return newShaker("out.local/", func(path string) (string, error) {
		if inside, ok := strings.CutPrefix(path, "tree.local/"); ok {
			return filepath.Join(from, inside), nil
		}
		return "", nil
	})
}

func TestOnlyWhatTheRootNeedsIsTakenOut(t *testing.T) {
	s, to := shakeTree(t), t.TempDir()
	if err := s.reach("tree.local/hash", "Sum"); err != nil {
		t.Fatal(err)
	}
	outside, err := s.write(to)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"example.org/inf.v0"}, outside); diff != "" {
		t.Errorf("imports left (-want +got):\n%s", diff)
	}
	want := map[string]string{
		"tree.local/hash/hash.go": `package hash

import fmt "fmt"
import types "out.local/tree.local/types"

func Sum(b *types.Box) string	{ return fmt.Sprint(b.Size(), limit) }

const (
	zero	= iota
	limit
)

`,
		"tree.local/types/types.go": "package types\n\n\ntype Box struct {\n\tCrate\tint\n\tLid\t*Lid\t`json:\"lid\"`\n}\n\ntype Lid struct{}\n\n" +
			"func (b Box) Size() int\t{ return b.measure() }\n\nfunc (b Box) measure() int\t{ return 1 }\n\nfunc (l *Lid) UnmarshalJSON([]byte) error\t{ return nil }\n\n",
		"tree.local/types/zz_generated.other.go": "package types\n\nimport inf \"example.org/inf.v0\"\n\nfunc (l Lid) Len() int\t{ return inf.One }\n\n",
	}
	got := map[string]string{}
	err = filepath.Walk(to, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		inside, _ := filepath.Rel(to, path)
		got[inside] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// gofmt's alignment does not matter.
	plain := strings.NewReplacer("\t", "", " ", "", "\n\n", "\n")
	for _, files := range []map[string]string{want, got} {
		for name, text := range files {
			files[name] = plain.Replace(text)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatIsNotThereIsAnError(t *testing.T) {
	for _, root := range [][2]string{{"tree.local/hash", "Nothing"}, {"tree.local/nowhere", "Sum"}} {
		if err := shakeTree(t).reach(root[0], root[1]); err == nil || !strings.Contains(err.Error(), root[0]) {
			t.Errorf("reach(%v) = %v, want an error that names the package", root, err)
		}
	}
}

func TestLocalNames(t *testing.T) {
	for path, want := range map[string]string{
		"fmt":                       "fmt",
		"encoding/json":             "json",
		"gopkg.in/inf.v0":           "inf",
		"k8s.io/api/core/v1":        "v1",
		"k8s.io/kubernetes/pkg/api": "api",
	} {
		if got := localName(path); got != want {
			t.Errorf("localName(%s) = %s, want %s", path, got, want)
		}
	}
}

// reached lists what a root needs in a package of one file.
func reached(t *testing.T, text, root string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s := newShaker("out.local/", func(string) (string, error) { return dir, nil })
	if err := s.reach("p", root); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range s.pkgs["p"].files[0].decls {
		if !d.reached {
			continue
		}
		text, err := s.text(d)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(text, "\n")
		names = append(names, strings.Join(strings.Fields(strings.TrimSuffix(first, " {")), " "))
	}
	return strings.Join(names, "; ")
}

func TestWhatIsReached(t *testing.T) {
	tests := map[string]struct{ text, root, want string }{
		"a function and what it calls": {
			"func A() { b() }\nfunc b() {}\nfunc c() {}\n", "A", "func A() { b() }; func b() {}",
		},
		"a type through a field, not through the field's name": {
			"type A struct{ X Y }\ntype X int\ntype Y int\n", "A", "type A struct{ X Y }; type Y int",
		},
		"one variable of a group": {
			"var (\n\ta = b\n\tb = 1\n\tc = 2\n)\n", "a", "var a = b; var b = 1",
		},
		"the whole group of constants, whose values hang together": {
			"const (\n\ta = iota\n\tb\n)\nconst c = 1\n", "b", "const (",
		},
		"a method that is selected somewhere": {
			"type T int\nfunc (T) Used() {}\nfunc (*T) Unused() {}\nfunc A(t T) { t.Used() }\n", "A",
			"type T int; func (T) Used() {}; func A(t T) { t.Used() }",
		},
		"the methods that an interface asks for": {
			"type I interface{ M() }\ntype T int\nfunc (T) M() {}\nvar A I = T(0)\n", "A",
			"type I interface{ M() }; type T int; func (T) M() {}; var A I = T(0)",
		},
		"the methods that encoding/json looks for": {
			"type T int\nfunc (T) MarshalJSON() {}\nfunc (T) MarshalYAML() {}\n", "T", "type T int; func (T) MarshalJSON() {}",
		},
		"no init, whatever it does": {
			"func A() {}\nfunc init() { A() }\n", "A", "func A() {}",
		},
		"methods of a generic type": {
			"type T[X any] struct{}\nfunc (t *T[X]) String() string { return \"\" }\n",
			"T", "type T[X any] struct{}; func (t *T[X]) String() string { return \"\" }",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, reached(t, "package p\n\n"+test.text, test.root)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
