package tui

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// pileScreen is one node, reason or namespace: what is the matter with it, and its
// containers, worst first.
type pileScreen struct {
	single
	sift
	o     *outlook
	pile  *pile
	by    aspect
	leads []lead // one for each stop of text
	text  sheet
}

func (s *pileScreen) title(*model) string {
	return s.pile.by.String() + " " + cmp.Or(s.pile.name, "not known")
}

func (s *pileScreen) position() string { return s.text.position() }

func (s *pileScreen) typed(msg tea.KeyPressMsg) tea.Cmd {
	s.typedInto(&s.text, msg)
	return nil
}

func (s *pileScreen) lay(m *model) {
	under := s.under()
	f := s.filter()
	items := s.o.passing(f, s.pile.items)
	findings := slices.DeleteFunc(s.o.findings(s.pile), func(x report.Finding) bool { return !f.passes(strings.ToLower(findingLine(x))) })
	s.found, s.total = len(items), len(s.pile.items)
	d := newDossier(&m.theme, m.layout.text, &report.Item{}, nil)
	s.leads = s.o.writePile(d, s.pile, findings, items, s.by, false, math.MaxInt)
	if len(d.stops) == 0 && s.prompt.text != "" {
		d.blank()
		d.para(2, "nothing matches the filter; esc drops it", m.theme.muted)
	}
	if under != nil {
		if i := slices.Index(s.leads, *under); i >= 0 {
			s.text.cursor = i
		}
	}
	s.text.height = m.layout.body
	s.text.set(d.lines, d.stops)
}

// under is what the cursor is on, nil for nothing.
func (s *pileScreen) under() *lead {
	if s.text.cursor < len(s.leads) {
		return &s.leads[s.text.cursor]
	}
	return nil
}

func (s *pileScreen) body(m *model) []string { return s.text.window(&m.theme, m.layout.width) }

func (s *pileScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := &m.keys; {
	case key.Matches(msg, k.Open, k.Right):
		s.open(m)
	case m.pressSift(&s.sift, msg):
		s.lay(m)
	case key.Matches(msg, k.Group):
		// What all of them share is no group.
		if s.by = (s.by + 1) % aspects; s.by == s.pile.by {
			s.by = (s.by + 1) % aspects
		}
		s.lay(m)
		m.status = "grouped by " + s.by.String()
	default:
		return m.pressSheet(&s.text, msg, m.ds.find)
	}
	return nil, true
}

func (s *pileScreen) open(m *model) {
	switch at := s.under(); {
	case at == nil:
	case at.item == none:
		m.status = "this is all that is known of it; y copies it"
	default:
		m.push(&fateScreen{o: s.o, item: at.item})
	}
}

func (s *pileScreen) click(m *model, line int) tea.Cmd {
	was := s.text.cursor
	if s.text.click(line) && s.text.cursor == was {
		s.open(m)
	}
	return nil
}

func (s *pileScreen) here(m *model) place {
	at := s.under()
	switch {
	case at == nil:
		return place{}
	case at.item == none:
		return place{copied: findingLine(at.finding), called: "the finding", command: m.preflightCommand(" --node " + report.Quote(s.pile.name))}
	}
	return m.fate(at.item)
}

// fate is the place of one container.
func (m *model) fate(i int32) place {
	it := &m.outlook.r.Items[i]
	return place{
		copied: m.outlook.line(i), called: "the prediction", cause: it.Rule,
		command: m.preflightCommand(" pod/" + report.Quote(it.Pod) + " -n " + report.Quote(it.Namespace)),
	}
}

func (s *pileScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Back, k.Filter, k.NextMark, k.Group, k.Explain, k.Copy, k.Command, k.Write}
}

// fateScreen is one container: what becomes of it, and how that is known.
type fateScreen struct {
	single
	o    *outlook
	item int32
	text sheet
}

func (s *fateScreen) title(*model) string {
	it := &s.o.r.Items[s.item]
	return it.Namespace + "/" + it.Pod + "/" + it.Container
}

func (s *fateScreen) position() string { return s.text.position() }

func (s *fateScreen) lay(m *model) {
	d := newDossier(&m.theme, m.layout.text, &report.Item{}, nil)
	s.o.writeItem(d, s.item)
	s.text.height = m.layout.body
	s.text.set(d.lines, d.stops)
}

func (s *fateScreen) body(m *model) []string { return s.text.window(&m.theme, m.layout.width) }

func (s *fateScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if key.Matches(msg, m.keys.Open, m.keys.Right) {
		m.status = "this is all that is known of it; y copies the line, e explains the rule"
		return nil, true
	}
	return m.pressSheet(&s.text, msg, m.ds.find)
}

func (s *fateScreen) click(_ *model, line int) tea.Cmd {
	s.text.click(line)
	return nil
}

func (s *fateScreen) here(m *model) place {
	p := m.fate(s.item)
	if at := s.text.at(); at != nil {
		p.copied, p.called = at.copied, "the line"
	}
	return p
}

func (s *fateScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.Explain, k.Copy, k.Command, k.Write}
}
