package driver

import (
	"context"
	"go/parser"
	"go/token"
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
