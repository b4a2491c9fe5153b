package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
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
func (m *model) previewHeight(above, rows int) int {
	free := m.layout.body - above - rows - 1 // the rule between the two
	switch {
	case m.layout.height >= previewFrom:
		return max((m.layout.body-2)/2, free)
	case free >= spare-1:
		return free
	}
	return sentenceLines
}

// listHeight is how many rows of a list fit below as many lines of something else.
func (m *model) listHeight(above, rows int) int {
	return max(m.layout.body-above-m.previewHeight(above, rows)-1, 1)
}

// resizeTable gives a table what room there is below as many lines of something else.
func (m *model) resizeTable(t *table, above int) { t.resize(m.listHeight(above+1, len(t.rows))) }

// drawTable draws the names of the columns, the rows in view, and a look at what
// the cursor is on, below as many lines of something else.
func (m *model) drawTable(t *table, above int) []string {
	c := m.columnsOf(t)
	lines := []string{m.header(c)}
	from, to := t.window()
	for i := from; i < to; i++ {
		lines = append(lines, m.rowLine(c, m.cellsOf(t, t.rows[i], c), i == t.cursor))
	}
	if len(t.rows) == 0 {
		lines = append(lines, "  "+m.theme.muted.Render(pad(m.nothing(t), m.layout.width-gutter, m.theme.glyphs)))
	}
	room := m.previewHeight(above+1, len(t.rows))
	return m.below(lines, m.layout.body-above, room, m.preview(t, room))
}

// below puts a look at what the cursor is on under a list: height lines in all.
func (m *model) below(lines []string, height, room int, look []string) []string {
	g := m.theme.glyphs
	if len(look) == 0 {
		return fill(lines, height)
	}
	lines = append(fill(lines, height-room-1), m.theme.muted.Render(strings.Repeat(g.rule, m.layout.width)))
	if len(look) > room && room > sentenceLines {
		look = append(slices.Clone(look[:room-1]), "  "+m.theme.muted.Render(g.ellipsis+" enter shows all"))
	}
	return fill(append(lines, look...), height)
}

func (m *model) cellsOf(t *table, r row, c columns) cells {
	if r.item != none {
		return m.itemCells(t.ds, r.item, c)
	}
	return m.groupCells(t, r, c)
}

// nothing says why a table is empty.
func (m *model) nothing(t *table) string {
	switch {
	case !t.filter.empty():
		return "no restart matches the filter; esc drops it"
	case len(m.ds.report.Gaps) > 0:
		return "nothing restarted here, as far as the evidence reaches; m lists what is missing"
	}
	return "nothing restarted here"
}

// preview shows what the row under the cursor opens to, in so many lines.
func (m *model) preview(t *table, room int) []string {
	r, ok := t.selected()
	switch {
	case !ok:
		return nil
	case r.item != none:
		blocks := present.Answer(&t.ds.report.Items[r.item], t.ds.find, present.ItemOptions{Level: 2, When: true})
		if room <= sentenceLines {
			blocks = blocks[1:2] // the sentence: the rest of the answer is in the row
		}
		return m.draw(blocks...)
	case room <= sentenceLines:
		return m.draw(document.Paragraph{Text: document.Say(m.groupCells(t, r, m.columnsOf(t)).summary)})
	}
	cause := t.ds.shared(t.items(r), byCause, "causes")
	list := document.List{Kind: document.Fields}
	for n, i := range t.items(r) {
		if n == room {
			break
		}
		it := &t.ds.report.Items[i]
		label := document.Join("  ", document.Say(m.stamp(t.ds, it.Time, toSeconds)), document.Word(string(it.Verdict.Confidence)))
		text := m.subject(t.ds, it, max(m.layout.text-40, 20))
		if it.Verdict.Cause != cause { // else it is said above
			text += "  " + it.Verdict.Cause
		}
		list.Entries = append(list.Entries, document.Entry{Label: label, Text: document.Say(text)})
	}
	return m.draw(append(m.groupBlocks(t, r), document.Heading{Level: 2, Text: document.Say("Enter lists them")}, list)...)
}

