package probe

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// dry is a container that ran for a minute with a liveness probe, in a loop whose events the kubelet no longer sends.
func dry(f *finding.Findings) {
	f.R.Spec.Liveness = &evidence.Probe{Handler: "httpGet", InitialDelay: 5, Period: 10, FailureThreshold: 3}
	f.Kill.Point, f.KubeletLog, f.Events, f.Throttled = finding.Point{}, false, false, true
	f.KilledBefore = finding.KubeletKill{Point: causestest.Yes(-100), Reason: evidence.KillLiveness,
		Message: "Container a failed liveness probe, will be restarted", Grace: -1}
}

func TestALoopWhoseEventsRanDry(t *testing.T) {
	but := func(change func(*finding.Findings)) func(*finding.Findings) {
		return func(f *finding.Findings) { dry(f); change(f) }
	}
	causestest.Run(t, Rules(), map[string]causestest.Row{
		"killed for it before, and ended alike": {ID: causes.LivenessProbeFailed, Change: dry, Want: causes.Strong},
		"it got SIGKILL": {ID: causes.LivenessProbeFailed, Code: 137,
			Change: dry, Want: causes.Strong},
		"it ended with an error of its own": {ID: causes.LivenessProbeFailed, Code: 3,
			Change: dry, Want: causestest.None},
		"the earlier one was killed for another reason": {ID: causes.LivenessProbeFailed,
			Change: but(func(f *finding.Findings) { f.KilledBefore.Reason = evidence.KillDefinition }), Want: causes.Weak},
		"no earlier kill": {ID: causes.LivenessProbeFailed,
			Change: but(func(f *finding.Findings) { f.KilledBefore = finding.KubeletKill{} }), Want: causes.Weak},
		"its own start was told of": {ID: causes.LivenessProbeFailed,
			Change: but(func(f *finding.Findings) { f.Throttled = false }), Want: causes.Weak},
		"too short a life for the probe": {ID: causes.LivenessProbeFailed,
			Change: but(func(f *finding.Findings) {
				f.R.From.Started = f.R.From.Finished.Add(-20 * time.Second)
			}), Want: causes.Weak},
		"just long enough": {ID: causes.LivenessProbeFailed,
			Change: but(func(f *finding.Findings) {
				f.R.From.Started = f.R.From.Finished.Add(-24 * time.Second)
			}), Want: causes.Strong},
		"its start is not known": {ID: causes.LivenessProbeFailed,
			Change: but(func(f *finding.Findings) { f.R.From.Started = time.Time{} }), Want: causes.Weak},
		"the kubelet's log covers it, in silence": {ID: causes.LivenessProbeFailed,
			Change: but(func(f *finding.Findings) { f.Kill.Answer, f.KubeletLog = finding.No, true }), Want: causestest.Out},
		"no such probe in the spec": {ID: causes.LivenessProbeFailed,
			Change: but(func(f *finding.Findings) { f.R.Spec.Liveness = nil }), Want: causestest.Out},
		"the other probe": {ID: causes.StartupProbeFailed,
			Change: but(func(f *finding.Findings) {
				f.R.Spec.Startup = &evidence.Probe{Period: 1, FailureThreshold: 3}
			}), Want: causes.Weak},
	})
}

func TestWhatIsSaidOfSuchALoop(t *testing.T) {
	f := causestest.Base(0)
	dry(f)
	claim := liveness.claim(f)
	if claim == nil {
		t.Fatal("no claim")
	}
	const want = "container a: the kubelet killed an earlier container because its liveness probe failed (httpGet every 10 s, killed after 3 failures); this one ended the same way, and the kubelet no longer sends events about it"
	if claim.Summary != want {
		t.Errorf("summary %q, want %q", claim.Summary, want)
	}
	if len(claim.Needs) == 0 {
		t.Error("it does not say what would settle it")
	}
	for _, s := range claim.Chain[:2] {
		if len(s.Evidence) == 0 {
			t.Errorf("%q cites nothing", s.Text)
		}
	}
}
