package tui

import (
	"cmp"
	"slices"
	"strconv"
)

// causeRow is one cause of the catalogue, and how often it was found here.
type causeRow struct {
	id, title string
	found     int
}

// causeRows lists the causes: those that were found here first, the most frequent
// at the top, then the rest of the catalogue in its order.
func causeRows(m *model) []causeRow {
	counts := map[string]int{}
	if m.ds.index != nil {
		p := m.ds.index.parts[byCause]
		for g, name := range p.names {
			counts[name] = int(p.groups[g].size)
		}
	}
	out := make([]causeRow, 0, len(m.options.Causes))
	for _, c := range m.options.Causes {
		out = append(out, causeRow{c.ID, c.Title, counts[c.ID]})
		delete(counts, c.ID)
	}
	// A report may be older or newer than the catalogue.
	for id, n := range counts {
		out = append(out, causeRow{id, "", n})
	}
	slices.SortStableFunc(out, func(a, b causeRow) int {
		return cmp.Or(cmp.Compare(b.found, a.found), cmp.Compare(a.id, b.id))
	})
	return out
}

// drawCauses draws the catalogue.
func (m *model) drawCauses(l *list, rows []causeRow) []string {
	g, w := m.theme.glyphs, m.layout.width
	line := func(mark, id, found, title string) string {
		return pad(pad(mark, gutter, g)+pad(id, 29, g)+" "+pad(found, 5, g)+" "+title, w, g)
	}
	lines := []string{m.theme.header.Render(line("", "CAUSE", "HERE", "WHAT IT IS"))}
	from, to := l.window()
	for i := from; i < to; i++ {
		r := &rows[i]
		here := ""
		if r.found > 0 {
			here = strconv.Itoa(r.found)
		}
		text := line("", r.id, here, r.title)
		switch {
		case i == l.cursor:
			text = m.theme.selected.Render(line(g.cursor, r.id, here, r.title))
		case r.found == 0:
			text = m.theme.muted.Render(text)
		}
		lines = append(lines, text)
	}
	if len(rows) == 0 {
		lines = append(lines, "  "+m.theme.muted.Render(pad("the catalogue is not at hand here", w-2, g)))
	}
	return lines
}

// explain opens the page of a cause.
func (m *model) explain(id string) {
	switch {
	case id == "":
		m.status = "no cause is meant here"
	case m.options.Explain == nil || m.options.Explain(id) == "":
		m.status = "there is no page about " + id
	default:
		m.push(&pageScreen{kind: pageCause, cause: id, source: m.options.Explain(id)})
	}
}
