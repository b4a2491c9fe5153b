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

// inUserList matches the names of a user and the secret in PgBouncer's auth_file.
var inUserList = regexp.MustCompile(`"([^"\n]{1,64})"[ \t]{1,8}"((?:[^"\n]|""){1,256})"`)

// userListed are words near such a line that is not alone.
var userListed = regexp.MustCompile(`(?i)auth_?file|user-?list|pgbouncer`)

// userList cuts out the secret of such a line: whatever it is beside a word about such a file, and what looks like one
// in a line that begins with it.
func userList(p *pass, at, end int) int {
	from := max(strings.LastIndexByte(p.S[:at], '\n')+1, at-lex.Longest)
	near := p.S[from:min(len(p.S), end+lex.CommandLength)]
	m := inUserList.FindStringSubmatchIndex(near)
	if m == nil || from+m[3] != at {
		return end
	}
	user, value := near[m[2]:m[3]], near[m[4]:m[5]]
	told := userListed.MatchString(p.S[max(0, from-reach):at])
	begins := strings.Trim(near[:m[0]], " \t;") == ""
	if told || begins && words.Looks(value) && !slices.Contains(fieldNames, lex.Lower(user)) && !look.DNSName(value) &&
		!strings.ContainsAny(value, "/:") {
		return p.Cut(from+m[4], from+m[5])
	}
	return end
}

// fieldNames are what stands in front of a value that is no secret.
var fieldNames = []string{"pod", "image", "node", "name", "namespace", "container", "reason", "status", "get", "post",
	"put", "delete", "version", "kind", "id", "uid", "host", "path", "url", "message", "time", "level", "msg"}
