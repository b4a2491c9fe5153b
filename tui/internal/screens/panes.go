package screens

import (
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// content is what a pane shows: a table, a page whose lines open something, or a restart's or node's own page.
type content interface {
	position() string
	typist() screen.Typist
	body(f *screen.Frame) []string
	press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks
	click(f *screen.Frame, line int) screen.Asks
	here(f *screen.Frame) screen.Selection
}

// panes is the common part of screens with several panes: such a screen does what the content that is shown does.
type panes struct {
	names []string
	all   []content // of each pane
	shown int
}

func (p *panes) Panes() ([]string, int) { return p.names, p.shown }
func (p *panes) Turn(pane int)          { p.shown = pane }

func (p *panes) content() content { return p.all[p.shown] }

func (p *panes) Position() string              { return p.content().position() }
func (p *panes) Typist() screen.Typist         { return p.content().typist() }
func (p *panes) Body(f *screen.Frame) []string { return p.content().body(f) }

func (p *panes) Press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	return p.content().press(f, msg)
}
func (p *panes) Click(f *screen.Frame, line int) screen.Asks { return p.content().click(f, line) }
func (p *panes) Here(f *screen.Frame) screen.Selection       { return p.content().here(f) }

// List returns the rows of the table that is shown, nil for none.
func (p *panes) List() *pane.Rows {
	if t, ok := p.content().(*table); ok {
		return &t.Rows
	}
	return nil
}

// linkPage is a page whose lines open something.
type linkPage struct {
	screen.TextPage
	open func(f *screen.Frame) screen.Asks
	// at is what is under the cursor.
	at func() screen.Selection
}

func (p *linkPage) position() string                    { return p.Position() }
func (p *linkPage) typist() screen.Typist               { return p }
func (p *linkPage) body(*screen.Frame) []string         { return p.Lines() }
func (p *linkPage) here(*screen.Frame) screen.Selection { return p.at() }

func (p *linkPage) press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	return p.PressList(f, msg, func() screen.Asks { return p.open(f) })
}

func (p *linkPage) click(f *screen.Frame, line int) screen.Asks {
	if p.Click(line) {
		return p.open(f)
	}
	return nil
}
