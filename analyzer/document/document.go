// Package document holds what a person reads, independent of the output format: headings, paragraphs, lists, tables,
// folds and timelines. Package present makes a Doc from a report; text, Markdown, HTML and the viewer render it, each
// in one place.
//
// It holds data only and imports nothing of the project. What never enters: texts about restarts (present), colours,
// widths, escaping (the renderers).
package document

import (
	"iter"
	"time"
)

// Doc is a page: blocks in the order in which they are read.
type Doc struct {
	Blocks []Block
}

// Add appends blocks.
func (d *Doc) Add(blocks ...Block) { d.Blocks = append(d.Blocks, blocks...) }

// Block is one of Heading, Paragraph, List, Table, Fold and Timeline.
type Block interface{ block() }

// Anchor is what a place of a page links to. The zero Anchor links nowhere; a cursor stops at the others.
type Anchor struct {
	// ID is the place's own address within the page.
	ID string
	// Evidence are the ids that the text rests on.
	Evidence []string
	// Cause is the entry of the catalogue that explains the text.
	Cause string
	// Copy is what a reader copies instead of the text: a command, a line.
	Copy string
	// Opens names what a viewer shows next, in the viewer's own terms.
	Opens string
}

// Leads reports whether a cursor has a reason to stop here.
func (a *Anchor) Leads() bool {
	return len(a.Evidence) > 0 || a.Cause != "" || a.Copy != "" || a.Opens != ""
}

// Heading begins a section. Level 1 is the title of the page.
type Heading struct {
	Level int
	Text  Text
}

// Paragraph is running text.
type Paragraph struct {
	Text   Text
	Anchor Anchor
}

// ListKind says how the entries of a list relate to each other.
type ListKind int

// The kinds of lists.
const (
	Bullets  ListKind = iota
	Numbered          // the numbers are cited elsewhere
	Fields            // each label names its text
	Chain             // each led to the next: the role is the label, and there is a time
)

// List is several entries of one kind.
type List struct {
	Kind    ListKind
	Entries []ListItem
}

// ListItem is one entry of a list, with what belongs below it.
type ListItem struct {
	// Label is the name of a field, the role of a link, the word that an entry begins with; empty for most bullets.
	Label Text
	// Number is that of an entry of a numbered list, 0 for one that is not cited.
	Number int
	// At is when a link of a chain happened, "" where unknown.
	At     string
	Text   Text
	Below  []Text
	Anchor Anchor
}

// Table is rows below heads. Its last column takes the remaining width and is cut where that is too little.
type Table struct {
	Heads []string
	Rows  []Row
	// Prose says that the last column must be shown in full: it is wrapped below instead.
	Prose bool
	// More says what is left out, "" where nothing is.
	More string
}

// Row is one row of a table.
type Row struct {
	Cells  []Text
	Anchor Anchor
}

// Fold is a part of a page that is shown on demand.
type Fold struct {
	// Level is that of its summary as a heading; 0 where it is none.
	Level   int
	Summary Text
	// Open says that it is shown unless folded.
	Open   bool
	Blocks []Block
	Anchor Anchor
}

// Timeline is lanes over a period. Renderers without pictures leave it out.
type Timeline struct {
	Label      string
	Start, End time.Time
	Lanes      []Lane
	Caption    string
}

// Lane is one row of a timeline.
type Lane struct {
	Name  string
	Spans []Span
	Marks []Mark
}

// Span is something that lasts; a nil end is open.
type Span struct {
	From, To *time.Time
	Text     string
	Bad      bool
}

// Mark is something that happened at one moment.
type Mark struct {
	At       time.Time
	Text     string
	Decisive bool
	// Number is that of the evidence on the same page; 0 for none.
	Number int
}

func (Heading) block()   {}
func (Paragraph) block() {}
func (List) block()      {}
func (Table) block()     {}
func (Fold) block()      {}
func (Timeline) block()  {}

// Folds returns the number of folds in blocks, including nested ones.
func Folds(blocks []Block) int {
	n := 0
	for _, b := range blocks {
		if f, ok := b.(Fold); ok {
			n += 1 + Folds(f.Blocks)
		}
	}
	return n
}

// Texts returns those of a block, without those within a fold.
func Texts(b Block) iter.Seq[Text] {
	return func(yield func(Text) bool) {
		ok := true
		say := func(all ...Text) {
			for _, t := range all {
				ok = ok && yield(t)
			}
		}
		switch b := b.(type) {
		case Heading:
			say(b.Text)
		case Paragraph:
			say(b.Text)
		case Fold:
			say(b.Summary)
		case List:
			for i := range b.Entries {
				say(b.Entries[i].Label, b.Entries[i].Text)
				say(b.Entries[i].Below...)
			}
		case Table:
			for _, r := range b.Rows {
				say(r.Cells...)
			}
			say(Say(b.More))
		}
	}
}
