package unwrap

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
)

// journalRecord reports whether it is a record of journalctl -o json: its keys are journald's, and all in capital
// letters.
func journalRecord(m object) bool {
	if m["__REALTIME_TIMESTAMP"] == nil || m["MESSAGE"] == nil {
		return false
	}
	for key := range m {
		if key != strings.ToUpper(key) {
			return false
		}
	}
	return true
}

// klogRecord reports whether it is a line of --logging-format=json.
func klogRecord(m object) bool {
	if m["msg"] == nil || m["ts"] == nil {
		return false
	}
	return m["caller"] != nil || m["v"] != nil || m["logger"] != nil
}

// payloads are the keys of stores' records that contain what was logged, if that is an object.
var payloads = []string{"jsonPayload", "message", "MESSAGE", "log", "body", "_source", "structured", "json", "kubelet"}

// nestedEvent returns the Kubernetes event in a record of an event exporter (Cloud Logging's own, eventrouter,
// kubernetes-event-exporter).
func nestedEvent(m object, depth int) json.RawMessage {
	for _, key := range payloads {
		inner := m[key]
		if len(inner) == 0 || inner[0] != '{' || depth > maxDepth {
			continue
		}
		n := asObject(inner)
		if KindOf(n) == "Event" {
			return inner
		}
		if e := cmp.Or(string(wrapped(n)), string(nestedEvent(n, depth+1))); e != "" {
			return json.RawMessage(e)
		}
	}
	return nil
}

// fieldsOf returns the fields of a record, and a line of --logging-format=json that a store's collector has parsed, if
// it holds one. The containers and pods that the line names are not those whose output the record is.
func fieldsOf(raw []byte) (f field.Fields, line string, ok bool) {
	f, ok = field.Parse(raw)
	line, at := nestedKlog(raw, "", 0)
	for _, name := range []string{"containername", "pod"} {
		v := f[at+name]
		if line == "" || name == "pod" && !strings.Contains(v, "/") {
			continue
		}
		delete(f, at+name)
		if f[name] == v {
			delete(f, name)
		}
	}
	return f, line, ok
}

// nestedKlog returns such a line, and the prefix of its fields.
func nestedKlog(raw []byte, prefix string, depth int) (line, at string) {
	var m object
	if depth > maxDepth || !bytes.Contains(raw, []byte(`"ts"`)) || json.Unmarshal(raw, &m) != nil {
		return "", ""
	}
	for _, key := range payloads {
		inner := m[key]
		if len(inner) == 0 || inner[0] != '{' {
			continue
		}
		var n object
		below := prefix + strings.ToLower(key) + "."
		if json.Unmarshal(inner, &n) == nil && klogRecord(n) {
			return compact(inner), below
		}
		if line, at = nestedKlog(inner, below, depth+1); line != "" {
			return line, at
		}
	}
	return "", ""
}

// kinds are the kinds that are read, of objects with a kind.
var kinds = map[string]bool{"Pod": true, "Event": true, "Node": true, "ReplicaSet": true,
	"Job": true, "ControllerRevision": true}

// KindOf returns the kind of a Kubernetes object, "" for an irrelevant object or none. Lists of the API and exporters
// leave out the kind of objects: then fields that only one kind has decide.
func KindOf(m map[string]json.RawMessage) string {
	var kind string
	if json.Unmarshal(m["kind"], &kind) == nil && kind != "" {
		if m["metadata"] == nil && m["involvedObject"] == nil && m["regarding"] == nil || !kinds[kind] {
			return ""
		}
		return kind
	}
	switch {
	case m["metadata"] == nil:
		return ""
	case (m["involvedObject"] != nil || m["regarding"] != nil) && m["reason"] != nil:
		return "Event"
	case m["spec"] == nil && m["status"] == nil:
		return ""
	case below(m["spec"], "containers"), below(m["status"], "containerStatuses"):
		return "Pod"
	case below(m["status"], "nodeInfo"):
		return "Node"
	}
	return ""
}

// otherKind reports whether it is a Kubernetes object, or a list, of an unread kind: a PriorityClass's description is
// not a log message. Items of a list have no kind; then it looks for fields that the API server gives every object.
func otherKind(m object) bool {
	var kind, version string
	if json.Unmarshal(m["kind"], &kind) != nil || json.Unmarshal(m["apiVersion"], &version) != nil || version == "" {
		return below(m["metadata"], "uid") && below(m["metadata"], "creationTimestamp")
	}
	one := strings.TrimSuffix(kind, "List")
	return one != "" && !kinds[one]
}

func below(raw json.RawMessage, key string) bool {
	var m object
	return len(raw) > 0 && raw[0] == '{' && json.Unmarshal(raw, &m) == nil && m[key] != nil
}

// wrapped returns the object in a watch event ({"type": "MODIFIED", "object": …}), in an event exporter's line
// ({"verb": "ADDED", "event": …}), or in the object that it replaced.
func wrapped(m object) json.RawMessage {
	for _, pair := range [][2]string{{"type", "object"}, {"verb", "event"}, {"eventType", "object"}, {"event", "object"}} {
		inner := m[pair[1]]
		if m[pair[0]] != nil && len(inner) > 0 && inner[0] == '{' &&
			(below(inner, "reason") || KindOf(asObject(inner)) != "") {
			return inner
		}
	}
	return nil
}

func asObject(raw json.RawMessage) (m object) {
	_ = json.Unmarshal(raw, &m) // nil if it fails
	return m
}
