package pane

import "slices"

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
