package words

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// Shortest is the minimum length of a value if its name is ambiguous.
const Shortest = 6

// English reports whether a word is no token: without digits or inner capitals, and shorter than a token.
func English(v string) bool { return english.MatchString(v) }

// Literal reports whether a value says that there is no secret, or in which state it is.
func Literal(v string) bool { return literal.MatchString(v) }

// Named reports whether a text contains a secret's name.
func Named(s string) bool { return secretName.MatchString(s) }

// IsTag reports whether the value is the tag of an image with a secret's name, or part of an object that a program
// printed.
func (n Name) IsTag(s string, from, to int) bool {
	v, word := s[from:to], s[n.From:n.To]
	inPath := lex.At(s, n.From-1) == '/' && n.From > 1 && (lex.Wordly[s[n.From-2]] || s[n.From-2] == '.') ||
		n.Kind != Human && strings.IndexByte(word, '.') >= 0
	return lex.Lower(word) == word && len(v) <= 128 && (inPath && anyTag.MatchString(v) ||
		version.MatchString(v) && (n.Kind != Human || strings.IndexByte(v, '.') > 0) ||
		n.Kind != Human && tag.MatchString(v)) ||
		n.Kind == Machine && len(v) < 256 && look.KeyName(v) ||
		(v[0] == '&' || v[0] == '*') && strings.ContainsRune(v, '{')
}

// Harmless reports whether the text after the name says why it could not be read, as in "open /run/token: permission
// denied", or whether the value is never a secret.
func (n Name) Harmless(s string, from, to int) bool {
	rest := s[from:min(len(s), from+300)]
	if strings.IndexByte("npoifeirtsbducg", lex.Small[rest[0]]) >= 0 && failures.MatchString(rest) {
		return true
	}
	if near := rest[:min(len(rest), lex.Longest)]; strings.HasSuffix(s[:from], ": ") && (prose.MatchString(near) ||
		n.Kind != Human && clause.MatchString(near)) { // a password may be a word: "password: swordfish is wrong"
		return true
	}
	if strings.HasSuffix(s[:from], ": ") && told.MatchString(rest) && lacks.MatchString(s[max(0, n.From-48):n.From]) {
		return true
	}
	if to-from > lex.CommandLength {
		return false
	}
	bare := strings.Trim(s[from:to], "\\\"'`")
	if third := s[from : from+(to-from)/3]; bare == "" && strings.Repeat(third, 3) == s[from:to] {
		return false // three quotes open a longer value
	}
	switch n.Kind {
	case Suspect:
		return len(bare) == 64 || !look.Made(bare)
	case Brief:
		return len(bare) < Shortest || Literal(bare)
	case Object: // namespace/name, a label or a taint, or a secret's name: <add key="Password" value="x"/>
		_, turns := look.Mixture(bare)
		return len(bare) < Shortest && (len(bare) < 4 || turns < 2) || look.KeyName(bare) ||
			look.Joined(bare) ||
			!strings.ContainsAny(bare, "0123456789") && Named(bare) ||
			strings.IndexByte("?&", lex.At(s, n.From-1)) >= 0 && English(bare)
	}
	return Literal(bare) || n.Kind == Machine && (amount(lex.Lower(s[n.From:n.To]), bare) || grace.MatchString(rest))
}

// grace matches what kubelets print behind a container's name: container "token": 30s grace.
var grace = regexp.MustCompile(`^\d{1,6}s grace\b`)

// amount reports whether the value is a number of tokens, of seconds that one is valid, or of one in a list.
func amount(name, value string) bool {
	listed := len(value) < Shortest && strings.Contains(name, "token") && !strings.HasSuffix(name, "token")
	return (listed || strings.HasSuffix(name, "seconds") || strings.Contains(name, "tokens")) &&
		strings.Trim(value, "0123456789.,") == ""
}

// Invented reports whether a word is written as rules for passwords demand, with capitals, small letters, digits and
// signs: no id is, no name of an object, and no word of a sentence.
func Invented(v string) bool {
	if len(v) < Shortest || len(v) > lex.Longest || !strings.ContainsAny(v, "!#$^*~&@") ||
		strings.ContainsAny(v, "/:=.,;%|()[]{}<>\"'`\\") {
		return false
	}
	of, _ := look.Mixture(v)
	return of[look.Upper] > 0 && of[look.Lower] > 0 && of[look.Digit] > 0
}

// Looks reports whether a word may be a secret in a sentence, which continues with words, as in "password
// authentication failed".
func Looks(v string) bool {
	v = v[:min(len(v), lex.Near/8)]
	return len(v) >= Shortest && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter) &&
		(len(v) > 128 || !version.MatchString(v)) && !date.MatchString(v) && !sized.MatchString(v)
}
