package dataset

import (
	"cmp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Grouping is what one row of a list represents.
type Grouping int

// The groupings. ByRoot is only for the overview.
const (
	ByRoot Grouping = iota // incidents, then containers that keep failing for the same cause
	ByItem
	ByCause
	ByNode
	ByWorkload
)

// groupings are those that the user cycles through in the list of restarts.
var groupings = []Grouping{ByItem, ByCause, ByNode, ByWorkload}

func (g Grouping) String() string {
	return [...]string{"root", "restart", "cause", "node", "workload"}[g]
}

// Next is the following grouping, after the last the first.
func (g Grouping) Next() Grouping { return groupings[(slices.Index(groupings, g)+1)%len(groupings)] }

// grouped is one group: an incident (an index into the report's), or something else (None).
type grouped struct{ incident, size int32 }

// partition assigns every item to a group.
type partition struct {
	groups []grouped
	names  []string // of the groups; nil in the overview, where items have the names
	of     []int32  // item → group
	widest int      // the longest of the names
}

func newPartition(r *report.Report, name func(*report.Item) string) *partition {
	p := &partition{of: make([]int32, len(r.Items))}
	at := map[string]int32{}
	for i := range r.Items {
		n := name(&r.Items[i])
		g, ok := at[n]
		if !ok {
			g = int32(len(p.groups))
			at[n] = g
			p.groups, p.names = append(p.groups, grouped{incident: None}), append(p.names, n)
			p.widest = max(p.widest, len(n))
		}
		p.of[i] = g
		p.groups[g].size++
	}
	return p
}

// newOverview makes one group of every incident, and one of every container that ended more than once for the same
// cause. Incidents come first, the largest at the top: a mass restart is what people open the viewer for.
func newOverview(r *report.Report) *partition {
	p := &partition{of: make([]int32, len(r.Items)), groups: make([]grouped, 0, len(r.Incidents)+len(r.Items))}
	byID := make(map[string]int32, len(r.Incidents))
	order := make([]int32, len(r.Incidents))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(len(r.Incidents[b].Items), len(r.Incidents[a].Items))
	})
	for _, i := range order {
		byID[r.Incidents[i].ID] = int32(len(p.groups))
		p.groups = append(p.groups, grouped{incident: i})
	}
	type loop struct{ namespace, pod, podUID, container, cause string }
	loops := make(map[loop]int32, len(r.Items))
	for i := range r.Items {
		it := &r.Items[i]
		g, ok := int32(None), false
		if it.Incident != "" {
			g, ok = byID[it.Incident]
		}
		if !ok {
			of := loop{it.Namespace, it.Pod, it.PodUID, it.Container, it.Verdict.Cause}
			if g, ok = loops[of]; !ok {
				g = int32(len(p.groups))
				loops[of] = g
				p.groups = append(p.groups, grouped{incident: None})
			}
		}
		p.of[i] = g
		p.groups[g].size++
	}
	return p
}

func nameBy(by Grouping) func(*report.Item) string {
	switch by {
	case ByCause:
		return func(it *report.Item) string { return it.Verdict.Cause }
	case ByNode:
		return func(it *report.Item) string { return cmp.Or(it.Node, "no node known") }
	}
	return workloadName
}

// collect returns the items of each group, in their order.
func (p *partition) collect(items []int32) [][]int32 {
	sizes := make([]int32, len(p.groups))
	for _, i := range items {
		sizes[p.of[i]]++
	}
	block := make([]int32, len(items))
	out := make([][]int32, len(p.groups))
	at := int32(0)
	for g, n := range sizes {
		out[g] = block[at : at : at+n]
		at += n
	}
	for _, i := range items {
		out[p.of[i]] = append(out[p.of[i]], i)
	}
	return out
}

// shortKinds are kubectl's short names, where a kind has one.
var shortKinds = map[string]string{
	"deployment": "deploy", "replicaset": "rs", "statefulset": "sts", "daemonset": "ds",
	"cronjob": "cj", "replicationcontroller": "rc",
}

// workloadName names a group of items: shop/web (deploy). The name comes first, since a narrow column cuts the end. A
// workload whose kind is known is one group, regardless of the basis for each of its pods; a name that was only derived
// from a pod's is marked.
func workloadName(it *report.Item) string {
	kind, name, ok := strings.Cut(it.Workload, "/")
	if !ok {
		kind, name = "by name", cmp.Or(it.Workload, it.Pod)
	}
	return it.Namespace + "/" + name + " (" + cmp.Or(shortKinds[kind], kind) + ")"
}
