// Package screens holds the screens of a report: what happened by root cause and every restart, in tables; one restart
// with its verdict, evidence, timeline, decision and hashes; one node; one piece of evidence in context; and pages of
// text. A screen is opened by another one or by the viewer (NewHome, NewRestart, NewPage, NewCausePage), and requests
// everything else from the viewer. It may import screen and dataset, the widgets and the wording. It never sees the
// viewer's model.
package screens

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// home is the bottom screen: what happened, by root cause; every restart; the nodes; and the catalogue of causes.
type home struct {
	pane    int
	roots   *table
	all     *table
	nodes   screen.TextPage
	causes  screen.TextPage
	listing []nodeRow
	known   []causeRow
	listed  *dataset.Dataset // the one that listing and known were computed from
}

const (
	homeRoots = iota
	homeRestarts
	homeNodes
	homeCauses
)

// NewHome returns the bottom screen.
func NewHome(ds *dataset.Dataset) screen.Screen {
	return &home{roots: newTable(ds, dataset.ByRoot, nil), all: newTable(ds, dataset.ByItem, nil)}
}

func (h *home) Title(f *screen.Frame) string {
	r := f.Data.Report
	if f.Waiting {
		return "collecting evidence"
	}
	n := 0
	for i := range r.Items {
		if r.Items[i].Kind != report.None {
			n++
		}
	}
	s := present.Count(n, "restart")
	if n := f.Data.Incidents(); n > 0 {
		s += ", " + present.Count(n, "incident")
	}
	if f.Data.Day != "" {
		s += " on " + f.Data.Day
	}
	return s + dataset.ScopeText(&r.Scope, f.Look.Glyphs.Separator)
}

func (h *home) Position() string {
	if t := h.table(); t != nil {
		return t.position()
	}
	return h.page().Position()
}

func (h *home) Panes() ([]string, int) {
	return []string{"Overview", "Restarts", "Nodes", "Causes"}, h.pane
}

func (h *home) Turn(pane int) { h.pane = pane }

// table is the table that is shown, nil for none.
func (h *home) table() *table {
	switch h.pane {
	case homeRoots:
		return h.roots
	case homeRestarts:
		return h.all
	}
	return nil
}

func (h *home) List() *pane.Rows { return h.table().List() }

func (h *home) Typist() screen.Typist {
	if t := h.table(); t != nil {
		return t
	}
	return h.page()
}

// page is the page that is shown, where no table is.
func (h *home) page() *screen.TextPage {
	if h.pane == homeNodes {
		return &h.nodes
	}
	return &h.causes
}

func (h *home) Rebase(ds *dataset.Dataset) tea.Cmd {
	h.roots.Rebase(ds, nil)
	h.all.Rebase(ds, nil)
	return nil
}

func (h *home) Lay(f *screen.Frame) {
	h.roots.resize(f, 0)
	h.all.resize(f, 0)
	if h.listed != f.Data {
		h.listed, h.listing, h.known = f.Data, nodeRows(f.Data), causeRows(f)
	}
	switch h.pane {
	case homeNodes:
		h.nodes.Lay(f, nodesPage(h.listing))
	case homeCauses:
		h.causes.Lay(f, causesPage(h.known))
	}
}

func (h *home) Body(f *screen.Frame) []string {
	switch {
	case h.table() == nil:
		return h.page().Lines()
	case f.Waiting:
		return f.WaitingText()
	}
	return h.table().draw(f, 0)
}

func (h *home) Press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	if t := h.table(); t != nil {
		return t.press(f, msg)
	}
	switch {
	case key.Matches(msg, f.Keys.Open, f.Keys.Right):
		return h.open(f)
	case key.Matches(msg, f.Keys.Left, f.Keys.Back) && h.page().Line().Text() == "":
		return screen.Asks{} // there is nothing to go back to
	}
	return h.page().Press(f, msg, nil)
}

// node is the one under the cursor, nil for none.
func (h *home) node() *nodeRow {
	if at := h.nodes.At(); at != nil && h.pane == homeNodes {
		if n, err := strconv.Atoi(at.Opens); err == nil {
			return &h.listing[n]
		}
	}
	return nil
}

func (h *home) open(f *screen.Frame) screen.Asks {
	if n := h.node(); n != nil {
		return screen.Push(newNode(f.Data, n.name))
	}
	if at := h.page().At(); at != nil {
		return screen.Asks{screen.Explained(at.Cause)}
	}
	return screen.Asks{}
}

func (h *home) Click(f *screen.Frame, line int) screen.Asks {
	if t := h.table(); t != nil {
		return t.click(line)
	}
	was := h.page().Cursor()
	if h.page().Click(line) && h.page().Cursor() == was {
		return h.open(f)
	}
	return nil
}

func (h *home) Here(f *screen.Frame) screen.Selection {
	if t := h.table(); t != nil {
		return t.here(f)
	}
	if n := h.node(); n != nil {
		return screen.Selection{
			Data: h.listed, Items: n.items, Copied: n.name, Called: "the node's name", Command: h.listed.NodeCommand(n.name),
		}
	}
	if at := h.page().At(); at != nil {
		command := "kubectl restartwhy explain " + report.Quote(at.Cause)
		return screen.Selection{Copied: at.Cause, Called: "the cause", Command: command, Cause: at.Cause}
	}
	return screen.Selection{}
}

func (h *home) Hints(k *screen.KeyMap) []key.Binding {
	switch h.pane {
	case homeRestarts:
		return []key.Binding{k.Open, k.NextTab, k.Filter, k.Group, k.Explain}
	case homeRoots:
		return []key.Binding{k.Open, k.NextTab, k.Filter, k.Explain, k.Write, k.Gaps}
	}
	return []key.Binding{k.Open, k.NextTab, k.Search()}
}
