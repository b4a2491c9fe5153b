package causes_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
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
