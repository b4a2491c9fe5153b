package timelineview

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/axis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

const (
	// head is the number of lines above the lanes: title, labels, ruler.
	head = 3
	// most and least bound the width of lane names, in cells.
	most, least = 20, 9
)

// line is a line of the drawing in the theme's classes.
type line document.Text

// add appends a text; the class "" is plain.
func (l line) add(class, text string) line {
	r := document.Run{Text: text}
	if class != "" {
		r.Style, r.Class = document.Badge, class
	}
	return append(l, r)
}

// pad appends spaces up to a column.
func (l line) pad(column int) line {
	return l.add("", strings.Repeat(" ", max(column-l.width(), 0)))
}

func (l line) width() int { return layout.Width(document.Text(l)) }

func (m *Model) paint(l line) string { return pane.Paint(&m.look, document.Text(l), m.width) }

// lead is the number of cells to the left of the axis.
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

// Lines draws the pane: exactly as many lines as its height, none wider than its width.
func (m *Model) Lines() []string {
	out := make([]string, 0, m.height)
	if !m.known {
		return pane.Fill(append(out, m.paint(line{}.add("muted", "No events with a time are known."))), m.height)
	}
	out = append(out, m.title(), m.labels(), m.ruler())
	out = append(out, m.laneLines(m.laneRoom())...)
	out = append(out, m.caret())
	out = append(out, m.detailLines(m.height-len(out))...)
	return pane.Fill(append(out, m.aroundLines(m.height-len(out))...), m.height)
}

// laneRoom is how many lines the lanes may take: all they need, unless that leaves too little for the detail.
func (m *Model) laneRoom() int {
	rest := m.height - head - 1
	return max(min(len(m.rows), rest-max(rest/3, 3)), 1)
}

// title shows the time range in view and, if there is room, what the glyphs mean.
func (m *Model) title() string {
	g, step := &m.look.Glyphs, m.step()
	l := line{}.add("title", rangeText(m.origin, m.origin+step*int64(m.columns()), step, g.Dash))
	l = l.add("muted", g.Separator+"a column is "+lengthText(time.Duration(step)))
	legend := g.Decisive + " decisive  " + g.Mark + " mark  2-9 " + g.Many + " many  " + g.BadEnd + " bad end"
	if width := layout.Cells(legend); l.width()+3+width <= m.width {
		l = l.pad(m.width-width).add("muted", legend)
	}
	return m.paint(l)
}

func (m *Model) labels() string {
	var l line
	for _, t := range ticks(m.origin, m.step(), m.columns()) {
		l = l.pad(m.lead()+t.column).add("muted", t.text)
	}
	return m.paint(l)
}

func (m *Model) ruler() string {
	l := line{}.pad(m.lead())
	rule := func(column int) { l = l.add("muted", strings.Repeat(m.look.Glyphs.Rule, max(column-l.width(), 0))) }
	for _, t := range ticks(m.origin, m.step(), m.columns()) {
		rule(m.lead() + t.column)
		l = l.add("muted", m.look.Glyphs.Tick)
	}
	rule(m.width)
	return m.paint(l)
}

// caret points at the column under the cursor and shows its time.
func (m *Model) caret() string {
	column, text := m.lead()+m.column(), clockText(m.at)
	if m.step() >= int64(time.Hour) {
		text = dateText(m.at)
	}
	if column+2+len(text) > m.width && column > len(text) {
		return m.paint(line{}.pad(column-1-len(text)).add("strong", text+" "+m.look.Glyphs.Caret))
	}
	return m.paint(line{}.pad(column).add("strong", m.look.Glyphs.Caret+" "+text))
}

func (m *Model) column() int { return int((m.at - m.origin) / m.step()) }

// laneLines draws as many lanes as there is room for, including the cursor's.
func (m *Model) laneLines(room int) (out []string) {
	first := max(m.row-room+1, 0)
	for i := first; i < min(first+room, len(m.rows)); i++ {
		out = append(out, m.laneLine(i, m.rows[i].counts(m.origin, m.step(), m.columns())))
	}
	return out
}

