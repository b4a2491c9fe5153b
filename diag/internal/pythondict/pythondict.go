// Package pythondict reads API objects as Python's client prints them: a dict, with underscores in the names of fields
// (kubernetes-client/python V1Pod.to_dict, to_str). It also reads what JavaScript and Ruby print, which differs in the
// words and in the keys, and fields that someone copied out of a browser's tree.
//
// It knows the literals of these languages and the client's names; the meaning of an object is up to its reader. It may
// import the standard library.
package pythondict

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	// dict matches the beginning of a dict at the start of a line; after a name it is an object of a class.
	dict = regexp.MustCompile(`^\s*(?:[A-Z]\w* )?\{\s*(?:'[A-Za-z_]+': |:\w+ ?=>|"\w+" ?=>|[A-Za-z]\w*: )`)
	// field matches a field of an object whose beginning is missing.
	field = regexp.MustCompile(`^\s*[A-Za-z]\w*: (?:["'].*["'],|\{)\s*\n`)
	// likely matches what a text with either has: JSON and YAML do not.
	likely = regexp.MustCompile(`\{\s*'|=>|(?m:^\s*(?:[A-Z]\w* )?(?:\{ ?)?[A-Za-z]\w*: (?:["'].*["'],|(?:[A-Z]\w* )?\{))`)
)

// maxDicts is how many dicts are read of one text, maxNested how deep they are nested.
const (
	maxDicts  = 50
	maxNested = 64
)

// ToJSON replaces dicts that are API objects with JSON, and reports whether there were any.
func ToJSON(text string) (string, bool) {
	if !likely.MatchString(text) {
		return dumped(text)
	}
	var out strings.Builder
	changed, tried := false, 0
	for rest := text; rest != ""; {
		line, after, more := strings.Cut(rest, "\n")
		whole := dict.MatchString(rest)
		if tried < maxDicts && (whole || field.MatchString(rest)) {
			tried++
			p := python{text: strings.TrimLeft(rest, " \t")}
			read := p.value
			if !whole {
				read = p.fields
			}
			if v, ok := read(0); ok && ofCluster(v) {
				if raw, err := json.MarshalIndent(v, "", " "); err == nil {
					out.Write(raw)
					out.WriteByte('\n')
					if rest = p.text[p.at:]; whole {
						_, rest, _ = strings.Cut(rest, "\n")
					}
					changed = true
					continue
				}
			}
		}
		out.WriteString(line)
		if more {
			out.WriteByte('\n')
		}
		rest = after
	}
	if !changed {
		return text, false
	}
	return out.String(), true
}

// dumped converts a text that is one such dict, printed by json.dumps.
func dumped(text string) (string, bool) {
	var v any
	if !strings.Contains(text, `"container_statuses"`) || json.Unmarshal([]byte(text), &v) != nil {
		return text, false
	}
	if v = renamed(v); !ofCluster(v) {
		return text, false
	}
	raw, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return text, false
	}
	return string(raw) + "\n", true
}

// renamed returns a value with the API's field names and time format.
func renamed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			out[camel(key)] = renamed(value)
		}
		return out
	case []any:
		for i := range v {
			v[i] = renamed(v[i])
		}
	case string:
		if t, err := time.Parse("2006-01-02 15:04:05.999999-07:00", v); err == nil {
			return t.UTC().Format(time.RFC3339)
		}
	}
	return v
}

// ofCluster reports whether a dict is a pod, an event or a status.
func ofCluster(v any) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	status, _ := m["status"].(map[string]any)
	return m["containerStatuses"] != nil || status["containerStatuses"] != nil || m["lastState"] != nil ||
		m["involvedObject"] != nil || m["terminated"] != nil
}

// python parses Python literals.
type python struct {
	text string
	at   int
}

var (
	pyNumber = regexp.MustCompile(`^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`)
	pyTime   = regexp.MustCompile(`^datetime\.datetime\((\d{4}), (\d{1,2}), (\d{1,2}), (\d{1,2}), (\d{1,2})` +
		`(?:, (\d{1,2}))?(?:, (\d{1,6}))?(?:, tzinfo=(?:[\w.]*(?:tzlocal|tzutc|utc|UTC)(?:\(\))?|[\w.]*tzoffset\([^(),]*, (-?\d{1,5})\)))?\)`)
	jsTime  = regexp.MustCompile(`^\d{4}-\d\d-\d\dT[\d:.]+Z`)
	ofClass = regexp.MustCompile(`^[A-Z]\w* \{`)
	bareKey = regexp.MustCompile(`^:?([A-Za-z]\w*)`)
)

