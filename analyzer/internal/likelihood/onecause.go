package likelihood

import (
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// stopping reports whether the kubelet logged that it tried to stop it.
func stopping(f *finding.Findings) bool {
	return signs.TakenDown(f) ||
		timeline.Has(f.R.From.Marks, func(h evidence.HookFailed) bool { return h.Hook == "PreStop" })
}

// ofClass reports whether a pod has a QoS class.
func ofClass(class string) func(*finding.Findings) bool {
	return func(f *finding.Findings) bool { return f.R.Pod != nil && f.R.Pod.QOSClass == class }
}

// looping reports whether a container ended again and again: the kubelet waits longer and longer before it starts it.
func looping(f *finding.Findings) bool {
	return f.R.Waiting.Reason == "CrashLoopBackOff" || timeline.Has[evidence.BackedOff](f.R.From.Marks, nil)
}

// withOthers reports whether pods of other workloads on its node ended at the same time.
func withOthers(f *finding.Findings) bool { return f.Together >= 2 && f.R.Workloads > 1 }

// halfStopped reports whether containers ended with those of other workloads, some of them stopped in order and some
// lost: a machine that goes down does not wait for all.
func halfStopped(f *finding.Findings) bool { return f.Together > 0 && f.R.Workloads > 1 && f.R.Mixed }

// awayAtOnce reports whether the machine may have gone down with the end, and not while that waited for its next start.
func awayAtOnce(f *finding.Findings) bool { return signs.Away(f) && !signs.EndsOften(f) }

// oftenAlone reports whether it ended often by itself: a machine that is switched off each evening ends all of them
// often.
func oftenAlone(f *finding.Findings) bool { return signs.Often(f) && !withOthers(f) }

// mentions reports whether an end is known only from a line of text with one of these words. Such a line has no parser:
// it is the message that diag/internal/mention made of it.
func mentions(words ...string) func(*finding.Findings) bool {
	return func(f *finding.Findings) bool {
		if f.Exit.Known {
			return false
		}
		line := said(f)
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(line, w) })
	}
}

// mentionsBut is mentions for lines that some form does not match.
func mentionsBut(form *regexp.Regexp, words ...string) func(*finding.Findings) bool {
	holds := mentions(words...)
	return func(f *finding.Findings) bool { return holds(f) && !form.MatchString(said(f)) }
}

// ofPods matches what people say of pods that are started again, in the words for a machine, which they do not mention.
var ofPods = regexp.MustCompile(`(?i)^[^.;]{0,40}\bpods?\b[^.;]{0,16}\breboot(?:s|ed|ing)?\b|` +
	`^[^.;]{0,40}\breboots of (?:\w+ ){0,4}pods\b|\b(?:pods?|containers?) (?:is|are|was|were|gets?|got|keeps?) (?:\w+ )?reboot`)

// askedPart reports whether a static pod of the control plane ended with 0: it serves until it is asked to stop.
func askedPart(f *finding.Findings) bool {
	return f.Exit.Known && f.Exit.Code == 0 && f.R.Namespace == "kube-system" && static(f) &&
		(f.R.Container == "etcd" || strings.HasPrefix(f.R.Container, "kube-"))
}

// kin reports whether nothing is known of this end, and holds accepts the end of a pod of the same workload.
func kin(holds func(*finding.Findings) bool) func(*finding.Findings) bool {
	return func(f *finding.Findings) bool { return f.Kin != nil && holds(f.Kin) }
}

// kinLooks reports whether such a pod's end has this form.
func kinLooks(look Look) func(*finding.Findings) bool {
	return kin(func(k *finding.Findings) bool { return LookOf(k) == look })
}

// kinKilled reports whether the kubelet killed such a pod for a reason.
func kinKilled(reason evidence.KillReason) func(*finding.Findings) bool {
	return kin(func(k *finding.Findings) bool { return k.Kill.Answer == finding.Yes && k.Kill.Reason == reason })
}

// lastWords reports whether the container's last output, which is the message of its end (terminationMessagePolicy),
// has one of the texts.
func lastWords(of ...string) func(*finding.Findings) bool {
	return func(f *finding.Findings) bool {
		said := f.R.From.Message.String()
		return said != "" && !f.R.Mentioned() &&
			slices.ContainsFunc(of, func(w string) bool { return strings.Contains(said, w) })
	}
}

// refusesForm reports whether a pod cannot be made because kubelet and runtime name cgroups differently. The words are
// of runc (libcontainer/specconv), CRI-O (internal/config/cgmgr), dockerd (daemon_unix.go) and the kubelet of Docker.
func refusesForm(f *finding.Findings) bool {
	return slices.ContainsFunc([]string{"expected cgroupsPath to be of format", "did not receive slice as parent",
		"received systemd slice as parent", "cgroup-parent for systemd cgroup should be a valid slice",
		"is different from docker cgroup driver"}, func(w string) bool { return strings.Contains(f.R.Waiting.Message, w) })
}

