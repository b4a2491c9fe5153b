package driver

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheSourceFitsEveryMinor(t *testing.T) {
	tests := []struct {
		release       string
		want, wantNot []string
	}{
		{"v1.20.15", []string{"m.podSandboxChanged(", "runtime/v1alpha2", "NextInitContainerToStart"},
			[]string{"context", "k.reason"}},
		{"v1.24.17", []string{"m.podSandboxChanged(", "k.reason", "apis/runtime/v1\""}, []string{"HashWithoutResources: st"}},
		{"v1.27.16", []string{"runtimeutil.PodSandboxChanged(", "HashWithoutResources: st"},
			[]string{"a.Init = p.InitContainersToStart"}},
		{"v1.33.13", []string{"GetActuatedResources", "p.InitContainersToStart"},
			[]string{"GetContainerResources", "HashWithoutResources: st", "completed("}},
		{"v1.37.1", []string{"a.SandboxReason = ", "m.InitializeActuatedPod(", "ActiveContainerStatuses"},
			[]string{"GetActuatedResources"}},
		{"v1.36.3", []string{"GetContainerResources", "c.Status.RestartAllContainers)", "SetFromMap(completed(wanted))"},
			[]string{"GetActuatedResources", "NextInitContainerToStart", "InitializeActuatedPod", "ActiveContainerStatuses"}},
	}
	for _, tt := range tests {
		t.Run(tt.release, func(t *testing.T) {
			text, err := render(tt.release)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), "driver.go", text, 0); err != nil {
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

func TestRenderRefusesWhatIsNoRelease(t *testing.T) {
	for _, release := range []string{"", "v1.30", "v2.0.0", "v1.x.0"} {
		if _, err := render(release); err == nil || !strings.Contains(err.Error(), "read release") {
			t.Errorf("render(%q) = %v, want an error that names the release", release, err)
		}
	}
	if _, err := Build(context.Background(), t.TempDir(), "v1.30"); err == nil {
		t.Error("a driver was built for no release")
	}
}

func TestCopyPackageLeavesTestsAndFakesOut(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for _, name := range []string{"a.go", "a_test.go", "fake_manager.go", "b_linux.go", "OWNERS"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte("package p\n"), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyPackage(from, to); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(to)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != "a.go b_linux.go" {
		t.Errorf("copied %v, want a.go and b_linux.go", got)
	}
}
