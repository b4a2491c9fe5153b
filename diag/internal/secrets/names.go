package secrets

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/lex"
	"regexp"
	"slices"
	"strings"
)

// This file holds the one list of what secrets are called, and what kind of a name it is.

// kind of a name tells what behind it is a secret.
type kind int

const (
	none kind = iota
	// human is a password: any value is one, and in a sentence what looks like one.
	human
	// machine is what programs make: tokens, secrets, keys of a kind.
	machine
	// brief is a short word that means other things, too: its values have some length.
	brief
	// object is "key" alone, which names objects of Kubernetes as well.
	object
	// suspect is a key of whatever kind: its values look made.
	suspect
	// setting is a word of a configuration whose value follows a blank.
	setting
)

// abroad is a password in other languages, in small letters, in capitals and with one capital.
func abroad() (out []string) {
	for _, word := range []string{"contraseña", "contrasena", "senha", "mot de passe", "mot-de-passe", "mot_de_passe",
		"motdepasse", "kennwort", "parola", "parole", "hasło", "haslo", "lösenord", "wachtwoord", "heslo", "salasana",
		"şifre", "jelszó", "lozinka", "slaptažodis", "adgangskode", "kata sandi", "mật khẩu", "contrasenya", "parool",
		"clave", "κωδικός", "סיסמה", "كلمة المرور", "รหัสผ่าน", "пароль", "密码", "密碼", "口令", "パスワード", "비밀번호"} {
		first := []rune(word)[0]
		title := strings.ToUpper(string(first)) + word[len(string(first)):]
		for _, w := range []string{word, title, strings.ToUpper(word)} {
			if w = lex.Lower(w); !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// name is one in a text: from where it begins to where it ends.
type name struct {
	from, to int
	kind     kind
}

// name returns the name of which a hint is a part.
func (p *pass) name(at, end int) name {
	n := name{from: at, to: end}
	for n.from > 0 && at-n.from < lex.Longest && (lex.Wordly[p.S[n.from-1]] || p.S[n.from-1] == '.') {
		if n.from--; n.from > 0 && p.S[n.from-1] == '\\' && strings.IndexByte("tnr", p.S[n.from]) >= 0 {
			n.from++ // of an escape
			break
		}
	}
	for n.to < len(p.S) && n.to-end < lex.Longest && lex.Wordly[p.S[n.to]] {
		n.to++
	}
	for n.to > end && p.S[n.to-1] == '-' { // of an arrow
		n.to--
	}
	n.kind = p.kind(n, at, end)
	return n
}

func (p *pass) kind(n name, at, end int) kind {
	stem, rest := lex.Lower(p.S[at:end]), lex.Lower(p.S[end:n.to])
	switch stem {
	case "pass":
		for _, more := range []string{"word", "wd", "wrd", "wort", "phrase", "code", "ord"} {
			if after, ok := strings.CutPrefix(strings.TrimLeft(rest, "_-"), more); ok {
				if strings.HasSuffix(p.S[n.from:at], "insecure-") { // of HAProxy
					return setting
				}
				return unlessNoted(human, after)
			}
		}
		before := lex.Lower(p.S[n.from:at])
		if strings.Trim(rest, "_-0123456789") != "" || strings.HasSuffix(before, "require") {
			return none
		}
		stores := []string{"store", "srcstore", "deststore", "key", "srckey", "destkey"}
		if slices.Contains(stores, strings.TrimLeft(before, "-")) {
			return setting
		}
		if slices.Contains([]string{"by", "com", "encom", "tres", "over", "under", "sur", "multi"}, before) {
			return none // English words
		}
		return human
	case "sess":
		if id := strings.TrimPrefix(strings.TrimLeft(strings.TrimPrefix(rest, "ion"), "_-"), "id"); id == "" && rest != "" &&
			strings.HasSuffix(rest, "id") {
			return machine
		}
		return none
	case "creds":
		if n.from == at || !lex.Letter(p.S[at-1]) {
			return unlessNoted(human, rest)
		}
		return none
	case "key":
		return p.key(n, at, rest)
	case "secret", "token", "credential":
		return unlessNoted(machine, rest)
	case "requirepass", "masterauth", "rocommunity", "rwcommunity":
		return setting
	}
	return unlessNoted(human, rest)
}

func unlessNoted(k kind, rest string) kind {
	if rest == "" {
		return k
	}
	last := rest[strings.LastIndexAny(rest, "_-")+1:]
	if slices.Contains(notes, last) || slices.Contains(notes, strings.TrimPrefix(last, "s")) {
		return none
	}
	return k
}

var (
	variableKey = regexp.MustCompile(`^[A-Z][A-Z0-9_]*_KEY$`)
	headerKey   = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)*-Key$`)
)

// key tells what kind of a key a name is: of variables and headers all are secrets.
func (p *pass) key(n name, at int, rest string) kind {
	before := lex.Lower(p.S[n.from:at])
	if before == "" { // "API key"
		i := at
		for i > 0 && p.S[i-1] == ' ' && at-i < 2 {
			i--
		}
		from := i
		for from > 0 && i-from < lex.Longest && lex.Letter(p.S[from-1]) {
			from--
		}
		before = lex.Lower(p.S[from:i])
	}
	before = strings.TrimRight(before, "_-.")
	if slices.ContainsFunc(keys, func(k string) bool { return strings.HasSuffix(before, k) }) {
		return unlessNoted(machine, rest)
	}
	whole := p.S[n.from:n.to]
	switch {
	case rest != "":
		return none
	case variableKey.MatchString(whole), headerKey.MatchString(whole), strings.HasPrefix(whole, "--"):
		return machine
	case n.from == at:
		return object
	case strings.IndexByte("_-.", p.S[at-1]) >= 0 || p.S[at] == 'K' && p.S[at-1] >= 'a':
		return suspect
	}
	return none
}
