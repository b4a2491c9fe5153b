package podend_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/podend"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A deletion through the API removes a static pod's mirror and keeps the containers; what the kubelet itself does to
// pods, it does to static ones too.
func TestNothingIsAskedOfTheAPIAboutAStaticPod(t *testing.T) {
	ruledOut := map[causes.ID]bool{causes.APIEvicted: true, causes.TaintEvicted: true,
		causes.PreemptedByScheduler: true, causes.PodDeleted: true, causes.PodReplaced: true}
	for id, make := range endings {
		f := make()
		f.Static.Answer = finding.Yes
		got := causestest.Says(t, podend.Rules(), id, f)
		if want := ruledOut[id]; want != (got == causestest.Out) {
			t.Errorf("%s of a static pod: strength %d, ruled out: want %v", id, got, want)
		}
	}
}

// A pod that disappeared from the kubelet's files is no orphan of the API.
func TestAFileThatIsGoneIsNoOrphan(t *testing.T) {
	f := over(evidence.EndRemoved, "")
	f.R.Pod, f.End.Origin, f.Static.Answer = nil, "file", finding.Yes
	for _, id := range []causes.ID{causes.PodOrphaned, causes.PodReplaced, causes.PodDeleted} {
		if got := causestest.Says(t, podend.Rules(), id, f); got != causestest.Out {
			t.Errorf("%s: strength %d, want it ruled out", id, got)
		}
	}
	f.End.Successor = &evidence.Pod{UID: "mirror", Mirror: true}
	if got := causestest.Says(t, podend.Rules(), causes.PodReplaced, f); got != causestest.Out {
		t.Errorf("pod-replaced, with a mirror: strength %d, want it ruled out", got)
	}
}
