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

var into = regexp.MustCompile(`(?i)\b(?:into|replace)\s[^;]{1,512}$`)

// rows cuts out those that a statement puts into a table, or that it failed at: (1, 'app', 'x'), (2, 'web', 'y').
func rows(p *pass, hint, end int) int {
	if small[p.s[hint]] == 'v' && p.s[hint:end] != "VALUES" && !into.MatchString(p.s[max(0, hint-commandLength):hint]) {
		return end
	}
	i := p.blanks(end, true)
	if i >= len(p.s) {
		p.open = "VALUES"
		return end
	}
	if p.s[i] != '(' {
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
