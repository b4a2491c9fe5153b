package secrets

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// named cuts out what follows a secret's name: as its value, as the value of an attribute that it names, in its
// element, as an argument, or in a sentence.
func named(p *pass, at, end int) int {
	n := words.NameAt(p.S, at, end)
	p.blames(n)
	if n.Kind == words.None ||
		n.Kind != words.Human && at > 0 && p.S[at-1] == ' ' && lex.EndsWith(p.S[:n.To], ofParsers...) ||
		lex.EndsWith(p.S[:n.From], "checksum/") && aSum.MatchString(p.S[n.To:]) { // of Helm's charts
		return at + 1
	}
	p.below(n)
	p.playing(n)
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
	n := words.NameAt(p.S, at, end)
	before := p.S[n.From:at]
	joined := before != "" && strings.IndexByte("_-.", before[len(before)-1]) < 0 && !lex.EndsWith(before, "basic")
	if n.To > end || joined && (lex.Small[p.S[at]] != 'p' || lex.Small[p.S[at+1]] == 'i') { // rootpw, no spin
		return at + 1
	}
	n.Kind = words.Brief
	if word := lex.Lower(p.S[at:end]); word == "pw" && joined && lex.At(p.S, n.To) == ' ' {
		n.Kind = words.Setting // bindpw x
	} else if word == "pw" || word == "psk" {
		n.Kind = words.Human
	}
	if lex.Small[p.S[at]] == 'a' && lex.Small[p.S[at+1]] == 'u' { // auth
		shut := p.ShutName(n.To)
		value, _, ok := p.Sign(shut)
		if before == "" && !ok && (p.S[at:end] == "AUTH" || p.Quote(at-1) != 0) { // of Redis
			if from := p.quotedWords(shut); from > shut {
				return p.Cut(shut, from)
			}
			n.Kind = words.Human
			p.sentence(n, shut)
		}
		value = p.Blanks(value, false)
		switch {
		case !ok, before != "" && before[len(before)-1] != '_' && !lex.StartsWith(before, "x-") &&
			!lex.EndsWith(before, "basic"), // --anonymous-auth
			before == "" && (shut == n.To || p.Quote(value+p.Slashes(value)) == 0):
			return at + 1
		case before == "":
			n.Kind = words.Human // a registry's, in dockerconfigjson
		}
	}
	return p.behind(n, at+1)
}

// quotedWords returns the end of the quoted words that follow.
func (p *pass) quotedWords(i int) int {
	end := i
	for {
		next := p.Blanks(end, false)
		if quote := next + p.Slashes(next); lex.At(p.S, quote) != '"' || quote == end {
			return end
		}
		to, _, ok := p.Within(next, next+lex.CommandLength)
		if !ok {
			return end
		}
		end = to
	}
}

// behind cuts out the value of the name; if there is none, the search continues at next.
func (p *pass) behind(n words.Name, next int) int {
	shut := p.ShutName(n.To)
	if i := p.Numbered(shut, n.Kind == words.Human); i > shut && n.Kind != words.Object {
		shut = i
	}
	if i, tight, ok := p.Sign(shut); ok {
		return p.assigned(n, i, tight && shut == n.To, next)
	}
	p.expect(n, shut)
	if i, ok := p.valueLabel(shut); ok {
		if from, to, ok := p.Value(i, true); ok && n.Kind != words.Object && n.Kind != words.Suspect {
			return p.Cut(from, to)
		}
		return next
	}
	if from, to := p.row(n, shut); to > from && n.Kind == words.Human {
		return p.Cut(from, to)
	}
	switch n.Kind {
	case words.Brief, words.Suspect:
		return next
	case words.Object:
		p.sentence(n, shut)
		return next
	}
	if i, ok := p.element(n, shut); ok {
		return p.inElement(i, next)
	}
	if lex.At(p.S, n.To) == '(' && ofPod.MatchString(p.S[n.From:min(len(p.S), n.To+16)]) {
		return next
	}
	if from, to, ok := p.called(n); ok {
		return p.Cut(from, to)
	}
	if from, to, ok := p.argument(n); ok {
		return p.Cut(from, to)
	}
	p.sentence(n, shut)
	p.apart(n, shut)
	return next
}

