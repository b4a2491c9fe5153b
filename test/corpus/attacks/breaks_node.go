package main

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// taskRow is a row of the table in the kernel's out-of-memory report.
func taskRow(pid int, name string) string {
	return fmt.Sprintf("[%7d]     0 %5d    67500    65536   614400        0           999 %s", pid, pid, name)
}

func (s *story) taskOOM(t float64) *story {
	return s.runtime(t, `msg="TaskOOM event container_id:\"`+oldID+`\""`)
}

func memoryStories() []written {
	oomd := func(group string) func(float64) *story {
		return func(before float64) *story {
			s := ended(42.5, 137, "Error").is("killed-externally")
			return s.line(42.5-before, machine.Line{Writer: "systemd-oomd", Unit: "systemd-oomd.service",
				PID: 60, Text: "Killed " + group +
					" due to memory pressure for /kubepods being 85.12% > 60.00% for > 30s with reclaim activity"})
		}
	}
	child := func(t float64, s *story) *story {
		return s.limit().oom(t, "CONSTRAINT_MEMCG", cgroup, "worker", 4712, taskRow(4711, "web"),
			taskRow(4712, "worker")).taskOOM(t + 0.05)
	}
	var out []written
	for _, code := range []int{1, 3, 139} {
		out = append(out, variants(fmt.Sprintf("a child killed %%v s before an exit with %d", code),
			func(before float64) *story {
				s := child(42.5-before, ended(42.5, code, "Error"))
				if code == 139 {
					return s.is("app-signal")
				}
				return s // whether it went for its child, nothing tells
			}, 4.0, 5.5, 7.0, 9.0)...)
	}
	out = append(out, variants("a child's kill whose code the main process passes on after %v s",
		func(after float64) *story {
			return child(42.5-after, ended(42.5, 137, "OOMKilled")).is("oom-child-process")
		}, 0.02, 0.1, 1.0)...)
	out = append(out, variants("a child's kill %v s before a SIGKILL from the node", func(before float64) *story {
		return child(42.5-before, ended(42.5, 137, "OOMKilled")).is("killed-externally")
	}, 4.5, 3.0, 1.0, -0.3, -1.0)...)
	out = append(out, variants("a child's kill %v s before a stop by hand", func(before float64) *story {
		return child(42.5-before, ended(42.5, 137, "OOMKilled").stop(42.4)).is("killed-externally")
	}, 4.5, 1.0)...)
	out = append(out, variants("systemd-oomd's record %v s before a SIGKILL from the node",
		oomd(cgroup), 11.5, 8.0, 5.0)...)
	out = append(out, variants("systemd-oomd's record of a cgroup below, %v s before a SIGKILL from the node",
		oomd(cgroup+"/worker"), 0.1, 1.0, 4.0)...)
	return append(out, variants("a kill for %s", func(constraint string) *story {
		return ended(42.5, 137, "OOMKilled").limit().oom(42.45, constraint, "", "web", 4711, taskRow(4711, "web"))
	}, "CONSTRAINT_MEMORY_POLICY", "CONSTRAINT_CPUSET")...)
}

func (s *story) without(lost func(*machine.Line) bool) *story {
	s.Each(func(_ *machine.Log, l *machine.Line) { l.Lost = l.Lost || lost(l) })
	return s
}

func has(words ...string) func(*machine.Line) bool {
	return func(l *machine.Line) bool {
		for _, w := range words {
			if strings.Contains(l.Text, w) {
				return true
			}
		}
		return false
	}
}

// quiet is a liveness kill answered with 1 of which the events are gone.
func quiet() *story {
	s := ended(41.5, 1, "Error").liveness(40)
	s.events = nil
	return s
}

