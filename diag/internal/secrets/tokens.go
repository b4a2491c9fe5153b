package secrets

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
)

func issuedHints() (out []string) {
	for _, i := range issuers {
		out = append(out, lex.Lower(i.begin))
	}
	return out
}

// issued cuts out a token of a known issuer.
func issued(p *pass, from, end int) int {
	for _, known := range issuers {
		base64 := slices.Contains(encoded, known.begin)
		if !strings.HasPrefix(p.S[from:end], known.begin) ||
			from > 0 && lex.Wordly[p.S[from-1]] && p.S[from-1] != '-' && !base64 {
			continue
		}
		to := end
		for to < len(p.S) && (lex.Wordly[p.S[to]] || base64 && strings.IndexByte("+/=", p.S[to]) >= 0 ||
			p.S[to] == '.' && (base64 || strings.HasSuffix(known.begin, ".")) && lex.Wordly[lex.At(p.S, to+1)]) {
			to++
		}
		token := p.S[end:to]
		jwt := known.begin == "eyJ" && strings.IndexByte(token, '.') >= 8
		short := len(token) < known.least && (!jwt || len(token) < 13)
		if short || known.begin[0] == 'A' && known.least == 16 && (len(token) != 16 || strings.ToUpper(token) != token) {
			return from + 1
		}
		p.Cut(from, to)
		return p.beside(to)
	}
	return from + 1
}

// withID matches the secret that stands beside the id of AWS' access key, or K3s' of a certificate.
var withID = regexp.MustCompile(`^(?:[^\w+/=\n]{1,3}(?:/[^\w+/=\n])?([A-Za-z0-9+/]{40})(?:[^\w+/=]|$)|` +
	`::(?:[a-z]{1,8}:)?([^\s"'\\]{4,128}))`)

// beside cuts out the secret behind an id, and returns where the search goes on.
func (p *pass) beside(id int) int {
	if m := withID.FindStringSubmatchIndex(p.S[id:min(len(p.S), id+2*lex.Longest)]); m != nil {
		return p.Cut(id+max(m[2], m[4]), id+max(m[3], m[5]))
	}
	return id
}

// hashed cuts out a hashed password.
func hashed(p *pass, from, end int) int {
	to := end
	for to < len(p.S) && (lex.Wordly[p.S[to]] || strings.IndexByte("./$=,+}:", p.S[to]) >= 0) {
		to++
	}
	if to-end < 12 && (to == end || p.S[from+1] != 'n') { // {noop}x is no hash
		return from + 1
	}
	return p.Cut(from, to)
}

// ofPostgres matches what PostgreSQL and PgBouncer store for a password.
var ofPostgres = regexp.MustCompile(`^md5[0-9a-f]{32}(?:\W|_|$)`)

// md5 cuts out such a hash: a digest of something else is written apart from the word.
func md5(p *pass, from, end int) int {
	if from > 0 && lex.Wordly[p.S[from-1]] || !ofPostgres.MatchString(p.S[from:min(len(p.S), end+33)]) {
		return end
	}
	return p.Cut(from, end+32)
}

// once cuts out one-time codes.
func once(p *pass, from, end int) int {
	if from > 0 && lex.Wordly[p.S[from-1]] && p.S[from-1] != '_' && p.S[from-1] != '-' {
		return end
	}
	noun := false
	for _, word := range []string{" code", "-code", " token", " password", " passcode"} {
		if lex.StartsWith(p.S[end:], word) {
			end, noun = end+len(word), true
			break
		}
	}
	i, _, ok := p.Sign(p.ShutName(end))
	least := 4
	if factor := p.S[from] == '2' || lex.Small[p.S[from]] == 'm'; !noun && factor && ok {
		least = 6
	} else if !noun && (end-from > len("totp") || factor) {
		return end
	}
	if !ok {
		i = p.Blanks(end, false)
		switch {
		case lex.StartsWith(p.S[i:], "is "), lex.StartsWith(p.S[i:], "was "):
			i += 3
		case lex.Small[p.S[from]] == 'p': // a pin of a device has a number, too
			return end
		default:
			least = 6
		}
	}
	i = p.Blanks(i, false)
	if i += p.Slashes(i); p.Quote(i) != 0 || lex.At(p.S, i) == '`' {
		i++
	}
	to := i
	for to < len(p.S) && to-i < 12 && (p.S[to] >= '0' && p.S[to] <= '9' || (p.S[to] == ' ' || p.S[to] == '-') && to > i) {
		to++
	}
	if to = i + len(strings.TrimRight(p.S[i:to], " -")); to-i < least || lex.Wordly[lex.At(p.S, to)] {
		return end
	}
	return p.Cut(i, to)
}
