package secrets

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// This file finds values next to their names without a sign between: in pairs, elements, arguments and attributes.

// field matches the only field of an object whose name is a secret's: ApiKey{value=x}.
var field = regexp.MustCompile(`^[({]\s?["'\\]{0,8}(?i:value|string|data|plain|text|raw)["'\\]{0,8}\s?[:=]`)

// below matches the only field in YAML, on the line after the name.
var below = regexp.MustCompile(`^(?i:value|string|data|plain|text|raw):(?: |$)`)

// constant matches the shape of variables' names.
var constant = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// apart cuts out a password that is separated from its name by a sign without meaning: password;x, "password" / x,
// password[x].
func (p *pass) apart(n name, shut int) {
	i := shut
	for i < len(p.S) && i-shut < 16 && p.S[i] != '-' && p.S[i] != '\n' {
		r, size := utf8.DecodeRuneInString(p.S[i:])
		if unicode.IsLetter(r) || unicode.IsDigit(r) || size == 1 && p.GoesOn(i) {
			break
		}
		i += size
	}
	if n.kind != human || i >= len(p.S) || strings.Trim(p.S[n.to:i], " \t\"'`\\") == "" ||
		p.S[i-1] == '.' && p.S[i-2] != '.' || lex.Lower(p.S[n.from:n.to]) == "pass" { // an English word
		return
	}
	dotted := strings.HasSuffix(p.S[n.to:i], "....") // as HikariCP prints its settings
	if from, to, ok := p.Value(i, true); ok && (looks(p.S[from:to]) ||
		dotted && strings.Trim(strings.TrimLeft(p.S[from:to], ".<"), ">") != "masked") && !look.DNSName(p.S[from:to]) &&
		!constant.MatchString(p.S[from:to]) {
		p.cut(from, to)
	}
}

// blankLine separates a field of a form from its value.
var blankLine = regexp.MustCompile(`^(?:(?:\r|\\{1,8}r)?(?:\n|\\{1,8}n)){2}`)

func (p *pass) valueLabel(i int) (int, bool) {
	if c := lex.At(p.S, i); c == 0 || strings.IndexByte(" ,;\n\r\t\\", c) < 0 {
		return i, false
	}
	if m := blankLine.FindString(p.S[i:min(len(p.S), i+16)]); m != "" &&
		strings.Contains(p.S[max(0, i-lex.Longest):i], "name=") {
		return i + len(m), true
	}
	near := p.S[i:min(len(p.S), i+100)]
	if strings.IndexByte(near, 'v') < 0 && strings.IndexByte(near, 'V') < 0 {
		return i, false
	}
	m := label.FindStringIndex(near)
	if m == nil {
		return i, false
	}
	return i + m[1], true
}

// expect remembers that the value of a name may be on the next line: "- name: DB_PASSWORD".
func (p *pass) expect(n name, shut int) {
	if end := p.Blanks(shut, true); end < len(p.S) && !(p.S[end] == ',' && end+1 == len(p.S)) {
		return
	}
	if begin := n.from - len(`name="`); begin > 0 && len(p.S)-begin < lex.Longest && strings.Contains(p.S[:begin], "form-data;") {
		p.Open = "form-data; " + p.S[begin:] // behind an empty line
		return
	}
	before := strings.TrimRight(p.S[max(0, n.from-16):n.from], `\"' `)
	if before == "" || before[len(before)-1] != ':' && before[len(before)-1] != '=' {
		return
	}
	if before = lex.Lower(strings.TrimRight(before[:len(before)-1], `\"' `)); lex.EndsWith(before, "name", "key", "property") {
		p.Open = "name: credential" // a name after which sentences hold no secret
	}
}

// sibling is between elements of which one names the other's value: <key>password</key><string>x</string>.
var sibling = regexp.MustCompile(`^</[\w:.-]{1,32}>(?:(?:\s|\\{1,8}[nt]){0,40}<[\w:.-]{1,32}[^<>/]{0,32}>){1,2}`)

