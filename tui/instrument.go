package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// instrument is a pane of another package: a timeline, a trace, a comparison.
type instrument interface {
	Do(pane.Action)
	Resize(width, height int)
	Lines() []string
	// Evidence is what the cursor of the pane is on.
	Evidence() []string
	// Plain is the same as linear text.
	Plain() string
}

// actionOf translates a key for an instrument.
func (k *KeyMap) actionOf(msg tea.KeyPressMsg) (pane.Action, bool) {
	for _, a := range []struct {
		key.Binding
		pane.Action
	}{
		{k.Up, pane.Up}, {k.Down, pane.Down}, {k.Left, pane.Left}, {k.Right, pane.Right}, {k.PageUp, pane.PageUp}, {k.PageDown, pane.PageDown},
		{k.Top, pane.Top}, {k.Bottom, pane.Bottom}, {k.ZoomIn, pane.ZoomIn}, {k.ZoomOut, pane.ZoomOut}, {k.Fit, pane.Fit},
		{k.NextMark, pane.Next}, {k.PreviousMark, pane.Previous}, {k.Fold, pane.Toggle},
	} {
		if key.Matches(msg, a.Binding) {
			return a.Action, true
		}
	}
	return 0, false
}

// pressInstrument answers the keys of an instrument. Enter goes to the evidence
// under its cursor; where there is none it folds.
func (m *model) pressInstrument(d instrument, msg tea.KeyPressMsg, find func(string) *report.Evidence) (tea.Cmd, bool) {
	if key.Matches(msg, m.keys.Open) {
		if ids := d.Evidence(); len(ids) > 0 {
			return m.openEvidence(ids, find), true
		}
		d.Do(pane.Toggle)
		return nil, true
	}
	a, ok := m.keys.actionOf(msg)
	if ok {
		d.Do(a)
	}
	return nil, ok
}

// pressSheet answers the keys of a text that one walks through.
func (m *model) pressSheet(s *sheet, msg tea.KeyPressMsg, find func(string) *report.Evidence) (tea.Cmd, bool) {
	switch k := &m.keys; {
	case key.Matches(msg, k.Up):
		s.move(-1)
	case key.Matches(msg, k.Down):
		s.move(+1)
	case key.Matches(msg, k.PageUp):
		s.page(-1)
	case key.Matches(msg, k.PageDown, k.Fold):
		s.page(+1)
	case key.Matches(msg, k.Top):
		s.home()
	case key.Matches(msg, k.Bottom):
		s.bottom()
	case key.Matches(msg, k.NextMark):
		s.section(+1)
	case key.Matches(msg, k.PreviousMark):
		s.section(-1)
	case key.Matches(msg, k.Open, k.Right):
		at := s.at()
		switch {
		case at == nil:
		case len(at.evidence) > 0:
			return m.openEvidence(at.evidence, find), true
		case at.copied != "":
			m.status = "no evidence to show here; y copies it"
		default:
			m.status = "no evidence is cited here"
		}
	default:
		return nil, false
	}
	return nil, true
}
