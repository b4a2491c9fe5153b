package secrets

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// This file finds the secret of a login that a message tells without a name for it: bad credentials bob/x, login
// attempt bob:x, logging in as bob with x, SASL PLAIN bob x.

// logins are words of such messages.
var logins = []string{"credentials", "creds", "login", "logging in", "logged in", "log in", "authenticat", "bind ",
	"sasl", "basic auth", "basic-auth", "basicauth ", "auth "}

// ofLogin are the forms of a login; its group is the secret. Nothing but a few words may be before the pair: any other
// pair is an image and its tag, or a namespace and a name.
var ofLogin = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(?:credentials|creds)` + of + user + quote + ` ?/ ?` + quote + shown),
	regexp.MustCompile(`(?i)^(?:credentials|creds|basic[ -]?auth|` + entry + `)` + of + user + `:` + shown),
	regexp.MustCompile(`(?i)^(?:basic[ -]?auth|auth|bind|` + entry + `)` + of + user + quote + ` ?/ ?` + quote + shown +
		`["': ]{0,3}(?:was |is |has |did )?(?:failed|rejected|refused|denied|error|incorrect|invalid|wrong|expired|not work)`),
	regexp.MustCompile(`(?i)^(?:basic[ -]?auth|` + entry + `) (?:failed|denied|rejected|refused|error)(?: for)?(?: user)?[: ]{1,2}` +
		quote + user + quote + ` ?/ ?` + quote + shown),
	regexp.MustCompile(`(?i)^(?:` + entry + `|bind)(?: to [^ ]{1,60})?(?: as| user){1,2} ` + quote + user +
		`(?:,` + user + `){0,8}` + quote + ` (?:with|using) ` + quote + shown),
	regexp.MustCompile(`(?i)^basic[ -]?auth(?: for| user| as| with){0,2} ` + user + ` ` + shown),
	regexp.MustCompile(`(?i)^login: ` + user + ` / ` + quote + shown),
	regexp.MustCompile(`(?i)^sasl[ :]{1,2}(?:mechanism )?(?:plain|login) ` + quote + user + quote + ` ` +
		quote + shown),
}

const (
	entry = `login|logging in|logged in|log in|authenticat[a-z]*`
	of    = `(?: (?:attempt|failed|failure|error|as|for|with|by|were|was|are|is|user)){0,3}[ :=("'\\]{1,4}`
	user  = `[\w.@=\\-]{1,40}`
	shown = `([^\s"'\x60,;:/\\]{6,64})(?:[\s"'\x60,;)\\]|$)`
	quote = `\\{0,8}["']?`
	// longestLogin is longer than what any form matches.
	longestLogin = 600
)

// login cuts out the secret of a login behind a word about it.
func login(p *pass, at, end int) int {
	near := p.S[at:min(len(p.S), at+longestLogin)]
	for _, form := range ofLogin {
		m := form.FindStringSubmatchIndex(near)
		if m == nil {
			continue
		}
		value := strings.TrimRight(near[m[2]:m[3]], ".)!?")
		if words.Looks(value) {
			p.Cut(at+m[2], at+m[2]+len(value))
			break
		}
	}
	return end // what is between is searched, too
}

// usersFile remembers a word about such a file.
func usersFile(p *pass, _, end int) int {
	p.usersFile = end
	return end
}

// userList cuts out the secret of a line "user" "x", as in PgBouncer's auth_file: whatever it is behind a word about
// such a file, and what looks like one in a line that begins with it.
func userList(p *pass, at, end int) int {
	before := p.S[max(0, at-2*lex.Longest):at]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	open := strings.LastIndexByte(before, '"')
	to := end
	for to < len(p.S) && to-end < lex.Farthest && p.S[to] != '\n' && (p.S[to] != '"' || lex.At(p.S, to+1) == '"') {
		if p.S[to] == '"' { // two are one of the secret's
			to++
		}
		to++
	}
	if open < 0 || open+1 == len(before) || to == end || lex.At(p.S, to) != '"' {
		return end
	}
	from, user, value := at-len(before), before[open+1:], p.S[end:to]
	told := p.usersFile > 0 && from-p.usersFile < reach
	begins := strings.Trim(before[:open], " \t;") == ""
	if told || begins && words.Looks(value) && !slices.Contains(fieldNames, lex.Lower(user)) && !look.DNSName(value) &&
		!strings.ContainsAny(value, "/:") {
		return p.Cut(end, to)
	}
	return end
}

// fieldNames are what stands in front of a value that is no secret.
var fieldNames = []string{"pod", "image", "node", "name", "namespace", "container", "reason", "status", "get", "post",
	"put", "delete", "version", "kind", "id", "uid", "host", "path", "url", "message", "time", "level", "msg"}