// ofOneCause are facts of the table that suggest one cause, and rarely hold.
var ofOneCause = []fact{
	{"the kernel kills it last (Guaranteed)", ofClass("Guaranteed"), factors{causes.OOMNode: .1}},
	{"the runtime reports a kill for memory, and gave the container a limit",
		func(f *finding.Findings) bool { return f.OOM.Label && f.R.Spec == nil && f.R.From.MemoryLimit > 0 },
		factors{causes.OOMContainerLimit: 3}},
	{"the kernel kills it first (BestEffort)", ofClass("BestEffort"), factors{causes.OOMNode: 2}},
	{"a resize restarted it, and no new kubelet is known, without which no record gets lost",
		func(f *finding.Findings) bool {
			return f.Kill.Reason == evidence.KillResize && f.NodeEvents.Kubelet.Answer != finding.Yes
		}, factors{causes.ResizeRestart: 4}},
	{"a part of the control plane ended without an error", askedPart, factors{causes.AppExitZero: .02}},
	{"its last words are of a crash",
		func(f *finding.Findings) bool { return signs.Crash(f) != "" || lastWords("goroutine ")(f) },
		factors{causes.AppExitError: 20, causes.AppSignal: 5}},
	{"its last words are of one that was asked to stop",
		lastWords("SIGTERM", "signal: terminated", "signal terminated", "shutting down", "Shutting down", "raceful shutdown"),
		factors{causes.AppExitError: .2, causes.AppExitZero: .2, causes.AppSignal: .3}},
	{"all that is known of its end is that a runtime stopped, failed or started",
		mentions("Stopped containerd", "Stopping containerd", "containerd container runtime", "containerd.service",
			"daemon-containerd", "CRI-O", "CRI service", "Processing signal", "Daemon shutdown", "Docker Application",
			"docker.service", "crio.service", "Container Runtime", "Lightweight Kubernetes", "Rancher Kubernetes",
			"Zero Friction Kubernetes", "snap application ", "k3s.service", "k3s-agent.service", "k3s[", "rke2[",
			"rke2-server.service", "rke2-agent.service", "k0sworker.service", "k0scontroller.service", "microk8s.daemon-",
			"snap.k8s.containerd",
			"snap.docker.dockerd", "containerd: panic", "containerd: fatal error",
			"systemctl restart docker", "systemctl restart containerd", "systemctl restart cri", "systemctl restart k3s",
			"systemctl restart rke2", "systemctl restart snap", "snap restart", "efresh snap",
			"command for snap", "service[cri]"),
		factors{causes.RuntimeRestarted: 60, causes.NodeReboot: 2}},
	{"all that is known of its end is that a runtime ended itself", signs.RuntimeFell,
		factors{causes.RuntimeRestarted: 60}},
	{"all that is known of its end is that a machine went down or came up",
		mentionsBut(ofPods, "eboot", "Kernel panic", "Power key", "powering down", "Linux version", "Booting Linux on",
			"Command line: ", "ysrq: ", "SysRq : ", "LINUX RESTART", "=SYSTEM_", "uncleanly shut", "dirty shutdown",
			"HARDWARE PROTECTION",
			"critical temperature", " of computer ", "cleanly shutting down", "was unexpected", "compute.instances.",
			"HA restarted", "Boot Initiated", "[talos] shutdown ", "[talos] upgrade ",
			"systemd[1]: Shutting down", "Reached target", "powering down", "halting", "will power off now", "will halt now",
			"Powering Off", "Power-Off", "Power Off", "systemd-shutdown[", "Starting new kernel", "RedeployScheduled",
			"Redeploy Scheduled"), factors{causes.NodeReboot: 20}},
	{"all that is known of its end is the kernel's report of a fault of its own, or of a disk's", ofKernel,
		factors{causes.NodeReboot: 60}},
	{"all that is known is that a process of it was sent the signal by which the kernel makes room",
		mentions("signal 9", "signal: 9", "signal: killed", "SIGKILL", `"Killed"`, "'Killed'"),
		factors{causes.OOMContainerLimit: 12, causes.OOMNode: 5}},
	{"a text asks, or a row counts restarts that nothing dates, and a boot of the machine is beside it",
		func(f *finding.Findings) bool { return !f.Exit.Known && signs.BootBeside(f) }, factors{causes.NodeReboot: 10}},
	{"a table's row counts one restart for each boot of its node, or a multiple of them, as of several containers",
		signs.OnePerBoot, factors{causes.NodeReboot: 10}},
	{"a text asks, or a row has a container that its runtime lost, and a start of the machine's runtime is beside it",
		func(f *finding.Findings) bool { return (!f.Exit.Known || f.Exit.Lost) && signs.RuntimeBeside(f) },
		factors{causes.RuntimeRestarted: 60}},
	{"the kernel's line is of a machine without memory, and of no cgroup at its limit",
		func(f *finding.Findings) bool { // beside a row it may be of any pod: signs.KilledBeside
			return f.R.Mentioned() &&
				mentions("constraint=CONSTRAINT_NONE", "global_oom", "Out of memory: Kill", "Out of memory (")(f)
		},
		factors{causes.OOMNode: 60}},
	{"the runtime found its files of the node's sandboxes gone from /run, which a boot empties", signs.RunEmptied,
		factors{causes.NodeReboot: 60}},
	{"the words are of a daemon that kills when the machine runs short of memory", mentions("[talos] Sending SIGKILL",
		"OOMController", "OOM controller", "systemd-oomd", "earlyoom", "due to memory pressure for", "due to memory used (",
		"sending SIGTERM to process", "sending SIGKILL to process"), factors{causes.OOMNode: 60}},
	{"a person says that the image of the running pod was changed", func(f *finding.Findings) bool {
		return f.R.Mentioned() && timeline.Has(f.R.From.Marks, func(k evidence.KillDecided) bool {
			return strings.Contains(k.Message.String(), "(its image)")
		})
	}, factors{causes.SpecImageChanged: 20}},
	{"kubelet and runtime were restarted as one service, and the pod got a new sandbox", signs.BothRestarted,
		factors{causes.RuntimeRestarted: 10, causes.SandboxNoIP: 10, causes.SandboxMissing: 3, causes.SandboxDied: .2,
			causes.NodeReboot: .3, causes.AppExitZero: .1}},
	{"an init container ended, and nothing shows how",
		func(f *finding.Findings) bool { return !f.Exit.Known && f.R.ContainerKind == evidence.KindInit },
		factors{causes.InitContainerFailed: 400, causes.AppExitError: .1, causes.AppExitZero: 0, causes.AppSignal: .1}},
	{"nothing shows its end, and beside it the kernel killed a process because the machine had no memory left",
		func(f *finding.Findings) bool { return signs.KilledBeside(f, true) }, factors{causes.OOMNode: 60}},
	{"nothing shows its end, and beside it the kernel killed a process of a cgroup at its limit",
		func(f *finding.Findings) bool { return signs.KilledBeside(f, false) },
		factors{causes.OOMContainerLimit: 60, causes.OOMPodLimit: 30}},
	{"it waits to be started again after several ends, of which the last one is not told",
		func(f *finding.Findings) bool { return !f.Exit.Known && looping(f) },
		factors{causes.AppExitError: 5, causes.LivenessProbeFailed: 2, causes.OOMContainerLimit: 2,
			causes.CgroupDriverMismatch: 3, causes.NodeReboot: .1, causes.NodeShutdown: .1, causes.RuntimeRestarted: .2,
			causes.SpecImageChanged: .1, causes.HashKubeletUpgrade: .1, causes.PodDeleted: .05}},
	{"it was started again many times, and runs",
		func(f *finding.Findings) bool { return !f.Exit.Known && oftenAlone(f) && !looping(f) },
		factors{causes.AppExitError: 5, causes.LivenessProbeFailed: 2, causes.OOMContainerLimit: 2,
			causes.SpecImageChanged: .1, causes.HashKubeletUpgrade: .1, causes.PodDeleted: .05}},
	{"the kubelet had been running for longer than it takes to look at all that it finds",
		func(f *finding.Findings) bool {
			return f.NodeEvents.Kubelet.Answer == finding.Yes && f.Kill.Answer == finding.Yes && !signs.StoppedByNew(f)
		}, factors{causes.HashKubeletUpgrade: .2, causes.HashAPIServerChange: .5}},
	{"the kubelet was about to stop it, and nothing tells why",
		func(f *finding.Findings) bool { return !f.Exit.Known && f.Kill.Answer != finding.Yes && stopping(f) },
		factors{causes.PodDeleted: 12, causes.APIEvicted: 20, causes.LivenessProbeFailed: 3, causes.SandboxDied: 2,
			causes.EvictedMemory: 10, causes.EvictedDisk: 10, causes.NodeShutdown: 3, causes.AppExitError: .05,
			causes.AppExitZero: .05, causes.NodeReboot: .2, causes.OOMContainerLimit: .1}},
	{"a part of the control plane is started again and again: of new clusters that is the commonest reason",
		func(f *finding.Findings) bool {
			return !f.Exit.Known && f.R.Namespace == "kube-system" && (looping(f) || oftenAlone(f))
		}, factors{causes.CgroupDriverMismatch: 10}},
	{"nothing is told of its end but failures of its liveness probe", func(f *finding.Findings) bool {
		return !f.Exit.Known && (signs.SeenFailing(f, finding.Liveness) || signs.Unhealthy(f, finding.Liveness))
	}, factors{causes.LivenessProbeFailed: 8}},
	{"nothing is told of its end but failures of its startup probe",
		func(f *finding.Findings) bool { return !f.Exit.Known && signs.SeenFailing(f, finding.Startup) },
		factors{causes.StartupProbeFailed: 6}},
	{"the runtime's word for every code but 0, without the code",
		func(f *finding.Findings) bool { return !f.Exit.Known && f.R.From.Reason == "Error" },
		factors{causes.AppExitError: 6, causes.AppExitZero: 0}},
	{"the pod was ended as a whole: disks run full more often than memory does, and few clusters limit processes",
		func(f *finding.Findings) bool { return LookOf(f) == NotStarted },
		factors{causes.EvictedDisk: 2, causes.EvictedPID: .1}},
	{"processes of the node run in directories with the names of systemd's cgroups", signs.Misspelt,
		factors{causes.CgroupDriverMismatch: 200}},
	{"kubelet and runtime were told different cgroup drivers", signs.DriversDiffer,
		factors{causes.CgroupDriverMismatch: 60}},
	{"the runtime refuses the form in which the other cgroup driver names cgroups", refusesForm,
		factors{causes.CgroupDriverMismatch: 200}},
	{"it, or a pod of its workload, failed its liveness probe", kinKilled(evidence.KillLiveness),
		factors{causes.LivenessProbeFailed: 30}},
	{"it, or a pod of its workload, failed its startup probe", kinKilled(evidence.KillStartup),
		factors{causes.StartupProbeFailed: 60}},
	{"it, or a pod of its workload, was killed for memory", kinLooks(Label),
		factors{causes.OOMContainerLimit: 40, causes.OOMNode: 10}},
	{"it, or a pod of its workload, ended with an error of its own",
		kin(func(k *finding.Findings) bool {
			return LookOf(k) == Code || !k.Exit.Known && k.R.From.Reason == "Error"
		}),
		factors{causes.AppExitError: 10}},
	{"it, or a pod of its workload, was lost by its runtime", kinLooks(Lost),
		factors{causes.NodeReboot: 10, causes.RuntimeRestarted: 5}},
	{"a node was out of memory right before, and it is not known which node the pod was on", signs.ShortSomewhere,
		factors{causes.OOMNode: 15}},
	{"the node was closed to new pods shortly before", signs.Emptied, factors{causes.APIEvicted: 20}},
	{"a fault killed processes of the node, and the container crashes again and again", signs.Faulted,
		factors{causes.AppSignal: 30}},
	{"nothing shows its end, and beside it a machine had no memory left", signs.ShortBeside,
		factors{causes.OOMNode: 15}},
	{"nothing shows its end, and beside it a fault killed a process", signs.FaultBeside,
		factors{causes.AppSignal: 30}},
	{"a part of the control plane that ends itself with this code when it loses its lease", signs.LostLease,
		factors{causes.AppExitError: 5, causes.RuntimeRestarted: .6, causes.NodeReboot: .6}},
	{"its pod ended with it, and nothing recreated it: a changed container is started again, if it can be",
		func(f *finding.Findings) bool { return f.R.To == nil && f.R.Pod != nil && f.R.Pod.Ended() },
		factors{causes.SandboxDied: .2, causes.SandboxMissing: .2, causes.HashKubeletUpgrade: .02,
			causes.SpecImageChanged: .02, causes.SpecChanged: .02, causes.HashAPIServerChange: .02}},
	{"the kernel killed the process of a sandbox of its pod", signs.PauseKilled,
		factors{causes.OOMPodLimit: 60, causes.SandboxDied: 30, causes.OOMContainerLimit: 3}},
}

// ofKernel reports whether the words of an end are what a kernel says of itself before its machine goes down.
var ofKernel = mentions("BUG: ", "Unable to handle kernel", "kernel BUG at", "general protection fault, ",
	"general protection fault: 0", "divide error: 0", "Oops: ", "lockup", "LOCKUP", "detected stall", "self-detected",
	"blocked for more than", "Machine Check", "Hardware Error", "I/O error", "-fs error", "kernel panic", "Call Trace",
	"controller is down", "kdump", "vmcore", "hung_task")
