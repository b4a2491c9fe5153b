package secrets

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// This file finds the secret of a login that a message tells without a name for it: bad credentials bob/x, login
// attempt bob:x, logging in as bob with x, SASL PLAIN bob x.

// logins are words of such messages.
var logins = []string{"credentials", "creds", "login", "logging in", "logged in", "log in", "authenticat", "bind ",
	"sasl", "basic auth"}

// ofLogin are the forms of a login; its group is the secret. Nothing but a few words may be before the pair: any other
// pair is an image and its tag, or a namespace and a name.
var ofLogin = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(?:credentials|creds)` + of + user + quote + ` ?/ ?` + quote + shown),
	regexp.MustCompile(`(?i)^(?:credentials|creds|basic auth|` + entry + `)` + of + user + `:` + shown),
	regexp.MustCompile(`(?i)^(?:basic auth|` + entry + `)` + of + user + quote + ` ?/ ?` + quote + shown +
		`["' ]{0,2}(?:was |is |has )?(?:failed|rejected|refused|denied|incorrect|invalid|wrong|expired|not )`),
	regexp.MustCompile(`(?i)^(?:` + entry + `|bind)(?: to [^ ]{1,60})?(?: as| user){1,2} ` + quote + user +
		`(?:,` + user + `){0,8}` + quote + ` (?:with|using) ` + quote + shown),
	regexp.MustCompile(`(?i)^sasl[ :]{1,2}(?:mechanism )?(?:plain|login) ` + quote + user + quote + ` ` +
		quote + shown),
}

const (
	entry = `login|logging in|logged in|log in|authenticat[a-z]*`
	of    = `(?: (?:attempt|failed|failure|error|as|with|by|were|was|are|is|user)){0,3}[ :=("'\\]{1,4}`
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

// inUserList matches a line of PgBouncer's auth_file: the names of a user and the secret.
var inUserList = regexp.MustCompile(`^"[^"\n]{1,64}" "([^"\n]{1,256})"(?:[\r\n]|$)`)

// userList cuts out the secret of such a line.
func userList(p *pass, at, end int) int {
	from := strings.LastIndexByte(p.S[:at], '\n') + 1
	m := inUserList.FindStringSubmatchIndex(p.S[from:min(len(p.S), end+lex.Longest)])
	if m == nil || !words.Looks(p.S[from+m[2]:from+m[3]]) {
		return end
	}
	return p.Cut(from+m[2], from+m[3])
}
