package secrets

import (
	"slices"
	"strings"
)

func issuedHints() (out []string) {
	for _, i := range issuers {
		out = append(out, lowerASCII(i.begin))
	}
	return out
}

// issued cuts out a token of a known issuer.
func issued(p *pass, from, end int) int {
	for _, known := range issuers {
		base64 := slices.Contains(encoded, known.begin)
		if !strings.HasPrefix(p.s[from:end], known.begin) ||
			from > 0 && wordly[p.s[from-1]] && p.s[from-1] != '-' && !base64 {
			continue
		}
		to := end
		for to < len(p.s) && (wordly[p.s[to]] || base64 && strings.IndexByte("+/=", p.s[to]) >= 0 ||
			p.s[to] == '.' && (base64 || strings.HasSuffix(known.begin, ".")) && wordly[at(p.s, to+1)]) {
			to++
		}
		token := p.s[end:to]
		jwt := known.begin == "eyJ" && strings.IndexByte(token, '.') >= 8
		short := len(token) < known.least && (!jwt || len(token) < 13)
		if short || known.begin[0] == 'A' && known.least == 16 && (len(token) != 16 || strings.ToUpper(token) != token) {
			return from + 1
		}
		return p.cut(from, to)
	}
	return from + 1
}

// hashed cuts out such a one.
func hashed(p *pass, from, end int) int {
	to := end
	for to < len(p.s) && (wordly[p.s[to]] || strings.IndexByte("./$=,+}:", p.s[to]) >= 0) {
		to++
	}
	if to-end < 12 {
		return from + 1
	}
	return p.cut(from, to)
}

// once cuts out codes that are asked for once.
func once(p *pass, from, end int) int {
	if from > 0 && wordly[p.s[from-1]] && p.s[from-1] != '_' && p.s[from-1] != '-' {
		return end
	}
	if startsWith(p.s[end:], " code") || startsWith(p.s[end:], "-code") {
		end += len(" code")
	} else if end-from > len("totp") || p.s[from] == '2' {
		return end
	}
	i, _, ok := p.sign(p.shutName(end))
	if !ok {
		i = p.blanks(end, false)
		if !startsWith(p.s[i:], "is ") && !startsWith(p.s[i:], "was ") {
			return end
		}
		i += 3
	}
	i = p.blanks(i, false)
	if i += p.slashes(i); p.quoteAt(i) != 0 || at(p.s, i) == '`' {
		i++
	}
	to := i
	for to < len(p.s) && to-i < 12 && (p.s[to] >= '0' && p.s[to] <= '9' || (p.s[to] == ' ' || p.s[to] == '-') && to > i) {
		to++
	}
	if to = i + len(strings.TrimRight(p.s[i:to], " -")); to-i < 4 || wordly[at(p.s, to)] {
		return end
	}
	return p.cut(i, to)
}
