package screen

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
)

// FilterInput is the filter of a list.
type FilterInput struct{ Typed prompt.Input }

// Line returns the input of the filter.
func (s *FilterInput) Line() *prompt.Input { return &s.Typed }

// Edited does nothing: the new layout applies the filter.
func (s *FilterInput) Edited(prompt.Effect) tea.Cmd { return nil }

// Passed returns how many of a list pass the filter, and which keys are available.
func (s *FilterInput) Passed(found, total int) (count, keys string) {
	keys = "esc drops the filter"
	if s.Typed.Typing() {
		keys = "enter keeps, esc drops it"
	}
	return strconv.Itoa(found) + " of " + strconv.Itoa(total), keys
}

// Take handles the keys of a filter: / begins it, escape drops it.
func (s *FilterInput) Take(k *KeyMap, msg tea.KeyPressMsg) bool {
	switch {
	case key.Matches(msg, k.Filter):
		s.Typed.Begin()
	case s.Drops(k, msg):
		s.Typed.Drop()
	default:
		return false
	}
	return true
}

// Drops reports whether a key drops the filter: there must be one.
func (s *FilterInput) Drops(k *KeyMap, msg tea.KeyPressMsg) bool {
	return key.Matches(msg, k.Back, k.Left) && s.Typed.Text() != ""
}
