package tui

// list is the pane of the rows: a cursor and a window over them. It renders the
// visible rows only.
type list struct {
	rows        []row
	cursor, top int
	height      int
}

// set replaces the rows and keeps the cursor on the row it was on, if that row
// is still there.
func (l *list) set(rows []row) {
	was, had := l.selected()
	l.rows = rows
	if had {
		for i, r := range rows {
			if r == was {
				l.to(i)
				return
			}
		}
	}
	l.to(min(l.cursor, len(rows)-1))
}

// selected returns the row under the cursor, false if there is none.
func (l *list) selected() (row, bool) {
	if l.cursor < 0 || l.cursor >= len(l.rows) {
		return row{none, none}, false
	}
	return l.rows[l.cursor], true
}

func (l *list) resize(height int) {
	l.height = max(height, 1)
	l.to(l.cursor)
}

// to moves the cursor and scrolls no further than needed to show it.
func (l *list) to(i int) {
	l.cursor = max(0, min(i, len(l.rows)-1))
	if l.cursor < l.top {
		l.top = l.cursor
	}
	if l.cursor >= l.top+l.height {
		l.top = l.cursor - l.height + 1
	}
	// A list that became shorter leaves no empty lines below its end.
	l.top = max(0, min(l.top, len(l.rows)-l.height))
}

// window returns the visible rows and the index of the first.
func (l *list) window() ([]row, int) {
	return l.rows[l.top:min(l.top+l.height, len(l.rows))], l.top
}

// pager is the pane of a text of any length: lines and an offset.
type pager struct {
	lines  []string
	top    int
	height int
}

func (p *pager) resize(height int) {
	p.height = max(height, 1)
	p.to(p.top)
}

func (p *pager) to(top int) { p.top = max(0, min(top, len(p.lines)-p.height)) }

func (p *pager) window() []string {
	return p.lines[p.top:min(p.top+p.height, len(p.lines))]
}

// position says how far the text is scrolled, "" when all of it is visible.
func (p *pager) position() string {
	switch rest := len(p.lines) - p.height; {
	case rest <= 0:
		return ""
	case p.top == 0:
		return "top"
	case p.top >= rest:
		return "end"
	default:
		return percent(p.top, rest)
	}
}
