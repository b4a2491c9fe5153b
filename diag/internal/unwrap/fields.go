package unwrap

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	maxDepth  = 8   // of objects inside a record
	maxFields = 400 // of a record
	maxNested = 3   // messages that are records themselves
)

// fields are those of one record: lower case, with dots between the levels.
type fields map[string]string

// flatten adds the fields of an object. Of a list the first value counts, except for lists of pairs (Insights' field
// and value, OTLP's key and value).
func (f fields) flatten(prefix string, v any, depth int) {
	if len(f) >= maxFields || depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if prefix != "" {
			prefix += "."
		}
		for key, value := range v {
			f.flatten(prefix+strings.ToLower(key), value, depth+1)
		}
	case []any:
		if f.pairs(prefix, v, depth) || len(v) == 0 {
			return
		}
		f.flatten(prefix, v[0], depth+1)
	default:
		if s, ok := scalar(v); ok && f[prefix] == "" {
			f[prefix] = s
		}
	}
}

// pairs reads [{"field":"@message","value":"…"}] and [{"key":"host.name","value":{"stringValue":"…"}}].
func (f fields) pairs(prefix string, list []any, depth int) bool {
	found := false
	for _, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return false
		}
		name, ok := m["field"].(string)
		if !ok {
			name, ok = m["key"].(string)
		}
		value, has := m["value"]
		if !ok || !has {
			return found
		}
		if inner, ok := value.(map[string]any); ok && len(inner) == 1 {
			for _, only := range inner { // stringValue, intValue
				value = only
			}
		}
		if prefix != "" {
			name = prefix + "." + name
		}
		f.flatten(strings.ToLower(name), value, depth+1)
		found = true
	}
	return found
}

func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, v != ""
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// level also adds the fields below wrappings under their names without the wrapping, where an earlier wrapping wins:
// they are then looked up without it.
func (f fields) level() {
	keys := make([]string, 0, len(f))
	for key := range f {
		keys = append(keys, key)
	}
	for _, w := range wrappings {
		if w == "" {
			continue
		}
		for _, key := range keys {
			if short, ok := strings.CutPrefix(key, w); ok && f[short] == "" {
				f[short] = f[key]
			}
		}
	}
}

// first returns the value of the first name that the record has, and the name.
func (f fields) first(names []string) (value, name string) {
	for _, name := range names {
		if v := f[name]; v != "" {
			return v, name
		}
	}
	return "", ""
}

// time returns when the record was written, according to the store.
func (f fields) time() time.Time {
	for _, name := range timeNames {
		if v := f[name]; v != "" {
			if t, ok := moment(v); ok {
				return t
			}
		}
	}
	return time.Time{}
}

// message returns what was logged: the first of several candidates that looks like a line we can read, or else the
// first of all.
func (f fields) message() string {
	best := ""
	for _, name := range messageNames {
		switch v := f[name]; {
		case v == "":
		case speaks(v):
			return v
		case best == "":
			best = v
		}
	}
	return best
}

// host returns the machine that wrote the record.
func (f fields) host() string {
	for _, name := range hostNames {
		if v := hostName(f[name]); v != "" {
			return v
		}
	}
	stream, _ := f.first(streamNames)
	host, _ := ofStream(stream)
	return host
}

// hostName removes a port, and returns "" for what is no name.
func hostName(s string) string {
	if host, port, ok := strings.Cut(s, ":"); ok && port != "" && strings.Trim(port, "0123456789") == "" {
		s = host
	}
	if s == "" || len(s) > maxName || strings.ContainsAny(s, " \t/{}\"") ||
		s == "localhost" || s == "unknown" || s == "-" {
		return ""
	}
	return s
}

// ofStream reads host and unit from the name of a CloudWatch stream: "n1-dataplane.systemd.kubelet.service" (Container
// Insights), "n1-host.messages", or only a host.
func ofStream(s string) (host, unit string) {
	for _, mark := range []string{"-dataplane.", "-host.", "-application."} {
		if h, rest, ok := strings.Cut(s, mark); ok {
			if u, ok := strings.CutPrefix(rest, "systemd."); ok {
				unit = u
			}
			return hostName(h), unit
		}
	}
	return hostName(s), ""
}

// loud are words of which every relevant unit or identifier contains one. Fields such as "job" often say where a record
// was collected, rather than who wrote it.
var loud = []string{"kubelet", "containerd", "crio", "cri-o", "docker",
	"kernel", "k3s", "rke2", "k0s", "microshift", "kubelite", "hyperkube", "kubenswrapper", "oomd"}

// generic are names whose values count only if they are loud.
var generic = []string{"job", "tag", "sourcetype", "source", "service", "service.name", "app_name", "appname"}

// unit returns who wrote the record, as far as it says so.
func (f fields) unit() string {
	if t, _ := f.first(transportNames); t == "kernel" {
		return "kernel"
	}
	for _, name := range unitNames {
		v := f[name]
		v = v[strings.LastIndexByte(v, '/')+1:]
		if v == "" || strings.ContainsAny(v, " \t") {
			continue
		}
		if !slices.Contains(generic, name) ||
			slices.ContainsFunc(loud, func(l string) bool { return strings.Contains(v, l) }) {
			return v
		}
	}
	stream, _ := f.first(streamNames)
	_, unit := ofStream(stream)
	return unit
}

// ofContainer reports whether a record is from a container's output. A Docker container that runs the node's kubelet
// does not belong to a pod: those are named k8s_….
func (f fields) ofContainer() bool {
	v, name := f.first(containerNames)
	if v == "" {
		return false
	}
	if strings.HasSuffix(name, "container_name") {
		switch strings.TrimPrefix(v, "/") {
		case "kubelet", "hyperkube", "kind-control-plane":
			pod, _ := f.first([]string{"kubernetes.pod_name", "kubernetes.pod.name",
				"resource.labels.pod_name", "pod_name", "podname", "pod", "kubernetes_pod_name", "k8s.pod.name"})
			return pod != ""
		}
	}
	return true
}

// record returns a complete record; outer is the record whose message contains this one.
func (f fields) record(outer Record) Record {
	r := Record{Time: f.time(), Host: f.host(), Unit: f.unit(), Message: f.message()}
	r.ID, _ = f.first(idNames)
	pid, _ := f.first(pidNames)
	r.PID, _ = strconv.Atoi(pid)
	if r.Time.IsZero() {
		r.Time = outer.Time
	}
	r.Host = cmp.Or(r.Host, outer.Host)
	r.Unit = cmp.Or(r.Unit, outer.Unit)
	r.ID = cmp.Or(r.ID, outer.ID)
	if r.PID <= 0 {
		r.PID = max(outer.PID, 0)
	}
	return r
}
