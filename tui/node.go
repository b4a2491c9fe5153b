package tui

import (
	"cmp"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
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
	detailed[report.NodeDetail]
	name  string
	items *table
}

const (
	nodeFacts = iota
	nodeTimeline
	nodeRestarts
)

func newNode(ds *dataset, name string) *nodeScreen {
	s := &nodeScreen{name: name}
	s.ds, s.pages, s.timelineAt = ds, make([]page, nodeRestarts), nodeTimeline
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
	name := s.name
	return s.request(func(p report.DetailProvider) (*report.NodeDetail, error) { return p.NodeDetail(name) },
		func(d *report.NodeDetail) (timelineview.Data, []report.Evidence) {
			return timelineview.OfNode(d), d.Evidence
		})
}

func (s *nodeScreen) title(*frame) string { return "node " + s.name }

func (s *nodeScreen) position() string {
	if t := s.table(); t != nil {
		return t.position()
	}
	return s.detailed.position()
}

func (s *nodeScreen) panes() ([]string, int) { return []string{"Node", "Timeline", "Restarts"}, s.pane }

func (s *nodeScreen) table() *table {
	if s.pane == nodeRestarts {
		return s.items
	}
	return nil
}

func (s *nodeScreen) typist() typist {
	if t := s.table(); t != nil {
		return t
	}
	return s.detailed.typist()
}

func (s *nodeScreen) rebase(ds *dataset) tea.Cmd {
	newer := ds.report != s.ds.report
	s.ds = ds
	s.items.rebase(ds, s.mine())
	if !newer {
		return nil
	}
	return s.ask()
}

func (s *nodeScreen) lay(f *frame) {
	blocks := present.Node(s.ds.report, s.name, s.detail, len(s.items.base), s.find)
	if s.detail == nil && s.trouble == "" {
		blocks = append(blocks, document.Note("reading the node's own evidence"))
	} else if s.trouble != "" {
		blocks = append(blocks, document.Note("nothing more could be read: "+s.trouble))
	}
	s.pages[nodeFacts].show(f, blocks)
	s.items.resize(f, 0)
	s.pages[nodeTimeline].show(f, s.lacking([2]string{"timeline",
		"no timeline: nothing in the evidence about this node has a time"}))
	s.layTimeline(f)
}

func (s *nodeScreen) body(f *frame) []string {
	if t := s.table(); t != nil {
		return t.draw(f, 0)
	}
	return s.detailed.body(f)
}

func (s *nodeScreen) press(f *frame, msg tea.KeyPressMsg) asks {
	if t := s.table(); t != nil {
		return t.press(f, msg)
	}
	return s.pressPane(f, msg, s)
}

func (s *nodeScreen) click(_ *frame, line int) asks {
	if t := s.table(); t != nil {
		return t.click(line)
	}
	return s.clickPane(line, s)
}

func (s *nodeScreen) here(f *frame) place {
	if t := s.table(); t != nil {
		return t.here(f)
	}
	p := place{
		ds: s.ds, items: s.items.base,
		copied: s.name, called: "the node's name", command: s.ds.nodeCommand(s.name),
	}
	if text := s.page(); text == nil || text.At() != nil {
		p.copied, p.called = s.under()
	}
	return p
}

func (s *nodeScreen) hints(k *KeyMap) []key.Binding {
	if s.pane == nodeTimeline {
		return []key.Binding{k.Back, k.NextTab, k.NextMark, k.ZoomIn, k.ZoomOut, k.Open}
	}
	return []key.Binding{k.Open, k.Back, k.NextTab, k.Copy, k.Command}
}
