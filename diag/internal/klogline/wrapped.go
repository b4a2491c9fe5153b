package klogline

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// This file puts lines together again that a terminal, a mail program or a page broke where their room ended.

const (
	// mostPieces is how many pieces a line was broken into at most.
	mostPieces = 12
	// leastRoom is the narrowest that lines are broken at.
	leastRoom = 60
)

var (
	// begun is the beginning of a line of klog or logfmt, whatever stands before it.
	begun = regexp.MustCompile(`[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ \S+:\d+\] |\btime="?\d{4}-\d\d-\d\d[T ]`)
	// other is the beginning of a line of another log, of a fence or of a prompt.
	other = regexp.MustCompile("^\\s*(?:```|[$#] |\\{|<\\d|\\[ *\\d+\\.\\d|\\[?\\d{4}-\\d\\d-\\d\\d|ts=|level=|" +
		`[A-Z][a-z]{2} (?:[A-Z][a-z]{2} )?[ \d]\d )`)
	// valued is a structured value at the beginning of a line.
	valued = regexp.MustCompile(`^\s*[a-zA-Z]\w*=["\[{<\w]`)
)

// Unwrap puts lines together that were broken, and tells whether there were any. The pieces behind the first are left
// empty. A line goes on in the next one where a quotation is open, where that begins with a value, and where lines are
// broken at one width.
func Unwrap(lines []string) bool {
	follows := func(l string) bool { // the line before, as far as its beginning tells
		return strings.TrimSpace(l) != "" && !begun.MatchString(l) && !other.MatchString(l)
	}
	broken := map[int]int{} // how many lines of this length go on in another one
	for i := range len(lines) - 1 {
		if n := utf8.RuneCountInString(lines[i]); n >= leastRoom && follows(lines[i+1]) {
			broken[n]++
		}
	}
	filled := func(first, last, next string) bool { // a line that took all the room there was
		n := utf8.RuneCountInString(first)
		return n >= leastRoom && n == utf8.RuneCountInString(last) &&
			(n == utf8.RuneCountInString(next) || last != first || broken[n] > 1)
	}
	changed := false
	for i := range lines {
		head := begun.FindStringIndex(lines[i])
		if head == nil || lines[i][0] <= ' ' {
			continue
		}
		whole, end := lines[i], i+1
		for ; end < len(lines) && end-i < mostPieces; end++ {
			next := lines[end]
			if !follows(next) || strings.HasSuffix(whole, "=<") { // klog itself goes on in the next line
				break
			}
			message := whole[head[1]:]
			switch {
			case filled(lines[i], lines[end-1], next):
				whole += next
				continue
			case quoteOpen(message), strings.HasPrefix(message, `"`) && valued.MatchString(next):
				whole = strings.TrimRight(whole, " \r") + " " + strings.TrimSpace(next)
				continue
			}
			break
		}
		if end == i+1 || quoteOpen(whole[head[1]:]) {
			continue
		}
		lines[i], changed = whole, true
		clear(lines[i+1 : end])
	}
	return changed
}

// quoteOpen tells a message that ends within a quotation.
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

// Whole is a text with its broken lines put together.
func Whole(text string) string {
	lines := strings.Split(text, "\n")
	if !Unwrap(lines) {
		return text
	}
	return strings.Join(lines, "\n")
}
