// Package look judges texts by their appearance: what their letters look like, however they are encoded, and which
// tokens look random or encoded. It knows no names of secrets; package secrets does.
//
// It imports only the standard library and does no I/O.
package look

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape is a terminal's escape sequence, raw or as logs and pagers write it: programs that log to a terminal colour
// the names of fields (logrus: "\x1b[36mpassword\x1b[0m=…").
var escape = regexp.MustCompile(`(?:\x1b|\^\[|\\+u001[bB]|\\+x1[bB]|\\+0?33|#033)` +
	`(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\(B)|\x{9b}[0-?]*[ -/]*[@-~]`)

// What a byte may be part of: an invisible rune (control characters except blanks, and everything beyond ASCII), a code
// of HTML or of URLs, and an escape sequence.
const (
	odd = 1 << iota
	code
	bracket
)

var signsOf = func() (t [256]byte) {
	for b := range t {
		if b < ' ' && b != '\n' && b != '\t' && b != '\r' || b >= 0x7f {
			t[b] = odd
		}
	}
	t['%'], t['&'], t['['] = code, code, bracket
	return t
}()

// spelled reports whether a text may have an escape sequence written in letters; almost none has.
func spelled(s string) bool {
	for i := 0; ; i++ {
		at := strings.IndexByte(s[i:], '[')
		if at < 0 {
			return false
		}
		if i += at; i > 0 && (s[i-1] == '^' || s[i-1] == 'b' || s[i-1] == 'B' || s[i-1] == '3') {
			return true
		}
	}
}

// unseen reports whether a terminal shows nothing for a rune.
func unseen(r rune) bool { return r < utf8.RuneSelf && signsOf[r] == odd || Hidden(r) }

// wide reports whether a rune is a non-ASCII blank: of another width, or non-breaking.
func wide(r rune) bool { return r > utf8.RuneSelf && unicode.Is(unicode.Zs, r) }

// Visible returns the text as a reader sees it, and whether that differs: without what is invisible, such as some runes
// and escape sequences of terminals, and with codes and look-alikes replaced by the letters that they show.
func Visible(s string) (visible string, hides bool) {
	has := byte(0)
	for i := range len(s) {
		has |= signsOf[s[i]]
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == 'u' || s[i+1] == 'x') {
			has |= code
		}
	}
	visible = s
	if has&code != 0 {
		visible = coded.ReplaceAllStringFunc(visible, decoded)
	}
	if strings.IndexByte(s, 0x1b) >= 0 || strings.Contains(s, "\u009b") || has&bracket != 0 && spelled(s) {
		visible = escape.ReplaceAllString(visible, "")
	}
	if has&odd == 0 {
		return visible, visible != s
	}
	if strings.IndexFunc(visible, func(r rune) bool { return unseen(r) || wide(r) }) >= 0 {
		visible = strings.Map(func(r rune) rune {
			switch {
			case unseen(r):
				return -1
			case wide(r):
				return ' '
			}
			return r
		}, visible)
	}
	if strings.ContainsFunc(visible, looksLatin) {
		visible = foreign.ReplaceAllStringFunc(visible, latin)
	}
	return visible, visible != s
}

// coded is a byte as URLs (even twice encoded), HTML, JSON and C write it: %70, %2570, &#112;, &#x70;, \u0070, \x70; or
// a rune as JSON and Go write it.
var coded = regexp.MustCompile(`%(?:25)*[2-7][0-9A-Fa-f]|&#(?:[xX][2-7][0-9A-Fa-f]|[0-9]{2,3});|` +
	`\\+(?:u00|x)[2-7][0-9A-Fa-f]|\\+u[0-9A-Fa-f]{4}`)

// decoded returns a letter or a digit decoded, and any other character as it was written.
func decoded(code string) string {
	digits, base := code[len(code)-2:], 16
	if i := strings.IndexByte(code, 'u'); i >= 0 {
		if r, err := strconv.ParseUint(code[i+1:], 16, 32); err == nil && Hidden(rune(r)) {
			return ""
		} else if code[i+1:i+3] != "00" {
			return code
		}
	}
	if code[0] == '&' {
		if digits = strings.TrimSuffix(code[2:], ";"); digits[0]|0x20 == 'x' {
			digits = digits[1:]
		} else {
			base = 10
		}
	}
	c, err := strconv.ParseUint(digits, base, 8)
	if err != nil || Kinds[byte(c)] == 0 || Kinds[byte(c)] > Under && c != '-' {
		return code
	}
	return string(rune(c))
}

// foreign matches a word with Cyrillic or Greek letters, or of wide or mathematical ones.
var foreign = regexp.MustCompile(`[A-Za-z]*[\p{Cyrillic}\p{Greek}][\pL_]*|[\x{ff21}-\x{ff5a}\x{1d400}-\x{1d6a3}]+`)

// alike maps letters of other scripts that look like Latin ones.
var alike = func() map[rune]rune {
	out := map[rune]rune{}
	const theirs, ours = "аеорсухіѕјһԁԛԝкАВЕКМНОРСТХІЅЈУοαεικνρτυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
		"aeopcyxisjhdqwkABEKMHOPCTXISJYoaeiknptuABEZHIKMNOPTYX"
	i := 0
	for _, r := range theirs {
		out[r] = rune(ours[i])
		i++
	}
	return out
}()

func looksLatin(r rune) bool {
	return r >= 0x391 && (alike[r] != 0 || r >= 0xff21 && r <= 0xff5a || r >= 0x1d400 && r <= 0x1d6a3)
}

// latin returns a word in the letters that it looks like. A word without any Latin letter belongs to another language.
func latin(word string) string {
	if r, _ := utf8.DecodeRuneInString(word); r < 0xff21 && !strings.ContainsFunc(word, func(r rune) bool {
		return r < utf8.RuneSelf && (Kinds[byte(r)] == Lower || Kinds[byte(r)] == Upper)
	}) {
		return word
	}
	return strings.Map(func(r rune) rune {
		switch {
		case alike[r] != 0:
			return alike[r]
		case r >= 0xff21 && r <= 0xff5a:
			return r - 0xfee0
		case r >= 0x1d400 && r <= 0x1d6a3: // the alphabet in 13 styles
			r = (r - 0x1d400) % 52
			return r + 'A' + r/26*('a'-'A'-26)
		}
		return r
	}, word)
}

// Hidden reports whether a rune is invisible, or reorders what is shown: Unicode's Default_Ignorable_Code_Point,
// bidirectional controls, separators of lines and paragraphs, and the marks of interlinear notes.
func Hidden(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x3164, r == 0xfeff, r == 0xffa0:
		return true
	case r >= 0x115f && r <= 0x1160, r >= 0x17b4 && r <= 0x17b5, r >= 0x180b && r <= 0x180f:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff0 && r <= 0xfffb:
		return true
	case r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}
