package analyzer_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestTellMakesTheReportThatAnalyzeMakes(t *testing.T) {
	snap := manyRestarts(500)
	for name, o := range map[string]analyzer.Options{
		"everything": {GeneratedAt: analyzertest.At(3600), ToolVersion: "v0"},
		"one node":   {Nodes: []string{"n3"}},
		"one cause":  {Cause: "app-exit-error"},
		"one pod":    {Keep: func(_, pod, _ string) bool { return pod == "p7" }},
		"nothing":    {Container: "none"},
	} {
		t.Run(name, func(t *testing.T) {
			told := analyzer.Tell(snap, o)
			if diff := cmp.Diff(analyzer.Analyze(snap, o), told.Report); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A filter leaves items out; the teller has to speak of those that are left.
func TestTheTellerSpeaksOfTheItemThatItIsAskedAbout(t *testing.T) {
	told := analyzer.Tell(manyRestarts(500), analyzer.Options{Cause: "app-exit-error"})
	if len(told.Report.Items) < 50 {
		t.Fatalf("only %d items", len(told.Report.Items))
	}
	for _, it := range told.Report.Items {
		s, err := told.Teller.Story(it.ID)
		if err != nil {
			t.Fatal(err)
		}
		ended := func(x report.Span) bool { return x.To != nil && it.Time != nil && x.To.Equal(*it.Time) && x.Bad }
		if s.Lanes[0].Kind != report.LaneInstance || !slices.ContainsFunc(s.Lanes[0].Spans, ended) {
			t.Errorf("item %s ended at %v; its story's instances are %+v", it.ID, it.Time, s.Lanes[0].Spans)
		}
		if s.Start.After(*it.Time) || s.End.Before(*it.Time) {
			t.Errorf("item %s ended at %v, outside of its story", it.ID, it.Time)
		}
	}
}
