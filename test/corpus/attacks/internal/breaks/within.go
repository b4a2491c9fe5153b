package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// withinStories are exits by a command in the spec that the kubelet runs in the container.
func withinStories() []Written {
	var out []Written
	for _, where := range []string{"livenessProbe", "readinessProbe", "startupProbe", "postStart"} {
		for _, command := range [][]any{{"kill", "1"}, {"nginx", "-s", "stop"}, {"sh", "-c", "check || kill -INT 1"}} {
			out = append(out, Variants(fmt.Sprint("a ", where, " that runs ", command, ", and code %d"),
				func(code int) *story.Story {
					return story.Ended(42.5, code, "Error").Runs(where, command...)
				}, 0, 1, 3, 143)...)
		}
		out = append(out, Variants("a "+where+" that runs kill -SEGV 1, and code %d", func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Runs(where, "kill", "-SEGV", "1").Kernel(42.48,
				fmt.Sprintf("web[4711]: segfault at 0 ip 0000000000401136 sp 00007ffc5d error %d in web[401000+1000]", code))
		}, 139)...)
	}
	out = append(out, Variants("a readiness probe of a sidecar whose command is a script, and code %d",
		func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Sidecar().Runs("readinessProbe", "/check.sh")
		}, 0, 1, 3)...)
	return append(out, Variants("a postStart hook that fails because the process ended of itself with %d",
		func(code int) *story.Story {
			s := story.Ended(3.5, code, "Error").Runs("postStart", "/warm-up.sh")
			s.Kubelet(
				3.6,
				`handlers.go:78] "Exec lifecycle hook for Container in Pod failed" err="command '/warm-up.sh' exited `+
					`with 137: " execCommand=["/warm-up.sh"] containerName="app" pod="shop/web-0" message=""`,
			)
			s.Event(3, "FailedPostStartHook", "PostStartHook failed", nil).Event(3, "Killing", "FailedPostStartHook", nil)
			return s.Killing(3.61).Stop(3.62)
		}, 0, 1, 134, 139, 143)...)
}

// numberStories have process ids from two kernels, or two namespaces of one, that are equal by chance.
func numberStories() []Written {
	var out []Written
	kind := "/docker/9c0e1f/kubelet/kubepods/burstable/pod" + story.UID + "/" + story.OldID
	slice := "/system.slice/docker-9c0e1f.scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/" +
		"kubelet-kubepods-burstable-pod" + strings.ReplaceAll(story.UID, "-", "_") + ".slice/cri-containerd-" +
		story.OldID + ".scope"
	// The runtime's 4711 is the container's; the kernel's is another process of the host.
	for name, group := range map[string]string{"cgroupfs": kind, "systemd": slice} {
		out = append(
			out,
			Variants("a child in a kind node ("+name+") whose number outside is the container's inside, killed for "+
				"memory %v s before a SIGKILL from the node", func(before float64) *story.Story {
				s := story.Ended(42.5, 137, "OOMKilled").Limit()
				s.OOM(42.5-before, "CONSTRAINT_MEMCG", group, "worker", 4711, story.TaskRow(4600, "web"),
					story.TaskRow(4711, "worker"))
				s.Each(func(_ *machine.Log, l *machine.Line) {
					l.Text = strings.Replace(l.Text, "task_memcg="+story.Cgroup, "task_memcg="+group, 1)
				})
				return s.TaskOOM(42.5 - before + 0.03).Is("killed-externally")
			}, 0.1, 1.0, 1.9)...)
		out = append(
			out,
			Variants("a fault in a kind node ("+name+") of the number outside that is the container's inside, and a "+
				"process that returns %d", func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is("app-exit-error").Kernel(42.48,
					"other[4711]: segfault at 0 ip 0000000000401136 sp 00007ffc5d error 4 in other[401000+1000]")
				other := strings.NewReplacer(story.UID, story.FormerUID, strings.ReplaceAll(story.UID, "-", "_"),
					strings.ReplaceAll(story.FormerUID, "-", "_"),
					story.OldID, story.SecondSandboxID).
					Replace(group)
				return s.Kernel(10, "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg="+other+
					",task_memcg="+other+",task=x,pid=7,uid=0")
			}, 139)...)
	}
	for _, class := range []string{"kata-qemu", "gvisor", "runsc", "firecracker"} {
		out = append(out, Variants("a fault of %s outside a pod with a kernel of its own ("+class+"), and code 139",
			func(task string) *story.Story {
				s := story.Ended(42.5, 139, "Error")
				s.Spec["runtimeClassName"] = class
				return s.Kernel(42.48, task+"[4711]: segfault at 0 ip 0000000000401136 sp 00007ffc5d error 4 in x[401000+1000]")
			}, "web", "qemu-system-x86")...)
		out = append(out, Variants("the sandbox of a pod with a kernel of its own ("+class+") is killed for memory, code %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Limit()
				s.Spec["runtimeClassName"] = class
				return s.OOM(42.45, "CONSTRAINT_MEMCG", story.Cgroup, "worker", 4711, story.TaskRow(4711, "worker"))
			}, 1, 137)...)
	}
	out = append(
		out,
		Variants("earlyoom in another namespace of processes names the number %d, and a SIGKILL from the node",
			func(pid int) *story.Story {
				s := story.Ended(42.5, 137, "Error").Is("killed-externally").Kernel(10,
					"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg="+kind[:22]+
						"kubelet/kubepods/podx,task_memcg="+kind[:22]+"kubelet/kubepods/podx,task=x,pid=7,uid=0")
				return s.Line(42.3, machine.Line{Writer: "earlyoom", Unit: "earlyoom.service", PID: 60, Text: fmt.Sprintf(
					`sending SIGKILL to process %d uid 0 "other": oom_score 1300, VmRSS 900 MiB`, pid)})
			}, 4711)...)
	return append(
		out,
		Variants("a child whose number is lower because the counter began anew, killed %v s before a SIGKILL",
			func(before float64) *story.Story {
				s := story.Ended(42.5, 137, "OOMKilled").Limit()
				s.OOM(42.5-before, "CONSTRAINT_MEMCG", story.Cgroup, "worker", 312, story.TaskRow(312, "worker"),
					story.TaskRow(4711, "web"))
				s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, " pid:4711 ", " ", 1) })
				return s.TaskOOM(42.5 - before + 0.03).Is("killed-externally")
			}, 0.1, 1.0)...)
}

