package tui

import (
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// evidenceScreen shows one piece of evidence, raw, among its neighbours: the lines
// of the same log before and behind it.
type evidenceScreen struct {
	single
	ds      *dataset
	find    func(id string) *report.Evidence
	ids     []string // those that were cited together
	at      int
	reach   int // neighbours on each side
	around  []report.Evidence
	trouble string
	head    []string
	text    pager.Pager // the lines around it
	placed  bool        // the view was put on the piece itself
}

const (
	firstReach = 8
	mostReach  = 512
)

// aroundTold brings the neighbours of a piece of evidence.
type aroundTold struct {
	to     *evidenceScreen
	id     string
	reach  int
	around []report.Evidence
	err    error
}

func (m *model) openEvidence(ids []string, find func(string) *report.Evidence) tea.Cmd {
	if len(ids) == 0 {
		return nil
	}
	s := &evidenceScreen{ds: m.ds, find: find, ids: ids, reach: firstReach}
	if r, ok := m.top().(*restartScreen); ok {
		s.ds = r.ds
	}
	cmd := s.ask()
	m.push(s)
	return cmd
}

func (s *evidenceScreen) ask() tea.Cmd {
	s.trouble, s.placed = "", false
	if s.ds.teller == nil {
		s.trouble = "only what the verdicts cite is at hand here, not the lines around it"
		return nil
	}
	teller, id, reach := s.ds.teller, s.ids[s.at], s.reach
	return func() tea.Msg {
		around, err := teller.Around(id, reach)
		return aroundTold{s, id, reach, around, err}
	}
}

func (t aroundTold) into(m *model) {
	s := t.to
	if s.ids[s.at] != t.id || s.reach != t.reach {
		return
	}
	if s.around = t.around; s.around == nil {
		s.around = []report.Evidence{} // asked, and there are none
	}
	if t.err != nil {
		s.trouble = t.err.Error()
	}
	s.lay(m)
}

func (s *evidenceScreen) title(*model) string {
	if len(s.ids) == 1 {
		return "evidence"
	}
	return fmt.Sprintf("evidence %d of %d for this line", s.at+1, len(s.ids))
}

func (s *evidenceScreen) position() string { return s.text.Position() }

func (s *evidenceScreen) page() *pager.Pager { return &s.text }

func (s *evidenceScreen) lay(m *model) {
	id := s.ids[s.at]
	e := s.find(id)
	if i := slices.IndexFunc(s.around, func(e report.Evidence) bool { return e.ID == id }); e == nil && i >= 0 {
		e = &s.around[i]
	}
	head := []document.Block{note(id + " is not in this report")}
	if e != nil {
		head = present.EvidenceHead(e)
	}
	head = append(head, document.Heading{Level: 2, Text: document.Say("In context")})
	switch {
	case s.trouble != "":
		head = append(head, note(s.trouble))
	case s.around == nil:
		head = append(head, note("reading the lines around it"))
	case len(s.around) < 2:
		head = append(head, note("it has no neighbours at its source"))
	}
	lines := pager.Draw(head, &m.look, m.layout.width)
	s.head = lines[:min(len(lines), m.layout.body/2)]
	around := s.around
	if len(around) == 0 && e != nil {
		around = []report.Evidence{*e}
	}
	s.text.Show(m.look, m.layout.width, max(m.layout.body-len(s.head), 1), present.Around(around, id))
	if !s.placed {
		s.placed = s.around != nil
		s.text.Find(func(a *document.Anchor) bool { return len(a.Evidence) == 1 && a.Evidence[0] == id })
	}
}

func (s *evidenceScreen) body(*model) []string {
	return append(slices.Clone(s.head), s.text.Lines()...)
}

func (s *evidenceScreen) click(_ *model, line int) tea.Cmd {
	s.text.Click(line - len(s.head))
	return nil
}

func (s *evidenceScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	k := &m.keys
	switch {
	case key.Matches(msg, k.Next, k.Right), key.Matches(msg, k.Previous):
		step := 1
		if key.Matches(msg, k.Previous) {
			step = -1
		}
		if len(s.ids) == 1 {
			m.status = "the line cites this alone"
			return nil, true
		}
		s.at, s.around = (s.at+step+len(s.ids))%len(s.ids), nil
		s.text = pager.Pager{}
		cmd := s.ask()
		s.lay(m)
		return cmd, true
	case key.Matches(msg, k.ZoomIn) && s.reach < mostReach, key.Matches(msg, k.ZoomOut) && s.reach > 1:
		if s.reach *= 2; key.Matches(msg, k.ZoomOut) {
			s.reach /= 4
		}
		m.status = counted(s.reach, "line") + " on each side"
		return s.ask(), true
	case key.Matches(msg, k.Open):
		if at := s.text.At(); at != nil && len(at.Evidence) == 1 && at.Evidence[0] != s.ids[s.at] {
			return m.openEvidence(at.Evidence, s.findAround), true
		}
		return nil, true
	}
	return m.pressPager(&s.text, msg, s.findAround)
}

// findAround also knows the neighbours, which no report holds.
func (s *evidenceScreen) findAround(id string) *report.Evidence {
	if e := s.find(id); e != nil {
		return e
	}
	if i := slices.IndexFunc(s.around, func(e report.Evidence) bool { return e.ID == id }); i >= 0 {
		return &s.around[i]
	}
	return nil
}

// here is the evidence, and the restart from which one came.
func (s *evidenceScreen) here(m *model) place {
	p := place{called: "the evidence"}
	for _, below := range m.stack {
		if r, ok := below.(*restartScreen); ok {
			p = r.here(m)
			p.called = "the evidence"
		}
	}
	p.copied = ""
	if at := s.text.At(); at != nil {
		p.copied = at.Copy
	}
	return p
}

func (s *evidenceScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.ZoomIn, k.ZoomOut, k.Next, k.Copy, k.search()}
}
