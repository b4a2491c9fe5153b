package klogline

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// This file joins lines that a terminal, a mail program or a page broke at its width.

const (
	// mostPieces is the maximum number of pieces of one line: a line that dumps a container has thousands of
	// characters.
	mostPieces = 60
	// leastRoom is the smallest width at which lines are broken.
	leastRoom = 60
)

var (
	// begun is the beginning of a line of klog, logfmt or syslog, whatever precedes it, as far as the first piece has
	// it: the rest of the header may be in the next piece.
	begun = regexp.MustCompile(`[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} |\btime="?\d{4}-\d\d-\d\d[T ]|` +
		`^(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT\S+) \S+ [\w.@-]+\[\d+\]:(?: |$)`)
	// heads is everything before a message.
	heads = regexp.MustCompile(`[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ \S+:\d+\] |\btime="?\d{4}-\d\d-\d\d[T ]`)
	// other is the beginning of a line of another log or of a fence, or a whole record; looks is what may be one, or
	// may be a value that begins right after a line break.
	other = regexp.MustCompile("^\\s*(?:```|\\{\".*\\}\\s*$|\\[?\\d{4}-\\d\\d-\\d\\d[T ]|\\[ *\\d+\\.\\d{6}\\]|" +
		`[A-Z][a-z]{2} (?:[A-Z][a-z]{2} )?[ \d]\d )`)
	looks = regexp.MustCompile(`^\s*(?:[$#] |\{|<\d|\[ *\d+\.\d|\[?\d{4}-\d\d-\d\d|ts=|level=)`)
	// deep is the beginning of a further line of one entry, as journalctl prints it; ofHead is a piece of a header,
	// which begins in the same way, before the process number.
	deep   = regexp.MustCompile(`^(?:\t|\s{2})`)
	ofHead = regexp.MustCompile(`^ +\d+ \S+:\d+\]`)
	// valued is a structured value at the beginning of a line.
	valued = regexp.MustCompile(`^\s*[a-zA-Z]\w*=["\[{<\w]`)
)

// Unwrap joins lines that were broken. A line continues in the next one if lines are broken at one width, if a
// quotation is open that is closed later, or if the next line begins with a value.
func Unwrap(lines []string) []string {
	starts := make([]bool, len(lines))
	for i, l := range lines {
		starts[i] = strings.TrimSpace(l) == "" || begun.MatchString(l) || other.MatchString(l)
	}
	broken := map[int]int{} // how many lines of this length continue in the next one
	for i := range len(lines) - 1 {
		if n := utf8.RuneCountInString(lines[i]); n >= leastRoom && !starts[i+1] {
			broken[n]++
		}
	}
	filled := func(first, last, next string) bool { // a line that used the whole width
		n := utf8.RuneCountInString(first)
		return n >= leastRoom && n == utf8.RuneCountInString(last) &&
			(n == utf8.RuneCountInString(next) || last != first || broken[n] > 1)
	}
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); {
		whole, end := lines[i], i+1
		if !starts[i] || !begun.MatchString(whole) || whole[0] == '{' {
			out, i = append(out, whole), end
			continue
		}
		sure, at := whole, end
		for ; end < len(lines) && end-i < mostPieces && !starts[end]; end++ {
			next := lines[end]
			if strings.HasSuffix(whole, "=<") { // klog itself continues in the next line
				break
			}
			if filled(lines[i], lines[end-1], next) && (!deep.MatchString(next) || ofHead.MatchString(next)) {
				whole += next
				sure, at = whole, end+1
				continue
			}
			head := heads.FindStringIndex(whole)
			if head == nil || whole[0] <= ' ' || looks.MatchString(next) {
				break
			}
			message := whole[head[1]:]
			if !quoteOpen(message) && !(strings.HasPrefix(message, `"`) && valued.MatchString(next)) {
				break
			}
			whole = strings.TrimRight(whole, " \r") + " " + strings.TrimSpace(next)
			if !quoteOpen(whole[head[1]:]) {
				sure, at = whole, end+1
			}
		}
		out, i = append(out, sure), at
	}
	return out
}

// quoteOpen reports whether a message ends within a quotation.
func quoteOpen(message string) bool {
	open := false
	for i := 0; i < len(message); i++ {
		switch message[i] {
		case '\\':
			i++
		case '"':
			open = !open
		}
	}
	return open
}

// Whole returns a text with its broken lines joined.
func Whole(text string) string { return strings.Join(Unwrap(strings.Split(text, "\n")), "\n") }
