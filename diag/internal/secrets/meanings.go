package secrets

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/words"
)

// This file finds secrets after ambiguous words, where the value decides, and seed phrases.

// phrases are words for seed phrases, see phrase.
var phrases = []string{"mnemonic", "phrase", "seed", "wallet", "words", "bip39", "-m ", `-m"`, `-m\`, "-m=", "recover",
	"restore", "import"}

func meaningHints() (out []string) {
	for _, m := range words.Meanings {
		out = append(out, m.Word)
	}
	return out
}

// judged cuts out what follows such a word, if it looks generated.
func judged(p *pass, from, end int) int {
	i := slices.IndexFunc(words.Meanings, func(m words.Ambiguous) bool {
		return len(m.Word) == end-from && lex.StartsWith(p.S[from:], m.Word)
	})
	m := words.Meanings[i]
	n := words.Name{From: from, To: end}
	for n.From > 0 && from-n.From < lex.Longest && lex.Wordly[p.S[n.From-1]] {
		n.From--
	}
	if end < len(p.S) && lex.Wordly[p.S[end]] || len(m.Word) < 5 && p.joined(n.From, from) {
		return from + 1
	}
	if strings.HasPrefix(m.Word, "code") && words.OpensCode(p.adjective(n.From, from)) {
		m.Length, m.Turns = 4, 0
	}
	if m.Word == "login" && from < 16 && strings.TrimSpace(p.S[:from]) == "" && len(p.S)-end < lex.Longest &&
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
		if m.Turns > 0 && !look.Made(p.S[i:word]) && !words.Invented(p.S[i:p.Bare(i)]) {
			return from + 1
		}
	}
	// A longer value is no secret, and a value after such a name never continues on the next line.
	part := lex.Text{S: p.S[:min(len(p.S), i+lex.CommandLength)]}
	start, to, ok := part.Value(i, true)
	if !ok || tight && lex.At(p.S, n.From-1) == '/' || !m.Made(p.S[start:to]) {
		return from + 1
	}
	return p.Cut(start, to)
}

// joined reports whether a short word is the end of another one: "asid", but neither "user_sid" nor "JSESSIONID".
func (p *pass) joined(from, i int) bool {
	return i > from && lex.Letter(p.S[i-1]) && p.S[i] != '_' && (p.S[i-1] >= 'a') == (p.S[i] >= 'a')
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

// phrase cuts out the words of a seed phrase after its name: phrase (12 words): "a b c
func phrase(p *pass, from, end int) int {
	if from > 0 && lex.Letter(p.S[from-1]) {
		return from + 1
	}
	for limit := min(len(p.S), end+48); end < limit; end++ {
		if lex.Letter(p.S[end-1]) || !lex.Letter(p.S[end]) {
			continue
		}
		if to, ok := p.seedWords(end); ok {
			return p.Cut(end, to)
		}
	}
	return from + 1
}

// stopWords are words of sentences that no list of seed words has.
var stopWords = lex.WordSet("the and was for not from are has had but were its which with been could would")

// seedWords reports whether there are as many words as in a seed phrase, and where they end: twelve or more, of three
// to eight lower-case letters each, perhaps numbered, quoted or joined by hyphens.
func (p *pass) seedWords(i int) (end int, ok bool) {
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
	}
}
