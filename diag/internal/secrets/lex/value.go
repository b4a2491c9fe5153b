package lex

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// This file finds where a value begins and ends.

// Blanks returns the first place from i on that is not blank, across lines if allowed. Tabs and breaks may be escaped.
func (t *Text) Blanks(i int, lines bool) int {
	for ; i < len(t.S); i++ {
		switch c := t.S[i]; {
		case c == ' ' || c == '\t' || lines && (c == '\n' || c == '\r'):
		case c == '\\':
			end := i + t.Slashes(i)
			if c := At(t.S, end); c != 't' && (!lines || c != 'n' && c != 'r') {
				return i
			}
			i = end
		default:
			return i
		}
	}
	return i
}

// Slashes counts the backslashes at a place, up to a few.
func (t *Text) Slashes(i int) (n int) {
	for n < 16 && At(t.S, i+n) == '\\' {
		n++
	}
	return n
}

// glue is how a word in single quotes continues after an inner quote, as shells escape it and YAML doubles it.
var glue = regexp.MustCompile(`^(?:(?:\\{1,2}'|"'"|\\"'\\")'|'[\w!#$%*+?@^~])`)

// Quoted returns the end of a quoted text, after its quote, and how it began. A quote of escaped text ends with the
// same number of backslashes; one with fewer belongs to the surrounding text.
func (t *Text) Quoted(i int) (end int, opener string, ok bool) {
	n := t.Slashes(i)
	from := i + n
	for _, q := range quotes {
		if !StartsWith(t.S[from:], q.open) || n > 0 && q.open != `"` && q.open != "'" {
			continue
		}
		j := from + len(q.open)
		opener = t.S[i:j]
		if three := strings.Repeat(opener, 3); q.open == q.end && len(q.open) == 1 && strings.HasPrefix(t.S[i:], three) {
			if end := strings.Index(t.S[i+len(three):], three); end >= 0 { // of TOML and Python
				return i + len(three) + end + len(three), three, true
			} else if c := At(t.S, i+len(three)); c == 0 || c == '\n' || c == '\r' {
				return len(t.S), three, true
			}
		}
		for j < len(t.S) {
			if t.S[j] == '\\' && (n > 0 || q.open == `"`) {
				m := t.Slashes(j)
				if n > 0 && StartsWith(t.S[j+m:], q.end) && m == n {
					return j + m + len(q.end), opener, true
				}
				if j += m; m%2 == 1 && n == 0 || m > n && n > 0 {
					j++
				}
				continue
			}
			if StartsWith(t.S[j:], q.end) {
				if n > 0 && q.open == `"` {
					return j, opener, true
				}
				if more := glue.FindString(t.S[j+1 : min(len(t.S), j+8)]); q.open == "'" && more != "" && n == 0 {
					j += 1 + len(more)
					continue
				}
				if n == 0 {
					return j + len(q.end), opener, true
				}
			}
			j++
		}
		return len(t.S), opener, true
	}
	return i, "", false
}

// Unended reports whether a text that is quoted up to the end of the whole text has no closing quote.
func (t *Text) Unended(from, end int, opener string) bool {
	if end < len(t.S) || opener == "" {
		return false
	}
	last := opener[strings.LastIndexByte(opener, '\\')+1:]
	if third := opener[:len(opener)/3]; third != "" && opener == strings.Repeat(third, 3) {
		return !strings.HasSuffix(t.S[min(len(t.S), from+len(opener)):], opener)
	}
	for _, q := range quotes {
		if q.open == last {
			body := t.S[from+len(opener):]
			return !strings.HasSuffix(body, q.end) ||
				opener == `"` && (len(body)-len(strings.TrimRight(body[:len(body)-1], `\`))-1)%2 == 1
		}
	}
	return false
}

// Bare returns where a value without quotes ends: at a blank, and at signs that begin something else. A comma, a quote
// or a bracket within a password does not end it.
func (t *Text) Bare(i int) int {
	// Each of its characters was already checked: it ends where it did.
	if t.plain.from < i && i < t.plain.to && !strings.HasPrefix(t.S[i:], Mark) {
		return t.plain.to
	}
	to := t.bareEnd(i)
	t.plain.from, t.plain.to = i, to
	return to
}

func (t *Text) bareEnd(i int) int {
	s := t.S
	from := i
	if strings.HasPrefix(s[i:], Mark) {
		if i += len(Mark); !t.GoesOn(i) {
			return i
		}
	}
	for ; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\n', '\r':
			return i
		case ',', ';', '&':
			if !t.GoesOn(i+1) || t.Pairs(i+1) {
				return i
			}
		case '"', '\'', '`', ')', ']', '}', '<', '>':
			if !t.GoesOn(i + 1) {
				return i
			}
		case '\\':
			if n := At(s, i+1); n == '\n' && t.GoesOn(i+2) { // a shell joins the lines
				i++
			} else if strings.IndexByte("nrtxu\\\"'", n) >= 0 {
				return i
			}
		case '%':
			for _, end := range []string{"%22", "%26", "%2c", "%5d", "%7d"} {
				if i > from && At(s, from-3) == '%' && StartsWith(s[i:], end) { // its sign is escaped, too
					return i
				}
			}
		}
	}
	return i
}

