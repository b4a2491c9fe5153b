// Package preflight holds the screens of a preflight: the page that text and tickets also have, with the containers
// folded below their nodes, and one container. It may import screen, dataset and the wording
// (analyzer/present/preflightpage). It knows nothing of restarts or the viewer's model.
package preflight

import (
	"cmp"
	"strconv"

	"charm.land/bubbles/v2/key"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// overview is the bottom screen: the whole preflight.
type overview struct {
	screen.TextPage
	r    *report.Preflight
	page []document.Block
}

// New returns the bottom screen of a preflight.
func New(r *report.Preflight) screen.Screen {
	s := &overview{r: r, page: preflightpage.Page(r, preflightpage.Limits{Folds: true, Gaps: -1}).Blocks}
	s.Lowest, s.Open = true, s.open
	return s
}

func (s *overview) Title(f *screen.Frame) string {
	to := "kubelets to " + s.r.To
	if s.r.To == "same" {
		to = "kubelets restarted as they are"
	}
	return "preflight, " + to + dataset.ScopeText(&s.r.Scope, f.Look.Glyphs.Separator)
}

func (s *overview) Lay(f *screen.Frame) { s.TextPage.Lay(f, s.page) }

// item is the container that an anchor opens, nil for none.
func (s *overview) item(at *document.Anchor) *report.PreflightItem {
	if n, err := strconv.Atoi(at.Opens); err == nil {
		return &s.r.Items[n]
	}
	return nil
}

func (s *overview) open(at *document.Anchor) screen.Asks {
	switch it := s.item(at); {
	case it != nil:
		return screen.Push(newContainer(s.r, it))
	case s.Toggle():
		return screen.Asks{}
	case at.Cause != "":
		return screen.Asks{screen.Explained(at.Cause)}
	}
	return screen.Say("there are no more details; y copies it")
}

func (s *overview) Here(*screen.Frame) screen.Selection {
	p := screen.Selection{Command: command(s.r, dataset.ScopeFlag(s.r.Scope))}
	at := s.At()
	if at == nil {
		return p
	}
	if it := s.item(at); it != nil {
		return selection(s.r, it)
	}
	p.Copied, p.Called, p.Cause = cmp.Or(at.Copy, s.Said()), "the line", at.Cause
	if at.ID != "" {
		p.Command = command(s.r, " --node "+report.Quote(at.ID))
	}
	return p
}

func (s *overview) Hints(k *screen.KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Search(), k.Write, k.Command, k.Gaps}
}

func selection(r *report.Preflight, it *report.PreflightItem) screen.Selection {
	return screen.Selection{Copied: preflightpage.Line(it), Called: "the prediction", Cause: it.Rule,
		Command: command(r, " pod/"+report.Quote(it.Pod)+" -n "+report.Quote(it.Namespace))}
}

// command is the command that predicts the same for a part.
func command(r *report.Preflight, part string) string {
	return "kubectl restartwhy preflight --to " + report.Quote(r.To) + part + " --no-tui" + dataset.FromFlags(&r.Scope)
}

// containerScreen is one container: its prediction, and the reasons.
type containerScreen struct {
	screen.TextPage
	r  *report.Preflight
	it *report.PreflightItem
}

func newContainer(r *report.Preflight, it *report.PreflightItem) *containerScreen {
	s := &containerScreen{r: r, it: it}
	s.Open = func(*document.Anchor) screen.Asks {
		return screen.Say("there are no more details; y copies the line, e explains the rule")
	}
	return s
}

func (s *containerScreen) Title(*screen.Frame) string {
	return s.it.Namespace + "/" + s.it.Pod + "/" + s.it.Container
}

func (s *containerScreen) Lay(f *screen.Frame) { s.TextPage.Lay(f, preflightpage.Container(s.r, s.it)) }

func (s *containerScreen) Here(*screen.Frame) screen.Selection {
	p := selection(s.r, s.it)
	if at := s.At(); at != nil {
		p.Copied, p.Called = at.Copy, "the line"
	}
	return p
}

func (s *containerScreen) Hints(k *screen.KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.Explain, k.Copy, k.Command, k.Write}
}
