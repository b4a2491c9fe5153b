package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// columns are the widths of the list's columns in cells; 0 leaves one out.
type columns struct{ confidence, time, kind, where, node, cause int }

// gutter is the width of the cursor's column.
const gutter = 2

// columnsFor divides a width. What goes first when it gets narrow is what the
// detail screen says anyway: node and kind, then the date, then the age.
func columnsFor(width int) columns {
	c := columns{confidence: 10, time: 11, cause: 26}
	switch {
	case width >= 110:
		c.time, c.kind, c.node, c.cause = 14, 7, 14, 27
	case width < 56:
		c.time, c.cause = 0, 14
	case width < 70:
		c.time, c.cause = 4, 20
	}
	used := gutter + c.confidence
	for _, w := range []int{c.time, c.kind, c.node, c.cause} {
		if w > 0 {
			used += 1 + w
		}
	}
	c.where = max(width-used-1, 1)
	return c
}

// line renders one row from plain cells, which may be too long.
func (c columns) line(g glyphs, style lipgloss.Style, mark, confidence, when, kind, where, node, cause string) string {
	var b strings.Builder
	b.WriteString(pad(mark, gutter, g))
	b.WriteString(style.Render(pad(confidence, c.confidence, g)))
	add := func(s string, w int) {
		if w > 0 {
			b.WriteByte(' ')
			b.WriteString(pad(s, w, g))
		}
	}
	add(when, c.time)
	add(kind, c.kind)
	add(where, c.where)
	add(node, c.node)
	add(cause, c.cause)
	return b.String()
}

// rowLine renders one row of the list.
func (m *model) rowLine(r row, selected bool) string {
	c, g := m.layout.columns, m.theme.glyphs
	conf, when, kind, where, node, cause := m.rowCells(r)
	style, glyph := m.theme.confidence(conf)
	word := glyph + " " + string(conf)
	if selected {
		// One style for the whole row: a style inside would end it early.
		line := c.line(g, lipgloss.NewStyle(), g.cursor, word, when, kind, where, node, cause)
		return m.theme.selected.Render(pad(line, m.layout.width, g))
	}
	return c.line(g, style, "", word, when, kind, where, node, cause)
}

func (m *model) rowCells(r row) (conf report.Confidence, when, kind, where, node, cause string) {
	g, c := m.theme.glyphs, m.layout.columns
	if r.item == none {
		in, gr := &m.report.Incidents[r.incident], m.rows.group(r.incident)
		fold := g.closed
		if gr.open || !m.filter.empty() {
			fold = g.open
		}
		where = fmt.Sprintf("%s %d containers", fold, len(gr.items))
		if in.Node != "" {
			where += " on " + in.Node
		}
		return gr.weakest, m.stamp(in.Start), "", where, in.Node, in.Cause
	}
	it, lead := &m.report.Items[r.item], ""
	if r.incident != none {
		lead = g.branch + " "
	}
	where = lead + m.subject(it, c.where-ansi.StringWidth(lead))
	return it.Verdict.Confidence, m.stamp(it.Time), string(it.Kind), where, it.Node, it.Verdict.Cause
}

// subject names an item in at most width cells. The pod's name gives way first,
// then the namespace: the container tells the most.
func (m *model) subject(it *report.Item, width int) string {
	lead, tail := it.Namespace+"/", "/"+it.Container
	if m.report.Scope.Namespace != "" && !m.report.Scope.AllNamespaces {
		lead = ""
	}
	room := width - ansi.StringWidth(lead) - ansi.StringWidth(tail)
	if room < min(8, ansi.StringWidth(it.Pod)) {
		lead, room = "", room+ansi.StringWidth(lead)
	}
	if room < 4 {
		return ansi.Truncate(it.Pod+tail, width, m.theme.glyphs.ellipsis)
	}
	return lead + ansi.Truncate(it.Pod, room, m.theme.glyphs.ellipsis) + tail
}

// stamp renders a time for the list: an age where room is scarce, else the date
// in UTC.
func (m *model) stamp(t *time.Time) string {
	if t == nil {
		return m.theme.glyphs.dash
	}
	switch m.layout.columns.time {
	case 4:
		if m.report.GeneratedAt.IsZero() {
			return m.theme.glyphs.dash
		}
		return age(m.report.GeneratedAt.Sub(*t))
	case 11:
		return t.UTC().Format("01-02 15:04")
	}
	return t.UTC().Format("01-02 15:04:05")
}

// age rounds down to one unit, in at most four cells: 59s 59m 23h 999d 99y.
func age(d time.Duration) string {
	day := 24 * time.Hour
	unit := func(u time.Duration, name string) string { return strconv.FormatInt(int64(d/u), 10) + name }
	switch {
	case d < 0:
		return "0s"
	case d < time.Minute:
		return unit(time.Second, "s")
	case d < time.Hour:
		return unit(time.Minute, "m")
	case d < day:
		return unit(time.Hour, "h")
	case d < 1000*day:
		return unit(day, "d")
	}
	return unit(365*day, "y")
}

// pad cuts or fills a plain string to exactly width cells.
func pad(s string, width int, g glyphs) string {
	w := ansi.StringWidth(s)
	if w > width {
		s = ansi.Truncate(s, width, g.ellipsis)
		w = ansi.StringWidth(s)
	}
	return s + strings.Repeat(" ", max(width-w, 0))
}

func percent(part, whole int) string { return strconv.Itoa(100*part/whole) + "%" }

// between puts left and right at the two ends of a line of width cells. The left
// side is cut when both do not fit.
func between(left, right string, width int, style lipgloss.Style, muted lipgloss.Style, g glyphs) string {
	room := width - ansi.StringWidth(right)
	if room < 8 {
		return style.Render(pad(left, width, g))
	}
	return style.Render(pad(left, room, g)) + muted.Render(right)
}
