package probe

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	worker "github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

// due says when the kill was due if the probe never passed, and when it came; "" where spec, start or version are not
// known well enough. It explains, and never decides: a kill that does not fit is left to the evidence.
func (k *kind) due(f *finding.Findings) string {
	x, ok := k.setting(f)
	// Up to 1.13 the Killing event follows the stop, so the kill's time is not known. No record shows when a startup
	// probe ended and liveness began.
	if !ok || !x.profile.KillingBeforeStop || k.worker == worker.Liveness && f.R.Spec.Startup != nil {
		return ""
	}
	started, life, kill, since := x.life.ContainerStarted, x.life, x.kill, "its start"
	switch {
	case !life.KubeletStarted.IsZero():
		since = "the kubelet's start"
	case !f.Versions.SameProcess:
		return "" // an unseen restart would have restarted the count
	}
	w, err := worker.KillWindow(x.rules, x.spec, life)
	// Times of logs and of the runtime differ by at most a second.
	if err != nil || kill.Before(w.Earliest.Add(-time.Second)) {
		return ""
	}
	from := started
	if life.KubeletStarted.After(started) {
		from = life.KubeletStarted
	}
	after := func(t time.Time) string { return t.Sub(from).Round(time.Second).String() }
	text := fmt.Sprintf("a %s probe that never passes leads to a kill %s to %s after %s; this kill came after %s",
		k.name, after(w.Earliest), after(w.Latest), since, after(kill))
	if kill.After(w.Latest) {
		text += ": the probe had passed before, or its runs failed to execute or hung"
	}
	return text
}

// setting is what is known about a kill for a probe: the version that decided, the probe, and the container's life.
type setting struct {
	profile kubelet.Profile
	rules   worker.Rules
	spec    worker.Spec
	life    worker.Life
	kill    time.Time
	run     *timeline.KubeletRun // the kubelet that killed, if it started after the container
}

// setting returns false where spec, start, kill or version is not known well enough.
func (k *kind) setting(f *finding.Findings) (x setting, ok bool) {
	x.kill, x.life.ContainerStarted = f.Kill.At, f.R.From.Started
	if !f.Kill.DecidedAt.IsZero() {
		x.kill = f.Kill.DecidedAt
	}
	if !f.Versions.Certain || f.Kill.Answer != finding.Yes || x.kill.IsZero() ||
		x.life.ContainerStarted.IsZero() || f.R.Spec == nil {
		return x, false
	}
	p := k.spec(f.R.Spec)
	version, err := kubelet.ParseVersion(f.Versions.At)
	if p == nil || err != nil {
		return x, false
	}
	if x.profile, err = kubelet.ProfileFor(version); err != nil {
		return x, false
	}
	if x.rules, err = worker.RulesFor(version); err != nil {
		return x, false
	}
	x.spec = worker.Spec{
		Kind: k.worker, Handler: p.Handler, InitialDelay: p.InitialDelay, Period: p.Period, Timeout: max(1, p.Timeout),
		FailureThreshold: p.FailureThreshold, SuccessThreshold: 1,
	}
	if run, _ := f.Node.KubeletAt(x.kill); run != nil && run.Start.After(x.life.ContainerStarted) {
		x.life.KubeletStarted, x.run = run.Start, run
	}
	return x, true
}
