package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// Names of the one pod of a story written here.
const (
	node  = "n1"
	uid   = "7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001"
	oldID = "1111111111111111111111111111111111111111111111111111111111111111"
	newID = "2222222222222222222222222222222222222222222222222222222222222222"
	box   = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
)

// began is when stories begin; at is a moment of one, in seconds after that.
var began = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return began.Add(time.Duration(seconds * float64(time.Second))) }

type object = map[string]any

// story is what happened to one container on one node, and what was left of it: it ran
// from 2 s to end, exited with code, and ran again 3 s later.
type story struct {
	end    float64
	code   int
	reason string
	*machine.Machine
	spec      object // of the pod
	container object // of the pod's spec
	meta      object // of the pod
	events    []any
	version   string // of the kubelet
	records   bool   // the runtime's records are there
	cluster   []any  // further pods
	forms     []machine.Form
	truth     entry.Truth
	files     map[string]string // further files
	foreign   *machine.Machine  // whose logs are handed over in place of the node's own
	plain     bool              // what happened is plain enough that *likely* may not be wrong either
	told      string            // the boot id that the API tells; "" for the last one's
}

// ended begins a story. The truth is nothing that may be called proven until it is set.
func ended(end float64, code int, reason string) *story {
	s := &story{end: end, code: code, reason: reason, version: "v1.30.14",
		records: true, forms: machine.Forms, files: map[string]string{}}
	s.Machine = &machine.Machine{Name: node, ID: "7fc4d6115937648fb1ac4b72adadc9ac",
		Boots: []string{"3e35731d488a498ba6eb103ff6db4a36"}, Up: at(-81)}
	s.container = object{"name": "app", "image": "registry.example/web:7"}
	s.spec = object{"nodeName": node, "restartPolicy": "Always", "terminationGracePeriodSeconds": 30,
		"containers": []any{s.container}}
	s.meta = object{"name": "web-0", "namespace": "shop", "uid": uid, "creationTimestamp": stamp(0)}
	s.truth = entry.Truth{Pod: "shop/web-0", Container: "app", Cause: undecided}
	s.kernel(-80, "Linux version 6.1.0")
	s.runtime(-70, `msg="starting containerd" revision=x version="1.7.2"`).runtime(-69.9,
		`msg="containerd successfully booted in 0.091s"`)
	s.kubelet(-60, `flags.go:64] FLAG: --v="2"`).kubelet(-59.99, `server.go:491] "Kubelet version" kubeletVersion="`+
		s.version+`"`)
	s.kubelet(1, `kubelet.go:2418] "SyncLoop ADD" source="api" pods=["shop/web-0"]`)
	s.runtime(1.5, `msg="RunPodSandbox for &PodSandboxMetadata{Name:web-0,Uid:`+
		uid+`,Namespace:shop,Attempt:0,} returns sandbox id \"`+box+`\""`)
	s.begins(1.9, 0, oldID)
	s.runtime(end+0.02,
		fmt.Sprintf(
			`msg="TaskExit event in podsandbox handler container_id:\"%s\" id:\"%s\" pid:4711 exit_status:%d exited_at:{seconds:%d}"`, oldID, oldID, code, at(end).Unix()))
	s.kubelet(end+0.7,
		fmt.Sprintf(`generic.go:334] "Generic (PLEG): container finished" podID="%s" containerID="%s" exitCode=%d`,
			uid, oldID, code))
	s.kubelet(end+0.7, `kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"`+
		uid+`","Type":"ContainerDied","Data":"`+oldID+`"}`)
	s.begins(end+2.9, 1, newID)
	s.kubelet(599, `kubelet_getters.go:187] "Pod status updated" pod="kube-system/other" status="Running"`)
	return s.kernel(598, "eth0: link up").runtime(598.5,
		`msg="StartContainer for \"9999999999999999999999999999999999999999999999999999999999999999\" returns successfully"`)
}

// undecided is the truth where the same evidence fits two of them: nothing may be proven.
const undecided = "undecided"

// is sets the truth.
func (s *story) is(cause string) *story {
	s.truth.Cause = cause
	return s
}

// plainly sets a truth beside which another cause may not be likely.
func (s *story) plainly(cause string) *story {
	s.plain = true
	return s.is(cause)
}

