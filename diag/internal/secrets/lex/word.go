package lex

import "strings"

// Word returns the next word of a command without the quotes, commas and brackets around it, and where to look for the
// next one. There is none at the end of the line, or of the quotes around the command.
func (t *Text) Word(i, limit int) (from, to, next int) {
	for i < limit && (strings.IndexByte(" \t,[(", t.S[i]) >= 0 || t.S[i] == '\n' && t.S[i-1] == '\\' ||
		strings.HasPrefix(t.S[i:], "\\\n")) && !strings.HasPrefix(t.S[i:], Mark) {
		i++ // a line continues after a backslash
	}
	if i >= limit || t.S[i] == '\n' || t.S[i] == ']' {
		return i, i, min(limit, i+1)
	}
	if end, opener, ok := t.Within(i, limit); ok && opener[len(opener)-1] != '`' && len(opener) <= 8 {
		from, to = i+len(opener), end
		if strings.HasSuffix(t.S[from:to], opener) {
			to -= len(opener)
		}
		if more := t.Glued(end, opener); more > end {
			return from, more, more
		}
		return from, to, end
	} else if quote := i + t.Slashes(i); t.Quote(quote) != 0 {
		if !t.GoesOn(quote + 1) { // of the surrounding text
			return i, i, i + 1
		}
		i = quote + 1 // cut off
	}
	for from, to = i, i; to < limit; to++ {
		switch c := t.S[to]; c {
		case '[':
			if strings.HasPrefix(t.S[to:], Mark) {
				to += len(Mark) - 1
			}
		case '$': // a shell's command substitution
			if At(t.S, to+1) == '(' {
				to = t.Closed(to+1, CommandLength) - 1
			}
		case ' ', '\t', '\n', '\r', ']', '|', ';':
			return from, max(to, from+1), max(to, from+1)
		case '"', '\'', '\\':
			quote := to + t.Slashes(to)
			if t.Quote(quote) == 0 {
				to = max(to, quote-1)
				continue
			}
			if !t.GoesOn(quote + 1) {
				return from, to, quote + 1
			}
			if end, _, ok := t.Within(to, limit); ok {
				to = end - 1
			}
		}
	}
	return from, to, to
}

// Closed returns the place after the bracket that closes the one at i, or where the text continues without one.
func (t *Text) Closed(i, limit int) int {
	depth, shuts := 0, map[byte]byte{'(': ')', '{': '}'}[t.S[i]]
	limit = min(len(t.S), i+limit)
	for j := i; j < limit; j++ {
		switch c := t.S[j]; c {
		case '\'', '"':
			if end, _, ok := t.Within(j, limit); ok && strings.IndexByte("({,: \t=", t.S[j-1]) >= 0 {
				j = end - 1
			}
		case t.S[i]:
			depth++
		case shuts:
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return limit
}

// Quote returns the quote at a place, 0 for none.
func (t *Text) Quote(i int) byte {
	if c := At(t.S, i); c == '"' || c == '\'' {
		return c
	}
	return 0
}