func lostStories() []written {
	var out []written
	kill := has("Killing container", "Message for Container", "Probe failed")
	stop := has("StopContainer")
	for _, one := range []struct {
		name, said string
		at         float64
		lost       []func(*machine.Line) bool
	}{
		{"imjournal tells behind", "imjournal: 1345 messages lost due to rate-limiting (20000 allowed within 600 seconds)",
			42, []func(*machine.Line) bool{kill, stop}},
		{"imjournal tells before", "imjournal: begin to drop messages due to rate-limiting",
			39.5, []func(*machine.Line) bool{kill, stop}},
		{"imuxsock of old tells behind", "imuxsock lost 44 messages from pid 80 due to rate-limiting",
			42, []func(*machine.Line) bool{kill}},
		{"imuxsock tells before", "imuxsock[pid 80]: begin to drop messages due to rate-limiting",
			39.5, []func(*machine.Line) bool{kill}},
		{"imuxsock tells behind", "imuxsock[pid 80]: 44 messages lost due to rate-limiting",
			42, []func(*machine.Line) bool{kill}},
	} {
		out = append(out, written{"rsyslog lost lines: " + one.name, func() *story {
			s := quiet()
			for _, lost := range one.lost {
				s.without(lost)
			}
			s.forms = []machine.Form{machine.Text}
			return s.line(one.at, machine.Line{Writer: "rsyslogd", PID: 400, Text: one.said})
		}})
	}
	suppressed := func(unit string, lost func(*machine.Line) bool) func(float64) *story {
		return func(t float64) *story {
			said := machine.Line{Writer: "systemd-journald", Unit: "systemd-journald.service",
				PID: 30, Text: "Suppressed 44 messages from " + unit}
			return quiet().without(lost).line(t, said)
		}
	}
	out = append(out, variants("journald suppressed messages of the kubelet and says so at %v s",
		suppressed("kubelet.service", kill), 41.8, 42.1)...)
	out = append(out, variants("journald suppressed messages of the runtime and says so at %v s",
		suppressed("containerd.service", stop), 41.8, 42.1)...)
	out = append(out, variants("a journald of which nothing was written for a while: %s", func(said string) *story {
		return quiet().without(kill).without(stop).line(42, machine.Line{Writer: "systemd-journald",
			Unit: "systemd-journald.service", PID: 30, Text: said})
	}, "Failed to write entry (9 items, 300 bytes), ignoring: No space left on device", "Journal started")...)
	out = append(out, variants("the kernel's records of a child's kill %v s before an exit with 1 were overwritten",
		func(before float64) *story {
			s := ended(42.5, 1, "Error").limit().oom(42.5-before, "CONSTRAINT_MEMCG", cgroup, "worker", 4712)
			s.forms = []machine.Form{machine.Kmsg}
			return s.without(has("oom-killer", "oom-kill:", "out of memory"))
		}, 0.01, 0.5, 3.0)...)
	out = append(out, written{"the kernel's ring was overwritten while it was read", func() *story {
		s := ended(42.5, 1, "Error").limit().oom(42.4, "CONSTRAINT_MEMCG", cgroup, "worker", 4712)
		s.forms = []machine.Form{machine.Kmsg}
		for i := range 40 {
			s.kernel(60+float64(i), "audit: lost")
		}
		return s.without(func(l *machine.Line) bool {
			return l.Writer == "kernel" && l.True.After(at(0)) && l.True.Before(at(95))
		})
	}})
	low := func(change func(*story)) func(float64) *story {
		return func(from float64) *story {
			s := quiet().without(func(l *machine.Line) bool {
				return l.Writer == "kubelet" && !l.True.Before(at(from)) && l.Text[0] == 'I' &&
					!strings.Contains(l.Text, "logging verbosity")
			})
			change(s)
			return s
		}
	}
	out = append(out, variants("a kubelet whose verbosity was lowered to 0 at %v s", low(func(s *story) {
		for _, t := range []float64{100, 598} {
			s.line(t, machine.Line{Writer: "kubelet", Unit: "kubelet.service", PID: 80,
				Text: "E" +
					klog(t,
						`pod_workers.go:1300] "Error syncing pod, skipping" err="x" pod="ops/other" podUID="99991111-0b8e-4a57-9f0a-5e2c1b9d0001"`)[1:]})
		}
	}), 5.0, 30.0, 39.9)...)
	return append(out, variants("a kubelet started anew at %v s with -v=0, whose first lines are lost",
		low(func(s *story) {
			s.Each(func(_ *machine.Log, l *machine.Line) {
				if l.Writer == "kubelet" && l.True.After(at(30)) {
					l.PID, l.Text = 180, strings.Replace(l.Text, "     80 ", "    180 ", 1)
				}
			})
			s.line(100, machine.Line{Writer: "kubelet", Unit: "kubelet.service",
				PID: 180,
				Text: strings.Replace("E"+
					klog(100, `pod_workers.go:1300] "Error syncing pod, skipping" err="x" pod="ops/other"`)[1:],
					"     80 ", "    180 ", 1)})
		}), 30.0, 20.0)...)
}

