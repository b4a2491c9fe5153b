package tui

import tea "charm.land/bubbletea/v2"

// wheel converts wheel events to arrow keys, three per notch.
func (m *model) wheel(msg tea.MouseWheelMsg) {
	code, ok := map[tea.MouseButton]rune{tea.MouseWheelUp: tea.KeyUp, tea.MouseWheelDown: tea.KeyDown}[msg.Button]
	if !ok || m.asking != nil {
		return
	}
	for range 3 {
		m.press(tea.KeyPressMsg{Code: code})
	}
}

func (m *model) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft || m.TooSmall() || m.asking != nil {
		return nil
	}
	m.status = ""
	switch y := msg.Y; {
	case y == 1:
		m.clickTab(msg.X)
	case y >= 2 && y < m.Height-1:
		return m.carry(m.top().Click(&m.Frame, y-2))
	}
	return nil
}

// clickTab switches to the pane whose name is at a cell of the second line.
func (m *model) clickTab(x int) {
	names, _ := m.top().Panes()
	at := 0
	for i, name := range names {
		at += len(name) + 5 // the number, a bracket or space on each side, a space between
		if x < at {
			m.show(i)
			return
		}
	}
}
