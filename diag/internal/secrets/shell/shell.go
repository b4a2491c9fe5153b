// Package shell finds passwords in commands, as words and as vectors of JSON and Go: after options, at certain places
// among the words of known programs, piped into a program, and in here-documents.
//
// It knows programs and their options; names of secrets are up to its caller. It imports packages cut, lex, look and
// words and the standard library, and does no I/O.
package shell

import "github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/cut"

// Commands finds passwords in a text.
type Commands struct {
	*cut.Text
	// until is how far the words of a client's command were read.
	until []int
}

// Finders returns what looks for passwords, and near which words.
func Finders() []cut.Finder[*Commands] {
	programs := make([]string, len(clients))
	for i, c := range clients {
		programs[i] = c.program
	}
	return []cut.Finder[*Commands]{
		{Find: (*Commands).client, Words: programs},
		{Find: (*Commands).user, Words: []string{`-u "`, "-u ", `-u"`, `-u'`, `-u\`, "--user"}},
		{Find: (*Commands).login, Words: []string{"-auth ", `-auth"`, "-auth'", `-auth\`, "-auth="}},
		{Find: (*Commands).option, Words: []string{"-p ", `-p"`, "-p'", `-p\`}},
		{Find: (*Commands).glued, Words: []string{" -p", `"-p`, "'-p"}},
		{Find: (*Commands).share, Words: []string{"user=", "username=", "login=", "login:", "auth=", "auth:"}},
		{Find: (*Commands).piped, Words: []string{"echo", "printf", "yes"}},
		{Find: (*Commands).here, Words: []string{" <<", ")<<", "=<<", ":<<"}},
		{Find: (*Commands).audited, Words: []string{"proctitle=", "argc="}},
	}
}
