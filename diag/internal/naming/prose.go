package naming

import (
	"regexp"
	"strings"
)

// leastWords is the minimum number of words of a sentence.
const leastWords = 5

// Stamped matches the beginning of a logger's line: a date and a time, maybe with a prefix.
var Stamped = regexp.MustCompile(`^.{0,48}?\d[T ]\d\d:\d\d:\d\d`)

// foreign matches a word in a script that no program of Kubernetes prints.
var foreign = regexp.MustCompile(`\p{Han}{2}|\p{Hiragana}{2}|\p{Katakana}{2}|\p{Hangul}{2}|\p{Cyrillic}{4}`)

// arrows are those that people write between a value and the next one.
var arrows = strings.NewReplacer(" -> ", " ", " => ", " ")

// Prose reports whether a line is a person's sentence rather than a program's output.
func Prose(line string) bool {
	words, plain := strings.Fields(line), 0
	if foreign.MatchString(line) && !strings.ContainsAny(line, "{}<>\t|") {
		return !Stamped.MatchString(line)
	}
	if len(words) < leastWords || strings.ContainsAny(arrows.Replace(line), "{}<>\t|") || Stamped.MatchString(line) {
		return false
	}
	for _, w := range words {
		if strings.Trim(strings.ToLower(w), "abcdefghijklmnopqrstuvwxyz'`\",.;:!?()-*_/") == "" {
			plain++
		}
	}
	return 3*plain >= 2*len(words)
}
