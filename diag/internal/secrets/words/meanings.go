package words

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

// Ambiguous is a word that may name a secret, and what its value needs at least to be one: a length, and changes
// between letters and digits.
type Ambiguous struct {
	Word          string
	Length, Turns int
}

// Meanings are the words that only the value makes a secret's name: a session may be closed, a code be 137, a state be
// Running.
var Meanings = []Ambiguous{
	{"session", 8, 3}, {"sessid", 8, 3}, {"sid", 8, 3}, {"ticket", 8, 3}, {"nonce", 8, 3}, {"relaystate", 8, 3},
	{"samlrequest", 8, 2}, {"signature", 8, 3}, {"login", 8, 5}, {"appid", 8, 5},
	{"samlart", 8, 2}, {"license", 8, 3}, {"licence", 8, 3}, {"community", 6, 1}, {"pepper", 6, 1},
	{"session id", 8, 3}, {"pin", 6, 2}, {"_pat", 8, 1}, {"_sk", 8, 1}, {"decrypted", 6, 1}, {"decrypted_value", 6, 1},
	{"plaintext", 8, 2}, {"cleartext", 8, 2}, {"seed", 8, 1}, {"state", 12, 5}, {"code", 12, 5}, {"codes", 12, 5},
}

// codes are kinds of codes that are secrets; others say how something ended.
var codes = []string{"recovery", "backup", "user", "device", "auth", "authorization", "security", "verification", "2fa",
	"mfa", "otp", "reset", "invite", "access", "activation", "pairing"}

var joints = strings.NewReplacer("-", "", "_", "", ".", "")

// Made reports whether a value was generated or invented, rather than being the name of something.
func (m Ambiguous) Made(value string) bool {
	value = strings.Trim(value, "\\\"'`[](){},:")
	if len(value) < m.Length || strings.HasPrefix(value, "0x") || look.KeyName(value) ||
		m.Turns > 0 && strings.ContainsAny(value, " \t\n@[{(") || m.Length > 8 && strings.IndexByte(value, ':') >= 0 {
		return false
	}
	if m.Length <= 8 && Invented(value) {
		return true
	}
	of, turns := look.Mixture(joints.Replace(value))
	switch {
	case of[look.Digit] == 0 && (m.Turns == 0 || of[look.Upper] < 2 || of[look.Lower] < 2):
		return false
	case m.Turns == 0:
		return strings.IndexByte(value, '.') < 0
	case m.Length > 8 && of[look.Upper] == 0 && strings.Trim(value, "0123456789abcdef-") == "": // an id
		return false
	}
	return turns >= m.Turns && !look.DNSName(value) && !date.MatchString(value) && !version.MatchString(value)
}

// OpensCode reports whether a word before "code", in lower case, makes it the name of a secret.
func OpensCode(before string) bool {
	return slices.ContainsFunc(codes, func(c string) bool { return strings.HasSuffix(before, c) })
}
