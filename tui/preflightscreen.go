package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// preflightScreen is the lowest screen of a preflight: what would happen in a line,
// and its nodes, reasons or namespaces, worst first.
type preflightScreen struct {
	single
	sift
	list
	v    *present.PreflightView
	by   present.Aspect
	rows []*present.Group // those that pass the filter
	own  []bool           // of a row: the filter's words are in what it is itself
	head []string
}

func (s *preflightScreen) title(m *model) string { return "preflight, " + s.v.Asked() + m.scope() }

func (s *preflightScreen) position() string { return pager.Position(s.list.top, s.n-s.height) }

func (s *preflightScreen) typed(msg tea.KeyPressMsg) tea.Cmd {
	s.typedInto(func(step int) { s.to(s.cursor + step) }, msg)
	return nil
}

func (s *preflightScreen) lay(m *model) {
	under := ""
	if g := s.selected(); g != nil {
		under = g.Title()
	}
	all, f := s.v.Groups(s.by, s.v.Items), s.filter()
	s.rows, s.own = nil, nil
	at := 0
	for _, g := range all {
		own := s.v.Named(f.passes, g)
		if own || len(s.v.Passing(f.passes, g.Items)) > 0 {
			if g.Title() == under {
				at = len(s.rows)
			}
			s.rows, s.own = append(s.rows, g), append(s.own, own)
		}
	}
	s.found, s.total = len(s.rows), len(all)
	blocks := []document.Block{document.Paragraph{Text: document.In(document.Strong, s.v.Headline())}}
	if s.v.Report.Extrapolated {
		blocks = append(blocks, note("taken for "+s.v.Report.ModelledAs+", the newest kubelet that is known"))
	}
	switch {
	case len(all) == 0:
		blocks = append(blocks, note("no node and no container is in the evidence; m lists what is missing"))
	case len(s.rows) == 0:
		blocks = append(blocks, note("nothing matches the filter; esc drops it"))
	}
	name, rest := strings.ToUpper(s.by.String()), "WORST FINDING"
	if s.by == present.ByReason {
		rest = "BECAUSE"
	} else if s.by == present.ByNamespace {
		rest = "WORST REASON"
	}
	line := s.columns(m, "", name, "KUBELET", [4]string{"RESTARTS", "MAY", "UNKNOWN", "STAYS"}, rest)
	s.head = append(m.draw(blocks...), "", m.theme.header.Render(pad(line, m.layout.width, m.theme.glyphs)))
	s.n = len(s.rows)
	s.cursor = at
	s.resize(m.listHeight(len(s.head), s.n))
}

// columns lays out a row: what counts is always there, the rest where there is room.
func (s *preflightScreen) columns(m *model, mark, name, kubelet string, counts [4]string, rest string) string {
	g, w := m.theme.glyphs, m.layout.width
	numbers := fmt.Sprintf("%8s %5s %7s %6s", counts[0], counts[1], counts[2], counts[3])
	lead := pad(mark, gutter, g) + " "
	if w < 100 {
		return lead + pad(name, w-len(numbers)-ansi.StringWidth(lead)-1, g) + " " + numbers
	}
	line := lead + pad(name, min(w/4, 44), g) + " "
	if s.by == present.ByNode {
		line += pad(kubelet, 22, g) + " "
	}
	return line + numbers + "  " + rest
}

func (s *preflightScreen) row(m *model, g *present.Group, selected bool) string {
	style, mark := m.theme.prediction(g.Worst())
	kubelet := ""
	if g.By == present.ByNode {
		kubelet = s.v.Kubelet(g.Name)
	}
	c := g.Count
	counts := [4]string{strconv.Itoa(c.Restarts), strconv.Itoa(c.May), strconv.Itoa(c.Unknown), strconv.Itoa(c.Stays)}
	if selected {
		mark = m.theme.glyphs.cursor + mark
	} else {
		mark = " " + mark
	}
	line := pad(s.columns(m, mark, cmp.Or(g.Name, "not known"), kubelet, counts, s.v.Gist(g)), m.layout.width, m.theme.glyphs)
	if selected {
		return m.theme.selected.Render(line)
	}
	return style.Render(mark) + strings.TrimPrefix(line, mark)
}

func (s *preflightScreen) body(m *model) []string {
	lines := slices.Clone(s.head)
	from, to := s.window()
	for i := from; i < to; i++ {
		lines = append(lines, s.row(m, s.rows[i], i == s.cursor))
	}
	room := m.previewHeight(len(s.head), s.n)
	var look []string
	switch g := s.selected(); {
	case g == nil:
	case room <= sentenceLines:
		look = m.draw(document.Paragraph{Text: document.Say(s.v.Gist(g))})
	default:
		// More containers than lines are not looked at here.
		look = m.draw(s.v.GroupPage(g, s.v.Findings(g), g.Items[:min(len(g.Items), room)], inside(g))...)
	}
	return m.below(lines, m.layout.body, room, look)
}

// selected is the row under the cursor, nil for none.
func (s *preflightScreen) selected() *present.Group {
	if s.cursor < len(s.rows) {
		return s.rows[s.cursor]
	}
	return nil
}

// inside is how the containers of a group are put together at first.
func inside(g *present.Group) present.Aspect {
	if g.By == present.ByReason {
		return present.ByNode
	}
	return present.ByReason
}

func (s *preflightScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := &m.keys; {
	case key.Matches(msg, k.Open, k.Right):
		s.open(m)
	case m.pressSift(&s.sift, msg):
		s.lay(m)
	case key.Matches(msg, k.Group):
		s.by = (s.by + 1) % present.Aspects
		s.list, s.rows = list{}, nil
		s.lay(m)
		m.status = "grouped by " + s.by.String()
	default:
		return nil, s.list.press(&m.keys, msg)
	}
	return nil, true
}

// open goes into the row under the cursor. A filter that found containers and not
// the row itself goes along.
func (s *preflightScreen) open(m *model) {
	g := s.selected()
	if g == nil {
		return
	}
	below := &preflightGroupScreen{v: s.v, group: g, by: inside(g)}
	if !s.own[s.cursor] {
		below.prompt.text = s.prompt.text
	}
	m.push(below)
}

func (s *preflightScreen) click(m *model, line int) tea.Cmd {
	if s.list.click(line - len(s.head)) {
		s.open(m)
	}
	return nil
}

func (s *preflightScreen) here(m *model) place {
	g := s.selected()
	if g == nil {
		return place{}
	}
	at := place{copied: g.Name + ": " + present.Predicted(g.Count), called: "the row", command: m.preflightCommand(scopeFlag(s.v.Report.Scope))}
	if gist := s.v.Gist(g); gist != "" {
		at.copied += "; " + gist
	}
	switch g.By {
	case present.ByNode:
		at.command = m.preflightCommand(" --node " + report.Quote(g.Name))
	case present.ByNamespace:
		at.command = m.preflightCommand(" -n " + report.Quote(g.Name))
	case present.ByReason:
		at.cause = g.Name
	}
	return at
}

// scopeFlag is the flag for what a whole preflight is about.
func scopeFlag(s report.Scope) string {
	switch {
	case s.Namespace != "":
		return " -n " + report.Quote(s.Namespace)
	case len(s.From) > 0:
		return ""
	}
	return " -A"
}

// preflightCommand asks the same about a part, without the viewer.
func (m *model) preflightCommand(part string) string {
	return "kubectl restartwhy preflight --to " + report.Quote(m.preflight.Report.To) + part + " --no-tui" + m.source()
}

func (s *preflightScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Filter, k.Group, k.Write, k.Command, k.Gaps}
}
