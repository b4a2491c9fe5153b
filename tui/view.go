package tui

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// The smallest terminal that is drawn into.
const (
	minWidth  = 60
	minHeight = 20
	// readable is the widest that running text is set.
	readable = 116
	// leastTitle is what must be left of the title for something beside it.
	leastTitle = 8
)

// layout is where everything is, computed once per size: a title, the names of the
// panes, the body, and a footer.
type layout struct {
	width, height int
	body          int // lines between the names of the panes and the footer
	text          int // cells of running text
}

func layoutFor(width, height int) layout {
	return layout{width: width, height: height, body: max(height-3, 1), text: min(width, readable)}
}

func (l layout) tooSmall() bool { return l.width < minWidth || l.height < minHeight }

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
	l := m.layout
	switch {
	case l.width <= 0 || l.height <= 0:
		return ""
	case l.tooSmall():
		small := fmt.Sprintf("restartwhy needs %dx%d, this is %dx%d", minWidth, minHeight, l.width, l.height)
		return ansi.Truncate(small, l.width, m.look.Glyphs.Ellipsis)
	}
	lines := make([]string, 0, l.height)
	lines = append(append(lines, m.title(), m.tabs()), m.top().body(&m.frame)...)
	all := strings.Join(append(pane.Fill(lines, l.height-1), m.footer()), "\n")
	if m.settings.ascii {
		return asciiText.Replace(all)
	}
	return all
}

// asciiText replaces what the texts of a report set by one cell for each, for
// terminals whose locale is not UTF-8.
var asciiText = strings.NewReplacer("→", ">", "·", "-", "–", "-", "—", "-", "…", ".", "×", "x")

func (m *model) title() string {
	g := m.look.Glyphs
	left := "restartwhy" + g.Separator + m.top().title(&m.frame)
	var right []string
	if m.fresh > 0 {
		right = append(right, fmt.Sprintf("%d new (f)", m.fresh))
	}
	if s := m.collecting(); s != "" {
		right = append(right, s)
	} else if m.watch != "" {
		right = append(right, "not live (m)")
	} else if n := len(m.ds.report.Gaps); n > 0 {
		right = append(right, present.Count(n, "gap")+" (m)")
	}
	if p := m.top().position(); p != "" {
		right = append(right, p)
	}
	said := "  " + strings.Join(right, g.Separator)
	room := m.width - ansi.StringWidth(said)
	if room < leastTitle {
		return m.look.Title.Render(m.pad(left, m.width))
	}
	return m.look.Title.Render(m.pad(left, room)) + m.look.Muted.Render(said)
}

// tabs names the panes of the screen; the one that is shown is marked.
func (m *model) tabs() string {
	names, shown := m.top().panes()
	var b strings.Builder
	for i, name := range names {
		if i == shown {
			b.WriteString(m.look.Title.Render(fmt.Sprintf("[%d %s]", i+1, name)) + " ")
			continue
		}
		b.WriteString(m.look.Muted.Render(fmt.Sprintf(" %d %s ", i+1, name)) + " ")
	}
	return ansi.Truncate(b.String(), m.width, m.look.Glyphs.Ellipsis)
}

// footer is a question, the prompt of a filter, what a key did, or the keys.
func (m *model) footer() string {
	w := m.width
	if m.asking != nil {
		return m.look.Strong.Render(m.pad(m.asking.text, w))
	}
	if m.status != "" {
		// The keys stay in sight where there is room.
		line := m.look.Strong.Render(m.pad(m.status, min(ansi.StringWidth(m.status), w)))
		if rest := m.legend(m.top().hints(&m.keys), w-ansi.StringWidth(m.status)-2); rest != "" {
			line += "  " + rest
		}
		return line
	}
	if t := m.top().typist(); t != nil && (t.line().Typing() || t.line().Text() != "") {
		return m.promptLine(t)
	}
	return m.legend(m.top().hints(&m.keys), w)
}

// legend names keys, as many as there is room for, first of all help and quit; "" where
// there is none for them.
func (m *model) legend(shown []key.Binding, room int) string {
	part := func(b key.Binding) string {
		// The first of a binding's keys is enough here; help shows them all.
		name, _, _ := strings.Cut(b.Help().Key, "/")
		if name == "" {
			name = b.Help().Key
		}
		return m.look.Title.Render(name) + " " + m.look.Muted.Render(m.short(b))
	}
	end := part(m.keys.Help) + "  " + part(m.keys.Quit)
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

// promptLine is what is typed, what came of it, and the keys for it.
func (m *model) promptLine(t typist) string {
	count, keys := t.result()
	right, needs := "", ansi.StringWidth(t.line().Text())+2 // the slash and the cursor
	for _, part := range []string{count, keys} {
		if part != "" && (right == "" || needs+ansi.StringWidth(right+"  "+part) <= m.width) {
			right += "  " + part
		}
	}
	room := m.width - ansi.StringWidth(right)
	left := t.line().View(&m.look, room)
	return left + strings.Repeat(" ", max(room-ansi.StringWidth(left), 0)) + m.look.Muted.Render(right)
}

// short is what a key does in a word or two; help says it in full.
func (m *model) short(b key.Binding) string {
	k := &m.keys
	for _, s := range []struct {
		of   key.Binding
		text string
	}{
		{k.Open, "open"}, {k.Back, "back"}, {k.NextTab, "next pane"}, {k.Filter, "filter"}, {k.Group, "group"},
		{k.Sort, "sort"}, {k.Help, "help"}, {k.Next, "next"}, {k.Previous, "previous"}, {k.Explain, "explain"},
		{k.Copy, "copy"}, {k.Command, "command"}, {k.Write, "write"}, {k.ZoomIn, "more"}, {k.ZoomOut, "less"},
		{k.Fold, "fold"}, {k.NextMark, "next mark"}, {k.PageDown, "page"}, {k.Gaps, "missing"}, {k.Node, "node"},
	} {
		if s.of.Help() == b.Help() {
			return s.text
		}
	}
	return b.Help().Desc
}
