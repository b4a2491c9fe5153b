package secrets

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// named cuts out what follows a secret's name: as its value, as the value of an attribute that it names, in its
// element, as an argument, or in a sentence.
func named(p *pass, at, end int) int {
	n := p.name(at, end)
	p.blames(n)
	if n.kind == none || n.kind != human && at > 0 && p.S[at-1] == ' ' && lex.EndsWith(p.S[:n.to], ofParsers...) ||
		lex.EndsWith(p.S[:n.from], "checksum/") && aSum.MatchString(p.S[n.to:]) { // of Helm's charts
		return at + 1
	}
	p.below(n)
	return p.behind(n, at+1)
}

// aSum matches what follows the name of a checksum.
var aSum = regexp.MustCompile(`^["']?\s*[:=]\s*["']?(?:[0-9a-f]{40}|[0-9a-f]{64})(?:[^0-9a-z]|$)`)

// ofParsers precede a name in programs' messages: tokens of a text, and keys that an object lacks.
var ofParsers = []string{"unexpected token", "illegal token", "near token", "non-existent key",
	"non-existent secret key", "unknown key", "duplicate key", "public key", "cache key", "partition key", "primary key",
	"routing key"}

// shortNamed is like named, for names that are no part of a longer word.
func shortNamed(p *pass, at, end int) int {
	for end > at && !lex.Letter(p.S[end-1]) {
		end--
	}
	n := p.name(at, end)
	before := p.S[n.from:at]
	joined := before != "" && strings.IndexByte("_-.", before[len(before)-1]) < 0 && !lex.EndsWith(before, "basic")
	if n.to > end || joined && (lex.Small[p.S[at]] != 'p' || lex.Small[p.S[at+1]] == 'i') { // rootpw, no spin
		return at + 1
	}
	n.kind = brief
	if word := lex.Lower(p.S[at:end]); word == "pw" && joined && lex.At(p.S, n.to) == ' ' {
		n.kind = setting // bindpw x
	} else if word == "pw" || word == "psk" {
		n.kind = human
	}
	if lex.Small[p.S[at]] == 'a' && lex.Small[p.S[at+1]] == 'u' { // auth
		shut := p.ShutName(n.to)
		value, _, ok := p.Sign(shut)
		if before == "" && !ok && (p.S[at:end] == "AUTH" || p.Quote(at-1) != 0) { // of Redis
			if from := p.quotedWords(shut); from > shut {
				return p.cut(shut, from)
			}
			n.kind = human
			p.sentence(n, shut)
		}
		value = p.Blanks(value, false)
		switch {
		case !ok, before != "" && before[len(before)-1] != '_' && !lex.StartsWith(before, "x-") &&
			!lex.EndsWith(before, "basic"), // --anonymous-auth
			before == "" && (shut == n.to || p.Quote(value+p.Slashes(value)) == 0):
			return at + 1
		case before == "":
			n.kind = human // a registry's, in dockerconfigjson
		}
	}
	return p.behind(n, at+1)
}

// quotedWords returns the end of the quoted words that follow.
func (p *pass) quotedWords(i int) int {
	end := i
	for {
		next := p.Blanks(end, false)
		if next += p.Slashes(next); lex.At(p.S, next) != '"' || next == end {
			return end
		}
		to, _, ok := p.Within(p.Blanks(end, false), next+lex.CommandLength)
		if !ok {
			return end
		}
		end = to
	}
}

