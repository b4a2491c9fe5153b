package secrets

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// This file finds values next to their names without a sign between: in pairs, in rows, and as arguments.

// constant matches the shape of variables' names.
var constant = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// apart cuts out a password that is separated from its name by a sign without meaning: password;x, "password" / x,
// password[x].
func (p *pass) apart(n words.Name, shut int) {
	i := shut
	for i < len(p.S) && i-shut < 16 && p.S[i] != '-' && p.S[i] != '\n' {
		r, size := utf8.DecodeRuneInString(p.S[i:])
		if unicode.IsLetter(r) || unicode.IsDigit(r) || size == 1 && p.GoesOn(i) {
			break
		}
		i += size
	}
	if n.Kind != words.Human || i >= len(p.S) || strings.Trim(p.S[n.To:i], " \t\"'`\\") == "" ||
		paired.MatchString(p.S[i:min(len(p.S), i+lex.Farthest)]) ||
		p.S[i-1] == '.' && p.S[i-2] != '.' || lex.Lower(p.S[n.From:n.To]) == "pass" { // an English word
		return
	}
	dotted := strings.HasSuffix(p.S[n.To:i], "....") // as HikariCP prints its settings
	if from, to, ok := p.Value(i, true); ok && (words.Looks(p.S[from:to]) ||
		dotted && strings.Trim(strings.TrimLeft(p.S[from:to], ".<"), ">") != "masked") && !look.DNSName(p.S[from:to]) &&
		!constant.MatchString(p.S[from:to]) {
		p.Cut(from, to)
	}
}

