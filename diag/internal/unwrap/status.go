package unwrap

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file reads what a program made of a pod's status: a row of a dashboard, what jq or a client left of it, the
// answer of an agent's tool, samples of kube-state-metrics. Each names its fields as it likes, so the end of a name
// tells what a field is.

var (
	// ofLogs are names of records of logs, of which a container chooses what the others say.
	ofLogs = []string{"log", "msg", "stream", "level", "severity", "logger", "caller", "@message", "textpayload", "_raw"}
	stores = regexp.MustCompile(`^(?:kubernetes|resource|k8s|_source|fields|systemd)\.`)

	terminated = []string{"OOMKilled", "Error", "Completed", "ContainerCannotRun", "StartError", "ContainerStatusUnknown"}
	ended      = []string{"Evicted", "NodeLost", "Shutdown", "Terminated", "NodeShutdown", "NodeAffinity", "Preempting",
		"UnexpectedAdmissionError", "DeadlineExceeded"}
	phases  = []string{"Pending", "Running", "Succeeded", "Failed", "Unknown"}
	waiting = regexp.MustCompile(`^(?:[A-Z][A-Za-z]+BackOff|ErrImage[A-Z]\w*|Create[A-Z]\w+Error|RunContainerError|` +
		`InvalidImageName|PostStartHookError|PreCreateHookError)$`)

	// containerLists are keys of lists with a container each.
	containerLists = []string{"containers", "containerStatuses", "container_statuses"}
)

// short is a field's name without what programs put between its words.
var short = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

// ending is the value of the field with the shortest name that ends with one of the words.
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

// podStatus is what records say of one pod, containerStatus of one of its containers.
type podStatus struct {
	namespace, name, node, phase, reason, message string
	containers                                    []*containerStatus
}

type containerStatus struct {
	name, ended, waits string
	restarts           int
	code               *int
	started, finished  time.Time
}

// status takes a record of a pod, or of one of its containers: outer has the fields of the pod around it. It is false
// for any other record.
func (w *walker) status(f, outer fields) bool {
	all := outer
	if all == nil {
		all = f
	}
	for name := range all {
		if slices.Contains(ofLogs, name) || stores.MatchString(name) {
			return false
		}
	}
	restarts, notCounted := strconv.Atoi(f.ending("restarts", "restartcount"))
	code, notCoded := strconv.Atoi(f.ending("exitcode"))
	c := containerStatus{name: f.ending("containername", "container"), restarts: restarts}
	phase, reason := c.words(f)
	counted, told := notCounted == nil, c.ended+c.waits+phase+reason != ""
	namespace, pod := all.ending("namespace"), all.ending("podname", "pod", "metadataname")
	if pod == "" && (namespace != "" || counted && told) {
		pod = all["name"]
	}
	if pod == "" || !counted && notCoded != nil && !told {
		return false
	}
	if notCoded == nil {
		c.code = &code
	}
	if outer != nil {
		c.name = cmp.Or(c.name, f["name"])
	}
	c.name = cmp.Or(c.name, evidence.Unnamed)
	c.started, _ = moment(f.ending("startedat"))
	c.finished, _ = moment(f.ending("finishedat"))
	p := w.pod(namespace, pod)
	p.node, p.phase = cmp.Or(p.node, all.ending("nodename", "node")), cmp.Or(p.phase, phase)
	if reason != "" {
		p.reason, p.phase, p.message = reason, "Failed", cmp.Or(p.message, f["message"])
	}
	p.container(&c)
	return true
}

// words takes the words of a status by what they are of, and returns those of the pod.
func (c *containerStatus) words(f fields) (phase, reason string) {
	for name, value := range f {
		key := short.Replace(name)
		if !slices.ContainsFunc([]string{"reason", "status", "state", "phase"},
			func(w string) bool { return strings.HasSuffix(key, w) }) {
			continue
		}
		switch {
		case slices.Contains(terminated, value):
			c.ended = max(c.ended, value)
		case waiting.MatchString(value):
			c.waits = max(c.waits, value)
		case slices.Contains(ended, value), strings.HasPrefix(value, "OutOf"):
			reason = max(reason, value)
		case slices.Contains(phases, value):
			phase = max(phase, value)
		}
	}
	return phase, reason
}

