package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// The smallest terminal that is drawn into.
const (
	minWidth  = 40
	minHeight = 10
	// previewFrom is the height from which the list leaves room for a look at
	// the restart under the cursor.
	previewFrom = 30
)

// layout is where everything is, computed once per size.
type layout struct {
	width, height int
	list          int // lines of the list below its column headings
	preview       int // lines of the preview, 0 for none
	text          int // lines of a text
	columns       columns
}

func layoutFor(width, height int) layout {
	l := layout{width: width, height: height, columns: columnsFor(width)}
	l.text = max(height-3, 1)  // title, blank line, footer
	l.list = max(height-3, 1)  // title, column headings, footer
	if height >= previewFrom { // one more line for the rule between them
		l.preview = (height - 4) / 2
		l.list -= l.preview + 1
	}
	return l
}

func (l layout) tooSmall() bool { return l.width < minWidth || l.height < minHeight }

func (m *model) resize(width, height int) {
	m.layout = layoutFor(width, height)
	m.list.resize(m.layout.list)
	m.text.height, m.overlay.height = m.layout.text, m.layout.text
	m.relay()
}

// relay lays the texts out again that are on the screen or below it.
func (m *model) relay() {
	for _, s := range m.screens {
		switch s {
		case screenRestart:
			m.text.lines = newDossier(&m.theme, m.layout.width, &m.report.Items[m.opened], m.evidence).all()
		case screenGaps:
			m.overlay.lines = m.gapsText()
		case screenHelp:
			m.overlay.lines = m.helpText()
		}
	}
	m.text.resize(m.layout.text)
	m.overlay.resize(m.layout.text)
}

// View draws the frame.
func (m *model) View() tea.View {
	v := tea.NewView(m.frame())
	v.AltScreen = true
	v.WindowTitle = "restartwhy"
	return v
}

// frame is the screen as text: height lines, none wider than width.
func (m *model) frame() string {
	l := m.layout
	switch {
	case l.width <= 0 || l.height <= 0:
		return ""
	case l.tooSmall():
		notice := fmt.Sprintf("restartwhy needs %dx%d, this is %dx%d", minWidth, minHeight, l.width, l.height)
		return ansi.Truncate(notice, l.width, m.theme.glyphs.ellipsis)
	}
	lines := make([]string, 0, l.height)
	lines = append(lines, m.title())
	if m.screen() == screenList {
		lines = m.listBody(lines)
	} else {
		lines = append(append(lines, ""), m.pane().window()...)
	}
	for len(lines) < l.height-1 {
		lines = append(lines, "")
	}
	return strings.Join(append(lines, m.footer()), "\n")
}

func (m *model) listBody(lines []string) []string {
	l, g := m.layout, m.theme.glyphs
	head := l.columns.line(g, lipgloss.NewStyle(), "", "HOW SURE", "WHEN UTC", "KIND", "WHERE", "NODE", "CAUSE")
	if l.columns.time <= 4 {
		head = l.columns.line(g, lipgloss.NewStyle(), "", "HOW SURE", "AGE", "", "WHERE", "", "CAUSE")
	}
	lines = append(lines, m.theme.header.Render(head))
	rows, first := m.list.window()
	for i, r := range rows {
		lines = append(lines, m.rowLine(r, first+i == m.list.cursor))
	}
	if len(rows) == 0 {
		lines = append(lines, m.theme.muted.Render(pad("  "+m.nothing(), l.width, g)))
	}
	if l.preview == 0 {
		return lines
	}
	for len(lines) < l.list+2 {
		lines = append(lines, "")
	}
	lines = append(lines, m.theme.muted.Render(strings.Repeat(g.rule, l.width)))
	below := m.preview()
	if len(below) > l.preview {
		below = append(below[:l.preview-1:l.preview-1], m.theme.muted.Render(g.ellipsis))
	}
	return append(lines, below...)
}

// nothing says why the list is empty.
func (m *model) nothing() string {
	if len(m.report.Items) > 0 {
		return "no restart matches the filter; esc clears it"
	}
	return "nothing restarted here"
}

// preview shows what the row under the cursor opens to.
func (m *model) preview() []string {
	r, ok := m.list.selected()
	if !ok {
		return nil
	}
	if r.item != none {
		return newDossier(&m.theme, m.layout.width, &m.report.Items[r.item], m.evidence).summary()
	}
	return m.incidentText(r.incident)
}

func (m *model) title() string {
	g, w := m.theme.glyphs, m.layout.width
	switch m.screen() {
	case screenHelp:
		return between("restartwhy"+g.separator+"help", m.overlay.position(), w, m.theme.bar, m.theme.muted, g)
	case screenGaps:
		return between("restartwhy"+g.separator+"gaps in the evidence", m.overlay.position(), w, m.theme.bar, m.theme.muted, g)
	case screenRestart:
		it := &m.report.Items[m.opened]
		name := it.Namespace + "/" + it.Pod + "/" + it.Container
		return between("restartwhy"+g.separator+name, m.text.position(), w, m.theme.bar, m.theme.muted, g)
	}
	left := "restartwhy" + g.separator + counted(len(m.report.Items), "item")
	if n := len(m.rows.groups); n > 0 {
		left += ", " + counted(n, "incident")
	}
	left += m.scope()
	right := ""
	if n := len(m.report.Gaps); n > 0 {
		right = "  " + counted(n, "gap")
	}
	return between(left, right, w, m.theme.bar, m.theme.muted, g)
}

func (m *model) scope() string {
	s, sep := m.report.Scope, m.theme.glyphs.separator
	var out string
	switch {
	case s.AllNamespaces:
		out = sep + "all namespaces"
	case s.Namespace != "":
		out = sep + s.Namespace
	}
	if s.Since != "" {
		out += sep + "last " + s.Since
	}
	return out
}

// footer is the prompt while a filter is typed or active, else the keys.
func (m *model) footer() string {
	g, w := m.theme.glyphs, m.layout.width
	if m.screen() == screenList && (m.prompt.typing || m.prompt.text != "") {
		left := g.prompt + m.prompt.text
		if m.prompt.typing {
			left += g.caret
		}
		found := 0
		for _, r := range m.list.rows {
			if r.item != none {
				found++
			}
		}
		return between(left, fmt.Sprintf("%d of %d  esc clears", found, len(m.report.Items)), w, m.theme.strong, m.theme.muted, g)
	}
	shown := []key.Binding{m.keys.Open, m.keys.Filter, m.keys.Gaps, m.keys.Help, m.keys.Quit}
	if m.screen() != screenList {
		shown = []key.Binding{m.keys.Back, m.keys.PageDown, m.keys.Help, m.keys.Quit}
	}
	if m.screen() == screenRestart {
		shown = []key.Binding{m.keys.Back, m.keys.Previous, m.keys.Next, m.keys.Help, m.keys.Quit}
	}
	parts := make([]string, len(shown))
	for i, b := range shown {
		// The first of a binding's keys is enough here; help shows them all.
		first, _, _ := strings.Cut(b.Help().Key, "/")
		if first == "" {
			first = b.Help().Key
		}
		parts[i] = m.theme.key.Render(first) + " " + m.theme.muted.Render(b.Help().Desc)
	}
	return ansi.Truncate(strings.Join(parts, "  "), w, g.ellipsis)
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
