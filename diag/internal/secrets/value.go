package secrets

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// This file tells where a value begins and ends.

const (
	// shortest is how long a value must be where its name means other things, too.
	shortest = 6
	// near is how far a value may look for the end of its brackets, and a line for what goes with a name.
	near = 4096
)

func at(s string, i int) byte {
	if i >= 0 && i < len(s) {
		return s[i]
	}
	return 0
}

// blanks returns where what begins with blanks goes on; over lines if it may, whose ends may be escaped.
func (p *pass) blanks(i int, lines bool) int {
	for ; i < len(p.s); i++ {
		switch c := p.s[i]; {
		case c == ' ' || c == '\t' || lines && (c == '\n' || c == '\r'):
		case c == '\\' && lines:
			end := i + p.slashes(i)
			if c := at(p.s, end); c != 'n' && c != 'r' && c != 't' {
				return i
			}
			i = end
		default:
			return i
		}
	}
	return i
}

// slashes counts those at a place, up to a few.
func (p *pass) slashes(i int) (n int) {
	for n < 16 && at(p.s, i+n) == '\\' {
		n++
	}
	return n
}

// glue is how a word in single quotes goes on behind a quote of its own, as shells escape it and YAML doubles it.
var glue = regexp.MustCompile(`^(?:(?:\\{1,2}'|"'"|\\"'\\")'|'[\w!#$%*+?@^~])`)

// quoted returns where what begins with a quote ends, behind it, and how it began. A quote of escaped text ends with as
// many backslashes; one with fewer is of the text around it, and not its own.
func (p *pass) quoted(i int) (end int, opener string, ok bool) {
	n := p.slashes(i)
	from := i + n
	for _, q := range quotes {
		if !startsWith(p.s[from:], q.open) || n > 0 && q.open != `"` && q.open != "'" {
			continue
		}
		j := from + len(q.open)
		opener = p.s[i:j]
		for j < len(p.s) {
			if p.s[j] == '\\' && (n > 0 || q.open == `"`) {
				m := p.slashes(j)
				if n > 0 && startsWith(p.s[j+m:], q.end) && m == n {
					return j + m + len(q.end), opener, true
				}
				if j += m; m%2 == 1 && n == 0 || m > n && n > 0 {
					j++
				}
				continue
			}
			if startsWith(p.s[j:], q.end) {
				if n > 0 && q.open == `"` {
					return j, opener, true
				}
				if more := glue.FindString(p.s[j+1 : min(len(p.s), j+8)]); q.open == "'" && more != "" && n == 0 {
					j += 1 + len(more)
					continue
				}
				if n == 0 {
					return j + len(q.end), opener, true
				}
			}
			j++
		}
		return len(p.s), opener, true
	}
	return i, "", false
}

// unended tells that what was quoted to the end of the text has no end there.
func (p *pass) unended(from, end int, opener string) bool {
	if end < len(p.s) || opener == "" {
		return false
	}
	last := opener[strings.LastIndexByte(opener, '\\')+1:]
	for _, q := range quotes {
		if q.open == last {
			body := p.s[from+len(opener):]
			return !strings.HasSuffix(body, q.end) ||
				opener == `"` && (len(body)-len(strings.TrimRight(body[:len(body)-1], `\`))-1)%2 == 1
		}
	}
	return false
}

// bare returns where a value without quotes ends: at a blank, and at signs that begin something else. A comma, a quote
// or a bracket within a password does not.
func (p *pass) bare(i int) int {
	// Each of its signs was looked at: it ends where it did.
	if p.plain.from < i && i < p.plain.to && !strings.HasPrefix(p.s[i:], Mark) {
		return p.plain.to
	}
	to := p.bareEnd(i)
	p.plain = span{i, to}
	return to
}

func (p *pass) bareEnd(i int) int {
	s := p.s
	from := i
	if strings.HasPrefix(s[i:], Mark) {
		if i += len(Mark); !p.goesOn(i) {
			return i
		}
	}
	for ; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\n', '\r':
			return i
		case ',', ';', '&':
			if !p.goesOn(i+1) || p.pairs(i+1) {
				return i
			}
		case '"', '\'', '`', ')', ']', '}', '<', '>':
			if !p.goesOn(i + 1) {
				return i
			}
		case '\\':
			if n := at(s, i+1); strings.IndexByte("nrtxu\\\"'", n) >= 0 {
				return i
			}
		case '%':
			for _, end := range []string{"%22", "%26", "%2c", "%5d", "%7d"} {
				if i > from && at(s, from-3) == '%' && startsWith(s[i:], end) { // its sign is escaped, too
					return i
				}
			}
		}
	}
	return i
}

