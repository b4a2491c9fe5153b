package finding_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The kubelet calls off a postStart hook to end the pod; a preStop hook that was called off tells nothing of another.
func TestOnlyAPostStartHookThatWasCalledOffIsNotTheReason(t *testing.T) {
	for name, c := range map[string]struct {
		hook string
		want evidence.KillReason
		fits bool
	}{
		"postStart": {"PostStart", evidence.KillPod, false},
		"preStop":   {"PreStop", evidence.KillPostStart, true},
	} {
		s := own(143).Kubelet(38, analyzertest.OldID, evidence.HookFailed{Hook: "PostStart"})
		s = logged(s, 38.1, evidence.KillPostStart).
			Kubelet(39, analyzertest.OldID, evidence.HookFailed{Hook: c.hook, CalledOff: true})
		f := find(t, s)
		if f.Kill.Reason != c.want || (f.Hook.Answer == finding.Yes) != c.fits {
			t.Errorf("%s: killed for %q, hook %v", name, f.Kill.Reason, f.Hook.Answer)
		}
	}
}

// A kubelet that had to end the pod may stop its sandbox alone, whether or not its log is complete.
func TestAStopOfTheSandboxAloneIsForeignOnlyWithoutAnEndOfThePod(t *testing.T) {
	for name, c := range map[string]struct{ whole, deleted, want bool }{
		"no end":                      {true, false, true},
		"a deletion":                  {true, true, false},
		"no end, a log with gaps":     {false, false, true},
		"a deletion, a log with gaps": {false, true, false},
	} {
		s := analyzertest.New().Records(10, 40.1, 137, "Error", 43, nil)
		if c.whole {
			s = own(137)
		}
		s.Add(evidence.SourceRuntimeLog, 39, evidence.Subject{SandboxID: analyzertest.OldBox},
			evidence.SandboxStopRequested{})
		if c.deleted {
			s.Add(evidence.SourceKubeletLog, 30, evidence.Subject{PodUID: analyzertest.PodUID},
				evidence.PodConfig{Op: "DELETE"})
		}
		if f := find(t, s); f.StopForeign != c.want {
			t.Errorf("%s: foreign %v, stop %v, kill %v", name, f.StopForeign, f.Stop.Answer, f.Kill.Answer)
		}
	}
}
