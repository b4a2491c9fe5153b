// Package podref reads how kubelets print what a line is about: pods, lists of them, ids of containers and the events
// of PLEG, in the spelling of every version.
//
// It knows no messages: their meaning is up to diag/kubeletlog. It may import evidence and the standard library.
package podref

import (
	"encoding/json"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Pod parses a pod as kubelets print it: "ns/name" (klog.KObj, 1.21+) or "name_ns(uid)" (kubelet util/format Pod,
// ≤1.22), the latter maybe followed by ":DeletionTimestamp=…" and up to v1.1 without the UID.
func Pod(s string) evidence.Subject {
	if name, rest, ok := strings.Cut(s, "_"); ok {
		ns, rest, opened := strings.Cut(rest, "(")
		uid, _, closed := strings.Cut(rest, ")")
		if opened == closed && !strings.Contains(ns, "/") {
			return evidence.Subject{Namespace: ns, Pod: name, PodUID: uid}
		}
	}
	if ns, name, ok := strings.Cut(s, "/"); ok {
		return evidence.Subject{Namespace: ns, Pod: name}
	}
	return evidence.Subject{Pod: s}
}

// Pods parses the pods of a sync loop line, in any of its five spellings: a string "name_ns(uid), …" (≤1.22), [ns/p
// ns/q], "[ns/p ns/q]" (1.26), ["ns/p","ns/q"] (1.28+).
func Pods(s string) []evidence.Subject {
	var parts []string
	if inner, ok := strings.CutPrefix(s, "["); ok {
		parts = strings.FieldsFunc(strings.TrimSuffix(inner, "]"),
			func(r rune) bool { return r == ' ' || r == ',' || r == '"' })
	} else {
		parts = strings.Split(s, ", ")
	}
	var out []evidence.Subject
	for _, p := range parts {
		if sub := Pod(p); p != "" && sub.Namespace != "" {
			out = append(out, sub)
		}
	}
	return out
}

// ContainerID parses a container's id in any of its spellings and returns it without the runtime: `containerd://<id>`,
// `{Type:containerd ID:<id>}`, `{"Type":"containerd","ID":"<id>"}`, `{"docker" "<id>"}`; maybe in quotes.
func ContainerID(s string) string {
	s = strings.Trim(s, `"`)
	if _, id, ok := strings.Cut(s, "://"); ok {
		return id
	}
	if !strings.HasPrefix(s, "{") {
		return s
	}
	if rest, ok := strings.CutPrefix(s, `{"Type":"`); ok { // as klog writes it
		_, rest, ok = strings.Cut(rest, `","ID":"`)
		if id, found := strings.CutSuffix(rest, `"}`); ok && found && strings.IndexByte(id, '"') < 0 {
			return id
		}
	}
	var ref struct{ ID string }
	if json.Unmarshal([]byte(s), &ref) == nil {
		return ref.ID
	}
	for _, before := range []string{"ID:", `" "`} {
		if _, id, ok := strings.Cut(s, before); ok {
			return strings.TrimRight(id, `"}`)
		}
	}
	return ""
}

// Event parses the event of a PLEG line: Go syntax up to 1.27, JSON from 1.28.
func Event(s string) (uid, kind, data string) {
	if strings.HasPrefix(s, "{") {
		if uid, kind, data, ok := plainEvent(s); ok {
			return uid, kind, data
		}
		var e struct {
			ID, Type string
			Data     any
		}
		if json.Unmarshal([]byte(s), &e) != nil {
			return "", "", ""
		}
		data, _ := e.Data.(string)
		return e.ID, e.Type, data
	}
	s = strings.TrimPrefix(s, "&pleg.PodLifecycleEvent")
	if !strings.HasSuffix(s, "}") {
		return "", "", "" // cut
	}
	s = strings.TrimSuffix(strings.TrimLeft(s, "&{"), "}")
	for _, field := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' }) {
		key, value, _ := strings.Cut(field, ":")
		switch value = strings.Trim(value, `"`); key {
		case "ID":
			uid = value
		case "Type":
			kind = value
		case "Data":
			data = value
		}
	}
	return uid, kind, data
}

// plainEvent reads {"ID":"…","Type":"…","Data":"…"} as klog writes it.
func plainEvent(s string) (uid, kind, data string, ok bool) {
	s, ok1 := strings.CutPrefix(s, `{"ID":"`)
	uid, s, ok2 := strings.Cut(s, `","Type":"`)
	kind, s, ok3 := strings.Cut(s, `","Data":"`)
	data, ok4 := strings.CutSuffix(s, `"}`)
	if !ok1 || !ok2 || !ok3 || !ok4 || strings.ContainsAny(uid, `"\\`) ||
		strings.ContainsAny(kind, `"\\`) || strings.ContainsAny(data, `"\\`) {
		return "", "", "", false
	}
	return uid, kind, data, true
}

// DockerName is what the name of a Docker container says that a kubelet created.
type DockerName struct{ Container, Pod, Namespace, UID, Attempt string }

// Docker reads k8s_<container>_<pod>_<namespace>_<uid>_<attempt> (dockershim/naming.go). A clash of names added a sixth
// underscore, and up to 1.5 a hash followed the container's name. Other containers have other names.
func Docker(name string) (d DockerName, kubelets bool) {
	parts := strings.Split(strings.TrimPrefix(name, "/"), "_")
	if len(parts) < 6 || parts[0] != "k8s" {
		return d, false
	}
	container, _, _ := strings.Cut(parts[1], ".")
	return DockerName{container, parts[2], parts[3], parts[4], parts[5]}, true
}
