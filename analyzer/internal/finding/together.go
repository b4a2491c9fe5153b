package finding

import (
	"cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
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
		f.Doubt("its sandbox ended at the same moment, and nothing shows what ended it", basis.IDs(died.Obs)...)
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
		f.Doubt("the runtime's log breaks off right after the end: the missing lines could show what ended the " +
			"container")
	case next != nil && next.ID != "" && !until.Before(next.Begun()) &&
		basis.Maker(f.R.From) != nil && basis.Maker(next) == nil:
		f.Doubt("the runtime's log shows that this container was created, but not the next one: it lost lines")
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
		f.Doubt("the runtime got more stop requests at that moment than the kubelet logged kills", asked...)
	}
}
