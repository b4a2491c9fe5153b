// Package mask knows what tools and people write in place of a value before others see it. It imports only the standard
// library; what a mask means for evidence is up to the caller.
package mask

import (
	"slices"
	"strings"
)

// words are what sos clean and must-gather-clean write. sos writes ********.
var words = []string{"redacted", "obfuscated", "masked", "<hidden>", "<omitted>"}

// Is reports whether a value is or contains a mask.
func Is(value string) bool {
	if len(value) >= 3 && strings.Trim(value, "*") == "" {
		return true
	}
	value = strings.ToLower(value)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(value, word) })
}

// ID is like Is for the id of an object or a container, which has no brackets: "<uid>", "xxxxxxxx-xxxx".
func ID(id string) bool {
	if strings.Trim(id, "0123456789abcdef-") == "" {
		return false // most are not masked
	}
	return strings.ContainsAny(id, "<>[]{}*") || id != "" && strings.Trim(id, "xX-") == "" || Is(id)
}

// In reports whether a path contains a masked id.
func In(path string) bool {
	return strings.ContainsAny(path, "<>*") || strings.Contains(path, "xxxx") || Is(path)
}
