package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/hashes"
	"github.com/restartwhy/kubectl-restartwhy/tui/lanes"
	"github.com/restartwhy/kubectl-restartwhy/tui/trace"
)

// restartScreen is one restart: its verdict, the evidence, and its story from
// three sides.
type restartScreen struct {
	ds      *dataset
	item    int32
	from    *table // the list that it was opened from, for the next one
	pane    int
	verdict sheet
	proof   sheet
	story   *report.Story
	trouble string // why there is no story
	dials   [restartPanes]instrument
}

const (
	restartVerdict = iota
	restartEvidence
	restartTimeline
	restartDecision
	restartHashes
	restartNode
	restartPanes
)

// storyTold brings what a Teller said about an item.
type storyTold struct {
	to    *restartScreen
	ds    *dataset
	item  int32
	story *report.Story
	err   error
}

func (m *model) openItem(t *table, item int32) tea.Cmd {
	s := &restartScreen{ds: t.ds, item: item, from: t}
	m.push(s)
	return s.ask()
}

// ask has the story told, beside the drawing.
func (s *restartScreen) ask() tea.Cmd {
	s.story, s.trouble = nil, ""
	s.dials = [restartPanes]instrument{}
	ds, item := s.ds, s.item
	if ds.teller == nil {
		s.trouble = "nothing but the report is at hand here, and it does not hold this"
		return nil
	}
	return func() tea.Msg {
		story, err := ds.teller.Story(ds.report.Items[item].ID)
		return storyTold{s, ds, item, story, err}
	}
}

func (t storyTold) into(m *model) {
	s := t.to
	if s.ds != t.ds || s.item != t.item {
		return // the reader went on
	}
	s.story = t.story
	if t.err != nil {
		s.trouble = t.err.Error()
	}
	s.dials = [restartPanes]instrument{}
	s.lay(m)
}

func (s *restartScreen) it() *report.Item { return &s.ds.report.Items[s.item] }

func (s *restartScreen) title(*model) string {
	it := s.it()
	return it.Namespace + "/" + it.Pod + "/" + it.Container
}

func (s *restartScreen) position() string {
	if sh := s.sheet(); sh != nil {
		return sh.position()
	}
	return ""
}

func (s *restartScreen) panes() ([]string, int) {
	names := []string{"Verdict", "Evidence", "Timeline", "Decision", "Hashes"}
	if s.it().Node != "" {
		names = append(names, "Node")
	}
	return names, s.pane
}

// turn shows another pane. The node is a screen of its own.
func (s *restartScreen) turn(m *model, pane int) tea.Cmd {
	if pane == restartNode {
		return m.openNode(s.it().Node)
	}
	s.pane = pane
	s.lay(m)
	return nil
}

// sheet is the text that is shown, nil where an instrument is.
func (s *restartScreen) sheet() *sheet {
	switch s.pane {
	case restartVerdict:
		return &s.verdict
	case restartEvidence:
		return &s.proof
	}
	return nil
}

// find looks evidence up in the report and in the story.
func (s *restartScreen) find(id string) *report.Evidence {
	if e := s.ds.find(id); e != nil || s.story == nil {
		return e
	}
	if i := slices.IndexFunc(s.story.Evidence, func(e report.Evidence) bool { return e.ID == id }); i >= 0 {
		return &s.story.Evidence[i]
	}
	return nil
}

// repaint makes the instruments anew, in the present theme.
func (s *restartScreen) repaint() { s.dials = [restartPanes]instrument{} }

// rebase finds the restart again in a newer dataset; one that is gone stays as it
// was.
func (s *restartScreen) rebase(m *model) tea.Cmd {
	again := m.ds.again(s.it())
	if again == none {
		return nil
	}
	newer := m.ds.report != s.ds.report
	s.ds, s.item = m.ds, again
	if !newer {
		return nil
	}
	return s.ask()
}

func (s *restartScreen) lay(m *model) {
	d := newDossier(&m.theme, m.layout.text, s.it(), s.find)
	d.all()
	s.verdict.height, s.proof.height = m.layout.body, m.layout.body
	s.verdict.set(d.lines, d.stops)
	p := newDossier(&m.theme, m.layout.text, s.it(), s.find)
	p.refs(cited(&s.it().Verdict))
	if p.evidence("Evidence, what proves most first; enter shows the lines around it", 0) == 0 {
		p.heading("Evidence")
		p.para(margin, "the verdict cites none", m.theme.muted)
	}
	s.proof.set(p.lines, p.stops)
	s.instruments(m)
}

