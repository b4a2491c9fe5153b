package secrets

// variable cuts out the value of a container's variable as JSON writes it, whatever its name is.
func variable(p *pass, from, end int) int {
	quote := end - 1 // of the name's end, with its backslashes
	if at(p.s, from-1) != '"' {
		return from + 1
	}
	i, ok := p.afterName(quote)
	if !ok {
		return from + 1
	}
	var opener string
	to, _, ok := p.quotedWithin(i, i+256)
	if small[p.s[from]] == 'n' { // "name":"x","value":"y"
		if !ok {
			return from + 1
		}
		i, ok = p.attribute(to, "value")
		if !ok {
			return from + 1
		}
		if to, opener, ok = p.quoted(i); !ok {
			return from + 1
		}
		if p.unended(i, to, opener) {
			p.open = "password=" + opener
		}
		return p.cut(i, to)
	}
	if to, _, ok = p.quotedWithin(i, i+near); !ok { // "value":"y","name":"x"
		if to, opener, ok = p.quoted(i); !ok || !p.unended(i, to, opener) {
			return from + 1
		}
		return p.cut(i, to)
	}
	if _, named := p.attribute(to, "name"); !named && p.blanks(to, true) < len(p.s) {
		return from + 1
	}
	return p.cut(i, to)
}

// afterName returns where the value begins behind the quotes that end a name and its colon.
func (p *pass) afterName(i int) (int, bool) {
	i += p.slashes(i)
	if at(p.s, i) != '"' {
		return i, false
	}
	if i = p.blanks(i+1, true); at(p.s, i) != ':' {
		return i, false
	}
	return p.blanks(i+1, true), true
}

// attribute returns where the value of the next attribute begins, if that has the name.
func (p *pass) attribute(i int, name string) (int, bool) {
	if i = p.blanks(i, true); at(p.s, i) != ',' {
		return i, false
	}
	i = p.blanks(i+1, true)
	if i += p.slashes(i); at(p.s, i) != '"' || !startsWith(p.s[i+1:], name) {
		return i, false
	}
	return p.afterName(i + 1 + len(name))
}
