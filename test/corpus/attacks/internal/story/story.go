// Package story describes by hand what happened to one container on one node, line by line and object by object, as its
// logs, events and records would show it.
package story

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// Names of the one pod in these stories.
const (
	Node      = "n1"
	UID       = "7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001"
	OldID     = "1111111111111111111111111111111111111111111111111111111111111111"
	NewID     = "2222222222222222222222222222222222222222222222222222222222222222"
	SandboxID = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
)

// began is when stories begin.
var began = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// At returns a moment of a story, in seconds after its begin.
func At(seconds float64) time.Time { return began.Add(time.Duration(seconds * float64(time.Second))) }

// Object is a JSON object.
type Object = map[string]any

// Story is what happened to one container on one node, and the evidence of it: the container ran from 2 s to End,
// exited with code, and ran again 3 s later.
type Story struct {
	End    float64
	next   float64 // when it ran again
	code   int
	Reason string
	*machine.Machine
	Spec      Object // of the pod
	Container Object // of the pod's spec
	Meta      Object // of the pod
	Events    []any
	Version   string // of the kubelet
	Records   bool   // the runtime's records are there
	Cluster   []any  // further pods
	Forms     []machine.Form
	Truth     entry.Truth
	Files     map[string]string // further files
	Foreign   *machine.Machine  // the machine whose logs are used instead of the node's own
	Plain     bool              // what happened is so plain that *likely* must not be wrong either
	ToldBoot  string            // the boot id in the API; "" for the last boot's
	Full      int               // the limit that the kernel's reports have, in bytes; 0 for a report without one
}

// Ended begins a story. Until the truth is set, nothing may be proven.
func Ended(end float64, code int, reason string) *Story {
	s := &Story{End: end, next: end + 3, code: code, Reason: reason, Version: "v1.30.14",
		Records: true, Forms: machine.Forms, Files: map[string]string{}}
	s.Machine = &machine.Machine{Name: Node, ID: "7fc4d6115937648fb1ac4b72adadc9ac",
		Boots: []string{"3e35731d488a498ba6eb103ff6db4a36"}, Up: At(-81)}
	s.Container = Object{"name": "app", "image": "registry.example/web:7"}
	s.Spec = Object{"nodeName": Node, "restartPolicy": "Always", "terminationGracePeriodSeconds": 30,
		"containers": []any{s.Container}}
	s.Meta = Object{"name": "web-0", "namespace": "shop", "uid": UID, "creationTimestamp": Stamp(0)}
	s.Truth = entry.Truth{Pod: "shop/web-0", Container: "app", Cause: Undecided}
	s.Kernel(-80, "Linux version 6.1.0")
	s.Runtime(-70, `msg="starting containerd" revision=x version="1.7.2"`).Runtime(-69.9,
		`msg="containerd successfully booted in 0.091s"`)
	s.Kubelet(-60, `flags.go:64] FLAG: --v="2"`).Kubelet(-59.99, `server.go:491] "Kubelet version" kubeletVersion="`+
		s.Version+`"`)
	s.Kubelet(1, `kubelet.go:2418] "SyncLoop ADD" source="api" pods=["shop/web-0"]`)
	s.Runtime(1.5, `msg="RunPodSandbox for &PodSandboxMetadata{Name:web-0,Uid:`+
		UID+`,Namespace:shop,Attempt:0,} returns sandbox id \"`+SandboxID+`\""`)
	s.begins(1.9, 0, OldID)
	s.Runtime(end+0.02,
		fmt.Sprintf(
			`msg="TaskExit event in podsandbox handler container_id:\"%s\" id:\"%s\" pid:4711 exit_status:%d exited_at:{seconds:%d}"`, OldID, OldID, code, At(end).Unix()))
	s.Kubelet(end+0.7,
		fmt.Sprintf(`generic.go:334] "Generic (PLEG): container finished" podID="%s" containerID="%s" exitCode=%d`,
			UID, OldID, code))
	s.Kubelet(end+0.7, `kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"`+
		UID+`","Type":"ContainerDied","Data":"`+OldID+`"}`)
	s.begins(end+2.9, 1, NewID)
	s.Kubelet(599, `kubelet_getters.go:187] "Pod status updated" pod="kube-system/other" status="Running"`)
	return s.Kernel(598, "eth0: link up").Runtime(598.5,
		`msg="StartContainer for \"9999999999999999999999999999999999999999999999999999999999999999\" returns successfully"`)
}

