package tui

import (
	"cmp"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/lanes"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// nodeRow is one node of the list of nodes.
type nodeRow struct {
	name, kubelet, note string
	items               []int32
}

// nodeRows lists the nodes that a report speaks of: the most restarts first.
func nodeRows(ds *dataset) []nodeRow {
	var out []nodeRow
	at := map[string]int{}
	row := func(name string) *nodeRow {
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, nodeRow{name: name})
		}
		return &out[i]
	}
	for _, p := range ds.report.Profile {
		row(p.Node).kubelet = p.KubeletVersion
	}
	for _, n := range ds.report.NodeNotes {
		if r := row(n.Node); r.note == "" {
			r.note = n.Text
		}
	}
	if ds.index != nil {
		p := ds.index.parts[byNode]
		for g, items := range collect(p, ds.all) {
			if it := &ds.report.Items[items[0]]; it.Node != "" {
				row(p.names[g]).items = items
			}
		}
	}
	slices.SortStableFunc(out, func(a, b nodeRow) int {
		return cmp.Or(cmp.Compare(len(b.items), len(a.items)), cmp.Compare(a.name, b.name))
	})
	return out
}

// drawNodes draws the list of nodes.
func (m *model) drawNodes(l *list, rows []nodeRow) []string {
	g, w := m.theme.glyphs, m.layout.width
	line := func(mark, name, restarts, kubelet, note string) string {
		return pad(pad(mark, gutter, g)+pad(name, 20, g)+" "+pad(restarts, 8, g)+" "+pad(kubelet, 14, g)+" "+note, w, g)
	}
	lines := []string{m.theme.header.Render(line("", "NODE", "RESTARTS", "KUBELET", "WHAT IS WRONG WITH IT"))}
	from, to := l.window()
	for i := from; i < to; i++ {
		r := &rows[i]
		if i == l.cursor {
			lines = append(lines, m.theme.selected.Render(line(g.cursor, r.name, strconv.Itoa(len(r.items)), r.kubelet, r.note)))
			continue
		}
		lines = append(lines, line("", r.name, strconv.Itoa(len(r.items)), r.kubelet, r.note))
	}
	if len(rows) == 0 {
		lines = append(lines, "  "+m.theme.muted.Render(pad("no node is known here", w-2, g)))
	}
	return lines
}

// nodeScreen is one node: what it is and what is wrong with it, its timeline, and
// what restarted there.
type nodeScreen struct {
	ds      *dataset
	name    string
	pane    int
	story   *report.NodeStory
	trouble string
	facts   pager.Pager
	lanes   *lanes.Model
	items   *table
}

const (
	nodeFacts = iota
	nodeTimeline
	nodeRestarts
)

// nodeTold brings what a Teller said about a node.
type nodeTold struct {
	to    *nodeScreen
	ds    *dataset
	story *report.NodeStory
	err   error
}

func (m *model) openNode(name string) tea.Cmd {
	s := &nodeScreen{ds: m.ds, name: name}
	s.items = newTable(m.ds, byItem, s.mine())
	cmd := s.ask()
	m.push(s)
	return cmd
}

// mine lists the items of the node.
func (s *nodeScreen) mine() []int32 {
	out := []int32{}
	for i := range s.ds.report.Items {
		if s.ds.report.Items[i].Node == s.name {
			out = append(out, int32(i))
		}
	}
	return out
}

func (s *nodeScreen) ask() tea.Cmd {
	s.story, s.lanes, s.trouble = nil, nil, ""
	if s.ds.teller == nil {
		s.trouble = "nothing but the report is at hand here, and it does not hold this"
		return nil
	}
	ds, name := s.ds, s.name
	return func() tea.Msg {
		story, err := ds.teller.NodeStory(name)
		return nodeTold{s, ds, story, err}
	}
}

func (t nodeTold) into(m *model) {
	s := t.to
	if s.ds != t.ds {
		return
	}
	s.story, s.lanes = t.story, nil
	if t.err != nil {
		s.trouble = t.err.Error()
	}
	s.lay(m)
}

func (s *nodeScreen) title(*model) string { return "node " + s.name }

