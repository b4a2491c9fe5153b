package look

import (
	"encoding/base64"
	"strings"
)

// This file finds what no name gives away: what looks as if it was drawn at random, and nothing else in a node's logs
// does. Ids there are of digits and small letters (hexadecimal, UUIDs, names of pods), and words of programs change
// between kinds of letters once a word. What decodes to a text is somebody's secret, or hides one.

const (
	// tokenLength is how long such a token is at least, in bytes: 24 letters and digits are 140 bits.
	tokenLength = 24
	// blobLength is how long one is at least that slashes are of, as paths have them.
	blobLength = 40
	// tailLength is how long one is at least behind its issuer's name and "_", be it of small letters alone.
	tailLength = 30
	// textLength is how long base64 of a text is at least; paddedLength, with signs that fill it up.
	textLength, paddedLength = 16, 8
	// madeLength is how long a word is at least that looks drawn where a value stands, idLength if it is of small letters
	// and digits, as ids are.
	madeLength, idLength = 12, 16
	// ofEach is how many capitals, small letters and digits a token has at least.
	ofEach = 2
	// changes is of how many bytes one begins another kind: one of two in a token, one of five in
	// NamesThatAreWrittenLikeThis, where a small letter behind a capital begins nothing, nor does a sign.
	changes = 4
)

// kinds of bytes in a token; none of them ends one.
const (
	Lower = iota + 1
	Upper
	Digit
	Under
	Joint
	Slash
)

// Kinds are the kinds of bytes.
var Kinds = func() (out [256]byte) {
	for c := range out {
		switch {
		case c >= 'a' && c <= 'z':
			out[c] = Lower
		case c >= 'A' && c <= 'Z':
			out[c] = Upper
		case c >= '0' && c <= '9':
			out[c] = Digit
		case c == '_':
			out[c] = Under
		case c == '-' || c == '+' || c == '~':
			out[c] = Joint
		case c == '/':
			out[c] = Slash
		}
	}
	return out
}()

// Drawn calls cut with the ends of what looks drawn at random, and of what is encoded.
func Drawn(s string, cut func(from, to int)) {
	for at := 0; at+textLength <= len(s); {
		end, has := at+textLength, 0
		for end > at && Kinds[s[end-1]] != 0 {
			end--
			has |= 1 << Kinds[s[end]]
		}
		if end > at { // a byte before is of no token
			at = end
			continue
		}
		end += textLength
		for end < len(s) && Kinds[s[end]] != 0 {
			has |= 1 << Kinds[s[end]]
			end++
		}
		if from := afterEscape(s, at); has&(1<<Upper|1<<Under) != 0 { // most are ids, paths and names
			token(s, from, end, cut)
		} else if behindOption(s, from) && Made(s[from:end]) && strings.Trim(s[from:end], "0123456789abcdef-") != "" {
			cut(from, end)
		} else if from > 0 && end-from >= 2*idLength && strings.IndexByte(`."'=: `, s[from-1]) >= 0 {
			id(s, from, end, cut)
		}
		at = end
	}
	padded(s, cut)
}

// token cuts out what is a secret of a run of letters, digits and signs.
func token(s string, from, end int, cut func(from, to int)) {
	run := s[from:end]
	if isText(run) || isBlob(run) || from > 0 && mixed(run) && (nameOf(s, from) != "" || behindOption(s, from)) {
		cut(from, filled(s, end))
		return
	}
	for len(run) >= tokenLength {
		part, rest, _ := strings.Cut(run, "/")
		if len(part) >= tokenLength && (drawn(part) || drawn(withoutIssuer(part)) || issuedTail(part)) {
			cut(end-len(run), filled(s, end-len(run)+len(part)))
		}
		run = rest
	}
}

// afterEscape is behind the letter of an escaped line break or tab that a token stands behind.
func afterEscape(s string, at int) int {
	if at > 0 && s[at-1] == '\\' && strings.IndexByte("ntr", s[at]) >= 0 {
		return at + 1
	}
	return at
}

// id cuts out what is written like an id and is none: the value of a variable that is not called so, the second half of
// a token, and a key that tells its data centre, 0a1b2c…-us6.
func id(s string, from, end int, cut func(from, to int)) {
	if name := nameOf(s, from); len(name) > 2 && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" &&
		Made(s[from:end]) {
		cut(from, end)
	} else if hex := from + strings.IndexByte(s[from:end], '-'); hex-from == 2*idLength &&
		strings.HasPrefix(s[hex:end], "-us") && end-hex <= len("-us10") {
		cut(from, end)
	} else if s[from-1] == '.' {
		first := from - 1
		for first > 0 && from-first < 2*idLength && Kinds[s[first-1]] != 0 {
			first--
		}
		of, _ := Mixture(s[first : from-1])
		if from-1-first >= madeLength && of[Upper] >= ofEach && of[Lower] >= ofEach {
			cut(first, end)
		}
	}
}

// behindOption tells what stands behind -t, or another letter.
func behindOption(s string, from int) bool {
	return from > 3 && s[from-4] == ' ' && s[from-3] == '-' && s[from-1] == ' '
}

// ids are how names of ids and of what identifies something end, in small letters.
var ids = []string{"id", "ids", "uid", "hash", "sum", "digest", "sha", "sha1", "sha256", "md5", "commit", "rev",
	"revision", "version", "etag", "cursor", "container", "sandbox", "pod", "image", "name", "path", "dir"}