// assigned cuts out the value of a name behind its sign, where i is. A tight colon may be before an image's tag.
func (p *pass) assigned(n words.Name, i int, tight bool, next int) int {
	sign := lex.At(p.S, i-1)
	if n.Kind == words.Object && (sign == '=' || sign == ':') &&
		strings.IndexByte("=:!?+|~", lex.At(p.S, i-2)) >= 0 { // in source code
		return next
	}
	if lex.EndsWith(p.S[:n.To], "passwords") && indented.MatchString(p.S[i:min(len(p.S), i+16)]) {
		if to, ok := p.Block(i - 1); ok && to > i { // the passwords of several names
			return p.Cut(i, to)
		}
		p.Open = "passwords:"
		return next
	}
	from, to, ok := p.Value(i, sign != ':')
	if ok && !(tight && n.IsTag(p.S, from, to)) && !n.Harmless(p.S, from, to) {
		to = p.restOfLine(n, from, to)
		// The value may be an option, or another name, after a word that is part of a message.
		if p.Cut(from, to); p.S[from] == '-' || to-from < lex.Longest && words.Named(p.S[from:to]) {
			return next
		}
		return to
	}
	if ok || n.Kind != words.Human && n.Kind != words.Machine {
		return next
	}
	j := p.Blanks(i, true)
	near := p.S[j:min(len(p.S), j+lex.Longest)]
	if strings.HasPrefix(near, "{") {
		end := p.Closed(j, lex.CommandLength)
		if n.Kind == words.Human && !describes.MatchString(near) { // {"password":{"old":"x","new":"y"}}
			return max(next, p.Cut(j, p.Closed(j, lex.Near)))
		} else if m := valued.FindStringIndex(p.S[j:end]); m != nil {
			if from, to, ok := p.Value(j+m[1], true); ok {
				return max(next, p.Cut(from, to))
			}
		}
	} else if m := below.FindString(near); m != "" {
		if from, to, ok := p.Value(j+len(m), false); ok {
			return max(next, p.Cut(from, to))
		}
	}
	return next
}

// below matches the only field in YAML, on the line after the name.
var below = regexp.MustCompile(`^(?i:value|string|data|plain|text|raw):(?: |$)`)

// valued matches the name of an object's field that is its secret: {"credentials":{"user":"a","value":"x"}}.
var valued = regexp.MustCompile(`[{,\s]["'\\]{0,8}(?i:value|plain|plaintext|raw)["'\\]{0,8}\s?[:=]`)

// describes matches the beginning of an object that is about a password and holds none: a schema, or where it is.
var describes = regexp.MustCompile(`^\{[\s\\"']{0,16}(?:$|[}{]|(?:type|description|format|required|title|enabled|name|key|` +
	`valueFrom|secretKeyRef|secretName|existingSecret|file|path|\$ref)\b)`)

// onlyWords matches the rest of a line if only words are there.
var onlyWords = regexp.MustCompile(
	`^(?: [^\s=:,;|&#"'<>(){}\[\]\\/-][^\s=:,;|&#"'<>(){}\[\]\\]*){1,8}[ \t]*(?:\r?\n|$)`)

// restOfLine returns where a password ends that has a line for itself, as in YAML and in a list of variables: it may
// contain blanks, if its first word is no password by itself.
func (p *pass) restOfLine(n words.Name, from, to int) int {
	before := strings.TrimRight(strings.TrimSuffix(p.S[max(0, n.From-lex.Longest):n.From], "export "), " \t-")
	if n.Kind != words.Human || lex.At(p.S, to) != ' ' || p.Quote(to-1) != 0 || p.S[to-1] == ']' ||
		words.Looks(p.S[from:to]) ||
		before != "" && before[len(before)-1] != '\n' && !lex.EndsWith(p.S[:n.To], "phrase") {
		return to
	}
	return to + len(strings.TrimRight(onlyWords.FindString(p.S[to:min(len(p.S), to+lex.Farthest)]), "\r\n"))
}

// indented matches what is between a name in YAML and its fields.
var indented = regexp.MustCompile(`^[ \t]*(?:$|(?:\r?\n|\\{1,8}n)[ \t])`)
