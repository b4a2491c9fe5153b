// Package screen reads what programs for terminals draw (k9s): frames, titles and marks around the text that kubectl
// prints as it is.
//
// It holds how they look; what stands in them is its reader's work. It may import the standard library. It does no I/O.
package screen

import (
	"regexp"
	"strings"
	"unicode"
)

// Unframe takes frames and marks off the lines of a text, in place, and reports whether there were any.
func Unframe(lines []string) bool {
	boxed := unbox(lines)
	return unmark(lines) || boxed
}

// Text is a text without such frames and marks.
func Text(text string) string {
	if !strings.ContainsAny(text, "│↑↓") {
		return text
	}
	lines := strings.Split(text, "\n")
	Unframe(lines)
	return strings.Join(lines, "\n")
}

// leastBoxed is how many lines a screen in a box has at least, so that it is no drawing.
const leastBoxed = 4

// title is that of a screen of k9s: what it shows, and of what.
var title = regexp.MustCompile(`\b(Describe|YAML|Logs)\(([a-z0-9.-]+)/([a-z0-9.-]+)(?::([a-z0-9-]+))?\)`)

// listing is the title of its list of pods, of a namespace or of all.
var listing = regexp.MustCompile(`(?i)\bpods\(([a-z0-9-]+)\)\[\d`)

// shows is the command that prints what such a screen shows.
var shows = map[string]string{"Describe": "describe pod", "YAML": "get -o yaml pod", "Logs": "logs"}

// unbox takes the frame off what a program for terminals (k9s) drew, and makes its title the command that prints the
// same.
func unbox(lines []string) bool {
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
		return false
	}
	full, row, indent, gap := false, 0, 0, "" // the line before takes all the room; its row, and where that begins
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
			if cut { // what did not fit stands in the next line
				lines[row], lines[i] = lines[row]+gap+lines[i], ""
			} else {
				row, indent = i, blanks
			}
			gap = ""
			room := len(inner) - len(strings.TrimRight(inner, " "))
			if full = room < 3; room == 2 { // it was cut at a blank
				gap = " "
			}
		} else if strings.HasPrefix(l, "└") || strings.HasPrefix(l, "┌") || strings.HasPrefix(l, "╰") {
			lines[i] = ""
		}
	}
	return true
}

// ordered is the head of such a list: an arrow stands at the column that orders it.
var ordered = regexp.MustCompile(`\bNAME\b.*\bREADY\b.*\bSTATUS\b`)

// unmark takes the marks off such lists: their columns stand below each other by characters, not by bytes.
func unmark(lines []string) bool {
	changed, list := false, false
	for i, l := range lines {
		switch {
		case strings.ContainsAny(l, "↑↓") && ordered.MatchString(l):
			list, changed = true, true
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
	return changed
}
