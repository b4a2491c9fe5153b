package kubeletlog

import (
	"encoding/json"
	"sort"
	"strings"
)

// line is one message of a kubelet, taken apart.
type line struct {
	header Header
	// msg is the quoted message of a structured line, or the whole text.
	msg        string
	structured bool
	json       bool
	values     values
	// text is the line as a person would quote it: without the header.
	text string
}

// split takes a line apart if it is worth it: if one of the tables knows its
// message. Lines without a klog header that are not JSON are nobody's.
func split(s string) (l line, interesting bool) {
	if strings.HasPrefix(s, "{") {
		return splitJSON(s)
	}
	h, rest, ok := ParseHeader(s)
	if !ok {
		return line{}, false
	}
	l.header = h
	if !strings.HasPrefix(rest, `"`) {
		l.msg, l.text = rest, rest
		return l, classicKnows(rest)
	}
	// Messages that matter contain no quotes, so the next one ends them.
	end := strings.IndexByte(rest[1:], '"')
	if end < 0 {
		return l, false
	}
	l.msg, l.text, l.structured = rest[1:1+end], rest, true
	if _, known := structured[l.msg]; !known {
		return l, false
	}
	l.values = parseValues(rest[end+2:])
	return l, true
}

// splitJSON reads a line of --logging-format=json (kubelet 1.19+). Kubelets
// 1.19 and 1.20 put the printed text into msg.
func splitJSON(s string) (l line, interesting bool) {
	if !strings.Contains(s, `"msg":`) || !strings.Contains(s, `"ts":`) {
		return l, false
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(s), &fields) != nil {
		return l, false
	}
	l.json = true
	l.msg = strings.TrimSuffix(jsonText(fields["msg"]), "\n")
	caller := jsonText(fields["caller"])
	l.header.File, _, _ = strings.Cut(caller[strings.LastIndexByte(caller, '/')+1:], ":")
	if _, known := structured[l.msg]; !known {
		l.text = l.msg
		return l, classicKnows(l.msg)
	}
	l.structured, l.text = true, s
	for key, raw := range fields {
		if key != "msg" && key != "ts" && key != "caller" && key != "v" {
			l.values = append(l.values, pair{key, jsonText(raw), true})
		}
	}
	sort.Slice(l.values, func(i, j int) bool { return l.values[i].key < l.values[j].key })
	return l, true
}

// jsonText is a JSON value as the text format would print it: strings without
// quotes, object references as namespace/name, the rest as it is.
func jsonText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var ref struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	}
	if json.Unmarshal(raw, &ref) == nil && ref.Name != "" {
		if ref.Namespace == "" {
			return ref.Name
		}
		return ref.Namespace + "/" + ref.Name
	}
	var refs []json.RawMessage
	if json.Unmarshal(raw, &refs) == nil {
		parts := make([]string, len(refs))
		for i := range refs {
			parts[i] = jsonText(refs[i])
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return string(raw)
}
