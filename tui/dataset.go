package tui

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// none stands for "no group" or "no item" in a row, and "not cut" in a partition.
const none = -1

// dataset is one report, with what makes it quick to look at. It never changes
// once it is shown: a newer report is another dataset.
type dataset struct {
	report   *report.Report
	details  report.DetailProvider
	overview *partition
	all      []int32 // every item, in the order of the report
	index    *index  // nil until it is built
	// namespace is the only one in the report, or "": then rows need not name it.
	namespace string
	// day is the only day (UTC) in the report, or "": then rows need not name it.
	day    string
	widest widest
	// rank and at are the confidence and the time (UnixNano, 0 for none) of each item,
	// side by side: what a group sums up is read for every frame.
	rank []uint8
	at   []int64
}

// newDataset prepares what the first frame needs, and nothing else.
func newDataset(r *report.Report, t report.DetailProvider) *dataset {
	ds := &dataset{report: r, details: t, overview: newOverview(r), all: make([]int32, len(r.Items))}
	ds.rank, ds.at = make([]uint8, len(r.Items)), make([]int64, len(r.Items))
	first, last := int64(math.MaxInt64), int64(0)
	for i := range ds.all {
		ds.measure(int32(i))
		ds.all[i], ds.rank[i] = int32(i), uint8(r.Items[i].Verdict.Confidence.Rank())
		if t := r.Items[i].Time; t != nil {
			ds.at[i] = t.UnixNano()
			first, last = min(first, ds.at[i]), max(last, ds.at[i])
		}
		if i == 0 {
			ds.namespace = r.Items[i].Namespace
		} else if r.Items[i].Namespace != ds.namespace {
			ds.namespace = ""
		}
	}
	if ds.namespace != "" {
		ds.widest.where -= len(ds.namespace) + 1
	}
	for i := range r.Incidents {
		in := &r.Incidents[i]
		ds.widest.cause = max(ds.widest.cause, len(in.Cause))
		if len(in.Items) > 1 {
			ds.widest.where = max(ds.widest.where, 2+len(incidentPlace(in, len(in.Items), math.MaxInt)))
		}
	}
	if day := time.Unix(0, last).UTC().Format(time.DateOnly); last > 0 &&
		time.Unix(0, first).UTC().Format(time.DateOnly) == day {
		ds.day = day
	}
	return ds
}

// measure takes an item into account for the widths of columns. Names are ASCII as a
// rule: their length is their width, and costs nothing.
func (ds *dataset) measure(i int32) {
	it, w := &ds.report.Items[i], &ds.widest
	where := len(it.Namespace) + len(it.Pod) + len(it.Container) + 2
	if g := ds.overview.groups[ds.overview.of[i]]; g.incident == none && g.size > 1 {
		where += 4 + len(strconv.Itoa(int(g.size))) // the mark of a group, and how many
	}
	w.where, w.cause, w.node = max(w.where, where), max(w.cause, len(it.Verdict.Cause)), max(w.node, len(it.Node))
	w.kinds = w.kinds || it.Kind != ds.report.Items[0].Kind
	w.nodes = w.nodes || it.Node != ds.report.Items[0].Node
}

// find returns the evidence with this id, or nil.
func (ds *dataset) find(id string) *report.Evidence {
	if ds.index == nil {
		return ds.report.Find(id)
	}
	if i, ok := ds.index.evidence[id]; ok {
		return &ds.report.Evidence[i]
	}
	return nil
}

// item returns the index of the item with this id, or none.
func (ds *dataset) item(id string) int32 {
	return int32(slices.IndexFunc(ds.report.Items, func(it report.Item) bool { return it.ID == id }))
}

// again returns the index of the item of the same restart as it, which
// comes from an older report, or none. Better evidence gives a restart another id.
func (ds *dataset) again(it *report.Item) int32 {
	if i := ds.item(it.ID); i != none {
		return i
	}
	return int32(slices.IndexFunc(ds.report.Items, func(o report.Item) bool { return sameRestart(&o, it) }))
}

func sameRestart(a, b *report.Item) bool {
	if a.Namespace != b.Namespace || a.Pod != b.Pod || a.PodUID != b.PodUID || a.Container != b.Container {
		return false
	}
	if a.From != nil && b.From != nil && a.From.ContainerID != "" && b.From.ContainerID != "" {
		return a.From.ContainerID == b.From.ContainerID
	}
	return a.Kind == b.Kind && a.Time != nil && b.Time != nil && a.Time.Equal(*b.Time)
}

// narrowed is the part of a report that concerns some of its items, for a file
// that goes with a ticket.
func narrowed(r *report.Report, items []int32) *report.Report {
	out := *r
	out.Items, out.Incidents, out.Evidence = nil, nil, nil
	ids, incidents, evidence := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, i := range items {
		it := r.Items[i]
		out.Items = append(out.Items, it)
		ids[it.ID], incidents[it.Incident] = true, true
		for _, id := range present.Cited(&it.Verdict) {
			evidence[id] = true
		}
	}
	for _, in := range r.Incidents {
		if incidents[in.ID] {
			out.Incidents = append(out.Incidents, in)
		}
	}
	out.Extrapolated = nil
	for _, x := range r.Extrapolated {
		x.Items = slices.DeleteFunc(slices.Clone(x.Items), func(id string) bool { return !ids[id] })
		out.Extrapolated = append(out.Extrapolated, x)
	}
	for _, n := range r.NodeNotes {
		for _, id := range n.Evidence {
			evidence[id] = true
		}
	}
	for _, e := range r.Evidence {
		if evidence[e.ID] {
			out.Evidence = append(out.Evidence, e)
		}
	}
	out.Normalise()
	return &out
}

// tally says how sure the verdicts of some items are: "proven" where all agree,
// else "8 proven, 2 likely". weakest is the least of them: a group claims no more.
func (ds *dataset) tally(items []int32) (text string, weakest report.Confidence) {
	words := [...]report.Confidence{report.Unknown, report.Possible, report.Likely, report.Proven}
	var count [len(words)]int
	least := len(words) - 1
	for _, i := range items {
		count[ds.rank[i]]++
		least = min(least, int(ds.rank[i]))
	}
	if count[least] == len(items) {
		return string(words[least]), words[least]
	}
	var parts []string
	for rank := len(words) - 1; rank >= 0; rank-- {
		if count[rank] > 0 {
			parts = append(parts, strconv.Itoa(count[rank])+" "+string(words[rank]))
		}
	}
	return strings.Join(parts, ", "), words[least]
}

// shared is the cause or the node of all items, or how many different ones they
// have.
func (ds *dataset) shared(items []int32, by grouping, many string) string {
	name := nameBy(by)
	first := name(&ds.report.Items[items[0]])
	if ds.index == nil {
		for _, i := range items[1:] {
			if name(&ds.report.Items[i]) != first {
				return "several " + many
			}
		}
		return first
	}
	p := ds.index.parts[by]
	seen, n := make([]bool, len(p.groups)), 0
	for _, i := range items {
		if !seen[p.of[i]] {
			seen[p.of[i]] = true
			n++
		}
	}
	if n == 1 {
		return first
	}
	return strconv.Itoa(n) + " " + many
}

// latest is the newest time of some items, nil when none has one.
func (ds *dataset) latest(items []int32) *time.Time {
	best := int32(none)
	for _, i := range items {
		if ds.at[i] != 0 && (best == none || ds.at[i] > ds.at[best]) {
			best = i
		}
	}
	if best == none {
		return nil
	}
	return ds.report.Items[best].Time
}
