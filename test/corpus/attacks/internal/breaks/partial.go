package breaks

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

const startupText = "Container app failed startup probe, will be restarted"

// neverPassed returns a startup probe that never passed, under a kubelet that was restarted at 105 s and killed for it.
func neverPassed() *story.Story {
	s := story.Ended(142.5, 143, "Error")
	s.Container["startupProbe"] = story.Object{"exec": story.Object{"command": []any{"check"}}, "periodSeconds": 5,
		"failureThreshold": 3, "timeoutSeconds": 1}
	s.Kubelet(105, `flags.go:64] FLAG: --v="2"`).Kubelet(105.01, `server.go:491] "Kubelet version" kubeletVersion="`+
		s.Version+`"`)
	return s.Decided(140.1, startupText).Killing(140.2).Stop(140.21).Event(140.1, "Killing", startupText, nil).Is(
		"startup-probe-failed")
}

// poweredOff returns a machine that lost power and whose kernel log ends some time before that: containerd dates the
// exit to its own start, and the kubelet starts after it.
func poweredOff(before float64) *story.Story {
	s := story.Ended(42.5, 255, "Unknown").Is("node-reboot")
	s.Without(func(l *machine.Line) bool {
		return l.Writer == "kernel" && l.True.After(story.At(42-before)) && !strings.HasPrefix(l.Text, "Linux version") ||
			strings.Contains(l.Text, "TaskExit")
	})
	s.Runtime(42.4, `msg="starting containerd" revision=x version="1.7.2"`).Runtime(42.45,
		`msg="containerd successfully booted in 0.091s"`)
	for _, text := range []string{`flags.go:64] FLAG: --v="2"`, `server.go:491] "Kubelet version" kubeletVersion="x"`} {
		s.Line(42.9, machine.Line{Writer: "kubelet", Unit: "kubelet.service", PID: 81, Text: story.Klog(42.9, text)})
	}
	return s
}

// partialStories are exits whose decisive log lines are missing, cut, or in another form.
func partialStories() []Written {
	var out []Written
	out = append(out, Variants("a report of the out-of-memory killer of which only %q is left", func(line string) *story.Story {
		return story.Ended(42.5, 1, "Error").Limit().Kernel(42.4, line)
	}, "worker invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
		"oom_reaper: reaped process 4712 (worker), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB",
		"Tasks in "+story.Cgroup+" are going to be killed due to memory.oom.group set")...)
	out = append(out, Variants("earlyoom asks the process to end, and says %s", func(figures string) *story.Story {
		return story.Ended(42.5, 1, "Error").Line(42.3, machine.Line{Writer: "earlyoom", Unit: "earlyoom.service", PID: 60,
			Text: `sending SIGTERM to process 4711 uid 0 "web": ` + figures})
	}, "badness 1300, VmRSS 900 MiB", "oom_score 1300, VmRSS 900 MiB", "oom_score 1300, oom_score_adj 0, VmRSS 9 MiB")...)
	out = append(out, Variants("an exec that the runtime does not log, and code %d", func(code int) *story.Story {
		return story.Ended(42.5, code, "Error").ExecEnds(42.45, 137)
	}, 1, 3, 143)...)
	out = append(out, Variants("somebody attached to it, and code %d", func(code int) *story.Story {
		return story.Ended(42.5, code, "Error").Runtime(42.3, `msg="Attach for \"`+story.OldID+`\" with tty true and stdin true"`)
	}, 1, 2, 130)...)
	out = append(out, Variants("a pod with a kernel of its own (%s) whose memory ran out", func(class string) *story.Story {
		s := story.Ended(42.5, 1, "Error").Limit()
		s.Spec["runtimeClassName"] = class
		return s
	}, "kata-qemu-nvidia-gpu", "kata-qemu", "gvisor", "my-runc-in-a-vm")...)
	out = append(out, Variants("a kill for a changed definition in a log that was searched for %s", func(words string) *story.Story {
		s := story.Ended(41.5, 1, "Error").Busy().Decided(40.1, "Container app definition changed, will be restarted")
		return s.Killing(40.2).Stop(40.21).Kept(strings.Split(words, " ")...)
	}, "error fail exit died", "error fail exit died stop", "fail exit stop")...)
	out = append(out, Variants("a child's out-of-memory kill in a log that was searched for %s", func(words string) *story.Story {
		s := story.Ended(42.5, 1, "Error").Busy().Limit()
		s.OOM(42.4, "CONSTRAINT_MEMCG", story.Cgroup, "worker", 4712, story.TaskRow(4711, "web"),
			story.TaskRow(4712, "worker"))
		return s.Without(func(l *machine.Line) bool { return l.Writer == "kernel" && !strings.Contains(l.Text, words) })
	}, "error", "EXT4-fs")...)
	out = append(out, Variants("a startup probe that could not be run every %v s until the kubelet was restarted",
		func(period float64) *story.Story {
			s := neverPassed()
			for t := 3.0; t < 100; t += period {
				s.Kubelet(t, `prober.go:104] "Probe errored" err="rpc error: code = Unknown desc = failed to exec in container" `+
					`probeType="Startup" pod="shop/web-0" podUID="`+story.UID+`" containerName="app"`)
			}
			return s
		}, 5.0, 20.0)...)
	out = append(out, Variants("a boot behind a kernel's log that ends %v s before it", poweredOff, 2.0, 20.0, 110.0)...)
	return append(out, Variants("a kubelet that is restarted every %v s, before a startup probe could fail often enough",
		func(period float64) *story.Story {
			s := neverPassed()
			for t := 8.0; t < 100; t += period {
				s.Kubelet(t, `server.go:491] "Kubelet version" kubeletVersion="`+s.Version+`"`)
			}
			return s
		}, 9.0, 12.0)...)
}
