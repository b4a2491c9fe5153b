package screens

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

// resize gives the table the room below that many other lines.
func (t *table) resize(f *screen.Frame, above int) {
	t.Set(len(t.Listed), f.ListHeight(above+1, len(t.Listed)))
}

// draw draws the names of the columns, the rows in view, and a preview, below that many other lines.
func (t *table) draw(f *screen.Frame, above int) []string {
	c := t.columns(f.Width)
	lines := []string{header(f, c)}
	from, to := t.Window()
	for i := from; i < to; i++ {
		lines = append(lines, rowLine(f, c, t.cells(f, t.Listed[i], c), i == t.Cursor))
	}
	if len(t.Listed) == 0 {
		lines = append(lines, f.Row(f.Look.Muted.Render(t.nothing()), false))
	}
	room := f.PreviewHeight(above+1, len(t.Listed))
	return f.Below(lines, f.Body-above, room, marks(f, c), t.preview(f, room))
}

func (t *table) cells(f *screen.Frame, r dataset.Row, c columns) cells {
	if r.Item != dataset.None {
		return itemCells(f, t.Data, r.Item, c)
	}
	return t.groupCells(f, r, c)
}

func (t *table) nothing() string {
	switch {
	case t.Filtered():
		return "no restart matches the filter; esc drops it"
	case len(t.Data.Report.Gaps) > 0:
		return "no restarts in the evidence; m lists what is missing"
	}
	return "no restarts"
}

// preview shows, in so many lines, what the row under the cursor opens.
func (t *table) preview(f *screen.Frame, room int) []string {
	r, ok := t.selected()
	switch {
	case !ok:
		return nil
	case r.Item != dataset.None:
		blocks := present.Answer(&t.Data.Report.Items[r.Item], t.Data.Find, present.ItemOptions{Level: 2, When: true})
		if room <= screen.SentenceLines {
			blocks = blocks[1:2] // only the sentence: the rest of the answer is in the row
		}
		return f.Draw(blocks...)
	case room <= screen.SentenceLines:
		return f.Draw(document.Para(t.groupCells(f, r, t.columns(f.Width)).summary))
	case t.By == dataset.ByRoot && t.Incident(r) == nil:
		return f.Draw(t.newest(r)...)
	}
	cause := t.Data.Shared(t.Items(r), dataset.ByCause, "causes")
	list := document.List{Kind: document.Fields}
	for n, i := range t.Items(r) {
		if n == room {
			break
		}
		it := &t.Data.Report.Items[i]
		at, word := document.Say(stamp(f, t.Data, it.Time, toSeconds)), document.Word(string(it.Verdict.Confidence))
		text := subject(f, t.Data, it, max(f.Text-40, 20))
		if it.Verdict.Cause != cause { // else it is shown above
			text += "  " + it.Verdict.Cause
		}
		list.Entries = append(list.Entries, document.ListItem{Label: document.Join("  ", at, word), Text: document.Say(text)})
	}
	return f.Draw(append(t.groupBlocks(r), document.Title(2, "Enter lists them"), list)...)
}

// newest is the answer for the newest of one container's restarts for one cause: the others are alike.
func (t *table) newest(r dataset.Row) []document.Block {
	items := t.Items(r)
	blocks := present.Answer(&t.Data.Report.Items[items[0]], t.Data.Find, present.ItemOptions{Level: 2, When: true})
	count := "the newest of " + strconv.Itoa(len(items)) + " (" + t.tally(items).String() + "); enter lists them"
	return slices.Insert(blocks, 3, document.Block(document.Note(count)))
}

// tally counts the confidences of some items.
func (t *table) tally(items []int32) document.Text {
	of := make([]*report.Item, len(items))
	for n, i := range items {
		of[n] = &t.Data.Report.Items[i]
	}
	return present.Tally(of)
}

func (t *table) groupBlocks(r dataset.Row) []document.Block {
	in, items := t.Incident(r), t.Items(r)
	name := t.Data.Report.Items[items[0]].Verdict.Cause
	restarts := report.Count(len(items), "restart")
	var lines []document.Block
	switch {
	case in != nil:
		name = in.Cause
		lines = append(lines, document.Para(in.Summary))
		if in.Start != nil && in.End != nil {
			lines = append(lines, document.Note(present.Stamp(in.Start)+" to "+in.End.UTC().Format("15:04:05Z")))
		}
	case t.By == dataset.ByRoot:
		lines = append(lines, document.Para(present.Sentence(&t.Data.Report.Items[items[0]])),
			document.Note(report.Count(len(items), "time")+", this is the newest"))
	case t.By == dataset.ByCause:
		lines = append(lines, document.Para(restarts))
	default:
		name = t.Name(r)
		lines = append(lines, document.Para(restarts+", "+t.Data.Shared(items, dataset.ByCause, "causes")))
	}
	head := t.tally(items)
	if name != head.String() { // "unknown" is shown once
		head = document.Join("  ", document.In(document.Strong, name), head)
	}
	return append([]document.Block{document.Paragraph{Text: head}}, lines...)
}

