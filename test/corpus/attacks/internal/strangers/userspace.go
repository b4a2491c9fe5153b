package strangers

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// daemon adds a line of one of the node's daemons.
func daemon(s *story.Story, t float64, who, text string) *story.Story {
	return s.Line(t, machine.Line{Writer: who, Unit: who + ".service", PID: 612, Text: text})
}

// signalled is earlyoom's line about the container's main process.
func signalled(s *story.Story, t float64, signal string) *story.Story {
	return daemon(s, t, "earlyoom", "sending "+signal+` to process 4711 uid 0 "web": badness 801, VmRSS 12 MiB`)
}

const podSlice = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod7d1f6a52_0b8e_4a57_9f0a_5e2c1b9d0001.slice"

// ended is systemd-oomd's line; it sends SIGKILL.
func ended(s *story.Story, t float64, group string) *story.Story {
	return daemon(s, t, "systemd-oomd", "Killed "+group+
		" due to memory pressure for /kubepods.slice being 85.12% > 60.00% for > 30s with reclaim activity")
}

// userspaceStories are kills for memory by daemons of the node, near ends that they caused and others.
func userspaceStories() []breaks.Written {
	var out []breaks.Written
	scope := podSlice + "/cri-containerd-" + story.OldID + ".scope"
	for _, group := range []string{podSlice, scope, "/kubepods/burstable/pod" + story.UID, "/kubepods.slice", "/"} {
		for _, before := range []float64{0.05, 0.5, 3} {
			out = append(out, breaks.Variants(fmt.Sprintf("systemd-oomd ends %s %v s before the end, and code %%d", group, before),
				func(code int) *story.Story {
					s := story.Ended(42.5, code, "Error")
					if code == 137 {
						s.Is("oom-node")
					}
					return ended(s, 42.5-before, group)
				}, 137, 143, 1)...)
		}
	}
	for who, text := range map[string]string{
		"earlyoom": `sending SIGKILL to process group 4711 uid 0 "web": badness 801, VmRSS 12 MiB`,
		"nohang":   `[ OK ] Sending SIGKILL to the victim; total response time: 3 ms`,
		"oomd":     "oomd kill: 12.31 10.00 9.00 " + podSlice + " 1234 ruleset:[memory] killer:kill_by_memory_size_or_growth v2",
	} {
		out = append(out, breaks.Variants("a SIGKILL, of which "+who+" says something before it, and code %d",
			func(code int) *story.Story {
				return daemon(story.Ended(42.5, code, "Error").Is("killed-externally"), 42.45, who, text)
			}, 137)...)
	}
	out = append(out, breaks.Variants("earlyoom asks, and then kills, and code %d", func(code int) *story.Story {
		return signalled(signalled(story.Ended(42.5, code, "Error").Is("oom-node"), 32.4, "SIGTERM"), 42.4, "SIGKILL")
	}, 137)...)
	for _, by := range []float64{0.02, 0.3, 1.5} {
		out = append(out, breaks.Variants(fmt.Sprintf("earlyoom's SIGTERM %v s before a liveness kill, and code %%d", by),
			func(code int) *story.Story {
				s := story.Ended(40.9, code, "Error").Liveness(40)
				s.Truth.Cause, s.Forms = story.Undecided, machine.Forms[1:] // a query for the kubelet's lines has no others
				return signalled(s, 40.2-by, "SIGTERM")
			}, 143, 0, 1)...)
		for what, tell := range map[string]func(*story.Story, float64) *story.Story{
			"earlyoom's SIGKILL": func(s *story.Story, t float64) *story.Story { return signalled(s, t, "SIGKILL") },
			"systemd-oomd":       func(s *story.Story, t float64) *story.Story { return ended(s, t, podSlice) },
		} {
			out = append(out, breaks.Variants(fmt.Sprintf("%s %v s after a liveness kill began, and code %%d", what, by),
				func(code int) *story.Story {
					s := story.Ended(40.3+by, code, "Error").Liveness(40)
					if code == 137 {
						s.Truth.Cause = story.Undecided
					}
					return tell(s, 40.28+by)
				}, 137, 143)...)
		}
	}
	return out
}
