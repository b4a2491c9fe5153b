package tui

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/preflight"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screens"
	"github.com/restartwhy/kubectl-restartwhy/tui/prompt"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// settings are determined by the environment and do not change at run time.
type settings struct {
	colour bool
	ascii  bool
}

// model is the root model, and the only one. It holds the screens, and executes their requests; no screen knows it
// (test/arrows).
type model struct {
	screen.Frame
	// ctx ends background work.
	ctx      context.Context
	options  Options
	settings settings
	stack    []screen.Screen
	// status is one line about the effect of a key, until the next key.
	status string
	// asking is the question that the next key answers, nil for none.
	asking  *question
	ticking bool
	seq     int // of the newest report that arrived
	shown   int // of the one that is shown
	fresh   int // restarts added since the user last looked at the top
	mouse   bool
}

// question waits for one key.
type question struct {
	text   string
	answer func(m *model, key string) tea.Cmd
}

func newModel(ctx context.Context, o Options, s settings) *model {
	r, waiting := o.Report, o.Report == nil && o.Preflight == nil
	switch {
	case waiting:
		r = &report.Report{}
		r.Normalise()
	case o.Preflight != nil:
		r = ofPreflight(o.Preflight)
		r.Normalise()
	}
	m := &model{
		Frame: screen.Frame{
			Keys: screen.Keys(), Causes: o.Causes, Data: dataset.New(r, o.Details), Incoming: screen.Incoming{Waiting: waiting},
		},
		ctx: ctx, options: o, settings: s, mouse: o.Mouse,
	}
	m.paint(true)
	if o.Preflight != nil {
		m.showPreflight(o.Preflight)
		return m
	}
	m.stack = []screen.Screen{screens.NewHome(m.Data)}
	m.openOnly()
	return m
}

// openOnly opens the only restart of a report if the user has not navigated yet: there is nothing to choose from.
func (m *model) openOnly() tea.Cmd {
	_, pane := m.top().Panes()
	if m.Waiting || len(m.Data.Report.Items) != 1 || len(m.stack) > 1 || pane != 0 || m.prompting() != nil {
		return nil
	}
	return m.push(screens.NewRestart(m.Data, 0))
}

// Init queries the terminal's background, starts building the index, and listens for updates.
func (m *model) Init() tea.Cmd {
	cmds := []tea.Cmd{indexing(m.Data)}
	if s, ok := m.top().(screen.Asker); ok {
		cmds = append(cmds, s.Ask())
	}
	if m.settings.colour {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if m.options.Updates != nil {
		cmds = append(cmds, listen(m.options.Updates))
	}
	return tea.Batch(cmds...)
}

// Update changes the state; it does no I/O.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.Layout = screen.LayoutFor(msg.Width, msg.Height)
		m.relay()
	case tea.BackgroundColorMsg:
		m.paint(msg.IsDark())
		for _, s := range m.stack {
			if s, ok := s.(interface{ Repaint() }); ok {
				s.Repaint()
			}
		}
		m.relay()
	case tea.PasteMsg:
		if t := m.prompting(); t != nil {
			return m, m.edited(t, t.Line().Paste(msg.Content))
		}
	case tea.KeyPressMsg:
		return m, m.press(msg)
	case tea.MouseWheelMsg:
		m.wheel(msg)
		return m, nil
	case tea.MouseClickMsg:
		return m, m.click(msg)
	case screen.Reply:
		msg.Into()
		m.relay()
	case indexed:
		return m, m.take(msg)
	case updated:
		return m, m.update(msg)
	case tick:
		return m, m.ticked(msg)
	case screen.Notice:
		m.status = string(msg)
	}
	return m, nil
}

// press dispatches a key to a question, a prompt, the viewer as a whole, or the screen.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.status = ""
	switch {
	case key.Matches(msg, m.Keys.Abort):
		return tea.Quit
	case key.Matches(msg, m.Keys.Suspend):
		return tea.Suspend
	case m.asking != nil:
		ask := m.asking
		m.asking = nil
		return ask.answer(m, msg.String())
	}
	// The arrows move in the list or text without leaving the prompt.
	arrow := msg.Text == "" && key.Matches(msg, m.Keys.Up, m.Keys.Down)
	if t := m.prompting(); t != nil && !arrow {
		return m.edited(t, t.Line().Press(msg))
	}
	if m.TooSmall() && !key.Matches(msg, m.Keys.Quit) {
		return nil // no navigation without a visible screen
	}
	if a := m.top().Press(&m.Frame, msg); a != nil {
		return m.carry(a)
	}
	return m.common(msg)
}

