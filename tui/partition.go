package tui

import (
	"cmp"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// grouping says what one row of a list stands for.
type grouping int

const (
	byRoot grouping = iota // incidents, then containers that keep failing of one cause
	byItem
	byCause
	byNode
	byWorkload
	byImage
)

// groupings are those that a reader steps through in the list of restarts.
var groupings = []grouping{byItem, byCause, byNode, byWorkload, byImage}

func (g grouping) String() string {
	return [...]string{"root", "restart", "cause", "node", "workload", "image"}[g]
}

// group is what a partition puts together.
type group struct {
	// key names the group in any report that has it.
	key  string
	name string
	// incident is an index into the report's incidents, none for other groups.
	incident int32
	size     int32
}

// partition puts every item into a group.
type partition struct {
	groups []group
	of     []int32 // item → group
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
			p.groups = append(p.groups, group{key: n, name: n, incident: none})
		}
		p.of[i] = g
		p.groups[g].size++
	}
	return p
}

// newOverview makes one group of every incident, and one of every container that
// ended more than once of the same cause. Incidents come first, the largest at
// the top: a mass restart is what one opens the viewer for.
func newOverview(r *report.Report) *partition {
	p := &partition{of: make([]int32, len(r.Items)), groups: make([]group, 0, len(r.Incidents))}
	byID := make(map[string]int32, len(r.Incidents))
	order := make([]int32, len(r.Incidents))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(len(r.Incidents[b].Items), len(r.Incidents[a].Items)) })
	for _, i := range order {
		in := &r.Incidents[i]
		byID[in.ID] = int32(len(p.groups))
		p.groups = append(p.groups, group{key: "incident " + in.ID, name: in.Cause, incident: i})
	}
	type repeat struct{ namespace, pod, uid, container, cause string }
	at := make(map[repeat]int32, len(r.Items))
	for i := range r.Items {
		it := &r.Items[i]
		g, ok := byID[it.Incident]
		if !ok || it.Incident == "" {
			k := repeat{it.Namespace, it.Pod, it.PodUID, it.Container, it.Verdict.Cause}
			if g, ok = at[k]; !ok {
				g = int32(len(p.groups))
				at[k] = g
				p.groups = append(p.groups, group{name: it.Verdict.Cause, incident: none})
			}
		}
		p.of[i] = g
		p.groups[g].size++
	}
	return p
}

// keyOf names a group of the overview that is no incident. It is not stored,
// because most lists have as many of them as rows.
func keyOf(g *group, first *report.Item) string {
	if g.key != "" {
		return g.key
	}
	return first.Namespace + "/" + first.Pod + "/" + first.PodUID + "/" + first.Container + "/" + first.Verdict.Cause
}

// nameBy says how a grouping calls the group of an item.
func nameBy(by grouping) func(*report.Item) string {
	switch by {
	case byCause:
		return func(it *report.Item) string { return it.Verdict.Cause }
	case byNode:
		return func(it *report.Item) string { return cmp.Or(it.Node, "no node known") }
	case byWorkload:
		return func(it *report.Item) string { return it.Namespace + "/" + workload(it.Pod, it.Node) }
	}
	return func(it *report.Item) string { return cmp.Or(image(it), "no image known") }
}

// image returns the image of the instance that ended, else of the one after it.
func image(it *report.Item) string {
	if it.From != nil && it.From.Image != "" {
		return it.From.Image
	}
	if it.To != nil {
		return it.To.Image
	}
	return ""
}
