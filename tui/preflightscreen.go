package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// preflightScreen is the lowest screen of a preflight: what would happen in a line,
// and its nodes, reasons or namespaces, worst first.
type preflightScreen struct {
	single
	filterInput
	pane.Rows
	v     *preflightpage.View
	by    preflightpage.Aspect
	rows  []*preflightpage.Group // those that pass the filter
	own   []bool                 // of a row: the filter's words are in what it is itself
	head  []string
	total int // rows without a filter
}

func (s *preflightScreen) title(f *frame) string {
	return "preflight, " + s.v.Asked() + scopeText(&s.v.Report.Scope, f.look.Glyphs.Separator)
}

func (s *preflightScreen) position() string { return pager.Position(s.Top, s.N-s.Height) }

func (s *preflightScreen) typist() typist { return s }

func (s *preflightScreen) result() (count, keys string) { return s.passed(len(s.rows), s.total) }

func (s *preflightScreen) lay(f *frame) {
	under := ""
	if g := s.selected(); g != nil {
		under = g.Title()
	}
	all, words := s.v.Groups(s.by, s.v.Items), parseFilter(s.typed.Text())
	s.rows, s.own = nil, nil
	at := 0
	for _, g := range all {
		own := s.v.Named(words.passes, g)
		if own || len(s.v.Passing(words.passes, g.Items)) > 0 {
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
	s.head = append(f.draw(blocks...), "", f.look.Muted.Render(f.pad(line, f.width)))
	s.Cursor = at
	s.Set(len(s.rows), f.listHeight(len(s.head), len(s.rows)))
}

// columns lays out a row: what counts is always there, the rest where there is room.
func (s *preflightScreen) columns(f *frame, mark, name, kubelet string, counts [4]string, rest string) string {
	names, kubelets := f.width-33, 0 // what the others leave
	if f.width >= 100 {
		names = min(f.width/4, 44)
		if s.by == preflightpage.ByNode {
			kubelets = 22
		}
	}
	line := f.line(cell{mark, pane.Gutter, nil}, cell{name, names, nil}, cell{kubelet, kubelets, nil},
		cell{counts[0], -8, nil}, cell{counts[1], -5, nil}, cell{counts[2], -7, nil}, cell{counts[3], -6, nil})
	if f.width < 100 {
		return line
	}
	return line + "  " + rest
}

func (s *preflightScreen) row(f *frame, g *preflightpage.Group, selected bool) string {
	style, mark := prediction(&f.look, g.Worst())
	kubelet := ""
	if g.By == preflightpage.ByNode {
		kubelet = s.v.Kubelet(g.Name)
	}
	c := g.Count
	counts := [4]string{strconv.Itoa(c.Restarts), strconv.Itoa(c.May), strconv.Itoa(c.Unknown), strconv.Itoa(c.Stays)}
	if selected {
		mark = f.look.Glyphs.Cursor + mark
	} else {
		mark = " " + mark
	}
	line := s.columns(f, mark, cmp.Or(g.Name, "not known"), kubelet, counts, s.v.Gist(g))
	if selected {
		return pane.Cursor(&f.look, line, f.width)
	}
	return style.Render(mark) + strings.TrimPrefix(f.pad(line, f.width), mark)
}

func (s *preflightScreen) body(f *frame) []string {
	lines := slices.Clone(s.head)
	from, to := s.Window()
	for i := from; i < to; i++ {
		lines = append(lines, s.row(f, s.rows[i], i == s.Cursor))
	}
	room := f.previewHeight(len(s.head), s.N)
	var look []string
	switch g := s.selected(); {
	case g == nil:
	case room <= sentenceLines:
		look = f.draw(document.Para(s.v.Gist(g)))
	default:
		// More containers than lines are not looked at here.
		look = f.draw(s.v.GroupPage(g, s.v.Findings(g), g.Items[:min(len(g.Items), room)], inside(g))...)
	}
	return f.below(lines, f.body, room, "", look)
}

// selected is the row under the cursor, nil for none.
func (s *preflightScreen) selected() *preflightpage.Group {
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

func (s *preflightScreen) press(f *frame, msg tea.KeyPressMsg) asks {
	switch k := &f.keys; {
	case key.Matches(msg, k.Open, k.Right):
		return s.open()
	case s.filterInput.press(k, msg):
		return asks{changed{}}
	case key.Matches(msg, k.Group):
		s.by = (s.by + 1) % preflightpage.Aspects
		s.Rows, s.rows = pane.Rows{}, nil
		return asks{notice("grouped by " + s.by.String()), changed{}}
	}
	a, ok := f.keys.action(msg)
	return taken(ok && s.Do(a))
}

// open goes into the row under the cursor. A filter that found containers and not
// the row itself goes along.
func (s *preflightScreen) open() asks {
	g := s.selected()
	if g == nil {
		return asks{}
	}
	below := &preflightGroupScreen{v: s.v, group: g, by: inside(g)}
	if !s.own[s.Cursor] {
		below.typed.Set(s.typed.Text())
	}
	return asks{pushed{below}}
}

func (s *preflightScreen) click(_ *frame, line int) asks {
	if s.Click(line - len(s.head)) {
		return s.open()
	}
	return nil
}

func (s *preflightScreen) here(*frame) place {
	g := s.selected()
	if g == nil {
		return place{}
	}
	at := place{
		copied: g.Name + ": " + preflightpage.Predicted(g.Count), called: "the row",
		command: preflightCommand(s.v, scopeFlag(s.v.Report.Scope)),
	}
	if gist := s.v.Gist(g); gist != "" {
		at.copied += "; " + gist
	}
	switch g.By {
	case preflightpage.ByNode:
		at.command = preflightCommand(s.v, " --node "+report.Quote(g.Name))
	case preflightpage.ByNamespace:
		at.command = preflightCommand(s.v, " -n "+report.Quote(g.Name))
	case preflightpage.ByReason:
		at.cause = g.Name
	}
	return at
}

func (s *preflightScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Filter, k.Group, k.Write, k.Command, k.Gaps}
}
