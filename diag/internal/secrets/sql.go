package secrets

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// This file finds secrets in SQL statements that databases print: passwords, and rows, which are the application's
// data.

var by = regexp.MustCompile(`(?i)^(?:\s|\\{1,8}[nt])+(?:with\s+\S{1,64}\s+)?(?:by|as)(?:(?:\s|\\{1,8}[nt])+|$)(?:password\s+)?`)

// identified cuts out a password in SQL.
func identified(p *pass, from, end int) int {
	m := by.FindStringIndex(p.S[end:min(len(p.S), end+128)])
	if m != nil && end+m[1] == len(p.S) {
		p.Open = "IDENTIFIED BY "
	}
	if m == nil {
		return end
	}
	if to, _, ok := p.Quoted(end + m[1]); ok {
		return p.Cut(end+m[1], to)
	}
	to := p.Bare(end + m[1])
	value, before := p.S[end+m[1]:to], p.S[max(0, from-lex.Longest):from]
	if !noPassword[strings.ToUpper(value)] && (p.S[from] == 'I' && p.S[from+1] == 'D' || // of Oracle
		ofUser.MatchString(before) && (len(value) < lex.Longest && words.Looks(value) || altered.MatchString(before))) {
		return p.Cut(end+m[1], to)
	}
	return end
}

// ofUser matches what a password in SQL is for, altered a statement that sets it.
var (
	ofUser  = regexp.MustCompile(`(?i)\b(?:user|role|to)\s+\S+\s+$`)
	altered = regexp.MustCompile(`(?i)\b(?:(?:alter|create)\s+(?:user|role)|grant)\b`)
)

// noPassword are words of SQL in the place of a password.
var noPassword = lex.WordSet("PASSWORD VALUES EXTERNALLY GLOBALLY RANDOM AS")

// puts remembers a statement that inserts rows into a table.
func puts(p *pass, from, end int) int {
	if (from == 0 || !lex.Wordly[p.S[from-1]]) && strings.IndexByte(" \t\n\r\\", lex.At(p.S, end)) >= 0 {
		p.puts = end
	}
	return end
}

// stated reports whether VALUES at a place belongs to such a statement or begins a line of one, rather than being a
// word of a sentence.
func (p *pass) stated(hint int) bool {
	if p.puts > 0 && hint-p.puts > 1 && hint-p.puts <= lex.CommandLength && strings.IndexByte(p.S[p.puts:hint], ';') < 0 {
		return true
	}
	return p.S[hint] == 'V' && p.S[hint+1] == 'A'
}

// data reports whether the brackets hold what rows have and sentences do not, (1, 'app'): a quoted text, or a number
// first. Of a row that was cut off nothing else may be left.
func (p *pass) data(i int) bool {
	first := p.Blanks(i+1, true)
	if c := lex.At(p.S, first); c == 0 || c >= '0' && c <= '9' || strings.IndexByte("($:?", c) >= 0 ||
		lex.StartsWith(p.S[first:], "null") || lex.StartsWith(p.S[first:], "default") {
		return true
	}
	depth := 0
	for _, c := range []byte(p.S[i:min(len(p.S), i+128)]) {
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

// rows cuts out the rows that a statement inserts into a table, or failed to insert: (1, 'app', 'x'), (2, 'web', 'y').
func rows(p *pass, hint, end int) int {
	values := lex.Small[p.S[hint]] == 'v'
	if values && !p.stated(hint) {
		return end
	}
	i := p.Blanks(end, true)
	if i >= len(p.S) {
		p.Open = "VALUES"
		return end
	}
	if p.S[i] != '(' || values && !p.data(i) {
		return end
	}
	from, to := i, i
	for {
		if to = p.Closed(i, lex.Near); to == len(p.S) {
			p.Open = "VALUES ("
			break
		}
		if i = p.Blanks(to, true); i >= len(p.S) || p.S[i] != ',' {
			break
		}
		if i = p.Blanks(i+1, true); i >= len(p.S) {
			p.Open = "VALUES"
		}
		if lex.At(p.S, i) != '(' {
			break
		}
	}
	return p.Cut(from, to)
}

// webKey cuts out a JOSE key in JSON, with all of its members, whose names are single letters.
func webKey(p *pass, from, end int) int {
	low := max(0, from-lex.Near/2)
	open := strings.LastIndexByte(p.S[low:from], '{')
	if open < 0 || p.Quote(from-1) == 0 {
		return end
	}
	return p.Cut(low+open, p.Closed(low+open, 2*lex.Near))
}

// parameters cuts out the values that databases and their clients log with a statement: parameters: $1 = 'app',
// [parameters: ('app', 'x')].
func parameters(p *pass, _, end int) int {
	if strings.IndexByte("([{", p.S[end-1]) >= 0 {
		if to, ok := p.Bracketed(end - 1); ok {
			return p.Cut(end-1, to)
		}
	}
	to := end
	for to < len(p.S) && p.S[to] != '\n' && (p.S[to] != '\\' || lex.At(p.S, to+1) != 'n') && p.S[to] != '"' {
		to++
	}
	return p.Cut(end-1, to)
}
