package pane

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
)

// narrowest is the width below which a text is cut rather than wrapped to shreds.
const narrowest = 12

// Para lays out a text behind what is in head already, broken as pages are; further
// lines of the text are indented as far as its first.
func Para(head Line, style *lipgloss.Style, text string, width int) []Line {
	indent := head.Width
	words := strings.Join(strings.Fields(printable(text)), " ")
	var out []Line
	for i, t := range layout.Wrap(document.Say(words), max(width-indent, narrowest)) {
		l := head
		l.parts = slices.Clone(head.parts) // the caller may lay out another text behind it
		if i > 0 {
			l = Line{}
			l.Pad(indent)
		}
		l.Add(style, t.String())
		out = append(out, l)
	}
	return out
}

// Append adds a text to the last line of a paragraph, behind a joint, if there is
// room for both; else as lines of its own behind an indent.
func Append(lines []Line, style *lipgloss.Style, joint, text string, indent, width int) []Line {
	if n := len(lines); n > 0 && lines[n-1].Width+Width(joint+text) <= width {
		lines[n-1].Add(style, joint+text)
		return lines
	}
	var l Line
	l.Pad(indent)
	return append(lines, Para(l, style, text, width)...)
}
