package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/lanes"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// pressPager answers the keys of a page that one walks through. Enter goes to the
// evidence under its cursor, or folds.
func (m *model) pressPager(p *pager.Pager, msg tea.KeyPressMsg, find func(string) *report.Evidence) (tea.Cmd, bool) {
	if m.pressSearch(p, msg) {
		return nil, true
	}
	switch k := &m.keys; {
	case key.Matches(msg, k.Up):
		p.Move(-1)
	case key.Matches(msg, k.Down):
		p.Move(+1)
	case key.Matches(msg, k.PageUp):
		p.Page(-1)
	case key.Matches(msg, k.Fold) && p.Toggle():
	case key.Matches(msg, k.PageDown, k.Fold):
		p.Page(+1)
	case key.Matches(msg, k.Top):
		p.Top()
	case key.Matches(msg, k.Bottom):
		p.Bottom()
	case key.Matches(msg, k.NextMark):
		p.Section(+1)
	case key.Matches(msg, k.PreviousMark):
		p.Section(-1)
	case key.Matches(msg, k.Open, k.Right):
		at := p.At()
		switch {
		case p.Toggle() || at == nil:
		case len(at.Evidence) > 0:
			return m.openEvidence(at.Evidence, find), true
		case at.Copy != "":
			m.status = "no evidence to show here; y copies it"
		default:
			m.status = "no evidence is cited here"
		}
	default:
		return nil, false
	}
	return nil, true
}

// pressTimeline answers the keys of a timeline. Enter goes to the evidence under its
// cursor; where there is none it folds.
func (m *model) pressTimeline(l *lanes.Model, msg tea.KeyPressMsg, find func(string) *report.Evidence) (tea.Cmd, bool) {
	k := &m.keys
	if key.Matches(msg, k.Open) {
		if ids := l.Evidence(); len(ids) > 0 {
			return m.openEvidence(ids, find), true
		}
		l.Do(pane.Toggle)
		return nil, true
	}
	a, ok := k.action(msg)
	if ok {
		l.Do(a)
	}
	return nil, ok
}

// action translates a key for a timeline.
func (k *KeyMap) action(msg tea.KeyPressMsg) (pane.Action, bool) {
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
