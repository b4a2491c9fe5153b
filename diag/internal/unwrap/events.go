package unwrap

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

// The fields of an API event in the records of a store or an exporter: Azure Monitor's KubeEvents, Grafana Alloy's
// loki.source.kubernetes_events and Elastic's kubernetes.event.
var (
	involvedKinds = []string{"involvedobject.kind", "involved_object.kind", "kubernetes.event.involved_object.kind",
		"objectkind", "kind"}
	involvedNames = []string{"involvedobject.name", "involved_object.name", "kubernetes.event.involved_object.name",
		"name"}
	involvedSpaces = []string{"involvedobject.namespace", "involved_object.namespace",
		"kubernetes.event.involved_object.namespace", "namespace"}
	eventReasons  = []string{"kubernetes.event.reason", "event.reason", "reason"}
	eventMessages = []string{"kubernetes.event.message", "event.message", "message", "msg"}
	eventSenders  = []string{"source.component", "sourcecomponent", "kubernetes.event.source.component",
		"reportingcomponent", "reportingcontroller"}
	eventTimes = []string{"lasttimestamp", "lastseen", "last_seen", "kubernetes.event.timestamp.last_occurrence"}
)

// aReason is the form of events' reasons.
var aReason = regexp.MustCompile(`^[A-Z][A-Za-z]+$`)

// event returns the event that a record is about, nil if there is none. A record that names an object's kind and a
// reporting component is not a container's own output.
func (f fields) event(at time.Time) []byte {
	kind, _ := f.first(involvedKinds)
	name, _ := f.first(involvedNames)
	reason, _ := f.first(eventReasons)
	message, _ := f.first(eventMessages)
	sender, _ := f.first(eventSenders)
	if kind != "Pod" && kind != "Node" || name == "" || sender == "" || !aReason.MatchString(reason) {
		return nil
	}
	namespace, _ := f.first(involvedSpaces)
	host := f.host()
	if v, _ := f.first(eventTimes); v != "" {
		if t, ok := moment(v); ok {
			at = t
		}
	}
	event := map[string]any{
		"kind": "Event", "apiVersion": "v1", "reason": reason, "message": message,
		"metadata":       map[string]any{"name": name + "." + strings.ToLower(reason), "namespace": namespace},
		"involvedObject": map[string]any{"kind": kind, "name": name, "namespace": namespace},
		"source":         map[string]any{"component": sender, "host": host},
	}
	if !at.IsZero() {
		event["lastTimestamp"] = at.UTC().Format(time.RFC3339)
	}
	raw, err := json.Marshal(event)
	if err != nil {
		return nil
	}
	return raw
}

// pairIn matches one pair of a logfmt line.
var pairIn = regexp.MustCompile(`([A-Za-z_.]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))`)

// eventLine returns the fields of an event in a logfmt line, nil for another line.
func eventLine(s string) fields {
	if !strings.HasPrefix(s, "name=") || !strings.Contains(s, " kind=") || !strings.Contains(s, " reason=") {
		return nil
	}
	f := fields{}
	for _, m := range pairIn.FindAllStringSubmatch(s, maxFields) {
		if name := strings.ToLower(m[1]); f[name] == "" {
			f[name] = strings.ReplaceAll(m[2], `\"`, `"`) + m[3]
		}
	}
	return f
}