// begins tells of an instance that is made.
func (s *story) begins(t float64, attempt int, id string) {
	s.runtime(t,
		fmt.Sprintf(
			`msg="CreateContainer within sandbox \"%s\" for &ContainerMetadata{Name:app,Attempt:%d,} returns container id \"%s\""`, box, attempt, id))
	s.runtime(t+0.1, `msg="StartContainer for \"`+id+`\" returns successfully"`)
	s.kubelet(t+0.7, `kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"`+
		uid+`","Type":"ContainerStarted","Data":"`+id+`"}`)
}

// line adds a line of any writer. Those of the node's other daemons stand in the
// kubelet's file, as in a journal that was asked for more than one unit.
func (s *story) line(t float64, l machine.Line) *story {
	l.True = at(t)
	name := map[string]string{"containerd": "containerd", "kernel": "kernel"}[l.Writer]
	if name == "" {
		name = "kubelet"
	}
	log := s.Log(name)
	log.Lines = append(log.Lines, l)
	return s
}

// kubelet is a line of the kubelet: all behind klog's process id.
func (s *story) kubelet(t float64, text string) *story {
	return s.line(t, machine.Line{Writer: "kubelet", Unit: "kubelet.service", PID: 80, Text: klog(t, text)})
}

func klog(t float64, text string) string {
	return "I" + at(t).Format("0102 15:04:05.000000") + "      80 " + text
}

// runtime is a line of containerd: all behind its level.
func (s *story) runtime(t float64, text string) *story {
	return s.line(t, machine.Line{Writer: "containerd", Unit: "containerd.service",
		PID: 70, Text: `time="` + at(t).Format("2006-01-02T15:04:05.000000000Z07:00") + `" level=info ` + text})
}

func (s *story) kernel(t float64, text string) *story {
	return s.line(t, machine.Line{Writer: "kernel", Text: text})
}

// killing is the kubelet's line of the kill, stop the runtime's of the request.
func (s *story) killing(t float64) *story {
	return s.kubelet(t, killingLine(uid, "shop/web-0", oldID, 30))
}

func killingLine(uid, pod, id string, grace int) string {
	return fmt.Sprintf(
		`kuberuntime_container.go:779] "Killing container with a grace period" pod=%q podUID=%q containerName="app" containerID="containerd://%s" gracePeriod=%d`, pod, uid, id, grace)
}

func (s *story) stop(t float64) *story {
	return s.runtime(t, `msg="StopContainer for \"`+oldID+`\" with timeout 30 (s)"`)
}

const livenessText = "Container app failed liveness probe, will be restarted"

func (s *story) decided(t float64, message string) *story {
	return s.kubelet(t, decidedLine("shop/web-0", oldID, message))
}

func decidedLine(pod, id, message string) string {
	return fmt.Sprintf(
		`kuberuntime_manager.go:1021] "Message for Container of pod" containerName="app" containerStatusID={"Type":"containerd","ID":"%s"} pod=%q containerMessage=%q`, id, pod, message)
}

// probed gives the container a liveness probe, and fails it three times before t.
func (s *story) probed(t float64) *story {
	s.container["livenessProbe"] = object{"httpGet": object{"path": "/", "port": 8080},
		"periodSeconds": 10, "failureThreshold": 3}
	for _, before := range []float64{20, 10, 0} {
		s.kubelet(t-before, `prober.go:107] "Probe failed" probeType="Liveness" pod="shop/web-0" podUID="`+
			uid+`" containerName="app" probeResult="failure" output="HTTP probe failed with statuscode: 503"`)
	}
	return s.event(t, "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 503", nil)
}

// liveness is a whole liveness kill that begins at t: probes, decision, kill, request.
func (s *story) liveness(t float64) *story {
	s.probed(t).decided(t+0.1, livenessText).killing(t + 0.2).stop(t + 0.21)
	return s.event(t+0.1, "Killing", livenessText, nil).is("liveness-probe-failed")
}

func (s *story) event(t float64, reason, message string, change func(object)) *story {
	e := object{
		"kind": "Event", "apiVersion": "v1", "metadata": object{"name": fmt.Sprint("web-0.", len(s.events)),
			"namespace": "shop"}, "reason": reason, "message": message, "type": "Normal", "count": 1,
		"involvedObject": object{"kind": "Pod", "namespace": "shop", "name": "web-0",
			"uid": uid, "fieldPath": "spec.containers{app}"},
		"source": object{"component": "kubelet", "host": node}, "firstTimestamp": stamp(t), "lastTimestamp": stamp(t),
	}
	if change != nil {
		change(e)
	}
	s.events = append(s.events, e)
	return s
}

func (s *story) limit() *story {
	s.container["resources"] = object{"limits": object{"memory": "256Mi"}}
	return s
}