// element returns where the text begins of an element with that name, or with that attribute.
func (p *pass) element(n name, shut int) (int, bool) {
	from := n.from
	for from > 0 && n.from-from < lex.Longest && (lex.Wordly[p.S[from-1]] || p.S[from-1] == ':') {
		from--
	}
	if lex.StartsWith(p.S[shut:], "&gt;") && lex.EndsWith(p.S[:from], "&lt;") {
		return shut + len("&gt;"), true
	} else if i := shut + p.Slashes(shut); i > shut && lex.StartsWith(p.S[i:], "u003e") &&
		lex.StartsWith(p.S[from:], "u003c") {
		return i + len("u003e"), true
	}
	if lex.At(p.S, shut) == '<' && lex.At(p.S, shut+1) == '/' {
		if m := sibling.FindString(p.S[shut:min(len(p.S), shut+160)]); m != "" {
			return shut + len(m), true
		}
		if m := closes.FindString(p.S[shut:min(len(p.S), shut+lex.Farthest)]); m != "" && shut+len(m) == len(p.S) {
			p.Open = "<name>password</name>" // its sibling is on the next line
		}
		return 0, false
	}
	if lex.At(p.S, from-1) != '<' && shut == n.to || p.S[n.from] == '.' { // at <.Values.password>: of Go's templates
		return 0, false
	}
	m := attributes.FindString(p.S[shut:min(len(p.S), shut+lex.Farthest)])
	switch i := shut + len(m); {
	case !strings.HasSuffix(m, ">"):
		if i == len(p.S) && lex.At(p.S, from-1) == '<' { // the rest is on the next line
			p.Open = "<password"
		}
		return 0, false
	case i == len(p.S):
		p.Open = "<password>"
		return 0, false
	case p.S[i] == ' ' && strings.IndexByte(p.S[i:min(len(p.S), i+lex.Near)], '<') < 0: // AUTH <password> called without
	case p.S[i] != '<' && p.S[i] != '>':
		return i, true
	case p.S[i] == '<':
		inner := inside.FindString(p.S[i:min(len(p.S), i+lex.Longest)])
		return i + len(inner), inner != ""
	}
	return 0, false
}

// inside matches what may be between an element's beginning and its text.
var inside = regexp.MustCompile(`^<(?:!\[CDATA\[|(?i:value|string)>)`)

// attributes matches what is between an element's name and its text.
var attributes = regexp.MustCompile(`^(?:(?:\s|\\{1,8}[nt])+[\w:-]{1,32}=\\{0,8}["'][^"'<>]{0,160}["'])*(?:\s|\\{1,8}[nt])*>?`)

// closes matches the end of an element at the end of a line.
var closes = regexp.MustCompile(`^</[\w:.-]{1,32}>\s*$`)

// row returns the value of a name that begins a line of two columns: password x.
func (p *pass) row(n name, shut int) (from, to int) {
	from = p.Blanks(shut, false)
	if c := lex.At(p.S, n.from-1); from-shut < 2 ||
		n.from > 0 && c != '\n' && (c != 'n' || lex.At(p.S, n.from-2) != '\\') {
		return from, from
	}
	for to = from; to < len(p.S) && to-from < lex.CommandLength && strings.IndexByte(" \t\r\n\\\"", p.S[to]) < 0; to++ {
	}
	if c := lex.At(p.S, to); c == ' ' || c == '\t' || strings.ToUpper(p.S[from:to]) == p.S[from:to] {
		return from, from // a header, or a cell of a longer row
	}
	return from, to
}

// logsIn reports whether a password follows at i in a .netrc file, or in a similar command.
func (p *pass) logsIn(i int) bool {
	before := p.S[max(0, i-160):i]
	if before == "" || before[len(before)-1] > ' ' {
		return false
	}
	words := append(make([]string, 4, 16), strings.Fields(before)...)
	words = words[len(words)-4:]
	switch keyword := words[2]; {
	case lex.EndsWith(keyword, "username", "neighbor"):
		return true
	case lex.EndsWith(keyword, "login"):
		return lex.EndsWith(words[0], "machine") || lex.EndsWith(words[1], "default")
	case keyword == "connect":
		return lex.EndsWith(words[1], "wifi")
	}
	return lex.EndsWith(words[3], "enable")
}

// In a bracketed pair of Lisp, Erlang, Elixir or Python, and after a name with a colon in front, the quoted text is the
// value: {password,"x"}, {<<"token">>, <<"x">>}, (:token . "x"), :token "x", (setq token "x"), ["password", "x"].
var (
	pairOpens = regexp.MustCompile(`(?:[({[](?:(?:set[qf]|def\w*)\s{1,4})?[:\\"'<\s]{0,8}|[({\s]:)$`)
	pairParts = regexp.MustCompile(`^(?:>>)?(?:\s{0,8},\s{0,8}|\s\.?\s{0,8})(?:<<|[NUBRnubr]{1,2})?\\{0,8}["']`)
)

