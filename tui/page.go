package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

// page is a text that one walks through, with the search in it, which stands until it
// is dropped.
type page struct {
	pager.Pager
	search prompt.Input
	missed bool
}

func (p *page) show(f *frame, blocks []document.Block) {
	p.Show(f.look, f.text, f.body, blocks)
}

func (k *KeyMap) search() key.Binding {
	return key.NewBinding(key.WithKeys(k.Filter.Keys()...), key.WithHelp(k.Filter.Help().Key, "search"))
}

func (p *page) line() *prompt.Input { return &p.search }

func (p *page) result() (count, keys string) {
	switch {
	case p.search.Typing():
		return "", "enter finds it, esc drops it"
	case p.missed:
		count = "not found"
	}
	return count, "n next, p previous, esc drops the search"
}

func (p *page) edited(e prompt.Effect) tea.Cmd {
	switch e {
	case prompt.Dropped:
		p.Forget()
	case prompt.Kept:
		p.seek(+1)
	}
	return nil
}

func (p *page) seek(step int) { p.missed = p.search.Text() != "" && !p.Seek(p.search.Text(), step) }

// press answers the keys of a page. Enter goes to the evidence under its cursor, which
// cite opens, or folds. While a search stands, n and p go on and escape drops it.
func (p *page) press(f *frame, msg tea.KeyPressMsg, cite func(ids []string) asks) asks {
	k, sought := &f.keys, p.search.Text() != ""
	switch {
	case key.Matches(msg, k.Filter):
		p.search, p.missed = prompt.Input{}, false
		p.search.Begin()
	case sought && key.Matches(msg, k.NextMark):
		p.seek(+1)
	case sought && key.Matches(msg, k.PreviousMark):
		p.seek(-1)
	case sought && key.Matches(msg, k.Back, k.Left):
		p.search.Drop()
		p.Forget()
	case key.Matches(msg, k.Open, k.Right):
		at := p.At()
		switch {
		case p.Toggle() || at == nil:
		case len(at.Evidence) > 0:
			return cite(at.Evidence)
		case at.Copy != "":
			return asks{notice("no evidence to show here; y copies it")}
		default:
			return asks{notice("no evidence is cited here")}
		}
	default:
		a, ok := k.action(msg)
		return taken(ok && p.Do(a))
	}
	return asks{}
}

// reading is the part of a screen that is one page.
type reading struct {
	single
	text page
}

func (s *reading) position() string     { return s.text.Position() }
func (s *reading) typist() typist       { return &s.text }
func (s *reading) body(*frame) []string { return s.text.Lines() }
func (s *reading) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.PageDown, k.search()}
}

func (s *reading) click(_ *frame, line int) asks {
	s.text.Click(line)
	return nil
}

func (k *KeyMap) action(msg tea.KeyPressMsg) (pane.Action, bool) {
	for _, a := range []struct {
		key.Binding
		pane.Action
	}{
		{k.Up, pane.Up}, {k.Down, pane.Down}, {k.Left, pane.Left}, {k.Right, pane.Right},
		{k.PageUp, pane.PageUp}, {k.PageDown, pane.PageDown}, {k.Top, pane.Top}, {k.Bottom, pane.Bottom},
		{k.ZoomIn, pane.ZoomIn}, {k.ZoomOut, pane.ZoomOut}, {k.Fit, pane.Fit}, {k.Fold, pane.Toggle},
		{k.NextMark, pane.Next}, {k.PreviousMark, pane.Previous},
	} {
		if key.Matches(msg, a.Binding) {
			return a.Action, true
		}
	}
	return 0, false
}
