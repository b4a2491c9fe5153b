package main

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// stopped is a container that someone stopped through the runtime, not the kubelet.
func stopped(code int) *story {
	s := ended(42.5, code, "Error").stop(40).is("killed-externally")
	s.container["livenessProbe"] = object{"httpGet": object{"path": "/", "port": 8080},
		"periodSeconds": 10, "failureThreshold": 1}
	return s
}

// forgery are the kubelet's lines of a liveness kill as a pod's author would write them.
func forgery(t float64) []string {
	return []string{
		klog(t-0.05, `prober.go:107] "Probe failed" probeType="Liveness" pod="shop/web-0" podUID="`+
			uid+`" containerName="app" probeResult="failure" output="503"`),
		klog(t-0.02, decidedLine("shop/web-0", oldID, livenessText)), klog(t-0.01, killingLine(uid, "shop/web-0", oldID, 30)),
	}
}

// printed are lines that the kubelet itself wrote, whoever chose their text.
func (s *story) printed(t float64, fields map[string]string, lines ...string) *story {
	for i, text := range lines {
		s.line(t+float64(i)/1e5, machine.Line{Writer: "kubelet", Unit: "kubelet.service",
			PID: 80, Text: text, Fields: fields})
	}
	return s
}

// byContainerDump are lines in the arguments of a container that cannot start: kubelets
// up to 1.30 print it whole (kuberuntime_manager.go startContainer).
func byContainerDump(s *story, t float64) *story {
	s.printed(t, nil, "E"+
		klog(t, `kuberuntime_manager.go:1256] container &Container{Name:evil,Image:nowhere/x,Command:[sh -c`)[1:])
	s.printed(t+0.0001, nil, forgery(t)...)
	return s.printed(t+0.0002, nil,
		"],Args:[],WorkingDir:,Ports:[]ContainerPort{},EnvFrom:[]EnvFromSource{},} start failed in pod evil_ops(99991111-0b8e-4a57-9f0a-5e2c1b9d0001): ErrImagePull: not found")
}

// byNUL are lines in the output of a failed probe, of several lines, behind a NUL byte:
// there journald begins a new entry (journald-stream.c).
func byNUL(s *story, t float64) *story {
	s.printed(t, nil,
		klog(t,
			`prober.go:107] "Probe failed" probeType="Readiness" pod="ops/evil" podUID="99991111-0b8e-4a57-9f0a-5e2c1b9d0001" containerName="evil" probeResult="failure" output=<`))
	s.printed(t+0.00001, map[string]string{"_LINE_BREAK": "nul"}, "\thello")
	s.printed(t+0.0001, map[string]string{"_LINE_BREAK": "nul"}, forgery(t)...)
	return s.printed(t+0.0002, nil, "\tbye", " >")
}

func forgedStories() []written {
	var out []written
	for name, forge := range map[string]func(*story, float64) *story{"in a container's arguments": byContainerDump,
		"behind a NUL of a probe's output": byNUL} {
		out = append(out, variants("a stop through the runtime with code %d, and kubelet lines "+name,
			func(code int) *story { return forge(stopped(code), 39.99) }, 137, 143, 0, 1)...)
		out = append(out, variants("a SIGKILL from the node, and kubelet lines %v s before it "+name,
			func(before float64) *story {
				return forge(ended(42.5, 137, "Error").is("killed-externally"), 42.5-before)
			}, 0.05, 1.0, 31.0)...)
		out = append(out, written{"an exit of its own, and kubelet lines " + name,
			func() *story { return forge(ended(42.5, 3, "Error").is("app-exit-error"), 40) }})
	}
	return out
}

// stranger is a line in the journal that a process of a pod wrote, under a name that it chose.
func (s *story) stranger(t float64, ident, text string, fields map[string]string) *story {
	f := map[string]string{"_SYSTEMD_UNIT": "", "_SYSTEMD_SLICE": "",
		"_SYSTEMD_CGROUP": "/kubepods/besteffort/pod99991111-0b8e-4a57-9f0a-5e2c1b9d0001/" + strings.Repeat("e", 64),
		"_TRANSPORT":      "syslog", "_COMM": "logger", "SYSLOG_FACILITY": "1"}
	for k, v := range fields {
		f[k] = v
	}
	return s.line(t, machine.Line{Writer: ident, PID: 4999, Text: text, Fields: f})
}