// amongNames are names that appear next to a secret's in a list of names.
var amongNames = regexp.MustCompile(`(?i)^\W*(?:\w*name|user|login|e?mail|host|port|database|url|uri|id|required|missing|expired|invalid|denied|configmap|secret|serviceaccount|volume)s?\W*$`)

func (p *pass) pair(n name, shut int) (from, to int, ok bool) {
	m := pairParts.FindString(p.S[shut:min(len(p.S), shut+40)])
	if m == "" || p.S[n.from] == '-' || !pairOpens.MatchString(p.S[max(0, n.from-24):n.from]) {
		return 0, 0, false
	}
	from = shut + len(strings.TrimRight(m, `\"'`))
	to, _, ok = p.Quoted(from)
	if opens := strings.TrimRight(p.S[max(0, n.from-24):n.from], "\\\"' "); strings.HasSuffix(opens, "[") {
		kind := lex.Lower(p.S[n.from:n.to]) == "secret" && english.MatchString(strings.Trim(p.S[from:to], "\\\"'"))
		ok = ok && !kind && lex.At(p.S, p.Blanks(to, false)) == ']' && p.S[n.to-1] != 's' &&
			!amongNames.MatchString(p.S[from:to])
	}
	return from, to, ok && (!secretName.MatchString(p.S[from:to]) || looks(p.S[from:to]))
}

// between separates a name from its argument; for an option that may be the next line of a list.
var between = map[bool]*regexp.Regexp{false: regexp.MustCompile(`^[ ,]{0,8}`),
	true: regexp.MustCompile(`^[ ,]{0,8}(?:(?:\n|\\{1,4}n)[ \t]{0,40}(?:- )?)?`)}

// verbs follow an option in a message about it.
var verbs = lex.WordSet("is are was must cannot can requires needs not and or flag option has may should")

// argument returns what follows the name of an option on a command line, in words or in a vector. What follows a merely
// quoted name, as in a tuple, has to look like a secret.
func (p *pass) argument(n name) (from, to int, ok bool) {
	option := p.S[n.from] == '-' && lex.At(p.S, n.from+1) != ' ' || n.kind == setting ||
		n.kind == human && p.logsIn(n.from) ||
		slices.ContainsFunc(setters, func(s string) bool { return strings.HasSuffix(p.S[:n.from], s) })
	i := p.ShutName(n.to)
	for _, bar := range []string{"|", "│", "┃"} { // between the cells of a table, not after a shell's $TOKEN
		if j := p.Blanks(i, false); strings.HasPrefix(p.S[j:], bar) && strings.IndexByte("${/.", lex.At(p.S, n.from-1)) < 0 {
			from, to, _ = p.Word(j+len(bar), min(len(p.S), j+lex.Near))
			return from, to, looks(p.S[from:to])
		}
	}
	if i == n.to && !option {
		return p.pair(n, i)
	}
	if i > n.to+1 && p.Quote(i-1) != 0 && p.Quote(n.to) != 0 { // "password"'x'
		for to = i; to < len(p.S) && to-i < lex.Near && p.Quote(to) == 0 && p.S[to] > ' '; to++ {
		}
		return i, to, p.Quote(to) != 0 && looks(p.S[i:to])
	}
	next := i + len(between[option].FindString(p.S[i:min(len(p.S), i+lex.Longest)]))
	if from, to, ok := p.pair(n, i); ok {
		return from, to, true
	}
	if option && p.Blanks(i, true) == len(p.S) {
		p.Open = "--password"
	}
	if next == i || !option && (p.S[i] != ',' || p.Quote(next+p.Slashes(next)) == 0) {
		return 0, 0, false
	}
	limit := min(len(p.S), next+lex.Near)
	if from, to, _ = p.Word(next, limit); to == from+1 && lex.At(p.S, to) == ' ' &&
		strings.IndexByte("0578", p.S[from]) >= 0 {
		from, to, _ = p.Word(to, limit) // after its kind, as in routers' configurations
	}
	if to == limit {
		to = p.Bare(to)
	}
	if to <= from || p.S[from] == '-' || !option && !looks(p.S[from:to]) ||
		(n.kind == setting || p.S[n.from] == '-') && verbs[p.S[from:to]] {
		return 0, 0, false
	}
	word := p.S[from:to] // in a program's usage: --password PASSWORD, --token string
	return from, to, word != "string" && (len(word) < 3 || !strings.HasSuffix(strings.ToUpper(p.S[n.from:n.to]), word))
}
