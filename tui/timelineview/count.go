package timelineview

import "slices"

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
