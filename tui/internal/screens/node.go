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

// nodesPage is a table of the nodes in a report, those with the most restarts first. Anchor.Opens is a node's name.
func nodesPage(ds *dataset.Dataset) []document.Block {
	type node struct {
		name, kubelet, note string
		restarts            int
	}
	var all []*node
	at := map[string]*node{}
	of := func(name string) *node {
		if at[name] == nil {
			at[name] = &node{name: name}
			all = append(all, at[name])
		}
		return at[name]
	}
	for _, p := range ds.Report.Profile {
		of(p.Node).kubelet = p.KubeletVersion
	}
	for _, n := range ds.Report.NodeNotes {
		of(n.Node).note = cmp.Or(of(n.Node).note, n.Text)
	}
	for i := range ds.Report.Items {
		if name := ds.Report.Items[i].Node; name != "" {
			of(name).restarts++
		}
	}
	slices.SortStableFunc(all, func(a, b *node) int {
		return cmp.Or(cmp.Compare(b.restarts, a.restarts), cmp.Compare(a.name, b.name))
	})
	t := document.Table{Heads: []string{"NODE", "RESTARTS", "KUBELET", "PROBLEMS"}}
	for _, n := range all {
		t.Rows = append(t.Rows, document.Row{Cells: document.Cells(n.name, strconv.Itoa(n.restarts), n.kubelet, n.note),
			Anchor: document.Anchor{Copy: n.name, Opens: n.name}})
	}
	if len(all) == 0 {
		return []document.Block{document.Note("no nodes are known")}
	}
	return []document.Block{t}
}

// itemsOf lists the items of a node.
func itemsOf(ds *dataset.Dataset, node string) []int32 {
	out := []int32{}
	for i := range ds.Report.Items {
		if ds.Report.Items[i].Node == node {
			out = append(out, int32(i))
		}
	}
	return out
}

// ofNode is the selection of a node.
func ofNode(ds *dataset.Dataset, name string) screen.Selection {
	return screen.Selection{Data: ds, Items: itemsOf(ds, name), Copied: name, Called: "the node's name",
		Command: ds.NodeCommand(name)}
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
	s.items = newTable(ds, dataset.ByItem, itemsOf(ds, name))
	s.begin(s, ds, nodeTimeline, []string{"Node", "Timeline", "Restarts"}, s.items)
	return s
}

func (s *nodeScreen) Ask() tea.Cmd {
	name := s.name
	return s.request(func(p report.DetailProvider) (*report.NodeDetail, error) { return p.NodeDetail(name) },
		func(d *report.NodeDetail) report.Activity { return d.Activity })
}

func (s *nodeScreen) Title(*screen.Frame) string { return "node " + s.name }

func (s *nodeScreen) Rebase(ds *dataset.Dataset) tea.Cmd {
	newer := ds.Report != s.ds.Report
	s.ds = ds
	s.items.Rebase(ds, itemsOf(s.ds, s.name))
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

func (s *nodeScreen) Here(f *screen.Frame) screen.Selection {
	p, under := ofNode(s.ds, s.name), s.Pane.Here(f)
	switch {
	case s.shown == nodeRestarts:
		return under
	case under.Called != "":
		p.Copied, p.Called = under.Copied, under.Called
	}
	return p
}

func (s *nodeScreen) Hints(k *screen.KeyMap) []key.Binding {
	if s.shown == nodeTimeline {
		return []key.Binding{k.Back, k.NextTab, k.NextMark, k.ZoomIn, k.ZoomOut, k.Open}
	}
	return []key.Binding{k.Open, k.Back, k.NextTab, k.Copy, k.Command}
}
