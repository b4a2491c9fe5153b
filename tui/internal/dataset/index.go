package dataset

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// index makes filters and groups instantaneous. It is built once for each report, in the background, because a large
// report takes a while.
type index struct {
	items     []string          // the texts of each item in lower case
	incidents map[string]string // those of each incident, which count as its items' too
	evidence  map[string]int
	parts     map[Grouping]*partition
}

func newIndex(r *report.Report) *index {
	ix := &index{
		items: make([]string, len(r.Items)), incidents: make(map[string]string, len(r.Incidents)),
		evidence: make(map[string]int, len(r.Evidence)), parts: map[Grouping]*partition{},
	}
	text := func(fields ...string) string { return strings.ToLower(strings.Join(fields, "\n")) }
	for i := range r.Items {
		it := &r.Items[i]
		ix.items[i] = text(it.Namespace+"/"+it.Pod+"/"+it.Container, it.Node, it.Verdict.Cause,
			string(it.Kind), it.ContainerKind, it.Verdict.Mechanism, string(it.Verdict.Confidence), it.Verdict.Summary,
			present.End(it.From), it.Workload)
	}
	for i := range r.Incidents {
		in := &r.Incidents[i]
		ix.incidents[in.ID] = text(in.ID, in.Cause, in.Node, in.Summary)
	}
	for i := range r.Evidence {
		ix.evidence[r.Evidence[i].ID] = i
	}
	for _, by := range groupings[1:] {
		ix.parts[by] = newPartition(r, nameBy(by))
	}
	return ix
}