// behind cuts out the value of the name; if there is none, the search continues at next.
func (p *pass) behind(n name, next int) int {
	shut := p.ShutName(n.to)
	if i := p.Numbered(shut, n.kind == human); i > shut && n.kind != object {
		shut = i
	}
	if i, tight, ok := p.Sign(shut); ok {
		equals := lex.At(p.S, i-1) != ':'
		if before := lex.At(p.S, i-2); n.kind == object && (!equals || lex.At(p.S, i-1) == '=') && // in source code
			strings.IndexByte("=:!?+|~", before) >= 0 {
			return next
		}
		if j := p.Blanks(i, false); strings.HasPrefix(p.S[j:], "<<") && lex.At(p.S, j+2) != '"' {
			if to := here(p, j, j+2); to > j+2 {
				return to
			}
		}
		if lex.EndsWith(p.S[:n.to], "passwords") && indented.MatchString(p.S[i:min(len(p.S), i+16)]) {
			if to, ok := p.Block(i - 1); ok && to > i { // the passwords of several names
				return p.cut(i, to)
			}
			p.Open = "passwords:"
			return next
		}
		from, to, ok := p.Value(i, equals)
		if ok && !(tight && shut == n.to && p.isTag(n, from, to)) && !p.harmless(n, from, to) {
			to = p.restOfLine(n, from, to)
			// The value may be an option, or another name, after a word that is part of a message.
			if p.cut(from, to); p.S[from] == '-' || to-from < lex.Longest && secretName.MatchString(p.S[from:to]) {
				return next
			}
			return to
		}
		if j := p.Blanks(i, true); !ok && n.kind == human && lex.At(p.S, j) == '{' &&
			!describes.MatchString(p.S[j:min(len(p.S), j+lex.Longest)]) { // {"password":{"old":"x","new":"y"}}
			return max(next, p.cut(j, p.Closed(j, lex.Near)))
		} else if m := below.FindString(p.S[j:min(len(p.S), j+lex.Longest)]); !ok && n.kind == human && m != "" {
			if from, to, ok := p.Value(j+len(m), false); ok {
				return max(next, p.cut(from, to))
			}
		}
		return next
	}
	p.expect(n, shut)
	if i, ok := p.valueLabel(shut); ok {
		if from, to, ok := p.Value(i, true); ok && n.kind != object && n.kind != suspect {
			return p.cut(from, to)
		}
		return next
	}
	if from, to := p.row(n, shut); to > from && n.kind == human {
		return p.cut(from, to)
	}
	if n.kind == brief || n.kind == suspect {
		return next
	}
	if n.kind == object {
		p.sentence(n, shut)
		return next
	}
	if i, ok := p.element(n, shut); ok {
		to := i
		ends := "<"
		if e, ok := map[byte]string{';': "&lt;", 'e': `\u003c`}[lex.Small[p.S[i-1]]]; ok {
			ends = e
		}
		for to < len(p.S) && !lex.StartsWith(p.S[to:], ends) {
			to++
		}
		if text := strings.TrimSpace(p.S[i:to]); strings.HasPrefix(text, Mark) && strings.HasSuffix(text, Mark) {
			return next
		}
		return max(next, p.cut(i, to))
	}
	if c := lex.At(p.S, n.to); c == '(' || c == '{' { // PASSWORD('x')
		if i := n.to + 1 + p.Slashes(n.to+1); p.Quote(i) != 0 {
			if end, _, ok := p.Quoted(n.to + 1); ok {
				return p.cut(n.to+1, end)
			}
		} else if m := field.FindString(p.S[n.to:min(len(p.S), n.to+lex.Longest)]); m != "" {
			if from, to, ok := p.Value(n.to+len(m), true); ok {
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

// onlyWords matches the rest of a line if only words are there.
var onlyWords = regexp.MustCompile(
	`^(?: [^\s=:,;|&#"'<>(){}\[\]\\/-][^\s=:,;|&#"'<>(){}\[\]\\]*){1,8}[ \t]*(?:\r?\n|$)`)

// restOfLine returns where a password ends that has a line for itself, as in YAML and in a list of variables: it may
// contain blanks, if its first word is no password by itself.
func (p *pass) restOfLine(n name, from, to int) int {
	before := strings.TrimRight(strings.TrimSuffix(p.S[max(0, n.from-lex.Longest):n.from], "export "), " \t-")
	if n.kind != human || lex.At(p.S, to) != ' ' || p.Quote(to-1) != 0 || p.S[to-1] == ']' || looks(p.S[from:to]) ||
		before != "" && before[len(before)-1] != '\n' {
		return to
	}
	return to + len(strings.TrimRight(onlyWords.FindString(p.S[to:min(len(p.S), to+lex.Farthest)]), "\r\n"))
}

// indented matches what is between a name in YAML and its fields.
var indented = regexp.MustCompile(`^[ \t]*(?:$|(?:\r?\n|\\{1,8}n)[ \t])`)

// isTag reports whether the value is the tag of an image with a secret's name, or part of an object that a program
// printed.
func (p *pass) isTag(n name, from, to int) bool {
	v, word := p.S[from:to], p.S[n.from:n.to]
	inPath := lex.At(p.S, n.from-1) == '/' && n.from > 1 && (lex.Wordly[p.S[n.from-2]] || p.S[n.from-2] == '.') ||
		n.kind != human && strings.IndexByte(word, '.') >= 0
	return lex.Lower(word) == word && len(v) <= 128 && (inPath && anyTag.MatchString(v) ||
		version.MatchString(v) && (n.kind != human || strings.IndexByte(v, '.') > 0) ||
		n.kind != human && tag.MatchString(v)) ||
		n.kind == machine && len(v) < 256 && look.KeyName(v) ||
		(v[0] == '&' || v[0] == '*') && strings.ContainsRune(v, '{')
}

// harmless reports whether the text after the name says why it could not be read, as in "open /run/token: permission
// denied", or whether the value is never a secret.
func (p *pass) harmless(n name, from, to int) bool {
	rest := p.S[from:min(len(p.S), from+300)]
	if strings.IndexByte("npoifeirtsbducg", lex.Small[rest[0]]) >= 0 && failures.MatchString(rest) {
		return true
	}
	if strings.HasSuffix(p.S[:from], ": ") && prose.MatchString(rest[:min(len(rest), lex.Longest)]) {
		return true
	}
	if to-from > lex.CommandLength {
		return false
	}
	bare := strings.Trim(p.S[from:to], "\\\"'`")
	if third := p.S[from : from+(to-from)/3]; bare == "" && strings.Repeat(third, 3) == p.S[from:to] {
		return false // three quotes open a longer value
	}
	switch n.kind {
	case suspect:
		return len(bare) == 64 || !look.Made(bare)
	case brief:
		return len(bare) < shortest || literal.MatchString(bare)
	case object: // namespace/name, a label or a taint, or a secret's name: <add key="Password" value="x"/>
		_, turns := look.Mixture(bare)
		return len(bare) < shortest && (len(bare) < 4 || turns < 2) || look.KeyName(bare) ||
			look.Joined(bare) ||
			!strings.ContainsAny(bare, "0123456789") && secretName.MatchString(bare) ||
			strings.IndexByte("?&", lex.At(p.S, n.from-1)) >= 0 && english.MatchString(bare)
	}
	return literal.MatchString(bare) || n.kind == machine && amount(lex.Lower(p.S[n.from:n.to]), bare)
}

// amount reports whether the value is a number of tokens, or of seconds that one is valid.
func amount(name, value string) bool {
	return (strings.HasSuffix(name, "seconds") || strings.Contains(name, "token") && !strings.HasSuffix(name, "token")) &&
		strings.Trim(value, "0123456789.,") == ""
}

// looks reports whether a word may be a secret in a sentence, which continues with words, as in "password
// authentication failed".
func looks(v string) bool {
	v = v[:min(len(v), lex.Near/8)]
	return len(v) >= shortest && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter) &&
		(len(v) > 128 || !version.MatchString(v)) && !date.MatchString(v) && !sized.MatchString(v)
}

const (
	// shortest is the minimum length of a value if its name is ambiguous.
	shortest       = 6
	sentenceWords  = 8
	sentenceLength = 160
)

// sentence cuts out of a sentence what looks like the secret that it mentions: after the name, after "is", "was" or
// "to", or after a colon.
func (p *pass) sentence(n name, shut int) {
	if last := p.S[n.to-1]; !lex.Wordly[last] && last < 0x80 || last == '-' ||
		strings.IndexByte(" \t\"'`:", lex.At(p.S, shut)) < 0 {
		return
	}
	// made: a secret is announced, not used; told: the next word is the secret.
	made, told := n.kind == human, false
	ofAPI := lex.EndsWith(p.S[:n.to], "key") && lex.EndsWith(strings.TrimRight(p.S[max(0, n.to-16):n.to-3], " _-"),
		"api", "access", "private", "encryption") // the secret always follows, and is not an object's name
	limit := min(len(p.S), shut+sentenceLength)
	for i, count := shut, 0; count < sentenceWords; count++ {
		from := p.Blanks(i, told)
		if next := p.Blanks(i, true); count == 0 && n.kind == human && p.Quote(next) != 0 {
			from = next
		}
		if told && from >= len(p.S) && n.kind != object {
			p.Open = "the password is"
			return
		}
		if from == i && count > 0 {
			return
		}
		first, quoted, opens := count == 0, false, from
		for from < limit && strings.IndexByte("\"'`\\[(", p.S[from]) >= 0 && !strings.HasPrefix(p.S[from:], Mark) {
			quoted = quoted || p.S[from] != '[' && p.S[from] != '('
			from++
		}
		to := from
		for to < limit && strings.IndexByte(" \t\r\n\"'`\\", p.S[to]) < 0 {
			to++
		}
		if to == from {
			return
		}
		if quoted && (n.kind == human || ofAPI && first || n.kind == machine &&
			strings.IndexByte(p.S[n.from:n.to], '_') >= 0) && (told || first && shut == n.to) {
			if end, _, ok := p.Within(opens, limit); ok {
				p.cut(opens, end)
				return
			}
		}
		word := strings.TrimRight(p.S[from:to], ".,;:!?)]}>")
		digits := len(word) >= shortest && strings.Trim(word, "0123456789") == ""
		isSecret := told && !first && digits && n.kind == human ||
			first && n.kind == machine && look.Made(word) ||
			looks(word) && (told || first && (n.kind == human || n.kind == machine &&
				(ofAPI || !look.DNSName(word)) && !lex.StartsWith(p.S[n.from:], "secret") &&
				!strings.HasSuffix(p.S[:n.to], "s") && (ofAPI || quoted || accused.MatchString(p.S[max(0, n.from-12):n.to]))))
		if isSecret || first && n.kind == machine && bootstrap.MatchString(word) {
			p.cut(from, from+len(word))
			return
		}
		told = word == "="
		switch lex.Lower(word) {
		case "is", "was", "ist", "lautet", "est", "es", "è", "é", "är", "jest":
			told, made = first || made, true
		case "to", "eq", "default": // "AUTH default x"
			told = made
		case "provided", "generated", "created", "issued", "new":
			made = n.kind != object
		case "failed", "failure", "fail", "expired", "error", "not", "missing", "denied", "required", "and", "or":
			return
		}
		switch last := p.S[to-1]; {
		case last == ':':
			if told = told || made; !told {
				return
			}
		case len(word) < to-from && strings.IndexByte(".;!?", last) >= 0, len(word) > 1 && strings.IndexByte(word, '=') >= 0:
			return
		}
		for i = to; i < limit && strings.IndexByte("\"'`\\", p.S[i]) >= 0 && p.Blanks(i, true) == i; i++ {
		}
	}
}