// nameOf is the name whose value begins there, "" without one and for names of ids.
func nameOf(s string, value int) string {
	before := s[max(0, value-64):value]
	name := strings.TrimRight(before, "\\\"' ")
	if strings.HasSuffix(before, "= ") {
		return "" // of a message
	}
	if name = strings.TrimRight(name, ":="); strings.Trim(before[len(name):], "\\\"' ") == "" {
		return "" // no sign
	}
	name = strings.TrimRight(name, "\\\"'")
	from := len(name)
	for from > 0 && (Kinds[name[from-1]] != 0 || name[from-1] == '.') {
		from--
	}
	name = name[from:]
	for _, known := range ids {
		if n := len(name) - len(known); n >= 0 && strings.EqualFold(name[n:], known) {
			return ""
		}
	}
	return name
}

// Made tells a word that looks drawn for the place of a value, where it need not be as long as a token elsewhere.
func Made(word string) bool {
	if word = strings.TrimRight(word, "="); mixed(word) {
		return true
	}
	for i := range len(word) {
		if Kinds[word[i]] == 0 || Kinds[word[i]] == Slash {
			return false
		}
	}
	of, turns := Mixture(word)
	return len(word) >= idLength && of[Digit] >= ofEach && of[Lower]+of[Upper] >= ofEach &&
		turns*changes >= len(word) && !DNSName(word)
}

// mixed tells a word of capitals, small letters and digits, as no id is.
func mixed(word string) bool {
	of, turns := Mixture(word)
	return len(word) >= madeLength && 8*(of[Under]+of[Joint]+of[Slash]) <= len(word) &&
		of[Upper] >= ofEach && of[Lower] >= ofEach && of[Digit] >= 1 &&
		turns*changes >= len(word)
}

// filled returns where the signs end that fill base64 up.
func filled(s string, i int) int {
	for i < len(s) && s[i] == '=' {
		i++
	}
	return i
}

// isPath tells names with slashes between: random bytes are no words of small letters.
func isPath(run string) bool {
	slashes := 0
	for part := range strings.SplitSeq(run, "/") {
		if slashes++; len(part) >= 3 && strings.Trim(part, "abcdefghijklmnopqrstuvwxyz") == "" {
			return slashes > 1 || len(part) < len(run)
		}
	}
	return false
}

func drawn(token string) bool {
	of, turns := Mixture(token)
	return of[Lower] >= ofEach && of[Upper] >= ofEach && of[Digit] >= ofEach && turns*changes >= len(token)
}

// Mixture counts the bytes of each kind, and how often the kind changes.
func Mixture(token string) (of [Slash + 1]int, turns int) {
	before := byte(0)
	for i := range len(token) {
		k := Kinds[token[i]]
		of[k]++
		if k > Digit {
			continue
		}
		if before != 0 && k != before && (k != Lower || before != Upper) {
			turns++
		}
		before = k
	}
	return of, turns
}

// isBlob tells what has slashes or plus signs besides, as keys of clouds do.
func isBlob(run string) bool {
	if len(run) < blobLength || !strings.ContainsAny(run, "/+") || strings.ContainsAny(run, "-_~") || isPath(run) {
		return false
	}
	of, turns := Mixture(run)
	return of[Lower] > ofEach && of[Upper] > ofEach && of[Digit] > 0 && turns*changes >= len(run)
}

// withoutIssuer is the token behind the words that it begins with, if it is still long enough for one.
func withoutIssuer(part string) string {
	if rest := strings.TrimLeft(part, "abcdefghijklmnopqrstuvwxyz_-"); len(rest) >= tokenLength {
		return rest
	}
	return part
}

// issuedTail tells issuer_0a1b2c…: ids of containers and of static pods are none.
func issuedTail(part string) bool {
	tail := part[strings.LastIndexByte(part, '_')+1:]
	if len(tail) < tailLength || len(tail) == len(part) ||
		len(tail)%32 == 0 && strings.Trim(tail, "0123456789abcdef") == "" {
		return false
	}
	of, _ := Mixture(tail)
	return of[Joint] == 0 && of[Digit] >= ofEach && of[Lower] >= ofEach
}

// isText tells base64 of a text, of either alphabet.
func isText(run string) bool {
	if c := run[0]; c > 'f' || c < 'A' || c > 'D' && c < 'I' { // its first byte is none of a text
		return false
	}
	var four [4]byte
	for i := 0; i+4 <= len(run); i += 4 {
		for j := range four {
			switch four[j] = run[i+j]; four[j] {
			case '-':
				four[j] = '+'
			case '_':
				four[j] = '/'
			}
		}
		var three [3]byte
		n, err := base64.StdEncoding.Strict().Decode(three[:], four[:])
		if err != nil {
			return false
		}
		for _, c := range three[:n] {
			if (c < ' ' || c > '~') && c != '\n' && c != '\t' && c != '\r' && c != 0 {
				return false
			}
		}
	}
	of, _ := Mixture(run)
	return of[Lower] > 0 && of[Upper] > 0
}

// padded cuts out base64 of a text that is too short for a token and was filled up.
func padded(s string, cut func(from, to int)) {
	for i := 0; ; {
		sign := strings.IndexByte(s[i:], '=')
		if sign < 0 {
			return
		}
		sign += i
		i = filled(s, sign)
		if i-sign > 2 || i < len(s) && Kinds[s[i]] != 0 && s[i] != '/' {
			continue
		}
		from := sign
		for from > 0 && sign-from < textLength && Kinds[s[from-1]] != 0 {
			from--
		}
		if n := i - from; n >= paddedLength && n%4 == 0 && n < textLength+4 && isText(s[from:i]) {
			cut(from, i)
		}
	}
}
