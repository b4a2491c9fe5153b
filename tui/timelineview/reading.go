package timelineview

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// laid is what the layout of the detail depends on.
type laid struct {
	row           int
	from, to      int64
	width, height int
	done          bool
}

// lay lays out what is under the cursor for reading, unless it is laid out already.
func (m *Model) lay() {
	if !m.reading {
		m.laid.done = false
		return
	}
	from, to := m.under()
	want := laid{m.row, from, to, m.width, m.height, true}
	if m.laid == want {
		return
	}
	moved := m.laid.row != want.row || m.laid.from != from || m.laid.to != to || !m.laid.done
	m.laid = want
	r := &m.rows[m.row]
	m.entries = r.found(from, to)
	m.lines = nil
	var stops []pane.Range
	stop := func(lines ...pane.Line) {
		stops = append(stops, pane.Range{First: len(m.lines), End: len(m.lines) + len(lines)})
		m.lines = append(m.lines, lines...)
	}
	for i, e := range m.entries {
		if i == readable {
			var l pane.Line
			rest := len(m.entries) - i
			l.Add(&m.look.Muted, fmt.Sprintf("%s %d more; zoom in to see them", m.look.Glyphs.Ellipsis, rest))
			stop(l)
			break
		}
		stop(m.entryLines(r, e, m.width-pane.Gutter)...)
	}
	m.detail.Height = max(m.height-head-2-r.lines(), 0)
	m.detail.Set(stops, len(m.lines))
	if m.detail.Show(); moved {
		m.detail.Do(pane.Top)
	}
}

func (m *Model) readingLines(room int) []string {
	if room <= 0 {
		return nil
	}
	r := &m.rows[m.row]
	h := m.heading(r, len(m.entries))
	out := []string{h.Render(&m.look, m.width)}
	if len(m.entries) == 0 {
		from, to := m.under()
		return append(out, m.nearby(r, from, to)...)
	}
	from, to := m.detail.Window()
	for n := from; n < to; n++ {
		var l pane.Line
		draw := l.Render
		if n == m.detail.Under().First {
			l.Add(nil, m.look.Glyphs.Cursor)
			draw = l.RenderCursor
		}
		l.Pad(pane.Gutter)
		l.Append(&m.lines[n])
		out = append(out, draw(&m.look, m.width))
	}
	return out
}

// Evidence returns the ids of what is under the cursor, each once: of the whole
// column, or of one entry while the detail is read.
func (m *Model) Evidence() []string {
	if !m.known {
		return nil
	}
	m.lay()
	r := &m.rows[m.row]
	entries := m.entries
	if n := m.detail.On; m.reading && n < len(entries) {
		entries = entries[n : n+1]
	} else {
		entries = r.found(m.under())
	}
	var out []string
	seen := map[string]bool{}
	for _, e := range entries {
		for _, id := range r.evidence(e) {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}
