package markup

import (
	"regexp"
	"strings"
)

var (
	// curly replaces typographic quotation marks, which word processors put in place of plain ones.
	curly = strings.NewReplacer("\u201c", `"`, "\u201d", `"`, "\u201e", `"`)
	// mostly is how many of ten lines have a mark that was added to all of them.
	mostly = 9
)

// escaped matches an underscore within a word as Markdown escapes it: no tool prints one. plain undoes such escapes.
var (
	escaped = regexp.MustCompile(`[A-Za-z0-9]\\_[A-Za-z0-9]`)
	plain   = strings.NewReplacer(`\_`, "_", `\*`, "*", `\[`, "[", `\]`, "]", `\<`, "<", `\>`, ">", `\~`, "~", `\#`, "#",
		"\\`", "`")
)

// blanks are those that word processors and pages put in place of a tool's.
var blanks = strings.NewReplacer("\u00a0", " ", "\u2007", " ", "\u202f", " ")

// Blanks returns a text with plain blanks.
func Blanks(text string) string { return blanks.Replace(text) }

// Typed undoes what an editor, a mail program or a diff did to a whole text: curly quotation marks, if there are hardly
// any plain ones, blanks that do not break, Markdown's escapes, a plus before each line, numbers, marks of quoted lines
// and blanks before all of them.
func Typed(text string) string {
	text = Blanks(text)
	if strings.Count(text, "\u201c") > strings.Count(text, `"`) {
		text = curly.Replace(text)
	}
	if escaped.MatchString(text) {
		text = plain.Replace(text)
	}
	lines, added := 0, 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if lines++; line[0] == '+' {
			added++
		}
	}
	if lines < 2 || 10*added < mostly*lines {
		return withoutMargin(text)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimPrefix(line, "+"))
	}
	return withoutMargin(b.String())
}
