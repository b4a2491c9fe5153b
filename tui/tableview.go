package tui

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

const (
	// previewFrom is the height from which a list always leaves room for a look at what
	// is under the cursor.
	previewFrom = 28
	// spare is how many empty lines below a short list are better used for one.
	spare = 8
	// sentenceLines is how much of it there is where the list needs its room.
	sentenceLines = 2
)

// previewHeight is how many lines show what the cursor is on, below a list of so
// many rows that begins below so many lines.
func (f *frame) previewHeight(above, rows int) int {
	free := f.body - above - rows - 1 // the rule between the two
	switch {
	case f.height >= previewFrom:
		return max((f.body-2)/2, free)
	case free >= spare-1:
		return free
	}
	return sentenceLines
}

// listHeight is how many rows of a list fit below as many lines of something else.
func (f *frame) listHeight(above, rows int) int {
	return max(f.body-above-f.previewHeight(above, rows)-1, 1)
}

// resize gives the table what room there is below as many lines of something else.
func (t *table) resize(f *frame, above int) { t.Set(len(t.rows), f.listHeight(above+1, len(t.rows))) }

// draw draws the names of the columns, the rows in view, and a look at what
// the cursor is on, below as many lines of something else.
func (t *table) draw(f *frame, above int) []string {
	c := t.columns(f.width)
	lines := []string{f.header(c)}
	from, to := t.Window()
	for i := from; i < to; i++ {
		lines = append(lines, f.rowLine(c, t.cells(f, t.rows[i], c), i == t.Cursor))
	}
	if len(t.rows) == 0 {
		lines = append(lines, f.row(f.look.Muted.Render(t.nothing()), false))
	}
	room := f.previewHeight(above+1, len(t.rows))
	return f.below(lines, f.body-above, room, f.marks(c), t.preview(f, room))
}

// below puts a look at what the cursor is on under a list, and a legend between the two: height lines in all.
func (f *frame) below(lines []string, height, room int, legend string, look []string) []string {
	g := f.look.Glyphs
	if len(look) == 0 {
		return pane.Fill(lines, height)
	}
	rule := strings.Repeat(g.Rule, pane.Gutter) + legend
	rule += strings.Repeat(g.Rule, max(f.width-pane.Width(rule), 0))
	lines = append(pane.Fill(lines, height-room-1), f.look.Muted.Render(rule))
	if len(look) > room && room > sentenceLines {
		look = append(slices.Clone(look[:room-1]), "  "+f.look.Muted.Render(g.Ellipsis+" enter shows all"))
	}
	return pane.Fill(append(lines, look...), height)
}

func (t *table) cells(f *frame, r row, c columns) cells {
	if r.item != none {
		return f.itemCells(t.ds, r.item, c)
	}
	return t.groupCells(f, r, c)
}

func (t *table) nothing() string {
	switch {
	case !t.filter.empty():
		return "no restart matches the filter; esc drops it"
	case len(t.ds.report.Gaps) > 0:
		return "no restarts in the evidence; m lists what is missing"
	}
	return "no restarts"
}

// preview shows what the row under the cursor opens to, in so many lines.
func (t *table) preview(f *frame, room int) []string {
	r, ok := t.selected()
	switch {
	case !ok:
		return nil
	case r.item != none:
		blocks := present.Answer(&t.ds.report.Items[r.item], t.ds.find, present.ItemOptions{Level: 2, When: true})
		if room <= sentenceLines {
			blocks = blocks[1:2] // the sentence: the rest of the answer is in the row
		}
		return f.draw(blocks...)
	case room <= sentenceLines:
		return f.draw(document.Para(t.groupCells(f, r, t.columns(f.width)).summary))
	case t.by == byRoot && t.partition().groups[r.group].incident == none:
		return f.draw(t.newest(r)...)
	}
	cause := t.ds.shared(t.items(r), byCause, "causes")
	list := document.List{Kind: document.Fields}
	for n, i := range t.items(r) {
		if n == room {
			break
		}
		it := &t.ds.report.Items[i]
		at, word := document.Say(f.stamp(t.ds, it.Time, toSeconds)), document.Word(string(it.Verdict.Confidence))
		text := f.subject(t.ds, it, max(f.text-40, 20))
		if it.Verdict.Cause != cause { // else it is said above
			text += "  " + it.Verdict.Cause
		}
		list.Entries = append(list.Entries, document.ListItem{Label: document.Join("  ", at, word), Text: document.Say(text)})
	}
	return f.draw(append(t.groupBlocks(r), document.Title(2, "Enter lists them"), list)...)
}

// newest is the answer for the newest of one container's restarts for one cause: the others are like it.
func (t *table) newest(r row) []document.Block {
	items := t.items(r)
	blocks := present.Answer(&t.ds.report.Items[items[0]], t.ds.find, present.ItemOptions{Level: 2, When: true})
	of := make([]*report.Item, len(items))
	for n, i := range items {
		of[n] = &t.ds.report.Items[i]
	}
	count := "the newest of " + strconv.Itoa(len(items)) + " (" + present.Tally(of).String() + "); enter lists them"
	return slices.Insert(blocks, 3, document.Block(document.Note(count)))
}

