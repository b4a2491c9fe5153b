package report

import "strings"

// LastOutput is the command for a container's last output. POD, NAMESPACE and CONTAINER are placeholders in it and in
// all texts of Decide: what shows an item writes the item's names in their place.
const LastOutput = "kubectl logs POD -n NAMESPACE -c CONTAINER --previous"

// Quote makes a word safe to paste into a shell: it stays one word, and the shell executes nothing in it. Every name in
// a suggested command goes through Quote.
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

// QuoteName quotes the name of an object of a kind ("pod", "node"). A name that kubectl could take for a flag gets its
// kind in front.
func QuoteName(kind, name string) string {
	if strings.HasPrefix(name, "-") {
		return kind + "/" + Quote(name)
	}
	return Quote(name)
}
