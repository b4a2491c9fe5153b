package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// leastTitle is the minimum width of the title if something is next to it.
const leastTitle = 8

func (m *model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.WindowTitle = "restartwhy"
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// screen is the whole screen as text: height lines, none wider than width.
func (m *model) screen() string {
	l := m.Layout
	switch {
	case l.Width <= 0 || l.Height <= 0:
		return ""
	case l.TooSmall():
		small := fmt.Sprintf("restartwhy needs %dx%d, this is %dx%d", screen.MinWidth, screen.MinHeight, l.Width, l.Height)
		return ansi.Truncate(small, l.Width, m.Look.Glyphs.Ellipsis)
	}
	lines := make([]string, 0, l.Height)
	lines = append(append(lines, m.title(), m.tabs()), m.top().Body(&m.Frame)...)
	all := strings.Join(append(pane.Fill(lines, l.Height-1), m.footer()), "\n")
	if m.settings.ascii {
		return asciiText.Replace(all)
	}
	return all
}

// asciiText replaces the non-ASCII characters of reports by one cell each, for terminals whose locale is not UTF-8.
var asciiText = strings.NewReplacer("→", ">", "·", "-", "–", "-", "—", "-", "…", ".", "×", "x")

func (m *model) title() string {
	g := m.Look.Glyphs
	left := "restartwhy" + g.Separator + m.top().Title(&m.Frame)
	var right []string
	if m.fresh > 0 {
		right = append(right, fmt.Sprintf("%d new (f)", m.fresh))
	}
	if s := m.Collecting(); s != "" {
		right = append(right, s)
	} else if m.Watch != "" {
		right = append(right, "not live (m)")
	} else if n := len(m.Data.Report.Gaps); n > 0 {
		right = append(right, report.Count(n, "gap")+" (m)")
	}
	if p := m.top().Position(); p != "" {
		right = append(right, p)
	}
	said := "  " + strings.Join(right, g.Separator)
	room := m.Width - ansi.StringWidth(said)
	if room < leastTitle {
		return m.Look.Title.Render(m.Pad(left, m.Width))
	}
	return m.Look.Title.Render(m.Pad(left, room)) + m.Look.Muted.Render(said)
}

// tabs draws the names of the screen's panes; the current one is marked.
func (m *model) tabs() string {
	names, shown := m.top().Panes()
	var b strings.Builder
	for i, name := range names {
		if i == shown {
			b.WriteString(m.Look.Title.Render(fmt.Sprintf("[%d %s]", i+1, name)) + " ")
			continue
		}
		b.WriteString(m.Look.Muted.Render(fmt.Sprintf(" %d %s ", i+1, name)) + " ")
	}
	return ansi.Truncate(b.String(), m.Width, m.Look.Glyphs.Ellipsis)
}

// footer is a question, the prompt of a filter, the effect of a key, or the keys.
func (m *model) footer() string {
	w := m.Width
	if m.asking != nil {
		return m.Look.Strong.Render(m.Pad(m.asking.text, w))
	}
	if m.status != "" {
		// The keys stay visible if there is room.
		line := m.Look.Strong.Render(m.Pad(m.status, min(ansi.StringWidth(m.status), w)))
		if rest := m.legend(m.top().Hints(&m.Keys), w-ansi.StringWidth(m.status)-2); rest != "" {
			line += "  " + rest
		}
		return line
	}
	if t := m.top().Typist(); t != nil && (t.Line().Typing() || t.Line().Text() != "") {
		return m.promptLine(t)
	}
	return m.legend(m.top().Hints(&m.Keys), w)
}

// legend lists as many keys as there is room for, help and quit first; "" if there is none.
func (m *model) legend(shown []key.Binding, room int) string {
	part := func(b key.Binding) string {
		// The first of a binding's keys is enough here; help shows all.
		name, _, _ := strings.Cut(b.Help().Key, "/")
		if name == "" {
			name = b.Help().Key
		}
		short, _, _ := strings.Cut(b.Help().Desc, "|")
		return m.Look.Title.Render(name) + " " + m.Look.Muted.Render(short)
	}
	end := part(m.Keys.Help) + "  " + part(m.Keys.Quit)
	if room -= ansi.StringWidth(end); room < 0 {
		return ""
	}
	var line strings.Builder
	for _, b := range shown {
		p := part(b) + "  "
		if room -= ansi.StringWidth(p); room < 0 {
			break
		}
		line.WriteString(p)
	}
	return line.String() + end
}

// promptLine is the typed text, the outcome, and the keys for it.
func (m *model) promptLine(t screen.Typist) string {
	count, keys := t.Result()
	right, needs := "", ansi.StringWidth(t.Line().Text())+2 // the slash and the cursor
	for _, part := range []string{count, keys} {
		if part != "" && (right == "" || needs+ansi.StringWidth(right+"  "+part) <= m.Width) {
			right += "  " + part
		}
	}
	room := m.Width - ansi.StringWidth(right)
	left := t.Line().View(&m.Look, room)
	return left + strings.Repeat(" ", max(room-ansi.StringWidth(left), 0)) + m.Look.Muted.Render(right)
}
