package probe

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// dry is a container that lived for a minute under a liveness probe, of a loop whose
// events the kubelet no longer sends.
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
	run(t, map[string]row{
		"killed for it before, and ended alike": {causes.LivenessProbeFailed, 0, dry, causes.Strong},
		"it got SIGKILL":                        {causes.LivenessProbeFailed, 137, dry, causes.Strong},
		"it ended with an error of its own":     {causes.LivenessProbeFailed, 3, dry, causestest.None},
		"the earlier one was killed for another reason": {causes.LivenessProbeFailed,
			0, but(func(f *finding.Findings) { f.KilledBefore.Reason = evidence.KillDefinition }), causes.Weak},
		"no earlier kill": {causes.LivenessProbeFailed,
			0, but(func(f *finding.Findings) { f.KilledBefore = finding.KubeletKill{} }), causes.Weak},
		"its own start was told of": {causes.LivenessProbeFailed,
			0, but(func(f *finding.Findings) { f.Throttled = false }), causes.Weak},
		"too short a life for the probe": {causes.LivenessProbeFailed,
			0, but(func(f *finding.Findings) { f.R.From.Started = f.R.From.Finished.Add(-20 * time.Second) }), causes.Weak},
		"just long enough": {causes.LivenessProbeFailed,
			0, but(func(f *finding.Findings) { f.R.From.Started = f.R.From.Finished.Add(-24 * time.Second) }), causes.Strong},
		"its start is not known": {causes.LivenessProbeFailed,
			0, but(func(f *finding.Findings) { f.R.From.Started = time.Time{} }), causes.Weak},
		"the kubelet's log covers it, in silence": {causes.LivenessProbeFailed,
			0, but(func(f *finding.Findings) { f.Kill.Answer, f.KubeletLog = finding.No, true }), causestest.Out},
		"no such probe in the spec": {causes.LivenessProbeFailed, 0,
			but(func(f *finding.Findings) { f.R.Spec.Liveness = nil }), causestest.Out},
		"the other probe": {causes.StartupProbeFailed, 0,
			but(func(f *finding.Findings) { f.R.Spec.Startup = &evidence.Probe{Period: 1, FailureThreshold: 3} }), causes.Weak},
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
