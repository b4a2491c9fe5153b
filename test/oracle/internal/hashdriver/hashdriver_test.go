package hashdriver

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEveryMinorHasADriverThatStandsForIt(t *testing.T) {
	for minor := 5; minor <= 37; minor++ {
		early, late := 0, 0
		for _, d := range Choose(minor) {
			if d.Minor() > minor || minor < d.From || minor > d.To {
				t.Errorf("%s does not stand for 1.%d", d, minor)
			}
			if d.Late {
				late++
			} else {
				early++
			}
		}
		wantLate := 0
		if minor >= 27 && minor <= 29 {
			wantLate = 1
		}
		if early != 1 || late != wantLate {
			t.Errorf("1.%d: %d drivers and %d for late patches, want 1 and %d", minor, early, late, wantLate)
		}
	}
	for _, minor := range []int{-1, 0, 4, 38} {
		if got := Choose(minor); got != nil {
			t.Errorf("1.%d: %v, want none", minor, got)
		}
	}
}

func TestDriversHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, era := range Eras {
		for _, d := range era {
			if seen[d.String()] {
				t.Errorf("%s stands there twice", d)
			}
			seen[d.String()] = true
			if d.Late && d.go121 {
				t.Errorf("%s: late patches were not built with Go 1.21", d)
			}
		}
	}
}

func TestTheSourceFitsEveryMinor(t *testing.T) {
	tests := []struct {
		driver        Driver
		want, wantNot []string
	}{
		{Driver{Release: "v1.5.8"}, []string{"Convert_v1_Container_To_api_Container",
			`types "lab.local/hash/k8s.io/kubernetes/pkg/api/v1"`}, []string{"WithoutResources"}},
		{Driver{Release: "v1.7.0"}, []string{`types "lab.local/hash/k8s.io/kubernetes/pkg/api/v1"`},
			[]string{"Convert_", "WithoutResources"}},
		{Driver{Release: "v1.8.15"}, []string{`types "lab.local/hash/k8s.io/api/core/v1"`}, []string{"Convert_"}},
		{Driver{Release: "v1.27.16"}, []string{"container.HashContainerWithoutResources(c)"}, []string{"Convert_"}},
		{Driver{Release: "v1.31.14"}, []string{"container.HashContainer(c)"}, []string{"WithoutResources"}},
	}
	for _, tt := range tests {
		t.Run(tt.driver.Release, func(t *testing.T) {
			text, err := render(tt.driver)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), "main.go", text, 0); err != nil {
				t.Fatalf("not Go: %v", err)
			}
			for _, s := range tt.want {
				if !strings.Contains(text, s) {
					t.Errorf("lacks %q", s)
				}
			}
			for _, s := range tt.wantNot {
				if strings.Contains(text, s) {
					t.Errorf("has %q", s)
				}
			}
		})
	}
}

func TestTheFileNameDependsOnWhatDecidesTheProgram(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range []Driver{{Release: "v1.27.16"}, {Release: "v1.27.16", go121: true},
		{Release: "v1.27.16", Late: true}, {Release: "v1.28.15"}} {
		for _, text := range []string{"a", "b"} {
			name, err := fileName(d, text)
			if err != nil {
				t.Fatal(err)
			}
			if seen[name] || strings.Contains(name, "/") {
				t.Errorf("%v %s: %s is taken, or no file name", d, text, name)
			}
			seen[name] = true
		}
	}
}

func TestBuildTakesAnExistingEntryFromTheCache(t *testing.T) {
	dir, d := t.TempDir(), Eras[2][0]
	text, err := render(d)
	if err != nil {
		t.Fatal(err)
	}
	name, err := fileName(d, text)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	got, err := Build(context.Background(), dir, d)
	if err != nil || got != filepath.Join(dir, name) {
		t.Errorf("Build = %s, %v", got, err)
	}
}

func TestPackagesAreFoundWhereTheReleaseKeepsThem(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "staging/src/k8s.io/api"), 0o755); err != nil {
		t.Fatal(err)
	}
	tr := &tree{release: "v1.14.10", root: root, modules: map[string]string{"k8s.io/utils": "/cache/utils"}}
	for path, want := range map[string]string{
		"k8s.io/kubernetes/pkg/util/hash":    filepath.Join(root, "pkg/util/hash"),
		"k8s.io/api/core/v1":                 filepath.Join(root, "staging/src/k8s.io/api/core/v1"),
		"k8s.io/utils/dump":                  "/cache/utils/dump",
		"encoding/json":                      "",
		"github.com/davecgh/go-spew/spew":    "",
		"sigs.k8s.io/structured-merge-diff/": "",
	} {
		if got, err := tr.locate(path); err != nil || got != want {
			t.Errorf("locate(%s) = %s, %v; want %s", path, got, err, want)
		}
	}
}

func TestVersionsAreThoseOfTheRelease(t *testing.T) {
	gomod := "require (\n\tgithub.com/davecgh/go-spew v1.1.7\n\tk8s.io/api v0.0.0\n\tk8s.io/utils v0.0.0-2026 // indirect\n)\n"
	tests := []struct{ release, module, want string }{
		{"v1.36.3", "k8s.io/api", "v0.36.3"},
		{"v1.36.3", "k8s.io/utils", "v0.0.0-2026"},
		{"v1.15.12", "k8s.io/api", of115["k8s.io/api"]},
	}
	for _, tt := range tests {
		tr := &tree{release: tt.release, gomod: gomod}
		if got := tr.version(tt.module); got != tt.want {
			t.Errorf("%s of %s: %s, want %s", tt.module, tt.release, got, tt.want)
		}
	}
	tr := &tree{gomod: gomod}
	got, err := tr.moduleFile([]string{"github.com/davecgh/go-spew/spew", "gopkg.in/inf.v0"})
	want := "module lab.local/hash\n\ngo 1.21\n\nrequire github.com/davecgh/go-spew v1.1.7\nrequire gopkg.in/inf.v0 v0.9.1\n"
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := tr.moduleFile([]string{"example.org/unknown"}); err == nil ||
		!strings.Contains(err.Error(), "example.org/unknown") {
		t.Errorf("err = %v, want one that names the module", err)
	}
}
