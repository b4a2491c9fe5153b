package present

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

func TestTheScopeIsOneLine(t *testing.T) {
	for want, s := range map[string]report.Scope{
		"":               {},
		"all namespaces": {AllNamespaces: true, Namespace: "x"},
		"namespace shop · pod/web-0 · since 24h": {Namespace: "shop", Targets: []string{"pod/web-0"}, Since: "24h"},
		"node n1, n2 · from b.tar.zst · selector app=web · container a · cause oom-node": {Nodes: []string{"n1", "n2"},
			From: []string{"b.tar.zst"}, Selector: "app=web", Container: "a", Cause: "oom-node"},
	} {
		if got := Asked(s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An input without anything to judge is not said to have no restarts.
func TestNothingSaysWhereAndWhy(t *testing.T) {
	from := &report.Report{Scope: report.Scope{From: []string{"notes.md"}}}
	for looked, want := range map[string]string{
		NoEvidence:       "found nothing about restarts in notes.md: it has no pod, no node and no log of a node",
		"2 pods, 1 node": "no restarts found in notes.md; the recording has 2 pods, 1 node",
	} {
		if got := Nothing(from, looked); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestConfidencesOfSeveralItemsAreSummedUp(t *testing.T) {
	all := byID(reporttest.Report())
	for want, ids := range map[string][]string{
		"proven": {"r1", "r2"}, "1 proven, 1 unknown": {"r1", "r9", "gone"}, "": {"gone"},
	} {
		if got := Tally(pick(all, ids)).String(); got != want {
			t.Errorf("%v: %q, want %q", ids, got, want)
		}
	}
}

func TestSettingsAreNotWrittenAsGoDoes(t *testing.T) {
	for value, want := range map[string]string{
		"map[NodeLogQuery:true]": "NodeLogQuery on", "map[A:true B:false]": "A on, B off",
		"map[]": "none", "systemd": "systemd", "A=true": "A=true", "map[x": "map[x",
	} {
		if got := setting(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// Names that no source gives are not printed as question marks.
func TestHeadlinesOfWhatHasNoName(t *testing.T) {
	for want, names := range map[string][2]string{
		"shop/web-0 container app restarted":        {"web-0", "app"},
		"shop/web-0: a container restarted":         {"web-0", "?"},
		"Container app of an unnamed pod restarted": {"?", "app"},
		"A container of an unnamed pod restarted":   {"?", "?"},
		"An unnamed pod restarted":                  {"?", ""},
	} {
		i := anItem()
		i.Pod, i.Container, i.Time, i.Node = names[0], names[1], nil, ""
		if got := Headline(i); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	i := anItem()
	i.Pod = "?"
	if text := strings.Join(lined(Item(i, evidence, ItemOptions{Level: 2})), "\n"); strings.Contains(text, "workload") {
		t.Errorf("the workload of an unnamed pod is shown:\n%s", text)
	}
}
