package secrets

import (
	"strings"
	"unicode"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// named cuts out what stands behind a secret's name: as its value, as the value of an attribute that it names, in its
// element, as an argument, or in a sentence.
func named(p *pass, at, end int) int {
	n := p.name(at, end)
	if n.kind == none || n.kind != human && at > 0 && p.s[at-1] == ' ' && endsWith(p.s[:n.to], ofParsers...) {
		return at + 1
	}
	p.below(n)
	return p.behind(n, at+1)
}

// ofParsers is what stands before a name of which programs tell: tokens of a text, and keys that an object lacks.
var ofParsers = []string{"unexpected token", "illegal token", "near token", "non-existent key",
	"non-existent secret key"}

// shortNamed is named for names that are no part of a longer word.
func shortNamed(p *pass, at, end int) int {
	for end > at && !letter(p.s[end-1]) {
		end--
	}
	n := p.name(at, end)
	before := p.s[n.from:at]
	joined := before != "" && strings.IndexByte("_-.", before[len(before)-1]) < 0 && !endsWith(before, "basic")
	if n.to > end || joined && (small[p.s[at]] != 'p' || small[p.s[at+1]] == 'i') { // rootpw, no spin
		return at + 1
	}
	n.kind = brief
	if at+2 == end && small[p.s[at]] == 'p' && small[p.s[at+1]] == 'w' {
		n.kind = human
	}
	if small[p.s[at]] == 'a' && small[p.s[at+1]] == 'u' { // auth
		shut := p.shutName(n.to)
		value, _, ok := p.sign(shut)
		if before == "" && !ok && p.s[at:end] == "AUTH" { // of Redis
			n.kind = human
			p.sentence(n, shut)
		}
		value = p.blanks(value, false)
		switch {
		case !ok, before != "" && before[len(before)-1] != '_' && !startsWith(before, "x-") &&
			!endsWith(before, "basic"), // --anonymous-auth
			before == "" && (shut == n.to || p.quoteAt(value+p.slashes(value)) == 0):
			return at + 1
		case before == "":
			n.kind = human // a registry's, in dockerconfigjson
		}
	}
	return p.behind(n, at+1)
}

func (p *pass) quoteAt(i int) byte {
	if c := at(p.s, i); c == '"' || c == '\'' {
		return c
	}
	return 0
}

// behind cuts out what the name is of; without any the search goes on at next.
func (p *pass) behind(n name, next int) int {
	shut := p.shutName(n.to)
	if i := p.numbered(n, shut); i > shut && n.kind != object {
		shut = i
	}
	if i, tight, ok := p.sign(shut); ok {
		equals := at(p.s, i-1) != ':'
		if before := at(p.s, i-2); n.kind == object && (!equals || at(p.s, i-1) == '=') && // of a program's text
			strings.IndexByte("=:!?+|~", before) >= 0 {
			return next
		}
		from, to, ok := p.value(i, equals)
		if ok && !(tight && shut == n.to && p.isTag(n, from, to)) && !p.harmless(n, from, to) {
			return p.cut(from, to)
		}
		return next
	}
	p.expect(n, shut)
	if i, ok := p.valueLabel(shut); ok {
		if from, to, ok := p.value(i, true); ok && n.kind != object {
			return p.cut(from, to)
		}
		return next
	}
	if n.kind == brief {
		return next
	}
	if n.kind == object {
		p.sentence(n, shut)
		return next
	}
	if i, ok := p.element(n, shut); ok {
		to := i
		for to < len(p.s) && p.s[to] != '<' {
			to++
		}
		return max(next, p.cut(i, to))
	}
	if c := at(p.s, n.to); c == '(' || c == '{' { // PASSWORD('x')
		if i := n.to + 1 + p.slashes(n.to+1); p.quoteAt(i) != 0 {
			if end, _, ok := p.quoted(n.to + 1); ok {
				return p.cut(n.to+1, end)
			}
		} else if m := field.FindString(p.s[n.to:min(len(p.s), n.to+longest)]); m != "" {
			if from, to, ok := p.value(n.to+len(m), true); ok {
				return p.cut(from, to)
			}
		}
	}
	if from, to, ok := p.argument(n); ok {
		return p.cut(from, to)
	}
	p.sentence(n, shut)
	p.apart(n, shut)
	return next
}

// isTag: an image that is called like a secret has a tag, and what a program prints of an object goes on within it.
func (p *pass) isTag(n name, from, to int) bool {
	v, word := p.s[from:to], p.s[n.from:n.to]
	inPath := at(p.s, n.from-1) == '/' && n.from > 1 && p.s[n.from-2] > ' ' ||
		n.kind != human && strings.IndexByte(word, '.') >= 0
	return lowerASCII(word) == word && len(v) <= 128 && (inPath && anyTag.MatchString(v) ||
		version.MatchString(v) && (n.kind != human || strings.IndexByte(v, '.') > 0) ||
		n.kind != human && tag.MatchString(v)) ||
		n.kind == machine && len(v) < 256 && look.KeyName(v) ||
		(v[0] == '&' || v[0] == '*') && strings.ContainsRune(v, '{')
}

// harmless: what follows the name says why it could not be read, as in "open /run/token: permission denied", or is no
// secret whatever it is of.
func (p *pass) harmless(n name, from, to int) bool {
	rest := p.s[from:min(len(p.s), from+300)]
	if strings.IndexByte("npoifeirtsbducg", small[rest[0]]) >= 0 && failures.MatchString(rest) {
		return true
	}
	if to-from > commandLength {
		return false
	}
	bare := strings.Trim(p.s[from:to], "\\\"'`")
	switch n.kind {
	case brief:
		return len(bare) < shortest || literal.MatchString(bare)
	case object: // namespace/name, a label or a taint, or the name of what is a secret: <add key="Password" value="x"/>
		_, turns := look.Mixture(bare)
		return len(bare) < shortest && (len(bare) < 4 || turns < 2) || look.KeyName(bare) ||
			look.DottedName(bare) ||
			!strings.ContainsAny(bare, "0123456789") && secretName.MatchString(bare) ||
			strings.IndexByte("?&", at(p.s, n.from-1)) >= 0 && english.MatchString(bare)
	}
	return literal.MatchString(bare) || n.kind == machine && amount(lowerASCII(p.s[n.from:n.to]), bare)
}

// amount tells a number of tokens, or of seconds that one holds.
func amount(name, value string) bool {
	return (strings.HasSuffix(name, "tokens") || strings.HasSuffix(name, "seconds")) &&
		strings.Trim(value, "0123456789.,") == ""
}

// looks tells what may be a secret in a sentence, which goes on with words, as in "password authentication failed".
func looks(v string) bool {
	v = v[:min(len(v), near/8)]
	return len(v) >= shortest && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter) &&
		(len(v) > 128 || !version.MatchString(v)) && !date.MatchString(v)
}

