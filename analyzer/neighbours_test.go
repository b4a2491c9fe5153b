package analyzer_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// What was computed for one restart must not be reused for the next: each gets the verdict that it gets alone.
func TestNoRestartIsJudgedByItsNeighboursFacts(t *testing.T) {
	s, f := manyRestarts(40), fleet(200)
	for _, snap := range []struct {
		name string
		all  *report.Report
		one  func(it *report.Item) *report.Report
	}{
		{"a fleet", analyzer.Analyze(f, analyzer.Options{}), func(it *report.Item) *report.Report {
			return analyzer.Analyze(f, analyzer.Options{Keep: func(_, _, uid string) bool { return uid == it.PodUID },
				Container: it.Container})
		}},
		{"crashes", analyzer.Analyze(s, analyzer.Options{}), func(it *report.Item) *report.Report {
			return analyzer.Analyze(s, analyzer.Options{Keep: func(_, _, uid string) bool { return uid == it.PodUID },
				Container: it.Container})
		}},
	} {
		for i := range snap.all.Items {
			want := &snap.all.Items[i]
			alone := snap.one(want)
			j := slices.IndexFunc(alone.Items, func(it report.Item) bool { return it.ID == want.ID })
			if j < 0 {
				t.Fatalf("%s: item %s is not there alone", snap.name, want.ID)
			}
			if diff := cmp.Diff(want.Verdict, alone.Items[j].Verdict); diff != "" {
				t.Errorf("%s: item %s of %s beside others (-) and alone (+):\n%s", snap.name, want.ID, want.Pod, diff)
			}
		}
	}
}
