package screen

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

// TextPage is a page of text, with a search that stays until it is dropped: a pane, or all of a screen.
type TextPage struct {
	pager.Pager
	// Open is what enter and a second click do with what is under the cursor; nil does nothing.
	Open func(at *document.Anchor) Asks
	// Chosen is what the keys that copy take from under the cursor; nil for nothing.
	Chosen func(at *document.Anchor) Selection
	// Lowest: there is no screen below to go back to.
	Lowest bool

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

// Press handles the keys of a page. During a search, n and p move between matches and escape drops it.
func (p *TextPage) Press(f *Frame, msg tea.KeyPressMsg) Asks {
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
	case p.Lowest && key.Matches(msg, k.Back, k.Left):
	case key.Matches(msg, k.Open, k.Right):
		if at := p.At(); at != nil && p.Open != nil {
			return p.Open(at)
		}
	default:
		a, ok := k.Action(msg)
		return Taken(ok && p.Do(a))
	}
	return Asks{}
}

// Click puts the cursor on a line; a second click opens it.
func (p *TextPage) Click(_ *Frame, line int) Asks {
	if at := p.At(); p.Pager.Click(line) && at != nil && p.Open != nil {
		return p.Open(at)
	}
	return nil
}

// Here returns what is under the cursor.
func (p *TextPage) Here(*Frame) Selection {
	if at := p.At(); at != nil && p.Chosen != nil {
		return p.Chosen(at)
	}
	return Selection{}
}

// Typist returns the search of the page.
func (p *TextPage) Typist() Typist { return p }

// Body returns the lines of the page that are in view.
func (p *TextPage) Body(*Frame) []string { return p.Lines() }

// Panes returns no names: a page that is a screen is its only pane.
func (p *TextPage) Panes() ([]string, int) { return nil, 0 }

// Turn does nothing: there is only one pane.
func (p *TextPage) Turn(int) {}

// Hints returns the keys of a page without links.
func (p *TextPage) Hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.PageDown, k.Search()}
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
