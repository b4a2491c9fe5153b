package look

import "strings"

// This file tells what values look like that name objects. They are asked of very many, so they take no expression.

// lower are small letters, digits too where a name has them.
func lower(s string, digits bool, also string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (!digits || c < '0' || c > '9') && strings.IndexByte(also, c) < 0 {
			return false
		}
	}
	return s != ""
}

// KeyName is namespace/name, a path, a label or a taint: two parts or up to eight.
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

// DottedName has no digits: node.kubernetes.
func DottedName(s string) bool {
	for parts := 1; ; parts++ {
		part, rest, more := strings.Cut(s, ".")
		if !lower(part, false, "-") || !more {
			return !more && parts > 1 && lower(part, false, "-")
		}
		s = rest
	}
}

// DNSName is of several words: web-5d78c9869d-abcde.
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
