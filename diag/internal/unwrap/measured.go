package unwrap

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podref"
)

// This file reads what agents that measure containers say about a container's status, and samples of metrics.

// measures are the names of agents for the fields of a status, by those that a status is read by: Metricbeat's and
// Elastic Agent's state_container, the performance events of CloudWatch Container Insights, OpenTelemetry's k8s_cluster
// receiver.
var measures = map[string][]string{
	"pod":       {"kubernetes.pod.name", "fullpodname", "kubernetes.pod_name", "k8s.pod.name"},
	"namespace": {"kubernetes.namespace", "namespace", "k8s.namespace.name"},
	"container": {"kubernetes.container.name", "containername", "k8s.container.name"},
	"node":      {"kubernetes.node.name", "nodename", "k8s.node.name"},
	"restarts":  {"kubernetes.container.status.restarts", "number_of_container_restarts", "k8s.container.restarts"},
	"last_reason": {"kubernetes.container.status.last_terminated_reason", "container_last_termination_reason",
		"k8s.container.status.last_terminated_reason"},
	"reason":           {"kubernetes.container.status.reason", "container_status_reason"},
	"exit_code":        {"kubernetes.container.status.last_terminated_exitcode"},
	"last_finished_at": {"kubernetes.container.status.last_terminated_timestamp"},
}

// exited matches the status in a list of Docker's containers.
var exited = regexp.MustCompile(`^Exited \((\d{1,3})\)`)

// plainly returns the fields of a status under plain names, where a program has its own: those of an agent, a name that
// a kubelet gave a Docker container, an object in a field's text.
func plainly(f field.Fields) field.Fields {
	counted, _ := f.First(measures["restarts"])
	ended, _ := f.First(measures["last_reason"])
	if counted+ended != "" && !slices.ContainsFunc(append([]string{"message"}, ofLogs...),
		func(name string) bool { return f[name] != "" || f[name+".file.path"] != "" }) {
		plain := field.Fields{}
		for name, theirs := range measures {
			plain[name], _ = f.First(theirs)
		}
		return plain
	}
	if f["alertname"] != "" && f["message"] == "" { // the labels of an alert
		f = maps.Clone(f)
		delete(f, "severity")
		if f["job_name"] != "" { // pod and container are the exporter's
			f = field.Fields{"pod": f["job_name"], "namespace": f["namespace"], "alertname": f["alertname"],
				"status": f["status"]}
			if strings.Contains(f["alertname"], "JobFailed") && f["status"] != "resolved" {
				f["last_reason"] = "Error"
			}
		}
		return f
	}
	for name, value := range f {
		if strings.HasPrefix(value, "{") && telling.MatchString(name) {
			if inner, ok := field.Parse([]byte(value)); ok {
				return f.With(name+".", inner)
			}
		}
	}
	for _, name := range []string{"name", "names"} {
		if d, ok := podref.Docker(f[name]); ok {
			own := field.Fields{"pod": d.Pod, "namespace": d.Namespace, "container": d.Container, "restarts": d.Attempt}
			if m := exited.FindStringSubmatch(f["status"]); m != nil {
				own["exit_code"] = m[1]
			}
			return f.With("", own)
		}
	}
	return f
}

// samples maps kube-state-metrics whose value is a number of the status; of the others a label is used.
var samples = map[string]string{
	"kube_pod_container_status_restarts_total":              "restarts",
	"kube_pod_container_status_last_terminated_exitcode":    "exitcode",
	"kube_pod_container_status_last_terminated_timestamp":   "finishedat",
	"kube_pod_container_status_last_terminated_reason":      "",
	"kube_pod_container_status_terminated_reason":           "",
	"kube_pod_container_status_waiting_reason":              "",
	"kube_pod_status_reason":                                "",
	"kube_pod_init_container_status_restarts_total":         "restarts",
	"kube_pod_init_container_status_last_terminated_reason": "",
}

// sample reads a series of Prometheus' HTTP API: {"metric": labels, "value": [time, "1"]}, or "values" of such pairs.
// Of these the last counts that is not zero.
func (w *walker) sample(m object) bool {
	f, ok := field.Parse(m["metric"])
	if m["metric"] == nil || !ok {
		return false
	}
	var value []any
	var values [][]any
	if json.Unmarshal(m["value"], &value) == nil {
		values = append(values, value)
	} else if f["__name__"] == "" && f["reason"] == "" || json.Unmarshal(m["values"], &values) != nil {
		return false // another program's, such as Loki's
	}
	number := ""
	for _, v := range values {
		if len(v) != 2 {
			return false
		}
		if s, _ := v[1].(string); s != "0" && s != "" {
			number = s
		}
	}
	w.series(f, number)
	return true
}

// series reads one value of a metric that has these labels.
func (w *walker) series(labels field.Fields, number string) {
	name := labels["__name__"]
	if theirs, known := samples[name]; (known || name == "" && labels["reason"] != "") && number != "" {
		labels[cmp.Or(theirs, "value")] = number
		if strings.Contains(name, "_last_") && labels["reason"] != "" {
			labels["last_reason"] = labels["reason"]
			delete(labels, "reason")
		}
		w.status(labels, nil)
	}
}

// metric reads a metric of OpenTelemetry, which is of the resource around it.
func (w *walker) metric(m object) bool {
	var name string
	type points struct {
		DataPoints []struct {
			AsInt json.Number `json:"asInt"`
		} `json:"dataPoints"`
	}
	var gauge, sum points
	if json.Unmarshal(m["name"], &name) != nil || m["gauge"] == nil && m["sum"] == nil {
		return false
	}
	_ = json.Unmarshal(m["gauge"], &gauge) // one of them is there
	_ = json.Unmarshal(m["sum"], &sum)
	if all := append(gauge.DataPoints, sum.DataPoints...); name == "k8s.container.restarts" && len(all) > 0 {
		w.status(w.around.With("", field.Fields{name: all[len(all)-1].AsInt.String()}), nil)
	}
	return true
}

// unpacked returns an object that is written as OpenTelemetry writes values ({"kvlistValue": {"values": […]}}), nil for
// anything else.
func unpacked(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw[:min(len(raw), 64)], []byte(`"kvlistValue"`)) {
		return nil
	}
	var v anyValue
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	plain, err := json.Marshal(v.plain(0))
	if err != nil {
		return nil
	}
	return plain
}

// anyValue is a value of OpenTelemetry (opentelemetry-proto common/v1 AnyValue).
type anyValue struct {
	KVList *struct {
		Values []struct {
			Key   string   `json:"key"`
			Value anyValue `json:"value"`
		} `json:"values"`
	} `json:"kvlistValue"`
	Array *struct {
		Values []anyValue `json:"values"`
	} `json:"arrayValue"`
	String *string      `json:"stringValue"`
	Int    *json.Number `json:"intValue"`
	Bool   *bool        `json:"boolValue"`
}

func (v *anyValue) plain(depth int) any {
	switch {
	case depth > maxUnpacked:
	case v.KVList != nil:
		out := map[string]any{}
		for _, pair := range v.KVList.Values {
			out[pair.Key] = pair.Value.plain(depth + 1)
		}
		return out
	case v.Array != nil:
		out := make([]any, 0, len(v.Array.Values))
		for i := range v.Array.Values {
			out = append(out, v.Array.Values[i].plain(depth+1))
		}
		return out
	case v.String != nil:
		return *v.String
	case v.Int != nil:
		return *v.Int
	case v.Bool != nil:
		return *v.Bool
	}
	return nil
}

// maxUnpacked is deeper than any Kubernetes object.
const maxUnpacked = 32
