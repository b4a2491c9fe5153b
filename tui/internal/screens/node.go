package screens

import (
	"cmp"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// nodeRow is one node of the list of nodes.
type nodeRow struct {
	name, kubelet, note string
	items               []int32
}

// nodeRows lists the nodes in a report, those with the most restarts first.
func nodeRows(ds *dataset.Dataset) []nodeRow {
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
	for _, p := range ds.Report.Profile {
		row(p.Node).kubelet = p.KubeletVersion
	}
	for _, n := range ds.Report.NodeNotes {
		if r := row(n.Node); r.note == "" {
			r.note = n.Text
		}
	}
	for _, g := range ds.Groups(dataset.ByNode) {
		if ds.Report.Items[g.Items[0]].Node != "" {
			row(g.Name).items = g.Items
		}
	}
	slices.SortStableFunc(out, func(a, b nodeRow) int {
		return cmp.Or(cmp.Compare(len(b.items), len(a.items)), cmp.Compare(a.name, b.name))
	})
	return out
}

// nodesPage is their table. Anchor.Opens is the node's index in the list.
func nodesPage(rows []nodeRow) []document.Block {
	t := document.Table{Heads: []string{"NODE", "RESTARTS", "KUBELET", "PROBLEMS"}}
	for i := range rows {
		r := &rows[i]
		t.Rows = append(t.Rows, document.Row{
			Cells: []document.Text{document.Say(r.name), document.Say(strconv.Itoa(len(r.items))), document.Say(r.kubelet),
				document.Say(r.note)},
			Anchor: document.Anchor{Copy: r.name, Opens: strconv.Itoa(i)},
		})
	}
	if len(rows) == 0 {
		return []document.Block{document.Note("no nodes are known")}
	}
	return []document.Block{t}
}

// nodeScreen is one node: its properties and problems, its timeline, and what restarted there.
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

func newNode(ds *dataset.Dataset, name string) *nodeScreen {
	s := &nodeScreen{name: name}
	s.ds, s.pages, s.timelineAt = ds, make([]screen.TextPage, nodeRestarts), nodeTimeline
	s.items = newTable(ds, dataset.ByItem, s.mine())
	s.panes = panes{names: []string{"Node", "Timeline", "Restarts"}, all: []content{s, s, s.items}}
	return s
}

// mine lists the items of the node.
func (s *nodeScreen) mine() []int32 {
	out := []int32{}
	for i := range s.ds.Report.Items {
		if s.ds.Report.Items[i].Node == s.name {
			out = append(out, int32(i))
		}
	}
	return out
}

func (s *nodeScreen) Ask() tea.Cmd {
	name := s.name
	return s.request(func(p report.DetailProvider) (*report.NodeDetail, error) { return p.NodeDetail(name) },
		func(d *report.NodeDetail) report.Timeline { return d.Timeline })
}

func (s *nodeScreen) Title(*screen.Frame) string { return "node " + s.name }

func (s *nodeScreen) Rebase(ds *dataset.Dataset) tea.Cmd {
	newer := ds.Report != s.ds.Report
	s.ds = ds
	s.items.Rebase(ds, s.mine())
	if !newer {
		return nil
	}
	return s.Ask()
}

func (s *nodeScreen) Lay(f *screen.Frame) {
	blocks := present.Node(s.ds.Report, s.name, s.detail, s.items.Total(), s.find)
	if s.detail == nil && s.trouble == "" {
		blocks = append(blocks, document.Note("reading the node's own evidence"))
	} else if s.trouble != "" {
		blocks = append(blocks, document.Note("nothing more could be read: "+s.trouble))
	}
	s.pages[nodeFacts].Lay(f, blocks)
	s.items.resize(f, 0)
	s.pages[nodeTimeline].Lay(f, s.lacking([2]string{"timeline",
		"no timeline: nothing in the evidence about this node has a time"}))
	s.layTimeline(f)
}

func (s *nodeScreen) press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	return s.pressPane(f, msg, s)
}
func (s *nodeScreen) click(_ *screen.Frame, line int) screen.Asks { return s.clickPane(line, s) }

func (s *nodeScreen) here(*screen.Frame) screen.Selection {
	p := screen.Selection{
		Data: s.ds, Items: s.items.Base,
		Copied: s.name, Called: "the node's name", Command: s.ds.NodeCommand(s.name),
	}
	if text := s.page(); text == nil || text.At() != nil {
		p.Copied, p.Called = s.under()
	}
	return p
}

func (s *nodeScreen) Hints(k *screen.KeyMap) []key.Binding {
	if s.shown == nodeTimeline {
		return []key.Binding{k.Back, k.NextTab, k.NextMark, k.ZoomIn, k.ZoomOut, k.Open}
	}
	return []key.Binding{k.Open, k.Back, k.NextTab, k.Copy, k.Command}
}
