package timelineview

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/spark"
)

const (
	// head is how many lines stand above the lanes: title, labels, ruler.
	head = 3
	// crowd is how many spans make a lane worth a sparkline of their ends.
	crowd = 12
	// most and least are what names of lanes may take, in cells.
	most, least = 20, 9
)

// lead is how many cells stand to the left of the axis.
func (m *Model) lead() int {
	return pane.Gutter + min(m.names, most, max(m.width/5, least)) + 1
}

func (m *Model) columns() int { return max(m.width-m.lead(), 1) }

func (r *row) name() string {
	switch {
	case r.lane.Name != "":
		return r.lane.Name
	case r.lane.Kind == report.LaneAPI:
		return "API"
	}
	return string(r.lane.Kind)
}

// Lines draws the pane: exactly as many lines as it is high, none wider than it is.
func (m *Model) Lines() []string {
	out := make([]string, 0, m.height)
	if !m.known {
		var l pane.Line
		l.Add(&m.look.Muted, "No events with a time are known.")
		return pane.Fill(append(out, l.Render(&m.look, m.width)), m.height)
	}
	m.lay()
	out = append(out, m.title(), m.labels(), m.ruler())
	out = append(out, m.laneLines(m.laneRoom())...)
	out = append(out, m.caret())
	if m.reading {
		return pane.Fill(append(out, m.readingLines(m.height-len(out))...), m.height)
	}
	out = append(out, m.detailLines(m.height-len(out))...)
	return pane.Fill(append(out, m.aroundLines(m.height-len(out))...), m.height)
}

// laneRoom is how many lines the lanes may take: all they need, unless that leaves
// too little for the detail.
func (m *Model) laneRoom() int {
	if m.reading {
		return m.rows[m.row].lines()
	}
	need := 0
	for i := range m.rows {
		need += m.rows[i].lines()
	}
	rest := m.height - head - 1
	return max(min(need, rest-max(rest/3, 3)), 1)
}

// lines is how many lines a lane takes.
func (r *row) lines() int {
	if len(r.lane.Spans) >= crowd {
		return 2
	}
	return 1
}

// title says what part of time is in view and, where there is room, what the glyphs
// mean.
func (m *Model) title() string {
	g := &m.look.Glyphs
	var l pane.Line
	step := m.step()
	l.Add(&m.look.Title, rangeText(m.origin, m.origin+step*int64(m.columns()), step, g.Dash))
	l.Add(&m.look.Muted, g.Separator+"a column is "+lengthText(time.Duration(step)))
	legend := g.Decisive + " decisive  " + g.Mark + " mark  2-9 " + g.Many + " many  " + g.BadEnd + " bad end"
	if l.Width+3+pane.Width(legend) <= m.width {
		l.Pad(m.width - pane.Width(legend))
		l.Add(&m.look.Muted, legend)
	}
	return l.Render(&m.look, m.width)
}

func (m *Model) labels() string {
	var l pane.Line
	for _, t := range ticks(m.origin, m.step(), m.columns()) {
		l.Pad(m.lead() + t.column)
		l.Add(&m.look.Muted, t.text)
	}
	return l.Render(&m.look, m.width)
}

func (m *Model) ruler() string {
	var l pane.Line
	l.Pad(m.lead())
	for _, t := range ticks(m.origin, m.step(), m.columns()) {
		l.Add(&m.look.Muted, strings.Repeat(m.look.Glyphs.Rule, m.lead()+t.column-l.Width)+m.look.Glyphs.Tick)
	}
	l.Add(&m.look.Muted, strings.Repeat(m.look.Glyphs.Rule, max(m.width-l.Width, 0)))
	return l.Render(&m.look, m.width)
}

// caret points at the column under the cursor and says its time.
func (m *Model) caret() string {
	column, text := m.lead()+m.column(), clockText(m.at)
	if m.step() >= int64(time.Hour) {
		text = dateText(m.at)
	}
	var l pane.Line
	if column+2+len(text) > m.width && column > len(text) {
		l.Pad(column - 1 - len(text))
		l.Add(&m.look.Strong, text+" "+m.look.Glyphs.Caret)
	} else {
		l.Pad(column)
		l.Add(&m.look.Strong, m.look.Glyphs.Caret+" "+text)
	}
	return l.Render(&m.look, m.width)
}

