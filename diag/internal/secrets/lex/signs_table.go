package lex

import "regexp"

// signs between a name and its value, also as URLs, JSON and HTML escape them. A colon is not included: see Sign.
var signs = []string{":=>", "=>", ":=", "->", "===", "==", "=~", "=", "<<-", "<-", "!=", "?=", "+=", "||=", "|=",
	"~>", "~", "是", "为", "為", "は", "는", "：", "＝", "﹕", "→", "⇒", "↦", "➜", "≔", "%3d", "%3a", "%253d", "%253a",
	"+%3d+", "%20=%20",
	"%20%3d%20", "&#61;", "&#58;", "\n[1] "}

// quotes that open a value, and what ends it.
var quotes = []struct{ open, end string }{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"„", "“"}, {"‘", "’"}, {"«", "»"}, {"「", "」"},
	{"&quot;", "&quot;"}, {"&#34;", "&#34;"}, {"%22", "%22"},
}

// Schemes are the kinds of secrets that a header names.
var Schemes = map[string]bool{"bearer": true, "basic": true, "digest": true, "negotiate": true, "ntlm": true,
	"oauth": true, "token": true, "apikey": true, "api-key": true, "hmac": true, "hawk": true, "mac": true}

// goObject is the beginning of an object in braces.
var goObject = regexp.MustCompile(`^\{\s*(?:$|[{}\s]|["'\\]{0,8}[A-Za-z_][A-Za-z_.-]*["'\\]{0,8}\s*[:=])`)

// pairLine is the beginning of an object, in YAML, JSON or as Go prints it.
var pairLine = regexp.MustCompile(`^(?:\{|[&*][\w.]{1,64}\{)?\s*` +
	`["'\\]{0,8}[A-Za-z_][A-Za-z_.-]{0,63}["'\\]{0,8}\s*[:=](?:\s|$|["'\\])`)
