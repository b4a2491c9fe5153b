package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

// rollout is a report with an incident over two nodes and one on a single node.
func rollout() *report.Report {
	r := reporttest.Report()
	for i := range r.Items[:3] {
		r.Items[i].Incident = "i1"
	}
	r.Items[2].Node, r.Items[2].Verdict.Confidence = "n2", report.Likely
	late := reporttest.Restart("r5", "cache-0", 40)
	late.Incident, late.Verdict.Cause = "i3", "runtime-restarted"
	again := late
	again.ID = "r6"
	r.Items = append(r.Items, late, again)
	r.Incidents = []report.Incident{
		{ID: "i3", Cause: "runtime-restarted", Node: "n1", Nodes: []string{"n1"},
			Start: reporttest.At(35), End: reporttest.At(40), Items: []string{"r5", "r6"},
			Containers: 1, Pods: 1, Summary: "the container runtime on n1 restarted: 1 container of 1 pod, 2 restarts"},
		{ID: "i1", Cause: "hash-kubelet-upgrade", Nodes: []string{"n1", "n2"},
			Start: reporttest.At(-1), End: reporttest.At(600), Items: []string{"r1", "r2", "r3"}, Containers: 3, Pods: 3,
			Summary: "the kubelet was changed from v1.30.14 to v1.31.0 on 2 nodes (n1, n2), one after the other within 10 min: 3 containers of 3 pods",
			Parts: []report.IncidentPart{
				{ID: "i11", Node: "n1", Start: reporttest.At(-1), End: reporttest.At(2),
					Items: []string{"r1", "r2"}, Containers: 2, Pods: 2,
					Summary: "the kubelet of n1 was changed from v1.30.14 to v1.31.0: 2 containers of 2 pods"},
				{ID: "i12", Node: "n2", Start: reporttest.At(590), Items: []string{"r3"},
					Containers: 1, Pods: 1, Summary: "the kubelet of n2 was changed from v1.30.14 to v1.31.0: 1 container of 1 pod"},
			}},
	}
	return r
}

func TestIncidents(t *testing.T) {
	for name, o := range map[string]Options{
		"incidents":            {},
		"incidents-wide":       {Format: "wide", Width: 80},
		"incidents-narrow":     {Width: 130},
		"incidents-ages":       {Ages: true},
		"incidents-no-headers": {NoHeaders: true},
		"incidents-color":      {Color: true},
		"incidents-name":       {Format: "name"},
	} {
		o.Incidents = true
		golden(t, name, render(t, o, rollout()))
	}
}

func TestEveryRowOfIncidentsHasAllColumns(t *testing.T) {
	text := render(t, Options{Incidents: true, Format: "wide"}, rollout())
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	at := strings.Index(lines[0], "SUMMARY")
	for _, l := range lines[1:] {
		if !strings.HasPrefix(l[at:], "the ") {
			t.Errorf("the summary does not begin below its head:\n%s\n%s", lines[0], l)
		}
	}
	if len(lines) != 5 {
		t.Errorf("%d lines, want the head, two incidents and two parts", len(lines))
	}
}

func TestJSONOfIncidentsIsTheWholeReport(t *testing.T) {
	if a, b := render(t, Options{Format: "json", Incidents: true}, rollout()),
		render(t, Options{Format: "json"}, rollout()); a != b {
		t.Error("-o json of incidents is another document than that of restarts")
	}
	text := render(t, Options{Format: "jsonpath={.incidents[1].parts[*].node} {.incidents[1].containers}",
		Incidents: true}, rollout())
	if text != "n1 n2 3" {
		t.Errorf("by jsonpath: %q", text)
	}
}

func TestWhatStandsAlone(t *testing.T) {
	cases := map[string]struct {
		incidents, alone int
		want             string
	}{
		"all in incidents": {1, 0, ""},
		"some alone":       {1, 4, "note: 4 other restarts have separate causes"},
		"none shares":      {0, 4, "no two of 4 restarts are known to share a cause"},
		"a single one":     {0, 1, "there is a single restart"},
	}
	for name, c := range cases {
		r := &report.Report{Incidents: make([]report.Incident, c.incidents)}
		for i := range c.alone {
			r.Items = append(r.Items, report.Item{ID: fmt.Sprint(i)})
		}
		for range c.incidents {
			r.Items = append(r.Items, report.Item{Incident: "i"})
		}
		if got := present.Alone(r); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