// oom is the kernel's report of a kill in the container's cgroup, with a table of tasks.
func (s *story) oom(t float64, constraint, memcg, task string, pid int, tasks ...string) *story {
	s.kernel(t, task+" invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999")
	if len(tasks) > 0 {
		s.kernel(t, "Tasks state (memory values in pages):").kernel(t,
			"[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name")
		for _, line := range tasks {
			s.kernel(t, line)
		}
	}
	where := "oom_memcg=" + memcg
	if memcg == "" {
		where = "global_oom"
	}
	s.kernel(t,
		fmt.Sprintf("oom-kill:constraint=%s,nodemask=(null),cpuset=%s,mems_allowed=0,%s,task_memcg=%s,task=%s,pid=%d,uid=0",
			constraint, oldID, where, cgroup, task, pid))
	return s.kernel(t,
		fmt.Sprintf(
			"Memory cgroup out of memory: Killed process %d (%s) total-vm:270000kB, anon-rss:262144kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:600kB oom_score_adj:999", pid, task))
}

// cgroup is that of the container.
const cgroup = "/kubepods/burstable/pod" + uid + "/" + oldID

func stamp(t float64) string { return at(t).Format(time.RFC3339) }

func list(items []any) []byte {
	if items == nil {
		items = []any{}
	}
	data, err := json.Marshal(object{"kind": "List", "apiVersion": "v1", "items": items})
	if err != nil {
		panic(err) // of strings and numbers
	}
	return data
}

func (s *story) entry(name string, f machine.Form) *entry.Entry {
	e := &entry.Entry{Name: name, Title: name, CollectedAt: at(600), Truths: []entry.Truth{s.truth},
		Files: map[string][]byte{}}
	state := object{"terminated": object{"exitCode": s.code, "reason": s.reason,
		"containerID": "containerd://" + oldID, "startedAt": stamp(2), "finishedAt": stamp(s.end)}}
	status := object{"name": "app", "restartCount": 1, "ready": true, "containerID": "containerd://" + newID,
		"state": object{"running": object{"startedAt": stamp(s.end + 3)}}, "lastState": state}
	pod := object{"kind": "Pod", "apiVersion": "v1", "metadata": s.meta, "spec": s.spec,
		"status": object{"phase": "Running", "containerStatuses": []any{status}}}
	e.Files["cluster/pods.json"] = list(append([]any{pod}, s.cluster...))
	e.Files["cluster/events.json"] = list(s.events)
	e.Files["cluster/nodes.json"] = list(
		[]any{object{"kind": "Node", "apiVersion": "v1", "metadata": object{"name": node}, "status": object{
			"nodeInfo": object{"kubeletVersion": s.version, "containerRuntimeVersion": "containerd://1.7.2",
				"operatingSystem": "linux", "machineID": "", "bootID": ""},
			"conditions": []any{object{"type": "Ready", "status": "True"}}}}})
	if s.records {
		e.Files["nodes/"+node+"/cri.json"] = s.cri()
	}
	for _, path := range slices.Sorted(maps.Keys(s.files)) {
		e.Files[path] = []byte(s.files[path])
	}
	if f != machine.Text {
		s.Tell(e, s.told)
	}
	return s.logs().Put(e, f)
}

// cri are the runtime's records of both instances and their sandbox.
func (s *story) cri() []byte {
	one := func(id string, attempt int, state string, started, finished float64) object {
		o := object{"id": id, "sandboxID": box, "namespace": "shop", "pod": "web-0",
			"podUID": uid, "name": "app", "attempt": attempt, "state": state,
			"createdAt": at(started - 0.1).UnixNano(), "startedAt": at(started).UnixNano(), "image": "registry.example/web:7"}
		if finished > 0 {
			o["finishedAt"], o["exitCode"], o["reason"] = at(finished).UnixNano(), s.code, s.reason
		} else {
			o["pid"] = 4800
		}
		return o
	}
	data, err := json.Marshal(object{
		"runtime": "containerd", "runtimeVersion": "1.7.2", "collectedAt": at(600),
		"containers": []any{one(oldID, 0, "CONTAINER_EXITED", 2, s.end), one(newID, 1, "CONTAINER_RUNNING", s.end+3, 0)},
		"sandboxes": []any{object{"id": box, "namespace": "shop", "pod": "web-0",
			"podUID": uid, "attempt": 0, "state": "SANDBOX_READY", "createdAt": at(1.4).UnixNano(), "ip": "10.0.0.9"}},
	})
	if err != nil {
		panic(err)
	}
	return data
}
