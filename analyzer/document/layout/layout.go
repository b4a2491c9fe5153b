// Package layout breaks a document into lines of a given width: headings, paragraphs, lists with hanging labels, tables
// in columns, folds. The text output and the viewer's pager share it; neither wraps by itself.
//
// It may import analyzer/document and the terminal's text libraries. What never enters: colours, keys, a cursor, and
// anything that knows a report.
package layout

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

// Options say how a page is laid out.
type Options struct {
	// Width is the number of cells of a line, 0 for no limit.
	Width int
	// Open reports whether a fold shows its blocks; number counts the page's folds from
	// 0. A nil Open opens all.
	Open func(f *document.Fold, number int) bool
	// Bullet, OpenFold and ClosedFold are glyphs, Closed is a text after a closed fold.
	Bullet, OpenFold, ClosedFold, Closed string
	// Whole keeps commands on one line, however long: a broken one cannot be copied.
	Whole bool
	// Ellipsis is the end of a cell that is cut: the last one of a row that has room for some of it.
	Ellipsis string
	// NoHeads leaves out the heads of tables.
	NoHeads bool
}

// Page is a document in lines.
type Page struct {
	Lines []document.Text
	Stops []Stop
	// Titles are the lines that are headings.
	Titles map[int]bool
}

// Stop is a group of lines where a cursor can be.
type Stop struct {
	First, End int
	Anchor     document.Anchor
	// Section says that it is the first below a heading.
	Section bool
	// Fold is the number of the fold that it opens and closes, -1 for none.
	Fold int
}

// indent is that of the blocks below a heading.
const indent = 2

// Gutter is the space between two columns, as in kubectl's tables.
const Gutter = 3

// leastText is the least width for a text next to its label; with less, it goes below.
const leastText = 30

type layouter struct {
	Options
	// write gets each line as soon as it is complete. The line is valid only until write returns.
	write   func(line document.Text, title bool)
	lines   int           // written so far
	blanked bool          // the last of them is empty
	title   bool          // the next is part of a heading's first line
	scratch document.Text // buffer for a line of a table
	stops   []Stop
	folds   int
	section bool
	depth   int // of folds that are no sections
	inside  int // of folds
}

// Lay breaks a document into lines.
func Lay(blocks []document.Block, o Options) Page {
	p := Page{Titles: map[int]bool{}}
	l := &layouter{Options: o, write: func(line document.Text, title bool) {
		if title {
			p.Titles[len(p.Lines)] = true
		}
		p.Lines = append(p.Lines, slices.Clone(line))
	}}
	l.blocks(blocks)
	p.Stops = l.stops
	return p
}

// Each passes the lines one by one: a table of a whole cluster is too long to hold in memory. A line is valid until
// write returns.
func Each(blocks []document.Block, o Options, write func(line document.Text, title bool)) {
	l := &layouter{Options: o, write: write}
	l.blocks(blocks)
}

func (l *layouter) line(line document.Text) {
	l.write(line, l.title)
	l.lines, l.blanked, l.title = l.lines+1, len(line) == 0, false
}

func (l *layouter) blocks(all []document.Block) {
	for _, b := range all {
		switch b := b.(type) {
		case document.Heading:
			l.heading(&b)
		case document.Paragraph:
			l.stop(b.Anchor, -1, func() { l.hang(nil, l.margin(), b.Text) })
		case document.List:
			l.list(&b)
		case document.Table:
			l.table(&b)
		case document.Fold:
			l.fold(&b)
		}
	}
}

func (l *layouter) margin() int { return indent * l.depth }

func (l *layouter) blank() {
	if l.lines > 0 && !l.blanked {
		l.line(nil)
	}
}

// stop makes a stop of the lines that write adds, if the anchor leads anywhere.
func (l *layouter) stop(a document.Anchor, fold int, write func()) {
	first := l.lines
	write()
	if a.Leads() || fold >= 0 {
		l.stops = append(l.stops, Stop{First: first, End: l.lines, Anchor: a, Section: l.section, Fold: fold})
		l.section = false
	}
}

func (l *layouter) heading(h *document.Heading) {
	l.blank()
	l.title = true
	l.hang(nil, l.margin(), h.Text)
	l.section = true
}