func (m *Model) column() int { return int((m.at - m.origin) / m.step()) }

// laneLines draws as many lanes as there is room for, those around the cursor.
func (m *Model) laneLines(room int) []string {
	first, used := m.row, m.rows[m.row].lines()
	for first > 0 && used+m.rows[first-1].lines() <= room {
		first--
		used += m.rows[first].lines()
	}
	var out []string
	for i := first; i < len(m.rows) && len(out) < room; i++ {
		counts := m.rows[i].counts(m.origin, m.step(), m.columns())
		out = append(out, m.laneLine(i, counts))
		if m.rows[i].lines() == 2 {
			out = append(out, m.spark(counts))
		}
	}
	return out[:min(len(out), room)]
}

// laneLine draws one lane: its name, and a glyph for each column.
func (m *Model) laneLine(i int, counts []count) string {
	r := &m.rows[i]
	var l pane.Line
	style := &m.look.Muted
	if i == m.row {
		l.Add(&m.look.Strong, m.look.Glyphs.Cursor)
		style = &m.look.Strong
	}
	l.Pad(pane.Gutter)
	l.Add(style, pane.Cut(r.name(), m.lead()-pane.Gutter-1, m.look.Glyphs.Ellipsis))
	l.Pad(m.lead())
	cursor := -1
	if i == m.row {
		cursor = m.column()
	}
	var run strings.Builder
	var last *lipgloss.Style
	for column := range counts {
		glyph, style := m.cell(&counts[column])
		if column == cursor {
			style = &m.look.Cursor
		}
		if style != last {
			l.Add(last, run.String())
			run.Reset()
			last = style
		}
		run.WriteString(glyph)
	}
	l.Add(last, run.String())
	return l.Render(&m.look, m.width)
}

// cell is the glyph of one column. What weighs most is shown: what the verdict
// rests on, then marks, then ends, then beginnings, then what merely lasts.
func (m *Model) cell(c *count) (string, *lipgloss.Style) {
	k, g := &m.look, &m.look.Glyphs
	end := &k.Good
	if c.bad > 0 {
		end = &k.Bad
	}
	switch {
	case c.decisive > 0:
		return g.Decisive, &k.Lit
	case c.marks+c.ends >= 10:
		return g.Many, &k.Warn
	case c.marks > 0 && c.marks+c.ends > 1:
		return fmt.Sprint(c.marks + c.ends), &k.Warn
	case c.marks > 0:
		return g.Mark, &k.Strong
	case c.ends > 1:
		return fmt.Sprint(c.ends), end
	case c.ends == 1 && c.bad > 0:
		return g.BadEnd, end
	case c.ends == 1 && c.begins > 0:
		return g.Brief, end
	case c.ends == 1:
		return g.End, end
	case c.begins > 0:
		return g.Begin, &k.Good
	case c.openBegin:
		return g.OpenBegin, &k.Good
	case c.openEnd:
		return g.OpenEnd, &k.Good
	case c.lasts:
		return g.Span, &k.Good
	}
	return " ", nil
}

// spark draws how many spans end in each column, against the most of any in view.
func (m *Model) spark(counts []count) string {
	ends, peak := make([]int64, len(counts)), 0
	for i := range counts {
		ends[i] = int64(counts[i].ends)
		peak = max(peak, counts[i].ends)
	}
	var l pane.Line
	l.Pad(pane.Gutter)
	l.Add(&m.look.Muted, pane.Cut(fmt.Sprintf("ends 0-%d", peak), m.lead()-pane.Gutter-1, ""))
	l.Pad(m.lead())
	l.Add(&m.look.Bad, spark.Line(m.look.Glyphs.Levels, ends, len(ends)))
	return l.Render(&m.look, m.width)
}
