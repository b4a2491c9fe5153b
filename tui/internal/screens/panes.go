package screens

import (
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// panes is the common part of screens with several panes: such a screen does what the pane that is shown does.
type panes struct {
	screen.Pane
	names []string
	all   []screen.Pane
	shown int
}

func panesOf(names []string, all ...screen.Pane) panes {
	return panes{Pane: all[0], names: names, all: all}
}

func (p *panes) Panes() ([]string, int) { return p.names, p.shown }
func (p *panes) Turn(pane int)          { p.shown, p.Pane = pane, p.all[pane] }

// List returns the rows of the table that is shown, nil for none.
func (p *panes) List() *pane.Rows {
	if t, ok := p.Pane.(*table); ok {
		return &t.Rows
	}
	return nil
}
