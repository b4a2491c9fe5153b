package finding_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Who tells of an end by its reason alone may leave out the code: some reasons tell that no process returned one.
func TestReasonsWithoutACode(t *testing.T) {
	for reason, want := range map[string]struct{ invented, notStarted bool }{
		"ContainerStatusUnknown": {true, false}, "StartError": {false, true}, "Error": {},
	} {
		s := analyzertest.New()
		s.Status(10, 42, 137, reason, 43)
		record := s.Observations[0].Fact.(evidence.ContainerRecord)
		record.ExitCode = nil
		s.Observations[0].Fact = record
		if e := find(t, s).Exit; e.Known || e.Invented != want.invented || e.NotStarted != want.notStarted {
			t.Errorf("%s: %+v", reason, e)
		}
	}
}

// Of two reasons within seconds, one of the container's own goes before that of its pod; but a hook that runs in a
// container that is being stopped fails with it (before v1.22 the kubelet ends a pod while it syncs it).
func TestASecondReasonOfOneKill(t *testing.T) {
	const pod, probe, hook = evidence.KillPod, evidence.KillLiveness, evidence.KillPostStart
	for name, c := range map[string]struct {
		first, second evidence.KillReason
		at            float64 // of the second; the first is of 40 s
		want          evidence.KillReason
	}{
		"a probe beside the pod's end":      {pod, probe, 41, probe},
		"a hook that the pod's end ends":    {pod, hook, 41, pod},
		"a hook, and then the pod's end":    {hook, pod, 41, hook},
		"a hook, and the pod's end at once": {hook, pod, 40.4, pod},
	} {
		s := analyzertest.New().Events().Status(10, 44, 143, "Error", 0)
		s.Event(40, evidence.KillDecided{Reason: c.first, Count: 1})
		s.Event(c.at, evidence.KillDecided{Reason: c.second, Count: 1})
		if got := find(t, s).Kill.Reason; got != c.want {
			t.Errorf("%s: killed for %s, want %s", name, got, c.want)
		}
	}
}
