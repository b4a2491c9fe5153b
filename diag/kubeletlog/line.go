package kubeletlog

import (
	"encoding/json"
	"sort"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

// line is one parsed message of a kubelet.
type line struct {
	header klogline.Header
	// msg is the quoted message of a structured line, or the whole text.
	msg        string
	structured bool
	json       bool
	values     klogline.Values
	rule       *rule // of the tables
	// at is when it happened, for lines about earlier events; else zero.
	at time.Time
	// text is the line as a person would quote it: without the header.
	text string
}

// printed finds the rule for a printed line.
func printed(msg string, severity byte) *rule {
	r := classicFind(msg)
	if r != nil && msg[0] == 'F' && strings.HasPrefix(msg, flagStart) && !flagKnown(msg) {
		r = nil // one of the hundred flags that do not matter
	}
	if r == nil && severity == 'F' {
		r = &fatal
	}
	return r
}

// readJSON parses a line of --logging-format=json (kubelet 1.19+). Kubelets 1.19 and 1.20 put the printed text into
// msg.
func (l *line) readJSON(s string) {
	if !strings.Contains(s, `"msg":`) || !strings.Contains(s, `"ts":`) || !jsonKnows(s) {
		return
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(s), &fields) != nil {
		return
	}
	l.json = true
	l.msg = strings.TrimSuffix(jsonText(fields["msg"]), "\n")
	caller := jsonText(fields["caller"])
	l.header.File, _, _ = strings.Cut(caller[strings.LastIndexByte(caller, '/')+1:], ":")
	if l.rule = structured[l.msg]; l.rule == nil {
		l.text = l.msg
		l.rule = printed(l.msg, 0)
		return
	}
	l.structured, l.text = true, s
	for key, raw := range fields {
		if key != "msg" && key != "ts" && key != "caller" && key != "v" && len(l.values) < klogline.MaxPairs {
			l.values = append(l.values, klogline.Pair{Key: key, Value: jsonText(raw), Quoted: true})
		}
	}
	sort.Slice(l.values, func(i, j int) bool { return l.values[i].Key < l.values[j].Key })
}

// jsonKnows reports, without parsing the whole line, whether a rule may match its message. klog writes the message
// before any value, so the first key "msg" is the line's own.
func jsonKnows(s string) bool {
	_, msg, ok := strings.Cut(s, `"msg":"`)
	end := strings.IndexByte(msg, '"')
	if !ok || end < 1 || msg[end-1] == '\\' {
		return true // parse it to be sure
	}
	msg = msg[:end]
	return structured[msg] != nil || classicFind(msg) != nil
}

// jsonText is a JSON value as the text format would print it: strings without quotes, object references as
// namespace/name, the rest unchanged.
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
