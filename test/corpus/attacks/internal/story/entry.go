package story

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// Entry returns the story as an entry of the corpus, with the node's logs in the given form.
func (s *Story) Entry(name string, f machine.Form) *entry.Entry {
	e := &entry.Entry{Name: name, Title: name, CollectedAt: At(600), Truths: []entry.Truth{s.Truth},
		Files: map[string][]byte{}}
	state := Object{"terminated": Object{"exitCode": s.code, "reason": s.Reason,
		"containerID": "containerd://" + OldID, "startedAt": Stamp(2), "finishedAt": Stamp(s.End)}}
	status := Object{"name": "app", "restartCount": 1, "ready": true, "containerID": "containerd://" + NewID,
		"state": Object{"running": Object{"startedAt": Stamp(s.next)}}, "lastState": state}
	pod := Object{"kind": "Pod", "apiVersion": "v1", "metadata": s.Meta, "spec": s.Spec,
		"status": Object{"phase": "Running", "containerStatuses": []any{status}}}
	e.Files["cluster/pods.json"] = List(append([]any{pod}, s.Cluster...))
	e.Files["cluster/events.json"] = List(s.Events)
	e.Files["cluster/nodes.json"] = List(
		[]any{Object{"kind": "Node", "apiVersion": "v1", "metadata": Object{"name": Node}, "status": Object{
			"nodeInfo": Object{"kubeletVersion": s.Version, "containerRuntimeVersion": "containerd://1.7.2",
				"operatingSystem": "linux", "machineID": "", "bootID": ""},
			"conditions": []any{Object{"type": "Ready", "status": "True"}}}}})
	if s.Records {
		e.Files["nodes/"+Node+"/cri.json"] = s.cri()
	}
	for _, path := range slices.Sorted(maps.Keys(s.Files)) {
		e.Files[path] = []byte(s.Files[path])
	}
	if f != machine.Text {
		s.Tell(e, s.ToldBoot)
	}
	return s.HandedOver().Put(e, f)
}

// cri returns the runtime's records of both instances and their sandbox.
func (s *Story) cri() []byte {
	one := func(id string, attempt int, state string, started, finished float64) Object {
		o := Object{"id": id, "sandboxID": SandboxID, "namespace": "shop", "pod": "web-0",
			"podUID": UID, "name": "app", "attempt": attempt, "state": state,
			"createdAt": At(started - 0.1).UnixNano(), "startedAt": At(started).UnixNano(), "image": "registry.example/web:7"}
		if finished > 0 {
			o["finishedAt"], o["exitCode"], o["reason"] = At(finished).UnixNano(), s.code, s.Reason
		} else {
			o["pid"] = 4800
		}
		return o
	}
	data, err := json.Marshal(Object{
		"runtime": "containerd", "runtimeVersion": "1.7.2", "collectedAt": At(600),
		"containers": []any{one(OldID, 0, "CONTAINER_EXITED", 2, s.End), one(NewID, 1, "CONTAINER_RUNNING", s.next, 0)},
		"sandboxes": []any{Object{"id": SandboxID, "namespace": "shop", "pod": "web-0",
			"podUID": UID, "attempt": 0, "state": "SANDBOX_READY", "createdAt": At(1.4).UnixNano(), "ip": "10.0.0.9"}},
	})
	if err != nil {
		panic(err)
	}
	return data
}

// HandedOver returns the logs that are passed to the analyzer: the node's own, or another machine's.
func (s *Story) HandedOver() *machine.Machine {
	if s.Foreign != nil {
		return s.Foreign
	}
	return s.Machine
}

// List returns a list of objects as the API server writes it.
func List(items []any) []byte {
	if items == nil {
		items = []any{}
	}
	data, err := json.Marshal(Object{"kind": "List", "apiVersion": "v1", "items": items})
	if err != nil {
		panic(err) // cannot fail: only strings and numbers
	}
	return data
}
