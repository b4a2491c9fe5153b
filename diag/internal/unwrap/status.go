package unwrap

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
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

// status reads a record of a pod, or of one of its containers: outer has the fields of the pod around it. It returns
// false for any other record.
func (w *walker) status(f, outer field.Fields) bool {
	all := outer
	if all == nil {
		f = plainly(f)
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
	restarts, notCounted := strconv.Atoi(f.Ending("restarts", "restartcount"))
	code, notCoded := strconv.Atoi(f.Ending("exitcode"))
	c := podrecord.Container{Name: f.Ending("containername", "container"), Restarts: restarts}
	phase, reason := words(&c, f)
	counted, told := notCounted == nil, c.Ended+c.Waits+phase+reason != ""
	namespace, pod := all.Ending("namespace"), all.Ending("podname", "pod", "metadataname")
	if before, name, both := strings.Cut(pod, "/"); both && namespace == "" {
		namespace, pod = before, name
	}
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
	c.Name = c.Name[strings.LastIndexByte(c.Name, '/')+1:] // Azure puts the pod's UID before it
	c.Started, _ = field.Moment(f.Ending("startedat"))
	c.Finished, _ = field.Moment(f.Ending("finishedat", "lastterminatedtimestamp"))
	p := w.pods.Of(namespace, pod)
	p.Node, p.Phase = cmp.Or(p.Node, all.Ending("nodename", "node")), cmp.Or(p.Phase, phase)
	if reason != "" {
		p.Reason, p.Phase, p.Message = reason, "Failed", cmp.Or(p.Message, f["message"])
	}
	p.Add(c)
	return true
}

// words assigns the words of a status to the container by their fields, and returns those of the pod.
func words(c *podrecord.Container, f field.Fields) (phase, reason string) {
	for name, value := range f {
		key := field.Short(name)
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
		outer, ok := field.Parse(raw)
		for _, one := range list {
			f, isObject := field.Parse(one)
			if err == nil && ok && isObject && (key != ofTask || f.Ending("reason") != "Completed") {
				found = w.status(f, outer) || found
			}
		}
	}
	return found
}