// groupBlocks say what the restarts of a group share.
func (m *model) groupBlocks(t *table, r row) []document.Block {
	g, items := &t.partition().groups[r.group], t.members[r.group]
	name := t.ds.report.Items[items[0]].Verdict.Cause
	restarts := counted(len(items), "restart")
	var lines []document.Text
	switch {
	case g.incident != none:
		in := &t.ds.report.Incidents[g.incident]
		name = in.Cause
		lines = append(lines, document.Say(in.Summary))
		if in.Start != nil && in.End != nil {
			lines = append(lines, document.In(document.Faint, present.Stamp(in.Start)+" to "+in.End.UTC().Format("15:04:05Z")))
		}
	case t.by == byRoot:
		lines = append(lines, document.Say(present.Sentence(&t.ds.report.Items[items[0]])), document.In(document.Faint, counted(len(items), "time")+", this is the newest"))
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

// pressTable answers the keys of a table.
func (m *model) pressTable(t *table, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := &m.keys; {
	case key.Matches(msg, k.Open, k.Right):
		return m.openRow(t), true
	case key.Matches(msg, k.Filter):
		t.prompt.typing = true
	case key.Matches(msg, k.Back, k.Left):
		if t.prompt.text == "" {
			return nil, false
		}
		cmd := t.drop()
		m.top().lay(m)
		return cmd, true
	case key.Matches(msg, k.Group):
		if t.by == byRoot {
			m.status = "these are groups already; 2 lists every restart, b groups those"
			return nil, true
		}
		by := groupings[(slices.Index(groupings, t.by)+1)%len(groupings)]
		m.status = "grouped by " + by.String()
		if by == byItem {
			m.status = "every restart is a row of its own"
		}
		cmd := t.ask(by, t.order)
		m.top().lay(m)
		return cmd, true
	case key.Matches(msg, k.Sort):
		o := orders[(slices.Index(orders, t.order)+1)%len(orders)]
		m.status = "sorted by " + o.String()
		return t.ask(t.by, o), true
	default:
		return nil, t.list.press(k, msg)
	}
	return nil, true
}

func (m *model) clickTable(t *table, line int) tea.Cmd {
	if t.list.click(line - 1) {
		return m.openRow(t)
	}
	return nil
}

// openRow goes into the row under the cursor.
func (m *model) openRow(t *table) tea.Cmd {
	r, ok := t.selected()
	switch {
	case !ok:
		return nil
	case r.item != none:
		return m.openItem(t, r.item)
	}
	m.push(newGroupScreen(t, r))
	return nil
}

// itemLine is a verdict in one line.
func itemLine(it *report.Item) string {
	return it.Namespace + "/" + it.Pod + "/" + it.Container + ": " + it.Verdict.Summary + " (" + it.Verdict.Cause + ", " + string(it.Verdict.Confidence) + ")"
}

// rowHere is what the row under the cursor stands for.
func (m *model) rowHere(t *table) place {
	r, ok := t.selected()
	if !ok {
		return place{}
	}
	items := t.items(r)
	it := &t.ds.report.Items[items[0]]
	x := m.cellsOf(t, r, m.columnsOf(t))
	p := place{items: items, called: "the row", command: m.itemCommand(it), cause: it.Verdict.Cause}
	if r.item != none {
		p.copied = itemLine(it)
		return p
	}
	p.cause = x.cause
	p.copied = strings.TrimPrefix(x.where, m.theme.glyphs.closed+" ") + ": " + x.cause + " (" + string(x.confidence) + ")"
	if g := &t.partition().groups[r.group]; g.incident != none {
		in := &t.ds.report.Incidents[g.incident]
		p.copied, p.command = in.Summary+" ("+in.Cause+", "+string(x.confidence)+")", m.causeCommand(in)
	}
	return p
}
