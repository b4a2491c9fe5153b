package look

import "strings"

// This file recognizes values that name objects. It is used very often, so it uses no regular expressions.

// lower reports whether s has only lower-case letters and the characters of also, and digits if allowed.
func lower(s string, digits bool, also string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (!digits || c < '0' || c > '9') && strings.IndexByte(also, c) < 0 {
			return false
		}
	}
	return s != ""
}

// KeyName reports whether s is namespace/name, a path, a label or a taint: two to eight parts.
func KeyName(s string) bool {
	s = strings.TrimPrefix(s, "/")
	for parts := 1; ; parts++ {
		part, rest, more := strings.Cut(s, "/")
		switch {
		case !more:
			return parts > 1 && lower(part, true, ".*:-")
		case parts == 8 || !lower(part, true, ".:-"),
			strings.IndexByte(part, ':') >= 0 && strings.IndexByte(rest, '/') >= 0:
			return false
		}
		s = rest
	}
}

// Joined reports whether s consists of words and numbers with signs between: node.kubernetes, users:12345, created_at.
func Joined(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("._:/-", r) })
	for _, part := range parts {
		if !lower(part, false, "") && strings.Trim(strings.TrimPrefix(part, "v"), "0123456789") != "" {
			return false
		}
	}
	return len(parts) > 1 && lower(parts[0], false, "")
}

// Digest reports whether s begins with a digest, as stands behind the at sign in an image's name. A host may have a
// name that begins like one.
func Digest(s string) bool {
	const least = 32
	kind, rest, _ := strings.Cut(s[:min(len(s), len("sha256:")+least)], ":")
	return (kind == "sha256" || kind == "sha384" || kind == "sha512") && len(rest) == least &&
		strings.Trim(rest, "0123456789abcdef") == ""
}

// DNSName reports whether s is a name of several words: web-5d78c9869d-abcde.
func DNSName(s string) bool {
	word, rest, more := strings.Cut(s, "-")
	if !more || !lower(word, false, "") {
		return false
	}
	for more {
		word, rest, more = strings.Cut(rest, "-")
		if !lower(word, true, "") {
			return false
		}
	}
	return true
}
