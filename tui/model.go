package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// screen is what fills the body. Help and the gaps lie over one of the two main
// screens and close to it again.
type screen int

const (
	screenList screen = iota
	screenRestart
	screenGaps
	screenHelp
)

// settings are what the environment decides; they do not change while it runs.
type settings struct {
	colour bool
	ascii  bool
}

// model is the root model, and the only one.
type model struct {
	report   *report.Report
	keys     KeyMap
	settings settings
	theme    theme
	layout   layout

	rows   *rows
	index  *index // nil until indexed
	list   list
	prompt prompt
	filter filter

	screens []screen // the way back; the last one is shown
	opened  int32    // the item that the restart screen shows
	text    pager
	overlay pager // gaps or help
}

// indexed brings the index that was built beside the first frame.
type indexed struct{ index *index }

func newModel(r *report.Report, s settings) *model {
	m := &model{report: r, keys: Keys(), settings: s, rows: newRows(r), screens: []screen{screenList}}
	m.paint(true)
	m.list.set(m.rows.visible(filter{}, nil))
	return m
}

// Init asks the terminal for its background and builds the index meanwhile.
func (m *model) Init() tea.Cmd {
	r := m.report
	build := func() tea.Msg { return indexed{newIndex(r)} }
	if !m.settings.colour {
		return build
	}
	return tea.Batch(tea.RequestBackgroundColor, build)
}

// Update changes the state; it does no I/O.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.BackgroundColorMsg:
		m.paint(msg.IsDark())
		m.relay()
	case indexed:
		m.index = msg.index
		m.refilter()
		m.relay()
	case tea.PasteMsg:
		if m.prompt.typing {
			m.prompt.insert(msg.Content)
			m.refilter()
		}
	case tea.KeyPressMsg:
		return m, m.press(msg)
	}
	return m, nil
}

func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, m.keys.Abort):
		return tea.Quit
	case key.Matches(msg, m.keys.Suspend):
		return tea.Suspend
	case m.prompt.typing:
		m.typed(msg)
		return nil
	case key.Matches(msg, m.keys.Quit):
		return tea.Quit
	case key.Matches(msg, m.keys.Help):
		m.toggle(screenHelp)
	case key.Matches(msg, m.keys.Gaps):
		m.toggle(screenGaps)
	case m.screen() == screenList:
		m.pressList(msg)
	default:
		m.pressText(msg)
	}
	return nil
}

// typed handles a key while the filter is being typed. The arrows still move
// the list, so that one can look without leaving the prompt.
func (m *model) typed(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "enter":
		m.prompt.typing = false
	case "esc":
		m.prompt = prompt{}
		m.refilter()
	case "up":
		m.list.to(m.list.cursor - 1)
	case "down":
		m.list.to(m.list.cursor + 1)
	default:
		if m.prompt.edit(msg) {
			m.refilter()
		}
	}
}

func (m *model) pressList(msg tea.KeyPressMsg) {
	l := &m.list
	switch {
	case key.Matches(msg, m.keys.Up):
		l.to(l.cursor - 1)
	case key.Matches(msg, m.keys.Down):
		l.to(l.cursor + 1)
	case key.Matches(msg, m.keys.PageUp):
		l.to(l.cursor - l.height)
	case key.Matches(msg, m.keys.PageDown):
		l.to(l.cursor + l.height)
	case key.Matches(msg, m.keys.Top):
		l.to(0)
	case key.Matches(msg, m.keys.Bottom):
		l.to(len(l.rows) - 1)
	case key.Matches(msg, m.keys.Filter):
		m.prompt.typing = true
	case key.Matches(msg, m.keys.Open):
		m.openRow()
	case key.Matches(msg, m.keys.Back):
		m.closeRow()
	}
}

// openRow unfolds an incident (folds it when it is open), or opens a restart.
func (m *model) openRow() {
	r, ok := m.list.selected()
	if !ok {
		return
	}
	if r.item != none {
		m.screens = append(m.screens, screenRestart)
		m.read(r.item)
		return
	}
	gr := m.rows.group(r.incident)
	gr.open = !gr.open
	m.refilter()
}

// closeRow goes one step out of the list: it folds the incident around the
// cursor, else drops the filter, else does nothing.
func (m *model) closeRow() {
	r, ok := m.list.selected()
	if ok && r.incident != none && m.filter.empty() {
		if gr := m.rows.group(r.incident); gr.open {
			m.toRow(row{r.incident, none})
			gr.open = false
			m.refilter()
			return
		}
	}
	if m.prompt.text != "" {
		m.prompt = prompt{}
		m.refilter()
	}
}

func (m *model) pressText(msg tea.KeyPressMsg) {
	p := m.pane()
	switch {
	case key.Matches(msg, m.keys.Up):
		p.to(p.top - 1)
	case key.Matches(msg, m.keys.Down):
		p.to(p.top + 1)
	case key.Matches(msg, m.keys.PageUp):
		p.to(p.top - p.height)
	case key.Matches(msg, m.keys.PageDown):
		p.to(p.top + p.height)
	case key.Matches(msg, m.keys.Top):
		p.to(0)
	case key.Matches(msg, m.keys.Bottom):
		p.to(len(p.lines))
	case key.Matches(msg, m.keys.Back):
		m.screens = m.screens[:len(m.screens)-1]
	case m.screen() != screenRestart:
	case key.Matches(msg, m.keys.Previous):
		m.walk(-1)
	case key.Matches(msg, m.keys.Next):
		m.walk(+1)
	}
}

// walk shows the next restart in a direction and skips the heads of incidents.
func (m *model) walk(step int) {
	for i := m.list.cursor + step; i >= 0 && i < len(m.list.rows); i += step {
		if m.list.rows[i].item != none {
			m.list.to(i)
			m.read(m.list.rows[i].item)
			return
		}
	}
}

// read puts an item on the restart screen.
func (m *model) read(item int32) {
	m.opened, m.text.top = item, 0
	m.relay()
}

// toggle lays an overlay over the screen, or takes it away.
func (m *model) toggle(s screen) {
	switch m.screen() {
	case s:
		m.screens = m.screens[:len(m.screens)-1]
		return
	case screenHelp, screenGaps:
		m.screens[len(m.screens)-1] = s
	default:
		m.screens = append(m.screens, s)
	}
	m.overlay.top = 0
	m.relay()
}

func (m *model) screen() screen { return m.screens[len(m.screens)-1] }

// pane returns the text on the screen.
func (m *model) pane() *pager {
	if m.screen() == screenRestart {
		return &m.text
	}
	return &m.overlay
}

// refilter lists the rows again. Without an index, which is there a moment after
// the start, what was typed waits for it.
func (m *model) refilter() {
	f := parseFilter(m.prompt.text)
	if m.index == nil {
		f = filter{}
	}
	m.filter = f
	m.list.set(m.rows.visible(f, m.index))
}

func (m *model) toRow(r row) {
	for i := range m.list.rows {
		if m.list.rows[i] == r {
			m.list.to(i)
			return
		}
	}
}

// paint chooses the theme.
func (m *model) paint(dark bool) {
	p := paletteNone
	if m.settings.colour {
		p = paletteLight
		if dark {
			p = paletteDark
		}
	}
	m.theme = newTheme(p, m.settings.ascii)
}

// evidence finds evidence by its id.
func (m *model) evidence(id string) *report.Evidence {
	if m.index == nil {
		return m.report.Find(id)
	}
	if i, ok := m.index.evidence[id]; ok {
		return &m.report.Evidence[i]
	}
	return nil
}
