package secrets

import "github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"

// variable cuts out the value of a container's variable as JSON writes it, whatever its name is.
func variable(p *pass, from, end int) int {
	quote := end - 1 // of the name's end, with its backslashes
	if lex.At(p.S, from-1) != '"' {
		return from + 1
	}
	i, ok := p.afterName(quote)
	if !ok {
		return from + 1
	}
	var opener string
	to, _, ok := p.Within(i, i+256)
	if lex.Small[p.S[from]] == 'n' { // "name":"x","value":"y"
		if !ok {
			return from + 1
		}
		i, ok = p.attribute(to, "value")
		if !ok {
			return from + 1
		}
		if to, opener, ok = p.Quoted(i); !ok {
			return from + 1
		}
		if p.Unended(i, to, opener) {
			p.Open = "password=" + opener
		}
		return p.cut(i, to)
	}
	if to, _, ok = p.Within(i, i+lex.Near); !ok { // "value":"y","name":"x"
		if to, opener, ok = p.Quoted(i); !ok || !p.Unended(i, to, opener) {
			return from + 1
		}
		return p.cut(i, to)
	}
	if _, named := p.attribute(to, "name"); !named && p.Blanks(to, true) < len(p.S) {
		return from + 1
	}
	return p.cut(i, to)
}

// afterName returns where the value begins behind the quotes that end a name and its colon.
func (p *pass) afterName(i int) (int, bool) {
	i += p.Slashes(i)
	if lex.At(p.S, i) != '"' {
		return i, false
	}
	if i = p.Blanks(i+1, true); lex.At(p.S, i) != ':' {
		return i, false
	}
	return p.Blanks(i+1, true), true
}

// attribute returns where the value of the next attribute begins, if that has the name.
func (p *pass) attribute(i int, name string) (int, bool) {
	if i = p.Blanks(i, true); lex.At(p.S, i) != ',' {
		return i, false
	}
	i = p.Blanks(i+1, true)
	if i += p.Slashes(i); lex.At(p.S, i) != '"' || !lex.StartsWith(p.S[i+1:], name) {
		return i, false
	}
	return p.afterName(i + 1 + len(name))
}
