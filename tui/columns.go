package tui

import (
	"strconv"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// columns are the widths of a table's columns in cells; 0 leaves one out. The
// verdict stands first: it is what one looks for.
type columns struct {
	confidence, cause, where, time, node, kind, summary int

	times timeForm
}

// timeForm says how a table writes times, the longest first.
type timeForm int

const (
	toSeconds timeForm = iota
	toMinutes
	asAge
)

// widest is how many cells the longest entries of a report take, and what all of its
// items have in common: a column is no wider, and one that says the same in every
// row is left out.
type widest struct {
	cause, where, node int
	kinds, nodes       bool // there are several
}

const (
	// sentence is how wide the column of what happened should be. Where it is not,
	// other columns make room.
	sentence = 32
	// leastWhere still holds the name of a container.
	leastWhere = 18
	// tableFrom is the narrowest width that has a column of what happened.
	tableFrom = 76
	// word holds a confidence with its glyph, glyph the glyph alone.
	word, glyph = 10, 1
)

// columnsFor divides a width. No column is wider than what stands in it, and what
// goes first when it gets narrow is what the screen of a restart says anyway. day
// reports whether all times are of one day, ages whether an age says as much as a time.
func columnsFor(width int, w widest, day, ages bool) columns {
	c := columns{confidence: word, cause: max(5, min(w.cause, 30)), where: max(5, min(w.where, 38))}
	if w.nodes {
		c.node = max(4, min(w.node, 16))
	}
	if w.kinds {
		c.kind = 7
	}
	tell := func(k timeForm) {
		c.times, c.time = k, [...]int{14, 11, 4}[k]
		if day && k != asAge {
			c.time = [...]int{8, 5}[k]
		}
	}
	tell(toSeconds)
	room := func() int { return width - c.used() - 1 }
	for _, give := range []func(){
		func() { tell(toMinutes) }, func() { c.kind = 0 }, func() { c.where = min(c.where, 26) }, func() { c.node = 0 },
		func() {
			if ages && !day {
				tell(asAge)
			}
		},
		func() { c.confidence = glyph }, // the line below the list has the words
		func() { c.cause = min(c.cause, 22) },
		func() { c.where = max(min(c.where, c.where+room()-sentence), min(c.where, leastWhere)) },
	} {
		if room() >= sentence {
			break
		}
		give()
	}
	if width < tableFrom {
		c.confidence, c.cause, c.where = word, min(c.cause, 20), 0
		c.where = max(room(), 1)
		return c
	}
	c.summary = max(room(), 1)
	return c
}

// used is what the columns but the last take, each with the space behind it.
func (c *columns) used() int {
	used := pane.Gutter + c.confidence
	for _, w := range []int{c.cause, c.where, c.time, c.node, c.kind} {
		if w > 0 {
			used += 1 + w
		}
	}
	return used
}

func (t *table) columns(width int) columns {
	r := t.ds.report
	return columnsFor(width, t.widest(), t.ds.day != "", len(r.Scope.From) == 0 && !r.GeneratedAt.IsZero())
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
func (c columns) line(f *frame, confidence string, x cells, first, second *lipgloss.Style) string {
	return f.line(cell{confidence, c.confidence, first}, cell{x.cause, c.cause, second}, cell{x.where, c.where, nil},
		cell{x.time, c.time, nil}, cell{x.node, c.node, nil}, cell{x.kind, c.kind, nil},
		cell{x.summary, c.summary, nil})
}

func (f *frame) header(c columns) string {
	x := cells{cause: "CAUSE", where: "WHERE", time: "WHEN UTC", node: "NODE", kind: "KIND", summary: "WHAT HAPPENED"}
	if c.times == asAge {
		x.time = "AGE"
	} else if c.time < len(x.time) {
		x.time = "UTC"
	}
	head := "CONFIDENCE"
	if c.confidence == glyph {
		head = ""
	}
	return f.look.Muted.Render(f.row(c.line(f, head, x, nil, nil), false))
}

func (f *frame) rowLine(c columns, x cells, selected bool) string {
	style, mark := confidence(&f.look, x.confidence)
	if c.confidence == word {
		mark += " " + x.word
	}
	if selected {
		return f.row(c.line(f, mark, x, nil, nil), true)
	}
	return f.row(c.line(f, mark, x, &style, &f.look.Strong), false)
}

// marks says what the glyphs of the rows mean, where the rows do not: "" else.
func (f *frame) marks(c columns) string {
	if c.confidence == word {
		return ""
	}
	out := ""
	for _, w := range present.Confidences() {
		_, mark := confidence(&f.look, w)
		out += " " + mark + " " + string(w) + " "
	}
	return out
}

// itemCells are the cells of one item.
func (f *frame) itemCells(ds *dataset, i int32, c columns) cells {
	it := &ds.report.Items[i]
	return cells{
		confidence: it.Verdict.Confidence, word: string(it.Verdict.Confidence), cause: it.Verdict.Cause,
		where: f.subject(ds, it, c.where), time: f.stamp(ds, it.Time, c.times), node: it.Node, kind: string(it.Kind),
		summary: present.Sentence(it),
	}
}

// groupCells are the cells of a group of items. Where it happened says no more than
// the other columns do not.
func (t *table) groupCells(f *frame, r row, c columns) cells {
	ds, g, items := t.ds, &t.partition().groups[r.group], t.members[r.group]
	first := &ds.report.Items[items[0]]
	_, weakest := ds.tally(items)
	open, times := f.look.Glyphs.Closed+" ", ""
	if len(items) > 1 {
		times = " " + f.look.Glyphs.Times + strconv.Itoa(len(items))
	}
	x := cells{
		confidence: weakest, word: string(weakest),
		cause: ds.shared(items, byCause, "causes"), node: ds.shared(items, byNode, "nodes"),
		time: f.stamp(ds, ds.latest(items), c.times), summary: present.Sentence(first),
	}
	name := ""
	switch {
	case g.incident != none:
		in := &ds.report.Incidents[g.incident]
		x.where, x.cause, x.summary = open+incidentPlace(in, len(items), c.where-2), in.Cause, in.Summary
		x.time = f.stamp(ds, in.Start, c.times)
		return x
	case t.by == byRoot:
		x.where = open + f.subject(ds, first, c.where-2-ansi.StringWidth(times)) + times
		return x
	case t.by == byCause:
		name = ds.shared(items, byWorkload, "workloads")
	default:
		name = t.partition().names[r.group]
	}
	x.where = open + ansi.Truncate(name, max(c.where-2-ansi.StringWidth(times), 1), f.look.Glyphs.Ellipsis) + times
	return x
}

// incidentPlace says how many restarts of an incident are listed, and where, shorter
// where there is no room for all of it.
func incidentPlace(in *report.Incident, items, width int) string {
	if in.Node == "" {
		return present.Count(items, "restart")
	}
	if long := present.Count(items, "restart") + " on " + in.Node; len(long) <= width {
		return long
	}
	return strconv.Itoa(items) + " on " + in.Node
}

// subject names an item in at most width cells. The pod's name gives way first,
// then the namespace: the container says the most.
func (f *frame) subject(ds *dataset, it *report.Item, width int) string {
	lead, tail := it.Namespace+"/", "/"+it.Container
	if ds.namespace != "" {
		lead = ""
	}
	room := width - ansi.StringWidth(lead) - ansi.StringWidth(tail)
	if room < min(8, ansi.StringWidth(it.Pod)) {
		lead, room = "", room+ansi.StringWidth(lead)
	}
	if room < 4 {
		return ansi.Truncate(it.Pod+tail, max(width, 1), f.look.Glyphs.Ellipsis)
	}
	return lead + ansi.Truncate(it.Pod, room, f.look.Glyphs.Ellipsis) + tail
}

// stamp renders a time for a table: an age, or the time in UTC, with its date unless
// all are of one day.
func (f *frame) stamp(ds *dataset, t *time.Time, k timeForm) string {
	layouts := [...]string{"01-02 15:04:05", "01-02 15:04"}
	if ds.day != "" {
		layouts = [...]string{time.TimeOnly, "15:04"}
	}
	switch {
	case t == nil:
		return f.look.Glyphs.Dash
	case k == asAge:
		return age(ds.report.GeneratedAt.Sub(*t))
	}
	return t.UTC().Format(layouts[k])
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
