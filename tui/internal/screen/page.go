package screen

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

// TextPage is a text to navigate, with a search that stays until it is dropped.
type TextPage struct {
	pager.Pager
	search prompt.Input
	missed bool
}

// Lay shows blocks in the whole body.
func (p *TextPage) Lay(f *Frame, blocks []document.Block) {
	p.Show(f.Look, f.Text, f.Body, blocks)
}

// Search is the filter's key, as the search key of a page.
func (k *KeyMap) Search() key.Binding {
	return key.NewBinding(key.WithKeys(k.Filter.Keys()...), key.WithHelp(k.Filter.Help().Key, "search"))
}

// Line returns the input of the search.
func (p *TextPage) Line() *prompt.Input { return &p.search }

// Result returns whether it was found, and which keys are available.
func (p *TextPage) Result() (count, keys string) {
	switch {
	case p.search.Typing():
		return "", "enter finds it, esc drops it"
	case p.missed:
		count = "not found"
	}
	return count, "n next, p previous, esc drops the search"
}

// Edited begins or drops the search.
func (p *TextPage) Edited(e prompt.Effect) tea.Cmd {
	switch e {
	case prompt.Dropped:
		p.Forget()
	case prompt.Kept:
		p.seek(+1)
	}
	return nil
}

func (p *TextPage) seek(step int) { p.missed = p.search.Text() != "" && !p.Seek(p.search.Text(), step) }

// Press handles the keys of a page. Enter opens the evidence under its cursor, through cite, or folds. During a search,
// n and p move between matches and escape drops it.
func (p *TextPage) Press(f *Frame, msg tea.KeyPressMsg, cite func(ids []string) Asks) Asks {
	k, sought := &f.Keys, p.search.Text() != ""
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
			return Say("no evidence to show here; y copies it")
		default:
			return Say("no evidence is cited here")
		}
	default:
		a, ok := k.Action(msg)
		return Taken(ok && p.Do(a))
	}
	return Asks{}
}

// PressList handles the keys of a page whose lines open something, with no screen below it.
func (p *TextPage) PressList(f *Frame, msg tea.KeyPressMsg, open func() Asks) Asks {
	switch k := &f.Keys; {
	case key.Matches(msg, k.Open, k.Right):
		return open()
	case key.Matches(msg, k.Left, k.Back) && p.search.Text() == "":
		return Asks{} // there is nothing to go back to
	}
	return p.Press(f, msg, nil)
}

// Reading is the common part of screens that are one page.
type Reading struct {
	Single
	Text TextPage
}

// Position describes how far the page is scrolled.
func (s *Reading) Position() string { return s.Text.Position() }

// Typist returns the search of the page.
func (s *Reading) Typist() Typist { return &s.Text }

// Body returns the lines of the page that are in view.
func (s *Reading) Body(*Frame) []string { return s.Text.Lines() }

// Hints returns the keys of a page without links.
func (s *Reading) Hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.PageDown, k.Search()}
}

// Click puts the cursor on a line.
func (s *Reading) Click(_ *Frame, line int) Asks {
	s.Text.Click(line)
	return nil
}

// Action returns what a key does in a list, a page or a timeline, false for nothing.
func (k *KeyMap) Action(msg tea.KeyPressMsg) (pane.Action, bool) {
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
