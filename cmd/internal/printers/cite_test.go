package printers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

func TestCausesThatOneFactRulesOutStandTogether(t *testing.T) {
	got := groupEliminated(report.Eliminate([]report.Eliminated{
		{Cause: "evicted-memory", Because: "it runs"}, {Cause: "node-reboot", Because: "it did not boot", Evidence: []string{"e1"}},
		{Cause: "evicted-disk", Because: "it runs"}, {Cause: "oom-node", Because: "it runs", Evidence: []string{"e2"}}, {Cause: "evicted-disk", Because: "it runs"},
	}...))
	var lists []string
	for _, g := range got {
		lists = append(lists, g.list()+": "+g.because)
	}
	// The same words with other evidence are another reason.
	if diff := cmp.Diff([]string{"evicted-memory, evicted-disk: it runs", "node-reboot: it did not boot", "oom-node: it runs"}, lists); diff != "" {
		t.Error(diff)
	}
	if groupEliminated(report.Eliminations{}) != nil {
		t.Error("nothing became something")
	}
}

func TestTheScopeIsOneLine(t *testing.T) {
	for want, s := range map[string]report.Scope{
		"":               {},
		"all namespaces": {AllNamespaces: true, Namespace: "x"},
		"namespace shop · pod/web-0 · since 24h":                                         {Namespace: "shop", Targets: []string{"pod/web-0"}, Since: "24h"},
		"node n1, n2 · from b.tar.zst · selector app=web · container a · cause oom-node": {Nodes: []string{"n1", "n2"}, From: []string{"b.tar.zst"}, Selector: "app=web", Container: "a", Cause: "oom-node"},
	} {
		if got := asked(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestConfidencesOfSeveralItemsAreSummedUp(t *testing.T) {
	by := tallies(fixture())
	for want, ids := range map[string][]string{
		"proven": {"r1", "r2", "r2"}, "1 proven, 1 unknown": {"r1", "r9", "gone"}, "": {"gone"},
	} {
		if got := by.of(ids); got != want {
			t.Errorf("%v: %q, want %q", ids, got, want)
		}
	}
}