func (s *nodeScreen) position() string {
	switch s.pane {
	case nodeFacts:
		return s.facts.Position()
	case nodeRestarts:
		return pager.Position(s.items.list.top, s.items.n-s.items.height)
	}
	return ""
}

func (s *nodeScreen) page() *pager.Pager {
	if s.pane == nodeFacts {
		return &s.facts
	}
	return nil
}

func (s *nodeScreen) panes() ([]string, int) { return []string{"Node", "Timeline", "Restarts"}, s.pane }

func (s *nodeScreen) turn(m *model, pane int) tea.Cmd {
	s.pane = pane
	s.lay(m)
	return nil
}

func (s *nodeScreen) table() *table {
	if s.pane == nodeRestarts {
		return s.items
	}
	return nil
}

func (s *nodeScreen) repaint() { s.lanes = nil }

func (s *nodeScreen) rebase(m *model) tea.Cmd {
	newer := m.ds.report != s.ds.report
	s.ds = m.ds
	s.items.rebase(m.ds, s.mine())
	if !newer {
		return nil
	}
	return s.ask()
}

func (s *nodeScreen) find(id string) *report.Evidence {
	if e := s.ds.find(id); e != nil || s.story == nil {
		return e
	}
	if i := slices.IndexFunc(s.story.Evidence, func(e report.Evidence) bool { return e.ID == id }); i >= 0 {
		return &s.story.Evidence[i]
	}
	return nil
}

func (s *nodeScreen) lay(m *model) {
	blocks := present.Node(s.ds.report, s.name, s.story, len(s.items.base), s.find)
	if s.story == nil && s.trouble == "" {
		blocks = append(blocks, note("reading the node's own story"))
	} else if s.trouble != "" {
		blocks = append(blocks, note("no more is known: "+s.trouble))
	}
	m.show(&s.facts, blocks)
	m.resizeTable(s.items, 0)
	if s.story != nil && s.lanes == nil && len(s.story.Lanes) > 0 {
		l := lanes.New(m.look, lanes.OfNode(s.story))
		s.lanes = &l
	}
	if s.lanes != nil {
		s.lanes.Resize(m.layout.width, m.layout.body)
	}
}

func (s *nodeScreen) body(m *model) []string {
	switch s.pane {
	case nodeFacts:
		return s.facts.Lines()
	case nodeRestarts:
		return m.drawTable(s.items, 0)
	}
	if s.lanes != nil {
		return s.lanes.Lines()
	}
	why := "no timeline: nothing in the evidence about this node has a time"
	switch {
	case s.trouble != "":
		why = "no timeline: " + s.trouble
	case s.story == nil:
		why = "reading the timeline"
	}
	return m.draw(note(why))
}

func (s *nodeScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch s.pane {
	case nodeFacts:
		return m.pressPager(&s.facts, msg, s.find)
	case nodeRestarts:
		return m.pressTable(s.items, msg)
	}
	if s.lanes != nil {
		return m.pressTimeline(s.lanes, msg, s.find)
	}
	return nil, false
}

func (s *nodeScreen) click(m *model, line int) tea.Cmd {
	switch s.pane {
	case nodeFacts:
		s.facts.Click(line)
	case nodeRestarts:
		return m.clickTable(s.items, line)
	}
	return nil
}

func (s *nodeScreen) here(m *model) place {
	switch s.pane {
	case nodeRestarts:
		return m.rowHere(s.items)
	case nodeTimeline:
		if s.lanes != nil {
			return place{copied: quote(s.lanes.Evidence(), s.find), called: "the evidence", command: m.nodeCommand(s.name), items: s.items.base}
		}
	}
	p := place{copied: s.name, called: "the node's name", command: m.nodeCommand(s.name), items: s.items.base}
	if at := s.facts.At(); at != nil {
		p.copied, p.called = cmp.Or(at.Copy, quote(at.Evidence, s.find), s.facts.Said()), "the line"
	}
	return p
}

func (s *nodeScreen) hints(k *KeyMap) []key.Binding {
	if s.pane == nodeTimeline {
		return []key.Binding{k.Back, k.NextTab, k.NextMark, k.ZoomIn, k.ZoomOut, k.Open}
	}
	return []key.Binding{k.Open, k.Back, k.NextTab, k.Copy, k.Command}
}
