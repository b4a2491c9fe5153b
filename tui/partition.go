package tui

import (
	"cmp"
	"hash/maphash"
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

// group is what a partition puts together: an incident (an index into the report's),
// or something else (none).
type group struct{ incident, size int32 }

// partition puts every item into a group.
type partition struct {
	groups []group
	names  []string // of the groups; nil in the overview, where items name them
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
			p.groups, p.names = append(p.groups, group{incident: none}), append(p.names, n)
			p.widest = max(p.widest, len(n))
		}
		p.of[i] = g
		p.groups[g].size++
	}
	return p
}

// newOverview makes one group of every incident, and one of every container that
// ended more than once of the same cause. Incidents come first, the largest at
// the top: a mass restart is what one opens the viewer for.
//
// It runs before the first frame, over all items: repeats are found through a table
// of hashes, which holds nothing that a garbage collection has to follow.
func newOverview(r *report.Report) *partition {
	p := &partition{of: make([]int32, len(r.Items)), groups: make([]group, 0, len(r.Incidents)+len(r.Items))}
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
		p.groups = append(p.groups, group{incident: i})
	}
	seed := maphash.MakeSeed()
	firsts := make(map[uint64]int32, len(r.Items)) // hash → the first item of its group
	for i := range r.Items {
		it := &r.Items[i]
		g, ok := int32(none), false
		if it.Incident != "" {
			g, ok = byID[it.Incident]
		}
		for h := repeatHash(seed, it); !ok; h++ { // another container with this hash is at the next one
			first, taken := firsts[h]
			switch {
			case !taken:
				g, ok = int32(len(p.groups)), true
				firsts[h] = int32(i)
				p.groups = append(p.groups, group{incident: none})
			case repeats(&r.Items[first], it):
				g, ok = p.of[first], true
			}
		}
		p.of[i] = g
		p.groups[g].size++
	}
	return p
}

func repeatHash(seed maphash.Seed, it *report.Item) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, s := range [...]string{it.Namespace, it.Pod, it.PodUID, it.Container, it.Verdict.Cause} {
		_, _ = h.WriteString(s) // it cannot fail
	}
	return h.Sum64()
}

// repeats reports whether two items are the same container that ended of the same
// cause.
func repeats(a, b *report.Item) bool {
	return a.Pod == b.Pod && a.Container == b.Container && a.Verdict.Cause == b.Verdict.Cause &&
		a.Namespace == b.Namespace && a.PodUID == b.PodUID
}

func (t *table) keyOf(r row) string {
	p := t.partition()
	first := &t.ds.report.Items[t.members[r.group][0]]
	switch g := &p.groups[r.group]; {
	case g.incident != none:
		return "incident " + t.ds.report.Incidents[g.incident].ID
	case p.names != nil:
		return p.names[r.group]
	}
	return first.Namespace + "/" + first.Pod + "/" + first.PodUID + "/" + first.Container + "/" + first.Verdict.Cause
}

func nameBy(by grouping) func(*report.Item) string {
	switch by {
	case byCause:
		return func(it *report.Item) string { return it.Verdict.Cause }
	case byNode:
		return func(it *report.Item) string { return cmp.Or(it.Node, "no node known") }
	case byWorkload:
		return workloadName
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
