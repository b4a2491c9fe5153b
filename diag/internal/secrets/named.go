package secrets

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// named cuts out what stands behind a secret's name: as its value, as the value of an attribute that it names, in its
// element, as an argument, or in a sentence.
func named(p *pass, at, end int) int {
	n := p.name(at, end)
	if n.kind == none {
		return at + 1
	}
	return p.behind(n, at+1)
}

// shortNamed is named for names that are no part of a longer word.
func shortNamed(p *pass, at, end int) int {
	for end > at && !letter(p.s[end-1]) {
		end--
	}
	n := p.name(at, end)
	before := p.s[n.from:at]
	joined := before != "" && strings.IndexByte("_-.", before[len(before)-1]) < 0 && lowerASCII(before) != "basic"
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
			lowerASCII(before) != "basic", // --anonymous-auth
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
			i += runeLength(p.s[i:])
		default:
			return i
		}
	}
	return i
}

func runeLength(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

// behind cuts out what the name is of; without any the search goes on at next.
func (p *pass) behind(n name, next int) int {
	shut := p.shutName(n.to)
	if i := p.numbered(n, shut); i > shut && n.kind != object {
		shut = i
	}
	if i, tight, ok := p.sign(shut); ok {
		equals := at(p.s, i-1) != ':'
		if n.kind == object && (p.s[i-2:i] == "==" || p.s[i-2:i] == ":=") { // of a program's text
			return next
		}
		from, to, ok := p.value(i, equals)
		if ok && !(tight && p.isTag(n, from, to)) && !p.harmless(n, from, to) {
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
	if at(p.s, n.to) == '(' && p.quoteAt(n.to+1) != 0 { // PASSWORD('x')
		if end, _, ok := p.quoted(n.to + 1); ok {
			return p.cut(n.to+1, end)
		}
	}
	if from, to, ok := p.argument(n); ok {
		return p.cut(from, to)
	}
	p.sentence(n, shut)
	return next
}

var index = regexp.MustCompile(`^\[[\\"'\w.-]{1,64}\][ \t]?[=:]`)

// numbered returns what follows a number of several secrets: "Unseal Key 1: x", password[0]=x. Behind a field's path,
// secrets[0]: x, stands a sentence.
func (p *pass) numbered(n name, i int) int {
	if m := index.FindString(p.s[i:min(len(p.s), i+80)]); m != "" && (n.kind == human || m[len(m)-1] == '=') {
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

var (
	version    = regexp.MustCompile(`^v?\d+(\.\d+)*([.-][\w.-]*)?\W?$`)
	tag        = regexp.MustCompile(`^(?:latest|stable|main|master|edge|nightly|dev|alpine)\W?$`)
	anyTag     = regexp.MustCompile(`^\w[\w.-]*\W?$`)
	keyName    = regexp.MustCompile(`^/?(?:[a-z0-9.-]+/){0,6}[a-z0-9.:-]+/[a-z0-9.*:-]+$`)
	dottedName = regexp.MustCompile(`^[a-z-]+(?:\.[a-z-]+)+$`)
	secretName = regexp.MustCompile(`(?i)pass|pwd|secret|token|key|credential`)
	literal    = regexp.MustCompile(`^(?:|true|True|false|False|YES|NO|nil|null|<nil>|[Nn]one)$`)
)

// isTag: an image that is called like a secret has a tag, and what a program prints of an object goes on within it.
func (p *pass) isTag(n name, from, to int) bool {
	v, word := p.s[from:to], p.s[n.from:n.to]
	inPath := at(p.s, n.from-1) == '/' || strings.IndexByte(word, '.') >= 0
	return lowerASCII(word) == word && len(v) <= 128 && (inPath && anyTag.MatchString(v) ||
		version.MatchString(v) || tag.MatchString(v)) ||
		n.kind == machine && len(v) < 256 && keyName.MatchString(v) ||
		(v[0] == '&' || v[0] == '*') && strings.ContainsRune(v, '{')
}

// failures are what programs print behind a path or an object that is called like a secret.
var failures = regexp.MustCompile(`^(?i:no such file or directory|permission denied|operation not permitted|` +
	`(?:is|not) a directory|` +
	`file exists|(?:unexpected )?eof|input/output error|read-only file system|no space left on device|` +
	`too many open files|bad file descriptor|device or resource busy|stale (?:nfs )?file handle|` +
	`failed to|unexpected status|invalid username(?:/password)?|dial tcp|rpc error|(?:get|post|put|patch) \\*"https?://[^"]*"|context (?:deadline exceeded|canceled)|unauthorized|` +
	`(?:secrets?|configmaps?|object|serviceaccounts?) "[^"]*"(?:/"[^"]*")? (?:not (?:found|registered)|is forbidden)|` +
	`path escapes from parent|executable file not found|unexpected end of|neither a bundle nor a log)` +
	`(?:[\s"'` + "`" + `\\,;)}\]⏎…]|[.:](?:\s|$)|$)`) // "eof-x7Kq" is a value

// harmless: what follows the name says why it could not be read, as in "open /run/token: permission denied", or is no
// secret whatever it is of.
func (p *pass) harmless(n name, from, to int) bool {
	rest := p.s[from:min(len(p.s), from+300)]
	if strings.IndexByte("npoifeirtsbducg", small[rest[0]]) >= 0 && failures.MatchString(rest) {
		return true
	}
	if to-from > near {
		return false
	}
	bare := strings.Trim(p.s[from:to], "\\\"'`")
	switch n.kind {
	case brief:
		return len(bare) < shortest || literal.MatchString(bare)
	case object: // namespace/name, a label or a taint, or the name of what is a secret: <add key="Password" value="x"/>
		_, turns := look.Mixture(bare)
		return len(bare) < shortest && (len(bare) < 4 || turns < 2) || keyName.MatchString(bare) ||
			dottedName.MatchString(bare) ||
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

// label is what names an attribute's value: <add key="Password" value="x"/>, Name:API_TOKEN Value:x, and over lines.
var label = regexp.MustCompile(`(?i)^[\s,;]{1,40}[\\"']{0,8}value[\\"']{0,8}\s{0,8}[:=]`)

func (p *pass) valueLabel(i int) (int, bool) {
	if c := at(p.s, i); c != ' ' && c != ',' && c != '\n' && c != '\r' && c != ';' && c != '\t' {
		return i, false
	}
	m := label.FindStringIndex(p.s[i:min(len(p.s), i+100)])
	if m == nil {
		return i, false
	}
	return i + m[1], true
}

// expect tells that the value of a name may stand in the next line: "- name: DB_PASSWORD".
func (p *pass) expect(n name, shut int) {
	if end := p.blanks(shut, true); end < len(p.s) && !(p.s[end] == ',' && end+1 == len(p.s)) {
		return
	}
	before := strings.TrimRight(p.s[max(0, n.from-16):n.from], `\"' `)
	if before == "" || before[len(before)-1] != ':' && before[len(before)-1] != '=' {
		return
	}
	if before = lowerASCII(strings.TrimRight(before[:len(before)-1], `\"' `)); strings.HasSuffix(before, "name") {
		p.open = "name: credential" // of which no sentence is a secret
	}
}

// element returns where the text of an element of that name, or with that attribute, begins.
func (p *pass) element(n name, shut int) (int, bool) {
	from := n.from
	for from > 0 && n.from-from < longest && (wordly[p.s[from-1]] || p.s[from-1] == ':') {
		from--
	}
	if at(p.s, from-1) != '<' && shut == n.to {
		return 0, false
	}
	if i := p.blanks(shut, false); at(p.s, i) == '>' && i+1 < len(p.s) && p.s[i+1] != '<' {
		return i + 1, true
	}
	return 0, false
}

// setters set the variable whose name is behind them to the next word, in shells and in files of images.
var setters = []string{"setenv ", "set -x ", "set -gx ", "ENV "}

// netrc is what stands before a password in the file of that name.
var netrc = regexp.MustCompile(`\b(?:machine\s+\S+|default)\s+login\s+\S+\s+$`)

// argument returns what follows the name of an option on a command line, in words or in a vector. What was named in
// quotes alone, as in a tuple, has to look like a secret.
func (p *pass) argument(n name) (from, to int, ok bool) {
	option := p.s[n.from] == '-' && at(p.s, n.from+1) != ' ' || n.kind == setting ||
		n.kind == human && netrc.MatchString(p.s[max(0, n.from-160):n.from]) ||
		slices.ContainsFunc(setters, func(s string) bool { return strings.HasSuffix(p.s[:n.from], s) })
	i := p.shutName(n.to)
	for _, bar := range []string{"|", "│", "┃"} { // between the cells of a table, not behind a shell's $TOKEN
		if j := p.blanks(i, false); strings.HasPrefix(p.s[j:], bar) && strings.IndexByte("${/.", at(p.s, n.from-1)) < 0 {
			from, to, _ = p.word(j+len(bar), len(p.s))
			return from, to, looks(p.s[from:to])
		}
	}
	if i == n.to && !option {
		return 0, 0, false
	}
	if i > n.to+1 && p.quoteAt(i-1) != 0 && p.quoteAt(n.to) != 0 { // "password"'x'
		for to = i; to < len(p.s) && to-i < near && p.quoteAt(to) == 0 && p.s[to] > ' '; to++ {
		}
		return i, to, p.quoteAt(to) != 0 && looks(p.s[i:to])
	}
	next := i
	for next < len(p.s) && next-i < 8 && (p.s[next] == ' ' || p.s[next] == ',') {
		next++
	}
	if next == i || !option && (p.s[i] != ',' || p.quoteAt(next+p.slashes(next)) == 0) {
		return 0, 0, false
	}
	from, to, _ = p.word(next, len(p.s))
	if to <= from || p.s[from] == '-' || !option && !looks(p.s[from:to]) {
		return 0, 0, false
	}
	return from, to, true
}

var (
	date      = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)
	dnsName   = regexp.MustCompile(`^[a-z]+(?:-[a-z0-9]+)+$`)
	bootstrap = regexp.MustCompile(`^[a-z0-9]{6}\.[a-z0-9]{16}$`)
)

// looks tells what may be a secret in a sentence, which goes on with words, as in "password authentication failed".
func looks(v string) bool {
	return len(v) >= shortest && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter) &&
		(len(v) > 128 || !version.MatchString(v)) && !date.MatchString(v)
}

// accused is a name of which a sentence shows the secret next: "invalid token x". apiKey is one that always does, and
// that is no object's.
var (
	accused = regexp.MustCompile(`(?i)\b(?:invalid|incorrect|bad|wrong|unknown|with|using) \w+$`)
	apiKey  = regexp.MustCompile(`(?i)\b(?:api|access|private|encryption)[ _-]?key$`)
)

// english is a word, not a token: with neither digits nor capitals within, and shorter than one would be.
var english = regexp.MustCompile(`^[A-Z]?[a-z-]{0,15}[.,:;]?$`)

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
	ofAPI := apiKey.MatchString(p.s[max(0, n.to-12):n.to])
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
		first, quoted := count == 0, false
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
		word := strings.TrimRight(p.s[from:to], ".,;:!?)]}>")
		isSecret := looks(word) && (told || first && (n.kind == human || n.kind == machine &&
			(ofAPI || !dnsName.MatchString(word)) && !startsWith(p.s[n.from:], "secret") &&
			!strings.HasSuffix(p.s[:n.to], "s") && (ofAPI || quoted || accused.MatchString(p.s[max(0, n.from-12):n.to]))))
		if isSecret || first && n.kind == machine && bootstrap.MatchString(word) {
			p.cut(from, from+len(word))
			return
		}
		told = word == "="
		switch lowerASCII(word) {
		case "is", "was":
			told, made = first || made, true
		case "to", "default": // "AUTH default x"
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
