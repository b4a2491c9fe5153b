package finding

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// endedTogether doubts where the sandbox ended at the same moment as the container, the kubelet killed neither and
// nobody had requested it: one may have ended the other, or something else both. A dead sandbox is stopped later.
func (f *Findings) endedTogether() {
	box := f.T.SandboxOf(f.R.From)
	if box == nil || len(box.Died) == 0 || f.Kill.Answer == Yes || f.R.From.Finished.IsZero() {
		return
	}
	for _, asked := range box.StopRequested {
		if !asked.At.After(box.Died[0].At) {
			return
		}
	}
	if died := box.Died[0]; died.At.Sub(f.R.From.Finished).Abs() <= tolerance.SandboxWith {
		f.Sandbox.Together = true
		f.Doubt("its sandbox ended at the same moment, and nothing tells who ended it", basis.IDs(died.Obs)...)
	}
}

// cutShort doubts the silence of the runtime's log about a stop if that log lost what followed the end: an end of the
// sandbox or a start of the daemon would change the verdict. A log that reaches further must have the next container's
// creation, if it has this one's.
func (f *Findings) cutShort() {
	end, next := f.R.From.Finished, f.R.To
	if f.Stop.Answer != No || f.Kill.Answer == Yes || f.OOM.Answer == Yes || end.IsZero() {
		return
	}
	until := end.Add(tolerance.SandboxWith)
	if next != nil && next.Begun().After(end) {
		until = end.Add(min(next.Begun().Sub(end), tolerance.RuntimeStart))
	}
	ok, _ := f.Node.Covered(evidence.SourceRuntimeLog, end, until, f.Testifies(evidence.SourceRuntimeLog))
	switch {
	case !ok:
		f.Doubt("the runtime's log breaks off right behind the end: its next lines could tell what ended the container")
	case next != nil && next.ID != "" && !until.Before(next.Begun()) &&
		basis.Maker(f.R.From) != nil && basis.Maker(next) == nil:
		f.Doubt("the runtime's log says that this container was made and not that the next one was: it lost lines")
	}
}

// twoStops doubts a kill if the runtime was asked to stop it more often at that moment than the kubelet logged kills:
// someone else asked, too, and may have been first.
func (f *Findings) twoStops(kills int) {
	var asked []string
	at := cmp.Or(f.KillFirst, f.Stop.At)
	for _, m := range f.R.From.MarksWith(timeline.HasStop) {
		stop, ok := m.Obs.Fact.(evidence.StopRequested)
		if ok && stop.Signal == "" && m.At.Sub(at).Abs() <= tolerance.Asks {
			asked = append(asked, m.Obs.ID)
		}
	}
	if len(asked) > max(kills, 1) {
		f.Doubt("the runtime was asked to stop it more often at that moment than the kubelet says that it kills", asked...)
	}
}

// stoppedAgain doubts a kill that the process outlived until it was asked to end once more, by the kubelet for another
// reason or by somebody else: many programs take their time after the first SIGTERM and go at the second.
func (f *Findings) stoppedAgain() {
	k, end := &f.Kill, f.R.From.Finished
	if k.Answer != Yes || f.KillFirst.IsZero() || end.IsZero() {
		return
	}
	var decided, begun []time.Time
	for _, m := range f.R.From.MarksWith(timeline.HasKill) {
		switch fact := m.Obs.Fact.(type) {
		case evidence.KillDecided:
			if stop.InLog(m) && fact.Reason == k.Reason {
				decided = append(decided, m.At)
			}
		case evidence.KillStarted:
			begun = append(begun, m.At)
			if again := m.At.Sub(f.KillFirst); again > tolerance.Slack && m.At.Before(end) && !vague(k.Reason) &&
				!before(m.At, decided, tolerance.Slack) {
				f.Doubt("the kubelet began to kill it once more before it ended, and not for that reason", m.Obs.ID)
			}
		}
	}
	for _, m := range f.R.From.MarksWith(timeline.HasStop) {
		s, ok := m.Obs.Fact.(evidence.StopRequested)
		if ok && s.Signal == "" && m.At.Sub(f.KillFirst) > tolerance.Slack && m.At.Before(end) &&
			!before(m.At.Add(tolerance.StopBefore), begun, tolerance.Asks) {
			f.Doubt("the runtime was asked once more to stop it before it ended, and not by the kubelet", m.Obs.ID)
		}
	}
}

// before reports whether one of the times is within a span before a moment.
func before(at time.Time, times []time.Time, span time.Duration) bool {
	return slices.ContainsFunc(times, func(t time.Time) bool { return !t.After(at) && at.Sub(t) <= span })
}
