package tui

import (
	"cmp"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/timelineview"
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
func drawNodes(f *frame, l *pane.Rows, rows []nodeRow) []string {
	line := func(name, restarts, kubelet, note string) string {
		return f.line(cell{name, 20, nil}, cell{restarts, -8, nil}, cell{kubelet, 14, nil}) + " " + note
	}
	return f.list(l, line("NODE", "RESTARTS", "KUBELET", "PROBLEMS"), "no nodes are known", func(i int) (string, bool) {
		r := &rows[i]
		return line(r.name, strconv.Itoa(len(r.items)), r.kubelet, r.note), false
	})
}

// nodeScreen is one node: what it is and what is wrong with it, its timeline, and
// what restarted there.
type nodeScreen struct {
	ds      *dataset
	name    string
	pane    int
	detail  *report.NodeDetail
	trouble string
	facts   page
	lanes   *timelineview.Model
	items   *table
}

const (
	nodeFacts = iota
	nodeTimeline
	nodeRestarts
)

// nodeReady brings what a DetailProvider said about a node.
type nodeReady struct {
	to     *nodeScreen
	ds     *dataset
	detail *report.NodeDetail
	err    error
}

func newNode(ds *dataset, name string) *nodeScreen {
	s := &nodeScreen{ds: ds, name: name}
	s.items = newTable(ds, byItem, s.mine())
	return s
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
	s.detail, s.lanes, s.trouble = nil, nil, ""
	if s.ds.details == nil {
		s.trouble = "only the report is available here, and it does not include this"
		return nil
	}
	ds, name := s.ds, s.name
	return func() tea.Msg {
		detail, err := ds.details.NodeDetail(name)
		return nodeReady{s, ds, detail, err}
	}
}

func (t nodeReady) into() {
	s := t.to
	if s.ds != t.ds {
		return
	}
	s.detail, s.lanes = t.detail, nil
	if t.err != nil {
		s.trouble = t.err.Error()
	}
}

func (s *nodeScreen) title(*frame) string { return "node " + s.name }

func (s *nodeScreen) position() string {
	switch s.pane {
	case nodeFacts:
		return s.facts.Position()
	case nodeRestarts:
		return s.items.position()
	}
	return ""
}

func (s *nodeScreen) panes() ([]string, int) { return []string{"Node", "Timeline", "Restarts"}, s.pane }

func (s *nodeScreen) turn(pane int) { s.pane = pane }

func (s *nodeScreen) table() *table {
	if s.pane == nodeRestarts {
		return s.items
	}
	return nil
}

func (s *nodeScreen) typist() typist {
	switch s.pane {
	case nodeFacts:
		return &s.facts
	case nodeRestarts:
		return s.items
	}
	return nil
}

func (s *nodeScreen) repaint() { s.lanes = nil }

func (s *nodeScreen) rebase(ds *dataset) tea.Cmd {
	newer := ds.report != s.ds.report
	s.ds = ds
	s.items.rebase(ds, s.mine())
	if !newer {
		return nil
	}
	return s.ask()
}

func (s *nodeScreen) find(id string) *report.Evidence {
	if e := s.ds.find(id); e != nil || s.detail == nil {
		return e
	}
	return pick(s.detail.Evidence, id)
}

func (s *nodeScreen) lay(f *frame) {
	blocks := present.Node(s.ds.report, s.name, s.detail, len(s.items.base), s.find)
	if s.detail == nil && s.trouble == "" {
		blocks = append(blocks, note("reading the node's own evidence"))
	} else if s.trouble != "" {
		blocks = append(blocks, note("nothing more could be read: "+s.trouble))
	}
	s.facts.show(f, blocks)
	s.items.resize(f, 0)
	if s.detail != nil && s.lanes == nil && len(s.detail.Lanes) > 0 {
		l := timelineview.New(f.look, timelineview.OfNode(s.detail))
		s.lanes = &l
	}
	if s.lanes != nil {
		s.lanes.Resize(f.width, f.body)
	}
}

func (s *nodeScreen) body(f *frame) []string {
	switch s.pane {
	case nodeFacts:
		return s.facts.Lines()
	case nodeRestarts:
		return s.items.draw(f, 0)
	}
	if s.lanes != nil {
		return s.lanes.Lines()
	}
	why := "no timeline: nothing in the evidence about this node has a time"
	switch {
	case s.trouble != "":
		why = "no timeline: " + s.trouble
	case s.detail == nil:
		why = "reading the timeline"
	}
	return f.draw(note(why))
}

func (s *nodeScreen) cite(ids []string) asks { return showing(ids, s.ds, s.find, s) }

func (s *nodeScreen) press(f *frame, msg tea.KeyPressMsg) asks {
	switch s.pane {
	case nodeFacts:
		return s.facts.press(f, msg, s.cite)
	case nodeRestarts:
		return s.items.press(f, msg)
	}
	if s.lanes != nil {
		return pressTimeline(&f.keys, s.lanes, msg, s.cite)
	}
	return nil
}

func (s *nodeScreen) click(f *frame, line int) asks {
	switch s.pane {
	case nodeFacts:
		s.facts.Click(line)
	case nodeRestarts:
		return s.items.click(line)
	}
	return nil
}

func (s *nodeScreen) here(f *frame) place {
	if s.pane == nodeRestarts {
		return s.items.here(f)
	}
	p := place{
		ds: s.ds, items: s.items.base,
		copied: s.name, called: "the node's name", command: s.ds.nodeCommand(s.name),
	}
	if s.pane == nodeTimeline && s.lanes != nil {
		p.copied, p.called = quote(s.lanes.Evidence(), s.find), "the evidence"
		return p
	}
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