func (w *walker) pod(namespace, name string) *podStatus {
	for _, p := range w.pods {
		if p.namespace == namespace && p.name == name {
			return p
		}
	}
	p := &podStatus{namespace: namespace, name: name}
	w.pods = append(w.pods, p)
	return p
}

// container adds what a record says of a container to what others said.
func (p *podStatus) container(c *containerStatus) {
	for _, old := range p.containers {
		if old.name == c.name {
			old.restarts, old.code = max(old.restarts, c.restarts), cmp.Or(old.code, c.code)
			old.ended, old.waits = cmp.Or(old.ended, c.ended), cmp.Or(old.waits, c.waits)
			if old.finished.IsZero() {
				old.started, old.finished = c.started, c.finished
			}
			return
		}
	}
	p.containers = append(p.containers, c)
}

// object is the pod as the API would have it.
func (p *podStatus) object() map[string]any {
	var statuses []any
	for _, c := range p.containers {
		status := map[string]any{"name": c.name, "restartCount": max(c.restarts, 0)}
		if c.code != nil || c.ended != "" {
			end := map[string]any{"reason": c.ended, "exitCode": evidence.NoExitCode}
			if c.code != nil {
				end["exitCode"] = *c.code
			}
			for key, at := range map[string]time.Time{"startedAt": c.started, "finishedAt": c.finished} {
				if !at.IsZero() {
					end[key] = at.UTC()
				}
			}
			which := "state"
			if c.restarts > 0 || c.waits != "" {
				which = "lastState"
			}
			status[which] = map[string]any{"terminated": end}
		}
		if c.waits != "" {
			status["state"] = map[string]any{"waiting": map[string]any{"reason": c.waits}}
		}
		statuses = append(statuses, status)
	}
	return map[string]any{"kind": "Pod", "apiVersion": "v1",
		"metadata": map[string]any{"name": p.name, "namespace": p.namespace,
			"uid": evidence.Row + p.namespace + "/" + p.name},
		"spec": map[string]any{"nodeName": p.node},
		"status": map[string]any{"phase": p.phase, "reason": p.reason, "message": p.message,
			"containerStatuses": statuses}}
}

// putPods hands over the pods of which records told, once all are read.
func (w *walker) putPods() {
	for _, p := range w.pods {
		if raw, err := json.Marshal(p.object()); err == nil {
			w.put("Pod", raw)
		}
	}
}

// withContainers takes an object with a list of containers, each with such fields.
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
			if f, isObject := fieldsOf(one); err == nil && ok && isObject {
				found = w.status(f, outer) || found
			}
		}
	}
	return found
}

// metrics of kube-state-metrics whose value is a number of the status; of the others that are read a label is.
var metrics = map[string]string{
	"kube_pod_container_status_restarts_total":           "restarts",
	"kube_pod_container_status_last_terminated_exitcode": "exitcode",
	"kube_pod_container_status_last_terminated_reason":   "",
	"kube_pod_container_status_terminated_reason":        "",
	"kube_pod_container_status_waiting_reason":           "",
	"kube_pod_status_reason":                             "",
}

// sample takes a sample of Prometheus' HTTP API: {"metric": labels, "value": [time, "1"]}.
func (w *walker) sample(m object) bool {
	f, ok := fieldsOf(m["metric"])
	var value []any
	if m["metric"] == nil || !ok || json.Unmarshal(m["value"], &value) != nil || len(value) != 2 {
		return false
	}
	number, _ := value[1].(string)
	if field, known := metrics[f["__name__"]]; known && number != "0" && number != "" {
		f[cmp.Or(field, "value")] = number
		w.status(f, nil)
	}
	return true
}