// row returns the value of a name that begins a line of two columns: password x.
func (p *pass) row(n words.Name, shut int) (from, to int) {
	from = p.Blanks(shut, false)
	if c := lex.At(p.S, n.From-1); from-shut < 2 && lex.At(p.S, shut) != '\t' ||
		n.From > 0 && c != '\n' && p.Quote(n.From-1) == 0 && (c != 'n' || lex.At(p.S, n.From-2) != '\\') {
		return from, from
	}
	for to = from; to < len(p.S) && to-from < lex.CommandLength && strings.IndexByte(" \t\r\n\\\"", p.S[to]) < 0; to++ {
	}
	if p.Blanks(to, false) > to || strings.ToUpper(p.S[from:to]) == p.S[from:to] {
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
	var last [4]string
	for k := range last {
		before = strings.TrimRight(before, " \t\r\n")
		at := strings.LastIndexAny(before, " \t\r\n") + 1
		last[3-k], before = before[at:], before[:at]
	}
	switch keyword := last[2]; {
	case lex.EndsWith(keyword, "username", "neighbor"):
		return true
	case lex.EndsWith(keyword, "login"):
		return lex.EndsWith(last[0], "machine") || lex.EndsWith(last[1], "default")
	case keyword == "connect":
		return lex.EndsWith(last[1], "wifi")
	}
	return lex.EndsWith(last[3], "enable")
}

// In a bracketed pair of Lisp, Erlang, Elixir or Python, and after a name with a colon in front, the quoted text is the
// value: {password,"x"}, {<<"token">>, <<"x">>}, (:token . "x"), :token "x", (setq token "x"), ["password", "x"].
var (
	pairOpens = regexp.MustCompile(`(?:[({[](?:(?:set[qf]|def\w*)\s{1,4})?[:\\"'<\s]{0,8}|[({\s]:)$`)
	pairParts = regexp.MustCompile(`^(?:>>)?(?:\s{0,8},\s{0,8}|\s\.?\s{0,8})(?:<<|[NUBRnubr]{1,2})?\\{0,8}["']`)
)

// amongNames are names that appear next to a secret's in a list of names.
var amongNames = regexp.MustCompile(`(?i)^\W*(?:\w*name|user|login|e?mail|host|port|database|url|uri|id|required|missing|expired|invalid|denied|configmap|secret|serviceaccount|volume)s?\W*$`)

func (p *pass) pair(n words.Name, shut int) (from, to int, ok bool) {
	m := pairParts.FindString(p.S[shut:min(len(p.S), shut+40)])
	if m == "" || p.S[n.From] == '-' || !pairOpens.MatchString(p.S[max(0, n.From-24):n.From]) {
		return 0, 0, false
	}
	from = shut + len(strings.TrimRight(m, `\"'`))
	to, _, ok = p.Quoted(from)
	if opens := strings.TrimRight(p.S[max(0, n.From-24):n.From], "\\\"' "); strings.HasSuffix(opens, "[") {
		kind := lex.Lower(p.S[n.From:n.To]) == "secret" && words.English(strings.Trim(p.S[from:to], "\\\"'"))
		ok = ok && !kind && lex.At(p.S, p.Blanks(to, false)) == ']' && p.S[n.To-1] != 's' &&
			!amongNames.MatchString(p.S[from:to])
	}
	return from, to, ok && (!words.Named(p.S[from:to]) || words.Looks(p.S[from:to]))
}

// setters set the variable whose name follows to the next word, in shells and in image build files.
var setters = []string{"setenv ", "set -x ", "set -gx ", "ENV "}

// between separates a name from its argument; for an option that may be the next line of a list.
var between = map[bool]*regexp.Regexp{false: regexp.MustCompile(`^[ ,]{0,8}`),
	true: regexp.MustCompile(`^[ ,]{0,8}(?:(?:\n|\\{1,4}n)[ \t]{0,40}(?:- )?)?`)}

// verbs follow an option in a message about it.
var verbs = lex.WordSet("is are was must cannot can requires needs not and or flag option has may should")

// argument returns what follows the name of an option on a command line, in words or in a vector. What follows a merely
// quoted name, as in a tuple, has to look like a secret.
func (p *pass) argument(n words.Name) (from, to int, ok bool) {
	option := p.S[n.From] == '-' && lex.At(p.S, n.From+1) != ' ' || n.Kind == words.Setting ||
		n.Kind == words.Human && p.logsIn(n.From) ||
		slices.ContainsFunc(setters, func(s string) bool { return strings.HasSuffix(p.S[:n.From], s) })
	i := p.ShutName(n.To)
	for _, bar := range []string{"|", "│", "┃"} { // between the cells of a table, not after a shell's $TOKEN
		if j := p.Blanks(i, false); strings.HasPrefix(p.S[j:], bar) && strings.IndexByte("${/.", lex.At(p.S, n.From-1)) < 0 {
			from, to, _ = p.Word(j+len(bar), min(len(p.S), j+lex.Near))
			return from, to, words.Looks(p.S[from:to])
		}
	}
	if i == n.To && !option {
		return p.pair(n, i)
	}
	if i > n.To+1 && p.Quote(i-1) != 0 && p.Quote(n.To) != 0 { // "password"'x'
		for to = i; to < len(p.S) && to-i < lex.Near && p.Quote(to) == 0 && p.S[to] > ' '; to++ {
		}
		return i, to, p.Quote(to) != 0 && words.Looks(p.S[i:to])
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
	if to <= from || p.S[from] == '-' || !option && !words.Looks(p.S[from:to]) ||
		(n.Kind == words.Setting || p.S[n.From] == '-') && verbs[p.S[from:to]] ||
		n.Kind == words.Setting && paired.MatchString(p.S[from:to]) {
		return 0, 0, false
	}
	word := p.S[from:to] // in a program's usage: --password PASSWORD, --token string
	return from, to, word != "string" && (len(word) < 3 || !strings.HasSuffix(strings.ToUpper(p.S[n.From:n.To]), word))
}

// field matches the only field of an object whose name is a secret's: ApiKey{value=x}.
var field = regexp.MustCompile(`^[({]\s?["'\\]{0,8}(?i:value|string|data|plain|text|raw)["'\\]{0,8}\s?[:=]`)

// argumentOnly matches a word in brackets.
var argumentOnly = regexp.MustCompile(`^\(([^\s()\[\]{}"'\\,=:/]{6,64})\)`)

// ofPod matches how kubelets name a pod: password-0_shop(4b222463-…).
var ofPod = regexp.MustCompile(`^[a-z0-9.-]+_[a-z0-9-]+\([0-9a-f]{8}-[0-9a-f]{4}-`)

// called returns the only argument or field of what has a secret's name: PASSWORD('x'), ApiKey{value=x}.
func (p *pass) called(n words.Name) (from, to int, ok bool) {
	from = n.To + 1
	if c := lex.At(p.S, n.To); c != '(' && c != '{' {
		return 0, 0, false
	}
	if p.Quote(from+p.Slashes(from)) != 0 {
		to, _, ok = p.Quoted(from)
	} else if m := field.FindString(p.S[n.To:min(len(p.S), n.To+lex.Longest)]); m != "" {
		return p.Value(n.To+len(m), true)
	} else if m := argumentOnly.FindStringSubmatch(p.S[n.To:min(len(p.S), n.To+2*lex.Longest)]); m != nil {
		to = from + len(m[1])
		ok = look.Made(m[1]) || words.Invented(m[1]) || words.Looks(m[1]) && !look.DNSName(m[1])
	}
	return from, to, ok
}

// call cuts out the arguments of a function that takes a user's name and password, as in stack traces:
// PDO->__construct('mysql:host=db', 'root', 'x'), BasicAuth("admin", "x").
func call(p *pass, _, end int) int {
	part := lex.Text{S: p.S[:min(len(p.S), end+lex.CommandLength)]}
	to, ok := part.Bracketed(end - 1)
	if !ok {
		return end
	}
	inner := part.S[end : to-1]
	if i := strings.LastIndexByte(inner, ','); i < 0 || strings.Count(inner, "'") < 4 && strings.Count(inner, `"`) < 4 &&
		!words.Looks(strings.TrimSpace(inner[i+1:])) {
		return end
	}
	return p.Cut(end, to-1)
}
