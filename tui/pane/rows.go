package pane

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
