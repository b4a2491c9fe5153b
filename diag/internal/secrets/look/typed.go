package look

import (
	"regexp"
	"strings"
)

// typed is a value's type as programs print it before the value, (string) (len=14) "x", (*string)(0xc0001) "x",
// string(14) "x", chr "x", String = "x", Some("x"), sql.NullString{String:"x", []byte{1}, or a literal's type: b'x',
// N'x', <<"x">>; in YAML a tag or an anchor: !!str x, &name x.
var typed = regexp.MustCompile(
	`^(?:&?[A-Za-z][\w:<>*&?]{0,32} = |(?:!!?|&)\w{1,32} |new [A-Z]\w{0,32}\(|` +
		`string\(\d{1,9}\)\s{1,8}|(?:chr|Just) |0x[0-9a-f]{1,16} \\{0,8}"|\[\](?:byte|uint8|rune|string)|[A-Za-z][\w.:]{0,32}\((?:\s|\\{1,8}[nt]){0,32}|` +
		`[\w.:]{0,32}\{(?:\s|\\{1,8}[nt]){0,32}["'\\]{0,8}(?i:value|string|data|plain|text|raw|s|b)["'\\]{0,8}\s?[:=]\s?)?` +
		`(?:\((?:[\[\]*]{0,8}(?:string|byte|uint8|[a-z]\w{0,32}\.[A-Z]\w{0,32})|(?:len=\d|0x[0-9a-f])[0-9a-f]{0,16})\)` +
		`\s{0,8}){0,4}` +
		`(?:(?:[NUBRnubr]{1,2}|<<)(?:\\{0,8}["']))?`)

// Type returns the type before a value, "" for none.
func Type(s string) string {
	if s == "" || !mayBeTyped(s) {
		return ""
	}
	return typed.FindString(s)
}

// mayBeTyped reports whether typed may match, by the first character, or by what follows the first word, which then has
// at most 33 letters. Most values are words, and trying the expression on one costs more than all the other checks.
func mayBeTyped(s string) bool {
	if !letter(s[0]) {
		return strings.IndexByte("!&(<[{", s[0]) >= 0 || strings.HasPrefix(s, "0x")
	}
	n := 1
	for n < min(len(s), 40) && (letter(s[n]) || s[n] >= '0' && s[n] <= '9' || strings.IndexByte("_.:<>*&?", s[n]) >= 0) {
		n++
	}
	rest := s[n:]
	if strings.HasPrefix(rest, " ") {
		return strings.HasPrefix(rest, " =") || s[:n] == "new" || s[:n] == "chr" || s[:n] == "Just"
	}
	return rest != "" && strings.IndexByte(`({"'\`, rest[0]) >= 0
}

func letter(b byte) bool { return b|' ' >= 'a' && b|' ' <= 'z' }
