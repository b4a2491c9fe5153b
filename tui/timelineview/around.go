package timelineview

import (
	"cmp"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// moment is a mark, or the beginning or end of a span.
type moment struct {
	at   int64
	row  int
	i    int
	kind momentKind
}

type momentKind int

const (
	isMark momentKind = iota
	isEnd
	isBegin // at the same time, ends come before beginnings
)

// moments lists all lanes in order of time.
func moments(rows []row) []moment {
	var out []moment
	for n := range rows {
		r := &rows[n]
		for i, at := range r.marks {
			out = append(out, moment{at, n, i, isMark})
		}
		for i := range r.from {
			if r.lane.Spans[i].From != nil {
				out = append(out, moment{r.from[i], n, i, isBegin})
			}
			if r.lane.Spans[i].To != nil {
				out = append(out, moment{r.to[i], n, i, isEnd})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b moment) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind))
	})
	return out
}

// aroundLines lists what is around the cursor in all lanes, in order of time, as far as there is room: half of it for
// what came before.
func (m *Model) aroundLines(room int) []string {
	if room < 4 {
		return nil
	}
	room -= 2
	first, _ := slices.BinarySearchFunc(m.all, m.at, func(a moment, at int64) int { return cmp.Compare(a.at, at) })
	first = max(min(first-room/2, len(m.all)-room), 0)
	out := []string{"", m.paint(line{}.add("title", "All lanes around this time"))}
	width := 0 // of the times
	last := min(first+room, len(m.all))
	for _, a := range m.all[first:last] {
		width = max(width, len(when(a.at, m.at)))
	}
	for _, a := range m.all[first:last] {
		out = append(out, m.momentLine(a, width))
	}
	return out
}

// momentLine formats one moment: time, lane, what it was.
func (m *Model) momentLine(a moment, width int) string {
	g, r := &m.look.Glyphs, &m.rows[a.row]
	glyph, how, text, style := g.Mark, "strong", "", ""
	switch a.kind {
	case isMark:
		mark := &r.lane.Marks[a.i]
		if text = mark.Text; mark.Decisive {
			glyph, how, style = g.Decisive, "lit", "lit"
		}
	case isBegin:
		glyph, how, text = g.Begin, "good", "begins: "+r.lane.Spans[a.i].Text
	case isEnd:
		span := &r.lane.Spans[a.i]
		glyph, how, text = g.End, "good", "ends: "+span.Text
		if span.Bad {
			glyph, how, style = g.BadEnd, "bad", "bad"
		}
	}
	var l line
	if from, to := m.under(); a.row == m.row && a.at >= from && a.at < to {
		l = l.add("strong", g.Cursor)
	}
	l = l.pad(pane.Gutter).add("muted", when(a.at, m.at)).pad(pane.Gutter + width + 1)
	l = l.add("muted", pane.Cut(r.name(), m.lead()-pane.Gutter-1, g.Ellipsis)).pad(width + 1 + m.lead())
	return m.paint(l.add(how, glyph+" ").add(style, text))
}
