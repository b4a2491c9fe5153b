package report

import "strings"

// Quote makes a word safe to paste into a shell: it stays one word, and nothing in it is
// carried out. Every name in a command that is suggested goes through here.
func Quote(word string) string {
	safe := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._/:@%+=,", c) >= 0
	}
	n := 0
	for n < len(word) && safe(word[n]) {
		n++
	}
	if word != "" && word[0] != '=' && n == len(word) { // zsh expands =word
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// QuoteName is Quote for the name of an object of a kind ("pod", "node") that stands where
// kubectl may take it for a flag.
func QuoteName(kind, name string) string {
	if strings.HasPrefix(name, "-") {
		return kind + "/" + Quote(name)
	}
	return Quote(name)
}
