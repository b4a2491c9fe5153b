package secrets

import "strings"

// This file finds what no name gives away: tokens of issuers that nobody listed look as if they were drawn at random,
// and nothing else in a node's logs does. Ids there are of digits and small letters (hexadecimal, UUIDs, names of
// pods), and words of programs change between kinds of letters once a word.

const (
	// randomLength is how long such a token is at least, in bytes: 32 letters and digits are 190 bits.
	randomLength = 32
	// ofEach is how many capitals, small letters and digits it has at least.
	ofEach = 2
	// changes is of how many bytes one begins another kind: one of two in a token, one of five in
	// NamesThatAreWrittenLikeThis, where a small letter behind a capital begins nothing.
	changes = 3.5
)

// kinds of bytes in a token; none of them ends one.
const (
	lower = iota + 1
	upper
	digit
	joint
)

// letters are the kinds of bytes.
var letters = func() (out [256]byte) {
	for c := range out {
		switch {
		case c >= 'a' && c <= 'z':
			out[c] = lower
		case c >= 'A' && c <= 'Z':
			out[c] = upper
		case c >= '0' && c <= '9':
			out[c] = digit
		case c == '_' || c == '-' || c == '+':
			out[c] = joint
		}
	}
	return out
}()

// withoutRandom takes out what looks drawn at random.
func withoutRandom(s string) string {
	var b strings.Builder
	last := 0
	for at := 0; at+randomLength <= len(s); {
		end := at + randomLength
		for end > at && letters[s[end-1]] != 0 {
			end--
		}
		if end > at { // a byte before is of no token
			at = end
			continue
		}
		end += randomLength
		for end < len(s) && letters[s[end]] != 0 {
			end++
		}
		if drawn(s[at:end]) {
			b.WriteString(s[last:at])
			b.WriteString(Mark)
			for last = end; last < len(s) && s[last] == '='; last++ {
			}
		}
		at = end
	}
	if last == 0 {
		return s
	}
	return b.String() + s[last:]
}

func drawn(token string) bool {
	var of [joint + 1]int
	turns, before := 0, byte(0)
	for i := range len(token) {
		k := letters[token[i]]
		of[k]++
		if i > 0 && k != before && (k != lower || before != upper) {
			turns++
		}
		before = k
	}
	return of[lower] >= ofEach && of[upper] >= ofEach && of[digit] >= ofEach &&
		float64(turns)*changes >= float64(len(token))
}
