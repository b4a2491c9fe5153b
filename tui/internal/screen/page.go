package screen

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

// TextPage is a text that one walks through, with the search in it, which stands until it
// is dropped.
type TextPage struct {
	pager.Pager
	search prompt.Input
	missed bool
}

// Lay shows blocks in the whole body.
func (p *TextPage) Lay(f *Frame, blocks []document.Block) {
	p.Show(f.Look, f.Text, f.Body, blocks)
}

// Search is the key of a filter where it searches a page.
func (k *KeyMap) Search() key.Binding {
	return key.NewBinding(key.WithKeys(k.Filter.Keys()...), key.WithHelp(k.Filter.Help().Key, "search"))
}

// Line is where one types what is searched for.
func (p *TextPage) Line() *prompt.Input { return &p.search }

// Result says whether it was found, and which keys there are.
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

// Press answers the keys of a page. Enter goes to the evidence under its cursor, which
// cite opens, or folds. While a search stands, n and p go on and escape drops it.
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

// Reading is the part of a screen that is one page.
type Reading struct {
	Single
	Text TextPage
}

// Position says how far the page is scrolled.
func (s *Reading) Position() string { return s.Text.Position() }

// Typist is the search of the page.
func (s *Reading) Typist() Typist { return &s.Text }

// Body is the lines of the page that are in view.
func (s *Reading) Body(*Frame) []string { return s.Text.Lines() }

// Hints are the keys of a page that leads nowhere.
func (s *Reading) Hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.PageDown, k.Search()}
}

// Click puts the cursor on a line.
func (s *Reading) Click(_ *Frame, line int) Asks {
	s.Text.Click(line)
	return nil
}

// Action is what a key does in a list, a page or a timeline, false for nothing.
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
