// Package cut holds a text together with the secrets that were found in it, and replaces them with marks.
//
// It knows neither secrets nor notations. It imports package lex and the standard library, and does no I/O.
package cut

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
)

// Text is a text to read and to cut secrets out of.
type Text struct {
	lex.Text
	spans []span // secrets
}

type span struct{ from, to int }

// Finder looks for secrets near certain words, in lower case. Find gets the place of such a word, cuts out what it
// finds, and returns where the search continues. If it cuts nothing it does not move, as the next word may begin within
// this one: "rootPassword" contains "otp". It reads only what it cuts and a limited number of bytes around, so that the
// search stays linear. T is what it knows of the text.
type Finder[T any] struct {
	Find  func(t T, at, end int) int
	Words []string
}

// placeholder matches what stands for a secret in the usage of a program.
var placeholder = regexp.MustCompile(`^<[A-Za-z][A-Za-z _-]{1,32}>(?:[^\w<]|$)`)

// Cut removes a part of the text and returns its end.
func (t *Text) Cut(from, to int) int {
	if from < to && !(t.S[from] == '<' && placeholder.MatchString(t.S[from:min(len(t.S), from+lex.Longest)])) {
		t.spans = append(t.spans, span{from, to})
	}
	return to
}

// Cuts returns how many parts were removed.
func (t *Text) Cuts() int { return len(t.spans) }

// Marked returns the text with a mark for each secret, with lines one for each of its lines.
func (t *Text) Marked(lines bool) string {
	if len(t.spans) == 0 {
		return t.S
	}
	slices.SortFunc(t.spans, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	b.Grow(len(t.S) + len(lex.Mark))
	last := 0
	for i := 0; i < len(t.spans); {
		from, to := t.spans[i].from, t.spans[i].to
		for i++; i < len(t.spans) && t.spans[i].from <= to; i++ {
			to = max(to, t.spans[i].to)
		}
		b.WriteString(t.S[last:from])
		b.WriteString(lex.Mark)
		if lines {
			b.WriteString(strings.Repeat("\n"+lex.Mark, strings.Count(t.S[from:to], "\n")))
		}
		last = to
	}
	b.WriteString(t.S[last:])
	return b.String()
}
