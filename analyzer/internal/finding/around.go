package finding

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file looks at the whole node around the end: whether it booted, its runtime or kubelet was restarted, it ran out
// of memory, and what else ended at the same time.

func (f *Findings) around() {
	r := f.R
	end := r.End()
	if end.IsZero() {
		if f.Node != nil {
			f.OOM.FindUndated(&f.Basis)
		}
		return
	}
	f.Together = r.Beside
	if f.Node == nil {
		f.OOM.FindShortage(&f.Basis, end)
		return
	}
	f.runtimeStart(end)
	f.NodeEvents.Boot = f.boot()
	f.between(end)
	f.runtimeDown(end)
	f.OOM.FindShortage(&f.Basis, end)
	if run, _ := f.Node.KubeletAt(end.Add(tolerance.Slack)); run != nil && end.Sub(run.Start) < tolerance.Settle {
		f.NodeEvents.Kubelet = basis.Found(run.Start, basis.IDs(run.Obs)...)
	} else if f.KubeletLog {
		f.NodeEvents.Kubelet.Answer = No
	}
}

// between looks for a kubelet start between the end and the new start.
func (f *Findings) between(end time.Time) {
	if f.R.To == nil || f.R.To.Started.IsZero() {
		return
	}
	before, _ := f.Node.KubeletAt(end)
	after, _ := f.Node.KubeletAt(f.R.To.Started)
	if after != nil && after != before {
		f.NodeEvents.Between = basis.Found(after.Start, basis.IDs(after.Obs)...)
	}
}

// runtimeStart looks for a start of the container runtime near the end.
func (f *Findings) runtimeStart(end time.Time) {
	r := f.R
	// A runtime that started before the container was created did not lose it.
	before := tolerance.RuntimeStart
	if made := r.From.Made(); !made.IsZero() {
		before = min(before, end.Sub(made))
	}
	m := timeline.Near(f.LoggedStarts(), end, before, tolerance.RuntimeStart)
	if m == nil {
		m = timeline.Near(f.Node.Runtime, end, before, tolerance.RuntimeStart)
	}
	if m != nil {
		f.NodeEvents.Runtime = basis.Found(m.At, m.Obs.ID)
	}
	f.wentDown(end)
	since := f.Node.RuntimeSince
	if f.NodeEvents.Runtime.Answer != Yes && (f.RuntimeStarts || !since.IsZero() && since.Before(end.Add(-before))) {
		f.NodeEvents.Runtime.Answer = No
	}
}

// wentDown looks for an orderly shutdown of a daemon right before the end. Only Docker's takes its containers along
// (without live-restore); it may be down for long while its package is upgraded.
func (f *Findings) wentDown(end time.Time) {
	for _, m := range timeline.Since(f.Node.AdminActions, end.Add(-tolerance.DownLag)) {
		if m.At.After(end.Add(tolerance.Slack / 2)) {
			break
		}
		if !timeline.StopsDocker(m.Obs.Fact) {
			continue
		}
		next := timeline.Since(f.LoggedStarts(), m.At)
		if len(next) > 0 && next[0].At.Before(end.Add(-tolerance.Slack/2)) {
			continue // it was up again before the container ended
		}
		f.NodeEvents.Down = basis.Found(m.At, m.Obs.ID)
		f.NodeEvents.Runtime = f.NodeEvents.Down
		if len(next) > 0 {
			f.NodeEvents.Runtime = basis.Found(next[0].At, basis.IDs(m.Obs, next[0].Obs)...)
		}
		return
	}
}

// runtimeDown looks for the kubelet's error that its runtime did not answer.
func (f *Findings) runtimeDown(end time.Time) {
	for _, m := range timeline.Since(f.Node.RuntimeErrors, end.Add(-tolerance.RuntimeStart)) {
		if m.At.After(end.Add(tolerance.RuntimeStart)) {
			break
		}
		run, _ := f.Node.KubeletAt(m.At)
		if m.Obs.Fact.(evidence.RuntimeTrouble).State == evidence.RuntimeNoAnswer &&
			(run == nil || m.At.Sub(run.Start) > tolerance.FirstSync) {
			f.RuntimeDown = basis.Found(m.At, m.Obs.ID)
			return
		}
	}
}