// goesOn tells whether a word does: with letters and what passwords have besides.
func (p *pass) goesOn(i int) bool {
	c := at(p.s, i)
	return c >= 0x80 || letter(c) || c >= '0' && c <= '9' || c != 0 && strings.IndexByte("!#$%*+?@^_~", c) >= 0
}

// pairs tells whether a name with a sign stands there.
func (p *pass) pairs(i int) bool {
	end := i
	for end < len(p.s) && end-i < longest && (wordly[p.s[end]] || p.s[end] == '.') {
		end++
	}
	c := at(p.s, end)
	return end > i && (c == '=' || c == ':' || c == '[')
}

// bracketed returns where a list or a group in brackets ends.
func (p *pass) bracketed(i int) (end int, ok bool) {
	opens, shuts := p.s[i], byte(']')
	switch opens {
	case '{':
		shuts = '}'
	case '(':
		shuts = ')'
	}
	depth := 0
	for j := i; j < min(len(p.s), i+near/4); j++ {
		switch p.s[j] {
		case '"':
			if q, _, ok := p.quotedWithin(j, i+near/4); ok && at(p.s, j-1) != '\\' {
				j = q - 1
			}
		case opens:
			depth++
		case shuts:
			if depth--; depth == 0 {
				return j + 1, true
			}
		}
	}
	return i, false
}

// quotedWithin is quoted, unless its end lies behind the limit.
func (p *pass) quotedWithin(i, limit int) (end int, opener string, ok bool) {
	part := pass{s: p.s[:min(len(p.s), limit)]}
	end, opener, ok = part.quoted(i)
	return end, opener, ok && !part.unended(i, end, opener)
}

// opensAgain is the name behind which a value goes on in the next line.
const opensAgain = "password: "

// value returns where a value is and where it ends. At the end of the text it tells how to go on.
func (p *pass) value(i int, equals bool) (from, to int, ok bool) {
	from = p.blanks(i, true)
	if from < len(p.s) && p.s[from] == '\\' && (from+1 == len(p.s) || p.s[from+1] == '\n' || p.s[from+1] == '\r') {
		from = p.blanks(from+1, true) // a shell's line goes on in the next one
	}
	if from >= len(p.s) {
		p.open = opensAgain
		return from, from, false
	}
	crossed := strings.ContainsAny(p.s[i:from], "\n\\")
	if crossed && !equals && p.s[from] == '-' && at(p.s, from+1) == ' ' {
		return p.list(from)
	}
	if !crossed && (p.s[from] == '|' || p.s[from] == '>') {
		if end, ok := p.block(from); ok {
			return from, end, true
		}
	}
	m := look.Type(p.s[from:min(len(p.s), from+farthest)])
	start := from + len(strings.TrimRight(m, `\"'`))
	if end, opener, ok := p.quoted(start); ok {
		return p.shut(from, start, end, opener)
	}
	const quote = "u0022" // as JSON may write it
	if escaped := start + p.slashes(start); escaped > start && startsWith(p.s[escaped:], quote) {
		inner := escaped + len(quote)
		if end := strings.Index(p.s[inner:min(len(p.s), inner+near)], quote); end >= 0 {
			return from, inner + end + len(quote), true
		}
		return from, p.bare(inner), true
	}
	begin := from
	if strings.HasPrefix(m, "(") {
		begin = start
	}
	if from = start; from >= len(p.s) {
		if strings.HasSuffix(strings.TrimSpace(m), "(") {
			p.open = opensAgain
		}
		return begin, from, from > begin
	}
	switch c := p.s[from]; {
	case strings.HasPrefix(p.s[from:], Mark):
	case c == '$' && at(p.s, from+1) == '(': // what a shell runs
		if end, ok := p.bracketed(from + 1); ok {
			return begin, end, true
		}
	case c == '[' || c == '(' || c == '{':
		end, ok := p.bracketed(from)
		inner := p.s[from:min(len(p.s), from+longest)]
		switch {
		case c == '{' && goObject.MatchString(inner), c == '[' && strings.IndexByte(p.s[from:max(from, end)], '{') >= 0:
			return from, from, false // an object, whose names tell
		case ok:
			return begin, end, true
		case c == '[' && strings.TrimSpace(inner[1:]) == "" && from+len(inner) == len(p.s):
			p.open = opensAgain + "["
			return from, from, false
		}
	case strings.IndexByte(",;)]}>", c) >= 0 || strings.HasPrefix(p.s[from:], "</"):
		if from == begin {
			return from, from, false
		}
		from = begin
	}
	to = p.bare(from)
	if crossed && to > from && p.s[to-1] == ':' {
		return from, from, false // the next name
	}
	if word := lowerASCII(p.s[from:min(to, from+16)]); schemes[word] { // a header's
		if next := p.blanks(to, false); next > to && next < len(p.s) {
			to = p.bare(next)
		}
	}
	return begin, to, to > from
}

