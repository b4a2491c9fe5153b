package looks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// startsAnew adds the lines and the event of a kubelet that starts.
func startsAnew(s *story.Story, t float64) *story.Story {
	s.Kubelet(t, `flags.go:64] FLAG: --v="2"`).Kubelet(t+0.01, `server.go:491] "Kubelet version" kubeletVersion="`+
		s.Version+`"`)
	return s.NodeEvent(t, "Starting", "Starting kubelet.")
}

// toldStories are exits beside what is told late, again, or not at all, and kills of which nothing tells the victim.
func toldStories() []breaks.Written {
	var out []breaks.Written
	for _, api := range []bool{false, true} {
		alone := func(s *story.Story) *story.Story {
			if api {
				return s.APIOnly()
			}
			return s
		}
		out = append(out, breaks.Variants(fmt.Sprintf("old kills for memory, of which a kubelet tells when it starts at "+
			"%%v s, by the API alone: %v", api), func(t float64) *story.Story {
			s := startsAnew(story.Ended(42.5, 137, "Error").Plainly("killed-externally"), t-0.5)
			return alone(s.NodeEvent(t, "SystemOOM", "System OOM encountered, victim process: java, pid: 99").
				NodeEvent(t, "SystemOOM", "System OOM encountered, victim process: java, pid: 104"))
		}, 39, 42, 44)...)
		// The API server hears of a boot when the kubelet reaches it: perhaps behind its first containers.
		out = append(out, breaks.Variants(fmt.Sprintf("an event of the last boot, told at %%v s, behind its first container "+
			"and before one is lost, by the API alone: %v", api), func(t float64) *story.Story {
			s := story.Ended(42.5, 255, "Unknown")
			s.Records = false
			s.Without(func(l *machine.Line) bool { return l.Writer == "containerd" })
			return alone(s.NodeEvent(t, "Rebooted",
				"Node n1 has been rebooted, boot id: 3e35731d-488a-498b-a6eb-103ff6db4a36"))
		}, 20, 41)...)
	}
	out = append(out, breaks.Variants("a machine that powers off right before, and nothing behind it, code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Line(41.9, machine.Line{Writer: "systemd-logind",
				Unit: "systemd-logind.service", PID: 500, Text: "System is powering down."}).Last(nil)
			return s.Without(func(l *machine.Line) bool { return l.True.After(story.At(45)) })
		}, 1, 3)...)
	out = append(out, breaks.Variants("hardware memory that failed under a child %v s before, and exit code 1",
		func(before float64) *story.Story {
			return story.Ended(42.5, 1, "Error").Kernel(42.5-before,
				"Memory failure: 0x1a2b3c: Sending SIGBUS to worker:4790 due to hardware memory corruption")
		}, 1, 20)...)
	out = append(out, breaks.Variants("a child that earlyoom kills at %v s, and an exit with 1 behind it",
		func(t float64) *story.Story {
			return story.Ended(42.5, 1, "Error").Line(t, machine.Line{Writer: "earlyoom", Unit: "earlyoom.service",
				PID: 60, Text: `sending SIGKILL to process 4790 uid 0 "worker": oom_score 1300, VmRSS 250 MiB`})
		}, 12, 29)...)
	out = append(out, breaks.Variants("a child that a kernel kills for the node at %v s, and an exit with 1 behind it",
		func(t float64) *story.Story {
			return story.Ended(42.5, 1, "Error").Kernel(t, "Out of memory: Kill process 4790 (worker) score 999 or "+
				"sacrifice child").Kernel(t, "Killed process 4790 (worker) total-vm:270000kB, anon-rss:262144kB, file-rss:0kB")
		}, 12, 36)...)
	out = append(out, breaks.Variants("a deletion while the kubelet was down, and code %d", func(code int) *story.Story {
		end := 43.0
		if code == 137 {
			end = 72.3
		}
		s := startsAnew(story.Ended(end, code, "Error").Plainly("pod-deleted"), 40)
		s.Configured(41, "ADD").Killing(42).Stop(42.01).Configured(end+1.5, "DELETE").Configured(end+1.6, "REMOVE")
		s.Event(42, "Killing", "Stopping container app", nil).Last(nil)
		s.Files["cluster/pods.json"] = string(story.List(nil))
		return s
	}, 1, 137, 143)...)
	return append(out, breaks.Variants("a deletion during the postStart hook, which fails with the container at %v s",
		func(end float64) *story.Story {
			s := story.Ended(end, 143, "Error").Plainly("pod-deleted").Runs("postStart", "sleep", "60").Deleted(40)
			s.Version = "v1.20.15"
			s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "v1.30.14", s.Version, 1) })
			failed := `Exec lifecycle hook ([sleep 60]) for Container "app" in Pod "web-0_shop(` + story.UID +
				`)" failed - error: command 'sleep 60' exited with 137: , message: ""`
			s.Kubelet(end+0.05, "handlers.go:68] "+failed).Killing(end + 0.07)
			s.Event(end+0.05, "FailedPostStartHook", failed, nil).Event(end+0.06, "Killing", "FailedPostStartHook", nil)
			return s.Last(func(pod story.Object) {
				meta := pod["metadata"].(story.Object)
				meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = story.Stamp(70), 30
			})
		}, 40.3, 41.2)...)
}
