package dataset

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// index makes filters and groups instantaneous. It is built once for each report, in the background, because a large
// report takes a while.
type index struct {
	text      string  // one lower-case line per item, all of them in one block
	ends      []int32 // where the line of each item ends
	incidents []string
	evidence  map[string]int
	parts     map[Grouping]*partition
}

func newIndex(r *report.Report) *index {
	ix := &index{
		ends: make([]int32, len(r.Items)), incidents: make([]string, len(r.Incidents)),
		evidence: make(map[string]int, len(r.Evidence)), parts: map[Grouping]*partition{},
	}
	var all strings.Builder
	for i := range r.Items {
		it := &r.Items[i]
		for _, field := range []string{it.Namespace + "/" + it.Pod + "/" + it.Container, it.Node, it.Verdict.Cause,
			string(it.Kind), it.ContainerKind, it.Verdict.Mechanism, string(it.Verdict.Confidence), it.Verdict.Summary,
			present.End(it.From), it.Workload} {
			all.WriteString(strings.ToLower(field) + "\n")
		}
		ix.ends[i] = int32(all.Len())
	}
	ix.text = all.String()
	for i := range r.Incidents {
		in := &r.Incidents[i]
		ix.incidents[i] = strings.ToLower(strings.Join([]string{in.ID, in.Cause, in.Node, in.Summary}, "\n"))
	}
	for i := range r.Evidence {
		ix.evidence[r.Evidence[i].ID] = i
	}
	for _, by := range groupings[1:] {
		ix.parts[by] = newPartition(r, nameBy(by))
	}
	return ix
}
