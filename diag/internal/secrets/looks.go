package secrets

import "strings"

// This file tells what values look like that name objects. They are asked of very many, so they take no expression.

// endsWith tells a text that ends with one of the words, in letters of either case.
func endsWith(s string, words ...string) bool {
	for _, w := range words {
		if len(s) >= len(w) && startsWith(s[len(s)-len(w):], w) {
			return true
		}
	}
	return false
}

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

// keyName is namespace/name, a path, a label or a taint: two parts or up to eight.
func keyName(s string) bool {
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

// dottedName has no digits: node.kubernetes.
func dottedName(s string) bool {
	for parts := 1; ; parts++ {
		part, rest, more := strings.Cut(s, ".")
		if !lower(part, false, "-") || !more {
			return !more && parts > 1 && lower(part, false, "-")
		}
		s = rest
	}
}

// dnsName is of several words: web-5d78c9869d-abcde.
func dnsName(s string) bool {
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
