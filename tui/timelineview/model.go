package timelineview

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// Model is the timeline: the time range in view, and the position of the cursor.
type Model struct {
	look style.Theme
	rows []row
	all  []moment // everything in all lanes with a time, in order
	// names is the width of the longest name of a lane.
	names int
	// lo and hi bound what can be shown, in nanoseconds since 1970.
	lo, hi int64
	known  bool // false where no time is known at all

	width, height int
	origin        int64 // the first time in view
	span          int64 // the length of time in view
	row           int   // the lane under the cursor
	at            int64 // the time under the cursor
}

// minColumn is the shortest time that a column represents: sources report microseconds, but two sources' clocks agree
// less closely.
const minColumn = int64(time.Millisecond)

// New makes a timeline whose first view is from its start to its end; without them, everything known is in view. The
// cursor is on the last evidence for the verdict, where its story ends, or else on the last bad end.
func New(k style.Theme, d report.Activity) Model {
	m := Model{look: k, width: 80, height: 24, names: least}
	for i := range d.Lanes {
		m.rows = append(m.rows, newRow(&d.Lanes[i]))
		m.names = max(m.names, layout.Cells(m.rows[i].name()))
	}
	m.all = moments(m.rows)
	if m.known = len(m.all) > 0; !m.known {
		return m
	}
	m.lo, m.hi = m.all[0].at, m.all[len(m.all)-1].at
	from, to := m.lo, m.hi
	if d.Start != nil && d.End != nil && d.End.After(*d.Start) {
		from, to = nanos(*d.Start), nanos(*d.End)
	}
	m.lo, m.hi = margins(min(m.lo, from), max(m.hi, to))
	from, to = margins(from, to)
	m.origin, m.span = from, to-from
	m.row, m.at = m.first(from, to)
	m.reach()
	return m
}

// margins widens a range a little, so that nothing is at the edge of the view; a single time gets five seconds on each
// side.
func margins(from, to int64) (int64, int64) {
	by := (to - from) / 64
	if by == 0 {
		by = int64(5 * time.Second)
	}
	return from - by, to + by
}

// first is where the cursor begins; if nothing stands out, at the first thing between two times.
func (m *Model) first(from, to int64) (lane int, at int64) {
	decisive := func(a moment) bool { return a.kind == isMark && m.rows[a.row].lane.Marks[a.i].Decisive }
	badEnd := func(a moment) bool { return a.kind == isEnd && m.rows[a.row].lane.Spans[a.i].Bad }
	for _, standsOut := range []func(moment) bool{decisive, badEnd} {
		last := -1
		for n, a := range m.all {
			if standsOut(a) && (last < 0 || a.at > m.all[last].at) {
				last = n
			}
		}
		if last >= 0 {
			return m.all[last].row, m.all[last].at
		}
	}
	i, _ := slices.BinarySearchFunc(m.all, from, func(a moment, at int64) int { return cmp.Compare(a.at, at) })
	if i == len(m.all) || m.all[i].at > to {
		i = 0
	}
	return m.all[i].row, m.all[i].at
}

// Resize sets the size of the pane, in cells.
func (m *Model) Resize(width, height int) {
	m.width, m.height = max(width, 0), max(height, 0)
	if m.known {
		m.reach()
	}
}

// Do performs an action: left and right move the cursor through time and scroll at the edges, up and down choose the
// lane, pages are half a view, top and bottom the first and the last time of the lane; Next and Previous jump to the
// next thing on the lane.
func (m *Model) Do(a pane.Action) {
	if !m.known {
		return
	}
	stops := m.rows[m.row].stops
	switch a {
	case pane.Up:
		m.row = max(m.row-1, 0)
	case pane.Down:
		m.row = min(m.row+1, len(m.rows)-1)
	case pane.Left:
		m.move(-1)
	case pane.Right:
		m.move(1)
	case pane.PageUp:
		m.move(-m.columns() / 2)
	case pane.PageDown:
		m.move(m.columns() / 2)
	case pane.Top:
		if len(stops) > 0 {
			m.at = stops[0]
		}
	case pane.Bottom:
		if len(stops) > 0 {
			m.at = stops[len(stops)-1]
		}
	case pane.ZoomIn:
		m.zoom(m.span / 2)
	case pane.ZoomOut:
		m.zoom(m.span * 2)
	case pane.Fit:
		m.origin, m.span = m.lo, m.hi-m.lo
	case pane.Next, pane.Previous:
		m.jump(a == pane.Next)
	}
	m.reach()
}

func (m *Model) move(columns int) {
	from, _ := m.under()
	m.at = max(min(from+int64(columns)*m.step(), m.hi-1), m.lo)
}

// jump moves to the next thing on the lane beyond the column under the cursor, since what is in the column is visible
// already.
func (m *Model) jump(forward bool) {
	stops := m.rows[m.row].stops
	from, to := m.under()
	if forward {
		if i, _ := slices.BinarySearch(stops, to); i < len(stops) {
			m.at = stops[i]
		}
		return
	}
	if i, _ := slices.BinarySearch(stops, from); i > 0 {
		m.at = stops[i-1]
	}
}

// zoom changes the length of time in view; the cursor keeps its column.
func (m *Model) zoom(span int64) {
	column := (m.at - m.origin) / m.step()
	m.span = max(min(span, m.hi-m.lo), minColumn*int64(m.columns()))
	m.origin = m.at - column*m.step()
}

// reach moves the view so that it includes the cursor and stays within what is known.
func (m *Model) reach() {
	width := m.step() * int64(m.columns())
	if m.at < m.origin {
		m.origin = m.at - width/8
	} else if m.at >= m.origin+width {
		m.origin = m.at - (width - width/8)
	}
	m.origin = max(min(m.origin, m.hi-width), m.lo)
}

func (m *Model) step() int64 {
	n := int64(m.columns())
	return max((m.span+n-1)/n, minColumn)
}

// under returns the time range of the column under the cursor, to excluded.
func (m *Model) under() (from, to int64) {
	step := m.step()
	from = m.origin + (m.at-m.origin)/step*step
	return from, from + step
}

// Evidence returns the ids of what is under the cursor, each once.
func (m *Model) Evidence() []string {
	if !m.known {
		return nil
	}
	r := &m.rows[m.row]
	var out []string
	for _, e := range r.found(m.under()) {
		out = append(out, r.evidence(e)...)
	}
	return report.Unique(out)
}
