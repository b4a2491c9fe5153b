package klogline

import (
	"strconv"
	"strings"
)

// Pair is one key=value of a structured line. Quoted reports whether the value was in quotes: klog before 2.100
// (kubelet ≤1.27) leaves named strings bare.
type Pair struct {
	Key, Value string
	Quoted     bool
	// escaped: Value is the text between the quotes, with its escapes.
	escaped bool
}

// Text returns the value as it was before it was quoted, "" for a broken literal.
func (p *Pair) Text() string {
	if !p.escaped {
		return p.Value
	}
	if v, ok := unescape(p.Value); ok {
		return v
	}
	v, err := strconv.Unquote(`"` + p.Value + `"`)
	if err != nil {
		return ""
	}
	return v
}

// Values are the pairs of a line, in order.
type Values []Pair

// Get returns the first value of a key, "" if there is none.
func (v Values) Get(key string) string {
	p := v.first(key)
	return p.Text()
}

// Raw returns the first value of a key, with its escapes if it has any.
func (v Values) Raw(key string) (value string, escaped bool) {
	p := v.first(key)
	return p.Value, p.escaped
}

// Quoted reports whether the value of a key was in quotes.
func (v Values) Quoted(key string) bool { return v.first(key).Quoted }

func (v Values) first(key string) (none Pair) {
	for i := range v {
		if v[i].Key == key {
			return v[i]
		}
	}
	return none
}

// MaxPairs limits the pairs that are read of one line; kubelets write a dozen.
const MaxPairs = 64

// ParseValues reads `key="v" key2=bare key3={…} key4=<block>` as klog 2.x prints it (klog internal/serialize). It
// appends to out, whose capacity is the limit if it has one. What cannot be read ends the list: a value without its
// closing quote was cut, and half an id is a wrong id.
func ParseValues(out Values, s string) Values {
	for len(out) < MaxPairs {
		s = strings.TrimLeft(s, " ")
		eq := strings.IndexByte(s, '=')
		if eq < 1 || !isKey(s[:eq]) {
			return out
		}
		p := Pair{Key: s[:eq]}
		s = s[eq+1:]
		switch {
		case strings.HasPrefix(s, `"`):
			end, escaped := literal(s)
			if end < 0 {
				return out
			}
			p.Value, p.Quoted, p.escaped, s = s[1:end], true, escaped, s[end+1:]
		case strings.HasPrefix(s, "<\n"):
			p.Value, s = block(s[2:])
			p.Quoted = true
		case s == "<": // the lines of the block were lost
			p.Quoted, s = true, ""
		default:
			n := bareLen(s)
			if n < 0 {
				return out
			}
			p.Value, s = s[:n], s[n:]
		}
		out = append(out, p)
	}
	return out
}

// literal finds the quote that ends the Go string literal at the start of s, -1 if there is none, and reports whether
// there are escapes before it.
func literal(s string) (end int, escaped bool) {
	for end = 1; ; end++ {
		q := strings.IndexByte(s[end:], '"')
		if q < 0 {
			return -1, false
		}
		end += q
		slashes := 0
		for s[end-slashes-1] == '\\' { // stops at the first quote at the latest
			slashes++
		}
		if slashes%2 == 0 {
			break
		}
	}
	body := s[1:end]
	if strings.IndexByte(body, '\n') >= 0 {
		return -1, false
	}
	return end, strings.IndexByte(body, '\\') >= 0
}

// QuotedPrefix reads a Go string literal (%q) at the start of s.
func QuotedPrefix(s string) (value, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", s, false
	}
	end, escaped := literal(s)
	if end < 0 {
		return "", s, false
	}
	p := Pair{Value: s[1:end], escaped: escaped}
	if value = p.Text(); value == "" && end > 1 {
		return "", s, false
	}
	return value, s[end+1:], true
}

// unescape decodes the common escapes of a literal: strconv handles every character separately.
func unescape(body string) (value string, ok bool) {
	var b strings.Builder
	b.Grow(len(body))
	for {
		slash := strings.IndexByte(body, '\\')
		if slash < 0 {
			b.WriteString(body)
			return b.String(), true
		}
		if slash+1 >= len(body) {
			return "", false
		}
		b.WriteString(body[:slash])
		switch c := body[slash+1]; c {
		case '"', '\\':
			b.WriteByte(c)
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		default:
			return "", false
		}
		body = body[slash+2:]
	}
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

// bareLen returns the length of a value without quotes: a word, or a Go or JSON composite up to its closing bracket; -1
// if the bracket is missing.
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

// isKey reports whether s can be a key of klog: a word without spaces or quotes.
func isKey(s string) bool {
	if len(s) > 128 {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '"', '\n', '\t', '{', '}', '[', ']':
			return false
		}
	}
	return true
}
