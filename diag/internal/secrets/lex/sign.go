package lex

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// This file reads what is between a name and its value: quotes, brackets, types and signs, in any language.

// ShutName returns what follows a name's quotes and brackets.
func (t *Text) ShutName(i int) int {
	for range 3 {
		quote := i + t.Slashes(i)
		switch {
		case quote < len(t.S) && strings.IndexByte("\"'`])*", t.S[quote]) >= 0:
			i = quote + 1
		case StartsWith(t.S[i:], "%22"):
			i += 3
		case quote > i && (StartsWith(t.S[quote:], "u0022") || StartsWith(t.S[quote:], "u0027")): // JSON's \u0022
			i = quote + len("u0022")
		case StartsWith(t.S[i:], "&quot;"), StartsWith(t.S[i:], "&#34;"), StartsWith(t.S[i:], "&#39;"):
			i += strings.IndexByte(t.S[i:], ';') + 1
		case StartsWith(t.S[i:], "”"), StartsWith(t.S[i:], "’"), StartsWith(t.S[i:], "»"):
			_, size := utf8.DecodeRuneInString(t.S[i:])
			i += size
		default:
			return i
		}
	}
	return i
}

// index is the position of one of several, remark a note on a value in brackets: password[0]=x, password (text): x.
// fault is what kernels say of a process with such a name.
var (
	index  = regexp.MustCompile(`^\[[\\"'\w.-]{1,64}\][ \t]?[=:]`)
	remark = regexp.MustCompile(
		`^[ \t]?(?:\([^\n()]{1,32}\)|\[[^\n\[\]]{1,32}\]|<[^\n<>/]{1,32}>|\{[^\n{}]{1,32}\})[ \t]?[=:]`)
	fault = regexp.MustCompile(`^\[\d{1,10}\]: segfault at [0-9a-f]{1,16} ip `)
)

// Numbered returns what follows the number of one of several secrets, or a note: "Unseal Key 1: x", password[0]=x.
// After the path of a field, secrets[0]: x, a sentence follows.
func (t *Text) Numbered(i int, human bool) int {
	rest := t.S[i:min(len(t.S), i+80)]
	if c := At(t.S, i); strings.IndexByte("[({<", c) < 0 &&
		(c != ' ' && c != '\t' || strings.IndexByte("[({<", At(t.S, i+1)) < 0) {
		rest = "" // none of them
	}
	if fault.MatchString(rest) {
		return i
	}
	if m := index.FindString(rest); m != "" && (human || m[len(m)-1] == '=') {
		return i + len(m) - 1
	}
	if m := remark.FindString(rest); m != "" {
		if value := t.Blanks(i+len(m), false); human || look.Made(t.S[value:t.Bare(value)]) {
			return i + len(m) - 1
		}
	}
	j := t.Blanks(i, false)
	if At(t.S, j) == '#' {
		j++
	}
	from := j
	for At(t.S, j) >= '0' && At(t.S, j) <= '9' && j-from < 3 {
		j++
	}
	if j == from || At(t.S, j) != ':' {
		return i
	}
	return j
}

// php is PHP's serialization, s:8:"password";s:1:"x", and its output of fields: [password:protected] => x.
var php = regexp.MustCompile(`^(?:;s:\d{1,9}:|:(?:\\{0,8}"[\w\\]{1,64}":)?(?:protected|private)\] ?=>)`)

// Sign returns what follows the sign between a name and its value. A tight colon has neither a blank nor a quote after
// it: the colon before an image's tag is one, too.
func (t *Text) Sign(i int) (next int, tight, ok bool) {
	next = t.Blanks(i, false)
	for _, sign := range signs {
		if StartsWith(t.S[next:], sign) {
			return next + len(sign), false, true
		}
	}
	switch At(t.S, next) {
	case '\\':
		j := next + t.Slashes(next)
		for _, code := range []string{"u003d", "u003a", "x3d", "x3a"} {
			if StartsWith(t.S[j:], code) {
				return j + len(code), false, true
			}
		}
		if c := At(t.S, j); c == '=' || c == ':' { // in a properties file
			return j + 1, false, true
		}
	case ';', ':':
		if m := php.FindString(t.S[next:min(len(t.S), next+100)]); m != "" {
			return next + len(m), false, true
		}
	}
	if At(t.S, next) != ':' {
		return i, false, false
	}
	next++
	c := At(t.S, next)
	return next, c != 0 && !strings.ContainsRune(" \t\r\n\"'`\\([{", rune(c)), true
}