func eventStories() []written {
	api := func(code int, version string) *story {
		s := ended(42.5, code, "Error").is("killed-externally")
		s.records, s.version, s.forms = false, version, []machine.Form{machine.Text}
		s.Logs = nil
		s.container["livenessProbe"] = object{"httpGet": object{"path": "/", "port": 8080},
			"periodSeconds": 10, "failureThreshold": 3}
		return s
	}
	misfit := func(name string, change func(object)) written {
		return written{"an event of a liveness kill that is not this container's: " + name,
			func() *story { return api(137, "v1.30.14").event(41, "Killing", livenessText, change) }}
	}
	involved := func(field string, value any) func(object) {
		return func(e object) { e["involvedObject"].(object)[field] = value }
	}
	return append([]written{
		misfit("another host", func(e object) { e["source"] = object{"component": "kubelet", "host": "n2"} }),
		misfit("no host", func(e object) { e["source"] = object{"component": "kubelet"} }),
		misfit("another container in its message", func(e object) {
			e["message"] = "Container b failed liveness probe, will be restarted"
		}),
		misfit("another container in its path", involved("fieldPath", "spec.containers{b}")),
		misfit("no UID", func(e object) { delete(e["involvedObject"].(object), "uid") }),
		misfit("another UID", involved("uid", "ffff6a52-0b8e-4a57-9f0a-5e2c1b9d0001")),
		misfit("first seen before the pod was made", func(e object) { e["firstTimestamp"] = stamp(-3000) }),
		misfit("dated before the instance", func(e object) { e["firstTimestamp"], e["lastTimestamp"] = stamp(1), stamp(1) }),
		{"an event of a liveness kill of a container without a probe", func() *story {
			s := api(137, "v1.30.14")
			delete(s.container, "livenessProbe")
			return s.event(41, "Killing", livenessText, nil)
		}},
		{"an event of a startup kill of a container without that probe", func() *story {
			return api(137, "v1.30.14").event(41, "Killing", "Container app failed startup probe, will be restarted", nil)
		}},
		{"an event of a failed postStart hook of a container without one", func() *story {
			return api(137, "v1.30.14").event(41, "FailedPostStartHook", "PostStartHook failed",
				nil).event(41, "Killing", "FailedPostStartHook", nil)
		}},
		{"an event of a changed definition of a container that is the same", func() *story {
			return api(137, "v1.30.14").event(41, "Killing", "Container app definition changed, will be restarted", nil)
		}},
	}, append(variants("an event \"killing\" without a rule in the spec, kubelet %s", func(version string) *story {
		return api(137, version).event(41, "Killing", "killing", nil)
	}, "v1.33.2", "v1.35.0", "v1.36.3"), variants("an event of a kill %v s before the end, grace 30 s",
		func(before float64) *story {
			s := api(137, "v1.30.14")
			s.end = 442.5
			return s.event(442.5-before, "Killing", livenessText, nil)
		}, 300.0, 120.0, 90.0)...)...)
}
