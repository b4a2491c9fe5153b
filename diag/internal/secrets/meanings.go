package secrets

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// This file finds secrets after ambiguous words, where the value decides. A session may be closed, a code be 137, a
// state be Running.

// phrases are words for seed phrases, see phrase.
var phrases = []string{"mnemonic", "phrase", "seed", "wallet", "words", "bip39", "-m ", `-m"`, `-m\`, "-m=", "recover",
	"restore", "import"}

func meaningHints() (out []string) {
	for _, m := range meanings {
		out = append(out, m.word)
	}
	return out
}

// judged cuts out what follows such a word, if it looks generated.
func judged(p *pass, from, end int) int {
	i := slices.IndexFunc(meanings, func(m meaning) bool {
		return len(m.word) == end-from && lex.StartsWith(p.S[from:], m.word)
	})
	m := meanings[i]
	n := name{from: from, to: end}
	for n.from > 0 && from-n.from < lex.Longest && lex.Wordly[p.S[n.from-1]] {
		n.from--
	}
	if end < len(p.S) && lex.Wordly[p.S[end]] || len(m.word) < 5 && p.joined(n.from, from) {
		return from + 1
	}
	if strings.HasPrefix(m.word, "code") && slices.ContainsFunc(codes, func(c string) bool {
		return strings.HasSuffix(p.adjective(n.from, from), c)
	}) {
		m.length, m.turns = 4, 0
	}
	if m.word == "login" && from < 16 && strings.TrimSpace(p.S[:from]) == "" && len(p.S)-end < lex.Longest &&
		len(strings.Fields(p.S[end:])) == 1 {
		p.Open = "default login a" // of a .netrc file: the password is on the next line
	}
	i, tight, ok := p.Sign(p.ShutName(end))
	if !ok {
		if i = p.Blanks(end, false); i == end {
			return from + 1
		}
		word := i
		for word < len(p.S) && word-i < lex.Longest && lex.Wordly[p.S[word]] {
			word++
		}
		if m.turns > 0 && (m.word != "seed" || n.from != from) && !look.Made(p.S[i:word]) {
			return from + 1
		}
	}
	// A longer value is no secret, and a value after such a name never continues on the next line.
	part := pass{Text: lex.Text{S: p.S[:min(len(p.S), i+lex.CommandLength)]}}
	start, to, ok := part.Value(i, true)
	if !ok || tight && lex.At(p.S, n.from-1) == '/' || !m.made(p.S[start:to]) {
		return from + 1
	}
	return p.cut(start, to)
}

// joined reports whether a short word is the end of another one: "asid", but neither "user_sid" nor "JSESSIONID".
func (p *pass) joined(from, i int) bool {
	return i > from && lex.Letter(p.S[i-1]) && (p.S[i-1] >= 'a') == (p.S[i] >= 'a')
}

// adjective returns the part before a name's last word, in lower case: for recoveryCode, recovery_code and "recovery
// code".
func (p *pass) adjective(from, i int) string {
	if from == i && lex.At(p.S, i-1) == ' ' {
		for i, from = i-1, i-1; from > 0 && i-from < lex.Longest && lex.Wordly[p.S[from-1]]; from-- {
		}
	}
	return strings.TrimRight(lex.Lower(p.S[from:i]), "_-")
}

var joints = strings.NewReplacer("-", "", "_", "", ".", "")

// made reports whether a value was generated or invented, rather than being the name of something.
func (m meaning) made(value string) bool {
	value = strings.Trim(value, "\\\"'`[](){},:")
	if len(value) < m.length || strings.HasPrefix(value, "0x") || look.KeyName(value) ||
		m.turns > 0 && strings.ContainsAny(value, " \t\n@[{(") || m.length > 8 && strings.IndexByte(value, ':') >= 0 {
		return false
	}
	of, turns := look.Mixture(joints.Replace(value))
	switch {
	case of[look.Digit] == 0 && (m.turns == 0 || of[look.Upper] < 2 || of[look.Lower] < 2):
		return false
	case m.turns == 0:
		return strings.IndexByte(value, '.') < 0
	case m.length > 8 && of[look.Upper] == 0 && strings.Trim(value, "0123456789abcdef-") == "": // an id
		return false
	}
	return turns >= m.turns && !look.DNSName(value) && !date.MatchString(value) && !version.MatchString(value)
}

// phrase cuts out the words of a seed phrase after its name: phrase (12 words): "a b c
func phrase(p *pass, from, end int) int {
	if from > 0 && lex.Letter(p.S[from-1]) {
		return from + 1
	}
	for limit := min(len(p.S), end+48); end < limit; end++ {
		if lex.Letter(p.S[end-1]) || !lex.Letter(p.S[end]) {
			continue
		}
		if to, ok := p.words(end); ok {
			return p.cut(end, to)
		}
	}
	return from + 1
}

// stopWords are words of sentences that no list of seed words has.
var stopWords = lex.WordSet("the and was for not from are has had but were its which with been could would")

// words reports whether there are as many words as in a seed phrase, and where they end: twelve or more, of three to
// eight lower-case letters each, perhaps numbered, quoted or joined by hyphens.
func (p *pass) words(i int) (end int, ok bool) {
	for count := 0; ; count++ {
		word := i
		for word < len(p.S) && p.S[word] >= 'a' && p.S[word] <= 'z' && word-i <= 8 {
			word++
		}
		if word-i < 3 || word-i > 8 || count == 48 || stopWords[p.S[i:word]] {
			return end, count >= 12
		}
		end = word
		for i = word; i < len(p.S) && i-word < 8 && strings.IndexByte(" ,\n\t-.)\"0123456789", p.S[i]) >= 0; i++ {
		}
		if i == word {
			return end, count >= 11
		}
	}
}
