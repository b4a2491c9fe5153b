package story

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// Stalled delays what is written to the journal from a moment on by some seconds.
func (s *Story) Stalled(from, seconds float64) *Story {
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == "kernel" {
			return
		}
		if late := At(from + seconds).Sub(l.True); late > 0 && !l.True.Before(At(from)) {
			l.Late = late
		}
	})
	return s
}

// Rebooted makes the node boot at a time, with the next instance after that.
func (s *Story) Rebooted(from float64) *Story {
	s.Boots = append(s.Boots, "cc35731d488a498ba6eb103ff6db4acc")
	s.Records, s.next = false, from+21
	for _, log := range s.Logs {
		for i := range log.Lines {
			if l := &log.Lines[i]; strings.Contains(l.Text, NewID) {
				l.True = l.True.Add(At(from + 20).Sub(At(s.End + 2)))
			}
		}
	}
	s.Kernel(from, "Linux version 6.1.0")
	s.Runtime(from+5, `msg="starting containerd" revision=x version="1.7.2"`).Runtime(from+5.1,
		`msg="containerd successfully booted in 0.091s"`)
	s.Kubelet(from+8, `flags.go:64] FLAG: --v="2"`).Kubelet(from+8.01, `server.go:491] "Kubelet version" kubeletVersion="`+
		s.Version+`"`)
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if !l.True.Before(At(from)) {
			l.Boot = 1
		}
	})
	return s
}

// Evil adds such a pod, in a namespace of its author.
func (s *Story) Evil(namespace string, annotations Object) *Story {
	s.Cluster = append(s.Cluster, Object{"kind": "Pod", "apiVersion": "v1",
		"metadata": Object{"name": "web-0", "namespace": namespace, "uid": EvilUID, "creationTimestamp": Stamp(0),
			"annotations": annotations},
		"spec": Object{"nodeName": Node, "restartPolicy": "Always", "containers": []any{Object{"name": "app", "image": "x",
			"livenessProbe": Object{"httpGet": Object{"path": "/", "port": 80}, "periodSeconds": 10, "failureThreshold": 1}}}},
		"status": Object{"phase": "Running", "containerStatuses": []any{Object{"name": "app", "restartCount": 0,
			"ready": true, "containerID": "containerd://" + strings.Repeat("e7", 32),
			"state": Object{"running": Object{"startedAt": Stamp(2)}}}}}})
	return s
}

// ElsewhereEvent adds an event in the author's own namespace that has another pod's UID.
func (s *Story) ElsewhereEvent(t float64, reason, message string) *Story {
	return s.Event(t, reason, message, func(e Object) {
		e["metadata"].(Object)["namespace"] = "evil"
		e["involvedObject"].(Object)["namespace"] = "evil"
	})
}

// APIOnly removes everything except what the API server has.
func (s *Story) APIOnly() *Story {
	s.Logs, s.Forms, s.Records = nil, []machine.Form{machine.Text}, false
	return s
}

// NodeEvent adds an event about the node, which anyone may write who may write events in the namespace default.
func (s *Story) NodeEvent(t float64, reason, message string) *Story {
	return s.Event(t, reason, message, func(e Object) {
		e["metadata"].(Object)["namespace"] = "default"
		e["involvedObject"] = Object{"kind": "Node", "name": Node, "uid": Node}
	})
}

// Printed adds lines that the kubelet itself wrote, whoever chose their text.
func (s *Story) Printed(t float64, fields map[string]string, lines ...string) *Story {
	for i, text := range lines {
		s.Line(t+float64(i)/1e5, machine.Line{Writer: "kubelet", Unit: "kubelet.service",
			PID: 80, Text: text, Fields: fields})
	}
	return s
}

// Stranger adds a line in the journal that a process of a pod wrote, under a name that it chose.
func (s *Story) Stranger(t float64, ident, text string, fields map[string]string) *Story {
	f := map[string]string{"_SYSTEMD_UNIT": "", "_SYSTEMD_SLICE": "",
		"_SYSTEMD_CGROUP": "/kubepods/besteffort/pod99991111-0b8e-4a57-9f0a-5e2c1b9d0001/" + strings.Repeat("e", 64),
		"_TRANSPORT":      "syslog", "_COMM": "logger", "SYSLOG_FACILITY": "1"}
	for k, v := range fields {
		f[k] = v
	}
	return s.Line(t, machine.Line{Writer: ident, PID: 4999, Text: text, Fields: f})
}