// instruments makes the panes of a story that are not made yet, and fits them.
func (s *restartScreen) instruments(m *model) {
	if s.story != nil && s.dials == ([restartPanes]instrument{}) {
		k := m.theme.look(m.settings.ascii)
		if len(s.story.Lanes) > 0 {
			l := lanes.New(k, lanes.OfStory(s.story))
			s.dials[restartTimeline] = &l
		}
		if s.story.Decision != nil {
			t := trace.New(k, s.story.Decision)
			s.dials[restartDecision] = &t
		}
		if s.story.Hashes != nil {
			h := hashes.New(k, s.story.Hashes)
			s.dials[restartHashes] = &h
		}
	}
	for _, d := range s.dials {
		if d != nil {
			d.Resize(m.layout.width, m.layout.body)
		}
	}
}

func (s *restartScreen) body(m *model) []string {
	if sh := s.sheet(); sh != nil {
		return sh.window(&m.theme, m.layout.text)
	}
	if d := s.dials[s.pane]; d != nil {
		return d.Lines()
	}
	p := page{theme: &m.theme, width: m.layout.text}
	p.para(2, s.lacking(), m.theme.muted)
	return p.lines
}

// lacking says why a pane is empty.
func (s *restartScreen) lacking() string {
	what := map[int]string{restartTimeline: "timeline", restartDecision: "decision of the kubelet", restartHashes: "hash"}[s.pane]
	switch {
	case s.trouble != "":
		return "no " + what + ": " + s.trouble
	case s.story == nil:
		return "reading the " + what
	case s.pane == restartDecision:
		return "no decision: the pod's spec or the kubelet's version is not in the evidence"
	case s.pane == restartHashes:
		return "no hash: no stored hash of this container is in the evidence; the runtime keeps it, so it needs evidence of the node"
	}
	return "no timeline: nothing in the evidence about this restart has a time"
}

func (s *restartScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	k := &m.keys
	switch {
	case key.Matches(msg, k.Next):
		return s.walk(m, +1), true
	case key.Matches(msg, k.Previous):
		return s.walk(m, -1), true
	}
	if sh := s.sheet(); sh != nil {
		return m.pressSheet(sh, msg, s.find)
	}
	if d := s.dials[s.pane]; d != nil {
		return m.pressInstrument(d, msg, s.find)
	}
	return nil, false
}

// walk shows the next restart of the list in a direction, with the same pane.
func (s *restartScreen) walk(m *model, step int) tea.Cmd {
	i := s.from.step(step)
	if i == none {
		m.status = "this is the last one of the list"
		if step < 0 {
			m.status = "this is the first one of the list"
		}
		return nil
	}
	s.ds, s.item = s.from.ds, i
	s.verdict, s.proof = sheet{}, sheet{}
	cmd := s.ask()
	s.lay(m)
	return cmd
}

func (s *restartScreen) click(m *model, line int) tea.Cmd {
	if sh := s.sheet(); sh != nil {
		was := sh.cursor
		if sh.click(line) && sh.cursor == was {
			return m.openEvidence(sh.at().evidence, s.find)
		}
	}
	return nil
}

func (s *restartScreen) here(m *model) place {
	it := s.it()
	p := place{items: []int32{s.item}, command: m.itemCommand(it), cause: it.Verdict.Cause}
	var ids []string
	if sh := s.sheet(); sh != nil {
		at := sh.at()
		if at == nil {
			return p
		}
		p.cause, ids = at.cause, at.evidence
		if at.copied != "" {
			p.copied, p.called = at.copied, "the line"
			return p
		}
		if p.copied, p.called = sh.said(at), "the line"; sh == &s.verdict && sh.cursor == 0 {
			return p // the verdict itself
		}
	} else if d := s.dials[s.pane]; d != nil {
		ids = d.Evidence()
	}
	if text := quote(ids, s.find); text != "" {
		p.copied, p.called = text, "the evidence"
	}
	return p
}

// quote is evidence as text, one piece a line.
func quote(ids []string, find func(string) *report.Evidence) string {
	var lines []string
	for _, id := range ids {
		if e := find(id); e != nil {
			lines = append(lines, evidenceLine(e))
		}
	}
	return strings.Join(lines, "\n")
}

func (s *restartScreen) hints(k *KeyMap) []key.Binding {
	switch s.pane {
	case restartTimeline:
		return []key.Binding{k.Open, k.Back, k.NextTab, k.NextMark, k.ZoomIn, k.ZoomOut, k.Copy}
	case restartDecision:
		return []key.Binding{k.Fold, k.Back, k.NextTab, k.NextMark}
	case restartHashes:
		return []key.Binding{k.Fold, k.Back, k.NextTab}
	}
	return []key.Binding{k.Open, k.Back, k.NextTab, k.Next, k.Explain, k.Copy, k.Write}
}
