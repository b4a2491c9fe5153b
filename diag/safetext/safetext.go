// Package safetext turns untrusted text into text that is safe to show.
//
// Every string from a cluster, a node or a bundle can contain terminal escape sequences, bidirectional overrides or a
// megabyte of noise. It is cleaned here once, when it enters the program; the result is of type Text (free text) or
// comes from Ident (names, ids, images), and may be printed anywhere.
//
// Secrets are removed from free text at the same point, so that no output has to handle them: raw files from elsewhere
// pass through it just as collected evidence does.
//
// The package imports diag/internal/secrets and the standard library. It never loses meaning: what is dangerous becomes
// visible, not invisible.
package safetext

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/secrets/look"
)

const (
	// MaxText is the longest free text that is kept, in bytes before escaping.
	MaxText = 16 << 10
	// MaxIdent is the longest name, id or image that is kept, in bytes.
	MaxIdent = 1 << 10
)

// Text is free text that is safe to print: valid UTF-8, one line, no control
// characters, no bidirectional controls, no secrets, at most MaxText bytes of content
// plus a note of what was cut. The zero value is the empty text.
type Text struct {
	s     string
	in    *block // of a Store, nil for s
	at, n int32
}

// Clean makes any text safe. Newlines and tabs become visible as `⏎` and a
// space, so that a log line stays one line wherever it is shown.
func Clean(s string) Text {
	rest := ""
	if len(s) > searched { // what is cut off below needs no search
		s, rest = s[:searched], s[searched:]
	}
	return Text{s: clean(secrets.Text(s)+rest, MaxText)}
}

// searched is how much of a text may be shown, plus room for a secret that is cut.
const searched = 2 * MaxText

// Ident makes a name, id, image or version safe. In the common case it returns its argument unchanged, without copying.
// A string with a blank, an equals sign or a quote is not a name, and one with a login before its host is an address:
// secrets are removed from both as from any text.
func Ident(s string) string {
	if len(s) <= MaxIdent && named(s) {
		return s
	}
	if strings.ContainsAny(s, " =\n\t\"'") || LogsIn(s) {
		s = withoutLogin(secrets.Text(s[:min(len(s), searched)]))
	}
	if len(s) <= MaxIdent && plain(s) {
		return s
	}
	return clean(s, MaxIdent)
}

// Safe reports whether s can be printed on a terminal unchanged.
func Safe(s string) bool { return plain(s) || clean(s, len(s)+1) == s }

// String returns the safe text.
func (t Text) String() string {
	if t.in != nil {
		return t.in.string(t.at, t.n)
	}
	return t.s
}

// Empty reports whether there is no text.
func (t Text) Empty() bool { return t.s == "" && t.in == nil }

// MarshalJSON writes the text as a JSON string.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }

// UnmarshalJSON reads a JSON string and cleans it again: a bundle is untrusted.
func (t *Text) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("read safe text: %w", err)
	}
	*t = Clean(s)
	return nil
}

// LogsIn reports whether a name has a user and a password before a host, as someone may write the address of an image.
// What is behind the sign in an image's name is a digest.
func LogsIn(s string) bool {
	at := strings.IndexByte(s, '@')
	return at > 0 && strings.IndexByte(s[:at], ':') >= 0 && !look.Digest(s[at+1:])
}

// withoutLogin hides what secrets.Text leaves of a login before a host with a path: in the address of an image every
// word is a password, however short it is.
func withoutLogin(s string) string {
	if strings.ContainsAny(s, " =\n\t\"'") || !LogsIn(s) || strings.Contains(s, secrets.Mark) {
		return s
	}
	colon, at := strings.IndexByte(s, ':'), strings.IndexByte(s, '@')
	if strings.IndexByte(s[at:], '/') < 0 || strings.IndexByte(s[colon:at], '/') >= 0 {
		return s
	}
	return s[:colon+1] + secrets.Mark + s[at:]
}

// named reports whether s is printable ASCII without a blank, an equals sign, a quote or a login, like a name.
func named(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > 0x7e || c == '=' || c == '"' || c == '\'' || c == '@' && LogsIn(s) {
			return false
		}
	}
	return true
}

// plain is the fast path: printable ASCII only.
func plain(s string) bool {
	const ones = 0x0101010101010101
	i := 0
	for ; i+8 <= len(s); i += 8 { // eight bytes at a time
		x := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		// The high bit of a byte is set if the byte is above 0x7f, above 0x7e, or below 0x20; if a borrow sets a
		// neighbour's bit, the result is the same.
		if (x|(x+ones)|(x-0x20*ones))&(0x80*ones) != 0 {
			return false
		}
	}
	for ; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

func clean(s string, limit int) string {
	cut := 0
	if len(s) > limit {
		end := limit
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
		cut = len(s) - end
		s = s[:end]
	}
	if plain(s) && cut == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for _, r := range s { // a broken byte arrives here as U+FFFD
		switch {
		case r == '\n':
			b.WriteString("⏎")
		case r == '\t':
			b.WriteByte(' ')
		case r == 0x1b:
			b.WriteString("^[")
		case r < 0x20, r >= 0x7f && r <= 0x9f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case look.Hidden(r):
			fmt.Fprintf(&b, `\u{%04x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	if cut > 0 {
		fmt.Fprintf(&b, "… (%d bytes cut)", cut)
	}
	return b.String()
}
