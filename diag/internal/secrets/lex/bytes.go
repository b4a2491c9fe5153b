package lex

import "strings"

// Small maps bytes to lower case in ASCII.
var Small = func() (out [256]byte) {
	for c := range out {
		if out[c] = byte(c); c >= 'A' && c <= 'Z' {
			out[c] += 'a' - 'A'
		}
	}
	return out
}()

// Wordly marks the bytes of names.
var Wordly = func() (t [256]bool) {
	for b := range t {
		t[b] = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-'
	}
	return t
}()

// At returns the byte at a place, 0 outside of the text.
func At(s string, i int) byte {
	if i >= 0 && i < len(s) {
		return s[i]
	}
	return 0
}

// Letter reports whether a byte is an ASCII letter.
func Letter(c byte) bool { return Small[c] >= 'a' && Small[c] <= 'z' }

// Lower returns the text with ASCII capitals in lower case.
func Lower(s string) string {
	for i := range len(s) {
		if Small[s[i]] != s[i] {
			b := []byte(s)
			for i := range b {
				b[i] = Small[b[i]]
			}
			return string(b)
		}
	}
	return s
}

// StartsWith reports whether a text begins with a hint, ignoring case.
func StartsWith(s, hint string) bool {
	if len(s) < len(hint) {
		return false
	}
	for i := range len(hint) {
		if Small[s[i]] != hint[i] {
			return false
		}
	}
	return true
}

// EndsWith reports whether a text ends with one of the words, ignoring case.
func EndsWith(s string, words ...string) bool {
	for _, w := range words {
		if len(s) >= len(w) && StartsWith(s[len(s)-len(w):], w) {
			return true
		}
	}
	return false
}

// WordSet returns the set of blank-separated words.
func WordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