// hang writes a text after a label; further lines are indented below the first.
func (l *layouter) hang(label document.Text, column int, text document.Text) {
	room := 0
	if l.Width > 0 {
		room = max(l.Width-column, 1)
	}
	if l.Whole && len(text) > 0 && text[0].Style == document.Command {
		room = 0
	}
	for n, line := range Wrap(text, room) {
		lead := document.Text{}
		if n == 0 {
			lead = label
		}
		if pad := column - Width(lead); pad > 0 {
			lead = append(lead[:len(lead):len(lead)], document.Run{Text: strings.Repeat(" ", pad)})
		}
		if len(line) == 0 && len(label) == 0 {
			lead = nil
		}
		l.line(append(lead[:len(lead):len(lead)], line...))
	}
}

func (l *layouter) list(list *document.List) {
	margin := l.margin() + indent
	column, clock := margin, l.clockWidth(list)
	for n := range list.Entries {
		e := &list.Entries[n]
		switch list.Kind {
		case document.Fields:
			column = max(column, margin+Width(e.Label)+2)
		case document.Chain:
			column = max(column, margin+clock+Width(e.Label)+2)
		}
	}
	if l.Width > 0 && l.Width-column < leastText {
		column = margin + indent
	}
	for n := range list.Entries {
		e := &list.Entries[n]
		l.stop(e.Anchor, -1, func() { l.entry(list.Kind, e, margin, column, clock) })
	}
}

func (l *layouter) clockWidth(list *document.List) int {
	w := 0
	for n := range list.Entries {
		w = max(w, ansi.StringWidth(list.Entries[n].At)+2)
	}
	if w == 2 {
		return 0
	}
	return w
}

func (l *layouter) entry(kind document.ListKind, e *document.ListItem, margin, column, clock int) {
	lead := document.Text{{Text: strings.Repeat(" ", margin)}}
	text := e.Text
	switch kind {
	case document.Fields, document.Chain:
		if kind == document.Chain && clock > 0 {
			lead = append(lead,
				document.Run{Style: document.Faint, Text: e.At + strings.Repeat(" ", clock-ansi.StringWidth(e.At))})
		}
		for _, r := range e.Label {
			if r.Style == document.Plain {
				r.Style = document.Faint
			}
			lead = append(lead, r)
		}
		if Width(lead)+2 > column { // too narrow: the text goes below its label
			l.line(lead)
			lead = nil
		}
		l.hang(lead, column, text)
	default:
		mark := l.Bullet
		if e.Number > 0 {
			mark = "[" + strconv.Itoa(e.Number) + "]"
		}
		lead = append(lead, document.Run{Style: document.Faint, Text: mark + " "})
		column = Width(lead)
		if len(e.Label) > 0 && len(text) > 0 {
			text = append(append(e.Label[:len(e.Label):len(e.Label)], document.Run{Text: ": "}), text...)
		} else if len(text) == 0 {
			text = e.Label
		}
		l.hang(lead, column, text)
	}
	for _, below := range e.Below {
		if len(below) > 0 && below[0].Style == document.Command {
			l.hang(document.Text{{Text: strings.Repeat(" ", column)}, {Style: document.Faint, Text: "$ "}}, column+2, below)
			continue
		}
		l.hang(nil, column, below)
	}
}

func (l *layouter) fold(f *document.Fold) {
	number := l.folds
	l.folds++
	open := l.Open == nil || l.Open(f, number)
	mark, summary := l.OpenFold, f.Summary
	if !open {
		mark = l.ClosedFold
		if l.Closed != "" {
			summary = append(summary[:len(summary):len(summary)], document.Run{Style: document.Faint, Text: l.Closed})
		}
	}
	if f.Level > 0 {
		l.blank()
		l.title = true
		l.section = true
	}
	lead := document.Text{}
	if mark != "" {
		lead = document.Text{{Text: strings.Repeat(" ", l.margin()) + mark + " "}}
	}
	l.stop(f.Anchor, number, func() { l.hang(lead, max(l.margin(), Width(lead)), summary) })
	if !open {
		l.folds += document.Folds(f.Blocks) // keeps the numbers of later folds the same
		return
	}
	l.inside++
	defer func() { l.inside-- }()
	if f.Level == 0 {
		l.depth++
		defer func() { l.depth-- }()
	}
	l.blocks(f.Blocks)
}
