package field

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	maxDepth = 8 // of objects inside a record
	// Max is how many fields of a record are kept.
	Max = 400
	// MaxName is longer than the longest name of a host or unit.
	MaxName = 255
)

// Fields are the fields of one record by their names: lower case, with dots between the levels.
type Fields map[string]string

// Parse returns the fields of a JSON object, false for anything else.
func Parse(raw []byte) (Fields, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	f := Fields{}
	f.Flatten("", v, 0)
	f.Level()
	return f, true
}

// Flatten adds the fields of an object. Of a list the first value counts, except for lists of pairs (Insights' field
// and value, OTLP's key and value).
func (f Fields) Flatten(prefix string, v any, depth int) {
	if len(f) >= Max || depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if prefix != "" {
			prefix += "."
		}
		for key, value := range v {
			f.Flatten(prefix+strings.ToLower(key), value, depth+1)
		}
	case []any:
		if f.pairs(prefix, v, depth) || len(v) == 0 {
			return
		}
		if strings.HasSuffix(prefix, "tags") {
			f.tags(v)
			return
		}
		f.Flatten(prefix, v[0], depth+1)
	default:
		if s, ok := scalar(v); ok && f[prefix] == "" {
			f[prefix] = s
		}
	}
}

// pairs reads [{"field":"@message","value":"…"}] and [{"key":"host.name","value":{"stringValue":"…"}}].
func (f Fields) pairs(prefix string, list []any, depth int) bool {
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
		f.Flatten(strings.ToLower(name), value, depth+1)
		found = true
	}
	return found
}

// tags reads ["pod_name:web-0", "kube_namespace:shop"], as Datadog has them.
func (f Fields) tags(list []any) {
	for _, v := range list {
		s, _ := v.(string)
		if key, value, ok := strings.Cut(strings.TrimSpace(s), ":"); ok && len(f) < Max && f["tags."+key] == "" {
			f["tags."+strings.ToLower(key)] = value
		}
	}
}

func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, v != ""
	case json.Number:
		return v.String(), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// Level also adds the fields below wrappings under their names without the wrapping, where an earlier wrapping wins:
// they are then looked up without it.
func (f Fields) Level() {
	for tag := range strings.SplitSeq(f["tags"], ",") {
		f.tags([]any{tag})
	}
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

// First returns the value of the first name that the record has, and the name.
func (f Fields) First(names []string) (value, name string) {
	for _, name := range names {
		if v := f[name]; v != "" {
			return v, name
		}
	}
	return "", ""
}

// Time returns when the record was written, according to the store.
func (f Fields) Time() time.Time {
	for _, name := range TimeNames {
		if v := f[name]; v != "" {
			if t, ok := Moment(v); ok {
				return t
			}
		}
	}
	return time.Time{}
}

// Host returns the machine that wrote the record.
func (f Fields) Host() string {
	for _, name := range HostNames {
		if v := hostName(f[name]); v != "" {
			return v
		}
	}
	stream, _ := f.First(streamNames)
	host, _ := OfStream(stream)
	return host
}

// hostName removes a port, and returns "" for what is no name.
func hostName(s string) string {
	if host, port, ok := strings.Cut(s, ":"); ok && port != "" && strings.Trim(port, "0123456789") == "" {
		s = host
	}
	if s == "" || len(s) > MaxName || strings.ContainsAny(s, " \t/{}\"") ||
		s == "localhost" || s == "unknown" || s == "-" {
		return ""
	}
	return s
}

// OfStream reads host and unit from the name of a CloudWatch stream: "n1-dataplane.systemd.kubelet.service" (Container
// Insights), "n1-host.messages", or only a host.
func OfStream(s string) (host, unit string) {
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

// Unit returns who wrote the record, as far as it says so.
func (f Fields) Unit() string {
	if t, _ := f.First(transportNames); t == "kernel" {
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
	stream, _ := f.First(streamNames)
	_, unit := OfStream(stream)
	return unit
}

// OfContainer reports whether a record is from a container's output. A Docker container that runs the node's kubelet
// does not belong to a pod: those are named k8s_….
func (f Fields) OfContainer() bool {
	v, name := f.First(containerNames)
	if v == "" {
		return f.collected()
	}
	if strings.HasSuffix(name, "container_name") {
		switch strings.TrimPrefix(v, "/") {
		case "kubelet", "hyperkube", "kind-control-plane":
			pod, _ := f.First(podNames)
			return pod != ""
		}
	}
	return true
}

// collected reports whether a collector read a record from a container's output, by the file or the stream that it
// names.
func (f Fields) collected() bool {
	for _, v := range f {
		if slices.ContainsFunc(outputs, func(mark string) bool { return strings.HasPrefix(v, mark) }) ||
			strings.Contains(v[:min(len(v), MaxName)], ".var.log.containers.") {
			return true
		}
	}
	return false
}

// OfEvents reports whether a container prints the events of the API, by the names that exporters of them have.
func OfEvents(container string) bool { return slices.Contains(exporters, container) }

var exporters = []string{"eventrouter", "kube-eventrouter", "event-router", "event-exporter", "kube-event-exporter",
	"kubernetes-event-exporter", "k8s-event-exporter", "kube-eventer", "eventer", "k8s-event-logger", "kube-events"}

// Container returns the container whose output a record is, by name or by the file that it was read from; "" if the
// record does not say.
func (f Fields) Container() string {
	for _, name := range containerNames {
		if v := f[name]; v != "" && !slices.Contains(podNames, name) {
			return v
		}
	}
	if f.collected() {
		return "?"
	}
	return ""
}

// OutputOfOther reports whether a record that tells of a pod is a container's output: it names a container, or another
// pod as its own. A record that only names the pod that it is about is that pod's event, and what an exporter of events
// prints is one, too.
func (f Fields) OutputOfOther(pod string) bool {
	if OfEvents(f.Container()) {
		return false
	}
	for _, name := range containerNames {
		v := f[name]
		ofPod := v == pod && slices.Contains(podNames, name)
		// OpenTelemetry keeps the part of the pod that an event is about as the container's name.
		if v != "" && !ofPod && !strings.HasPrefix(v, "spec.") {
			return f.OfContainer()
		}
	}
	return f.collected()
}

var short = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

// Short returns a field's name without separators between its words.
func Short(name string) string { return short.Replace(name) }

// Ending returns the value of the field with the shortest name that ends with one of the words.
func (f Fields) Ending(words ...string) string {
	best := ""
	for name, value := range f {
		s := Short(name)
		if value != "" && slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(s, w) }) &&
			(best == "" || len(name) < len(best) || len(name) == len(best) && name < best) {
			best = name
		}
	}
	return f[best]
}

// With returns the fields together with others, whose names get a prefix; the others win.
func (f Fields) With(prefix string, others Fields) Fields {
	all := maps.Clone(f)
	if all == nil {
		all = Fields{}
	}
	for name, value := range others {
		all[prefix+name] = value
	}
	return all
}