func (t *table) Press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	switch k := &f.Keys; {
	case key.Matches(msg, k.Open, k.Right):
		return t.open()
	case key.Matches(msg, k.Filter):
		t.typed.Begin()
	case key.Matches(msg, k.Back, k.Left) && t.typed.Text() != "":
		return screen.Asks{t.drop(), screen.Changed{}}
	case key.Matches(msg, k.Group):
		if t.By == dataset.ByRoot {
			return screen.Say("this list is grouped already; 2 lists every restart, b groups them")
		}
		by := t.By.Next()
		said := screen.Notice("grouped by " + by.String())
		if by == dataset.ByItem {
			said = "one row for each restart"
		}
		return screen.Asks{said, t.ask(by), screen.Changed{}}
	default:
		a, ok := k.Action(msg)
		return screen.Taken(ok && t.Do(a))
	}
	return screen.Asks{}
}

func (t *table) Click(_ *screen.Frame, line int) screen.Asks {
	if t.Rows.Click(line - 1) {
		return t.open()
	}
	return nil
}

func (t *table) open() screen.Asks {
	r, ok := t.selected()
	switch {
	case !ok:
		return screen.Asks{}
	case r.Item != dataset.None:
		return screen.Push(restartOf(t, r.Item))
	}
	return screen.Push(newGroupScreen(t, r))
}

func (t *table) Typist() screen.Typist { return t }

func (t *table) Body(f *screen.Frame) []string { return t.draw(f, 0) }

func (t *table) Position() string { return pager.Position(t.Top, t.N-t.Height) }

// Line returns the input of the filter.
func (t *table) Line() *prompt.Input { return &t.typed }

// Result returns how many items pass the filter, and which keys are available.
func (t *table) Result() (count, keys string) {
	keys = "esc drops the filter"
	if t.typed.Typing() {
		keys = "enter keeps, esc drops it"
	}
	return strconv.Itoa(t.Found) + " of " + strconv.Itoa(t.Total()), keys
}

func (t *table) Edited(e prompt.Effect) tea.Cmd {
	switch e {
	case prompt.Dropped:
		return t.drop()
	case prompt.Changed:
		return t.ask(t.By)
	}
	return nil
}

// drop drops the filter. The cursor stays on its row, now among its neighbours.
func (t *table) drop() tea.Cmd {
	t.typed.Drop()
	if len(t.Data.Report.Items) > atOnce {
		return t.ask(t.By)
	}
	t.Rebase(t.Data, t.Base)
	return nil
}

func itemLine(it *report.Item) string {
	v := &it.Verdict
	name := it.Namespace + "/" + it.Pod + "/" + it.Container
	return name + ": " + v.Summary + " (" + v.Cause + ", " + string(v.Confidence) + ")"
}

func (t *table) Here(f *screen.Frame) screen.Selection {
	r, ok := t.selected()
	if !ok {
		return screen.Selection{}
	}
	items := t.Items(r)
	it := &t.Data.Report.Items[items[0]]
	x := t.cells(f, r, t.columns(f.Width))
	p := screen.Selection{
		Data: t.Data, Items: items, Called: "the row", Command: t.Data.ItemCommand(it), Cause: it.Verdict.Cause,
	}
	if r.Item != dataset.None {
		p.Copied = itemLine(it)
		return p
	}
	p.Cause = x.cause
	where := strings.TrimPrefix(x.where, f.Look.Glyphs.Closed+" ")
	p.Copied = where + ": " + x.cause + " (" + string(x.confidence) + ")"
	if in := t.Incident(r); in != nil {
		p.Copied, p.Command = in.Summary+" ("+in.Cause+", "+string(x.confidence)+")", t.Data.CauseCommand(in)
	}
	return p
}

// groupScreen lists the restarts of one group below what they have in common.
type groupScreen struct {
	panes // one, without a name
	key   string
	from  table // the original table with the group as a row
	row   dataset.Row
	head  []string
	items *table
}

func newGroupScreen(t *table, r dataset.Row) *groupScreen {
	items := newTable(t.Data, dataset.ByItem, t.Items(r))
	items.oneCause = t.Data.Shared(items.Base, dataset.ByCause, "") == t.Data.Report.Items[items.Base[0]].Verdict.Cause
	return &groupScreen{panes: panesOf(nil, items), key: t.Anchor(r), from: *t, row: r, items: items}
}

func (s *groupScreen) Title(f *screen.Frame) string {
	return strings.TrimPrefix(s.from.groupCells(f, s.row, columns{where: f.Width}).where, f.Look.Glyphs.Closed+" ")
}

// Rebase finds the group again in a newer dataset. A group that is gone keeps its content.
func (s *groupScreen) Rebase(ds *dataset.Dataset) tea.Cmd {
	t := newTable(ds, s.from.By, nil)
	for _, r := range t.Listed {
		if r.Item == dataset.None && t.Anchor(r) == s.key {
			s.from, s.row = *t, r
			s.items.Rebase(ds, t.Items(r))
			return nil
		}
	}
	return nil
}

func (s *groupScreen) Lay(f *screen.Frame) {
	s.head = f.Draw(s.from.groupBlocks(s.row)...)
	s.items.resize(f, len(s.head)+1)
}

func (s *groupScreen) Body(f *screen.Frame) []string {
	lines := append(append([]string{}, s.head...), "")
	return append(lines, s.items.draw(f, len(lines))...)
}

func (s *groupScreen) Click(f *screen.Frame, line int) screen.Asks {
	return s.items.Click(f, line-len(s.head)-1)
}

func (s *groupScreen) Hints(k *screen.KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Back, k.Filter, k.Group, k.Explain}
}
