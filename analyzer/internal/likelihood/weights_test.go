package likelihood

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Which of two causes leads where both have evidence of the same strength.
func TestWhichOfTwoClaimsLeads(t *testing.T) {
	unseen := func(f *finding.Findings) { f.NodeEvents.Kubelet = finding.Point{} }
	for name, c := range map[string]struct {
		code           int32
		change         func(*finding.Findings)
		leads, behind  causes.ID
		strength       causes.Strength
		alike, certain bool
	}{
		"a resize, and no new kubelet": {code: 143, change: func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillResize)
			unseen(f)
		}, leads: causes.ResizeRestart, behind: causes.ResizeRecordMissing, strength: causes.Strong},
		"a resize by a new kubelet": {code: 143, change: func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillResize)
			f.NodeEvents.Kubelet = causestest.Yes(-60)
		}, leads: causes.ResizeRestart, behind: causes.ResizeRecordMissing, strength: causes.Strong, alike: true},
		"killed for memory, with a limit in the runtime's record": {code: 137, change: func(f *finding.Findings) {
			f.R.Spec, f.R.Pod, f.OOM.Label, f.R.From.MemoryLimit = nil, nil, true, 256<<20
		}, leads: causes.OOMContainerLimit, behind: causes.OOMNode, strength: causes.Weak, certain: true},
	} {
		f := causestest.Base(c.code)
		c.change(f)
		var o Odds
		o.Weigh(f)
		first, second := o.Weight(c.leads, c.strength), o.Weight(c.behind, c.strength)
		if c.alike && first != second || !c.alike && first < 3*second || c.certain && first < 8*second {
			t.Errorf("%s: %s %.1f, %s %.1f", name, c.leads, first, c.behind, second)
		}
	}
}
