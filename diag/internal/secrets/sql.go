package secrets

import (
	"regexp"
	"strings"
)

// This file finds what databases print of statements: passwords, and rows, which are the application's data.

var by = regexp.MustCompile(`(?i)^\s+(?:with\s+\S{1,64}\s+)?(?:by|as)\s+(?:password\s+)?`)

// identified cuts out a password of SQL.
func identified(p *pass, _, end int) int {
	m := by.FindStringIndex(p.s[end:min(len(p.s), end+128)])
	if m == nil {
		return end
	}
	if to, _, ok := p.quoted(end + m[1]); ok {
		return p.cut(end+m[1], to)
	}
	return end
}

// puts takes note of a statement that puts rows into a table.
func puts(p *pass, from, end int) int {
	if (from == 0 || !wordly[p.s[from-1]]) && strings.IndexByte(" \t\n\r\\", at(p.s, end)) >= 0 {
		p.puts = end
	}
	return end
}

// stated tells that VALUES at a place are of such a statement, or begin a line of one, and not a word of a sentence.
func (p *pass) stated(hint int) bool {
	if p.puts > 0 && hint-p.puts > 1 && hint-p.puts <= commandLength && strings.IndexByte(p.s[p.puts:hint], ';') < 0 {
		return true
	}
	return p.s[hint] == 'V' && p.s[hint+1] == 'A'
}

// data tells what rows have and sentences do not, (1, 'app'): a text in quotes, or a number in front. Of a row that was
// cut off nothing else may be left.
func (p *pass) data(i int) bool {
	first := p.blanks(i+1, true)
	if c := at(p.s, first); c == 0 || c >= '0' && c <= '9' || strings.IndexByte("($:?", c) >= 0 ||
		startsWith(p.s[first:], "null") || startsWith(p.s[first:], "default") {
		return true
	}
	depth := 0
	for _, c := range []byte(p.s[i:min(len(p.s), i+128)]) {
		switch c {
		case '\'', '"':
			return true
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return false
			}
		}
	}
	return false
}

// rows cuts out those that a statement puts into a table, or that it failed at: (1, 'app', 'x'), (2, 'web', 'y').
func rows(p *pass, hint, end int) int {
	values := small[p.s[hint]] == 'v'
	if values && !p.stated(hint) {
		return end
	}
	i := p.blanks(end, true)
	if i >= len(p.s) {
		p.open = "VALUES"
		return end
	}
	if p.s[i] != '(' || values && !p.data(i) {
		return end
	}
	from, to := i, i
	for {
		if to = p.closed(i, near); to == len(p.s) {
			p.open = "VALUES ("
			break
		}
		if i = p.blanks(to, true); i >= len(p.s) || p.s[i] != ',' {
			break
		}
		if i = p.blanks(i+1, true); i >= len(p.s) {
			p.open = "VALUES"
		}
		if at(p.s, i) != '(' {
			break
		}
	}
	return p.cut(from, to)
}

// closed is behind the bracket that closes the one there, or where the text goes on without one.
func (p *pass) closed(i, limit int) int {
	depth, shuts := 0, map[byte]byte{'(': ')', '{': '}'}[p.s[i]]
	limit = min(len(p.s), i+limit)
	for j := i; j < limit; j++ {
		switch c := p.s[j]; c {
		case '\'', '"':
			if end, _, ok := p.quotedWithin(j, limit); ok && strings.IndexByte("({,: \t=", p.s[j-1]) >= 0 {
				j = end - 1
			}
		case p.s[i]:
			depth++
		case shuts:
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return limit
}

// webKey cuts out a key as JOSE writes it in JSON, with all of its members, whose names are single letters.
func webKey(p *pass, from, end int) int {
	low := max(0, from-near/2)
	open := strings.LastIndexByte(p.s[low:from], '{')
	if open < 0 || p.quoteAt(from-1) == 0 {
		return end
	}
	return p.cut(low+open, p.closed(low+open, 2*near))
}
