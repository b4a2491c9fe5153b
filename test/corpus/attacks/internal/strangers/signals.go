package strangers

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// Sent returns the lines, each with its log, of somebody's signal to the container's process: of systemd, of the
// kernel's audit records by either way, of SysRq, of sudo and of an agent.
func Sent(id string, pid int) map[string]machine.Line {
	scope := "cri-containerd-" + id + ".scope"
	session := func(command string) machine.Line {
		return machine.Line{Writer: "sudo", Unit: "session-3.scope", PID: 900,
			Text: "ops : TTY=pts/0 ; PWD=/home/ops ; USER=root ; COMMAND=" + command}
	}
	return map[string]machine.Line{
		"systemctl kill": {Writer: "systemd", Unit: "init.scope", PID: 1, Fields: map[string]string{"UNIT": scope},
			Text: fmt.Sprintf("%s: Sent signal SIGTERM to process %d (web) on client request.", scope, pid)},
		"a service that systemd stops": {Writer: "systemd", Unit: "init.scope", PID: 1,
			Fields: map[string]string{"UNIT": "k3s.service"},
			Text:   fmt.Sprintf("k3s.service: Killing process %d (web) with signal SIGTERM.", pid)},
		"a kill that journald has from audit": {Writer: "audit", Fields: map[string]string{"_TRANSPORT": "audit",
			"SYSLOG_FACILITY": "32"}, Text: fmt.Sprintf(`OBJ_PID opid=%d oauid=-1 ouid=0 oses=-1 ocomm="web"`, pid)},
		"a kill that the kernel prints from audit": {Writer: "kernel", Text: fmt.Sprintf(
			`audit: type=1318 audit(1772359242.400:812): opid=%d oauid=4294967295 ouid=0 oses=4294967295 ocomm="web"`, pid)},
		"SysRq e": {Writer: "kernel", Text: "sysrq: Terminate All Tasks"},
		"SysRq i": {Writer: "kernel", Text: "sysrq: SysRq : Kill All Tasks"},
		"sudo":    session(fmt.Sprintf("/usr/bin/kill -15 %d", pid)),
		"nsenter": session(fmt.Sprintf("/usr/bin/nsenter -t %d -p -m kill 1", pid)),
		"ctr":     session("/usr/bin/ctr -n k8s.io task kill -s SIGTERM " + id),
		"an agent": {Writer: "nohang", Unit: "nohang.service", PID: 444,
			Text: fmt.Sprintf("Implementing a corrective action: Sending SIGTERM to the victim, pid %d (web)", pid)},
	}
}

// signalStories have a signal of which the node's logs tell, and no request to stop the container.
func signalStories() []breaks.Written {
	var out []breaks.Written
	for how, line := range Sent(story.OldID, 4711) {
		for _, before := range []float64{0.05, 3, 20, 36} {
			out = append(out, breaks.Variants(fmt.Sprintf("%s %v s before an end with %%d", how, before),
				func(code int) *story.Story { return story.Ended(42.5, code, "Error").Line(42.5-before, line) }, 1, 3, 137, 143)...)
		}
		out = append(out, breaks.Variants(how+" %v s before a liveness kill", func(before float64) *story.Story {
			s := story.Ended(41.5, 143, "Error").Liveness(40).Line(40.1-before, line).Is(story.Undecided)
			if how == "an agent" {
				s.Forms = machine.Forms[1:] // of a text only lines of known programs are read
			}
			return s
		}, 0.2, 4)...)
	}
	box := "cri-containerd-" + story.SandboxID + ".scope"
	out = append(out, breaks.Variants("systemd stops the sandbox's unit %v s before it dies", func(before float64) *story.Story {
		s := story.Ended(42.5, 143, "Error").BoxAnew().BoxEnds(41.1)
		s.Line(41.1-before, machine.Line{Writer: "systemd", Unit: "init.scope", PID: 1,
			Fields: map[string]string{"UNIT": box},
			Text:   "Stopping " + box + " - libcontainer container " + story.SandboxID + "..."})
		s.Kubelet(42, `kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"`+story.UID+
			`","Type":"ContainerDied","Data":"`+story.SandboxID+`"}`)
		s.Kubelet(42.01, `util.go:48] "No ready sandbox for pod can be found. Need to start a new one" pod="shop/web-0"`)
		return s.Killing(42.02).Stop(42.03).Event(42.02, "Killing", "Stopping container app", nil)
	}, 0.1, 2.0)...)
	for how, uri := range map[string]string{"exec": "/exec/shop/web-0/app?command=sh&input=1&tty=1",
		"exec with a UID": "/exec/shop/web-0/" + story.UID + "/app?command=sh", "run": "/run/shop/web-0/app?cmd=kill+1",
		"attach": "/attach/shop/web-0/app?input=1"} {
		for _, lasted := range []float64{0.4, 12} {
			out = append(out, breaks.Variants(fmt.Sprintf("the kubelet's server had a request for %s for %v s, and the end came with %%d",
				how, lasted), func(code int) *story.Story {
				return story.Ended(42.5, code, "Error").Kubelet(42.51, fmt.Sprintf(`httplog.go:132] "HTTP" verb="POST" URI=%q `+
					`latency="%vs" userAgent="kubectl/v1.30.1" audit-ID="" srcIP="10.0.0.1:5555" hijacked=true`, uri, lasted))
			}, 1, 3)...)
		}
	}
	debug := strings.Repeat("d", 64)
	return append(out, breaks.Variants("a debug container that the pod's object does not have, and an end with %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error")
			s.Runtime(30, `msg="CreateContainer within sandbox \"`+story.SandboxID+
				`\" for &ContainerMetadata{Name:debugger-1,Attempt:0,} returns container id \"`+debug+`\""`)
			s.Runtime(30.1, `msg="StartContainer for \"`+debug+`\" returns successfully"`)
			return s.Kubelet(30.7, `kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"`+
				story.UID+`","Type":"ContainerStarted","Data":"`+debug+`"}`)
		}, 1, 3)...)
}

// fullPodStories have a pod's cgroup that was full, of a single container with a limit, where others filled it.
func fullPodStories() []breaks.Written {
	told := func(change func(*story.Story), full int, pages string) func() *story.Story {
		return func() *story.Story {
			s := story.Ended(42.5, 137, "OOMKilled").Limit().Is("oom-pod-limit")
			change(s)
			s.Full = full << 20
			row := strings.Replace(story.TaskRow(4711, "web"), "65536", pages, 1)
			return s.OOM(42.4, "CONSTRAINT_MEMCG", "/kubepods/burstable/pod"+story.UID, "web", 4711, row).TaskOOM(42.43)
		}
	}
	setup := func(limit string) func(*story.Story) {
		return func(s *story.Story) {
			s.Spec["initContainers"] = []any{story.Object{"name": "setup", "image": "x",
				"resources": story.Object{"limits": story.Object{"memory": limit}}}}
		}
	}
	return []breaks.Written{
		{Name: "an ephemeral container", Story: told(func(s *story.Story) {
			s.Spec["ephemeralContainers"] = []any{story.Object{"name": "debugger-1", "image": "busybox"}}
		}, 256, "49152")},
		{Name: "the larger limit of an init container", Story: told(setup("1Gi"), 1024, "65536")},
		{Name: "the overhead of a runtime class", Story: told(func(s *story.Story) {
			s.Spec["overhead"], s.Spec["runtimeClassName"] = story.Object{"memory": "100Mi"}, "crun"
		}, 356, "65536")},
		{Name: "a volume in memory that an init container filled", Story: told(setup("256Mi"), 256, "16384")},
	}
}
