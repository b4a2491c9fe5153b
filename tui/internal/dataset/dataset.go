// Package dataset holds a report as the screens of the viewer need it: derived data for speed, which items form a
// group, in which order, and which pass a filter; the same restart in a newer report; and the commands that show the
// same without the viewer. All of it is a pure result of the report. It may import analyzer/report and
// analyzer/present. It contains no keys, styles or terminal.
package dataset

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// None means "no group" or "no item" in a row, and "not cut" in a partition.
const None = -1

// Dataset is one report with derived data for speed. It never changes once it is shown: a newer report is another
// dataset.
type Dataset struct {
	Report   *report.Report
	Details  report.DetailProvider
	overview *partition
	all      []int32 // every item, in the order of the report
	index    *index  // nil until it is built
	// Namespace is the only one in the report, or "": then rows need not show it.
	Namespace string
	// Day is the only day (UTC) in the report, or "": then rows need not show it.
	Day    string
	widest Widest
	// rank and at are the confidence and the time (UnixNano, 0 for none) of each item, in separate slices: a group's
	// totals are computed for every frame.
	rank []uint8
	at   []int64
}

// New prepares only what the first frame needs.
func New(r *report.Report, t report.DetailProvider) *Dataset {
	ds := &Dataset{Report: r, Details: t, overview: newOverview(r), all: make([]int32, len(r.Items))}
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
			ds.Namespace = r.Items[i].Namespace
		} else if r.Items[i].Namespace != ds.Namespace {
			ds.Namespace = ""
		}
	}
	if ds.Namespace != "" {
		ds.widest.Where -= len(ds.Namespace) + 1
	}
	for i := range r.Incidents {
		in := &r.Incidents[i]
		ds.widest.Cause = max(ds.widest.Cause, len(in.Cause))
		if len(in.Items) > 1 {
			ds.widest.Where = max(ds.widest.Where, 2+len(IncidentPlace(in, len(in.Items), math.MaxInt)))
		}
	}
	if day := time.Unix(0, last).UTC().Format(time.DateOnly); last > 0 &&
		time.Unix(0, first).UTC().Format(time.DateOnly) == day {
		ds.Day = day
	}
	return ds
}

// Indexed returns the same dataset with its index, which takes a while.
func (ds *Dataset) Indexed() *Dataset {
	done := *ds
	done.index = newIndex(ds.Report)
	return &done
}

// measure adds an item to the maximum widths of columns. Names are usually ASCII: then their length is their width, at
// no cost.
func (ds *Dataset) measure(i int32) {
	it, w := &ds.Report.Items[i], &ds.widest
	where := len(it.Namespace) + len(it.Pod) + len(it.Container) + 2
	if g := ds.overview.groups[ds.overview.of[i]]; g.incident == None && g.size > 1 {
		where += 4 + len(strconv.Itoa(int(g.size))) // the mark of a group, and its size
	}
	w.Where, w.Cause, w.Node = max(w.Where, where), max(w.Cause, len(it.Verdict.Cause)), max(w.Node, len(it.Node))
	w.Kinds = w.Kinds || it.Kind != ds.Report.Items[0].Kind
	w.Nodes = w.Nodes || it.Node != ds.Report.Items[0].Node
}

// Find returns the evidence with this id, or nil.
func (ds *Dataset) Find(id string) *report.Evidence {
	if ds.index == nil {
		return ds.Report.Find(id)
	}
	if i, ok := ds.index.evidence[id]; ok {
		return &ds.Report.Evidence[i]
	}
	return nil
}

// Weakest is the lowest confidence among some items: a group claims no more.
func (ds *Dataset) Weakest(items []int32) report.Confidence {
	words := [...]report.Confidence{report.Unknown, report.Possible, report.Likely, report.Proven}
	least := len(words) - 1
	for _, i := range items {
		least = min(least, int(ds.rank[i]))
	}
	return words[least]
}

// Shared is the cause or the node if all items have the same one, else how many different ones there are.
func (ds *Dataset) Shared(items []int32, by Grouping, many string) string {
	name := nameBy(by)
	first := name(&ds.Report.Items[items[0]])
	if ds.index == nil {
		for _, i := range items[1:] {
			if name(&ds.Report.Items[i]) != first {
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

// Latest is the newest time of some items, nil when none has one.
func (ds *Dataset) Latest(items []int32) *time.Time {
	best := int32(None)
	for _, i := range items {
		if ds.at[i] != 0 && (best == None || ds.at[i] > ds.at[best]) {
			best = i
		}
	}
	if best == None {
		return nil
	}
	return ds.Report.Items[best].Time
}

// Widest is how many cells the longest entries of a report take, and what all of its items have in common: a column is
// no wider than that, and one with the same value in every row is left out.
type Widest struct {
	Cause, Where, Node int
	Kinds, Nodes       bool // whether there are several
}

// IncidentPlace says how many restarts of an incident are listed, and where, shortened if there is no room for all of
// it.
func IncidentPlace(in *report.Incident, items, width int) string {
	if in.Node == "" {
		return report.Count(items, "restart")
	}
	if long := report.Count(items, "restart") + " on " + in.Node; len(long) <= width {
		return long
	}
	return strconv.Itoa(items) + " on " + in.Node
}

// Incidents counts the incidents of more than one item: a single one is not a mass restart.
func (ds *Dataset) Incidents() (n int) {
	for _, g := range ds.overview.groups {
		if g.incident != None && g.size > 1 {
			n++
		}
	}
	return n
}

// item returns the index of the item with this id, or None.
func (ds *Dataset) item(id string) int32 {
	return int32(slices.IndexFunc(ds.Report.Items, func(it report.Item) bool { return it.ID == id }))
}

// Again returns the index of the item for the same restart as it, which comes from an older report, or None. Better
// evidence gives a restart another id.
func (ds *Dataset) Again(it *report.Item) int32 {
	if i := ds.item(it.ID); i != None {
		return i
	}
	return int32(slices.IndexFunc(ds.Report.Items, func(o report.Item) bool { return sameRestart(&o, it) }))
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

// Arrivals counts the items of a newer dataset that the older one does not have.
func Arrivals(old, now *Dataset) (n int) {
	had := make(map[string]bool, len(old.Report.Items))
	for i := range old.Report.Items {
		had[old.Report.Items[i].End()] = true
	}
	for i := range now.Report.Items {
		if !had[now.Report.Items[i].End()] {
			n++
		}
	}
	return n
}

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