// Kmsg adds a line that a process wrote to /dev/kmsg: with the kernel's transport, but not its facility. In a text log
// nothing distinguishes it from the kernel's.
func (s *Story) Kmsg(t float64, lines ...string) *Story {
	for _, text := range lines {
		s.Line(t, machine.Line{Writer: "kernel", Text: text, Fields: map[string]string{"SYSLOG_FACILITY": "1"}})
	}
	return s
}

// Restatus changes the container's status in the API.
func (s *Story) Restatus(change func(status Object)) *Story {
	status := Object{"name": "app", "restartCount": 1, "ready": true, "containerID": "containerd://" + NewID,
		"state": Object{"running": Object{"startedAt": Stamp(s.End + 3)}}, "lastState": Object{"terminated": Object{
			"exitCode": s.code, "reason": s.Reason, "containerID": "containerd://" + OldID, "startedAt": Stamp(2),
			"finishedAt": Stamp(s.End)}}}
	change(status)
	s.Files["cluster/pods.json"] = string(List([]any{Object{"kind": "Pod", "apiVersion": "v1", "metadata": s.Meta,
		"spec": s.Spec, "status": Object{"phase": "Running", "containerStatuses": []any{status}}}}))
	return s
}

// SetImage records that someone changed the image in the spec.
func (s *Story) SetImage(t float64) *Story {
	s.Meta["creationTimestamp"] = Stamp(-1000)
	s.Meta["managedFields"] = []any{Object{"manager": "kubectl-set", "operation": "Update", "apiVersion": "v1",
		"time": Stamp(t), "fieldsType": "FieldsV1", "fieldsV1": Object{"f:spec": Object{"f:containers": Object{
			`k:{"name":"app"}`: Object{"f:image": Object{}}}}}}}
	return s
}

// Twin makes the story's pod a static one, and uses the logs of a node of another cluster with the same name and the
// same manifest: the pod there has the same UID.
func (s *Story) Twin(other *Story) *Story {
	s.Foreign = other.Machine.Clone()
	s.Foreign.ID, s.Foreign.Boots = "11d4c6115937648fb1ac4b72adadc911", []string{"bb35731d488a498ba6eb103ff6db4abb"}
	names := strings.NewReplacer(OldID, OtherID, NewID, strings.Repeat("cd", 32), SandboxID, strings.Repeat("ef", 32))
	s.Foreign.Each(func(_ *machine.Log, l *machine.Line) { l.Text = names.Replace(l.Text) })
	s.Records = false
	s.Meta["annotations"] = Object{"kubernetes.io/config.source": "file", "kubernetes.io/config.mirror": UID,
		"kubernetes.io/config.hash": UID}
	s.Meta["uid"] = FormerUID
	return s
}

// Session adds a shell in the container, as containerd logs it (instrumented_service.go Exec).
func (s *Story) Session(t float64, command string) *Story {
	return s.Runtime(t, `msg="Exec for \"`+OldID+`\" with command `+command+`, tty true and stdin true"`).Runtime(t+0.01,
		`msg="Exec for \"`+OldID+`\" returns URL \"http://127.0.0.1:33333/exec/Xk2l\""`)
}

// ExecEnds adds containerd's line for the exit of a process that exec started: the container's id, and its own id.
func (s *Story) ExecEnds(t float64, code int) *Story {
	return s.Runtime(t, fmt.Sprintf(`msg="TaskExit event in podsandbox handler container_id:\"%s\" id:\"%s\" pid:4790 `+
		`exit_status:%d exited_at:{seconds:%d}"`, OldID, "4f"+OldID[2:], code, At(t).Unix()))
}

// TaskOOM adds the runtime's line for an OOM kill.
func (s *Story) TaskOOM(t float64) *Story {
	return s.Runtime(t, `msg="TaskOOM event container_id:\"`+OldID+`\""`)
}

// Without removes lines.
func (s *Story) Without(lost func(*machine.Line) bool) *Story {
	s.Each(func(_ *machine.Log, l *machine.Line) { l.Lost = l.Lost || lost(l) })
	return s
}

