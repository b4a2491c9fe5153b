package kubeletlog

import (
	"strconv"
	"strings"
)

// pair is one key=value of a structured line. quoted tells whether the value
// stood in quotes: klog before 2.100 (kubelet ≤1.27) leaves named strings bare.
type pair struct {
	key, value string
	quoted     bool
}

// values are the pairs of a line, in their order.
type values []pair

// get returns the first value of a key, "" when there is none.
func (v values) get(key string) string {
	for i := range v {
		if v[i].key == key {
			return v[i].value
		}
	}
	return ""
}

// quoted tells whether the value of a key stood in quotes.
func (v values) quoted(key string) bool {
	for i := range v {
		if v[i].key == key {
			return v[i].quoted
		}
	}
	return false
}

// maxPairs bounds the pairs that are read of one line; kubelets write a dozen.
const maxPairs = 64

// parseValues reads `key="v" key2=bare key3={…} key4=<block>` as klog 2.x prints
// it (klog internal/serialize). What cannot be read ends the list: a value that
// is not closed was cut, and half an id is a wrong id.
func parseValues(s string) values {
	var out values
	for len(out) < maxPairs {
		s = strings.TrimLeft(s, " ")
		eq := strings.IndexByte(s, '=')
		if eq < 1 || !isKey(s[:eq]) {
			return out
		}
		p := pair{key: s[:eq]}
		s = s[eq+1:]
		switch {
		case strings.HasPrefix(s, `"`):
			raw, err := strconv.QuotedPrefix(s)
			if err != nil {
				return out
			}
			p.value, p.quoted = unquote(raw), true
			s = s[len(raw):]
		case strings.HasPrefix(s, "<\n"):
			p.value, s = block(s[2:])
			p.quoted = true
		default:
			n := bareLen(s)
			if n < 0 {
				return out
			}
			p.value, s = s[:n], s[n:]
		}
		out = append(out, p)
	}
	return out
}

// block reads the lines of a klog block, each indented by a tab, up to " >".
func block(s string) (value, rest string) {
	body, rest := s, ""
	if strings.HasPrefix(s, " >") {
		return "", s[2:]
	}
	if end := strings.Index(s, "\n >"); end >= 0 {
		body, rest = s[:end], s[end+len("\n >"):]
	}
	body = strings.TrimPrefix(body, "\t")
	return strings.ReplaceAll(body, "\n\t", "\n"), rest
}

// bareLen is the length of a value without quotes: a word, or a Go or JSON
// composite up to its closing bracket; -1 if that never comes.
func bareLen(s string) int {
	start := strings.TrimLeft(s, "&")
	if strings.HasPrefix(start, "map[") {
		start = start[len("map"):]
	}
	if start == "" || start[0] != '{' && start[0] != '[' {
		if i := strings.IndexByte(s, ' '); i >= 0 {
			return i
		}
		return len(s)
	}
	depth, inString := 0, false
	for i := len(s) - len(start); i < len(s); i++ {
		switch c := s[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// isKey tells whether s can be a key of klog's: a word without spaces or quotes.
func isKey(s string) bool {
	return len(s) <= 128 && !strings.ContainsAny(s, " \"\n\t{}[]")
}

// unquote takes the quotes of a Go string literal off; a literal that is broken
// keeps its escapes.
func unquote(s string) string {
	if len(s) >= 2 && strings.IndexByte(s, '\\') < 0 {
		return s[1 : len(s)-1]
	}
	if u, err := strconv.Unquote(s); err == nil {
		return u
	}
	return strings.Trim(s, `"`)
}
