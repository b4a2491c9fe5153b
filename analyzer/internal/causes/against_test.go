package causes_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestTheFirstContradictionHolds(t *testing.T) {
	none := func(*finding.Findings) causes.Against { return causes.Against{} }
	says := func(why string) func(*finding.Findings) causes.Against {
		return func(*finding.Findings) causes.Against { return causes.Contradict(why, "e1") }
	}
	f := &finding.Findings{}
	if a := causes.FirstOf(f, none, none); a.Holds() {
		t.Errorf("nothing contradicts, and yet %+v", a)
	}
	a := causes.FirstOf(f, none, says("first"), says("second"))
	if !a.Holds() || a.Because != "first" || len(a.Evidence) != 1 {
		t.Errorf("got %+v, want the first", a)
	}
}

// What the kubelet logs while a pod ends explains nothing, and neither does what only an event has.
func TestWhichWordsOfTheKubeletExplain(t *testing.T) {
	for name, c := range map[string]struct {
		change         func(*finding.Findings)
		stated, killed bool
	}{
		"its reason": {func(*finding.Findings) {}, true, true},
		"its reason, long after the pod's deletion": {func(f *finding.Findings) { f.End.Point = causestest.Yes(-60) },
			false, true},
		"its reason, at once with the deletion": {func(f *finding.Findings) { f.End.Point = causestest.Yes(-4) }, true, true},
		"its reason, and the pod went on": {func(f *finding.Findings) {
			f.End.Point, f.R.To = causestest.Yes(-60), &timeline.Instance{}
		}, true, true},
		"an event that the log does not know": {func(f *finding.Findings) { f.Kill.Unlogged = true }, true, false},
		"the pod's end":                       {func(f *finding.Findings) { f.Kill.Reason = evidence.KillPod }, false, true},
		"no kill":                             {func(f *finding.Findings) { f.Kill = finding.KubeletKill{} }, false, false},
	} {
		f := causestest.Base(137)
		causestest.Killed(f, evidence.KillLiveness)
		c.change(f)
		if stated, killed := causes.StatedReason(f), causes.KilledByKubelet(f).Holds(); stated != c.stated ||
			killed != c.killed {
			t.Errorf("%s: stated %v, killed %v", name, stated, killed)
		}
	}
}
