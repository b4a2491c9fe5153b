package stop

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// again doubts a kill that the process outlived until it was asked to end once more, by the kubelet for another reason
// or by someone else: many programs take their time after the first SIGTERM and go at the second.
func (f *finder) again() {
	first := cmp.Or(f.KillFirst, f.Kill.At)
	if f.Kill.Answer != basis.Yes || first.IsZero() || f.R.From.Finished.IsZero() {
		return
	}
	later := func(at time.Time) bool { return at.Sub(first) > tolerance.Slack && at.Before(f.R.From.Finished) }
	begun := f.begunAgain(later)
	if len(begun) == 0 && !f.Stop.At.IsZero() {
		begun = append(begun, f.Stop.At) // the kubelet's own, behind a preStop hook
	}
	for _, m := range f.R.From.MarksWith(timeline.HasStop | timeline.HasExec) {
		switch fact := m.Obs.Fact.(type) {
		case evidence.StopRequested:
			if fact.Signal == "" && later(m.At) && !before(m.At.Add(tolerance.StopBefore), begun, tolerance.Asks) {
				f.Doubt("the runtime got another stop request before it ended, and not from the kubelet", m.Obs.ID)
			}
		case evidence.ExecStarted:
			if later(m.At) {
				f.Doubt("someone ran a command in it, or attached to it, between the kubelet's kill and the end", m.Obs.ID)
			}
		}
	}
	if box := OfSandbox(f.Basis, f.R.From); box != nil && later(box.At) {
		f.Doubt("the runtime got a request to stop its sandbox before the container ended; the kubelet does that "+
			"afterwards", box.Obs.ID)
	}
}

// begunAgain returns when the kubelet began to kill it, and doubts what was not for the reason that counts.
func (f *finder) begunAgain(later func(time.Time) bool) (begun []time.Time) {
	var decided []time.Time
	for _, m := range f.R.From.MarksWith(timeline.HasKill) {
		switch fact := m.Obs.Fact.(type) {
		case evidence.KillDecided:
			if InLog(m) && fact.Reason == f.Kill.Reason {
				decided = append(decided, m.At)
			}
		case evidence.KillStarted:
			begun = append(begun, m.At)
			stated := f.Kill.Reason != "" && f.Kill.Reason != evidence.KillPod
			if later(m.At) && stated && !before(m.At, decided, tolerance.Slack) {
				f.Doubt("the kubelet began to kill it again before it ended, and not for that reason", m.Obs.ID)
			}
		}
	}
	return begun
}

// before reports whether one of the times is within a span before a moment.
func before(at time.Time, times []time.Time, span time.Duration) bool {
	return slices.ContainsFunc(times, func(t time.Time) bool { return !t.After(at) && at.Sub(t) <= span })
}
