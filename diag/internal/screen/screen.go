// Package screen reads what terminal programs (k9s) draw: frames, titles and marks around text that kubectl prints
// without them.
//
// It knows how they look; the content is up to its reader. It may import the standard library. It does no I/O.
package screen

import (
	"regexp"
	"strings"
	"unicode"
)

// Unframe removes frames and marks from the lines of a text, in place.
func Unframe(lines []string) {
	unbox(lines)
	unmark(lines)
}

// Text returns a text without such frames and marks.
func Text(text string) string {
	if !strings.ContainsAny(text, "│↑↓") {
		return text
	}
	lines := strings.Split(text, "\n")
	Unframe(lines)
	return strings.Join(lines, "\n")
}

// leastBoxed is the minimum number of lines of a screen in a box; fewer may be a drawing.
const leastBoxed = 4

// title matches the title of a k9s screen: what it shows, and of which object.
var title = regexp.MustCompile(`\b(Describe|YAML|Logs)\(([a-z0-9.-]+)/([a-z0-9.-]+)(?::([a-z0-9-]+))?\)`)

// listing matches the title of k9s's list of pods, of one namespace or of all.
var listing = regexp.MustCompile(`(?i)\bpods\(([a-z0-9-]+)\)\[\d`)

// shows maps a screen's title to the command that prints the same.
var shows = map[string]string{"Describe": "describe pod", "YAML": "get -o yaml pod", "Logs": "logs"}

// unbox removes the frame that a terminal program (k9s) drew, and replaces its title with the command that prints the
// same.
func unbox(lines []string) {
	boxed := 0
	for _, l := range lines {
		if l = strings.TrimSpace(l); listing.MatchString(l) {
			boxed += leastBoxed // nothing else has such a title
		}
		if strings.HasPrefix(l, "│") && strings.HasSuffix(l, "│") && len(l) > len("││") {
			boxed++
		}
	}
	if boxed < leastBoxed {
		return
	}
	full, row, indent, gap := false, 0, 0, "" // the line before fills the width; its row, and its indent
	for i, l := range lines {
		l = strings.TrimSpace(l)
		if m := listing.FindStringSubmatch(l); m != nil && !strings.HasPrefix(l, "│") {
			if lines[i] = "$ kubectl get pods -n " + m[1]; m[1] == "all" {
				lines[i] = "$ kubectl get pods -A"
			}
			continue
		}
		if m := title.FindStringSubmatch(l); m != nil {
			lines[i] = "$ kubectl " + shows[m[1]] + " " + m[3] + " -n " + m[2]
			continue
		}
		if strings.HasPrefix(l, "│") {
			inner := strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(l, "│"), "│"), " ")
			blanks := len(inner) - len(strings.TrimLeft(inner, " "))
			cut := full && blanks < indent
			lines[i] = strings.TrimRight(inner, " ")
			if cut { // what did not fit is in the next line
				lines[row], lines[i] = lines[row]+gap+lines[i], ""
			} else {
				row, indent = i, blanks
			}
			gap = ""
			room := len(inner) - len(strings.TrimRight(inner, " "))
			if full = room < 3; room == 2 { // it was broken at a blank
				gap = " "
			}
		} else if strings.HasPrefix(l, "└") || strings.HasPrefix(l, "┌") || strings.HasPrefix(l, "╰") {
			lines[i] = ""
		}
	}
}

// ordered matches the header of such a list: an arrow marks the column that it is sorted by.
var ordered = regexp.MustCompile(`\bNAME\b.*\bREADY\b.*\bSTATUS\b`)

// unmark removes the marks from such lists: their columns are aligned by characters, not by bytes.
func unmark(lines []string) {
	list := false
	for i, l := range lines {
		switch {
		case strings.ContainsAny(l, "↑↓") && ordered.MatchString(l):
			list = true
		case strings.TrimSpace(l) == "":
			list = false
		}
		if list {
			lines[i] = strings.Map(func(r rune) rune {
				switch {
				case r == '↑' || r == '↓':
					return ' '
				case r > unicode.MaxASCII:
					return '*'
				}
				return r
			}, l)
		}
	}
}
