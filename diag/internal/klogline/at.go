package klogline

import "strings"

// MaxPrefix is how far into a line At looks, in bytes.
const MaxPrefix = 512

// At returns where a header begins in a line with a prefix, -1 if it has none.
func At(s string) int {
	const digits = 4
	head := s[:min(len(s), MaxPrefix)]
	for from := 0; from+digits < len(head); {
		at := strings.IndexAny(head[from:], "IWEF")
		if at < 0 {
			return -1
		}
		at += from
		from = at + 1
		if at > 0 && (isWord(s[at-1])) || at+1 >= len(s) || s[at+1] < '0' || s[at+1] > '1' {
			continue
		}
		if _, _, ok := ParseHeader(s[at:]); ok {
			return at
		}
	}
	return -1
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
