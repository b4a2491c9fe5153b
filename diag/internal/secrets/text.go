package secrets

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text takes the secrets out of free text, such as the output of a probe or the last
// message of a container. A text without any is returned as it is.
func Text(s string) string { return clear(s, false) }

// clear is Text. With lines, every line that lies within a secret is left as one of its own.
func clear(s string, lines bool) string {
	if len(s) < minimum {
		return s
	}
	out := apply(s, lines)
	if visible, hides := uncovered(s); hides {
		// Signs that nobody sees may stand within a name: it counts how it looks.
		if shown := apply(visible, lines); shown != visible {
			return shown
		}
	}
	return out
}

// minimum is the length below which no text holds a secret with its name.
const minimum = 8

func apply(s string, lines bool) string {
	if have := hinted(s); have != 0 {
		for i := range rules {
			if r := &rules[i]; r.need&have != 0 && (r.needToo == 0 || r.needToo&have != 0) {
				s = r.apply(s, lines)
			}
		}
	}
	return withoutRandom(withoutCut(s))
}

func (r *rule) apply(s string, lines bool) string {
	all := r.pattern.FindAllStringSubmatchIndex(s, -1)
	if all == nil {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(Mark))
	last := 0
	for _, m := range all {
		if r.harmless != nil && r.harmless(groups(s, m), s[m[1]:]) {
			continue
		}
		b.WriteString(s[last:m[0]])
		put := string(r.pattern.ExpandString(nil, r.with, s, m))
		if lines {
			if gone := strings.Count(s[m[0]:m[1]], "\n") - strings.Count(put, "\n"); gone > 0 {
				i := strings.LastIndex(put, Mark) + len(Mark)
				put = put[:i] + strings.Repeat("\n"+Mark, gone) + put[i:]
			}
		}
		b.WriteString(put)
		last = m[1]
	}
	b.WriteString(s[last:])
	return b.String()
}

func groups(s string, m []int) []string {
	out := make([]string, len(m)/2)
	for i := range out {
		if m[2*i] >= 0 {
			out[i] = s[m[2*i]:m[2*i+1]]
		}
	}
	return out
}

// hints are those of all rules; the place of a list is its bit. starts are the bits of those
// that begin with two letters, at a place made of these (spot), and thirds of those that go on
// with a letter: a text is searched for all hints at once, because nearly every text of a node is.
var (
	hints  [][]string
	starts [1 << 10]uint64
	thirds [256]uint64
)

// small are the bytes of ASCII in lower case.
var small = func() (out [256]byte) {
	for c := range out {
		if out[c] = byte(c); c >= 'A' && c <= 'Z' {
			out[c] += 'a' - 'A'
		}
	}
	return out
}()

func spot(first, second byte) int { return (int(first)<<5 ^ int(second)) & (len(starts) - 1) }

// prepared gives the rules the bits of their hints.
func prepared(all []rule) []rule {
	for i := range all {
		all[i].need, all[i].needToo = bitOf(all[i].hints), bitOf(all[i].also)
	}
	return all
}

// bitOf is the bit of a list of hints, 0 for none. There are 64 of them.
func bitOf(words []string) uint64 {
	if len(words) == 0 {
		return 0
	}
	at := slices.IndexFunc(hints, func(list []string) bool { return slices.Equal(list, words) })
	if at < 0 {
		at = len(hints)
		hints = append(hints, words)
		for _, h := range words {
			enter(h, at)
		}
	}
	return 1 << at
}

// enter puts a hint into the tables: a short one beside whatever follows.
func enter(hint string, at int) {
	for c := range 256 {
		if len(hint) == 1 || hint[1] == byte(c) {
			starts[spot(hint[0], byte(c))] |= 1 << at
		}
		if len(hint) <= 2 || hint[2] == byte(c) {
			thirds[c] |= 1 << at
		}
	}
}

// hinted returns the bits of the hints that a text has.
func hinted(s string) (have uint64) {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf { // some letters are others' small ones
			s = strings.ToLower(s)
			break
		}
	}
	var second, third byte
	if s != "" {
		second = small[s[0]]
	}
	if len(s) > 1 {
		third = small[s[1]]
	}
	for i := range len(s) {
		first := second
		second, third = third, 0
		if i+2 < len(s) {
			third = small[s[i+2]]
		}
		for may := starts[spot(first, second)] & thirds[third] &^ have; may != 0; may &= may - 1 {
			at := bits.TrailingZeros64(may)
			for _, hint := range hints[at] {
				if startsWith(s[i:], hint) {
					have |= 1 << at
					break
				}
			}
		}
	}
	return have
}

// startsWith tells a text that begins with a hint, in letters of either case.
func startsWith(s, hint string) bool {
	if len(s) < len(hint) {
		return false
	}
	for i := range len(hint) {
		if small[s[i]] != hint[i] {
			return false
		}
	}
	return true
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
