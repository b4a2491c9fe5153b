package secrets

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// header cuts out the value of an Authorization header, to its end: a scheme with a token or with parameters.
func header(p *pass, from, end int) int {
	shut := p.ShutName(end)
	if name := " header"; lex.StartsWith(p.S[shut:], name) {
		shut = p.ShutName(shut + len(name))
	}
	i, _, ok := p.Sign(shut)
	if !ok {
		return end
	}
	i = p.Blanks(i, true)
	if c := lex.At(p.S, i); c == '[' && !strings.HasPrefix(p.S[i:], Mark) {
		if to, ok := p.Bracketed(i); ok {
			return p.Cut(i, to)
		}
		i++
	}
	if to, opener, ok := p.Quoted(i); ok {
		if p.Unended(i, to, opener) {
			p.Open = "password=" + opener
		}
		return p.Cut(i, to)
	}
	return max(end, p.credentials(i))
}

func (p *pass) credentials(from int) int {
	first := p.Bare(from)
	word := lex.Lower(p.S[from:first])
	for lex.Schemes[word] { // twice if the previous line was left open with one
		next := p.Blanks(first, true)
		end := p.Bare(next)
		if again := lex.Lower(p.S[next:end]); !lex.Schemes[again] {
			break
		}
		from, first = next, end
	}
	if p.begins(from) && strings.HasSuffix(word, ":") {
		return from // a name in the block of authorization:, and no token
	}
	second := p.Blanks(first, lex.Schemes[word])
	if next := p.S[second:p.Bare(second)]; p.begins(second) && strings.HasSuffix(next, ":") {
		second = first
	}
	if strings.HasSuffix(strings.TrimRight(p.S[:from], " "), "may require authorization:") {
		return from // a runtime's words for an image that it may not pull
	}
	if second >= len(p.S) && (lex.Schemes[word] || from == first) {
		p.Open = "Authorization: Bearer"
	}
	if second == first || word == "" || !lex.Letter(word[0]) || strings.ContainsFunc(word, func(r rune) bool {
		return r >= 0x80 || !lex.Wordly[r]
	}) {
		to := first
		if strings.Contains(word, "=") {
			to = p.parameters(from)
		}
		return p.Cut(from, to)
	}
	return p.Cut(from, max(first, p.parameters(second)))
}

// begins reports whether what is at a place is the first on its line, which an escape may have ended.
func (p *pass) begins(i int) bool {
	before := strings.TrimRight(p.S[:i], " \t")
	return strings.HasSuffix(before, "\n") || strings.HasSuffix(before, `\n`)
}

// parameters returns the end of a token, or of a list of name=value.
func (p *pass) parameters(i int) int {
	to := p.Bare(i)
	for p.isParameter(i) {
		eq := i + strings.IndexByte(p.S[i:], '=') + 1
		to = p.Bare(eq)
		if end, _, ok := p.Quoted(eq); ok {
			to = end
		}
		i = to
		for i < len(p.S) && i-to < 8 && (p.S[i] == ' ' || p.S[i] == ',') {
			i++
		}
	}
	return to
}

func (p *pass) isParameter(i int) bool {
	end := i
	for end < len(p.S) && end-i < lex.Longest && lex.Wordly[p.S[end]] {
		end++
	}
	if end == i || lex.At(p.S, end) != '=' || lex.At(p.S, end+1) == '=' || lex.At(p.S, end+1) <= ' ' {
		return false
	}
	to, _, quoted := p.Within(end+1, end+lex.CommandLength)
	return !quoted || !p.GoesOn(to) // a quote of the surrounding text is followed by other text
}

// scheme cuts out a token after its scheme alone, maybe on the next line.
func scheme(p *pass, from, end int) int {
	if from > 0 && lex.Wordly[p.S[from-1]] {
		return end
	}
	i := end
	if lex.At(p.S, i) == ':' {
		i++
	}
	next := p.Blanks(i, true)
	if next >= len(p.S) && lex.StartsWith(p.S[from:], "bearer") {
		p.Open = "Authorization: Bearer"
		return end
	}
	if next == i {
		return end
	}
	if c := lex.Small[p.S[from]]; c == 'd' || c == 'h' { // only with parameters
		if p.isParameter(next) {
			return p.Cut(next, p.parameters(next))
		}
		return end
	}
	to := next
	for to < len(p.S) && (lex.Wordly[p.S[to]] || strings.IndexByte("+/=.~", p.S[to]) >= 0) {
		to++
	}
	if to-next < 8 || words.English(p.S[next:to]) {
		return end
	}
	return p.Cut(next, to)
}

// cookie cuts out the value of a cookie header, to the end of its line or its quotes. A secret that begins there may
// continue after it.
func cookie(p *pass, from, end int) int {
	if c := lex.At(p.S, from-1); c == '_' { // a variable
		return p.behind(words.Name{From: from, To: end, Kind: words.Brief}, end)
	} else if from < p.cookies || lex.Letter(c) {
		return end
	}
	i, _, ok := p.Sign(p.ShutName(end))
	if !ok {
		return end
	}
	if i = p.Blanks(i, true); lex.At(p.S, i) == '[' && !strings.HasPrefix(p.S[i:], Mark) {
		if to, ok := p.Bracketed(i); ok {
			p.cookies = p.Cut(i, to)
			return end
		}
	}
	i += p.Slashes(i)
	if p.Quote(i) != 0 {
		i++
	}
	if strings.HasPrefix(p.S[i:], Mark) && lex.At(p.S, i+len(Mark)) != ';' {
		return end
	}
	to := i
	for to < len(p.S) && strings.IndexByte("\n\"'\\", p.S[to]) < 0 {
		to++
	}
	p.cookies = p.Cut(i, to)
	return end
}
