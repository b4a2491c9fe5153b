package pane

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Wrap breaks a plain text into lines of at most width cells, at spaces only: a
// name, a hash or a command that is broken at a hyphen cannot be copied. A word
// that is longer than a line is cut where the line ends.
func Wrap(text string, width int) []string {
	width = max(width, 1)
	var out []string
	line, used := "", 0
	for _, word := range strings.Fields(printable(text)) {
		w := Width(word)
		if used > 0 && used+1+w <= width {
			longer := line + " " + word
			n := used + 1 + w
			if !ascii(word) { // its first glyph may join with the space
				n = Width(longer)
			}
			if n <= width {
				line, used = longer, n
				continue
			}
		}
		if used > 0 {
			out = append(out, line)
		}
		if w > width {
			pieces := split(word, width)
			out = append(out, pieces[:len(pieces)-1]...)
			word = pieces[len(pieces)-1]
			w = Width(word)
		}
		line, used = word, w
	}
	if used > 0 || len(out) == 0 {
		out = append(out, line)
	}
	return out
}

// split cuts a word into pieces of at most width cells, the last of them what is
// left. A glyph that is wider than a whole line cannot be drawn.
func split(word string, width int) []string {
	var out []string
	start, used, at := 0, 0, 0
	for at < len(word) {
		glyph, w := ansi.FirstGraphemeCluster(word[at:], ansi.GraphemeWidth)
		if w > width {
			word = word[:at] + word[at+len(glyph):]
			continue
		}
		if used+w > width {
			out = append(out, word[start:at])
			start, used = at, 0
		}
		used += w
		at += len(glyph)
	}
	return append(out, word[start:])
}

// narrowest is the width below which a text is cut rather than wrapped to shreds.
const narrowest = 12

// Para lays out a text behind what is in head already; further lines of the text
// are indented as far as its first.
func Para(head Line, style *lipgloss.Style, text string, width int) []Line {
	indent := head.Width
	var out []Line
	for i, s := range Wrap(text, max(width-indent, narrowest)) {
		l := head
		l.parts = slices.Clone(head.parts) // the caller may lay out another text behind it
		if i > 0 {
			l = Line{}
			l.Pad(indent)
		}
		l.Add(style, s)
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
