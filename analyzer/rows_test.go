package analyzer_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// A report for a list is the full one, without what its rows do not show.
func TestRows(t *testing.T) {
	snapshot := fleet(2000)
	whole := analyzer.Analyze(snapshot, analyzer.Options{})
	rows := analyzer.Analyze(snapshot, analyzer.Options{Rows: true})
	if len(whole.Items) < 1000 {
		t.Fatalf("%d items: too few to tell anything", len(whole.Items))
	}
	want := *whole
	want.Evidence = nil
	want.Items = nil
	for i, it := range whole.Items {
		if i > 0 {
			v := &it.Verdict
			it.Verdict = report.Verdict{Cause: v.Cause, Mechanism: v.Mechanism, Confidence: v.Confidence, Summary: v.Summary}
			it.From, it.To, it.LogCommand = nil, nil, ""
		}
		want.Items = append(want.Items, it)
	}
	want.Normalise()
	got := *rows
	got.Evidence = nil
	got.Normalise()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("other than the whole report (-whole +rows):\n%s", d)
	}
	for _, l := range rows.Items[0].Verdict.Chain {
		for _, id := range l.Evidence {
			if rows.Find(id) == nil {
				t.Errorf("evidence %s of the newest item is not in the report", id)
			}
		}
	}
	if n := len(rows.Evidence); n == 0 || n > 100 {
		t.Errorf("%d pieces of evidence: want those of the newest item and of nodes", n)
	}
}
