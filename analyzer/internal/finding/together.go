package finding

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// endedTogether doubts where the sandbox ended at the container's own moment, the kubelet killed neither and nobody
// had asked for its end: one of them may be what became of the other, or of both. What is dead is taken down later.
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

// cutShort doubts a silence of the runtime's log about a stop where that log lost what came behind the end: that the
// sandbox ended too or that the daemon was started would change the verdict. A log that reaches further has to tell
// that the next container was made, if it told that of this one.
func (f *Findings) cutShort() {
	end, next := f.R.From.Finished, f.R.To
	if f.Stop.Answer != No || f.Kill.Answer == Yes || f.OOM.Answer == Yes || end.IsZero() {
		return
	}
	until := end.Add(tolerance.SandboxWith)
	if next != nil && basis.Begun(next).After(end) {
		until = end.Add(min(basis.Begun(next).Sub(end), tolerance.RuntimeStart))
	}
	ok, _ := f.Node.Covered(evidence.SourceRuntimeLog, end, until, f.Testifies(evidence.SourceRuntimeLog))
	switch {
	case !ok:
		f.Doubt("the runtime's log breaks off right behind the end: its next lines could tell what ended the container")
	case next != nil && next.ID != "" && !until.Before(basis.Begun(next)) &&
		basis.Maker(f.R.From) != nil && basis.Maker(next) == nil:
		f.Doubt("the runtime's log says that this container was made and not that the next one was: it lost lines")
	}
}

// twoStops doubts a kill at whose moment the runtime was asked more often than the kubelet says that it kills: somebody
// else asked, too, and may have been first.
func (f *Findings) twoStops(kills int) {
	var asked []string
	for _, m := range f.R.From.MarksWith(timeline.HasStop) {
		stop, ok := m.Obs.Fact.(evidence.StopRequested)
		if ok && stop.Signal == "" && m.At.Sub(f.KillFirst).Abs() <= tolerance.Asks {
			asked = append(asked, m.Obs.ID)
		}
	}
	if kills > 0 && len(asked) > kills {
		f.Doubt("the runtime was asked to stop it more often at that moment than the kubelet says that it kills", asked...)
	}
}
