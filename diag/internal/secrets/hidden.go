package secrets

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape is a terminal's escape sequence, as it is or as logs and pagers write it: programs that log to a terminal
// colour the names of fields (logrus: "\x1b[36mpassword\x1b[0m=…").
var escape = regexp.MustCompile(`(?:\x1b|\^\[|\\+u001[bB]|\\+x1[bB]|\\+0?33|#033)` +
	`(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\(B)|\x{9b}[0-?]*[ -/]*[@-~]`)

// odd are the bytes of runes that may show nothing: controls that are no blank between words, and all beyond ASCII.
var odd = func() (t [256]bool) {
	for b := range t {
		t[b] = b < ' ' && b != '\n' && b != '\t' && b != '\r' || b >= 0x7f
	}
	return t
}()

// spelled tells whether a text may have an escape sequence in letters; nearly none has.
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

// unseen tells runes of which a terminal shows nothing.
func unseen(r rune) bool { return r < utf8.RuneSelf && odd[r] || Hidden(r) }

// uncovered is the text without what shows nothing: such runes, and the escape sequences of terminals.
func uncovered(s string) (visible string, hides bool) {
	i := 0
	for i < len(s) && !odd[s[i]] {
		i++
	}
	if i == len(s) && !spelled(s) {
		return s, false
	}
	visible = s
	if strings.IndexByte(s, 0x1b) >= 0 || strings.Contains(s, "\u009b") || spelled(s) {
		visible = escape.ReplaceAllString(s, "")
	}
	if strings.IndexFunc(visible, unseen) >= 0 {
		visible = strings.Map(func(r rune) rune {
			if unseen(r) {
				return -1
			}
			return r
		}, visible)
	}
	return visible, visible != s
}

// Hidden tells runes that show nothing, or reorder what is shown: Unicode's
// Default_Ignorable_Code_Point, bidirectional controls, separators of lines and
// paragraphs, and the marks of interlinear notes.
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
