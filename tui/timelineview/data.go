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
