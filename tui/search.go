package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// paged is a screen with a page of text, nil while it shows something else.
type paged interface{ page() *pager.Pager }

// search is the key of a search as a footer names it.
func (k *KeyMap) search() key.Binding {
	return key.NewBinding(key.WithKeys(k.Filter.Keys()...), key.WithHelp(k.Filter.Help().Key, "search"))
}

// search looks for a text in one page. It stands until it is dropped.
type search struct {
	prompt
	page   *pager.Pager
	missed bool
}

func (s *search) said() prompt { return s.prompt }

func (s *search) result() (count, keys string) {
	if s.missed {
		count = "not found"
	}
	if s.typing {
		return "", "enter finds it, esc drops it"
	}
	return count, "n next, p previous, esc drops the search"
}

func (s *search) paste(text string) tea.Cmd {
	s.insert(text)
	return nil
}

func (s *search) typed(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc":
		s.prompt = prompt{}
		s.page.Forget()
	case "enter":
		s.typing = false
		s.seek(+1)
	default:
		s.edit(msg)
	}
	return nil
}

func (s *search) seek(step int) { s.missed = s.text != "" && !s.page.Seek(s.text, step) }

// pressSearch answers the keys of a search: / begins one, and while it stands n and p
// go on and escape drops it.
func (m *model) pressSearch(p *pager.Pager, msg tea.KeyPressMsg) bool {
	k, s := &m.keys, m.search
	if key.Matches(msg, k.Filter) {
		m.search = &search{prompt: prompt{typing: true}, page: p}
		return true
	}
	if s == nil || s.page != p || s.text == "" {
		return false
	}
	switch {
	case key.Matches(msg, k.NextMark):
		s.seek(+1)
	case key.Matches(msg, k.PreviousMark):
		s.seek(-1)
	case key.Matches(msg, k.Back, k.Left):
		m.search = nil
		p.Forget()
	default:
		return false
	}
	return true
}
