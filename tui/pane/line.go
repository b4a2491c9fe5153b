package pane

import (
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// Line is one line of text in parts that each have a style. The zero Line is empty.
type Line struct {
	parts []part
	// Width is in cells.
	Width int
	// joins is true where glyphs of neighbouring parts may become one.
	joins bool
}

type part struct {
	text  string
	style *lipgloss.Style // nil for plain text
}

// Add appends a text. A style of nil leaves it as it is. Control characters, which
// would break the rectangle of the pane, become spaces.
func (l *Line) Add(style *lipgloss.Style, text string) {
	if text == "" {
		return
	}
	text = printable(text)
	if n := len(l.parts); n > 0 && l.parts[n-1].style == style {
		l.parts[n-1].text += text
	} else {
		l.parts = append(l.parts, part{text, style})
	}
	l.joins = l.joins || !ascii(text)
	l.Width += Width(text)
}

// Append appends another line.
func (l *Line) Append(other *Line) {
	for _, p := range other.parts {
		l.Add(p.style, p.text)
	}
}

// Width is how many cells a plain text takes.
func Width(text string) int {
	if ascii(text) {
		return len(text)
	}
	return ansi.StringWidth(text)
}

// Pad appends spaces up to a column.
func (l *Line) Pad(column int) {
	if l.Width < column {
		l.Add(nil, strings.Repeat(" ", column-l.Width))
	}
}

// Text returns the line without its styles.
func (l *Line) Text() string {
	if len(l.parts) == 1 {
		return l.parts[0].text
	}
	var b strings.Builder
	for _, p := range l.parts {
		b.WriteString(p.text)
	}
	return b.String()
}

// Render draws the line, cut to a width.
func (l *Line) Render(k *style.Theme, width int) string {
	if l.Width > width {
		return l.cut(k, width)
	}
	var b strings.Builder
	for _, p := range l.parts {
		if p.style == nil {
			b.WriteString(p.text)
			continue
		}
		b.WriteString(p.style.Render(p.text))
	}
	if !l.joins {
		return b.String()
	}
	return fit(b.String(), width)
}

// RenderCursor draws the line in the cursor's style, over the whole width.
func (l *Line) RenderCursor(k *style.Theme, width int) string {
	return Cursor(k, l.Text(), width)
}

// Cursor draws a plain text in the cursor's style, over the whole width. A style within
// would end the cursor's early.
func Cursor(k *style.Theme, text string, width int) string {
	return fit(k.Cursor.Render(Pad(text, width, k.Glyphs.Ellipsis)), width)
}

// cut renders as many parts as there is room for, with an ellipsis at the end.
func (l *Line) cut(k *style.Theme, width int) string {
	dots := Cut(k.Glyphs.Ellipsis, width, "")
	room := width - Width(dots)
	var b strings.Builder
	for _, p := range l.parts {
		text := Cut(p.text, room, "")
		room -= Width(text)
		whole := len(text) == len(p.text)
		if !whole {
			text += dots
		}
		if p.style != nil && text != "" {
			text = p.style.Render(text)
		}
		b.WriteString(text)
		if !whole {
			break
		}
	}
	return fit(b.String(), width)
}

// fit is the last word about a width. A glyph that joins with the one before it,
// across two parts, can be wider than the parts were.
func fit(s string, width int) string { return truncate(s, width, "") }

// truncate cuts a text, with its attributes. ansi.Truncate counts a digit and the
// selector that makes it a wide glyph as one cell; what is measured decides.
func truncate(s string, width int, tail string) string {
	if ansi.StringWidth(s) <= width {
		return s
	}
	for n := width; n > 0; n-- {
		if out := ansi.Truncate(s, n, tail); ansi.StringWidth(out) <= width {
			return out
		}
	}
	return ""
}

// Cut shortens a plain text to a width, with a tail in place of what is lost.
func Cut(s string, width int, tail string) string {
	if width <= 0 {
		return ""
	}
	if len(s) <= width && ascii(s) {
		return s
	}
	if Width(tail) > width {
		tail = ""
	}
	return truncate(s, width, tail)
}

// Pad cuts or fills a plain text to exactly so many cells.
func Pad(s string, width int, tail string) string {
	s = Cut(s, width, tail)
	return s + strings.Repeat(" ", max(width-Width(s), 0))
}

// Fill makes lines exactly as many as there is room for.
func Fill(lines []string, height int) []string {
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines[:height]
}

// ascii reports whether a text, in which there are no control characters any more, is
// as wide as it is long.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func printable(s string) string {
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		// 0xC2 begins the encoding of the C1 controls.
		clean = s[i] >= ' ' && s[i] != 0x7f && s[i] != 0xc2
	}
	if clean && utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
