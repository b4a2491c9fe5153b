package unwrap

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file reads what a program made of a pod's status: a row of a dashboard, what jq or a client left of it, the
// answer of an agent's tool. Each names its fields as it likes, so what a field is tells the end of its name.

var (
	// ofLogs are names of records of logs, of which a container chooses what the others say, and of samples of metrics.
	ofLogs = []string{"log", "msg", "stream", "level", "severity", "logger", "caller", "@message", "textpayload", "_raw",
		"__name__"}
	stores = regexp.MustCompile(`^(?:kubernetes|resource|k8s|_source|fields|systemd|metric)\.`)

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

// ending is the value of the first field, by its name, whose name ends with one of the words.
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

// status is the pod that a record tells of, nil if it tells of none. A record of a container has it as its name's
// owner: outer has the fields of the pod around it.
func (f fields) status(outer fields) []byte {
	all := outer
	if all == nil {
		all = f
	}
	for name := range all {
		if slices.Contains(ofLogs, name) || stores.MatchString(name) {
			return nil
		}
	}
	namespace := all.ending("namespace")
	pod := all.ending("podname", "pod", "metadataname")
	container := f.ending("containername", "container")
	if outer != nil {
		container = cmp.Or(container, f["name"])
	}
	restarts, counted := strconv.Atoi(f.ending("restarts", "restartcount"))
	code, coded := strconv.Atoi(f.ending("exitcode"))
	s := f.reasons()
	if pod == "" && (namespace != "" || counted == nil && s != reasons{}) {
		pod = all["name"]
	}
	if pod == "" || counted != nil && coded != nil && s == (reasons{}) {
		return nil
	}
	status := map[string]any{"name": cmp.Or(container, evidence.Unnamed), "restartCount": max(restarts, 0)}
	if coded == nil || s.ended != "" {
		end := map[string]any{"reason": s.ended, "exitCode": code}
		if coded != nil {
			end["exitCode"] = evidence.NoExitCode
		}
		for key, word := range map[string]string{"startedAt": "startedat", "finishedAt": "finishedat"} {
			if at, ok := moment(f.ending(word)); ok {
				end[key] = at.UTC()
			}
		}
		which := "state"
		if restarts > 0 || s.waits != "" {
			which = "lastState"
		}
		status[which] = map[string]any{"terminated": end}
	}
	if s.waits != "" {
		status["state"] = map[string]any{"waiting": map[string]any{"reason": s.waits}}
	}
	raw, err := json.Marshal(map[string]any{"kind": "Pod", "apiVersion": "v1",
		"metadata": map[string]any{"name": pod, "namespace": namespace, "uid": evidence.Row + namespace + "/" + pod},
		"spec":     map[string]any{"nodeName": all.ending("nodename", "node")},
		"status": map[string]any{"phase": s.phase, "reason": s.pod, "message": f["message"],
			"containerStatuses": []any{status}}})
	if err != nil {
		return nil
	}
	return raw
}

// reasons are the words of a status by what they are of: a container's end, what it waits for, the pod's end and phase.
type reasons struct{ ended, waits, pod, phase string }

func (f fields) reasons() (s reasons) {
	for name, value := range f {
		key := short.Replace(name)
		if !slices.ContainsFunc([]string{"reason", "status", "state", "phase"},
			func(w string) bool { return strings.HasSuffix(key, w) }) {
			continue
		}
		switch {
		case slices.Contains(terminated, value):
			s.ended = max(s.ended, value)
		case waiting.MatchString(value):
			s.waits = max(s.waits, value)
		case slices.Contains(ended, value), strings.HasPrefix(value, "OutOf"):
			s.pod, s.phase = max(s.pod, value), "Failed"
		case slices.Contains(phases, value) && s.phase == "":
			s.phase = value
		}
	}
	return s
}

// pods takes an object with a list of containers, each with such fields.
func (w *walker) pods(m object) bool {
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
		if err != nil || !ok {
			continue
		}
		found := false
		for _, one := range list {
			if f, ok := fieldsOf(one); ok {
				if pod := f.status(outer); pod != nil {
					w.put("Pod", pod)
					found = true
				}
			}
		}
		return found
	}
	return false
}
