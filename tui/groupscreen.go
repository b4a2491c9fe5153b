package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// groupScreen lists the restarts of one group below what they share.
type groupScreen struct {
	single
	key   string
	from  table // the table that the group is a row of, as it was
	row   row
	head  []string
	items *table
}

func newGroupScreen(t *table, r row) *groupScreen {
	return &groupScreen{key: t.anchor(r), from: *t, row: r, items: newTable(t.ds, byItem, t.members[r.group])}
}

func (s *groupScreen) title(m *model) string {
	return strings.TrimPrefix(m.groupCells(&s.from, s.row, columns{where: m.layout.width}).where, m.theme.glyphs.closed+" ")
}

func (s *groupScreen) position() string {
	return pager.Position(s.items.list.top, s.items.n-s.items.height)
}

func (s *groupScreen) table() *table { return s.items }

// rebase finds the group again in a newer dataset. A group that is gone keeps
// what it showed.
func (s *groupScreen) rebase(m *model) tea.Cmd {
	t := newTable(m.ds, s.from.by, nil)
	for _, r := range t.rows {
		if r.item == none && t.anchor(r) == s.key {
			s.from, s.row = *t, r
			s.items.rebase(m.ds, t.members[r.group])
			return nil
		}
	}
	return nil
}

func (s *groupScreen) lay(m *model) {
	s.head = m.draw(m.groupBlocks(&s.from, s.row)...)
	m.resizeTable(s.items, len(s.head)+1)
}

func (s *groupScreen) body(m *model) []string {
	lines := append(append([]string{}, s.head...), "")
	return append(lines, m.drawTable(s.items, len(lines))...)
}

func (s *groupScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	return m.pressTable(s.items, msg)
}

func (s *groupScreen) click(m *model, line int) tea.Cmd {
	return m.clickTable(s.items, line-len(s.head)-1)
}

func (s *groupScreen) here(m *model) place { return m.rowHere(s.items) }

func (s *groupScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Back, k.Filter, k.Group, k.Sort, k.Explain}
}
