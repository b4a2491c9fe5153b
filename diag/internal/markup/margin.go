package markup

import (
	"regexp"
	"strconv"
	"strings"
)

// deepest is how many margins are removed: a quotation of quotations, with numbers.
const deepest = 8

// withoutMargin removes what stands before every line of a text: a mail's marks of quoted lines, numbers, blanks.
func withoutMargin(text string) string {
	lines := strings.Split(text, "\n")
	for range deepest {
		if !quoted(lines) && !(numbered(lines) && Unnumber(lines)) && !indented(lines) {
			break
		}
	}
	return strings.Join(lines, "\n")
}

// every reports whether a condition holds for all lines with a text, which are at least a few.
func every(lines []string, least int, holds func(line string) bool) bool {
	n := 0
	for _, l := range lines {
		switch {
		case strings.TrimSpace(l) == "":
		case !holds(l):
			return false
		default:
			n++
		}
	}
	return n >= least
}

// quoted removes one mark of a mail program.
func quoted(lines []string) bool {
	if !every(lines, 2, func(l string) bool { return l[0] == '>' }) {
		return false
	}
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(l, ">"), " ")
	}
	return true
}

func numbered(lines []string) bool { return every(lines, leastNumbered, number.MatchString) }

// indented removes the blanks of all lines.
func indented(lines []string) bool {
	least := -1
	every(lines, 0, func(l string) bool {
		if n := len(l) - len(strings.TrimLeft(l, " \t")); least < 0 || n < least {
			least = n
		}
		return true
	})
	for i, l := range lines {
		lines[i] = l[min(max(least, 0), len(l)):]
	}
	return least > 0
}

var number = regexp.MustCompile(`^\s*(\d{1,6})(?:\t|[:|]? |[:|]?$)`)

// leastNumbered is the minimum number of numbered lines, so that the numbers are not their own.
const leastNumbered = 3

// Unnumber removes the numbers from runs of consecutively numbered lines, as cat -n and editors add them.
func Unnumber(lines []string) bool {
	changed := false
	for i := 0; i < len(lines); {
		j, blanks := i, -1
		for first := 0; j < len(lines); j++ {
			m := number.FindStringSubmatch(lines[j])
			if m == nil || j > i && m[1] != strconv.Itoa(first+j-i) {
				break
			}
			if j == i {
				first, _ = strconv.Atoi(m[1])
			}
			rest := lines[j][len(m[0]):]
			if text := strings.TrimLeft(rest, " "); text != "" && (blanks < 0 || len(rest)-len(text) < blanks) {
				blanks = len(rest) - len(text)
			}
		}
		if j-i >= leastNumbered {
			for k := i; k < j; k++ {
				rest := lines[k][len(number.FindString(lines[k])):]
				lines[k] = rest[min(max(blanks, 0), len(rest)):]
			}
			changed = true
		}
		i = max(j, i+1)
	}
	return changed
}