// Undecided is the truth if the same evidence fits two causes: nothing may be proven.
const Undecided = "undecided"

// Is sets the truth.
func (s *Story) Is(cause string) *Story {
	s.Truth.Cause = cause
	return s
}

// Plainly sets a truth so plain that no other cause may be called likely.
func (s *Story) Plainly(cause string) *Story {
	s.Plain = true
	return s.Is(cause)
}

// begins adds the lines of an instance's creation.
func (s *Story) begins(t float64, attempt int, id string) {
	s.Runtime(t,
		fmt.Sprintf(
			`msg="CreateContainer within sandbox \"%s\" for &ContainerMetadata{Name:app,Attempt:%d,} returns container id \"%s\""`, SandboxID, attempt, id))
	s.Runtime(t+0.1, `msg="StartContainer for \"`+id+`\" returns successfully"`)
	s.Kubelet(t+0.7, `kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"`+
		UID+`","Type":"ContainerStarted","Data":"`+id+`"}`)
}

// Line adds a line of any writer. Lines of the node's other daemons go into the kubelet's file, as in a journal of
// several units.
func (s *Story) Line(t float64, l machine.Line) *Story {
	l.True = At(t)
	name := map[string]string{"containerd": "containerd", "kernel": "kernel"}[l.Writer]
	if name == "" {
		name = "kubelet"
	}
	log := s.Log(name)
	log.Lines = append(log.Lines, l)
	return s
}

// Kubelet adds a line of the kubelet: text is everything after klog's process id.
func (s *Story) Kubelet(t float64, text string) *Story {
	return s.Line(t, machine.Line{Writer: "kubelet", Unit: "kubelet.service", PID: 80, Text: Klog(t, text)})
}

// Klog returns a line of the kubelet with klog's header.
func Klog(t float64, text string) string {
	return "I" + At(t).Format("0102 15:04:05.000000") + "      80 " + text
}

// Runtime adds a line of containerd: text is everything after its level.
func (s *Story) Runtime(t float64, text string) *Story {
	return s.Line(t, machine.Line{Writer: "containerd", Unit: "containerd.service",
		PID: 70, Text: `time="` + At(t).Format("2006-01-02T15:04:05.000000000Z07:00") + `" level=info ` + text})
}

// Kernel adds a line of the kernel.
func (s *Story) Kernel(t float64, text string) *Story {
	return s.Line(t, machine.Line{Writer: "kernel", Text: text})
}

// Killing adds the kubelet's line for the kill.
func (s *Story) Killing(t float64) *Story {
	return s.Kubelet(t, KillingLine(UID, "shop/web-0", OldID, 30))
}

// KillingLine returns the kubelet's line for a kill.
func KillingLine(uid, pod, id string, grace int) string {
	return fmt.Sprintf(
		`kuberuntime_container.go:779] "Killing container with a grace period" pod=%q podUID=%q containerName="app" containerID="containerd://%s" gracePeriod=%d`, pod, uid, id, grace)
}

// Stop adds the runtime's line for the stop request.
func (s *Story) Stop(t float64) *Story {
	return s.Runtime(t, `msg="StopContainer for \"`+OldID+`\" with timeout 30 (s)"`)
}

// LivenessText is the kubelet's message about a failed liveness probe.
const LivenessText = "Container app failed liveness probe, will be restarted"

