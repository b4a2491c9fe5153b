package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// newer returns a story with a kubelet of that version.
func newer(version string, s *story.Story) *story.Story {
	s.Version = version
	s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "v1.30.14", version, 1) })
	return s
}

// settingStories are exits of containers with swap, with user namespaces, resized in place, or with their own restart
// rules: a consequence of the setting is visible, but did not cause the exit.
func settingStories() []Written {
	other := "/kubepods/burstable/pod" + story.OtherUID + "/" + story.OtherID
	out := Variants("systemd-oomd ends %s for its swap, and the node sends SIGKILL to this one", func(group string) *story.Story {
		return story.Ended(42.5, 137, "Error").Is("killed-externally").Line(42.3, machine.Line{Writer: "systemd-oomd",
			Unit: "systemd-oomd.service", PID: 60, Text: "Killed " + group + " due to memory used (33000000000) / total (33600000000) " +
				"and swap used (4200000000) / total (4290000000) being more than 90.00%"})
	}, other, other+"/worker", story.Cgroup+"/worker", "/user.slice")
	out = append(out, Variants("swap and memory are full, another pod's process goes, and %v s later this one by SIGKILL",
		func(after float64) *story.Story {
			s := story.Ended(42.5, 137, "Error").Is("killed-externally")
			s.Kernel(42.5-after, "Free swap  = 0kB").Kernel(42.5-after, "Total swap = 4194300kB")
			s.OOM(42.5-after, "CONSTRAINT_NONE", "", "db", 9711, story.TaskRow(4711, "web"), story.TaskRow(9711, "db"))
			s.Each(func(_ *machine.Log, l *machine.Line) {
				l.Text = strings.ReplaceAll(l.Text, "task_memcg="+story.Cgroup, "task_memcg="+other)
			})
			return s
		}, 0.05, 0.5, 3.0)...)
	out = append(out, Variants("a child of a container with users of its own is killed for memory %v s before an exit with 1",
		func(before float64) *story.Story {
			s := newer("v1.33.2", story.Ended(42.5, 1, "Error").Limit())
			s.Spec["hostUsers"] = false
			s.OOM(42.5-before, "CONSTRAINT_MEMCG", story.Cgroup, "worker", 4712, story.TaskRow(4711, "web"),
				story.TaskRow(4712, "worker")).TaskOOM(42.55 - before)
			s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.ReplaceAll(l.Text, "uid=0", "uid=1310720") })
			return s
		}, 0.1, 2.0, 6.0)...)
	resized := func(end float64, code int, t float64) *story.Story {
		s := newer("v1.33.2", story.Ended(end, code, "Error").Limit())
		s.Container["resizePolicy"] = []any{story.Object{"resourceName": "memory", "restartPolicy": "NotRequired"}}
		s.Kubelet(t, `kubelet.go:2440] "SyncLoop UPDATE" source="api" pods=["shop/web-0"]`)
		return s.Event(t, "ResizeCompleted", "Pod resize completed", func(e story.Object) {
			delete(e["involvedObject"].(story.Object), "fieldPath")
		})
	}
	for _, t := range []float64{30, 42.3} {
		out = append(out, Variants(fmt.Sprintf("a resize in place at %v s, and a SIGKILL from the node: code %%d", t),
			func(code int) *story.Story { return resized(42.5, code, t).Is("killed-externally") }, 137)...)
		out = append(out, Variants(fmt.Sprintf("a limit lowered in place at %v s for which a child goes, and an exit with %%d", t),
			func(code int) *story.Story {
				return resized(42.5, code, t).OOM(t+0.1, "CONSTRAINT_MEMCG", story.Cgroup, "worker", 4712,
					story.TaskRow(4711, "web"), story.TaskRow(4712, "worker")).TaskOOM(t + 0.15)
			}, 1, 3)...)
	}
	out = append(out, both("an event of a resize's kill that the container's policy does not ask for, and code %d",
		func(code int) *story.Story {
			return resized(42.5, code, 40).Event(41, "Killing", "Container app resize requires restart", nil)
		}, 1, 137)...)
	ruled := func(operator string, values ...any) func(*story.Story) *story.Story {
		return func(s *story.Story) *story.Story {
			s.Container["restartPolicy"] = "Never"
			s.Container["restartPolicyRules"] = []any{story.Object{"action": "Restart",
				"exitCodes": story.Object{"operator": operator, "values": values}}}
			return newer("v1.35.0", s)
		}
	}
	out = append(out, both("a rule for restarts that the code fits, and a SIGKILL from the node: code %d", func(code int) *story.Story {
		return ruled("In", code)(story.Ended(42.5, code, "Error")).Is("killed-externally")
	}, 137)...)
	out = append(out, Variants("a rule for restarts that the code fits, and a stop by hand: code %d", func(code int) *story.Story {
		return ruled("In", code)(story.Ended(42.5, code, "Error")).Stop(40).Plainly("killed-externally")
	}, 3, 137, 143)...)
	out = append(out, both("a rule for restarts that the code fits, and a liveness kill whose lines are lost: code %d",
		func(code int) *story.Story {
			s := story.Ended(41.5, code, "Error").Liveness(40)
			s.Events = nil
			s.Without(story.Has("Killing container", "Message for Container", "Probe failed", "StopContainer"))
			s.Line(42, machine.Line{Writer: "systemd-journald", Unit: "systemd-journald.service", PID: 30,
				Text: "Suppressed 44 messages from kubelet.service"})
			return ruled("NotIn", 0)(s)
		}, 1, 143)...)
	return append(out, Variants("a gate whose rule restarts all ends with %d, which its rule does not name, and an exit with 1",
		func(gate int) *story.Story {
			s := newer("v1.36.0", story.Ended(42.5, 1, "Error").Is("app-exit-error"))
			s.Spec["containers"] = []any{s.Container, story.Object{"name": "gate", "image": "x", "restartPolicy": "Never",
				"restartPolicyRules": []any{story.Object{"action": "RestartAllContainers",
					"exitCodes": story.Object{"operator": "In", "values": []any{42}}}}}}
			return s.Kubelet(42.2, fmt.Sprintf(`generic.go:334] "Generic (PLEG): container finished" podID="%s" containerID="%s" `+
				`exitCode=%d`, story.UID, story.OtherID, gate))
		}, 0, 3, 137)...)
}
