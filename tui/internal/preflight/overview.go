// Package preflight holds the screens of a preflight: its nodes, reasons or namespaces,
// one of them with its containers, and one container. The lowest one (New) opens the
// others. It may import screen and dataset, the widgets and the words
// (analyzer/present/preflightpage). What never enters: restarts, the model of the viewer.
package preflight

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// overview is the lowest screen of a preflight: what would happen in a line,
// and its nodes, reasons or namespaces, worst first.
type overview struct {
	screen.Single
	screen.FilterInput
	pane.Rows
	v     *preflightpage.View
	by    preflightpage.Aspect
	rows  []*preflightpage.Group // those that pass the filter
	own   []bool                 // of a row: the filter's words are in what it is itself
	head  []string
	total int // rows without a filter
}

// New is the lowest screen of a preflight.
func New(v *preflightpage.View) screen.Screen { return &overview{v: v} }

func (s *overview) Title(f *screen.Frame) string {
	return "preflight, " + s.v.Asked() + dataset.ScopeText(&s.v.Report.Scope, f.Look.Glyphs.Separator)
}

func (s *overview) Position() string { return pager.Position(s.Top, s.N-s.Height) }

func (s *overview) Typist() screen.Typist { return s }

func (s *overview) Result() (count, keys string) { return s.Passed(len(s.rows), s.total) }

func (s *overview) Lay(f *screen.Frame) {
	under := ""
	if g := s.selected(); g != nil {
		under = g.Title()
	}
	all, words := s.v.Groups(s.by, s.v.Items), dataset.ParseTerms(s.Typed.Text())
	s.rows, s.own = nil, nil
	at := 0
	for _, g := range all {
		own := s.v.Named(words.Passes, g)
		if own || len(s.v.Passing(words.Passes, g.Items)) > 0 {
			if g.Title() == under {
				at = len(s.rows)
			}
			s.rows, s.own = append(s.rows, g), append(s.own, own)
		}
	}
	s.total = len(all)
	blocks := []document.Block{document.Paragraph{Text: document.In(document.Strong, s.v.Headline())}}
	if s.v.Report.Extrapolated {
		blocks = append(blocks,
			document.Note("predicted as "+s.v.Report.ModelledAs+", the newest kubelet this version knows"))
	}
	switch {
	case len(all) == 0:
		blocks = append(blocks, document.Note("no node and no container is in the evidence; m lists what is missing"))
	case len(s.rows) == 0:
		blocks = append(blocks, document.Note("nothing matches the filter; esc drops it"))
	}
	name, rest := strings.ToUpper(s.by.String()), "WORST FINDING"
	switch s.by {
	case preflightpage.ByReason:
		rest = "BECAUSE"
	case preflightpage.ByNamespace:
		rest = "WORST REASON"
	}
	line := s.columns(f, "", name, "KUBELET", [4]string{"RESTARTS", "MAY", "UNKNOWN", "STAYS"}, rest)
	s.head = append(f.Draw(blocks...), "", f.Look.Muted.Render(f.Pad(line, f.Width)))
	s.Cursor = at
	s.Set(len(s.rows), f.ListHeight(len(s.head), len(s.rows)))
}

// columns lays out a row: what counts is always there, the rest where there is room.
func (s *overview) columns(f *screen.Frame, mark, name, kubelet string, counts [4]string, rest string) string {
	names, kubelets := f.Width-33, 0 // what the others leave
	if f.Width >= 100 {
		names = min(f.Width/4, 44)
		if s.by == preflightpage.ByNode {
			kubelets = 22
		}
	}
	line := f.Line(screen.Col(mark, pane.Gutter), screen.Col(name, names), screen.Col(kubelet, kubelets),
		screen.Col(counts[0], -8), screen.Col(counts[1], -5), screen.Col(counts[2], -7), screen.Col(counts[3], -6))
	if f.Width < 100 {
		return line
	}
	return line + "  " + rest
}

func (s *overview) row(f *screen.Frame, g *preflightpage.Group, selected bool) string {
	style, mark := prediction(&f.Look, g.Worst())
	kubelet := ""
	if g.By == preflightpage.ByNode {
		kubelet = s.v.Kubelet(g.Name)
	}
	c := g.Count
	counts := [4]string{strconv.Itoa(c.Restarts), strconv.Itoa(c.May), strconv.Itoa(c.Unknown), strconv.Itoa(c.Stays)}
	if selected {
		mark = f.Look.Glyphs.Cursor + mark
	} else {
		mark = " " + mark
	}
	line := s.columns(f, mark, cmp.Or(g.Name, "not known"), kubelet, counts, s.v.Gist(g))
	if selected {
		return pane.Cursor(&f.Look, line, f.Width)
	}
	return style.Render(mark) + strings.TrimPrefix(f.Pad(line, f.Width), mark)
}

