package textkind

import (
	"regexp"
	"strings"
)

var (
	// release matches the heading of a version in a list of changes, and at most its date.
	release = regexp.MustCompile(`^#{1,6} (?:(?i:release|version) )?\[?v?\d+\.\d+\.\d+[\w.+-]*\]?(?:\(\S*\))?` +
		`(?: ?[-–(] ?[\d/. -]+\)?)?\s*$`)
	// ofChanges matches what is below it: further headings, what changed, the link to all.
	ofChanges = regexp.MustCompile(`^\s*$|^#{1,6} |^\*\*Full Changelog|^\s{0,4}[-*+] |^\s+\S`)
	// changed matches what only a list of changes has: the heading of a kind of them, and an item that names its change.
	changed = regexp.MustCompile(`(?mi)^#{1,6} \W*(?:(?:bug ?)?fix(?:e[sd])?|features?|added|changed|what's changed|deprecated|` +
		`removed|improvements?|enhancements?|miscellaneous|chores?|dependencies)\b|^\s*[-*+] .*\(\[?#\d+\]?\S*\)`)
)

// WithoutChanges returns a text without the lists of changes of releases in it, as someone quotes them beside what
// happened. A text with nothing else stays.
func WithoutChanges(text string) string {
	var out, list strings.Builder
	end := func() {
		if notes := list.String(); !changed.MatchString(notes) && strings.TrimSpace(out.String()) != "" {
			out.WriteString(notes)
		}
		list.Reset()
	}
	for line := range strings.Lines(text) {
		switch {
		case release.MatchString(line), list.Len() > 0 && ofChanges.MatchString(line):
			list.WriteString(line)
			continue
		case list.Len() > 0:
			end()
		}
		out.WriteString(line)
	}
	if end(); strings.TrimSpace(out.String()) == "" {
		return text
	}
	return out.String()
}
