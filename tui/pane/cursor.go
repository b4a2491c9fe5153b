// Package pane holds what the lists, pages and panes of the viewer share: their actions, drawing lines within a width,
// and two cursors, over rows (Rows) and over stops of several lines (Walk). It is pure state and text: no terminal, no
// clock, no I/O, no style of its own (tui/style). It may import tui/style, analyzer/document with its layout, and the
// terminal's text libraries. It contains no keys, and knows nothing of reports.
package pane

import "slices"

// Action is a user's request to a pane. The viewer maps keys to actions. A pane ignores those without a meaning for it.
type Action int

// The actions.
const (
	Up Action = iota
	Down
	Left
	Right
	PageUp
	PageDown
	Top
	Bottom
	ZoomIn
	ZoomOut
	Fit
	Next
	Previous
	Toggle
)

// Actions is the number of actions: 0 … Actions-1.
const Actions = int(Toggle) + 1

// Rows is a cursor and a window over rows of one line each. It knows nothing of the rows' content, so that only those
// in the window are ever drawn.
type Rows struct {
	N, Cursor, Top, Height int
}

// Set sets how many rows there are, and how many are visible.
func (r *Rows) Set(n, height int) {
	r.N, r.Height = n, max(height, 1)
	r.To(r.Cursor)
}

// To moves the cursor and scrolls no further than necessary.
func (r *Rows) To(i int) {
	r.Cursor = max(0, min(i, r.N-1))
	r.Top = max(min(r.Top, r.Cursor), r.Cursor-r.Height+1)
	// A list that became shorter leaves no empty lines below its end.
	r.Top = max(0, min(r.Top, r.N-r.Height))
}

// Put moves the cursor to row i, and that row to line of the window, as far as the ends of the list allow.
func (r *Rows) Put(i, line int) {
	r.Top = i - line
	r.To(i)
}

// Window returns the bounds of the visible rows.
func (r *Rows) Window() (from, to int) { return r.Top, min(r.Top+r.Height, r.N) }

// Do moves the cursor, and reports whether the action does that. There is nothing to fold: Toggle scrolls a page.
func (r *Rows) Do(a Action) bool {
	switch a {
	case Up:
		r.To(r.Cursor - 1)
	case Down:
		r.To(r.Cursor + 1)
	case PageUp:
		r.To(r.Cursor - r.Height)
	case PageDown, Toggle:
		r.To(r.Cursor + r.Height)
	case Top:
		r.To(0)
	case Bottom:
		r.To(r.N - 1)
	default:
		return false
	}
	return true
}

// Click moves the cursor to a line of the window, and reports whether it was there already: then the click opens.
func (r *Rows) Click(line int) bool {
	i := r.Top + line
	if line < 0 || i >= r.N || line >= r.Height {
		return false
	}
	again := i == r.Cursor
	r.To(i)
	return again
}

// Gutter is the width of the column for the cursor's glyph to the left, in cells.
const Gutter = 2

// Range is the lines of one stop.
type Range struct{ First, End int }

// Walk is a cursor over stops of several lines each, and a window over all lines of a page or a list. It knows nothing
// of their content. On is the stop under the cursor, Top the first visible line.
type Walk struct {
	stops           []Range
	lines           int
	On, Top, Height int
}

// Set sets the stops and the number of lines. The cursor stays on its stop, by number.
func (w *Walk) Set(stops []Range, lines int) {
	w.stops, w.lines = stops, lines
	w.On = max(0, min(w.On, len(stops)-1))
	w.Scroll(w.Top)
}

// Scroll moves a line to the top, as far as the ends allow.
func (w *Walk) Scroll(top int) { w.Top = max(0, min(top, w.lines-w.Height)) }

// Show scrolls the stop under the cursor into view, at least its beginning, and along with the first stop what is above
// it.
func (w *Walk) Show() {
	if w.On >= len(w.stops) {
		return
	}
	at := w.stops[w.On]
	top := min(max(w.Top, at.End-w.Height), at.First)
	if w.On == 0 && at.End <= w.Height {
		top = 0
	}
	w.Scroll(top)
}

// Under returns the lines under the cursor; Range{-1, -1} where there is no stop.
func (w *Walk) Under() Range {
	if w.On >= len(w.stops) {
		return Range{-1, -1}
	}
	return w.stops[w.On]
}

// Window returns the bounds of the visible lines.
func (w *Walk) Window() (from, to int) { return w.Top, min(w.Top+w.Height, w.lines) }

// Do moves the cursor, and reports whether the action does that.
func (w *Walk) Do(a Action) bool {
	switch a {
	case Up:
		w.move(-1)
	case Down:
		w.move(+1)
	case PageUp:
		w.page(-1)
	case PageDown:
		w.page(+1)
	case Top:
		w.On, w.Top = 0, 0
	case Bottom:
		w.On = max(len(w.stops)-1, 0)
		w.Scroll(w.lines)
	default:
		return false
	}
	return true
}

// move goes to the next or previous stop. First it scrolls by a line if more of this stop, or of the text after the
// last one, is out of view.
func (w *Walk) move(step int) {
	under := w.Under()
	switch {
	case w.On+step >= len(w.stops) || w.On+step < 0,
		step > 0 && under.End > w.Top+w.Height, step < 0 && under.First < w.Top:
		w.Scroll(w.Top + step)
	default:
		w.On += step
		w.Show()
	}
}

// page scrolls and moves the cursor to the first stop in view.
func (w *Walk) page(step int) {
	before := w.Top
	w.Scroll(w.Top + step*max(w.Height-2, 1))
	if w.Top == before && len(w.stops) > 0 {
		w.On = 0
		if step > 0 {
			w.On = len(w.stops) - 1
		}
		return
	}
	i := slices.IndexFunc(w.stops, func(s Range) bool { return s.First >= w.Top })
	if i >= 0 && w.stops[i].First < w.Top+w.Height {
		w.On = i
	}
}

// Click moves the cursor to the stop on line n of the window, and reports whether it was there already: then the click
// opens.
func (w *Walk) Click(n int) bool {
	n += w.Top
	i := slices.IndexFunc(w.stops, func(s Range) bool { return n >= s.First && n < s.End })
	again := i == w.On
	if i >= 0 {
		w.On = i
	}
	return again
}