func (s *overview) Body(f *screen.Frame) []string {
	lines := slices.Clone(s.head)
	from, to := s.Window()
	for i := from; i < to; i++ {
		lines = append(lines, s.row(f, s.rows[i], i == s.Cursor))
	}
	room := f.PreviewHeight(len(s.head), s.N)
	var look []string
	switch g := s.selected(); {
	case g == nil:
	case room <= screen.SentenceLines:
		look = f.Draw(document.Para(s.v.Gist(g)))
	default:
		// More containers than lines are not looked at here.
		look = f.Draw(s.v.GroupPage(g, s.v.Findings(g), g.Items[:min(len(g.Items), room)], inside(g))...)
	}
	return f.Below(lines, f.Body, room, "", look)
}

// selected is the row under the cursor, nil for none.
func (s *overview) selected() *preflightpage.Group {
	if s.Cursor < len(s.rows) {
		return s.rows[s.Cursor]
	}
	return nil
}

// inside is how the containers of a group are put together at first.
func inside(g *preflightpage.Group) preflightpage.Aspect {
	if g.By == preflightpage.ByReason {
		return preflightpage.ByNode
	}
	return preflightpage.ByReason
}

func (s *overview) Press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	switch k := &f.Keys; {
	case key.Matches(msg, k.Open, k.Right):
		return s.open()
	case s.Take(k, msg):
		return screen.Asks{screen.Changed{}}
	case key.Matches(msg, k.Group):
		s.by = (s.by + 1) % preflightpage.Aspects
		s.Rows, s.rows = pane.Rows{}, nil
		return screen.Asks{screen.Notice("grouped by " + s.by.String()), screen.Changed{}}
	}
	a, ok := f.Keys.Action(msg)
	return screen.Taken(ok && s.Do(a))
}

// open goes into the row under the cursor. A filter that found containers and not
// the row itself goes along.
func (s *overview) open() screen.Asks {
	g := s.selected()
	if g == nil {
		return screen.Asks{}
	}
	below := &groupScreen{v: s.v, group: g, by: inside(g)}
	if !s.own[s.Cursor] {
		below.Typed.Set(s.Typed.Text())
	}
	return screen.Push(below)
}

func (s *overview) Click(_ *screen.Frame, line int) screen.Asks {
	if s.Rows.Click(line - len(s.head)) {
		return s.open()
	}
	return nil
}

func (s *overview) Here(*screen.Frame) screen.Selection {
	g := s.selected()
	if g == nil {
		return screen.Selection{}
	}
	at := screen.Selection{
		Copied: g.Name + ": " + preflightpage.Predicted(g.Count), Called: "the row",
		Command: preflightCommand(s.v, dataset.ScopeFlag(s.v.Report.Scope)),
	}
	if gist := s.v.Gist(g); gist != "" {
		at.Copied += "; " + gist
	}
	switch g.By {
	case preflightpage.ByNode:
		at.Command = preflightCommand(s.v, " --node "+report.Quote(g.Name))
	case preflightpage.ByNamespace:
		at.Command = preflightCommand(s.v, " -n "+report.Quote(g.Name))
	case preflightpage.ByReason:
		at.Cause = g.Name
	}
	return at
}

func (s *overview) Hints(k *screen.KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Filter, k.Group, k.Write, k.Command, k.Gaps}
}

func prediction(l *style.Theme, p report.Prediction) (lipgloss.Style, string) {
	switch p {
	case report.Restarts:
		return l.Bad, l.Glyphs.Proven
	case report.MayRestart:
		return l.Warn, l.Glyphs.Likely
	case report.Stays:
		return l.Muted, l.Glyphs.Possible
	}
	return l.Muted, l.Glyphs.Unknown
}

// preflightCommand foretells the same of a part.
func preflightCommand(v *preflightpage.View, part string) string {
	to := report.Quote(v.Report.To)
	return "kubectl restartwhy preflight --to " + to + part + " --no-tui" + dataset.FromFlags(&v.Report.Scope)
}
