package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

func TestChanges(t *testing.T) {
	of := func(scenario string, tier int, cause, confidence string, o score.Outcome) Result {
		return Result{Case: Case{Scenario: scenario, Node: "n1", Kubelet: "v1.37.1", Container: "app", Cause: "a"},
			Tier: tier, Verdict: &Verdict{Cause: cause, Confidence: confidence, Summary: scenario}, Outcome: o}
	}
	silent := of("s", 0, "", "", score.Silent)
	silent.Verdict = nil
	before := []Result{of("s", 0, "a", likely, score.Right), of("s", 1, "a", proven, score.Right),
		of("gone", 0, "a", likely, score.Right)}
	tests := []struct {
		name string
		now  []Result
		want []string
		both int
	}{
		{"equal but for its words", []Result{func() Result {
			r := before[0]
			r.Verdict = &Verdict{Cause: "a", Confidence: likely, Summary: "at another time"}
			return r
		}(), before[1]}, nil, 2},
		{"less sure", []Result{of("s", 1, "a", likely, score.Right)},
			[]string{`changed: s/app on n1, kubelet v1.37.1, truth "a", tier 1: a, proven: right -> a, likely: right`}, 1},
		{"nothing is said any more", []Result{silent},
			[]string{`changed: s/app on n1, kubelet v1.37.1, truth "a", tier 0: a, likely: right -> nothing: silent`}, 1},
		{"new", []Result{of("new", 0, "a", likely, score.Right)}, nil, 0},
	}
	for _, tt := range tests {
		got, both := Changes(before, tt.now)
		if diff := cmp.Diff(tt.want, got); diff != "" || both != tt.both {
			t.Errorf("%s: %d in both (-want +got):\n%s", tt.name, both, diff)
		}
	}
	if got := Difference(nil, before); got != "" {
		t.Errorf("without a run before: %q", got)
	}
	if got := Difference(before, before[:1]); got != "0 of 1 results that the last run has, too, differ from it\n" {
		t.Errorf("an equal run: %q", got)
	}
	merged := Merged(before, tests[1].now)
	if lines, both := Changes(merged, before); len(merged) != len(before) || both != len(before) || len(lines) != 1 {
		t.Errorf("merged: %d results, %d of them known, %v", len(merged), both, lines)
	}
}
