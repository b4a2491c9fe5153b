package pane

import "slices"

// Gutter is the room to the left of what one walks through, for the cursor's glyph, in
// cells.
const Gutter = 2

// Range is the lines that one stop takes.
type Range struct{ First, End int }

// Walk is a cursor over stops of several lines each, and a window over all lines: those
// of a page, or of a list. It knows nothing of what stands in them. On is the stop
// under the cursor, Top the first line that is seen.
type Walk struct {
	stops           []Range
	lines           int
	On, Top, Height int
}

// Set says where the stops are, and how many lines there are. The cursor stays on the
// stop it was on, by its number.
func (w *Walk) Set(stops []Range, lines int) {
	w.stops, w.lines = stops, lines
	w.On = max(0, min(w.On, len(stops)-1))
	w.Scroll(w.Top)
}

// Scroll puts a line at the top, as far as the ends allow.
func (w *Walk) Scroll(top int) { w.Top = max(0, min(top, w.lines-w.Height)) }

// Show brings the stop under the cursor into view, its beginning at least, and what
// stands above the first stop with it.
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

// Under returns the lines under the cursor; none where there is no stop.
func (w *Walk) Under() Range {
	if w.On >= len(w.stops) {
		return Range{-1, -1}
	}
	return w.stops[w.On]
}

// Window returns the bounds of the lines that are seen.
func (w *Walk) Window() (from, to int) { return w.Top, min(w.Top+w.Height, w.lines) }

// Do moves the cursor, and reports whether the action is one that does.
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

// move goes to the next or previous stop. It scrolls by a line first where more of this
// stop, or of the text behind the last one, is out of sight.
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

// page scrolls and takes the cursor along, to the first stop that is in view.
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

// Click puts the cursor on the stop that line n of the window belongs to.
func (w *Walk) Click(n int) bool {
	n += w.Top
	i := slices.IndexFunc(w.stops, func(s Range) bool { return n >= s.First && n < s.End })
	if i >= 0 {
		w.On = i
	}
	return i >= 0
}
