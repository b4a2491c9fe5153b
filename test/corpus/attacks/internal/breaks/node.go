package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func memoryStories() []Written {
	oomd := func(group string) func(float64) *story.Story {
		return func(before float64) *story.Story {
			s := story.Ended(42.5, 137, "Error").Is("killed-externally")
			return s.Line(42.5-before, machine.Line{Writer: "systemd-oomd", Unit: "systemd-oomd.service",
				PID: 60, Text: "Killed " + group +
					" due to memory pressure for /kubepods being 85.12% > 60.00% for > 30s with reclaim activity"})
		}
	}
	child := func(t float64, s *story.Story) *story.Story {
		return s.Limit().OOM(t, "CONSTRAINT_MEMCG", story.Cgroup, "worker", 4712, story.TaskRow(4711, "web"),
			story.TaskRow(4712, "worker")).TaskOOM(t + 0.05)
	}
	var out []Written
	for _, code := range []int{1, 3, 139} {
		out = append(out, Variants(fmt.Sprintf("a child killed %%v s before an exit with %d", code),
			func(before float64) *story.Story {
				s := child(42.5-before, story.Ended(42.5, code, "Error"))
				if code == 139 {
					return s.Is("app-signal")
				}
				return s // nothing shows whether it exited because of its child
			}, 4.0, 5.5, 7.0, 9.0)...)
	}
	out = append(out, Variants("a child's kill whose code the main process passes on after %v s",
		func(after float64) *story.Story {
			return child(42.5-after, story.Ended(42.5, 137, "OOMKilled")).Is("oom-child-process")
		}, 0.02, 0.1, 1.0)...)
	out = append(out, Variants("a child's kill %v s before a SIGKILL from the node", func(before float64) *story.Story {
		return child(42.5-before, story.Ended(42.5, 137, "OOMKilled")).Is("killed-externally")
	}, 4.5, 3.0, 1.0, -0.3, -1.0)...)
	out = append(out, Variants("a child's kill %v s before a stop by hand", func(before float64) *story.Story {
		return child(42.5-before, story.Ended(42.5, 137, "OOMKilled").Stop(42.4)).Is("killed-externally")
	}, 4.5, 1.0)...)
	out = append(out, Variants("systemd-oomd's record %v s before a SIGKILL from the node",
		oomd(story.Cgroup), 11.5, 8.0, 5.0)...)
	out = append(out, Variants("systemd-oomd's record of a cgroup below, %v s before a SIGKILL from the node",
		oomd(story.Cgroup+"/worker"), 0.1, 1.0, 4.0)...)
	return append(out, Variants("a kill for %s", func(constraint string) *story.Story {
		return story.Ended(42.5, 137, "OOMKilled").Limit().OOM(42.45, constraint, "", "web", 4711, story.TaskRow(4711, "web"))
	}, "CONSTRAINT_MEMORY_POLICY", "CONSTRAINT_CPUSET")...)
}

// quiet returns a liveness kill with exit code 1 whose events are gone.
func quiet() *story.Story {
	s := story.Ended(41.5, 1, "Error").Liveness(40)
	s.Events = nil
	return s
}

