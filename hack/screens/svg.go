package main

import (
	"fmt"
	"strings"
)

// The sizes of a cell and of the frame, in pixels.
const (
	cellWidth, cellHeight = 8, 18
	margin, bar           = 16, 34
	ground, ink           = "#16181d", "#d5d9e0"
)

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// draw creates the picture. Every word is a separate text with a length, so that columns stay aligned in any font.
// Several screens are shown in turn, each for that many seconds, by the picture's own style sheet, without a script.
func draw(title string, seconds float64, frames ...[][]cell) string {
	columns, rows := 0, 0
	for _, lines := range frames {
		rows = max(rows, len(lines))
		for _, l := range lines {
			columns = max(columns, across(l))
		}
	}
	w, h := columns*cellWidth+2*margin, rows*cellHeight+bar+margin
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`+"\n",
		w, h, w, h, escape.Replace(title))
	if n := len(frames); n > 1 {
		// A reader who wants no animation sees the first screen.
		fmt.Fprintf(&b, "<style>@media (prefers-reduced-motion:no-preference){.f{visibility:hidden;animation:f %gs "+
			"step-end infinite}}"+
			"@media (prefers-reduced-motion:reduce){.f+.f{visibility:hidden}}@keyframes "+
			"f{0%%{visibility:visible}%g%%{visibility:hidden}}</style>\n", seconds*float64(n), 100/float64(n))
	}
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="8" fill="%s"/>`+"\n", w, h, ground)
	for i, colour := range []string{"#e06c75", "#e5c07b", "#98c379"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="17" r="5" fill="%s"/>`, 20+i*18, colour)
	}
	fmt.Fprintf(&b, "\n"+
		`<text x="%d" y="21" fill="#8a919e" text-anchor="middle" font-family="sans-serif" font-size="12">%s</text>`+"\n",
		w/2, escape.Replace(title))
	b.WriteString(
		`<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13">` + "\n")
	for n, lines := range frames {
		if len(frames) > 1 {
			fmt.Fprintf(&b, `<g class="f" style="animation-delay:%gs">`+"\n", seconds*float64(n))
		}
		for row, line := range lines {
			drawLine(&b, row, line)
		}
		if len(frames) > 1 {
			b.WriteString("</g>\n")
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// across returns how many columns a line takes up to its last visible cell.
func across(line []cell) int {
	n, last := 0, 0
	for _, c := range line {
		n += c.width
		if strings.TrimSpace(c.text) != "" || c.style.bg != "" || c.style.turns {
			last = n
		}
	}
	return last
}

// drawLine draws the background of each run of one style, and each word separately, so that no renderer decides the
// width of the gaps.
func drawLine(b *strings.Builder, row int, line []cell) {
	y, column := bar+row*cellHeight, 0
	for i := 0; i < len(line); {
		run, start, blank := line[i].style, column, line[i].text == " "
		text := ""
		for ; i < len(line) && line[i].style == run && (line[i].text == " ") == blank; i++ {
			text += line[i].text
			column += line[i].width
		}
		drawRun(b, run, text, margin+start*cellWidth, y, (column-start)*cellWidth)
	}
}

func drawRun(b *strings.Builder, s style, text string, x, y, width int) {
	fg, bg := s.fg, s.bg
	if fg == "" {
		fg = ink
	}
	if s.turns {
		if bg == "" {
			bg = ground
		}
		fg, bg = bg, fg
	}
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, x, y, width, cellHeight, bg)
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	var more string
	if s.bold {
		more += ` font-weight="bold"`
	}
	if s.faint {
		more += ` opacity="0.6"`
	}
	if s.under {
		more += ` text-decoration="underline"`
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s" textLength="%d" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
		x, y+13, fg, width, more, escape.Replace(text))
}
