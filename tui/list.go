package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// list is a cursor and a window over n rows. It knows nothing of the rows, so
// that only those in the window are ever drawn.
type list struct {
	n           int
	cursor, top int
	height      int
}

func (l *list) resize(height int) {
	l.height = max(height, 1)
	l.to(l.cursor)
}

// to moves the cursor and scrolls no further than needed to show it.
func (l *list) to(i int) {
	l.cursor = max(0, min(i, l.n-1))
	if l.cursor < l.top {
		l.top = l.cursor
	}
	if l.cursor >= l.top+l.height {
		l.top = l.cursor - l.height + 1
	}
	// A list that became shorter leaves no empty lines below its end.
	l.top = max(0, min(l.top, l.n-l.height))
}

// put places the cursor on row i, and that row on line of the window, as far as
// the ends of the list allow.
func (l *list) put(i, line int) {
	l.top = i - line
	l.to(i)
}

// window returns the bounds of the visible rows.
func (l *list) window() (from, to int) { return l.top, min(l.top+l.height, l.n) }

func (l *list) set(n, height int) {
	l.n = n
	l.resize(height)
}

// press answers the keys that move, and tells whether msg was one.
func (l *list) press(k *KeyMap, msg tea.KeyPressMsg) bool {
	switch {
	case key.Matches(msg, k.Up):
		l.to(l.cursor - 1)
	case key.Matches(msg, k.Down):
		l.to(l.cursor + 1)
	case key.Matches(msg, k.PageUp):
		l.to(l.cursor - l.height)
	case key.Matches(msg, k.PageDown, k.Fold):
		l.to(l.cursor + l.height)
	case key.Matches(msg, k.Top):
		l.to(0)
	case key.Matches(msg, k.Bottom):
		l.to(l.n - 1)
	default:
		return false
	}
	return true
}

// click puts the cursor on a line of the window, and tells whether it was there
// already: then the click opens.
func (l *list) click(line int) bool {
	i := l.top + line
	if line < 0 || i >= l.n || line >= l.height {
		return false
	}
	again := i == l.cursor
	l.to(i)
	return again
}
