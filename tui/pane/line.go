package pane

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// Paint draws a line in its styles, cut to a width.
func Paint(k *style.Theme, line document.Text, width int) string {
	var b strings.Builder
	for _, r := range line {
		style := k.Of(r.Style, r.Class)
		if style == nil || strings.TrimSpace(r.Text) == "" && r.Class != "cursor" {
			b.WriteString(r.Text)
			continue
		}
		b.WriteString(style.Render(r.Text))
	}
	return Cut(b.String(), width, k.Glyphs.Ellipsis)
}

// Cursor draws plain text in the cursor's style, over the whole width. A style within would end the cursor's early.
func Cursor(k *style.Theme, text string, width int) string {
	return truncate(k.Cursor.Render(Pad(text, width, k.Glyphs.Ellipsis)), width, "")
}

// truncate cuts a text with its attributes. ansi.Truncate counts a digit and the variation selector that makes it a
// wide glyph as one cell; so the measured width decides.
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

// Cut shortens a text to a width, with a tail in place of what is cut.
func Cut(s string, width int, tail string) string {
	if width <= 0 {
		return ""
	}
	if layout.Cells(s) <= width {
		return s
	}
	if layout.Cells(tail) > width {
		tail = ""
	}
	return truncate(s, width, tail)
}

// Pad cuts or fills plain text to exactly so many cells.
func Pad(s string, width int, tail string) string {
	s = Cut(s, width, tail)
	return s + strings.Repeat(" ", max(width-layout.Cells(s), 0))
}

// Fill pads or cuts lines to exactly height.
func Fill(lines []string, height int) []string {
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines[:height]
}