func (t *table) groupBlocks(r row) []document.Block {
	g, items := &t.partition().groups[r.group], t.members[r.group]
	name := t.ds.report.Items[items[0]].Verdict.Cause
	restarts := present.Count(len(items), "restart")
	var lines []document.Text
	switch {
	case g.incident != none:
		in := &t.ds.report.Incidents[g.incident]
		name = in.Cause
		lines = append(lines, document.Say(in.Summary))
		if in.Start != nil && in.End != nil {
			lasted := present.Stamp(in.Start) + " to " + in.End.UTC().Format("15:04:05Z")
			lines = append(lines, document.In(document.Faint, lasted))
		}
	case t.by == byRoot:
		lines = append(lines, document.Say(present.Sentence(&t.ds.report.Items[items[0]])),
			document.In(document.Faint, present.Count(len(items), "time")+", this is the newest"))
	case t.by == byCause:
		lines = append(lines, document.Say(restarts))
	default:
		name = t.partition().names[r.group]
		lines = append(lines, document.Say(restarts+", "+t.ds.shared(items, byCause, "causes")))
	}
	of := make([]*report.Item, len(items))
	for n, i := range items {
		of[n] = &t.ds.report.Items[i]
	}
	head := present.Tally(of)
	if name != head.String() { // "unknown" is said once
		head = document.Join("  ", document.In(document.Strong, name), head)
	}
	out := []document.Block{document.Paragraph{Text: head}}
	for _, l := range lines {
		out = append(out, document.Paragraph{Text: l})
	}
	return out
}

func (t *table) press(f *frame, msg tea.KeyPressMsg) asks {
	switch k := &f.keys; {
	case key.Matches(msg, k.Open, k.Right):
		return t.open()
	case key.Matches(msg, k.Filter):
		t.typed.Begin()
	case t.drops(k, msg):
		return asks{t.drop(), changed{}}
	case key.Matches(msg, k.Group):
		if t.by == byRoot {
			return asks{notice("this list is grouped already; 2 lists every restart, b groups them")}
		}
		by := groupings[(slices.Index(groupings, t.by)+1)%len(groupings)]
		said := notice("grouped by " + by.String())
		if by == byItem {
			said = "one row for each restart"
		}
		return asks{said, t.ask(by, t.order), changed{}}
	case key.Matches(msg, k.Sort):
		o := orders[(slices.Index(orders, t.order)+1)%len(orders)]
		return asks{notice("sorted by " + o.String()), t.ask(t.by, o)}
	default:
		a, ok := k.action(msg)
		return taken(ok && t.Do(a))
	}
	return asks{}
}

func (t *table) click(line int) asks {
	if t.Click(line - 1) {
		return t.open()
	}
	return nil
}

func (t *table) open() asks {
	r, ok := t.selected()
	switch {
	case !ok:
		return asks{}
	case r.item != none:
		return asks{pushed{newRestart(t.ds, r.item, t)}}
	}
	return asks{pushed{newGroupScreen(t, r)}}
}

func (t *table) position() string { return pager.Position(t.Top, t.N-t.Height) }

func (t *table) result() (count, keys string) {
	total := len(t.base)
	if t.base == nil {
		total = len(t.ds.report.Items)
	}
	count, keys = t.passed(t.found, total)
	if t.fuzzy && t.found > 0 {
		count += " by their letters"
	}
	return count, keys
}

func (t *table) edited(e prompt.Effect) tea.Cmd {
	switch e {
	case prompt.Dropped:
		return t.drop()
	case prompt.Changed:
		return t.ask(t.by, t.order)
	}
	return nil
}

// drop drops the filter. The row that was found stays under the cursor, among its
// neighbours.
func (t *table) drop() tea.Cmd {
	t.typed.Drop()
	if len(t.ds.all) > atOnce {
		return t.ask(t.by, t.order)
	}
	t.rebase(t.ds, t.base)
	return nil
}

func itemLine(it *report.Item) string {
	v := &it.Verdict
	name := it.Namespace + "/" + it.Pod + "/" + it.Container
	return name + ": " + v.Summary + " (" + v.Cause + ", " + string(v.Confidence) + ")"
}

func (t *table) here(f *frame) place {
	r, ok := t.selected()
	if !ok {
		return place{}
	}
	items := t.items(r)
	it := &t.ds.report.Items[items[0]]
	x := t.cells(f, r, t.columns(f.width))
	p := place{ds: t.ds, items: items, called: "the row", command: t.ds.itemCommand(it), cause: it.Verdict.Cause}
	if r.item != none {
		p.copied = itemLine(it)
		return p
	}
	p.cause = x.cause
	where := strings.TrimPrefix(x.where, f.look.Glyphs.Closed+" ")
	p.copied = where + ": " + x.cause + " (" + string(x.confidence) + ")"
	if g := &t.partition().groups[r.group]; g.incident != none {
		in := &t.ds.report.Incidents[g.incident]
		p.copied, p.command = in.Summary+" ("+in.Cause+", "+string(x.confidence)+")", t.ds.causeCommand(in)
	}
	return p
}
