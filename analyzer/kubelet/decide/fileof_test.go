package decide

import (
	"path"
	"testing"
)

// No decision uses a function's file, so no case of the oracle reaches FileOf. The places are those of
// branches_table.go.
func TestEveryFunctionOfATraceHasItsFile(t *testing.T) {
	type place struct {
		file  string
		depth int
	}
	for function, want := range map[string]place{
		fnSync: {"kubelet.go", 0}, "syncPod": {"kubelet.go", 0}, fnAdd: {"kubelet.go", 0},
		fnActions: {"kuberuntime_manager.go", 1}, fnChanges: {"kuberuntime_manager.go", 1},
		fnBackOff: {"kuberuntime_manager.go", 1},
		fnStart:   {"kuberuntime_container.go", 1},
		fnSandbox: {"util.go", 2}, "podSandboxChanged": {"kuberuntime_manager.go", 2},
		fnResize: {"kuberuntime_manager.go", 2},
		fnNext:   {"kuberuntime_container.go", 2}, fnInit: {"kuberuntime_container.go", 2},
		fnRestart:     {"helpers.go", 2},
		"noSuchThing": {".", 0}, // path.Base of "" is a dot
	} {
		if file, depth := FileOf(function); path.Base(file) != want.file || depth != want.depth {
			t.Errorf("%s: %s at depth %d, want %s at %d", function, file, depth, want.file, want.depth)
		}
	}
	for _, b := range allBranches() {
		if file, _ := FileOf(b.function); file == "" {
			t.Errorf("branch %s: its function %s is in no file", b.id, b.function)
		}
	}
}