func lostStories() []Written {
	var out []Written
	kill := story.Has("Killing container", "Message for Container", "Probe failed")
	stop := story.Has("StopContainer")
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
		out = append(out, Written{"rsyslog lost lines: " + one.name, func() *story.Story {
			s := quiet()
			for _, lost := range one.lost {
				s.Without(lost)
			}
			s.Forms = []machine.Form{machine.Text}
			return s.Line(one.at, machine.Line{Writer: "rsyslogd", PID: 400, Text: one.said})
		}})
	}
	suppressed := func(unit string, lost func(*machine.Line) bool) func(float64) *story.Story {
		return func(t float64) *story.Story {
			said := machine.Line{Writer: "systemd-journald", Unit: "systemd-journald.service",
				PID: 30, Text: "Suppressed 44 messages from " + unit}
			return quiet().Without(lost).Line(t, said)
		}
	}
	out = append(out, Variants("journald suppressed messages of the kubelet and says so at %v s",
		suppressed("kubelet.service", kill), 41.8, 42.1)...)
	out = append(out, Variants("journald suppressed messages of the runtime and says so at %v s",
		suppressed("containerd.service", stop), 41.8, 42.1)...)
	out = append(out, Variants("a journald of which nothing was written for a while: %s", func(said string) *story.Story {
		return quiet().Without(kill).Without(stop).Line(42, machine.Line{Writer: "systemd-journald",
			Unit: "systemd-journald.service", PID: 30, Text: said})
	}, "Failed to write entry (9 items, 300 bytes), ignoring: No space left on device", "Journal started",
		"Journal stopped", "Received SIGTERM from PID 1 (systemd).",
		"/var/log/journal/x/system.journal: IO error, rotating.",
		"Journal file /run/log/journal/x/system.journal is truncated, ignoring file.")...)
	out = append(out, Variants("a journald that systemd starts anew: %s", func(said string) *story.Story {
		return quiet().Without(kill).Without(stop).Line(41.9, machine.Line{Writer: "systemd", Unit: "init.scope", PID: 1,
			Text: said})
	}, "Stopping Journal Service...", "Stopped systemd-journald.service - Journal Service.", "Started Journal Service.",
		"systemd-journald.service: Main process exited, code=killed, status=9/KILL",
		"systemd-journald.service: Watchdog timeout (limit 3min)!",
		"systemd-journald.service: Scheduled restart job, restart counter is at 1.")...)
	out = append(out, Variants("a disk of the journal that fails: %s", func(said string) *story.Story {
		return quiet().Without(kill).Without(stop).Kernel(40.1, said)
	}, "EXT4-fs error (device sda1): ext4_find_entry:1683: inode #131: comm systemd-journal: reading directory lblock 0",
		"EXT4-fs (sda1): Remounting filesystem read-only", "EXT4-fs (sda1): failed to convert unwritten extents",
		"XFS (dm-0): Corruption of in-memory data (0x8) detected at xfs_trans_cancel. Shutting down filesystem.",
		"BTRFS error (device sda1 state A): Transaction aborted (error -28)",
		"Buffer I/O error on dev sda1, logical block 4711, lost async page write",
		"I/O error, dev sda, sector 4711 op 0x1:(WRITE) flags 0x800 phys_seg 1 prio class 0")...)
	out = append(out, Variants("a page with what the kubelet and the runtime said was not written %v s later",
		func(after float64) *story.Story {
			return quiet().Without(kill).Without(stop).Kernel(40.2+after, "Buffer I/O error on dev sda1, logical block 4711, "+
				"lost async page write")
		}, 5.0, 20.0, 30.0)...)
	out = append(out, Variants("a file system is read-only since %v s before the kill", func(before float64) *story.Story {
		return quiet().Without(kill).Without(stop).Kernel(40.1-before, "EXT4-fs (sda1): Remounting filesystem read-only")
	}, 1.0, 15.0, 35.0)...)
	out = append(out, Variants("the kernel's records of a child's kill %v s before an exit with 1 were overwritten",
		func(before float64) *story.Story {
			s := story.Ended(42.5, 1, "Error").Limit().OOM(42.5-before, "CONSTRAINT_MEMCG", story.Cgroup, "worker", 4712)
			s.Forms = []machine.Form{machine.Kmsg}
			return s.Without(story.Has("oom-killer", "oom-kill:", "out of memory"))
		}, 0.01, 0.5, 3.0)...)
	out = append(out, Written{"the kernel's ring was overwritten while it was read", func() *story.Story {
		s := story.Ended(42.5, 1, "Error").Limit().OOM(42.4, "CONSTRAINT_MEMCG", story.Cgroup, "worker", 4712)
		s.Forms = []machine.Form{machine.Kmsg}
		for i := range 40 {
			s.Kernel(60+float64(i), "audit: lost")
		}
		return s.Without(func(l *machine.Line) bool {
			return l.Writer == "kernel" && l.True.After(story.At(0)) && l.True.Before(story.At(95))
		})
	}})
	low := func(change func(*story.Story)) func(float64) *story.Story {
		return func(from float64) *story.Story {
			s := quiet().Without(func(l *machine.Line) bool {
				return l.Writer == "kubelet" && !l.True.Before(story.At(from)) && l.Text[0] == 'I' &&
					!strings.Contains(l.Text, "logging verbosity")
			})
			change(s)
			return s
		}
	}
	out = append(out, Variants("a kubelet whose verbosity was lowered to 0 at %v s", low(func(s *story.Story) {
		for _, t := range []float64{100, 598} {
			s.Line(t, machine.Line{Writer: "kubelet", Unit: "kubelet.service", PID: 80,
				Text: "E" +
					story.Klog(t,
						`pod_workers.go:1300] "Error syncing pod, skipping" err="x" pod="ops/other" podUID="99991111-0b8e-4a57-9f0a-5e2c1b9d0001"`)[1:]})
		}
	}), 5.0, 30.0, 39.9)...)
	return append(out, Variants("a kubelet started anew at %v s with -v=0, whose first lines are lost",
		low(func(s *story.Story) {
			s.Each(func(_ *machine.Log, l *machine.Line) {
				if l.Writer == "kubelet" && l.True.After(story.At(30)) {
					l.PID, l.Text = 180, strings.Replace(l.Text, "     80 ", "    180 ", 1)
				}
			})
			s.Line(100, machine.Line{Writer: "kubelet", Unit: "kubelet.service",
				PID: 180,
				Text: strings.Replace("E"+
					story.Klog(100, `pod_workers.go:1300] "Error syncing pod, skipping" err="x" pod="ops/other"`)[1:],
					"     80 ", "    180 ", 1)})
		}), 30.0, 20.0)...)
}