// Decided adds the kubelet's line for its decision.
func (s *Story) Decided(t float64, message string) *Story {
	return s.Kubelet(t, DecidedLine("shop/web-0", OldID, message))
}

// DecidedLine returns that line for any pod and container.
func DecidedLine(pod, id, message string) string {
	return fmt.Sprintf(
		`kuberuntime_manager.go:1021] "Message for Container of pod" containerName="app" containerStatusID={"Type":"containerd","ID":"%s"} pod=%q containerMessage=%q`, id, pod, message)
}

// Probed gives the container a liveness probe, and lets it fail three times before t.
func (s *Story) Probed(t float64) *Story {
	s.Container["livenessProbe"] = Object{"httpGet": Object{"path": "/", "port": 8080},
		"periodSeconds": 10, "failureThreshold": 3}
	for _, before := range []float64{20, 10, 0} {
		s.Kubelet(t-before, `prober.go:107] "Probe failed" probeType="Liveness" pod="shop/web-0" podUID="`+
			UID+`" containerName="app" probeResult="failure" output="HTTP probe failed with statuscode: 503"`)
	}
	return s.Event(t, "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 503", nil)
}

// Liveness adds a whole liveness kill that begins at t: probes, decision, kill, stop request.
func (s *Story) Liveness(t float64) *Story {
	s.Probed(t).Decided(t+0.1, LivenessText).Killing(t + 0.2).Stop(t + 0.21)
	return s.Event(t+0.1, "Killing", LivenessText, nil).Is("liveness-probe-failed")
}

// Event adds an event about the container.
func (s *Story) Event(t float64, reason, message string, change func(Object)) *Story {
	e := Object{
		"kind": "Event", "apiVersion": "v1", "metadata": Object{"name": fmt.Sprint("web-0.", len(s.Events)),
			"namespace": "shop"}, "reason": reason, "message": message, "type": "Normal", "count": 1,
		"involvedObject": Object{"kind": "Pod", "namespace": "shop", "name": "web-0",
			"uid": UID, "fieldPath": "spec.containers{app}"},
		"source": Object{"component": "kubelet", "host": Node}, "firstTimestamp": Stamp(t), "lastTimestamp": Stamp(t),
	}
	if change != nil {
		change(e)
	}
	s.Events = append(s.Events, e)
	return s
}

// Limit gives the container a memory limit.
func (s *Story) Limit() *Story {
	s.Container["resources"] = Object{"limits": Object{"memory": "256Mi"}}
	return s
}

// OOM adds the kernel's report of a kill in the container's cgroup, with a table of tasks.
func (s *Story) OOM(t float64, constraint, memcg, task string, pid int, tasks ...string) *Story {
	s.Kernel(t, task+" invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999")
	if kilo := s.Full >> 10; kilo > 0 {
		s.Kernel(t, fmt.Sprintf("memory: usage %dkB, limit %dkB, failcnt 42", kilo, kilo))
	}
	if len(tasks) > 0 {
		s.Kernel(t, "Tasks state (memory values in pages):").Kernel(t,
			"[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name")
		for _, line := range tasks {
			s.Kernel(t, line)
		}
	}
	where := "oom_memcg=" + memcg
	if memcg == "" {
		where = "global_oom"
	}
	s.Kernel(t,
		fmt.Sprintf("oom-kill:constraint=%s,nodemask=(null),cpuset=%s,mems_allowed=0,%s,task_memcg=%s,task=%s,pid=%d,uid=0",
			constraint, OldID, where, Cgroup, task, pid))
	return s.Kernel(t,
		fmt.Sprintf(
			"Memory cgroup out of memory: Killed process %d (%s) total-vm:270000kB, anon-rss:262144kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:600kB oom_score_adj:999", pid, task))
}

// Cgroup is the container's cgroup.
const Cgroup = "/kubepods/burstable/pod" + UID + "/" + OldID

// Stamp returns a moment as API objects have it.
func Stamp(t float64) string { return At(t).Format(time.RFC3339) }
