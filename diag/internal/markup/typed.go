package markup

import "strings"

var (
	// curly replaces typographic quotation marks, which word processors put in place of plain ones.
	curly = strings.NewReplacer("\u201c", `"`, "\u201d", `"`, "\u201e", `"`)
	// mostly is how many of ten lines have a mark that was added to all of them.
	mostly = 9
)

// Typed undoes what an editor or a diff did to a whole text: curly quotation marks, if there are hardly any plain ones,
// and a plus before each line.
func Typed(text string) string {
	if strings.Count(text, "\u201c") > strings.Count(text, `"`) {
		text = curly.Replace(text)
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
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimPrefix(line, "+"))
	}
	return b.String()
}
