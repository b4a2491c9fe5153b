// Package timelineview is the timeline pane: who did what when, as one row for each of the container's instances, its
// sandboxes, probes, the kubelet, the runtime, the kernel, systemd and the API, on one time axis in UTC.
//
// It is pure state: New, Do, Resize, Lines. It may import analyzer/report, analyzer/document, tui/style, tui/pane and
// tui/pager. It contains no keys, no I/O, no clock (the current time does not matter for the past), and no judgement:
// the report says what is decisive.
package timelineview

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// row is a lane with its times in nanoseconds since 1970, which all drawing uses.
type row struct {
	lane  *report.Lane
	marks []int64 // the times of marks, in order
	// from and to are those of the spans; open ends are lowest and highest.
	from, to []int64
	// stops are the times where Next and Previous stop, in order, each once.
	stops []int64
}

// lowest and highest represent an open end. Times beyond them, which no node can have meant, are treated as such.
var (
	lowest  = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()
	highest = time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()
)

func nanos(t time.Time) int64 {
	if y := t.Year(); y < 1980 {
		return lowest
	} else if y >= 2120 {
		return highest
	}
	return max(min(t.UnixNano(), highest), lowest)
}

// newRow reads a lane's times. An unsorted lane is sorted in a copy: the report must not change.
func newRow(lane *report.Lane) row {
	byTime := func(a, b report.Mark) int { return a.At.Compare(b.At) }
	if !slices.IsSortedFunc(lane.Marks, byTime) {
		sorted := *lane
		sorted.Marks = slices.Clone(lane.Marks)
		slices.SortStableFunc(sorted.Marks, byTime)
		lane = &sorted
	}
	r := row{lane: lane, marks: make([]int64, len(lane.Marks)), from: make([]int64, len(lane.Spans)),
		to: make([]int64, len(lane.Spans))}
	for i := range lane.Marks {
		r.marks[i] = nanos(lane.Marks[i].At)
	}
	r.stops = append(r.stops, r.marks...)
	for i := range lane.Spans {
		s := &lane.Spans[i]
		r.from[i], r.to[i] = lowest, highest
		if s.From != nil {
			r.from[i] = nanos(*s.From)
			r.stops = append(r.stops, r.from[i])
		}
		if s.To != nil {
			r.to[i] = max(nanos(*s.To), r.from[i])
			r.stops = append(r.stops, r.to[i])
		}
	}
	slices.Sort(r.stops)
	r.stops = slices.Compact(r.stops)
	return r
}

// count is what falls into one column of a lane.
type count struct {
	marks, decisive    int
	begins, ends, bad  int
	lasts              bool // a span covers the column
	openBegin, openEnd bool // unknown beginning or end of the span
}

// counts sums up a lane by column: one pass over what is in view.
func (r *row) counts(origin, step int64, columns int) []count {
	out := make([]count, columns)
	end := origin + step*int64(columns)
	first, _ := slices.BinarySearch(r.marks, origin)
	for i := first; i < len(r.marks) && r.marks[i] < end; i++ {
		c := &out[(r.marks[i]-origin)/step]
		c.marks++
		if r.lane.Marks[i].Decisive {
			c.decisive++
		}
	}
	for i := range r.from {
		r.span(out, i, origin, step, end)
	}
	return out
}

// span adds one span. A beginning or end beyond the view is not counted.
func (r *row) span(out []count, i int, origin, step, end int64) {
	s, from, to := &r.lane.Spans[i], r.from[i], r.to[i]
	if to < origin || from >= end {
		return
	}
	a, b := max((from-origin)/step, 0), min((to-origin)/step, int64(len(out)-1))
	for column := a; column <= b; column++ {
		out[column].lasts = true
	}
	switch {
	case s.From == nil:
		out[a].openBegin = true
	case from >= origin:
		out[a].begins++
	}
	switch {
	case s.To == nil:
		out[b].openEnd = true
	case to < end:
		out[b].ends++
		if s.Bad {
			out[b].bad++
		}
	}
}
