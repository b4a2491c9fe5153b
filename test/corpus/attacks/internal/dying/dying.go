// Package dying has stories of processes that were dying before they were stopped, of kills that were outlived until
// someone asked again, of pods that their kubelet ended before, and of kills for memory that hit another process. They
// have the same form as those of package breaks.
package dying

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// All returns the stories by class.
func All() map[string][]breaks.Written {
	return map[string][]breaks.Written{"dying": dyingStories(), "again": againStories(), "victims": victimStories(),
		"ending": endingStories()}
}

// dyingStories are exits of a process that something else had ended before it was stopped: it takes its time to die,
// answers no probe meanwhile, and is stopped.
func dyingStories() []breaks.Written {
	stops := map[string]func(*story.Story, float64) *story.Story{
		"a liveness kill": func(s *story.Story, t float64) *story.Story { return s.Liveness(t) },
		"a stop by hand":  func(s *story.Story, t float64) *story.Story { return s.Stop(t) },
		"a changed image": func(s *story.Story, t float64) *story.Story {
			return s.Decided(t, "Container app definition changed, will be restarted").Killing(t+0.1).Stop(t+0.11).Event(t,
				"Killing", "Container app definition changed, will be restarted", nil)
		},
	}
	var out []breaks.Written
	for name, stop := range stops {
		// The kernel kills at once, but frees gigabytes, or waits for a disk.
		out = append(out, breaks.Variants("its memory limit, which it outlives by "+name+" %v s later",
			func(before float64) *story.Story {
				s := stop(story.Ended(70.35, 137, "Error").Limit(), 40)
				return s.OOM(40-before, "CONSTRAINT_MEMCG", story.Cgroup, "web", 4711, story.TaskRow(4711, "web")).Plainly(
					"oom-container-limit")
			}, 2.0, 15.0, 30.0)...)
		out = append(out, breaks.Variants("its memory limit, by a kernel that names no table, and "+name+" %v s later",
			func(before float64) *story.Story {
				s := stop(story.Ended(70.35, 137, "Error").Limit(), 40)
				s.OOM(40-before, "CONSTRAINT_MEMCG", story.Cgroup, "web", 4711).Is("oom-container-limit")
				return s.Without(story.Has("pid:4711"))
			}, 2.0, 30.0)...)
		out = append(out, breaks.Variants("the node's memory, by a kernel that names no cgroup, and "+name+" %v s later",
			func(before float64) *story.Story {
				t := 40 - before
				s := stop(story.Ended(70.35, 137, "Error"), 40)
				s.Kernel(t, "web invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999")
				s.Kernel(t, "Out of memory: Kill process 4711 (web) score 1200 or sacrifice child")
				return s.Kernel(t, "Killed process 4711 (web) total-vm:270000kB, anon-rss:262144kB, file-rss:0kB, "+
					"shmem-rss:0kB").Is("oom-node")
			}, 8.0, 30.0)...)
		out = append(out, breaks.Variants("a fault, whose core is written until "+name+" %v s later",
			func(before float64) *story.Story {
				s := stop(story.Ended(42.5, 139, "Error"), 40)
				return s.Kernel(40-before, "web[4711]: segfault at 0 ip 0000000000401136 sp 00007ffc5d error 4 in "+
					"web[401000+1000]").Is("app-signal")
			}, 2.0, 15.0, 30.0)...)
		out = append(out, breaks.Variants("a core that is written until "+name+", of which the kernel says nothing, and code %d",
			func(code int) *story.Story {
				return stop(story.Ended(42.5, code, "Error"), 40).Is("app-signal")
			}, 134, 135, 139)...)
		// Asked to end, a server closes its port first.
		out = append(out, breaks.Variants("earlyoom's SIGTERM, and "+name+" %v s later", func(before float64) *story.Story {
			return stop(story.Ended(42.5, 143, "Error"), 40).Line(40-before, machine.Line{Writer: "earlyoom",
				Unit: "earlyoom.service", PID: 60, Text: fmt.Sprintf(
					`sending SIGTERM to process %d uid 0 "web": oom_score 1300, VmRSS 900 MiB`, 4711)}).Is("oom-node")
		}, 13.0, 20.0, 30.0)...)
	}
	// The container's memory is full, and what the probe runs in it is killed each time.
	return append(out, breaks.Variants("an exec probe whose command the kernel kills for memory, and code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Limit().Liveness(40).Is(story.Undecided)
			s.Container["livenessProbe"] = story.Object{"exec": story.Object{"command": []any{"probe"}},
				"periodSeconds": 10, "failureThreshold": 3}
			for i, t := range []float64{20, 30, 40} {
				s.OOM(t-0.05, "CONSTRAINT_MEMCG", story.Cgroup, "probe", 4790+i, story.TaskRow(4711, "web"),
					story.TaskRow(4790+i, "probe"))
			}
			return s
		}, 143, 1, 0)...)
}

// againStories are exits of a container that outlived the kubelet's SIGTERM, and ended when it was asked once more.
func againStories() []breaks.Written {
	patient := func(code int) *story.Story {
		s := story.Ended(101, code, "Error")
		s.Spec["terminationGracePeriodSeconds"] = 600
		s.Probed(40).Decided(40.1, story.LivenessText)
		s.Kubelet(40.2, story.KillingLine(story.UID, "shop/web-0", story.OldID, 600))
		s.Runtime(40.21, `msg="StopContainer for \"`+story.OldID+`\" with timeout 600 (s)"`)
		return s.Event(40.1, "Killing", story.LivenessText, nil)
	}
	out := breaks.Variants("a liveness kill with a long grace period, and a stop by hand a minute later, code %d",
		func(code int) *story.Story { return patient(code).Stop(100.5) }, 0, 1, 143)
	out = append(out, breaks.Variants("a liveness kill with a long grace period, and a deletion a minute later, code %d",
		func(code int) *story.Story {
			return patient(code).Deleted(100.5).Last(func(pod story.Object) {
				m := pod["metadata"].(story.Object)
				m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(130.5), 30
			})
		}, 0, 1, 143)...)
	out = append(out, breaks.Variants("a liveness kill with a long grace period, and a stop of the sandbox a minute later, code %d",
		func(code int) *story.Story {
			return patient(code).Runtime(100.5, `msg="StopPodSandbox for \"`+story.SandboxID+`\""`)
		}, 0, 1, 143)...)
	out = append(out, breaks.Variants("a liveness kill with a long grace period, and a shell in it a minute later, code %d",
		func(code int) *story.Story { return patient(code).Session(100.5, "[kill 1]") }, 0, 1, 143)...)
	return append(out, breaks.Variants("a liveness kill with a long grace period that the kubelet repeats, code %d",
		func(code int) *story.Story {
			s := patient(code).Decided(100, story.LivenessText).Kubelet(100.1, story.KillingLine(story.UID, "shop/web-0",
				story.OldID, 600))
			return s.Runtime(100.11, `msg="StopContainer for \"`+story.OldID+`\" with timeout 600 (s)"`).Plainly(
				"liveness-probe-failed")
		}, 0, 1, 143)...)
}
