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

// columns are the widths of a table's columns in cells; 0 leaves one out. The
// verdict stands first: it is what one looks for.
type columns struct{ confidence, cause, where, time, node, kind, summary int }

// gutter is the width of the cursor's column.
const gutter = 2

// columnsFor divides a width. What goes first when it gets narrow is what the
// screen of a restart says anyway.
func columnsFor(width int) columns {
	c := columns{confidence: 10, cause: 20, time: 4}
	switch {
	case width >= 150:
		c.cause, c.time, c.node, c.kind, c.where = 26, 14, 16, 7, 38
	case width >= 110:
		c.cause, c.time, c.node, c.kind = 26, 14, 14, 7
	case width >= 76:
		c.cause, c.time = 24, 11
	}
	used := gutter + c.confidence
	for _, w := range []int{c.cause, c.where, c.time, c.node, c.kind} {
		if w > 0 {
			used += 1 + w
		}
	}
	rest := max(width-used-1, 1)
	if c.where == 0 {
		c.where = rest
	} else {
		c.summary = rest
	}
	return c
}

// cells are the texts of one row.
type cells struct {
	confidence report.Confidence
	word       string // beside the confidence's glyph
	cause      string
	where      string
	time       string
	node       string
	kind       string
	summary    string
}

// line renders one row from plain cells, which may be too long.
func (c columns) line(g glyphs, mark, confidence string, x cells, first, second lipgloss.Style) string {
	var b strings.Builder
	b.WriteString(pad(mark, gutter, g))
	b.WriteString(first.Render(pad(confidence, c.confidence, g)))
	b.WriteByte(' ')
	b.WriteString(second.Render(pad(x.cause, c.cause, g)))
	for _, f := range []struct {
		text  string
		width int
	}{{x.where, c.where}, {x.time, c.time}, {x.node, c.node}, {x.kind, c.kind}, {x.summary, c.summary}} {
		if f.width > 0 {
			b.WriteByte(' ')
			b.WriteString(pad(f.text, f.width, g))
		}
	}
	return b.String()
}

// header renders the names of the columns.
func (m *model) header() string {
	x := cells{cause: "CAUSE", where: "WHERE", time: "WHEN UTC", node: "NODE", kind: "KIND", summary: "WHAT HAPPENED"}
	if m.layout.columns.time <= 4 {
		x.time = "AGE"
	}
	return m.theme.header.Render(m.layout.columns.line(m.theme.glyphs, "", "HOW SURE", x, plain, plain))
}

// rowLine renders one row of a table.
func (m *model) rowLine(x cells, selected bool) string {
	c, g := m.layout.columns, m.theme.glyphs
	style, glyph := m.theme.confidence(x.confidence)
	word := glyph + " " + x.word
	if selected {
		// One style for the whole row: a style inside would end it early.
		return m.theme.selected.Render(pad(c.line(g, g.cursor, word, x, plain, plain), m.layout.width, g))
	}
	return c.line(g, "", word, x, style, m.theme.strong)
}

// itemCells are the cells of one item.
func (m *model) itemCells(ds *dataset, i int32) cells {
	it := &ds.report.Items[i]
	return cells{
		confidence: it.Verdict.Confidence, word: string(it.Verdict.Confidence), cause: it.Verdict.Cause,
		where: m.subject(ds, it, m.layout.columns.where), time: m.stamp(it.Time), node: it.Node, kind: string(it.Kind), summary: it.Verdict.Summary,
	}
}

// groupCells are the cells of a group of items.
func (m *model) groupCells(t *table, r row) cells {
	ds, g, items := t.ds, &t.partition().groups[r.group], t.members[r.group]
	first := &ds.report.Items[items[0]]
	_, weakest := ds.tally(items)
	x := cells{
		confidence: weakest, word: string(weakest), cause: ds.shared(items, byCause, "causes"), node: ds.shared(items, byNode, "nodes"),
		time: m.stamp(ds.latest(items)),
	}
	open := m.theme.glyphs.closed + " "
	switch {
	case t.by == byRoot && g.incident != none:
		in := &ds.report.Incidents[g.incident]
		x.where, x.cause, x.summary = open+counted(len(items), "container"), in.Cause, in.Summary
		if in.Node != "" {
			x.where += " on " + in.Node
		}
		x.time = m.stamp(in.Start)
	case t.by == byRoot:
		times := " " + m.theme.glyphs.times + strconv.Itoa(len(items))
		x.where, x.summary = open+m.subject(ds, first, m.layout.columns.where-2-ansi.StringWidth(times))+times, first.Verdict.Summary
	default:
		count := " " + m.theme.glyphs.times + strconv.Itoa(len(items))
		x.where = open + ansi.Truncate(t.partition().names[r.group], max(m.layout.columns.where-2-ansi.StringWidth(count), 1), m.theme.glyphs.ellipsis) + count
	}
	return x
}

// subject names an item in at most width cells. The pod's name gives way first,
// then the namespace: the container tells the most.
func (m *model) subject(ds *dataset, it *report.Item, width int) string {
	lead, tail := it.Namespace+"/", "/"+it.Container
	if ds.namespace != "" {
		lead = ""
	}
	room := width - ansi.StringWidth(lead) - ansi.StringWidth(tail)
	if room < min(8, ansi.StringWidth(it.Pod)) {
		lead, room = "", room+ansi.StringWidth(lead)
	}
	if room < 4 {
		return ansi.Truncate(it.Pod+tail, max(width, 1), m.theme.glyphs.ellipsis)
	}
	return lead + ansi.Truncate(it.Pod, room, m.theme.glyphs.ellipsis) + tail
}

// stamp renders a time for a table: an age where room is scarce, else the date
// in UTC.
func (m *model) stamp(t *time.Time) string {
	if t == nil {
		return m.theme.glyphs.dash
	}
	switch m.layout.columns.time {
	case 4:
		if m.ds.report.GeneratedAt.IsZero() {
			return m.theme.glyphs.dash
		}
		return age(m.ds.report.GeneratedAt.Sub(*t))
	case 11:
		if m.ds.day != "" {
			return t.UTC().Format(time.TimeOnly)
		}
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

func percent(part, whole int) string { return fmt.Sprintf("%d%%", 100*part/whole) }

// between puts left and right at the two ends of a line of width cells. The left
// side is cut when both do not fit.
func between(left, right string, width int, style lipgloss.Style, muted lipgloss.Style, g glyphs) string {
	room := width - ansi.StringWidth(right)
	if room < 8 {
		return style.Render(pad(left, width, g))
	}
	return style.Render(pad(left, room, g)) + muted.Render(right)
}
