package binaries

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestModuleFile(t *testing.T) {
	base := func() upstreamModule {
		return upstreamModule{Require: []requirement{
			{"github.com/spf13/cobra", "v1.7.0"},
			{"k8s.io/api", unreleased},
			{"k8s.io/klog/v2", "v2.120.1"},
		}}
	}
	tests := []struct {
		name    string
		release string
		change  func(*upstreamModule)
		want    string
		wantErr string
	}{
		{
			name:    "staging modules are pinned to the release, others keep their version",
			release: "v1.30.14",
			change:  func(*upstreamModule) {},
			want: `module lab.local/build

go 1.21

require (
	github.com/spf13/cobra v1.7.0
	k8s.io/api v0.30.14
	k8s.io/klog/v2 v2.120.1
	k8s.io/kubernetes v1.30.14
)

replace k8s.io/api => k8s.io/api v0.30.14
`,
		},
		{
			name:    "sample modules are empty directories, whatever their version",
			release: "v1.20.15",
			change: func(m *upstreamModule) {
				m.Require = []requirement{{"k8s.io/sample-apiserver", unreleased}, {"k8s.io/sample-controller", "v0.1.0"}}
			},
			want: `module lab.local/build

go 1.21

require (
	k8s.io/kubernetes v1.20.15
	k8s.io/sample-apiserver v0.0.0
	k8s.io/sample-controller v0.1.0
)

replace k8s.io/sample-apiserver => ./empty/sample-apiserver
replace k8s.io/sample-controller => ./empty/sample-controller
`,
		},
		{
			name:    "a module required twice is pinned once",
			release: "v1.36.3",
			change: func(m *upstreamModule) {
				m.Require = []requirement{{"k8s.io/api", unreleased}, {"k8s.io/api", unreleased}}
			},
			want: `module lab.local/build

go 1.21

require (
	k8s.io/api v0.36.3
	k8s.io/kubernetes v1.36.3
)

replace k8s.io/api => k8s.io/api v0.36.3
`,
		},
		{
			name:    "a module that the mirror lacks comes from a neighbouring patch",
			release: "v1.27.16",
			change: func(m *upstreamModule) {
				m.Require = []requirement{{"k8s.io/api", unreleased}, {"k8s.io/cri-api", unreleased}}
			},
			want: `module lab.local/build

go 1.21

require (
	k8s.io/api v0.27.16
	k8s.io/cri-api v0.27.8
	k8s.io/kubernetes v1.27.16
)

replace k8s.io/api => k8s.io/api v0.27.16
replace k8s.io/cri-api => k8s.io/cri-api v0.27.8
`,
		},
		{
			name:    "a version without a patch is refused",
			release: "v1.30",
			change:  func(*upstreamModule) {},
			wantErr: `read version "v1.30": want v1.<minor>.<patch>`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := base()
			tt.change(&m)
			got, err := moduleFile(m, tt.release)
			if tt.wantErr != "" {
				if err == nil || err.Error() != tt.wantErr {
					t.Fatalf("error = %v, want %q", err, tt.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("go.mod (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseModuleReadsWhatGoModEditPrints(t *testing.T) {
	const edit = `{"Module":{"Path":"k8s.io/kubernetes"},"Go":"1.22","Require":[
		{"Path":"k8s.io/api","Version":"v0.0.0"},{"Path":"github.com/x/y","Version":"v1.2.3","Indirect":true}],
		"Replace":[{"Old":{"Path":"k8s.io/api"},"New":{"Path":"./staging/src/k8s.io/api"}}]}`
	got, err := parseModule([]byte(edit))
	if err != nil {
		t.Fatal(err)
	}
	want := upstreamModule{Require: []requirement{{"k8s.io/api", "v0.0.0"}, {"github.com/x/y", "v1.2.3"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := parseModule([]byte("module x")); err == nil {
		t.Error("text that is not json was accepted")
	}
}

func TestLinkerFlagsStampMinorAndVersion(t *testing.T) {
	got := linkerFlags("v1.20.15")
	for _, want := range []string{"gitVersion=v1.20.15", "gitMinor=20", "gitMajor=1"} {
		if !strings.Contains(got, want) {
			t.Errorf("linker flags %q lack %q", got, want)
		}
	}
}

func TestCachePathDependsOnEverythingThatDecidesTheContent(t *testing.T) {
	b := Builder{Dir: "/c"}
	seen := map[string]string{}
	for what, path := range map[string]string{
		"base":            b.cachePath(Program{"kubelet", "v1.30.14"}, "go1.26.8"),
		"another program": b.cachePath(Program{"kube-apiserver", "v1.30.14"}, "go1.26.8"),
		"another version": b.cachePath(Program{"kubelet", "v1.31.0"}, "go1.26.8"),
		"another go":      b.cachePath(Program{"kubelet", "v1.30.14"}, "go1.27.0"),
	} {
		if other, dup := seen[path]; dup {
			t.Errorf("%s and %s share the cache entry %s", what, other, path)
		}
		seen[path] = what
	}
}

func TestBuildTakesAnExistingEntryFromTheCache(t *testing.T) {
	b := Builder{Dir: t.TempDir()}
	p := Program{"kubelet", "v1.30.14"}
	version, err := run(context.Background(), "", nil, "go", "env", "GOVERSION")
	if err != nil {
		t.Fatal(err)
	}
	want := b.cachePath(p, strings.TrimSpace(string(version)))
	if err := os.WriteFile(want, []byte("program"), 0o755); err != nil {
		t.Fatal(err)
	}
	got, built, err := b.Build(context.Background(), p)
	if err != nil || built || got != want {
		t.Errorf("Build = %s, built %v, %v; want %s from the cache", got, built, err, want)
	}
	if left, _ := filepath.Glob(filepath.Join(b.Dir, "build-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLastLinesKeepsTheEnd(t *testing.T) {
	if got := lastLines("a\nb\nc\n", 2); got != "b\nc" {
		t.Errorf("got %q", got)
	}
	if got := lastLines("a", 5); got != "a" {
		t.Errorf("got %q", got)
	}
}

func TestEmptyModulesCarryTheNameOfTheModuleTheyStandFor(t *testing.T) {
	up := upstreamModule{Require: []requirement{{"k8s.io/sample-apiserver", unreleased}, {"k8s.io/api", unreleased}}}
	want := map[string]string{"empty/sample-apiserver/go.mod": "module k8s.io/sample-apiserver\n"}
	if diff := cmp.Diff(want, emptyModules(up)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNeighboursAreOfTheSameMinor(t *testing.T) {
	for release, modules := range instead {
		own, err := stagingVersion(release)
		if err != nil {
			t.Error(err)
			continue
		}
		minor := own[:strings.LastIndex(own, ".")+1]
		for path, version := range modules {
			if !strings.HasPrefix(version, minor) || version == own {
				t.Errorf("%s takes %s %s, want another patch of %s", release, path, version, minor)
			}
		}
	}
}
