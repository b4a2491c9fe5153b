package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
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

func (s *groupScreen) title(f *frame) string {
	return strings.TrimPrefix(s.from.groupCells(f, s.row, columns{where: f.width}).where, f.look.Glyphs.Closed+" ")
}

func (s *groupScreen) position() string { return s.items.position() }

func (s *groupScreen) table() *table  { return s.items }
func (s *groupScreen) typist() typist { return s.items }

// rebase finds the group again in a newer dataset. A group that is gone keeps
// what it showed.
func (s *groupScreen) rebase(ds *dataset) tea.Cmd {
	t := newTable(ds, s.from.by, nil)
	for _, r := range t.rows {
		if r.item == none && t.anchor(r) == s.key {
			s.from, s.row = *t, r
			s.items.rebase(ds, t.members[r.group])
			return nil
		}
	}
	return nil
}

func (s *groupScreen) lay(f *frame) {
	s.head = f.draw(s.from.groupBlocks(s.row)...)
	s.items.resize(f, len(s.head)+1)
}

func (s *groupScreen) body(f *frame) []string {
	lines := append(append([]string{}, s.head...), "")
	return append(lines, s.items.draw(f, len(lines))...)
}

func (s *groupScreen) press(f *frame, msg tea.KeyPressMsg) asks { return s.items.press(f, msg) }

func (s *groupScreen) click(_ *frame, line int) asks { return s.items.click(line - len(s.head) - 1) }

func (s *groupScreen) here(f *frame) place { return s.items.here(f) }

func (s *groupScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Back, k.Filter, k.Group, k.Sort, k.Explain}
}
