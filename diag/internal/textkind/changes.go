package textkind

import (
	"regexp"
	"strings"
)

var (
	// release matches the heading of a version in a list of changes, and at most its date.
	release = regexp.MustCompile(`^#{1,6} (?:(?i:release|version) )?\[?v?\d{1,3}\.\d+\.\d+(?:[-+][\w.+-]+)?\]?(?:\(\S*\))?` +
		`(?: ?[-–(] ?[\d/. -]+\)?)?\s*$`)
	// ofKind matches the heading of a kind of changes: of its items each is one.
	ofKind = regexp.MustCompile(`(?i)^#{1,6} \W*(?:(?:bug ?)?fix(?:e[sd])?|features?|added|changes|changed|what's changed|` +
		`deprecated|removed|improvements?|enhancements?|miscellaneous|chores?|dependencies|documentation)\W*$`)
	// item matches one of a list, change one that says itself that it is a change.
	item   = regexp.MustCompile(`^\s{0,4}[-*+] `)
	change = regexp.MustCompile(`^\s{0,4}[-*+] (?:\*\*[\w ./-]+:?\*\* ?)?(?i:(?:feat|fix|chore|docs|refactor|perf|test|ci|build|` +
		`style|revert)(?:\([^)]*\))?!?: |(?:add|allow|bump|fix|implement|improve|prevent|remove|rename|revert|support|update|` +
		`upgrade)(?:e?d|s)?\b.*\(\[?#\d+)`)
)

// WithoutChanges returns a text without the lists of changes of releases in it, as someone quotes them beside what
// happened. A text with nothing else stays.
func WithoutChanges(text string) string {
	if !strings.Contains(text, "# ") {
		return text
	}
	var out strings.Builder
	head, within, listed := "", false, false // the heading of a release, and whether one of a kind of changes is below
	for line := range strings.Lines(text) {
		switch {
		case release.MatchString(line):
			out.WriteString(head) // there are no changes below it
			head, within, listed = line, true, false
			continue
		case !within:
		case ofKind.MatchString(line):
			listed = true
			continue
		case listed && item.MatchString(line), change.MatchString(line):
			head = ""
			continue
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, "**Full Changelog"):
			continue
		}
		out.WriteString(head + line)
		head, within = "", false
	}
	out.WriteString(head)
	if strings.TrimSpace(out.String()) == "" {
		return text
	}
	return out.String()
}
