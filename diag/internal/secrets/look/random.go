package look

import (
	"encoding/base64"
	"strings"
)

// This file finds secrets without a name: what looks random, unlike anything else in a node's logs. Ids there consist
// of digits and lower-case letters (hexadecimal, UUIDs, names of pods), and words of programs change between kinds of
// letters once per word. What decodes to a text is a secret, or hides one.

const (
	// tokenLength is the minimum length of such a token, in bytes: 24 letters and digits are 140 bits.
	tokenLength = 24
	// blobLength is the minimum length of a token with slashes, which paths have too.
	blobLength = 40
	// tailLength is the minimum length after an issuer's name and "_", even of only lower-case letters.
	tailLength = 30
	// textLength is the minimum length of base64 of a text; paddedLength, if it is padded.
	textLength, paddedLength = 16, 8
	// madeLength is the minimum length of a random-looking word in the place of a value, idLength if it consists of
	// lower-case letters and digits, like ids.
	madeLength, idLength = 12, 16
	// ofRancher is the length of Rancher's keys, behind a name and a colon.
	ofRancher = 54
	// ofEach is the minimum number of capitals, lower-case letters and digits of a token.
	ofEach = 2
	// changes: at least one of this many bytes begins another kind. It is one of two in a token, and one of five in
	// NamesThatAreWrittenLikeThis, where neither a lower-case letter after a capital nor a sign begins a kind.
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

// Kinds maps bytes to their kinds.
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

// Drawn calls cut with the bounds of what looks random, and of what is encoded.
func Drawn(s string, cut func(from, to int)) {
	for at := 0; at+textLength <= len(s); {
		end, has := at+textLength, 0
		for end > at && Kinds[s[end-1]] != 0 {
			end--
			has |= 1 << Kinds[s[end]]
		}
		if end > at { // the byte before is not part of a token
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

// token cuts out the secret in a run of letters, digits and signs.
func token(s string, from, end int, cut func(from, to int)) {
	run := s[from:end]
	if device, _, ok := strings.Cut(run, "-"); ok && (device == "GPU" || device == "MIG") &&
		strings.Trim(run[len("GPU"):], "0123456789abcdef-") == "" {
		return
	}
	if before := s[max(0, from-7):from]; strings.HasSuffix(before, "SHA256:") || strings.HasSuffix(before, " h1:") {
		return // of SSH's keys and Go's modules
	}
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

// afterEscape returns the place after the letter of an escaped line break or tab that precedes a token.
func afterEscape(s string, at int) int {
	if at > 0 && s[at-1] == '\\' && strings.IndexByte("ntr", s[at]) >= 0 {
		return at + 1
	}
	return at
}

// id cuts out what is written like an id and is none: the value of a variable that is not named as an id, the second
// half of a token, and a key with its data centre, 0a1b2c…-us6.
func id(s string, from, end int, cut func(from, to int)) {
	if name := nameOf(s, from); len(name) > 2 && name[0] > '9' &&
		strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" && Made(s[from:end]) {
		cut(from, end)
	} else if hex := from + strings.IndexByte(s[from:end], '-'); hex-from == 2*idLength &&
		strings.HasPrefix(s[hex:end], "-us") && end-hex <= len("-us10") {
		cut(from, end)
	} else if s[from-1] == ':' && end-from == ofRancher {
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

// behindOption reports whether it follows -t, or another letter.
func behindOption(s string, from int) bool {
	return from > 3 && s[from-4] == ' ' && s[from-3] == '-' && s[from-1] == ' '
}

// ids are the last parts of names of ids and of other identifiers, in lower case.
var ids = []string{"id", "ids", "uid", "hash", "sum", "digest", "sha", "sha1", "sha256", "md5", "commit", "rev",
	"revision", "version", "etag", "cursor", "container", "sandbox", "pod", "image", "name", "path", "dir"}

// nameOf returns the name whose value begins there, "" without one and for names of ids.
func nameOf(s string, value int) string {
	before := s[max(0, value-64):value]
	name := strings.TrimRight(before, "\\\"' ")
	if strings.HasSuffix(before, "= ") {
		return "" // part of a message
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

// Made reports whether a word in the place of a value looks random; there it may be shorter than a token elsewhere.
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

// mixed reports whether a word has capitals, lower-case letters and digits, as no id does.
func mixed(word string) bool {
	of, turns := Mixture(word)
	return len(word) >= madeLength && 8*(of[Under]+of[Joint]+of[Slash]) <= len(word) &&
		of[Upper] >= ofEach && of[Lower] >= ofEach && of[Digit] >= 1 &&
		turns*changes >= len(word)
}

// filled returns the end of base64's padding.
func filled(s string, i int) int {
	for i < len(s) && s[i] == '=' {
		i++
	}
	return i
}

// isPath reports whether s consists of names separated by slashes: random bytes are no lower-case words.
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
	base32 := len(token) >= 2*idLength && of[Upper]+of[Digit] == len(token) && // with "-" it is a name or a UUID
		strings.Trim(token, "0123456789ABCDEF") != ""
	return (of[Lower] >= ofEach || base32) && of[Upper] >= ofEach && of[Digit] >= ofEach && turns*changes >= len(token)
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

// isBlob reports whether a token also has slashes or plus signs, as keys of clouds do.
func isBlob(run string) bool {
	if len(run) < blobLength || !strings.ContainsAny(run, "/+") || strings.ContainsAny(run, "-_~") || isPath(run) {
		return false
	}
	of, turns := Mixture(run)
	return of[Lower] > ofEach && of[Upper] > ofEach && of[Digit] > 0 && turns*changes >= len(run)
}

// withoutIssuer returns the token after the words that it begins with, if it is still long enough for one.
func withoutIssuer(part string) string {
	if rest := strings.TrimLeft(part, "abcdefghijklmnopqrstuvwxyz_-"); len(rest) >= tokenLength {
		return rest
	}
	return part
}

// issuedTail reports whether it has the form issuer_0a1b2c…: ids of containers and of static pods do not.
func issuedTail(part string) bool {
	tail := part[strings.LastIndexByte(part, '_')+1:]
	if len(tail) < tailLength || len(tail) == len(part) ||
		len(tail)%32 == 0 && strings.Trim(tail, "0123456789abcdef") == "" {
		return false
	}
	of, _ := Mixture(tail)
	return of[Joint] == 0 && of[Digit] >= ofEach && of[Lower] >= ofEach
}

// isText reports whether it is base64 of a text, in either alphabet.
func isText(run string) bool {
	if c := run[0]; c > 'f' || c < 'A' || c > 'D' && c < 'I' { // such a first byte does not begin a text
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

// padded cuts out padded base64 of a text that is too short for a token.
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
