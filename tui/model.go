package tui

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/look"
)

// settings are what the environment decides; they do not change while it runs.
type settings struct {
	colour bool
	ascii  bool
}

// model is the root model, and the only one.
type model struct {
	// ctx ends what runs beside the drawing.
	ctx      context.Context
	options  Options
	keys     KeyMap
	settings settings
	theme    theme
	look     look.Look // the theme, for panes and pages
	layout   layout

	ds    *dataset
	stack []screen
	// preflight is the one that is shown, nil where restarts are.
	preflight *present.PreflightView
	// status is one line about what a key did, until the next key.
	status string
	// search is what was last searched for in a page.
	search *search
	// asking is the question that the next key answers, nil for none.
	asking *question
	sources
	fresh int // restarts that came in since the reader last looked at the top
	mouse bool
}

// question waits for one key.
type question struct {
	text   string
	answer func(m *model, key string) tea.Cmd
}

func newModel(ctx context.Context, o Options, s settings) *model {
	m := &model{ctx: ctx, options: o, keys: Keys(), settings: s, mouse: o.Mouse}
	r := o.Report
	m.waiting = r == nil
	if r == nil {
		r = &report.Report{}
		r.Normalise()
	}
	m.ds = newDataset(r, o.Teller)
	m.paint(true)
	h := newHome(m)
	m.stack = []screen{h}
	m.openOnly(h)
	return m
}

// openOnly opens the only restart of a report: there is nothing to choose from.
func (m *model) openOnly(h *home) tea.Cmd {
	if m.waiting || len(m.ds.report.Items) != 1 {
		return nil
	}
	s := &restartScreen{ds: m.ds, from: h.roots}
	m.stack = append(m.stack, s)
	return s.ask()
}

// Init asks the terminal for its background, builds the index meanwhile, and
// listens to what comes in.
func (m *model) Init() tea.Cmd {
	cmds := []tea.Cmd{indexing(m.ds)}
	if s, ok := m.top().(*restartScreen); ok {
		cmds = append(cmds, s.ask())
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
		m.layout = layoutFor(msg.Width, msg.Height)
		m.relay()
	case tea.BackgroundColorMsg:
		m.paint(msg.IsDark())
		for _, s := range m.stack {
			if s, ok := s.(interface{ repaint() }); ok {
				s.repaint()
			}
		}
		m.relay()
	case tea.PasteMsg:
		if t := m.prompting(); t != nil {
			cmd := t.paste(msg.Content)
			m.top().lay(m)
			return m, cmd
		}
	case tea.KeyPressMsg:
		return m, m.press(msg)
	case tea.MouseWheelMsg:
		return m, m.wheel(msg)
	case tea.MouseClickMsg:
		return m, m.click(msg)
	case told:
		msg.into(m)
	case indexed:
		return m, m.take(msg)
	case updated:
		return m, m.update(msg)
	case tick:
		return m, m.ticked(msg)
	case finished:
		m.status = msg.text
	}
	return m, nil
}

// press finds out who a key is meant for: a question, a prompt, the viewer as a
// whole, or the screen.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.status = ""
	switch {
	case key.Matches(msg, m.keys.Abort):
		return tea.Quit
	case key.Matches(msg, m.keys.Suspend):
		return tea.Suspend
	case m.asking != nil:
		ask := m.asking
		m.asking = nil
		return ask.answer(m, msg.String())
	}
	if t := m.prompting(); t != nil {
		cmd := t.typed(msg)
		m.top().lay(m)
		return cmd
	}
	if m.layout.tooSmall() && !key.Matches(msg, m.keys.Quit) {
		return nil // one does not steer what one cannot see
	}
	if cmd, taken := m.top().press(m, msg); taken {
		return cmd
	}
	return m.common(msg)
}

// common answers the keys that mean the same on every screen.
func (m *model) common(msg tea.KeyPressMsg) tea.Cmd {
	switch k := &m.keys; {
	case key.Matches(msg, k.Quit):
		return tea.Quit
	case key.Matches(msg, k.Back, k.Left):
		m.pop()
	case key.Matches(msg, k.Help):
		m.toggle(pageHelp)
	case key.Matches(msg, k.Gaps):
		m.toggle(pageGaps)
	case key.Matches(msg, k.NextTab):
		return m.turn(+1)
	case key.Matches(msg, k.PreviousTab):
		return m.turn(-1)
	case key.Matches(msg, k.Tab):
		if names, _ := m.top().panes(); int(msg.Code-'1') < len(names) {
			return m.top().turn(m, int(msg.Code-'1'))
		}
	case key.Matches(msg, k.Copy):
		return m.copy()
	case key.Matches(msg, k.Command):
		return m.copyCommand()
	case key.Matches(msg, k.Explain):
		m.explain(m.top().here(m).cause)
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
			m.status = "the mouse scrolls and clicks; M gives it back"
		}
	default:
		m.status = "? lists the keys"
	}
	return nil
}

// turn shows the pane beside the present one.
func (m *model) turn(step int) tea.Cmd {
	names, shown := m.top().panes()
	if len(names) == 0 {
		return nil
	}
	return m.top().turn(m, (shown+step+len(names))%len(names))
}

// prompting returns what is being typed into, or nil.
func (m *model) prompting() typist {
	if t := m.typist(); t != nil && t.said().typing {
		return t
	}
	return nil
}

// toggle lays a page over the screen, or takes it away.
func (m *model) toggle(kind pageKind) {
	at := slices.IndexFunc(m.stack, func(s screen) bool { p, ok := s.(*pageScreen); return ok && p.kind == kind })
	if at == len(m.stack)-1 {
		m.pop()
		return
	}
	if at >= 0 { // below another page: it comes to the top instead of twice
		m.stack = slices.Delete(m.stack, at, at+1)
	}
	m.push(&pageScreen{kind: kind})
}

// relay lays out every screen again, since any may be seen next.
func (m *model) relay() {
	for _, s := range m.stack {
		s.lay(m)
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
	m.look = m.theme.look(m.settings.ascii)
}
