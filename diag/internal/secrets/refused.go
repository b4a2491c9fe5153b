package secrets

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// This file finds values that a program quotes because it refuses them: before or after the name of the secret.

// refusals precede such a value: invalid argument "x" for "--password" flag, Password: converting 'x' to type int.
var refusals = []string{"invalid argument", "invalid value", "invalid literal", "invalid choice", "configuration value",
	"unmarshal string", "unmarshal !!str", "unmarshal number", "unmarshal !!int", "parsing", "parse", "but found",
	"converting", "expected", "with value", "input_value", "received", "but got", "but was",
	"invalid port", "integer value as", "duplicate entry", "got", "(default"}

// reach is how far the name may be from the value.
const reach = 160

// refused cuts out such a value if a secret's name is before it, and remembers it for a name after it.
func refused(p *pass, at, end int) int {
	i := p.ShutName(end)
	next, _, signed := p.Sign(i)
	i = p.Blanks(next, false)
	to, _, ok := p.Within(i, i+lex.CommandLength)
	if !ok && !signed { // Kafka's: invalid value x for configuration ssl.key.password
		to = p.Bare(i)
		ok = strings.HasPrefix(p.S[to:], " for ")
	}
	if value := strings.Trim(p.S[i:to], "\\\"'`"); !ok || value == "" || value == "string" || words.Literal(value) {
		return end
	}
	// What is not called refused: only behind the name, if it looks like one.
	if word := p.S[at:end]; word == "got" || word == "(default" {
		if p.told > 0 && i-p.told < reach && words.Looks(strings.Trim(p.S[i:to], "\\\"'`")) {
			p.Cut(i, to)
		}
		return end
	}
	p.refused.from, p.refused.to = i, to
	// What is no port of a URL is its password.
	if p.told > 0 && i-p.told < reach || lex.EndsWith(p.S[:end], "port", "integer value as") {
		p.Cut(i, to)
	}
	return end
}

// blames cuts out the last refused value if the name belongs to it, and remembers the name for the next one.
func (p *pass) blames(n words.Name) {
	if n.Kind != words.Human && n.Kind != words.Machine {
		p.told = 0
		return
	}
	if p.told = n.To; p.refused.to > 0 && n.From-p.refused.to < reach {
		p.Cut(p.refused.from, p.refused.to)
		p.refused.to = 0
	}
}
