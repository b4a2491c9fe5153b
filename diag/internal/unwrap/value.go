package unwrap

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/auditlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/eventrecord"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// walker finds records and objects in JSON values.
type walker struct {
	Tally
	sink Sink
	// pods are the pods that records describe.
	pods podrecord.Pods
	// around has the fields of what a record is in: the resource of OpenTelemetry.
	around field.Fields
	// stored counts the records that the value is in: a store or an exporter had it.
	stored int
	// open is the part read so far of a value over several lines.
	open   []byte
	braces part.Braces
}

const (
	maxDepth  = 8 // of objects inside a record
	maxNested = 6 // of messages that are records themselves: those of Loki begin at five
)

type object = map[string]json.RawMessage

// value reads one value: a record, a Kubernetes object, or a container of these.
func (w *walker) value(raw []byte, outer Record, depth int) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || depth > maxDepth {
		w.Strange++
		return
	}
	switch raw[0] {
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			w.broken("a list that is not JSON")
			return
		}
		w.list(raw, list, outer, depth)
	case '{':
		var m object
		if json.Unmarshal(raw, &m) != nil {
			w.broken("a record that is not JSON")
			return
		}
		w.object(raw, m, outer, depth)
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			w.text(s, outer, depth)
		}
	default:
		w.Strange++
	}
}

// list reads a row of pairs (Insights), a time with a line (Loki), a time with a record (Fluent Bit), or values.
func (w *walker) list(raw []byte, list []json.RawMessage, outer Record, depth int) {
	if len(list) >= 2 && len(list) <= 3 {
		if at, ok := stampOf(list[0]); ok {
			outer.Time = at
			switch second := bytes.TrimSpace(list[1]); {
			case len(second) > 0 && second[0] == '{' && len(list) == 2:
				w.value(second, outer, depth+1)
				return
			case len(second) > 0 && second[0] == '"':
				var line string
				if json.Unmarshal(second, &line) == nil {
					w.text(line, outer, depth+1)
					return
				}
			}
		}
	}
	if len(list) > 0 {
		var pair struct {
			Field *string          `json:"field"`
			Value *json.RawMessage `json:"value"`
		}
		if json.Unmarshal(list[0], &pair) == nil && pair.Field != nil && pair.Value != nil {
			w.fields(raw, outer, depth)
			return
		}
	}
	for _, item := range list {
		w.value(item, outer, depth+1)
	}
}

// stampOf parses a time that is alone or before Fluent Bit's metadata: 1747025915.18, "1747025915181219000",
// [1747025915.18, {}].
func stampOf(raw json.RawMessage) (time.Time, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] == '{' {
		return time.Time{}, false
	}
	if raw[0] == '[' {
		var inner []json.RawMessage
		if json.Unmarshal(raw, &inner) != nil || len(inner) != 2 || len(inner[0]) == 0 || inner[0][0] == '[' {
			return time.Time{}, false
		}
		return stampOf(inner[0])
	}
	return field.Moment(strings.Trim(string(raw), `"`))
}

func (w *walker) object(raw []byte, m object, outer Record, depth int) {
	kind := KindOf(m)
	var around field.Fields
	if kind != "" {
		around = field.Beside(m)
	}
	switch printed := w.printed(m, raw); {
	case around.OfContainer() && !(kind == "Event" && field.OfEvents(around.Container())), printed && klogRecord(m):
		w.OfContainers++ // whatever it looks like
		return
	case printed:
		w.fields(raw, outer, depth)
		return
	}
	switch {
	case journalRecord(m):
		w.Journal++
		var line bytes.Buffer
		if w.sink.Journal != nil && json.Compact(&line, raw) == nil {
			w.sink.Journal(line.Bytes())
		}
		return
	case klogRecord(m), m["level"] != nil && m["msg"] != nil && runtimelog.Logged(compact(raw)):
		at, _ := field.Moment(strings.Trim(cmp.Or(string(m["ts"]), string(m["time"])), `"`))
		r := outer
		r.Message = compact(raw)
		if !at.IsZero() {
			r.Time = at
		}
		w.record(r)
		return
	}
	if m["resource"] != nil && m["logName"] == nil {
		before := w.around
		w.around, _ = field.Parse(m["resource"])
		defer func() { w.around = before }()
	}
	if plain := unpacked(m["body"]); plain != nil { // a whole object that OpenTelemetry took apart
		w.inside(string(plain), outer, depth+1)
		return
	}
	inner, event := wrapped(m), nestedEvent(m, depth)
	if kind != "" {
		if w.stored > 0 || len(around) > 0 {
			raw = podrecord.Stored(kind, raw)
		}
		w.put(kind, raw)
		return
	}
	if m["auditID"] != nil || m["objectRef"] != nil || m["protoPayload"] != nil || below(m["jsonPayload"], "decision") {
		f, _ := field.Parse(raw)
		if requests, received, ok := auditlog.Parse(raw); ok && !f.OfContainer() { // which may print anything
			w.audited(requests, received)
			if pod := auditlog.Restarted(raw); pod != nil {
				w.put("Pod", pod)
			}
			return
		}
	}
	if inner != nil && m["object"] != nil { // a watch
		w.value(inner, outer, depth+1)
		return
	}
	if inner != nil || event != nil {
		w.inside(cmp.Or(string(inner), string(event)), outer, depth+1)
		return
	}
	if otherKind(m) {
		w.Strange++
		return
	}
	if w.sample(m) || w.stream(m, outer, depth) || w.table(m, outer) || w.metric(m) || w.withContainers(m) {
		return
	}
	found := false
	for _, key := range holding(m) {
		found = true
		w.value(m[key], outer, depth+1)
	}
	if !found {
		w.fields(raw, outer, depth)
	}
}

