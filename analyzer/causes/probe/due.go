package probe

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	worker "github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

// due says when the kill had to come if the probe never passed, and when it
// came; "" where spec, start or version are not known well enough to say it. It
// explains, and never decides: a kill that does not fit is left to the evidence.
func (k kind) due(f *finding.Findings) string {
	kill, started := f.Kill.At, f.R.From.Started
	if !f.Kill.DecidedAt.IsZero() {
		kill = f.Kill.DecidedAt
	}
	if !f.Versions.Certain || f.Kill.Answer != finding.Yes || kill.IsZero() || started.IsZero() || f.R.Spec == nil {
		return ""
	}
	p := k.spec(f.R.Spec)
	// When a startup probe stopped holding liveness off is on no record.
	if p == nil || k.worker == worker.Liveness && f.R.Spec.Startup != nil {
		return ""
	}
	version, err := kubelet.ParseVersion(f.Versions.At)
	if err != nil {
		return ""
	}
	// Up to 1.13 the Killing event follows the stop, so the kill's time is not known.
	if profile, err := kubelet.ProfileFor(version); err != nil || !profile.KillingBeforeStop {
		return ""
	}
	rules, err := worker.RulesFor(version)
	if err != nil {
		return ""
	}
	life, since := worker.Life{ContainerStarted: started}, "its start"
	if run, _ := f.Node.KubeletAt(kill); run != nil && run.Start.After(started) {
		life.KubeletStarted, since = run.Start, "the kubelet's start"
	} else if !f.Versions.SameProcess {
		return "" // an unseen restart would have begun the count anew
	}
	v, err := worker.Check(rules, worker.Spec{
		Kind: k.worker, Handler: p.Handler, InitialDelay: p.InitialDelay, Period: p.Period, Timeout: max(1, p.Timeout),
		FailureThreshold: p.FailureThreshold, SuccessThreshold: 1,
	}, life, kill, worker.Observed{})
	if err != nil || !v.Fits {
		return ""
	}
	from := started
	if life.KubeletStarted.After(started) {
		from = life.KubeletStarted
	}
	after := func(t time.Time) string { return t.Sub(from).Round(time.Second).String() }
	text := fmt.Sprintf("a %s probe that never passes kills %s to %s after %s; this kill came after %s",
		k.name, after(v.Window.Earliest), after(v.Window.Latest), since, after(kill))
	if kill.After(v.Window.Latest) {
		text += ": the probe had passed before, or its runs errored or hung"
	}
	return text
}
