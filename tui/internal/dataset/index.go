package dataset

import (
	"cmp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// index makes filters, groups and orders immediate. It is built once for each
// report, by a command beside the first frame, because a large report takes a
// while.
type index struct {
	text      string  // one lower-case line per item, all of them in one block
	ends      []int32 // where the line of each item ends
	names     []int32 // where the part ends that names it: who, where and why
	incidents []string
	evidence  map[string]int
	parts     map[Grouping]*partition
	orders    map[Order][]int32
}

// Order says how the items of a list are sorted.
type Order int

// The orders that a reader steps through.
const (
	ByTime Order = iota // as in the report: newest first
	BySurety
	ByVerdict
	ByName
)

var orders = []Order{ByTime, BySurety, ByVerdict, ByName}

func (o Order) String() string {
	return [...]string{"newest first", "most certain first", "cause", "name"}[o]
}

// Next is the order behind this one, at the end the first.
func (o Order) Next() Order { return orders[(slices.Index(orders, o)+1)%len(orders)] }

func newIndex(r *report.Report) *index {
	ix := &index{
		ends: make([]int32, len(r.Items)), names: make([]int32, len(r.Items)), incidents: make([]string, len(r.Incidents)),
		evidence: make(map[string]int, len(r.Evidence)), parts: map[Grouping]*partition{}, orders: map[Order][]int32{},
	}
	var all strings.Builder
	for i := range r.Items {
		it := &r.Items[i]
		add := func(fields ...string) {
			for _, f := range fields {
				all.WriteString(strings.ToLower(f))
			}
		}
		add(it.Namespace, "/", it.Pod, "/", it.Container, "\n", it.Node, "\n", it.Verdict.Cause, "\n")
		ix.names[i] = int32(all.Len())
		add(string(it.Kind), "\n", it.ContainerKind, "\n", it.Verdict.Mechanism,
			"\n", string(it.Verdict.Confidence), "\n", it.Verdict.Summary, "\n", present.End(it.From), "\n", it.Workload, "\n")
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
	for _, o := range orders[1:] {
		ix.orders[o] = sorted(r, o)
	}
	return ix
}

func sorted(r *report.Report, o Order) []int32 {
	out := make([]int32, len(r.Items))
	for i := range out {
		out[i] = int32(i)
	}
	slices.SortStableFunc(out, func(i, j int32) int {
		a, b := &r.Items[i], &r.Items[j]
		switch o {
		case BySurety:
			return cmp.Compare(b.Verdict.Confidence.Rank(), a.Verdict.Confidence.Rank())
		case ByVerdict:
			return cmp.Compare(a.Verdict.Cause, b.Verdict.Cause)
		}
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Pod, b.Pod), cmp.Compare(a.Container, b.Container))
	})
	return out
}
