package predict

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// BenchmarkAgainst compares one well-known restart of a pod with every hypothesis, after an equal pod was seen before.
func BenchmarkAgainst(b *testing.B) {
	w := base(certain, sandboxes("box0", "box0", 0), runs("b", 0, -600), did("i", 0, -602))
	f := w.find(b)
	p := New(f.T)
	b.ReportAllocs()
	for b.Loop() {
		one := *f // another restart each time
		for h := range sim.Hypotheses {
			p.Against(&one, h)
		}
	}
}

// TestNeighboursThatHadEndedAreNotTakenToRun: a finished neighbour of a pod that restarts on failure stays finished.
func TestNeighboursThatHadEndedAreNotTakenToRun(t *testing.T) {
	w := base(policy(corev1.RestartPolicyOnFailure), func(w *world) {
		code := w.code
		w.code = 0
		zero := int32(0)
		w.record("b", "b0", evidence.StateExited, 0, -600, -300, "")
		last := &w.obs[len(w.obs)-1]
		record := last.Fact.(evidence.ContainerRecord)
		record.ExitCode = &zero
		last.Fact, w.code = record, code
	})
	if got, want := outcomeOf(t, w, sim.SandboxNotReady),
		"the kubelet stops a, creates a new sandbox and starts i and a (init again)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
