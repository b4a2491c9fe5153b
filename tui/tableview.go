package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// previewHeight is how many lines below a table show what the cursor is on, 0 for
// none.
func (m *model) previewHeight() int {
	if m.layout.height < previewFrom {
		return 0
	}
	return (m.layout.body - 2) / 2
}

// tableHeight is how many rows of a table fit below as many lines of something
// else.
func (m *model) tableHeight(above int) int {
	h := m.layout.body - above - 1 // the names of the columns
	if p := m.previewHeight(); p > 0 {
		h -= p + 1
	}
	return max(h, 1)
}

// drawTable draws the names of the columns, the rows in view, and a look at what
// the cursor is on.
func (m *model) drawTable(t *table, height int) []string {
	g := m.theme.glyphs
	lines := []string{m.header()}
	from, to := t.window()
	for i := from; i < to; i++ {
		r := t.rows[i]
		x := m.cellsOf(t, r)
		lines = append(lines, m.rowLine(x, i == t.cursor))
	}
	if len(t.rows) == 0 {
		lines = append(lines, "  "+m.theme.muted.Render(pad(m.nothing(t), m.layout.width-gutter, g)))
	}
	preview := m.previewHeight()
	if preview == 0 {
		return fill(lines, height)
	}
	lines = fill(lines, height-preview-1)
	lines = append(lines, m.theme.muted.Render(strings.Repeat(g.rule, m.layout.width)))
	below := m.preview(t)
	if len(below) > preview {
		below = append(slices.Clone(below[:preview-1]), "  "+m.theme.muted.Render(g.ellipsis+" enter shows all"))
	}
	return fill(append(lines, below...), height)
}

func (m *model) cellsOf(t *table, r row) cells {
	if r.item != none {
		return m.itemCells(t.ds, r.item)
	}
	return m.groupCells(t, r)
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

// preview shows what the row under the cursor opens to.
func (m *model) preview(t *table) []string {
	r, ok := t.selected()
	if !ok {
		return nil
	}
	if r.item != none {
		d := newDossier(&m.theme, m.layout.text, &t.ds.report.Items[r.item], t.ds.find)
		d.summary()
		return d.lines
	}
	lines := m.groupText(t, r)
	p := page{theme: &m.theme, width: m.layout.text, lines: lines}
	p.heading("Enter lists them")
	for n, i := range t.items(r) {
		if n == m.previewHeight() {
			break
		}
		x := m.itemCells(t.ds, i)
		style, glyph := m.theme.confidence(x.confidence)
		text := m.subject(t.ds, &t.ds.report.Items[i], max(p.width-margin-32, 20)) + "  " + x.cause
		p.labelled(margin, glyph+" "+x.time, 17, style, text, plain)
	}
	return p.lines
}

// groupText says what the restarts of a group share.
func (m *model) groupText(t *table, r row) []string {
	g, items := &t.partition().groups[r.group], t.members[r.group]
	p := page{theme: &m.theme, width: m.layout.text}
	text, weakest := t.ds.tally(items)
	style, glyph := m.theme.confidence(weakest)
	var name string
	if t.by != byRoot {
		name = t.partition().names[r.group]
	} else {
		name = t.ds.report.Items[items[0]].Verdict.Cause
		if g.incident != none {
			name = t.ds.report.Incidents[g.incident].Cause
		}
	}
	p.lines = append(p.lines, p.cut("  "+m.theme.strong.Render(name)+"  "+style.Render(glyph+" "+text)))
	switch {
	case g.incident != none:
		in := &t.ds.report.Incidents[g.incident]
		p.para(2, in.Summary, plain)
		if in.Start != nil && in.End != nil {
			p.para(2, in.Start.UTC().Format("2006-01-02 15:04:05")+" to "+in.End.UTC().Format("15:04:05")+" UTC", m.theme.muted)
		}
	case t.by == byRoot:
		p.para(2, t.ds.report.Items[items[0]].Verdict.Summary, plain)
		p.para(2, counted(len(items), "time")+", the last one is told here", m.theme.muted)
	default:
		p.para(2, counted(len(items), "restart")+" of "+t.ds.shared(items, byCause, "causes"), plain)
	}
	return p.lines
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
		return t.drop(), true
	case key.Matches(msg, k.Group):
		if t.by == byRoot {
			m.status = "the incidents are groups already; 2 lists every restart, and b groups those"
			return nil, true
		}
		by := groupings[(slices.Index(groupings, t.by)+1)%len(groupings)]
		m.status = "grouped by " + by.String()
		if by == byItem {
			m.status = "every restart is a row of its own"
		}
		return t.ask(by, t.order), true
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

// rowHere is what the row under the cursor stands for.
func (m *model) rowHere(t *table) place {
	r, ok := t.selected()
	if !ok {
		return place{}
	}
	items := t.items(r)
	it := &t.ds.report.Items[items[0]]
	x := m.cellsOf(t, r)
	p := place{items: items, called: "the row", command: m.itemCommand(it), cause: it.Verdict.Cause}
	if r.item != none {
		p.copied = it.Namespace + "/" + it.Pod + "/" + it.Container + ": " + it.Verdict.Summary + " (" + it.Verdict.Cause + ", " + string(it.Verdict.Confidence) + ")"
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