// laneLine draws one lane: its name, and a glyph for each column.
func (m *Model) laneLine(i int, counts []count) string {
	var l line
	style, cursor := "muted", -1
	if i == m.row {
		l = l.add("strong", m.look.Glyphs.Cursor)
		style, cursor = "strong", m.column()
	}
	l = l.pad(pane.Gutter).add(style, pane.Cut(m.rows[i].name(), m.lead()-pane.Gutter-1, m.look.Glyphs.Ellipsis))
	l = l.pad(m.lead())
	for column := range counts {
		glyph, style := m.cell(&counts[column])
		if column == cursor {
			style = "cursor"
		}
		if n := len(l) - 1; column > 0 && l[n].Class == style {
			l[n].Text += glyph
			continue
		}
		l = l.add(style, glyph)
	}
	return m.paint(l)
}

// cell is the glyph of one column. The most important content wins: evidence for the verdict, then marks, then ends,
// then beginnings, then durations.
func (m *Model) cell(c *count) (glyph, class string) {
	g, end := &m.look.Glyphs, "good"
	if c.bad > 0 {
		end = "bad"
	}
	switch {
	case c.decisive > 0:
		return g.Decisive, "lit"
	case c.marks+c.ends >= 10:
		return g.Many, "warn"
	case c.marks > 0 && c.marks+c.ends > 1:
		return fmt.Sprint(c.marks + c.ends), "warn"
	case c.marks > 0:
		return g.Mark, "strong"
	case c.ends > 1:
		return fmt.Sprint(c.ends), end
	case c.ends == 1 && c.bad > 0:
		return g.BadEnd, end
	case c.ends == 1 && c.begins > 0:
		return g.Brief, end
	case c.ends == 1:
		return g.End, end
	case c.begins > 0:
		return g.Begin, "good"
	case c.openBegin:
		return g.OpenBegin, "good"
	case c.openEnd:
		return g.OpenEnd, "good"
	case c.lasts:
		return g.Span, "good"
	}
	return " ", ""
}

const day = 24 * time.Hour

// label is a tick of the axis and the text above it.
type label struct {
	column int
	text   string
}

// ticks returns the labels of an axis that begins at origin and has so many columns
// of step nanoseconds each.
func ticks(origin, step int64, columns int) (out []label) {
	free := 0
	for _, t := range axis.Ticks(origin, origin+step*int64(columns), func(every time.Duration, characters int) bool {
		return int64(every)/step >= int64(characters+2) // labels do not touch
	}) {
		if column := int((t.At - origin) / step); column >= free && column+len(t.Text) <= columns {
			out = append(out, label{column, t.Text})
			free = column + len(t.Text) + 1
		}
	}
	return out
}

// clockText is a time without its day.
func clockText(at int64) string { return axis.Clock(time.Unix(0, at)) }

func dateText(at int64) string { return time.Unix(0, at).UTC().Format("2006-01-02 15:04:05") }

// rangeText is the first and the last time in view, to the second unless a column is much shorter; if the day is the
// same it appears once.
func rangeText(from, to, step int64, dash string) string {
	if step >= int64(50*time.Millisecond) {
		from, to = from/int64(time.Second)*int64(time.Second), to/int64(time.Second)*int64(time.Second)
	}
	a, b := time.Unix(0, from).UTC(), time.Unix(0, to).UTC()
	if a.Truncate(day).Equal(b.Truncate(day)) {
		return fmt.Sprintf("%s %s %s %s UTC", a.Format("2006-01-02"), clockText(from), dash, clockText(to))
	}
	return fmt.Sprintf("%s %s %s UTC", dateText(from), dash, dateText(to))
}

// lengthText is finer than report.Lasted for short durations.
func lengthText(d time.Duration) string {
	switch {
	case d < time.Second:
		return max(d.Truncate(time.Millisecond), time.Millisecond).String()
	case d < 10*time.Second:
		return d.Truncate(100 * time.Millisecond).String()
	}
	return report.Lasted(d.Truncate(time.Second))
}
