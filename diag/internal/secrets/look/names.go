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

// DottedName reports whether s is a dotted name without digits: node.kubernetes.
func DottedName(s string) bool {
	for parts := 1; ; parts++ {
		part, rest, more := strings.Cut(s, ".")
		if !lower(part, false, "-") || !more {
			return !more && parts > 1 && lower(part, false, "-")
		}
		s = rest
	}
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
