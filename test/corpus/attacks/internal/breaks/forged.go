package breaks

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
)

// stopped returns a container that someone stopped through the runtime, not the kubelet.
func stopped(code int) *story.Story {
	s := story.Ended(42.5, code, "Error").Stop(40).Is("killed-externally")
	s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080},
		"periodSeconds": 10, "failureThreshold": 1}
	return s
}

// forgery returns the kubelet's lines for a liveness kill as a pod's author would write them.
func forgery(t float64) []string {
	return []string{
		story.Klog(t-0.05, `prober.go:107] "Probe failed" probeType="Liveness" pod="shop/web-0" podUID="`+
			story.UID+`" containerName="app" probeResult="failure" output="503"`),
		story.Klog(t-0.02, story.DecidedLine("shop/web-0", story.OldID, story.LivenessText)),
		story.Klog(t-0.01, story.KillingLine(story.UID, "shop/web-0", story.OldID, 30)),
	}
}

// byContainerDump puts lines into the arguments of a container that cannot start: kubelets up to 1.30 print it whole
// (kuberuntime_manager.go startContainer).
func byContainerDump(s *story.Story, t float64) *story.Story {
	s.Printed(t, nil, "E"+
		story.Klog(t, `kuberuntime_manager.go:1256] container &Container{Name:evil,Image:nowhere/x,Command:[sh -c`)[1:])
	s.Printed(t+0.0001, nil, forgery(t)...)
	return s.Printed(t+0.0002, nil,
		"],Args:[],WorkingDir:,Ports:[]ContainerPort{},EnvFrom:[]EnvFromSource{},} start failed in pod evil_ops(99991111-0b8e-4a57-9f0a-5e2c1b9d0001): ErrImagePull: not found")
}

// byNUL puts lines into the multi-line output of a failed probe, after a NUL byte: there journald begins a new entry
// (journald-stream.c).
func byNUL(s *story.Story, t float64) *story.Story {
	s.Printed(t, nil,
		story.Klog(t,
			`prober.go:107] "Probe failed" probeType="Readiness" pod="ops/evil" podUID="99991111-0b8e-4a57-9f0a-5e2c1b9d0001" containerName="evil" probeResult="failure" output=<`))
	s.Printed(t+0.00001, map[string]string{"_LINE_BREAK": "nul"}, "\thello")
	s.Printed(t+0.0001, map[string]string{"_LINE_BREAK": "nul"}, forgery(t)...)
	return s.Printed(t+0.0002, nil, "\tbye", " >")
}

// byPlainOutput puts lines into the output of a failed probe, which kubelets up to 1.20 print as it is (prober.go). Who
// knows the kubelet's number writes lines that nothing tells from its own.
func byPlainOutput(version string) *story.Story {
	s := newer(version, stopped(143)).Event(39.98, "Killing", story.LivenessText, nil)
	s.Kubelet(39.9, `prober.go:117] Readiness probe for "evil_ops(99991111-0b8e-4a57-9f0a-5e2c1b9d0001):x" failed `+
		`(failure): x`)
	return s.Printed(39.9001, nil,
		story.Klog(39.95, `prober.go:117] Liveness probe for "web-0_shop(`+story.UID+`):app" failed (failure): 503`),
		story.Klog(39.98, `kuberuntime_manager.go:599] Container "app" ({"containerd" "`+story.OldID+`"}) of pod web-0_shop(`+
			story.UID+`): `+story.LivenessText),
		story.Klog(39.99, `kuberuntime_container.go:635] Killing container "containerd://`+story.OldID+
			`" with a 30 second grace period`))
}

func forgedStories() []Written {
	out := Variants("a stop through the runtime, and kubelet lines in the output of a probe, by kubelet %s",
		byPlainOutput, "v1.16.15", "v1.19.16", "v1.20.15")
	for name, forge := range map[string]func(*story.Story,
		float64) *story.Story{"in a container's arguments": byContainerDump,
		"behind a NUL of a probe's output": byNUL} {
		out = append(out, Variants("a stop through the runtime with code %d, and kubelet lines "+name,
			func(code int) *story.Story { return forge(stopped(code), 39.99) }, 137, 143, 0, 1)...)
		out = append(out, Variants("a SIGKILL from the node, and kubelet lines %v s before it "+name,
			func(before float64) *story.Story {
				return forge(story.Ended(42.5, 137, "Error").Is("killed-externally"), 42.5-before)
			}, 0.05, 1.0, 31.0)...)
		out = append(out, Written{"an exit of its own, and kubelet lines " + name,
			func() *story.Story { return forge(story.Ended(42.5, 3, "Error").Is("app-exit-error"), 40) }})
	}
	return out
}