// holding returns the keys of an object whose values contain records, in a fixed order.
func holding(m object) (keys []string) {
	for key, value := range m {
		if lists[strings.ToLower(key)] && holds(value, 0) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// holds reports whether a value is a list of objects or lists, or contains one below other such keys.
func holds(raw json.RawMessage, depth int) bool {
	raw = bytes.TrimSpace(raw)
	if len(raw) < 2 || depth > 4 {
		return false
	}
	if raw[0] == '[' {
		first := bytes.TrimLeft(raw[1:], " \t\r\n")
		return len(first) > 0 && (first[0] == '{' || first[0] == '[' || first[0] == ']')
	}
	var m object
	if raw[0] != '{' || json.Unmarshal(raw, &m) != nil {
		return false
	}
	for key, value := range m {
		if lists[strings.ToLower(key)] && holds(value, depth+1) {
			return true
		}
	}
	return false
}

// stream reads Loki's {"stream": labels, "values": [[time, line], …]}.
func (w *walker) stream(m object, outer Record, depth int) bool {
	labels, values := m["stream"], m["values"]
	if labels == nil {
		labels = m["metric"]
	}
	if labels == nil || values == nil {
		return false
	}
	f, ok := field.Parse(labels)
	var list []json.RawMessage
	if !ok || json.Unmarshal(values, &list) != nil {
		return false
	}
	if f.OfContainer() {
		w.OfContainers += len(list)
		return true
	}
	outer.Host, outer.Unit = f.Host(), f.Unit()
	before := w.around
	w.around = f
	for _, v := range list {
		w.value(v, outer, depth+1)
	}
	w.around = before
	return true
}

// table reads Azure's {"columns": [{"name": …}], "rows": [[…]]}.
func (w *walker) table(m object, outer Record) bool {
	var columns []struct {
		Name string `json:"name"`
	}
	var rows [][]any
	if m["columns"] == nil || m["rows"] == nil || json.Unmarshal(m["columns"], &columns) != nil ||
		json.Unmarshal(m["rows"], &rows) != nil {
		return false
	}
	for _, row := range rows {
		f := field.Fields{}
		for i := range min(len(row), len(columns)) {
			f.Flatten(strings.ToLower(columns[i].Name), row[i], 1)
		}
		f.Level()
		w.flat(f, outer, 0)
	}
	return true
}

// fields reads an object whose fields are a record's.
func (w *walker) fields(raw []byte, outer Record, depth int) {
	f, klog, ok := fieldsOf(raw)
	if !ok {
		w.Strange++
		return
	}
	for name, value := range w.around {
		f[name] = cmp.Or(f[name], value)
	}
	outer.Message = cmp.Or(klog, outer.Message)
	w.flat(f, outer, depth)
}

// flat reads the fields of a record.
func (w *walker) flat(f field.Fields, outer Record, depth int) {
	if w.status(f, nil) {
		return
	}
	if w.events(eventrecord.Of(f, f.Time())) {
		return
	}
	if f.OfContainer() {
		w.OfContainers++
		return
	}
	r := recordOf(f, outer)
	if r.Host == "" && r.Unit == "" && cmp.Or(f["level"], f["logger"]) != "" && kernel.Reports(r.Message) {
		w.OfContainers++ // the kernel has no such field: a program repeats its words
		return
	}
	if outer.Message != "" {
		r.Message = outer.Message
		w.record(r)
		return
	}
	if r.Message == "" {
		w.Strange++
		return
	}
	w.text(r.Message, r, depth)
}

// text reads a message, which may itself be a record or an object.
func (w *walker) text(s string, r Record, depth int) {
	if t := strings.TrimSpace(s); strings.HasPrefix(t, "{") && depth < maxNested &&
		!isKlogJSON(t) && !runtimelog.Logged(t) {
		var m object
		if json.Unmarshal([]byte(t), &m) == nil && len(m) > 0 {
			before := w.Tally
			r.Message = ""
			w.stored++
			w.object([]byte(t), m, r, depth+1)
			w.stored--
			if w.Strange == before.Strange {
				return
			}
			w.Tally = before // some program's own JSON
		}
	}
	if w.events(eventrecord.Of(eventrecord.Line(s), r.Time)) {
		return
	}
	r.Message = s
	w.record(r)
}

func (w *walker) record(r Record) {
	r.Message = safetext.Uncoloured(r.Message)
	if r.Unit == "" && textlog.Printed(r.Message) {
		w.OfContainers++ // a collector took the line out of a container's file as it is
		return
	}
	stays := unsyslog(&r)
	if at := klogline.At(r.Message); !stays && at > 0 && !structuredAround(r.Message[:at]) {
		unprefix(&r, at)
	}
	// a store may not keep who wrote it
	if r.Unit == "" && kernel.Reports(r.Message) && !strings.Contains(r.Message, "\n") {
		r.Unit = "kernel"
	}
	w.Records++
	if w.sink.Record != nil {
		w.sink.Record(r)
	}
}

func compact(raw []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}