// BoxAnew puts the second instance into another sandbox, which the kubelet creates because the first is not ready.
func (s *Story) BoxAnew() *Story {
	s.Records = false
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if strings.Contains(l.Text, NewID) {
			l.Text = strings.ReplaceAll(l.Text, SandboxID, SecondSandboxID)
		}
	})
	s.Runtime(s.End+2.5, `msg="RunPodSandbox for &PodSandboxMetadata{Name:web-0,Uid:`+
		UID+`,Namespace:shop,Attempt:1,} returns sandbox id \"`+SecondSandboxID+`\""`)
	s.Kubelet(s.End+0.9, `util.go:30] "No ready sandbox for pod can be found. Need to start a new one" pod="shop/web-0"`)
	return s.Event(s.End+0.9, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.", nil)
}

// BoxEnds adds the runtime's line that the sandbox's own process is gone.
func (s *Story) BoxEnds(t float64) *Story {
	return s.Runtime(t,
		fmt.Sprintf(
			`msg="TaskExit event in podsandbox handler container_id:\"%s\" id:\"%s\" pid:4700 exit_status:137 exited_at:{seconds:%d}"`,
			SandboxID, SandboxID, At(t).Unix()))
}

// StoppedUnit adds systemd's lines for a unit that someone stopped.
func (s *Story) StoppedUnit(t float64, unit, what string) *Story {
	for i, text := range []string{"Stopping " + unit + " - " + what + "...", "Stopped " + unit + " - " + what + "."} {
		s.Line(t+float64(i)*(s.End+0.1-t), machine.Line{Writer: "systemd", Unit: "init.scope", PID: 1, Text: text,
			Fields: map[string]string{"UNIT": unit}})
	}
	return s
}

// BreaksOff removes the runtime's log after a moment.
func (s *Story) BreaksOff(t float64) *Story {
	return s.Without(func(l *machine.Line) bool { return l.Writer == "containerd" && l.True.After(At(t)) })
}

// Kept reduces the logs to what someone's search finds, ignoring case.
func (s *Story) Kept(words ...string) *Story {
	return s.Without(func(l *machine.Line) bool {
		for _, w := range words {
			if strings.Contains(strings.ToLower(l.Text), w) {
				return false
			}
		}
		return true
	})
}

// Busy adds other failures on the node, in lines that a search finds.
func (s *Story) Busy() *Story {
	for i, t := range []float64{-30, 5, 39, 41, 55, 300} {
		s.Kubelet(t, fmt.Sprintf(`pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \"StartContainer\"" `+
			`pod="ops/other-%d" podUID="0e0e6a52-0b8e-4a57-9f0a-5e2c1b9d%04d"`, i, i))
		s.Kubelet(t+0.1, fmt.Sprintf(`prober.go:107] "Probe failed" probeType="Readiness" pod="ops/ready-%d" `+
			`podUID="0f0e6a52-0b8e-4a57-9f0a-5e2c1b9d%04d" containerName="x" probeResult="failure" output="x"`, i, i))
		s.Kubelet(t+0.2, `log.go:32] "ExecSync cmd from runtime service failed" err="rpc error: code = Unknown"`)
		s.Runtime(t+0.3, fmt.Sprintf(`msg="StopPodSandbox for \"%064d\" failed" error="failed to destroy network"`, i))
		s.Kernel(t, "EXT4-fs error (device sdb): x")
	}
	return s
}

// Last lets the container not run again, and changes its pod.
func (s *Story) Last(change func(pod Object)) *Story {
	s.Records = false
	for _, log := range s.Logs {
		log.Lines = slices.DeleteFunc(log.Lines, func(l machine.Line) bool { return strings.Contains(l.Text, NewID) })
	}
	status := Object{"name": "app", "restartCount": 0, "ready": false, "containerID": "containerd://" + OldID,
		"state": Object{"terminated": Object{"exitCode": s.code, "reason": s.Reason, "containerID": "containerd://" + OldID,
			"startedAt": Stamp(2), "finishedAt": Stamp(s.End)}}}
	pod := Object{"kind": "Pod", "apiVersion": "v1", "metadata": maps.Clone(s.Meta), "spec": s.Spec,
		"status": Object{"phase": "Running", "containerStatuses": []any{status}}}
	if change != nil {
		change(pod)
	}
	s.Files["cluster/pods.json"] = string(List(append([]any{pod}, s.Cluster...)))
	return s
}

