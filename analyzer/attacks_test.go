package analyzer_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/analyzertest"
)

func TestPrintAttacks(t *testing.T) {
	for _, told := range analyzertest.Attacks() {
		for _, it := range judge(told.Story()).Items {
			v := it.Verdict
			mark := ""
			if v.Cause != told.Cause {
				mark = "   <<<<<"
			}
			t.Logf("%-70s %s/%s: truth %s, got %s (%s)%s", told.Name, it.Pod, it.Container, told.Cause, v.Cause, v.Confidence, mark)
			t.Logf("        %s", v.Summary)
			for _, a := range v.Alternatives {
				t.Logf("        alt %s (%s)", a.Cause, a.Confidence)
			}
			for _, m := range v.Missing {
				t.Logf("        missing %s", m.What)
			}
		}
	}
}
