package causes_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What came after an end without a successor: a pod that is over is not restarted "so far".
func TestWhatFollowsAnEnd(t *testing.T) {
	for want, change := range map[string]func(*finding.Findings){
		"not restarted so far":                                func(*finding.Findings) {},
		"not restarted: the pod has ended (phase Failed)":     func(f *finding.Findings) { f.R.Pod.Phase = "Failed" },
		"not restarted: the pod's restartPolicy is Never":     func(f *finding.Findings) { f.R.Pod.RestartPolicy = "Never" },
		"the evidence does not show whether it was restarted": func(f *finding.Findings) { f.R.Pod, f.KubeletLog = nil, false },
		"not restarted: the pod has ended (phase Succeeded)":  func(f *finding.Findings) { f.R.Pod.Phase = "Succeeded" },
	} {
		f := causestest.Base(1)
		change(f)
		if got := causes.Then(f).Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	f := causestest.Base(1)
	f.R.Pod.RestartPolicy, f.R.ContainerKind = "Never", evidence.KindSidecar
	if got := causes.Then(f).Text; got != "not restarted so far" {
		t.Errorf("a sidecar: %q", got)
	}
}