// Deleted lets the pod's object be deleted.
func (s *Story) Deleted(t float64) *Story {
	s.Kubelet(t, `kubelet.go:2430] "SyncLoop DELETE" source="api" pods=["shop/web-0"]`).Killing(t + 0.01).Stop(t + 0.02)
	return s.Event(t+0.01, "Killing", "Stopping container app", nil)
}

func (s *Story) another(prefix string, lines ...string) *Story {
	s.Records = false
	log := s.Log("containerd")
	log.Lines = nil
	s.Each(func(_ *machine.Log, l *machine.Line) {
		l.Text = strings.ReplaceAll(l.Text, "containerd://", prefix+"://")
	})
	for i, text := range lines {
		t := []float64{-70, 1.9, 2, s.End + 0.02, s.End + 2.9, s.End + 3, 598}[min(i, 6)]
		s.Line(t, machine.Line{Writer: prefix, Unit: prefix + ".service", PID: 70,
			Text: `time="` + At(t).Format("2006-01-02T15:04:05.000000000Z07:00") + `" level=info ` + text})
	}
	return s
}

// Docker turns the node into one with Docker.
func (s *Story) Docker() *Story {
	return s.another("docker", `msg="Daemon has completed initialization"`, `msg="x"`, `msg="x"`,
		`msg="ignoring event" container=`+OldID+
			` module=libcontainerd namespace=moby topic=/tasks/delete type="*events.TaskDelete"`,
		`msg="y"`, `msg="y"`, `msg="z"`)
}

// CRIO turns the node into one with CRI-O.
func (s *Story) CRIO() *Story {
	return s.another("cri-o", `msg="Starting CRI-O, version: 1.30.4, git: x"`,
		`msg="Created container `+OldID+`: shop/web-0/app" id=1`,
		`msg="Started container" PID=4711 containerID=`+OldID+` description=shop/web-0/app id=1 sandboxID=`+SandboxID,
		`msg="y"`, `msg="Created container `+NewID+`: shop/web-0/app" id=2`,
		`msg="Started container" PID=4811 containerID=`+NewID+` description=shop/web-0/app id=2 sandboxID=`+SandboxID,
		`msg="z"`)
}

// Sidecar turns the container into a restartable init container next to another container that keeps running.
func (s *Story) Sidecar() *Story {
	s.Container["restartPolicy"] = "Always"
	s.Spec["initContainers"] = s.Spec["containers"]
	s.Spec["containers"] = []any{Object{"name": "main", "image": "registry.example/main:1"}}
	return s
}

// Born moves the creation of the pod, and of its sandbox, to a time.
func (s *Story) Born(t float64) *Story {
	s.Meta["creationTimestamp"] = Stamp(t)
	s.Records = false
	return s
}

// Configured adds the kubelet's line for an operation on the pod that came from the API.
func (s *Story) Configured(t float64, op string) *Story {
	return s.Kubelet(t, `kubelet.go:2430] "SyncLoop `+op+`" source="api" pods=["shop/web-0"]`)
}

// Runs gives the container a command that the kubelet itself runs in it: a probe, or a hook.
func (s *Story) Runs(where string, command ...any) *Story {
	exec := Object{"exec": Object{"command": command}}
	if strings.HasSuffix(where, "Probe") {
		exec["periodSeconds"], s.Container[where] = 5, exec
		return s
	}
	s.Container["lifecycle"] = Object{where: exec}
	return s
}

// SecondSandboxID is the sandbox that the kubelet creates when the first is gone.
const SecondSandboxID = "6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b"

// EvilUID is the UID of a pod whose author chooses what he can: names, annotations, commands, the objects of his
// events.
const EvilUID = "e7e76a52-0b8e-4a57-9f0a-5e2c1b9de7e7"

// FormerUID is the UID of an earlier pod with the same name.
const FormerUID = "6c6c6a52-0b8e-4a57-9f0a-5e2c1b9d6c6c"

// OtherUID and OtherID belong to another pod, with the same name or not.
const (
	OtherUID = "aaaa6a52-0b8e-4a57-9f0a-5e2c1b9daaaa"
	OtherID  = "abababababababababababababababababababababababababababababababab"
)