// shut ends a value in quotes, or tells how it goes on.
func (p *pass) shut(from, quote, end int, opener string) (int, int, bool) {
	if p.unended(quote, end, opener) {
		p.open = "password=" + opener
		return from, end, true
	}
	return from, p.glued(end, opener), true
}

// glued returns where a word ends of which a part stands in quotes: shells take "a"'b'c for one.
func (p *pass) glued(end int, opener string) int {
	for limit := end + near; len(opener) == 1 && end < min(len(p.s), limit); {
		switch c := p.quoteAt(end); {
		case c != 0 && p.goesOn(end+1):
			part, _, ok := p.quotedWithin(end, limit)
			if !ok {
				return end
			}
			end = part
		case p.goesOn(end):
			end++
		default:
			return end
		}
	}
	return end
}

// block returns where a block of YAML ends: before a line that is not indented. Within quotes its line breaks are
// escaped, and the quote ends it.
func (p *pass) block(i int) (end int, ok bool) {
	j := i + 1
	for j < len(p.s) && strings.IndexByte("-+0123456789 \t\r", p.s[j]) >= 0 {
		j++
	}
	for escaped := false; j < len(p.s); ok = true {
		next := j + 1
		if n := p.slashes(j); n > 0 && at(p.s, j+n) == 'n' {
			escaped, next = true, j+n+1
		} else if p.s[j] != '\n' {
			return j, ok
		}
		if c := at(p.s, next); c != ' ' && c != '\t' && next < len(p.s) {
			return j, ok
		}
		for j = next; j < len(p.s) && p.s[j] != '\n' && (!escaped || p.s[j] != '"'); j++ {
			if n := p.slashes(j); n > 0 && escaped {
				if c := at(p.s, j+n); c == 'n' || c == '"' {
					break
				}
				j += n - 1
			}
		}
	}
	p.open = opensAgain + "|"
	return len(p.s), true
}

// list returns where a list of YAML ends; an entry that is an object is no secret by itself.
func (p *pass) list(i int) (from, to int, ok bool) {
	from, to = i, i
	for j := i; at(p.s, j) == '-' && (at(p.s, j+1) == ' ' || at(p.s, j+1) == '\t'); {
		j = p.blanks(j+1, false)
		end := j
		for end < len(p.s) && p.s[end] != '\n' && p.s[end] != '\r' {
			end++
		}
		if entry := strings.TrimSpace(p.s[j:end]); entry == "" || pairLine.MatchString(entry) {
			break
		}
		to = end
		j = p.blanks(end, true)
	}
	return from, to, to > from
}
