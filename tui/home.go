package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// home is the lowest screen: what happened, by its roots; every restart; the
// nodes; and the catalogue of causes.
type home struct {
	pane    int
	roots   *table
	all     *table
	nodes   list
	causes  list
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

func newHome(m *model) *home {
	return &home{roots: newTable(m.ds, byRoot, nil), all: newTable(m.ds, byItem, nil)}
}

func (h *home) title(m *model) string {
	r := m.ds.report
	if m.waiting {
		return "collecting evidence"
	}
	n := 0
	for i := range r.Items {
		if r.Items[i].Kind != report.None {
			n++
		}
	}
	s := counted(n, "restart")
	if n := h.roots.incidents(); n > 0 {
		s += ", " + counted(n, "incident")
	}
	if m.ds.day != "" {
		s += " on " + m.ds.day
	}
	return s + m.scope()
}

// scope says what was asked about.
func (m *model) scope() string {
	s, sep := m.ds.report.Scope, m.theme.glyphs.separator
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
		return pager.Position(t.top, t.n-t.height)
	}
	if l := h.menu(); l != nil {
		return pager.Position(l.top, l.n-l.height)
	}
	return ""
}

func (h *home) panes() ([]string, int) {
	return []string{"Overview", "Restarts", "Nodes", "Causes"}, h.pane
}

func (h *home) turn(m *model, pane int) tea.Cmd {
	h.pane = pane
	h.lay(m)
	return nil
}

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

func (h *home) menu() *list {
	switch h.pane {
	case homeNodes:
		return &h.nodes
	case homeCauses:
		return &h.causes
	}
	return nil
}

func (h *home) rebase(m *model) tea.Cmd {
	h.roots.rebase(m.ds, nil)
	h.all.rebase(m.ds, nil)
	return nil
}

func (h *home) lay(m *model) {
	m.resizeTable(h.roots, 0)
	m.resizeTable(h.all, 0)
	if h.listed != m.ds {
		h.listed, h.listing, h.known = m.ds, nodeRows(m.ds), causeRows(m)
	}
	h.nodes.set(len(h.listing), m.layout.body-1)
	h.causes.set(len(h.known), m.layout.body-1)
}

func (h *home) body(m *model) []string {
	switch h.pane {
	case homeNodes:
		return m.drawNodes(&h.nodes, h.listing)
	case homeCauses:
		return m.drawCauses(&h.causes, h.known)
	}
	if m.waiting {
		return m.waitingText()
	}
	return m.drawTable(h.table(), 0)
}

func (h *home) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if t := h.table(); t != nil {
		return m.pressTable(t, msg)
	}
	l := h.menu()
	if key.Matches(msg, m.keys.Open, m.keys.Right) {
		return h.open(m), true
	}
	if key.Matches(msg, m.keys.Left, m.keys.Back) {
		return nil, true // there is nothing below
	}
	return nil, l.press(&m.keys, msg)
}

func (h *home) open(m *model) tea.Cmd {
	switch {
	case h.pane == homeNodes && h.nodes.cursor < len(h.listing):
		return m.openNode(h.listing[h.nodes.cursor].name)
	case h.pane == homeCauses && h.causes.cursor < len(h.known):
		m.explain(h.known[h.causes.cursor].id)
	}
	return nil
}

func (h *home) click(m *model, line int) tea.Cmd {
	if t := h.table(); t != nil {
		return m.clickTable(t, line)
	}
	if l := h.menu(); l.click(line - 1) {
		return h.open(m)
	}
	return nil
}

func (h *home) here(m *model) place {
	switch h.pane {
	case homeNodes:
		if h.nodes.cursor < len(h.listing) {
			n := h.listing[h.nodes.cursor]
			return place{copied: n.name, called: "the node's name", command: m.nodeCommand(n.name), items: n.items}
		}
	case homeCauses:
		if h.causes.cursor < len(h.known) {
			id := h.known[h.causes.cursor].id
			return place{copied: id, called: "the cause", command: "kubectl restartwhy explain " + report.Quote(id), cause: id}
		}
	default:
		return m.rowHere(h.table())
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
