package describe

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

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

// sayings are what messages end with, or have to their first detail, that say why a container or a pod ends.
var sayings = []string{" failed liveness probe, will be restarted", " failed startup probe, will be restarted",
	" definition changed, will be restarted", "Pod sandbox changed, it will be killed and re-created.",
	" low on resource: memory", " low on resource: ephemeral-storage", " low on resource: inodes"}

// beforeSaid matches what is before one in a message, and its first letter.
var beforeSaid = regexp.MustCompile(`^(?:Container \S+ |(?:Pod )?[Tt]he node was |P)$`)

// leastSaid is how much of a saying a message must have: the beginnings of two may be the same.
const leastSaid = 8

// completed returns a message that a terminal or a person cut off within one of these.
func completed(message string) string {
	cut, whole := strings.TrimRight(message, " .…>"), ""
	for _, s := range sayings {
		for n := len(s) - 1; n >= leastSaid; n-- {
			if before, ok := strings.CutSuffix(cut, s[:n]); ok && beforeSaid.MatchString(before+s[:1]) {
				if whole != "" {
					return message
				}
				whole = cut + s[n:]
				break
			}
		}
	}
	return cmp.Or(whole, message)
}
