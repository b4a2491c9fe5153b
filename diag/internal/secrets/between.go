package secrets

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// This file reads what stands between a name and its value: quotes, brackets, types and signs, of whatever language.

// shutName returns what follows a name's quotes and brackets.
func (p *pass) shutName(i int) int {
	for range 3 {
		quote := i + p.slashes(i)
		switch {
		case quote < len(p.s) && strings.IndexByte("\"'`])", p.s[quote]) >= 0:
			i = quote + 1
		case startsWith(p.s[i:], "%22"):
			i += 3
		case quote > i && (startsWith(p.s[quote:], "u0022") || startsWith(p.s[quote:], "u0027")): // JSON's own
			i = quote + len("u0022")
		case startsWith(p.s[i:], "&quot;"), startsWith(p.s[i:], "&#34;"), startsWith(p.s[i:], "&#39;"):
			i += strings.IndexByte(p.s[i:], ';') + 1
		case startsWith(p.s[i:], "”"), startsWith(p.s[i:], "’"), startsWith(p.s[i:], "»"):
			_, size := utf8.DecodeRuneInString(p.s[i:])
			i += size
		default:
			return i
		}
	}
	return i
}

// index is the place of one of several, remark what is said of a value in brackets: password[0]=x, password (text): x.
var (
	index  = regexp.MustCompile(`^\[[\\"'\w.-]{1,64}\][ \t]?[=:]`)
	remark = regexp.MustCompile(
		`^[ \t]?(?:\([^\n()]{1,32}\)|\[[^\n\[\]]{1,32}\]|<[^\n<>/]{1,32}>|\{[^\n{}]{1,32}\})[ \t]?[=:]`)
)

// numbered returns what follows a number of several secrets: "Unseal Key 1: x", password[0]=x, or what is said of it.
// Behind a field's path, secrets[0]: x, stands a sentence.
func (p *pass) numbered(n name, i int) int {
	rest := p.s[i:min(len(p.s), i+80)]
	if c := at(p.s, i); strings.IndexByte("[({<", c) < 0 &&
		(c != ' ' && c != '\t' || strings.IndexByte("[({<", at(p.s, i+1)) < 0) {
		rest = "" // none of them
	}
	if m := index.FindString(rest); m != "" && (n.kind == human || m[len(m)-1] == '=') {
		return i + len(m) - 1
	}
	if m := remark.FindString(rest); m != "" && n.kind == human {
		return i + len(m) - 1
	}
	j := p.blanks(i, false)
	if at(p.s, j) == '#' {
		j++
	}
	from := j
	for at(p.s, j) >= '0' && at(p.s, j) <= '9' && j-from < 3 {
		j++
	}
	if j == from || at(p.s, j) != ':' {
		return i
	}
	return j
}

// php is how it serializes, s:8:"password";s:1:"x", and what it prints of fields: [password:protected] => x.
var php = regexp.MustCompile(`^(?:;s:\d{1,9}:|:(?:\\{0,8}"[\w\\]{1,64}":)?(?:protected|private)\] ?=>)`)

// sign returns what follows the sign between a name and its value. A tight colon has neither a blank nor a quote behind
// it: such is the tag of an image, too.
func (p *pass) sign(i int) (next int, tight, ok bool) {
	next = p.blanks(i, false)
	for _, sign := range signs {
		if startsWith(p.s[next:], sign) {
			return next + len(sign), false, true
		}
	}
	switch at(p.s, next) {
	case '\\':
		j := next + p.slashes(next)
		for _, code := range []string{"u003d", "u003a", "x3d", "x3a"} {
			if startsWith(p.s[j:], code) {
				return j + len(code), false, true
			}
		}
		if c := at(p.s, j); c == '=' || c == ':' { // of a file of properties
			return j + 1, false, true
		}
	case ';', ':':
		if m := php.FindString(p.s[next:min(len(p.s), next+100)]); m != "" {
			return next + len(m), false, true
		}
	}
	if at(p.s, next) != ':' {
		return i, false, false
	}
	next++
	c := at(p.s, next)
	return next, c != 0 && !strings.ContainsRune(" \t\r\n\"'`\\([{", rune(c)), true
}
