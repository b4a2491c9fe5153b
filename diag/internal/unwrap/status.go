package unwrap

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// This file reads other programs' representations of a pod's status: a row of a dashboard, output of jq or a client,
// the result of an agent's tool, samples of kube-state-metrics. Each has its own field names, so the end of a name
// decides what a field is.

var (
	// ofLogs are names in log records, whose other fields may be a container's choice.
	ofLogs = []string{"log", "msg", "stream", "level", "severity", "logger", "caller", "@message", "textpayload", "_raw"}
	stores = regexp.MustCompile(`^(?:kubernetes|resource|k8s|_source|fields|systemd)\.`)

	// ended are reasons of a pod's end; in a condition or an event such a key may have any value.
	ended = []string{"Evicted", "NodeLost", "Shutdown", "Terminated", "NodeShutdown", "NodeAffinity", "Preempting",
		"UnexpectedAdmissionError", "DeadlineExceeded"}
	phases = []string{"Pending", "Running", "Succeeded", "Failed", "Unknown"}

	// telling are ends of names that records of a pod's status have, and few others.
	telling = regexp.MustCompile(`(?:restarts|restart.?count|exit.?code|reason|status|state|phase)$`)

	// containerLists are keys of lists of containers; the last ones are Tekton's (TaskRunStatus).
	containerLists = []string{"containers", "containerStatuses", "container_statuses", ofTask, "sidecars"}
)

// ofTask are the steps of a task: a completed step did its job.
const ofTask = "steps"

// short returns a field's name without separators between its words.
var short = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

// ending returns the value of the field with the shortest name that ends with one of the words.
func (f fields) ending(words ...string) string {
	best := ""
	for name, value := range f {
		s := short.Replace(name)
		if value != "" && slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(s, w) }) &&
			(best == "" || len(name) < len(best) || len(name) == len(best) && name < best) {
			best = name
		}
	}
	return f[best]
}

// status reads a record of a pod, or of one of its containers: outer has the fields of the pod around it. It returns
// false for any other record.
func (w *walker) status(f, outer fields) bool {
	all := outer
	if all == nil {
		all = f
	}
	tells := false
	for name := range f {
		tells = tells || telling.MatchString(name)
	}
	for name := range all {
		if !tells || slices.Contains(ofLogs, name) || stores.MatchString(name) {
			return false
		}
	}
	restarts, notCounted := strconv.Atoi(f.ending("restarts", "restartcount"))
	code, notCoded := strconv.Atoi(f.ending("exitcode"))
	c := podrecord.Container{Name: f.ending("containername", "container"), Restarts: restarts}
	phase, reason := words(&c, f)
	counted, told := notCounted == nil, c.Ended+c.Waits+phase+reason != ""
	namespace, pod := all.ending("namespace"), all.ending("podname", "pod", "metadataname")
	if pod == "" && (namespace != "" || counted && told) {
		pod = all["name"]
	}
	if pod == "" || !counted && notCoded != nil && !told {
		return false
	}
	if notCoded == nil && (code != 0 || c.Ended != "") { // 0 may mean none
		c.Code = &code
	}
	if outer != nil {
		c.Name = cmp.Or(c.Name, f["name"])
	}
	c.Started, _ = moment(f.ending("startedat"))
	c.Finished, _ = moment(f.ending("finishedat"))
	p := w.pods.Of(namespace, pod)
	p.Node, p.Phase = cmp.Or(p.Node, all.ending("nodename", "node")), cmp.Or(p.Phase, phase)
	if reason != "" {
		p.Reason, p.Phase, p.Message = reason, "Failed", cmp.Or(p.Message, f["message"])
	}
	p.Add(c)
	return true
}

// words assigns the words of a status to the container by their fields, and returns those of the pod.
func words(c *podrecord.Container, f fields) (phase, reason string) {
	for name, value := range f {
		key := short.Replace(name)
		if !slices.ContainsFunc([]string{"reason", "status", "state", "phase"},
			func(w string) bool { return strings.HasSuffix(key, w) }) {
			continue
		}
		switch {
		case describe.Ends(value):
			c.Ended, c.Last = max(c.Ended, value), c.Last || strings.Contains(key, "last")
		case describe.Waits(value):
			c.Waits = max(c.Waits, value)
		case slices.Contains(ended, value), strings.HasPrefix(value, "OutOf"):
			reason = max(reason, value)
		case slices.Contains(phases, value):
			phase = max(phase, value)
		}
	}
	return phase, reason
}

// putPods passes on the pods that the records described, once all are read.
func (w *walker) putPods() {
	for _, pod := range w.pods.Objects() {
		w.put("Pod", pod)
	}
}

// withContainers reads an object with a list of containers that have such fields.
func (w *walker) withContainers(m object) bool {
	found := false
	for _, key := range containerLists {
		var list []json.RawMessage
		if json.Unmarshal(m[key], &list) != nil || len(list) == 0 {
			continue
		}
		rest := object{}
		for k, v := range m {
			if k != key {
				rest[k] = v
			}
		}
		raw, err := json.Marshal(rest)
		outer, ok := fieldsOf(raw)
		for _, one := range list {
			f, isObject := fieldsOf(one)
			if err == nil && ok && isObject && (key != ofTask || f.ending("reason") != "Completed") {
				found = w.status(f, outer) || found
			}
		}
	}
	return found
}

// metrics maps kube-state-metrics whose value is a number of the status; of the others a label is used.
var metrics = map[string]string{
	"kube_pod_container_status_restarts_total":           "restarts",
	"kube_pod_container_status_last_terminated_exitcode": "exitcode",
	"kube_pod_container_status_last_terminated_reason":   "",
	"kube_pod_container_status_terminated_reason":        "",
	"kube_pod_container_status_waiting_reason":           "",
	"kube_pod_status_reason":                             "",
}

// sample reads a sample of Prometheus' HTTP API: {"metric": labels, "value": [time, "1"]}.
func (w *walker) sample(m object) bool {
	f, ok := fieldsOf(m["metric"])
	var value []any
	if m["metric"] == nil || !ok || json.Unmarshal(m["value"], &value) != nil || len(value) != 2 {
		return false
	}
	number, _ := value[1].(string)
	if field, known := metrics[f["__name__"]]; known && number != "0" && number != "" {
		f[cmp.Or(field, "value")] = number
		if strings.Contains(f["__name__"], "_last_") && f["reason"] != "" {
			f["last_reason"] = f["reason"]
			delete(f, "reason")
		}
		w.status(f, nil)
	}
	return true
}
