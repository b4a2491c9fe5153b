package naming

import (
	"regexp"
	"strings"
)

// leastWords is how many words a sentence has at least.
const leastWords = 5

// Stamped are the beginnings of a logger's lines: a date and a time, behind whatever stands before it.
var Stamped = regexp.MustCompile(`^.{0,48}?\d[T ]\d\d:\d\d:\d\d`)

// foreign is a word in a script that no program of Kubernetes prints.
var foreign = regexp.MustCompile(`\p{Han}{2}|\p{Hiragana}{2}|\p{Katakana}{2}|\p{Hangul}{2}|\p{Cyrillic}{4}`)

// Prose tells a sentence of a person from a line that a program printed.
func Prose(line string) bool {
	words, plain := strings.Fields(line), 0
	if foreign.MatchString(line) && !strings.ContainsAny(line, "{}<>\t|") {
		return !Stamped.MatchString(line)
	}
	if len(words) < leastWords || strings.ContainsAny(line, "{}<>\t|") || Stamped.MatchString(line) {
		return false
	}
	for _, w := range words {
		if strings.Trim(strings.ToLower(w), "abcdefghijklmnopqrstuvwxyz'`\",.;:!?()-*_/") == "" {
			plain++
		}
	}
	return 3*plain >= 2*len(words)
}