func (p *python) blank() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// take consumes s if it is next.
func (p *python) take(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *python) value(depth int) (any, bool) {
	p.blank()
	rest := p.text[p.at:]
	switch {
	case depth > maxNested || rest == "":
		return nil, false
	case p.take("None"), p.take("null"), p.take("nil"), p.take("undefined"), p.take("[Object]"), p.take("[Array]"):
		return nil, true
	case p.take("True"), p.take("true"):
		return true, true
	case p.take("False"), p.take("false"):
		return false, true
	case rest[0] == '{':
		return p.dict(depth)
	case rest[0] == '[':
		return p.list(depth, "]")
	case rest[0] == '(':
		return p.list(depth, ")")
	}
	if m := pyTime.FindStringSubmatch(rest); m != nil {
		p.at += len(m[0])
		n := [8]int{} // the last is the seconds that its zone is before UTC
		for i := range n {
			n[i], _ = strconv.Atoi(m[i+1])
		}
		at := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5]-n[7], n[6]*1000, time.UTC)
		return at.Format(time.RFC3339Nano), true
	}
	if m := jsTime.FindString(rest); m != "" {
		p.at += len(m)
		return m, true
	}
	if m := ofClass.FindString(rest); m != "" {
		p.at += len(m) - 1
		return p.dict(depth)
	}
	if m := pyNumber.FindString(rest); m != "" {
		p.at += len(m)
		return json.Number(m), true
	}
	return p.words()
}

// words parses a quoted string, maybe several in a row, as pprint breaks long ones.
func (p *python) words() (any, bool) {
	var all strings.Builder
	for found := false; ; found = true {
		p.blank()
		for _, prefix := range []string{"u", "b"} {
			if strings.HasPrefix(p.text[p.at:], prefix+"'") || strings.HasPrefix(p.text[p.at:], prefix+`"`) {
				p.at++
			}
		}
		if p.at >= len(p.text) || p.text[p.at] != '\'' && p.text[p.at] != '"' {
			return all.String(), found
		}
		quote := p.text[p.at]
		for p.at++; ; p.at++ {
			if p.at >= len(p.text) || all.Len() > maxWords {
				return nil, false
			}
			c := p.text[p.at]
			if c == quote {
				p.at++
				break
			}
			if c == '\\' && p.at+1 < len(p.text) {
				p.at++
				c = p.text[p.at]
				switch c {
				case 'n':
					c = '\n'
				case 't':
					c = '\t'
				}
			}
			all.WriteByte(c)
		}
	}
}

// maxWords is the maximum length of a string.
const maxWords = 64 << 10

func (p *python) dict(depth int) (any, bool) {
	p.at++
	m, _ := p.fields(depth)
	return m, p.take("}")
}

// fields parses the fields of a dict, up to what is none: then it is there, at the beginning of its line.
func (p *python) fields(depth int) (any, bool) {
	m := map[string]any{}
	for {
		p.blank()
		at := p.at
		key, ok := p.key()
		p.blank()
		if !ok || !p.take(":") && !p.take("=>") {
			p.at = at
			return m, true
		}
		v, ok := p.value(depth + 1)
		if !ok {
			p.at = at
			return m, true
		}
		m[camel(fmt.Sprint(key))] = v
		p.blank()
		p.take(",")
	}
}

// key parses the name of a field: JavaScript puts no quotes around it, Ruby a colon before it.
func (p *python) key() (any, bool) {
	key, ok := p.words()
	if m := bareKey.FindStringSubmatch(p.text[p.at:]); !ok && m != nil {
		p.at += len(m[0])
		return m[1], true
	}
	return key, ok
}

func (p *python) list(depth int, end string) (any, bool) {
	all := []any{}
	p.at++
	for {
		p.blank()
		if p.take(end) {
			if end == ")" && len(all) == 1 { // pprint puts a long string in parentheses
				return all[0], true
			}
			return all, true
		}
		v, ok := p.value(depth + 1)
		if !ok {
			return nil, false
		}
		all = append(all, v)
		p.blank()
		p.take(",")
	}
}

// camel returns the API's name of a client's field.
func camel(key string) string {
	parts := strings.Split(key, "_")
	for i := range parts {
		if i > 0 && parts[i] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.NewReplacer("Ip", "IP", "containerId", "containerID", "imageId", "imageID").
		Replace(strings.Join(parts, ""))
}
