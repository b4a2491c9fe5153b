package layout

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

// Width returns how many cells a text takes.
func Width(t document.Text) int {
	n := 0
	for _, r := range t {
		n += Cells(r.Text)
	}
	return n
}

// Cells returns how many columns of a terminal a text takes. Nearly all texts are ASCII, which need no look at grapheme
// clusters.
func Cells(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// word is an unbreakable unit, with the spaces before it.
type word struct {
	spaces int
	parts  document.Text
	width  int
}

func words(t document.Text) []word {
	var out []word
	w := word{}
	for _, r := range t {
		for n, part := range strings.Split(r.Text, " ") {
			if n > 0 {
				if w.width > 0 {
					out = append(out, w)
					w = word{}
				}
				w.spaces++
			}
			if part != "" {
				piece := r
				piece.Text = part
				w.parts = append(w.parts, piece)
				w.width += Cells(part)
			}
		}
	}
	if w.width > 0 {
		out = append(out, w)
	}
	return out
}

// Wrap breaks a text at spaces only, because a command, a name or a cause that is broken at a hyphen cannot be copied.
// A word longer than a line is cut where the line ends. Spaces within a line are kept. There is at least one line.
func Wrap(t document.Text, width int) []document.Text {
	if width <= 0 || Width(t) <= width {
		return []document.Text{t}
	}
	var lines []document.Text
	var line document.Text
	used := 0
	flush := func() {
		lines = append(lines, line)
		line, used = nil, 0
	}
	put := func(r document.Run) {
		if n := len(line); n > 0 && line[n-1].Style == r.Style && line[n-1].Class == r.Class && line[n-1].To == r.To {
			line[n-1].Text += r.Text
			return
		}
		line = append(line, r)
	}
	for _, w := range words(t) {
		if used > 0 && used+w.spaces+w.width > width && (w.width <= width || used > width/2) {
			flush()
		} else if w.spaces > 0 && (used > 0 || len(lines) == 0) {
			style := document.Run{}
			if n := len(line); n > 0 && line[n-1].Style == w.parts[0].Style {
				style = line[n-1]
			}
			style.Text = strings.Repeat(" ", min(w.spaces, width-used))
			put(style)
			used += len(style.Text)
		}
		for _, p := range w.parts {
			for len(p.Text) > 0 {
				head := p
				if head.Text = start(p.Text, width-used); head.Text != "" {
					put(head)
					used += ansi.StringWidth(head.Text)
				} else if used == 0 { // a glyph that is wider than a whole line
					put(p)
					used += ansi.StringWidth(p.Text)
					break
				}
				if p.Text = p.Text[len(head.Text):]; p.Text != "" {
					flush()
				}
			}
		}
	}
	flush()
	return lines
}

// start returns the longest prefix of a word that fits a width. It reads no further than that.
func start(s string, width int) string {
	if width <= 0 {
		return ""
	}
	end := 0
	for used := 0; end < len(s); {
		cluster, w := ansi.FirstGraphemeCluster(s[end:], ansi.GraphemeWidth)
		if used += w; used > width {
			break
		}
		end += len(cluster)
	}
	return s[:end]
}

// Cut shortens a text to a width, with a tail in place of what is lost.
func Cut(t document.Text, width int, tail string) document.Text {
	if Width(t) <= width {
		return t
	}
	room := width - Cells(tail)
	var out document.Text
	for _, r := range t {
		w := Cells(r.Text)
		if w > room {
			r.Text = ansi.Truncate(r.Text, max(room, 0), "") + tail
			return append(out, r)
		}
		out = append(out, r)
		room -= w
	}
	return out
}
