package tui

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

// filterInput is the filter of a list.
type filterInput struct{ typed prompt.Input }

func (s *filterInput) line() *prompt.Input { return &s.typed }

// edited does nothing: laying the screen out again applies the filter.
func (s *filterInput) edited(prompt.Effect) tea.Cmd { return nil }

func (s *filterInput) passed(found, total int) (count, keys string) {
	keys = "esc drops the filter"
	if s.typed.Typing() {
		keys = "enter keeps, esc drops it"
	}
	return strconv.Itoa(found) + " of " + strconv.Itoa(total), keys
}

// press answers the keys of a filter: / begins it, escape drops it.
func (s *filterInput) press(k *KeyMap, msg tea.KeyPressMsg) bool {
	switch {
	case key.Matches(msg, k.Filter):
		s.typed.Begin()
	case s.drops(k, msg):
		s.typed.Drop()
	default:
		return false
	}
	return true
}

// drops reports whether a key drops the filter: there has to be one.
func (s *filterInput) drops(k *KeyMap, msg tea.KeyPressMsg) bool {
	return key.Matches(msg, k.Back, k.Left) && s.typed.Text() != ""
}