func eventStories() []Written {
	api := func(code int, version string) *story.Story {
		s := story.Ended(42.5, code, "Error").Is("killed-externally")
		s.Records, s.Version, s.Forms = false, version, []machine.Form{machine.Text}
		s.Logs = nil
		s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080},
			"periodSeconds": 10, "failureThreshold": 3}
		return s
	}
	misfit := func(name string, change func(story.Object)) Written {
		return Written{"an event of a liveness kill that is not this container's: " + name,
			func() *story.Story { return api(137, "v1.30.14").Event(41, "Killing", story.LivenessText, change) }}
	}
	involved := func(field string, value any) func(story.Object) {
		return func(e story.Object) { e["involvedObject"].(story.Object)[field] = value }
	}
	return append([]Written{
		misfit("another host", func(e story.Object) { e["source"] = story.Object{"component": "kubelet", "host": "n2"} }),
		misfit("no host", func(e story.Object) { e["source"] = story.Object{"component": "kubelet"} }),
		misfit("another container in its message", func(e story.Object) {
			e["message"] = "Container b failed liveness probe, will be restarted"
		}),
		misfit("another container in its path", involved("fieldPath", "spec.containers{b}")),
		misfit("no UID", func(e story.Object) { delete(e["involvedObject"].(story.Object), "uid") }),
		misfit("another UID", involved("uid", "ffff6a52-0b8e-4a57-9f0a-5e2c1b9d0001")),
		misfit("first seen before the pod was made", func(e story.Object) { e["firstTimestamp"] = story.Stamp(-3000) }),
		misfit("dated before the instance", func(e story.Object) {
			e["firstTimestamp"], e["lastTimestamp"] = story.Stamp(1),
				story.Stamp(1)
		}),
		{"an event of a liveness kill of a container without a probe", func() *story.Story {
			s := api(137, "v1.30.14")
			delete(s.Container, "livenessProbe")
			return s.Event(41, "Killing", story.LivenessText, nil)
		}},
		{"an event of a startup kill of a container without that probe", func() *story.Story {
			return api(137, "v1.30.14").Event(41, "Killing", "Container app failed startup probe, will be restarted", nil)
		}},
		{"an event of a failed postStart hook of a container without one", func() *story.Story {
			return api(137, "v1.30.14").Event(41, "FailedPostStartHook", "PostStartHook failed",
				nil).Event(41, "Killing", "FailedPostStartHook", nil)
		}},
		{"an event of a changed definition of a container that is the same", func() *story.Story {
			return api(137, "v1.30.14").Event(41, "Killing", "Container app definition changed, will be restarted", nil)
		}},
	}, append(Variants("an event \"killing\" without a rule in the spec, kubelet %s", func(version string) *story.Story {
		return api(137, version).Event(41, "Killing", "killing", nil)
	}, "v1.33.2", "v1.35.0", "v1.36.3"), Variants("an event of a kill %v s before the end, grace 30 s",
		func(before float64) *story.Story {
			s := api(137, "v1.30.14")
			s.End = 442.5
			return s.Event(442.5-before, "Killing", story.LivenessText, nil)
		}, 300.0, 120.0, 90.0)...)...)
}
