package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// sift is a prompt whose words choose what a screen lists.
type sift struct {
	prompt       prompt
	found, total int
}

func (s *sift) said() prompt { return s.prompt }

func (s *sift) result() (count, keys string) { return countOf(s.found, s.total), s.prompt.keys() }

func (s *sift) paste(text string) tea.Cmd {
	s.prompt.insert(text)
	return nil
}

func (s *sift) filter() filter { return parseFilter(s.prompt.text) }

// pressSift answers the keys of a filter: / begins it, escape drops it.
func (m *model) pressSift(s *sift, msg tea.KeyPressMsg) bool {
	switch k := &m.keys; {
	case key.Matches(msg, k.Filter):
		s.prompt.typing = true
	case key.Matches(msg, k.Back, k.Left) && s.prompt.text != "":
		s.prompt = prompt{}
	default:
		return false
	}
	return true
}

// typedInto handles a key while a filter is typed above a list; the arrows still move.
func (s *sift) typedInto(move func(step int), msg tea.KeyPressMsg) {
	switch msg.String() {
	case "enter":
		s.prompt.typing = false
	case "esc":
		s.prompt = prompt{}
	case "up":
		move(-1)
	case "down":
		move(+1)
	default:
		s.prompt.edit(msg)
	}
}
