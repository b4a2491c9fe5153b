package secrets

import "strings"

// header cuts out the value of an Authorization header, to its end: a scheme with a token or with parameters.
func header(p *pass, from, end int) int {
	i, _, ok := p.sign(p.shutName(end))
	if !ok {
		return end
	}
	i = p.blanks(i, true)
	if c := at(p.s, i); c == '[' && !strings.HasPrefix(p.s[i:], Mark) {
		if to, ok := p.bracketed(i); ok {
			return p.cut(i, to)
		}
		i++
	}
	if to, opener, ok := p.quoted(i); ok {
		if p.unended(i, to, opener) {
			p.open = "password=" + opener
		}
		return p.cut(i, to)
	}
	return max(end, p.credentials(i))
}

func (p *pass) credentials(from int) int {
	first := p.bare(from)
	word := lowerASCII(p.s[from:first])
	second := p.blanks(first, schemes[word])
	if second >= len(p.s) && (schemes[word] || from == first) {
		p.open = "Authorization: Bearer"
	}
	if second == first || word == "" || !letter(word[0]) || strings.ContainsFunc(word, func(r rune) bool {
		return r >= 0x80 || !wordly[r]
	}) {
		to := first
		if strings.Contains(word, "=") {
			to = p.parameters(from)
		}
		return p.cut(from, to)
	}
	return p.cut(from, max(first, p.parameters(second)))
}

// parameters returns where a token ends, or a list of name=value.
func (p *pass) parameters(i int) int {
	to := p.bare(i)
	for p.parameter(i) {
		eq := i + strings.IndexByte(p.s[i:], '=') + 1
		to = p.bare(eq)
		if end, _, ok := p.quoted(eq); ok {
			to = end
		}
		i = to
		for i < len(p.s) && i-to < 8 && (p.s[i] == ' ' || p.s[i] == ',') {
			i++
		}
	}
	return to
}

func (p *pass) parameter(i int) bool {
	end := i
	for end < len(p.s) && end-i < longest && wordly[p.s[end]] {
		end++
	}
	return end > i && at(p.s, end) == '=' && at(p.s, end+1) != '=' && at(p.s, end+1) > ' '
}

// scheme cuts out a token behind its scheme alone, perhaps on the next line.
func scheme(p *pass, from, end int) int {
	if from > 0 && wordly[p.s[from-1]] {
		return end
	}
	i := end
	if at(p.s, i) == ':' {
		i++
	}
	if p.s[from] == 'b' || p.s[from] == 'B' {
		if rest := p.blanks(i, true); rest >= len(p.s) && small[p.s[from+1]] == 'e' {
			p.open = "Authorization: Bearer"
			return end
		}
	}
	next := p.blanks(i, true)
	if next == i {
		return end
	}
	to := next
	for to < len(p.s) && (wordly[p.s[to]] || strings.IndexByte("+/=.~", p.s[to]) >= 0) {
		to++
	}
	if to-next < 8 || english.MatchString(p.s[next:to]) {
		return end
	}
	return p.cut(next, to)
}

// cookie cuts out what a header of cookies holds, to the end of its line or its quotes. A secret that begins there may
// go on behind it.
func cookie(p *pass, from, end int) int {
	if c := at(p.s, from-1); c == '_' { // a variable
		return p.behind(name{from, end, brief}, end)
	} else if from < p.cookies || letter(c) {
		return end
	}
	i, _, ok := p.sign(p.shutName(end))
	if !ok {
		return end
	}
	if i = p.blanks(i, true); at(p.s, i) == '[' && !strings.HasPrefix(p.s[i:], Mark) {
		if to, ok := p.bracketed(i); ok {
			p.cookies = p.cut(i, to)
			return end
		}
	}
	i += p.slashes(i)
	if p.quoteAt(i) != 0 {
		i++
	}
	if strings.HasPrefix(p.s[i:], Mark) && at(p.s, i+len(Mark)) != ';' {
		return end
	}
	to := i
	for to < len(p.s) && strings.IndexByte("\n\"'\\", p.s[to]) < 0 {
		to++
	}
	p.cookies = p.cut(i, to)
	return end
}
