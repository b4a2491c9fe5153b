package describe

import (
	"cmp"
	"encoding/json"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// EventsOf returns the events in a piece of JSON or YAML whose kind or metadata was cut off; nil if there are none.
func EventsOf(v any, at Place) (out []json.RawMessage) {
	items, _ := v.([]any)
	if m, is := v.(object); is {
		if items, is = m["items"].([]any); !is {
			items = []any{v}
		}
	}
	for _, item := range items {
		e, _ := item.(object)
		involved, _ := e["involvedObject"].(object)
		if reason, _ := e["reason"].(string); involved == nil || reason == "" && e["message"] == nil {
			continue
		}
		of := PlaceOf(involved)
		name, namespace := cmp.Or(of.Pod, at.Pod), cmp.Or(of.Namespace, at.Namespace)
		if involved["kind"] == nil || involved["kind"] == "Pod" {
			involved["kind"], involved["name"], involved["namespace"] = "Pod", name, namespace
			if involved["uid"] == nil {
				involved["uid"] = Place{Namespace: namespace, Pod: name}.UID()
			}
		}
		meta, _ := e["metadata"].(object)
		if meta == nil || meta["name"] == nil {
			meta = object{"name": name + ".event", "namespace": namespace}
			e["metadata"] = meta
		}
		if e["kind"] == nil { // an exporter's, or cut out of a list
			uid, _ := meta["uid"].(string)
			meta["uid"] = evidence.Row + uid
		}
		e["kind"], e["apiVersion"] = "Event", "v1"
		out = podrecord.Append(out, e)
	}
	return out
}