const (
	sentenceWords  = 8
	sentenceLength = 160
)

// sentence cuts out of a sentence what looks like the secret that it speaks of: behind the name, behind "is", "was" or
// "to", or behind a colon.
func (p *pass) sentence(n name, shut int) {
	if !wordly[p.s[n.to-1]] || p.s[n.to-1] == '-' || strings.IndexByte(" \t\"'`:", at(p.s, shut)) < 0 {
		return
	}
	// made tells that a secret is told, not used; told that the next word is the one.
	made, told := n.kind == human, false
	ofAPI := small[p.s[n.to-1]] == 'y' && apiKey.MatchString(p.s[max(0, n.to-12):n.to])
	limit := min(len(p.s), shut+sentenceLength)
	for i, count := shut, 0; count < sentenceWords; count++ {
		from := p.blanks(i, told)
		if told && from >= len(p.s) && n.kind != object {
			p.open = "the password is"
			return
		}
		if from == i && count > 0 {
			return
		}
		first, quoted, opens := count == 0, false, from
		for from < limit && strings.IndexByte("\"'`\\", p.s[from]) >= 0 {
			from, quoted = from+1, true
		}
		to := from
		for to < limit && strings.IndexByte(" \t\r\n\"'`\\", p.s[to]) < 0 {
			to++
		}
		if to == from {
			return
		}
		if quoted && n.kind == human && (told || first && shut == n.to) {
			if end, _, ok := p.quotedWithin(opens, limit); ok {
				p.cut(opens, end)
				return
			}
		}
		word := strings.TrimRight(p.s[from:to], ".,;:!?)]}>")
		digits := len(word) >= shortest && strings.Trim(word, "0123456789") == ""
		isSecret := told && !first && digits && n.kind == human ||
			looks(word) && (told || first && (n.kind == human || n.kind == machine &&
				(ofAPI || !look.DNSName(word)) && !startsWith(p.s[n.from:], "secret") &&
				!strings.HasSuffix(p.s[:n.to], "s") && (ofAPI || quoted || accused.MatchString(p.s[max(0, n.from-12):n.to]))))
		if isSecret || first && n.kind == machine && bootstrap.MatchString(word) {
			p.cut(from, from+len(word))
			return
		}
		told = word == "="
		switch lowerASCII(word) {
		case "is", "was", "ist", "lautet", "est", "es", "è", "é", "är", "jest":
			told, made = first || made, true
		case "to", "eq", "default": // "AUTH default x"
			told = made
		case "provided", "generated", "created", "issued", "new":
			made = n.kind != object
		case "failed", "failure", "fail", "expired", "error", "not", "missing", "denied", "required", "and", "or":
			return
		}
		switch last := p.s[to-1]; {
		case last == ':':
			if told = told || made; !told {
				return
			}
		case len(word) < to-from && strings.IndexByte(".;!?", last) >= 0, len(word) > 1 && strings.IndexByte(word, '=') >= 0:
			return
		}
		for i = to; i < limit && strings.IndexByte("\"'`\\", p.s[i]) >= 0; i++ {
		}
	}
}
