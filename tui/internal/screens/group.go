package screens

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// groupScreen lists the restarts of one group below what they have in common.
type groupScreen struct {
	panes // one, without a name
	key   string
	from  table // the original table with the group as a row
	row   dataset.Row
	head  []string
	items *table
}

func newGroupScreen(t *table, r dataset.Row) *groupScreen {
	items := newTable(t.Data, dataset.ByItem, t.Items(r))
	items.oneCause = t.Data.Shared(items.Base, dataset.ByCause, "") == t.Data.Report.Items[items.Base[0]].Verdict.Cause
	return &groupScreen{panes: panesOf(nil, items), key: t.Anchor(r), from: *t, row: r, items: items}
}

func (s *groupScreen) Title(f *screen.Frame) string {
	return strings.TrimPrefix(s.from.groupCells(f, s.row, columns{where: f.Width}).where, f.Look.Glyphs.Closed+" ")
}

// Rebase finds the group again in a newer dataset. A group that is gone keeps its content.
func (s *groupScreen) Rebase(ds *dataset.Dataset) tea.Cmd {
	t := newTable(ds, s.from.By, nil)
	for _, r := range t.Listed {
		if r.Item == dataset.None && t.Anchor(r) == s.key {
			s.from, s.row = *t, r
			s.items.Rebase(ds, t.Items(r))
			return nil
		}
	}
	return nil
}

func (s *groupScreen) Lay(f *screen.Frame) {
	s.head = f.Draw(s.from.groupBlocks(s.row)...)
	s.items.resize(f, len(s.head)+1)
}

func (s *groupScreen) Body(f *screen.Frame) []string {
	lines := append(append([]string{}, s.head...), "")
	return append(lines, s.items.draw(f, len(lines))...)
}

func (s *groupScreen) Click(f *screen.Frame, line int) screen.Asks {
	return s.items.Click(f, line-len(s.head)-1)
}

func (s *groupScreen) Hints(k *screen.KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Back, k.Filter, k.Group, k.Explain}
}
