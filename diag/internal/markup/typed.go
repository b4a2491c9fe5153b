package markup

import "strings"

var (
	// curly are the quotation marks that programs for texts put in place of those that tools print.
	curly = strings.NewReplacer("\u201c", `"`, "\u201d", `"`, "\u201e", `"`)
	// mostly is how many of ten lines have a mark that belongs to none of them.
	mostly = 9
)

// Typed is a text without what an editor or a diff did to all of it: curly quotation marks, where there are hardly
// others, and a plus before each line.
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
