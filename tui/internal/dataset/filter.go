package dataset

import (
	"slices"
	"strings"
)

// terms are the words of a filter: it keeps the items that contain every word, ignoring case; a word after `!` must not
// occur. A lone `!` is ignored.
type terms struct{ with, without []string }

// parseTerms parses what was typed.
func parseTerms(s string) terms {
	var f terms
	for _, w := range strings.Fields(strings.ToLower(s)) {
		if rest, negated := strings.CutPrefix(w, "!"); !negated {
			f.with = append(f.with, w)
		} else if rest != "" {
			f.without = append(f.without, rest)
		}
	}
	return f
}

func (f terms) empty() bool { return len(f.with)+len(f.without) == 0 }

// pass reports whether each word is in one of the texts, and no unwanted word is in any.
func (f terms) pass(texts ...string) bool {
	found := func(word string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, word) })
	}
	lacking := func(word string) bool { return !found(word) }
	return !slices.ContainsFunc(f.with, lacking) && !slices.ContainsFunc(f.without, found)
}
