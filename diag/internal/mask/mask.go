// Package mask knows what tools and people write in the place of a value before others see it. It imports the standard
// library only; what a mask means for evidence is its caller's.
package mask

import (
	"slices"
	"strings"
)

// words are what sos clean and must-gather-clean write. sos writes ********.
var words = []string{"redacted", "obfuscated", "masked", "<hidden>", "<omitted>"}

// Is reports whether a value is a mask, or has one.
func Is(value string) bool {
	if len(value) >= 3 && strings.Trim(value, "*") == "" {
		return true
	}
	value = strings.ToLower(value)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(value, word) })
}

// ID is Is for the id of an object or a container, which has no brackets: "<uid>", "xxxxxxxx-xxxx".
func ID(id string) bool {
	if strings.Trim(id, "0123456789abcdef-") == "" {
		return false // most are none
	}
	return strings.ContainsAny(id, "<>[]{}*") || id != "" && strings.Trim(id, "xX-") == "" || Is(id)
}

// In reports whether a part of a path is such an id.
func In(path string) bool {
	return strings.ContainsAny(path, "<>*") || strings.Contains(path, "xxxx") || Is(path)
}
