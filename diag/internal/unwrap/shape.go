package unwrap

import (
	"cmp"
	"encoding/json"
	"strings"
)

// journalRecord tells a record of journalctl -o json: its keys are journald's, and
// in capital letters without exception.
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

// klogRecord tells a line of --logging-format=json.
func klogRecord(m object) bool {
	if m["msg"] == nil || m["ts"] == nil {
		return false
	}
	return m["caller"] != nil || m["v"] != nil || m["logger"] != nil
}

// payloads are the keys below which records of stores have what was logged, where that is an object.
var payloads = []string{"jsonPayload", "message", "MESSAGE", "log", "body", "_source", "structured", "json", "kubelet"}

// nestedEvent finds an event of Kubernetes that a record holds, as those of event exporters do (Cloud Logging's own,
// eventrouter, kubernetes-event-exporter).
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

// nestedKlog finds a line of --logging-format=json that the collector of a store took apart.
func nestedKlog(raw []byte) string {
	var m object
	if json.Unmarshal(raw, &m) != nil {
		return ""
	}
	for _, key := range payloads {
		inner := m[key]
		if len(inner) == 0 || inner[0] != '{' {
			continue
		}
		var n object
		if json.Unmarshal(inner, &n) == nil && klogRecord(n) {
			return compact(inner)
		}
		if s := nestedKlog(inner); s != "" {
			return s
		}
	}
	return ""
}

// kinds are those that are read of objects that tell their kind.
var kinds = map[string]bool{"Pod": true, "Event": true, "Node": true, "ReplicaSet": true,
	"Job": true, "ControllerRevision": true}

// KindOf is the kind of an object of Kubernetes, "" for one that is of no use or none.
// Lists of the API do not tell the kinds of their items, and exporters leave the
// kind out: then what only one kind has tells.
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

// otherKind tells an object of Kubernetes, or a list, of a kind that is not read: a PriorityClass's description is no
// message of a log. Items of a list do not tell their kind: then what the API server gives every object tells.
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

// wrapped is the object in a watch event ({"type": "MODIFIED", "object": …}), in a line
// of an exporter of events ({"verb": "ADDED", "event": …}), or in what it replaced.
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
	_ = json.Unmarshal(raw, &m) // nil then
	return m
}