// common handles the keys that mean the same on every screen.
func (m *model) common(msg tea.KeyPressMsg) tea.Cmd {
	switch k := &m.Keys; {
	case key.Matches(msg, k.Quit):
		return tea.Quit
	case key.Matches(msg, k.Back, k.Left):
		m.pop()
	case key.Matches(msg, k.Help):
		m.toggle(screens.PageHelp)
	case key.Matches(msg, k.First):
		m.toggle(screens.PageFirst)
	case key.Matches(msg, k.Gaps):
		m.toggle(screens.PageGaps)
	case key.Matches(msg, k.NextTab):
		m.turn(+1)
	case key.Matches(msg, k.PreviousTab):
		m.turn(-1)
	case key.Matches(msg, k.Tab):
		if names, _ := m.top().Panes(); int(msg.Code-'1') < len(names) {
			m.show(int(msg.Code - '1'))
		}
	case key.Matches(msg, k.Copy):
		return m.copy()
	case key.Matches(msg, k.Command):
		return m.copyCommand()
	case key.Matches(msg, k.Logs):
		return m.copyLogs()
	case key.Matches(msg, k.Explain):
		m.explain(m.top().Here(&m.Frame).Cause)
	case key.Matches(msg, k.Write):
		m.askWrite()
	case key.Matches(msg, k.Save):
		return m.save()
	case key.Matches(msg, k.Newest):
		m.newest()
	case key.Matches(msg, k.Mouse):
		m.mouse = !m.mouse
		m.status = "the mouse selects text again"
		if m.mouse {
			m.status = "the mouse scrolls and clicks; M returns it to the terminal"
		}
	default:
		m.status = "? lists the keys"
	}
	return nil
}

func (m *model) turn(step int) {
	if names, shown := m.top().Panes(); len(names) > 0 {
		m.show((shown + step + len(names)) % len(names))
	}
}

func (m *model) show(pane int) {
	m.top().Turn(pane)
	m.top().Lay(&m.Frame)
}

// prompting returns the active input, or nil.
func (m *model) prompting() screen.Typist {
	if t := m.top().Typist(); t != nil && t.Line().Typing() {
		return t
	}
	return nil
}

func (m *model) edited(t screen.Typist, e prompt.Effect) tea.Cmd {
	cmd := t.Edited(e)
	m.top().Lay(&m.Frame)
	return cmd
}

func (m *model) carry(a screen.Asks) tea.Cmd {
	var cmds []tea.Cmd
	for _, ask := range a {
		switch ask := ask.(type) {
		case screen.Pushed:
			cmds = append(cmds, m.push(ask.Screen))
		case screen.Notice:
			m.status = string(ask)
		case screen.Explained:
			m.explain(string(ask))
		case screen.Changed:
			m.top().Lay(&m.Frame)
		case tea.Cmd:
			cmds = append(cmds, ask)
		}
	}
	return tea.Batch(cmds...)
}

func (m *model) top() screen.Screen { return m.stack[len(m.stack)-1] }

func (m *model) push(s screen.Screen) (cmd tea.Cmd) {
	if s, ok := s.(screen.Asker); ok {
		cmd = s.Ask()
	}
	m.stack = append(m.stack, s)
	s.Lay(&m.Frame)
	return cmd
}

// pop returns to the screen below; the bottom one stays.
func (m *model) pop() {
	if len(m.stack) > 1 {
		m.stack = m.stack[:len(m.stack)-1]
		m.top().Lay(&m.Frame)
	}
}

func (m *model) explain(id string) {
	switch {
	case id == "":
		m.status = "no cause is selected"
	case m.options.Explain == nil || m.options.Explain(id) == "":
		m.status = "no page explains " + id
	default:
		m.push(screens.NewCausePage(id, m.options.Explain(id)))
	}
}

// toggle opens a page on top of the screen, or closes it.
func (m *model) toggle(kind screens.PageKind) {
	at := slices.IndexFunc(m.stack, func(s screen.Screen) bool {
		p, ok := s.(interface{ Is(screens.PageKind) bool })
		return ok && p.Is(kind)
	})
	if at == len(m.stack)-1 {
		m.pop()
		return
	}
	if at >= 0 { // below another page: move it to the top instead of opening it twice
		m.stack = slices.Delete(m.stack, at, at+1)
	}
	m.push(screens.NewPage(kind))
}

// relay lays out every screen again, since any may be seen next.
func (m *model) relay() {
	for _, s := range m.stack {
		s.Lay(&m.Frame)
	}
}

func (m *model) paint(dark bool) {
	p := style.NoColour
	if m.settings.colour {
		p = style.Light
		if dark {
			p = style.Dark
		}
	}
	m.Look = style.New(p, m.settings.ascii)
}

// ofPreflight is a report without restarts, with the scope and the gaps of a preflight.
func ofPreflight(p *report.Preflight) *report.Report {
	return &report.Report{Scope: p.Scope, Gaps: p.Gaps, GeneratedAt: p.GeneratedAt}
}

// showPreflight replaces the first screen by a preflight.
func (m *model) showPreflight(p *report.Preflight) {
	m.Preflight = true
	m.stack = []screen.Screen{preflight.New(p)}
	// Keys without a meaning here are neither handled nor listed by help.
	for _, b := range []*key.Binding{
		&m.Keys.NextTab, &m.Keys.PreviousTab, &m.Keys.Tab, &m.Keys.Previous, &m.Keys.Next, &m.Keys.Newest,
		&m.Keys.Group, &m.Keys.ZoomIn, &m.Keys.ZoomOut, &m.Keys.Fit, &m.Keys.Save, &m.Keys.Node, &m.Keys.First,
	} {
		b.SetEnabled(false)
	}
}
