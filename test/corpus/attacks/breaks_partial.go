package main

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

const startupText = "Container app failed startup probe, will be restarted"

// kept leaves of the logs what someone's search finds, whatever the case of its letters.
func (s *story) kept(words ...string) *story {
	return s.without(func(l *machine.Line) bool {
		for _, w := range words {
			if strings.Contains(strings.ToLower(l.Text), w) {
				return false
			}
		}
		return true
	})
}

// busy is what else goes wrong on the node, in lines that a search finds.
func (s *story) busy() *story {
	for i, t := range []float64{-30, 5, 39, 41, 55, 300} {
		s.kubelet(t, fmt.Sprintf(`pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \"StartContainer\"" `+
			`pod="ops/other-%d" podUID="0e0e6a52-0b8e-4a57-9f0a-5e2c1b9d%04d"`, i, i))
		s.kubelet(t+0.1, fmt.Sprintf(`prober.go:107] "Probe failed" probeType="Readiness" pod="ops/ready-%d" `+
			`podUID="0f0e6a52-0b8e-4a57-9f0a-5e2c1b9d%04d" containerName="x" probeResult="failure" output="x"`, i, i))
		s.kubelet(t+0.2, `log.go:32] "ExecSync cmd from runtime service failed" err="rpc error: code = Unknown"`)
		s.runtime(t+0.3, fmt.Sprintf(`msg="StopPodSandbox for \"%064d\" failed" error="failed to destroy network"`, i))
		s.kernel(t, "EXT4-fs error (device sdb): x")
	}
	return s
}

// neverPassed is a startup probe that never passed, under a kubelet that was restarted at 105 s and killed for it.
func neverPassed() *story {
	s := ended(142.5, 143, "Error")
	s.container["startupProbe"] = object{"exec": object{"command": []any{"check"}}, "periodSeconds": 5,
		"failureThreshold": 3, "timeoutSeconds": 1}
	s.kubelet(105, `flags.go:64] FLAG: --v="2"`).kubelet(105.01, `server.go:491] "Kubelet version" kubeletVersion="`+
		s.version+`"`)
	return s.decided(140.1, startupText).killing(140.2).stop(140.21).event(140.1, "Killing", startupText, nil).is(
		"startup-probe-failed")
}

// poweredOff is a machine that lost its power, of which the kernel's log ends some time before: containerd dates the
// end by its own start, and the kubelet starts behind it.
func poweredOff(before float64) *story {
	s := ended(42.5, 255, "Unknown").is("node-reboot")
	s.without(func(l *machine.Line) bool {
		return l.Writer == "kernel" && l.True.After(at(42-before)) && !strings.HasPrefix(l.Text, "Linux version") ||
			strings.Contains(l.Text, "TaskExit")
	})
	s.runtime(42.4, `msg="starting containerd" revision=x version="1.7.2"`).runtime(42.45,
		`msg="containerd successfully booted in 0.091s"`)
	for _, text := range []string{`flags.go:64] FLAG: --v="2"`, `server.go:491] "Kubelet version" kubeletVersion="x"`} {
		s.line(42.9, machine.Line{Writer: "kubelet", Unit: "kubelet.service", PID: 81, Text: klog(42.9, text)})
	}
	return s
}

// partialStories are ends of which the decisive words are missing, written in another way, or cut.
func partialStories() []written {
	var out []written
	out = append(out, variants("a report of the out-of-memory killer of which only %q is left", func(line string) *story {
		return ended(42.5, 1, "Error").limit().kernel(42.4, line)
	}, "worker invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
		"oom_reaper: reaped process 4712 (worker), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB",
		"Tasks in "+cgroup+" are going to be killed due to memory.oom.group set")...)
	out = append(out, variants("earlyoom asks the process to end, and says %s", func(figures string) *story {
		return ended(42.5, 1, "Error").line(42.3, machine.Line{Writer: "earlyoom", Unit: "earlyoom.service", PID: 60,
			Text: `sending SIGTERM to process 4711 uid 0 "web": ` + figures})
	}, "badness 1300, VmRSS 900 MiB", "oom_score 1300, VmRSS 900 MiB", "oom_score 1300, oom_score_adj 0, VmRSS 9 MiB")...)
	out = append(out, variants("an exec that the runtime does not log, and code %d", func(code int) *story {
		return ended(42.5, code, "Error").execEnds(42.45, 137)
	}, 1, 3, 143)...)
	out = append(out, variants("somebody attached to it, and code %d", func(code int) *story {
		return ended(42.5, code, "Error").runtime(42.3, `msg="Attach for \"`+oldID+`\" with tty true and stdin true"`)
	}, 1, 2, 130)...)
	out = append(out, variants("a pod with a kernel of its own (%s) whose memory ran out", func(class string) *story {
		s := ended(42.5, 1, "Error").limit()
		s.spec["runtimeClassName"] = class
		return s
	}, "kata-qemu-nvidia-gpu", "kata-qemu", "gvisor", "my-runc-in-a-vm")...)
	out = append(out, variants("a kill for a changed definition in a log that was searched for %s", func(words string) *story {
		s := ended(41.5, 1, "Error").busy().decided(40.1, "Container app definition changed, will be restarted")
		return s.killing(40.2).stop(40.21).kept(strings.Split(words, " ")...)
	}, "error fail exit died", "error fail exit died stop", "fail exit stop")...)
	out = append(out, variants("a child's out-of-memory kill in a log that was searched for %s", func(words string) *story {
		s := ended(42.5, 1, "Error").busy().limit()
		s.oom(42.4, "CONSTRAINT_MEMCG", cgroup, "worker", 4712, taskRow(4711, "web"), taskRow(4712, "worker"))
		return s.without(func(l *machine.Line) bool { return l.Writer == "kernel" && !strings.Contains(l.Text, words) })
	}, "error", "EXT4-fs")...)
	out = append(out, variants("a startup probe that could not be run every %v s until the kubelet was restarted",
		func(period float64) *story {
			s := neverPassed()
			for t := 3.0; t < 100; t += period {
				s.kubelet(t, `prober.go:104] "Probe errored" err="rpc error: code = Unknown desc = failed to exec in container" `+
					`probeType="Startup" pod="shop/web-0" podUID="`+uid+`" containerName="app"`)
			}
			return s
		}, 5.0, 20.0)...)
	out = append(out, variants("a boot behind a kernel's log that ends %v s before it", poweredOff, 2.0, 20.0, 110.0)...)
	return append(out, variants("a kubelet that is restarted every %v s, before a startup probe could fail often enough",
		func(period float64) *story {
			s := neverPassed()
			for t := 8.0; t < 100; t += period {
				s.kubelet(t, `server.go:491] "Kubelet version" kubeletVersion="`+s.version+`"`)
			}
			return s
		}, 9.0, 12.0)...)
}
