package redact

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// managed keeps who wrote, how, when and through which subresource, and the names of the spec fields that the writer
// owns; within a container, one level of names. List keys other than a container's name are dropped: they contain
// values (the name of an environment variable, a port, a member of a set).
func managed(e *metav1.ManagedFieldsEntry) metav1.ManagedFieldsEntry {
	out := metav1.ManagedFieldsEntry{
		Manager: Text(e.Manager), Operation: e.Operation, APIVersion: e.APIVersion,
		Time: e.Time.DeepCopy(), Subresource: e.Subresource,
	}
	if e.FieldsV1 == nil || e.Subresource != "" {
		return out
	}
	if kept := specFields(e.FieldsV1.GetRawBytes()); kept != nil {
		out.FieldsType, out.FieldsV1 = "FieldsV1", metav1.NewFieldsV1(string(kept))
	}
	return out
}

type fieldSet map[string]json.RawMessage

// specFields filters a field set; nil when it owns nothing of the spec or cannot
// be read. The result is deterministic: encoding/json sorts the keys of maps.
func specFields(raw []byte) []byte {
	var all, spec fieldSet
	if json.Unmarshal(raw, &all) != nil || json.Unmarshal(all["f:spec"], &spec) != nil || spec == nil {
		return nil
	}
	kept := map[string]any{}
	for name, below := range spec {
		switch name {
		case "f:containers", "f:initContainers", "f:ephemeralContainers":
			kept[name] = containerFields(below)
		default:
			if fieldName(name) {
				kept[name] = struct{}{}
			}
		}
	}
	out, err := json.Marshal(map[string]any{"f:spec": kept})
	if err != nil {
		return nil
	}
	return out
}

func containerFields(raw json.RawMessage) map[string]map[string]struct{} {
	kept := map[string]map[string]struct{}{}
	var list map[string]fieldSet
	if json.Unmarshal(raw, &list) != nil {
		return kept
	}
	for key, fields := range list {
		if key == "." {
			kept[key] = map[string]struct{}{}
			continue
		}
		if !strings.HasPrefix(key, `k:{"name":`) {
			continue
		}
		names := map[string]struct{}{}
		for f := range fields {
			if fieldName(f) {
				names[f] = struct{}{}
			}
		}
		kept[key] = names
	}
	return kept
}

// fieldName reports whether a key is a field's name ("f:image") or the item itself (".") rather than one that contains
// values.
func fieldName(s string) bool { return s == "." || strings.HasPrefix(s, "f:") }