// boot returns whether the node booted between the start of the old instance and the start of the next one. Where a
// bound of that time is only assumed, a boot in it is NodeEvents.Perhaps: it may have been another time that it ended.
func (f *Findings) boot() Point {
	r := f.R
	from, until, assumed := f.bootWindow()
	var perhaps Point
	for _, m := range f.Node.BootsAfter(from) {
		if from.IsZero() || !m.At.Before(until.Add(tolerance.RebootLag)) {
			break
		}
		late := tolerance.Slack
		_, event := m.Obs.Fact.(evidence.NodeRebooted)
		if event && r.To != nil && r.Next == nil && !r.To.Exited() {
			late = tolerance.RebootLag // a boot after the new instance's start would have ended that one
		}
		may, certain := f.MayHaveEnded(m, from), !assumed || f.endsWith(m.At)
		if event && may {
			certain = certain && f.BeganBefore(m.At, from, &f.Sandbox.Changed)
		}
		if may && m.At.Before(until.Add(late)) {
			if m.Obs.Source.Kind == evidence.SourceHostLog {
				f.Doubt("only what a tool of the node printed shows the boot", m.Obs.ID)
			}
			found := basis.Found(m.At, m.Obs.ID)
			if certain {
				return found
			}
			perhaps = found // a later one may have ended it for certain
		}
	}
	f.NodeEvents.Perhaps = perhaps
	if perhaps.Answer != Yes && (f.oneKubelet(until) || !from.IsZero() && f.UpSince(from, until) &&
		(f.Kill.Answer == Yes || !f.BootNear(from, until) || f.serviceRestarted(until))) {
		return Point{Answer: No}
	}
	return Point{}
}

// endsWith reports whether what began at an unknown time nevertheless was there before the boot: it ended before that,
// or was found gone by the first look after it, or nothing but its successor's start has a time.
func (f *Findings) endsWith(boot time.Time) bool {
	r, changed := f.R, f.Sandbox.Changed
	switch end := r.End(); {
	case boot.After(end), r.To != nil && r.From.Finished.IsZero():
		return true
	case changed.Answer == Yes && changed.At.After(boot):
		return true
	default:
		run, _ := f.Node.KubeletAt(end.Add(tolerance.Slack))
		return run != nil && run.Start.After(boot) && end.Sub(run.Start) < tolerance.FirstSync
	}
}

// bootWindow returns between which times a boot can have ended the old instance, and whether one of them is assumed: no
// evidence shows when it began, or that it ended by then. What the runtime lost has no other bounds than the boot.
func (f *Findings) bootWindow() (from, until time.Time, assumed bool) {
	r := f.R
	from, until = r.From.Begun(), f.T.Snapshot.CollectedAt
	if killed := r.From.Finished; r.From.OnlyKilled && !killed.IsZero() {
		from = killed // a boot before the kernel's own time of the kill cannot have ended it
	}
	if from.IsZero() && !r.End().IsZero() {
		from = r.End().Add(-tolerance.Settle) // its beginning is unknown: look around its end
		assumed = !f.Exit.Lost && !f.Exit.Invented
		if p := r.Pod; p != nil && !p.Mirror {
			// Not before its pod, unless the API server's clock dates that after its end.
			if made := p.CreatedAt.Add(-tolerance.Slack); made.After(from) && made.Before(r.End()) {
				from, assumed = made, assumed && r.Restarts > 1
			}
		}
		if lived := f.StartedBy(r.End()); lived.After(from) {
			from, assumed = lived, false
		}
	}
	switch {
	case r.To != nil && !r.To.Begin().IsZero():
		until = r.To.Begin()
	case r.To == nil && f.End.Answer == Yes && !f.End.At.IsZero():
		until = f.End.At.Add(tolerance.RebootLag) // what came later found nothing of the pod
	case !r.End().IsZero() && !f.Exit.Lost && !f.Exit.Invented:
		until = r.End().Add(tolerance.Settle) // its end was observed; a cause days later is not possible
	}
	return from, until, assumed
}

// oneKubelet reports whether one kubelet process made the old instance, saw its end and still ran at until: then the
// machine did not go down.
func (f *Findings) oneKubelet(until time.Time) bool {
	made, _ := f.Node.KubeletAt(f.R.End())
	last, _ := f.Node.KubeletAt(until)
	return f.Versions.SameProcess && made == last
}

// serviceRestarted reports whether the kubelets between the end and the time came from restarts of their service:
// systemd had stopped each of them a few seconds before, and no machine boots that fast.
func (f *Findings) serviceRestarted(until time.Time) bool {
	end, found := f.R.End(), false
	for i := range f.Node.Kubelet {
		run := &f.Node.Kubelet[i]
		if !run.Start.After(end) || run.Start.After(until) {
			continue
		}
		if found = f.stoppedInOrder(run.Start.Add(-tolerance.QuickestBoot), run.Start); !found {
			return false
		}
	}
	return found
}
