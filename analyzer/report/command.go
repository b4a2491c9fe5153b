package report

import "strings"

// Quote makes a word safe to paste into a shell: it stays one word, and nothing in it is
// carried out. Every name in a command that is suggested goes through here.
func Quote(word string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/:@%+=,"
	if word != "" && word[0] != '=' && strings.Trim(word, safe) == "" { // zsh expands =word
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
