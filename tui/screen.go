package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// screen is what fills the frame between its title and its footer. Screens lie on
// a stack: enter puts one on it, escape takes it away.
type screen interface {
	// title says what the screen is about, position how far it is scrolled.
	title(m *model) string
	position() string
	// panes names the panes of the screen, and tells which one is shown.
	panes() (names []string, shown int)
	// turn shows another pane.
	turn(m *model, pane int) tea.Cmd
	// lay prepares what is drawn, after a change of size, theme or data.
	lay(m *model)
	// body draws up to m.layout.body lines.
	body(m *model) []string
	// press answers a key, and tells whether the key was meant for it.
	press(m *model, msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool)
	// click answers a click on a line of the body.
	click(m *model, line int) tea.Cmd
	// here is what the cursor is on.
	here(m *model) place
	// hints are the keys that the footer names.
	hints(k *KeyMap) []key.Binding
}

// place is what the cursor is on, for the keys that take something away.
type place struct {
	items   []int32 // what a file for a ticket would hold; nil for all
	copied  string  // what `y` copies, and what it is called
	called  string
	command string // what `c` copies
	cause   string // what `e` explains
}

// single is the part of a screen with one pane and nothing to click.
type single struct{}

func (single) panes() ([]string, int)        { return nil, 0 }
func (single) turn(*model, int) tea.Cmd      { return nil }
func (single) click(*model, int) tea.Cmd     { return nil }
func (single) hints(k *KeyMap) []key.Binding { return []key.Binding{k.Back, k.PageDown, k.search()} }

func (m *model) top() screen { return m.stack[len(m.stack)-1] }

// push shows another screen above this one.
func (m *model) push(s screen) {
	m.stack = append(m.stack, s)
	s.lay(m)
}

// pop goes back to the screen below; the lowest stays.
func (m *model) pop() {
	if len(m.stack) > 1 {
		m.stack = m.stack[:len(m.stack)-1]
		m.top().lay(m)
	}
}
