package screens

import (
	"strconv"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// columns are the widths of a table's columns in cells; 0 leaves one out. The verdict comes first: it is what people
// look for.
type columns struct {
	confidence, cause, where, time, node, kind, summary int

	times timeForm
}

// timeForm is how a table writes times, longest first.
type timeForm int

const (
	toSeconds timeForm = iota
	toMinutes
	asAge
)

const (
	// sentence is the preferred width of the column of what happened. If necessary, other columns shrink for it.
	sentence = 32
	// leastWhere still fits the name of a container.
	leastWhere = 18
	// tableFrom is the minimum width for a column of what happened.
	tableFrom = 76
	// word fits a confidence with its glyph, glyph only the glyph.
	word, glyph = 10, 1
)

// columnsFor divides a width. No column is wider than its content. What shrinks first is what the screen of a restart
// shows anyway. day reports whether all times are on one day, ages whether an age is as informative as a time.
func columnsFor(width int, w dataset.Widest, day, ages bool) columns {
	c := columns{confidence: word, where: max(5, min(w.Where, 38))}
	if w.Cause > 0 {
		c.cause = max(5, min(w.Cause, 30))
	}
	if w.Nodes {
		c.node = max(4, min(w.Node, 16))
	}
	if w.Kinds {
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
		func() { c.confidence = glyph }, // the line below the list explains the glyphs
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

// used is the width of all columns but the last, each with a space after it.
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
	r := t.Data.Report
	w := t.Widest()
	if t.oneCause {
		w.Cause = 0
	}
	return columnsFor(width, w, t.Data.Day != "", len(r.Scope.From) == 0 && !r.GeneratedAt.IsZero())
}

type cells struct {
	confidence report.Confidence
	word       string // next to the confidence's glyph
	cause      string
	where      string
	time       string
	node       string
	kind       string
	summary    string
}

// line renders one row from plain cells, which may be too long.
func (c columns) line(f *screen.Frame, confidence string, x cells, first, second *lipgloss.Style) string {
	col := screen.Col
	return f.Line(col(confidence, c.confidence).In(first), col(x.cause, c.cause).In(second), col(x.where, c.where),
		col(x.time, c.time), col(x.node, c.node), col(x.kind, c.kind), col(x.summary, c.summary))
}

func header(f *screen.Frame, c columns) string {
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
	return f.Look.Muted.Render(f.Row(c.line(f, head, x, nil, nil), false))
}

func rowLine(f *screen.Frame, c columns, x cells, selected bool) string {
	style, mark := confidence(&f.Look, x.confidence)
	if c.confidence == word {
		mark += " " + x.word
	}
	if selected {
		return f.Row(c.line(f, mark, x, nil, nil), true)
	}
	return f.Row(c.line(f, mark, x, &style, &f.Look.Strong), false)
}

// marks explains the glyphs of the rows where the rows do not; else it is "".
func marks(f *screen.Frame, c columns) string {
	if c.confidence == word {
		return ""
	}
	out := ""
	for _, w := range present.Confidences() {
		_, mark := confidence(&f.Look, w)
		out += " " + mark + " " + string(w) + " "
	}
	return out
}

func itemCells(f *screen.Frame, ds *dataset.Dataset, i int32, c columns) cells {
	it := &ds.Report.Items[i]
	return cells{
		confidence: it.Verdict.Confidence, word: string(it.Verdict.Confidence), cause: it.Verdict.Cause,
		where: subject(f, ds, it, c.where), time: stamp(f, ds, it.Time, c.times), node: it.Node, kind: string(it.Kind),
		summary: present.Sentence(it),
	}
}

// groupCells are the cells of a group of items. The place leaves out what other columns show.
func (t *table) groupCells(f *screen.Frame, r dataset.Row, c columns) cells {
	ds, in, items := t.Data, t.Incident(r), t.Items(r)
	first := &ds.Report.Items[items[0]]
	weakest := ds.Weakest(items)
	open, times := f.Look.Glyphs.Closed+" ", ""
	if len(items) > 1 {
		times = " " + f.Look.Glyphs.Times + strconv.Itoa(len(items))
	}
	x := cells{
		confidence: weakest, word: string(weakest),
		cause: ds.Shared(items, dataset.ByCause, "causes"), node: ds.Shared(items, dataset.ByNode, "nodes"),
		time: stamp(f, ds, ds.Latest(items), c.times), summary: present.Sentence(first),
	}
	name := ""
	switch {
	case in != nil:
		x.where, x.cause, x.summary = open+dataset.IncidentPlace(in, len(items), c.where-2), in.Cause, in.Summary
		x.time = stamp(f, ds, in.Start, c.times)
		return x
	case t.By == dataset.ByRoot:
		x.where = open + subject(f, ds, first, c.where-2-ansi.StringWidth(times)) + times
		return x
	case t.By == dataset.ByCause:
		name = ds.Shared(items, dataset.ByWorkload, "workloads")
	default:
		name = t.Name(r)
	}
	x.where = open + ansi.Truncate(name, max(c.where-2-ansi.StringWidth(times), 1), f.Look.Glyphs.Ellipsis) + times
	return x
}

// subject names an item in at most width cells. The pod's name is cut first, then the namespace: the container is the
// most informative part.
func subject(f *screen.Frame, ds *dataset.Dataset, it *report.Item, width int) string {
	lead, tail := it.Namespace+"/", "/"+it.Container
	if ds.Namespace != "" {
		lead = ""
	}
	room := width - ansi.StringWidth(lead) - ansi.StringWidth(tail)
	if room < min(8, ansi.StringWidth(it.Pod)) {
		lead, room = "", room+ansi.StringWidth(lead)
	}
	if room < 4 {
		return ansi.Truncate(it.Pod+tail, max(width, 1), f.Look.Glyphs.Ellipsis)
	}
	return lead + ansi.Truncate(it.Pod, room, f.Look.Glyphs.Ellipsis) + tail
}

// stamp renders a time for a table: an age, or the time in UTC, with its date unless all are on one day.
func stamp(f *screen.Frame, ds *dataset.Dataset, t *time.Time, k timeForm) string {
	layouts := [...]string{"01-02 15:04:05", "01-02 15:04"}
	if ds.Day != "" {
		layouts = [...]string{time.TimeOnly, "15:04"}
	}
	switch {
	case t == nil:
		return f.Look.Glyphs.Dash
	case k == asAge:
		return duration.ShortHumanDuration(max(ds.Report.GeneratedAt.Sub(*t), 0))
	}
	return t.UTC().Format(layouts[k])
}

// confidence returns the style and the glyph of a confidence. Colour is never the only indicator: each has a glyph and
// a word as well.
func confidence(l *style.Theme, c report.Confidence) (lipgloss.Style, string) {
	g := &l.Glyphs
	switch c {
	case report.Proven:
		return l.Good, g.Proven
	case report.Likely:
		return l.Likely, g.Likely
	case report.Possible:
		return l.Warn, g.Possible
	}
	return l.Bad, g.Unknown
}