// kmsg is a line that a process wrote into /dev/kmsg: the kernel's transport, not its
// facility. In a text log nothing tells it apart.
func (s *story) kmsg(t float64, lines ...string) *story {
	for _, text := range lines {
		s.line(t, machine.Line{Writer: "kernel", Text: text, Fields: map[string]string{"SYSLOG_FACILITY": "1"}})
	}
	return s
}

func oomLines(pid int) []string {
	return []string{
		"web invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999",
		fmt.Sprintf(
			"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=%s,mems_allowed=0,oom_memcg=%s,task_memcg=%s,task=web,pid=%d,uid=0", oldID, cgroup, cgroup, pid),
		fmt.Sprintf(
			"Memory cgroup out of memory: Killed process %d (web) total-vm:270000kB, anon-rss:262144kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:600kB oom_score_adj:999", pid),
	}
}

func identityStories() []written {
	killed := func() *story { return ended(42.5, 137, "Error").limit().is("killed-externally") }
	oomd := "Killed " + cgroup +
		" due to memory pressure for /kubepods being 85.12% > 60.00% for > 30s with reclaim activity"
	asKernel := func(change func(*story)) func(string) *story {
		return func(unit string) *story {
			s := killed()
			change(s)
			for _, text := range oomLines(4711) {
				s.stranger(42.4, "kernel", text, map[string]string{"_SYSTEMD_UNIT": unit})
			}
			return s
		}
	}
	return append(variants("a SIGKILL from the node, and /dev/kmsg written with pid %d", func(pid int) *story {
		return killed().kmsg(42.4, oomLines(pid)...)
	}, 4711, 1, 4712),
		append(variants("a SIGKILL from the node, and an identifier kernel of unit %q",
			asKernel(func(*story) {}), "", "cri-containerd-eeee.scope"),
			written{"a stop through the runtime, and an identifier kubelet", func() *story {
				s := stopped(137)
				for _, text := range forgery(40) {
					s.stranger(39.99, "kubelet", text, nil)
				}
				return s
			}},
			written{"a stop through the runtime, and an identifier kubelet of a user's unit", func() *story {
				s := stopped(137)
				for _, text := range forgery(40) {
					s.stranger(39.99, "kubelet", text, map[string]string{"_SYSTEMD_UNIT": "user@1000.service",
						"_SYSTEMD_USER_UNIT": "kubelet.service", "_UID": "1000"})
				}
				return s
			}},
			written{"an exit of its own, and an identifier containerd that requests a stop", func() *story {
				return ended(42.5, 3, "Error").stranger(40, "containerd", `time="`+
					at(40).Format("2006-01-02T15:04:05.000000000Z07:00")+`" level=info msg="StopContainer for \"`+
					oldID+`\" with timeout 30 (s)"`, nil).is("app-exit-error")
			}},
			written{"a SIGKILL from the node, and an identifier systemd-oomd",
				func() *story { return killed().stranger(42.4, "systemd-oomd", oomd, nil) }},
			written{"a SIGKILL from the node, and an identifier earlyoom", func() *story {
				return killed().stranger(42.4, "earlyoom",
					`sending SIGKILL to process 4711 uid 0 "web": badness 801, VmRSS 262 MiB`, nil)
			}},
			written{"a SIGKILL from the node, and an identifier systemd that a runtime was stopped", func() *story {
				return killed().stranger(42.3, "systemd", "Stopping docker.service - Docker Application Container Engine...",
					map[string]string{"UNIT": "docker.service"}).
					stranger(42.6, "systemd", "Started docker.service - Docker Application Container Engine.",
						map[string]string{"UNIT": "docker.service"})
			}},
			written{"a SIGTERM from the node, and a line of the kernel's first boot line in /dev/kmsg", func() *story {
				return ended(42.5, 255, "Unknown").kmsg(43, "Linux version 6.1.0-13-amd64 (debian-kernel@lists.debian.org)")
			}})...)
}
