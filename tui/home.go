package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// home is the lowest screen: what happened, by its roots; every restart; the
// nodes; and the catalogue of causes.
type home struct {
	pane    int
	roots   *table
	all     *table
	nodes   pane.Rows
	causes  pane.Rows
	listing []nodeRow
	known   []causeRow
	listed  *dataset // the one that listing and known were made from
}

const (
	homeRoots = iota
	homeRestarts
	homeNodes
	homeCauses
)

func newHome(ds *dataset) *home {
	return &home{roots: newTable(ds, byRoot, nil), all: newTable(ds, byItem, nil)}
}

func (h *home) title(f *frame) string {
	r := f.ds.report
	if f.waiting {
		return "collecting evidence"
	}
	n := 0
	for i := range r.Items {
		if r.Items[i].Kind != report.None {
			n++
		}
	}
	s := present.Count(n, "restart")
	if n := h.roots.incidents(); n > 0 {
		s += ", " + present.Count(n, "incident")
	}
	if f.ds.day != "" {
		s += " on " + f.ds.day
	}
	return s + scopeText(&r.Scope, f.look.Glyphs.Separator)
}

func scopeText(s *report.Scope, sep string) string {
	out := ""
	switch {
	case s.AllNamespaces:
		out = sep + "all namespaces"
	case s.Namespace != "":
		out = sep + s.Namespace
	}
	if s.Since != "" {
		out += sep + "last " + s.Since
	}
	return out
}

func (h *home) position() string {
	if t := h.table(); t != nil {
		return t.position()
	}
	if l := h.menu(); l != nil {
		return pager.Position(l.Top, l.N-l.Height)
	}
	return ""
}

func (h *home) panes() ([]string, int) {
	return []string{"Overview", "Restarts", "Nodes", "Causes"}, h.pane
}

func (h *home) turn(pane int) { h.pane = pane }

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

func (h *home) typist() typist {
	if t := h.table(); t != nil {
		return t
	}
	return nil
}

func (h *home) menu() *pane.Rows {
	switch h.pane {
	case homeNodes:
		return &h.nodes
	case homeCauses:
		return &h.causes
	}
	return nil
}

func (h *home) rebase(ds *dataset) tea.Cmd {
	h.roots.rebase(ds, nil)
	h.all.rebase(ds, nil)
	return nil
}

func (h *home) lay(f *frame) {
	h.roots.resize(f, 0)
	h.all.resize(f, 0)
	if h.listed != f.ds {
		h.listed, h.listing, h.known = f.ds, nodeRows(f.ds), causeRows(f)
	}
	h.nodes.Set(len(h.listing), f.body-1)
	h.causes.Set(len(h.known), f.body-1)
}

func (h *home) body(f *frame) []string {
	switch h.pane {
	case homeNodes:
		return drawNodes(f, &h.nodes, h.listing)
	case homeCauses:
		return drawCauses(f, &h.causes, h.known)
	}
	if f.waiting {
		return f.waitingText()
	}
	return h.table().draw(f, 0)
}

func (h *home) press(f *frame, msg tea.KeyPressMsg) asks {
	if t := h.table(); t != nil {
		return t.press(f, msg)
	}
	switch {
	case key.Matches(msg, f.keys.Open, f.keys.Right):
		return h.open(f)
	case key.Matches(msg, f.keys.Left, f.keys.Back):
		return asks{} // there is nothing below
	}
	a, ok := f.keys.action(msg)
	return taken(ok && h.menu().Do(a))
}

func (h *home) open(f *frame) asks {
	switch {
	case h.pane == homeNodes && h.nodes.Cursor < len(h.listing):
		return asks{pushed{newNode(f.ds, h.listing[h.nodes.Cursor].name)}}
	case h.pane == homeCauses && h.causes.Cursor < len(h.known):
		return asks{explained(h.known[h.causes.Cursor].id)}
	}
	return asks{}
}

func (h *home) click(f *frame, line int) asks {
	if t := h.table(); t != nil {
		return t.click(line)
	}
	if h.menu().Click(line - 1) {
		return h.open(f)
	}
	return nil
}

func (h *home) here(f *frame) place {
	switch h.pane {
	case homeNodes:
		if h.nodes.Cursor < len(h.listing) {
			n := h.listing[h.nodes.Cursor]
			return place{
				ds: h.listed, items: n.items,
				copied: n.name, called: "the node's name", command: h.listed.nodeCommand(n.name),
			}
		}
	case homeCauses:
		if h.causes.Cursor < len(h.known) {
			id := h.known[h.causes.Cursor].id
			command := "kubectl restartwhy explain " + report.Quote(id)
			return place{copied: id, called: "the cause", command: command, cause: id}
		}
	default:
		return h.table().here(f)
	}
	return place{}
}

func (h *home) hints(k *KeyMap) []key.Binding {
	switch h.pane {
	case homeRestarts:
		return []key.Binding{k.Open, k.NextTab, k.Filter, k.Group, k.Sort, k.Explain}
	case homeRoots:
		return []key.Binding{k.Open, k.NextTab, k.Filter, k.Explain, k.Write, k.Gaps}
	}
	return []key.Binding{k.Open, k.NextTab}
}
