package pane

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/tui/look"
)

// Item is one entry of a List.
type Item struct {
	// Lines are laid out for the width of the list less Gutter.
	Lines []Line
	// Gap asks for an empty line above.
	Gap bool
	// Stop makes Next and Previous stop here.
	Stop bool
	// Key is the owner's, to know the entry again.
	Key int
}

// Gutter is the room to the left of every entry, for the cursor's glyph, in cells.
const Gutter = 2

// List shows entries of several lines each, with a cursor on one of them. Its
// lines are counted once, in Set; drawing touches only those that are seen.
type List struct {
	items  []Item
	starts []int // the first line of each item, its gap not counted
	total  int
	cursor int
	top    int // the first line in view
	height int
}

// Set replaces the entries; the cursor stays on the same key, if it is still there,
// at the same height of the view.
func (l *List) Set(items []Item) {
	key, offset := -1, 0
	if l.cursor < len(l.items) {
		key, offset = l.items[l.cursor].Key, l.starts[l.cursor]-l.top
	}
	l.items, l.starts, l.total = items, make([]int, len(items)), 0
	for i := range items {
		if items[i].Gap && i > 0 {
			l.total++
		}
		l.starts[i] = l.total
		l.total += len(items[i].Lines)
	}
	l.cursor = max(min(l.cursor, len(items)-1), 0)
	if i := slices.IndexFunc(items, func(it Item) bool { return it.Key == key }); i >= 0 {
		l.cursor = i
		l.top = l.starts[i] - offset
	}
	l.show()
}

// Resize sets the height in lines.
func (l *List) Resize(height int) {
	l.height = max(height, 0)
	l.show()
}

// Key returns the key of the entry under the cursor, or -1.
func (l *List) Key() int {
	if l.cursor >= len(l.items) {
		return -1
	}
	return l.items[l.cursor].Key
}

// Select moves the cursor to the entry with a key, if there is one.
func (l *List) Select(key int) {
	if i := slices.IndexFunc(l.items, func(it Item) bool { return it.Key == key }); i >= 0 {
		l.cursor = i
		l.show()
	}
}

// Do moves the cursor.
func (l *List) Do(a Action) {
	if len(l.items) == 0 {
		return
	}
	switch a {
	case Up:
		if l.starts[l.cursor] < l.top { // the entry is taller than the view
			l.top--
			return
		}
		l.cursor = max(l.cursor-1, 0)
	case Down:
		if l.end(l.cursor) > l.top+l.height {
			l.top++
			return
		}
		l.cursor = min(l.cursor+1, len(l.items)-1)
	case PageUp:
		l.page(-max(l.height-1, 1))
	case PageDown:
		l.page(max(l.height-1, 1))
	case Top:
		l.cursor = 0
	case Bottom:
		l.cursor = len(l.items) - 1
	case Next, Previous:
		l.stop(a == Next)
	default:
		return
	}
	l.show()
}

func (l *List) end(i int) int { return l.starts[i] + len(l.items[i].Lines) }

// page scrolls by lines and takes the cursor along.
func (l *List) page(by int) {
	was := l.cursor
	line := l.starts[was] + by
	l.top = max(min(l.top+by, l.total-l.height), 0)
	i, found := slices.BinarySearch(l.starts, line)
	if !found {
		i--
	}
	i = max(min(i, len(l.items)-1), 0)
	if i == was && by > 0 {
		i = min(i+1, len(l.items)-1)
	} else if i == was {
		i = max(i-1, 0)
	}
	l.cursor = i
}

func (l *List) stop(forward bool) {
	step := 1
	if !forward {
		step = -1
	}
	for i := l.cursor + step; i >= 0 && i < len(l.items); i += step {
		if l.items[i].Stop {
			l.cursor = i
			return
		}
	}
}

// show brings the entry under the cursor into view, its beginning at least.
func (l *List) show() {
	if len(l.items) == 0 || l.height == 0 {
		l.top = 0
		return
	}
	start, end := l.starts[l.cursor], l.end(l.cursor)
	if l.items[l.cursor].Gap && l.cursor > 0 && end-start < l.height {
		start--
	}
	if end > l.top+l.height {
		l.top = end - l.height
	}
	if start < l.top {
		l.top = start
	}
	l.top = max(min(l.top, l.total-l.height), 0)
}

// View draws exactly as many lines as the list is high, none wider than width.
func (l *List) View(k *look.Look, width int) []string {
	out := make([]string, 0, l.height)
	first, found := slices.BinarySearch(l.starts, l.top)
	if !found {
		first = max(first-1, 0)
	}
	for i := first; i < len(l.items) && len(out) < l.height; i++ {
		if l.items[i].Gap && i > 0 && l.starts[i]-1 >= l.top && len(out) < l.height {
			out = append(out, "")
		}
		for n := range l.items[i].Lines {
			if l.starts[i]+n < l.top || len(out) == l.height {
				continue
			}
			out = append(out, l.line(k, i, n, width))
		}
	}
	for len(out) < l.height {
		out = append(out, "")
	}
	return out
}

// line draws one line of an entry behind its gutter.
func (l *List) line(k *look.Look, item, n, width int) string {
	var full Line
	if item == l.cursor && n == 0 {
		full.Add(nil, k.Glyphs.Cursor)
	}
	full.Pad(Gutter)
	for _, p := range l.items[item].Lines[n].parts {
		full.Add(p.style, p.text)
	}
	if item == l.cursor && n == 0 {
		return full.RenderCursor(k, width)
	}
	return full.Render(k, width)
}