// GoesOn reports whether a word continues: with letters and what passwords contain besides.
func (t *Text) GoesOn(i int) bool {
	c := At(t.S, i)
	return c >= 0x80 || Letter(c) || c >= '0' && c <= '9' || c != 0 && strings.IndexByte("!#$%*+?@^_~", c) >= 0
}

// Pairs reports whether a name with a sign begins at i.
func (t *Text) Pairs(i int) bool {
	end := i
	for end < len(t.S) && end-i < Longest && (Wordly[t.S[end]] || t.S[end] == '.') {
		end++
	}
	c := At(t.S, end)
	return end > i && (c == '=' || c == ':' || c == '[')
}

// Bracketed returns where a list or a group in brackets ends.
func (t *Text) Bracketed(i int) (end int, ok bool) {
	opens, shuts := t.S[i], byte(']')
	switch opens {
	case '{':
		shuts = '}'
	case '(':
		shuts = ')'
	}
	depth := 0
	for j := i; j < min(len(t.S), i+Near/4); j++ {
		switch t.S[j] {
		case '"':
			if q, _, ok := t.Within(j, i+Near/4); ok && At(t.S, j-1) != '\\' {
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

// Within is like Quoted, but fails if the end is beyond the limit.
func (t *Text) Within(i, limit int) (end int, opener string, ok bool) {
	part := Text{S: t.S[:min(len(t.S), limit)]}
	end, opener, ok = part.Quoted(i)
	return end, opener, ok && !part.Unended(i, end, opener)
}

// Value returns where a value begins and ends. At the end of the text it sets Open.
func (t *Text) Value(i int, equals bool) (from, to int, ok bool) {
	from = t.Blanks(i, true)
	if from < len(t.S) && t.S[from] == '\\' && (from+1 == len(t.S) || t.S[from+1] == '\n' || t.S[from+1] == '\r') {
		from = t.Blanks(from+1, true) // a shell line continues on the next line
	}
	if from >= len(t.S) {
		t.Open = OpensAgain
		return from, from, false
	}
	crossed := strings.ContainsAny(t.S[i:from], "\n\\")
	if crossed && !equals && t.S[from] == '-' && At(t.S, from+1) == ' ' {
		return t.list(from)
	}
	if !crossed && (t.S[from] == '|' || t.S[from] == '>') {
		if end, ok := t.Block(from); ok {
			return from, end, true
		}
	}
	m := look.Type(t.S[from:min(len(t.S), from+Farthest)])
	start := from + len(strings.TrimRight(m, `\"'`))
	if end, ok := t.inQuotes(start); ok {
		return from, end, true
	}
	if start > from && !crossed && (At(t.S, start) == '|' || At(t.S, start) == '>') { // YAML, after a tag
		if end, ok := t.Block(start); ok {
			return from, end, true
		}
	}
	if strings.HasPrefix(m, "(") {
		from = start
	}
	if start >= len(t.S) {
		if strings.HasSuffix(strings.TrimSpace(m), "(") {
			t.Open = OpensAgain
		}
		return from, start, start > from
	}
	return t.unquoted(from, start, crossed)
}

// inQuotes returns where a value in quotes ends, or sets Open if it continues.
func (t *Text) inQuotes(i int) (end int, ok bool) {
	if end, opener, ok := t.Quoted(i); ok {
		if At(t.S, i-1) == '(' && At(t.S, end) == ',' { // env('NAME', 'x')
			if to, ok := t.Bracketed(i - 1); ok {
				return to, true
			}
		}
		if next := end + len(" -> "); strings.HasPrefix(t.S[end:], " -> ") { // what it becomes
			if to, _, ok := t.Within(next, next+Near); ok {
				end = to
			}
		}
		if t.Unended(i, end, opener) {
			t.Open = "password=" + opener
			return end, true
		}
		return t.Glued(end, opener), true
	}
	const quote = "u0022" // as JSON may escape it
	escaped := i + t.Slashes(i)
	if escaped == i || !StartsWith(t.S[escaped:], quote) {
		return i, false
	}
	inner := escaped + len(quote)
	if end := strings.Index(t.S[inner:min(len(t.S), inner+Near)], quote); end >= 0 {
		return inner + end + len(quote), true
	}
	return t.Bare(inner), true
}

// unquoted returns where a value without quotes begins and ends, of which begin is the type. crossed: it is on another
// line than its name.
func (t *Text) unquoted(begin, from int, crossed bool) (int, int, bool) {
	switch c := t.S[from]; {
	case strings.HasPrefix(t.S[from:], Mark):
	case c == '$' && At(t.S, from+1) == '(': // a shell's command substitution
		if end, ok := t.Bracketed(from + 1); ok {
			return begin, end, true
		}
	case c == '[' || c == '(' || c == '{':
		end, ok := t.Bracketed(from)
		inner := t.S[from:min(len(t.S), from+Longest)]
		switch {
		case c == '{' && goObject.MatchString(inner), c == '[' && strings.IndexByte(t.S[from:max(from, end)], '{') >= 0:
			return from, from, false // an object, whose names decide
		case ok && t.GoesOn(end): // {SSHA}x, {noop}x: how it is encoded
			return begin, t.Bare(end), true
		case ok:
			return begin, end, true
		case c == '[' && strings.TrimSpace(inner[1:]) == "" && from+len(inner) == len(t.S):
			t.Open = OpensAgain + "["
			return from, from, false
		}
	case c == '<' && strings.HasPrefix(t.S[from:], "<key:"): // protobuf text
		if end := strings.Index(t.S[from:min(len(t.S), from+Near)], " >"); end >= 0 {
			return begin, from + end + len(" >"), true
		}
	case strings.IndexByte(",;)]}>", c) >= 0 || strings.HasPrefix(t.S[from:], "</"):
		if from == begin {
			return from, from, false
		}
		from = begin
	}
	to := t.Bare(from)
	if crossed && to > from && t.S[to-1] == ':' {
		return from, from, false // the next name
	}
	if word := Lower(t.S[from:min(to, from+16)]); Schemes[word] { // a header's
		if next := t.Blanks(to, false); next > to && next < len(t.S) {
			to = t.Bare(next)
		}
	}
	return begin, to, to > from
}

// Glued returns the end of a word of which a part is in quotes: for shells "a"'b'c is one word.
func (t *Text) Glued(end int, opener string) int {
	for limit := end + Near; len(opener) == 1 && end < min(len(t.S), limit); {
		switch c := t.Quote(end); {
		case c != 0 && t.GoesOn(end+1):
			part, _, ok := t.Within(end, limit)
			if !ok {
				return end
			}
			end = part
		case t.GoesOn(end):
			end++
		default:
			return end
		}
	}
	return end
}

// Block returns where a block of YAML ends: before a line that is not indented. Within quotes its line breaks are
// escaped, and the quote ends it.
func (t *Text) Block(i int) (end int, ok bool) {
	j := i + 1
	for j < len(t.S) && strings.IndexByte("-+0123456789 \t\r", t.S[j]) >= 0 {
		j++
	}
	for escaped := false; j < len(t.S); ok = true {
		next := j + 1
		if n := t.Slashes(j); n > 0 && At(t.S, j+n) == 'n' {
			escaped, next = true, j+n+1
		} else if t.S[j] != '\n' {
			return j, ok
		}
		if c := At(t.S, next); c != ' ' && c != '\t' && next < len(t.S) {
			return j, ok
		}
		for j = next; j < len(t.S) && t.S[j] != '\n' && (!escaped || t.S[j] != '"'); j++ {
			if n := t.Slashes(j); n > 0 && escaped {
				if c := At(t.S, j+n); c == 'n' || c == '"' {
					break
				}
				j += n - 1
			}
		}
	}
	t.Open = OpensAgain + "|"
	return len(t.S), true
}

// list returns where a list of YAML ends; an entry that is an object is no secret by itself.
func (t *Text) list(i int) (from, to int, ok bool) {
	from, to = i, i
	for j := i; At(t.S, j) == '-' && (At(t.S, j+1) == ' ' || At(t.S, j+1) == '\t'); {
		j = t.Blanks(j+1, false)
		end := j
		for end < len(t.S) && t.S[end] != '\n' && t.S[end] != '\r' {
			end++
		}
		if entry := strings.TrimSpace(t.S[j:end]); entry == "" || pairLine.MatchString(entry) {
			break
		}
		to = end
		j = t.Blanks(end, true)
	}
	if to > from && to == len(t.S) { // with the next line
		t.Open = OpensAgain + "\n- a"
	}
	return from, to, to > from
}
