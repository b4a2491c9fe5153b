package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
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
	text    sheet // the lines around it
	placed  bool  // the view was put on the piece itself
}

const (
	// neighbourLines is how much of a long neighbour is shown.
	neighbourLines = 3

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

func (s *evidenceScreen) position() string { return s.text.position() }

func (s *evidenceScreen) lay(m *model) {
	id := s.ids[s.at]
	e := s.find(id)
	if i := slices.IndexFunc(s.around, func(e report.Evidence) bool { return e.ID == id }); e == nil && i >= 0 {
		e = &s.around[i]
	}
	head := page{theme: &m.theme, width: m.layout.width}
	if e == nil {
		head.para(2, id+" is not in this report", m.theme.unknown)
	} else {
		s.describe(&head, e)
	}
	head.heading("In context")
	if s.trouble != "" {
		head.para(margin, s.trouble, m.theme.muted)
	} else if s.around == nil {
		head.para(margin, "reading the lines around it", m.theme.muted)
	} else if len(s.around) < 2 {
		head.para(margin, "it has no neighbours at its source", m.theme.muted)
	}
	s.head = head.lines[:min(len(head.lines), m.layout.body/2)]
	around := s.around
	if len(around) == 0 && e != nil {
		around = []report.Evidence{*e}
	}
	p := page{theme: &m.theme, width: m.layout.width}
	var stops []stop
	lit := none
	for i := range around {
		n := &around[i]
		first := len(p.lines)
		if n.ID == id {
			lit = len(stops)
			p.labelled(2, m.theme.glyphs.proven+" "+clockOf(n), 2+clockWidth, m.theme.lit, said(n), m.theme.lit)
		} else {
			s.neighbour(&p, n, e)
		}
		stops = append(stops, stop{first: first, end: len(p.lines), evidence: []string{n.ID}, copied: evidenceLine(n)})
	}
	s.text.height = max(m.layout.body-len(s.head), 1)
	s.text.set(p.lines, stops)
	if lit != none && !s.placed {
		s.placed = s.around != nil
		s.text.cursor = lit
		s.text.top = p.middle(stops[lit], s.text.height)
		s.text.show()
	}
}

// middle is the top of a window of so many lines that has a stop in its middle.
func (p *page) middle(at stop, height int) int {
	return max(0, min((at.first+at.end-height)/2, len(p.lines)-height))
}

// neighbour writes a line around a piece of evidence. One of another place, as of
// another pod, says which.
func (s *evidenceScreen) neighbour(p *page, n, of *report.Evidence) {
	text, first := said(n), len(p.lines)
	if of != nil && n.Source.Where != of.Source.Where && n.Source.Where != "" {
		text = n.Source.Where + ": " + text
	}
	p.labelled(4, clockOf(n), clockWidth, p.theme.muted, text, p.theme.muted)
	if most := first + neighbourLines; len(p.lines) > most {
		p.lines = p.lines[:most] // enter shows all of it
		p.lines[most-1] = ansi.Truncate(p.lines[most-1], p.width-ansi.StringWidth(p.theme.glyphs.ellipsis), "") + p.theme.glyphs.ellipsis
	}
}

// describe says where a piece of evidence is from and what it is about.
func (s *evidenceScreen) describe(p *page, e *report.Evidence) {
	row := func(name, value string) {
		if value != "" {
			p.labelled(2, name, 8, p.theme.muted, value, plain)
		}
	}
	sep := p.theme.glyphs.separator
	at := ""
	if e.Time != nil {
		at = e.Time.UTC().Format("2006-01-02 15:04:05.000") + " UTC"
	}
	row("from", join(sep, e.Source.Kind, e.Source.Node, e.Source.Where))
	row("about", join(sep, podOf(e.Subject), e.Subject.Container, short(e.Subject.ContainerID), short(e.Subject.SandboxID)))
	row("read as", join(sep, e.Statement, at, e.ID))
}

// short is as much of a runtime's id as its own tools show.
func short(id string) string {
	if i := strings.LastIndex(id, "/"); i >= 0 {
		id = id[i+1:]
	}
	return id[:min(len(id), 13)]
}

func podOf(s report.Subject) string {
	if s.Pod == "" {
		return s.Node
	}
	return s.Namespace + "/" + s.Pod
}

func join(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// said is the text of a piece of evidence, else what it was understood as.
func said(e *report.Evidence) string {
	if e.Text != "" {
		return e.Text
	}
	return e.Statement
}

// clockWidth is the width of a time with milliseconds, and a space.
const clockWidth = 13

func clockOf(e *report.Evidence) string {
	if e.Time == nil {
		return ""
	}
	return e.Time.UTC().Format("15:04:05.000")
}

// evidenceLine is a piece of evidence as one line, for a clipboard.
func evidenceLine(e *report.Evidence) string {
	at := ""
	if e.Time != nil {
		at = e.Time.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return join(" ", at, e.Source.Node, e.Source.Kind, e.Source.Where) + ": " + said(e)
}

func (s *evidenceScreen) body(m *model) []string {
	return append(slices.Clone(s.head), s.text.window(&m.theme, m.layout.width)...)
}

func (s *evidenceScreen) click(_ *model, line int) tea.Cmd {
	s.text.click(line - len(s.head))
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
		s.text = sheet{}
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
		if at := s.text.at(); at != nil && len(at.evidence) == 1 && at.evidence[0] != s.ids[s.at] {
			return m.openEvidence(at.evidence, s.findAround), true
		}
		return nil, true
	}
	return m.pressSheet(&s.text, msg, s.findAround)
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
	if at := s.text.at(); at != nil {
		p.copied = at.copied
	}
	return p
}

func (s *evidenceScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.ZoomIn, k.ZoomOut, k.Next, k.Copy}
}
