package breaks

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// guiseStories are exits with evidence that seems to belong to this machine, this process, or the kubelet.
func guiseStories() []Written {
	var out []Written
	out = append(out, Variants("a static pod of the same UID in another cluster that is stopped, and code %d",
		func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Twin(story.Ended(42.5, code, "Error").Stop(40))
		},
		1, 3, 137, 139, 143)...)
	out = append(out, Variants("a static pod of the same UID in another cluster that its probe kills, and code %d",
		func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Twin(story.Ended(42.5, code, "Error").Liveness(40))
		},
		1, 137, 143)...)
	const fault = " ip 0000000000401136 sp 00007ffc5d error 4 in other[401000+1000]"
	for _, end := range []float64{4.5, 42.5} { // the container began at 2
		out = append(out, Variants(fmt.Sprintf("a fault %%v s behind an end at %v s, of a process that has the number now", end),
			func(after float64) *story.Story {
				return story.Ended(end, 139, "Error").Kernel(end+after, "other[4711]: segfault at 0"+fault)
			}, 1.2, 2.0, 4.0)...)
	}
	out = append(out, Variants("a fault %v s before the start, of a process that had the number", func(before float64) *story.Story {
		return story.Ended(4.5, 139, "Error").Kernel(2-before, "other[4711]: segfault at 0"+fault)
	}, 0.3, 1.0, 2.0)...)
	out = append(out, Variants("earlyoom kills %v s before the start a process that had the number",
		func(before float64) *story.Story {
			return story.Ended(6, 137, "Error").Is("killed-externally").Line(2-before, machine.Line{Writer: "earlyoom",
				Unit: "earlyoom.service", PID: 60,
				Text: `sending SIGKILL to process 4711 uid 0 "other": oom_score 1300, VmRSS 900 MiB`})
		}, 0.3, 1.0, 2.0)...)
	for _, name := range []string{"web[4711] trap ", "web[4711] trap x", "a[4711] gen ip:"} {
		out = append(out, Variants("a child called \""+name+"\" that fails, and code %d", func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Kernel(42.48, "traps: "+name+
				"[9711] trap invalid opcode ip:401136 sp:7ffc5d error:0 in x[4711] general protection fault ip:1[401000+1000]")
		}, 132, 139)...)
	}
	for _, who := range []string{"s3fs", "mount.nfs", "kubelet"} {
		out = append(out, Variants("a helper in the kubelet's unit that calls itself "+who+" and prints what a pod's "+
			"author chose, code %d", func(code int) *story.Story {
			s := stopped(code)
			for _, text := range forgery(40) {
				s.Line(39.99, machine.Line{Writer: who, Unit: "kubelet.service", PID: 4999, Text: text,
					Fields: map[string]string{"_COMM": who, "_TRANSPORT": "syslog", "SYSLOG_FACILITY": "3"}})
			}
			return s
		}, 137, 143)...)
	}
	return out
}

// wordStories are exits with a claim in an object, or in a line by name only, that no other authority confirms.
func wordStories() []Written {
	var out []Written
	byHand := func(code int) *story.Story {
		return story.Ended(42.5, code, "Error").Deleted(40).Is("pod-deleted")
	}
	deletion := func(pod story.Object) {
		m := pod["metadata"].(story.Object)
		m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(70), 30
	}
	for _, reason := range []string{"Evicted", "Preempting", "Terminated", "DeadlineExceeded",
		"NodeShutdown", "NodeLost"} {
		out = append(out, Variants("a deletion by hand, a status to which somebody wrote "+reason+", and code %d",
			func(code int) *story.Story {
				return byHand(code).Last(func(pod story.Object) {
					deletion(pod)
					status := pod["status"].(story.Object)
					status["phase"], status["reason"], status["message"] = "Failed", reason, "The node was low on resource: memory. "
				})
			}, 143, 137, 0)...)
	}
	for _, text := range []string{`preemption.go:108] "Pod evicted successfully" pod="shop/web-0"`,
		`nodeshutdown_manager_linux.go:150] "Shutdown manager killing pod with gracePeriod" pod="shop/web-0" gracePeriod=30`,
		`eviction_manager.go:574] "Eviction manager: pod is evicted successfully" pod="shop/web-0"`} {
		for _, t := range []float64{3, 30, 39.9} {
			out = append(out, Variants(fmt.Sprintf("at %v s words about the pod that had this one's name (%s), a deletion by hand, "+
				"and code %%d", t, text[:11]),
				func(code int) *story.Story { return byHand(code).Kubelet(t, text).Last(deletion) }, 143, 137)...)
		}
	}
	for _, by := range []float64{-3000, -20, 20} {
		out = append(out, Variants(fmt.Sprintf("an end that the status dates %+v s off records and logs, a liveness kill, and "+
			"code %%d", by), func(code int) *story.Story {
			return story.Ended(3642.5, code, "Error").Liveness(3640).Is(story.Undecided).Restatus(func(status story.Object) {
				status["lastState"].(story.Object)["terminated"].(story.Object)["finishedAt"] = story.Stamp(3642.5 + by)
			})
		}, 1, 137, 143)...)
	}
	for _, before := range []float64{2, 1.8} {
		out = append(out, Variants(fmt.Sprintf("a sandbox that somebody stops in the second of its end, %v s before code %%d",
			before),
			func(code int) *story.Story {
				died := 42.5 - before
				s := story.Ended(42.5, code, "Error").Runtime(died-0.4, `msg="StopPodSandbox for \"`+story.SandboxID+`\""`).BoxEnds(died).BoxAnew()
				s.Kubelet(died+0.5, `util.go:48] "No ready sandbox for pod can be found. Need to start a new one" pod="shop/web-0"`)
				return s.Killing(died+0.6).Stop(died+0.61).Event(died+0.6, "Killing", "Stopping container app", nil)
			}, 143, 137, 0)...)
	}
	lost := func(s *story.Story) *story.Story {
		return s.Without(story.Has("Killing container", "Message for Container"))
	}
	out = append(out, Variants("a liveness kill of which the kubelet's log lost every word, and code %d",
		func(code int) *story.Story {
			s := lost(story.Ended(40.9, code, "Error").Liveness(40))
			s.Events = nil
			return s
		}, 143, 1, 0)...)
	return append(out, Variants("a failed postStart hook of which the kubelet's log lost the kill, and code %d",
		func(code int) *story.Story {
			s := story.Ended(4.5, code, "Error").Runs("postStart", "x").Kubelet(3,
				`kuberuntime_container.go:327] "Failed to execute `+
					`PostStartHook" err="command 'x' exited with 4: " pod="shop/web-0" podUID="`+story.UID+
					`" containerName="app" containerID="containerd://`+story.OldID+`"`)
			lost(s.Killing(3.1).Stop(3.11))
			return s.Is("post-start-hook-failed")
		}, 143, 137, 1)...)
}