// startStories have an instance that ran according to one source and never ran according to another.
func startStories() []Written {
	var out []Written
	failed := func(s *story.Story) *story.Story {
		s.Without(func(l *machine.Line) bool {
			return strings.Contains(l.Text, story.OldID) && strings.Contains(l.Text, "returns successfully")
		})
		return s.Runtime(
			2,
			`msg="StartContainer for \"`+story.OldID+`\" failed" error="failed to create containerd task: failed to `+
				`create shim task: OCI runtime create failed: runc create failed: exec: \"web\": executable file not found in $PATH"`,
		)
	}
	for _, reason := range []string{"StartError", "RunContainerError", "ContainerCannotRun"} {
		out = append(out, Variants("an API that says "+reason+" of what ran in the logs, and code %d",
			func(code int) *story.Story { return story.Ended(42.5, code, reason) }, 128, 1, 127)...)
		out = append(out, Variants("an API that says "+reason+" of what the kubelet killed, and code %d",
			func(code int) *story.Story { return story.Ended(42.5, code, reason).Liveness(40).Is(story.Undecided) }, 128,
			137)...)
		out = append(out, Variants("an API that says "+reason+" of what its kubelet saw run alone, and code %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, reason)
				s.Records = false
				return s.Without(func(l *machine.Line) bool { return l.Writer == "containerd" })
			}, 128, 1)...)
		out = append(out, Variants("an API that says "+reason+" beside an event that it was started, and code %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, reason).APIOnly()
				return s.Event(2, "Started", "Started container app", nil)
			}, 128, 1)...)
	}
	out = append(out, Variants("a runtime that says that it did not start, and an API that says it ended with %d",
		func(code int) *story.Story { return failed(story.Ended(42.5, code, "Error")) }, 1, 3, 139, 143, 0)...)
	return append(out, Variants("a kubelet that says that it did not start, and an API that says it ended with %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error")
			return s.Kubelet(2.1, `pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \"StartContainer\" for \"app\" `+
				`with RunContainerError: \"failed to create containerd task: exec: web: not found\"" pod="shop/web-0" podUID="`+story.UID+
				`"`).
				Event(2, "Failed", "Error: failed to create containerd task: exec: web: not found", nil)
		}, 1, 3, 139)...)
}
