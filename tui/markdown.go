package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// markdown writes a page of the catalogue: headings, paragraphs, lists, code and
// tables. It knows no more Markdown than the pages use; what it does not know
// stays as it is written.
func (p *page) markdown(source string) {
	var para []string
	flush := func() {
		if len(para) > 0 {
			p.para(margin, inline(strings.Join(para, " ")), plain)
			para = nil
		}
	}
	code := false
	for _, line := range strings.Split(source, "\n") {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \r")
		text := strings.TrimLeft(line, " ")
		switch {
		case strings.HasPrefix(text, "```"):
			flush()
			code = !code
		case code:
			p.lines = append(p.lines, strings.Repeat(" ", margin+2)+p.theme.command.Render(ansi.Truncate(line, max(p.width-margin-2, 1), p.theme.glyphs.ellipsis)))
		case text == "":
			flush()
			p.blank()
		case strings.HasPrefix(text, "#"):
			flush()
			p.heading(inline(strings.TrimLeft(text, "# ")))
		case strings.HasPrefix(text, "- "), strings.HasPrefix(text, "* "):
			flush()
			p.labelled(margin+min(len(line)-len(text), 8), p.theme.glyphs.bullet, 2, p.theme.muted, inline(text[2:]), plain)
		case strings.HasPrefix(text, "|"):
			flush()
			if strings.Trim(text, "|-: ") != "" {
				p.para(margin, inline(strings.Join(strings.Fields(strings.ReplaceAll(strings.Trim(text, "| "), "|", p.theme.glyphs.separator)), " ")), plain)
			}
		default:
			para = append(para, text)
		}
	}
	flush()
}

// inline drops the marks of emphasis and code, and keeps what they are about.
func inline(s string) string {
	return strings.NewReplacer("**", "", "`", "").Replace(s)
}
