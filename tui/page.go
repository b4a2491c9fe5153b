package tui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// page lays out a text: headings and paragraphs with a hanging label, wrapped
// to a width. Every line it makes is at most width cells wide.
type page struct {
	theme *theme
	width int
	lines []string
}

// margin is the indent of what stands below a heading. Headings stand one step to
// the left of it, the cursor two.
const margin = 4

func (p *page) blank() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
		p.lines = append(p.lines, "")
	}
}

// heading starts a section.
func (p *page) heading(title string) {
	p.blank()
	p.lines = append(p.lines, "  "+p.theme.heading.Render(ansi.Truncate(title, max(p.width-2, 1), p.theme.glyphs.ellipsis)))
}

// para writes a text behind an indent of as many cells.
func (p *page) para(indent int, text string, style lipgloss.Style) {
	p.labelled(indent, "", 0, lipgloss.NewStyle(), text, style)
}

// labelled writes a label of labelWidth cells, and the text beside it; further
// lines of the text stand below its first.
func (p *page) labelled(indent int, label string, labelWidth int, labelStyle lipgloss.Style, text string, style lipgloss.Style) {
	lead := indent + labelWidth
	room := max(p.width-lead, 1)
	for i, line := range wrap(text, room) {
		head := strings.Repeat(" ", lead)
		if i == 0 && label != "" {
			head = strings.Repeat(" ", indent) + labelStyle.Render(pad(label, labelWidth, p.theme.glyphs))
		}
		p.lines = append(p.lines, head+style.Render(line))
	}
}

func (p *page) cut(s string) string { return ansi.Truncate(s, p.width, p.theme.glyphs.ellipsis) }

// wrap breaks plain text at spaces only, because a command, a name or a cause
// that is broken at a hyphen cannot be copied. A word longer than a line is cut
// where the line ends. Spaces inside a line stay as they are.
func wrap(text string, width int) []string {
	var out []string
	line, used := "", 0
	for i, word := range strings.Split(strings.TrimRight(text, " "), " ") {
		w := ansi.StringWidth(word)
		if i > 0 && used+1+w <= width {
			line, used = line+" "+word, used+1+w
			continue
		}
		switch {
		case i == 0:
		case w > width && used+1 < width/2:
			line, used = line+" ", used+1
		default:
			out = append(out, strings.TrimRight(line, " "))
			line, used = "", 0
		}
		for used+w > width {
			head := ansi.Truncate(word, width-used, "")
			if head == "" && used == 0 {
				break // a glyph that is wider than a whole line
			}
			out = append(out, line+head)
			word = word[len(head):]
			w, line, used = ansi.StringWidth(word), "", 0
		}
		line, used = line+word, used+w
	}
	return append(out, strings.TrimRight(line, " "))
}