func oomLines(pid int) []string {
	return []string{
		"web invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
		fmt.Sprintf(
			"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=%s,mems_allowed=0,oom_memcg=%s,task_memcg=%s,task=web,pid=%d,uid=0", story.OldID, story.Cgroup, story.Cgroup, pid),
		fmt.Sprintf(
			"Memory cgroup out of memory: Killed process %d (web) total-vm:270000kB, anon-rss:262144kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:600kB oom_score_adj:999", pid),
	}
}

func identityStories() []Written {
	killed := func() *story.Story { return story.Ended(42.5, 137, "Error").Limit().Is("killed-externally") }
	oomd := "Killed " + story.Cgroup +
		" due to memory pressure for /kubepods being 85.12% > 60.00% for > 30s with reclaim activity"
	asKernel := func(change func(*story.Story)) func(string) *story.Story {
		return func(unit string) *story.Story {
			s := killed()
			change(s)
			for _, text := range oomLines(4711) {
				s.Stranger(42.4, "kernel", text, map[string]string{"_SYSTEMD_UNIT": unit})
			}
			return s
		}
	}
	return append(Variants("a SIGKILL from the node, and /dev/kmsg written with pid %d", func(pid int) *story.Story {
		return killed().Kmsg(42.4, oomLines(pid)...)
	}, 4711, 1, 4712),
		append(Variants("a SIGKILL from the node, and an identifier kernel of unit %q",
			asKernel(func(*story.Story) {}), "", "cri-containerd-eeee.scope"),
			Written{"a stop through the runtime, and an identifier kubelet", func() *story.Story {
				s := stopped(137)
				for _, text := range forgery(40) {
					s.Stranger(39.99, "kubelet", text, nil)
				}
				return s
			}},
			Written{"a stop through the runtime, and an identifier kubelet of a user's unit", func() *story.Story {
				s := stopped(137)
				for _, text := range forgery(40) {
					s.Stranger(39.99, "kubelet", text, map[string]string{"_SYSTEMD_UNIT": "user@1000.service",
						"_SYSTEMD_USER_UNIT": "kubelet.service", "_UID": "1000"})
				}
				return s
			}},
			Written{"an exit of its own, and an identifier containerd that requests a stop", func() *story.Story {
				return story.Ended(42.5, 3, "Error").Stranger(40, "containerd", `time="`+
					story.At(40).Format("2006-01-02T15:04:05.000000000Z07:00")+`" level=info msg="StopContainer for \"`+
					story.OldID+`\" with timeout 30 (s)"`, nil).Is("app-exit-error")
			}},
			Written{"a SIGKILL from the node, and an identifier systemd-oomd",
				func() *story.Story { return killed().Stranger(42.4, "systemd-oomd", oomd, nil) }},
			Written{"a SIGKILL from the node, and an identifier earlyoom", func() *story.Story {
				return killed().Stranger(42.4, "earlyoom",
					`sending SIGKILL to process 4711 uid 0 "web": badness 801, VmRSS 262 MiB`, nil)
			}},
			Written{"a SIGKILL from the node, and an identifier systemd that a runtime was stopped", func() *story.Story {
				return killed().Stranger(42.3, "systemd", "Stopping docker.service - Docker Application Container Engine...",
					map[string]string{"UNIT": "docker.service"}).
					Stranger(42.6, "systemd", "Started docker.service - Docker Application Container Engine.",
						map[string]string{"UNIT": "docker.service"})
			}},
			Written{"a SIGTERM from the node, and a line of the kernel's first boot line in /dev/kmsg", func() *story.Story {
				return story.Ended(42.5, 255, "Unknown").Kmsg(43, "Linux version 6.1.0-13-amd64 (debian-kernel@lists.debian.org)")
			}})...)
}
