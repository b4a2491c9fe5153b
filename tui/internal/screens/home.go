// Package screens holds the screens of a report: what happened by root cause and every restart, in tables; one restart
// with its verdict, evidence, timeline, decision and hashes; one node; one piece of evidence in context; and pages of
// text. A screen is opened by another one or by the viewer (NewHome, NewRestart, NewPage, NewCausePage), and requests
// everything else from the viewer. It may import screen and dataset, the widgets and the wording. It never sees the
// viewer's model.
package screens

import (
	"cmp"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// home is the bottom screen: what happened, by root cause; every restart; the nodes; and the catalogue of causes.
type home struct {
	panes
	roots, all    *table
	nodes, causes screen.TextPage
	nodePage      []document.Block
	causePage     []document.Block
	listed        *dataset.Dataset // the one that the two pages are of
}

const (
	homeRoots = iota
	homeRestarts
	homeNodes
	homeCauses
)

// NewHome returns the bottom screen.
func NewHome(ds *dataset.Dataset) screen.Screen {
	h := &home{roots: newTable(ds, dataset.ByRoot, nil), all: newTable(ds, dataset.ByItem, nil)}
	h.nodes = screen.TextPage{Lowest: true,
		Open:   func(at *document.Anchor) screen.Asks { return screen.Push(newNode(h.listed, at.Opens)) },
		Chosen: func(at *document.Anchor) screen.Selection { return ofNode(h.listed, at.Opens) },
	}
	h.causes = screen.TextPage{Lowest: true,
		Open: func(at *document.Anchor) screen.Asks { return screen.Asks{screen.Explained(at.Cause)} },
		Chosen: func(at *document.Anchor) screen.Selection {
			return screen.Selection{Copied: at.Cause, Called: "the cause", Command: explaining(at.Cause), Cause: at.Cause}
		},
	}
	h.panes = panesOf([]string{"Overview", "Restarts", "Nodes", "Causes"}, h.roots, h.all, &h.nodes, &h.causes)
	return h
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
	s := report.Count(n, "restart")
	if n := f.Data.Incidents(); n > 0 {
		s += ", " + report.Count(n, "incident")
	}
	if f.Data.Day != "" {
		s += " on " + f.Data.Day
	}
	return s + dataset.ScopeText(&r.Scope, f.Look.Glyphs.Separator)
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
		h.listed, h.nodePage, h.causePage = f.Data, nil, nil
	}
	switch h.shown {
	case homeNodes:
		if h.nodePage == nil {
			h.nodePage = nodesPage(f.Data)
		}
		h.nodes.Lay(f, h.nodePage)
	case homeCauses:
		if h.causePage == nil {
			h.causePage = causesPage(f)
		}
		h.causes.Lay(f, h.causePage)
	}
}

func (h *home) Body(f *screen.Frame) []string {
	if f.Waiting && h.List() != nil {
		return f.WaitingText()
	}
	return h.panes.Body(f)
}

func (h *home) Hints(k *screen.KeyMap) []key.Binding {
	switch h.shown {
	case homeRestarts:
		return []key.Binding{k.Open, k.NextTab, k.Filter, k.Group, k.Explain}
	case homeRoots:
		return []key.Binding{k.Open, k.NextTab, k.Filter, k.Explain, k.Write, k.Gaps}
	}
	return []key.Binding{k.Open, k.NextTab, k.Search()}
}

// causesPage is a table of the causes: first those in the report, most frequent at the top, then the rest of the
// catalogue, faint.
func causesPage(f *screen.Frame) []document.Block {
	counts := map[string]int{}
	for i := range f.Data.Report.Items {
		counts[f.Data.Report.Items[i].Verdict.Cause]++
	}
	all := slices.Clone(f.Causes)
	for id := range counts { // the report may be older or newer than the catalogue
		if !slices.ContainsFunc(all, func(c screen.Cause) bool { return c.ID == id }) {
			all = append(all, screen.Cause{ID: id})
		}
	}
	slices.SortFunc(all, func(a, b screen.Cause) int {
		return cmp.Or(cmp.Compare(counts[b.ID], counts[a.ID]), cmp.Compare(a.ID, b.ID))
	})
	t := document.Table{Heads: []string{"CAUSE", "HERE", "WHAT IT IS"}}
	for _, c := range all {
		style, found := document.Plain, strconv.Itoa(counts[c.ID])
		if counts[c.ID] == 0 {
			style, found = document.Faint, " " // a dash would mean unknown
		}
		t.Rows = append(t.Rows, document.Row{
			Cells:  []document.Text{document.In(style, c.ID), document.In(style, found), document.In(style, c.Title)},
			Anchor: document.Anchor{Cause: c.ID, Copy: c.ID},
		})
	}
	if len(all) == 0 {
		return []document.Block{document.Note("the list of causes is not available here")}
	}
	return []document.Block{t}
}
