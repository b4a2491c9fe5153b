package lookup

import (
	"cmp"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// byName finds entries by their exact term.
var byName = func() map[string]*Meaning {
	out := map[string]*Meaning{}
	for i := range entries {
		out[entries[i].Term] = &entries[i]
	}
	return out
}()

// OfFact returns the entry for what a line states. It is false for facts that no line has.
func OfFact(f evidence.Fact) (Meaning, bool) {
	term := cmp.Or(statements[f.Statement()], ofVariant(f))
	if e := byName[term]; e != nil {
		return *e, true
	}
	return Find(term)
}

// statements are the terms of facts that mean the same whatever their fields say.
var statements = map[string]string{
	"kernel.booted":                   "node booted",
	"kernel.hung-task":                "hung task",
	"kernel.segfault":                 "segfault",
	"kubelet.backed-off":              "CrashLoopBackOff",
	"kubelet.cgroup-missing":          "cgroup missing",
	"kubelet.container-died":          "SyncLoop (PLEG): ContainerDied",
	"kubelet.container-removed":       "container removed",
	"kubelet.container-started":       "SyncLoop (PLEG): ContainerStarted",
	"kubelet.eviction-pressure":       "EvictionThresholdMet",
	"kubelet.exited":                  "kubelet ended",
	"kubelet.image-seen":              "Pulled",
	"kubelet.kill-failed":             "container could not be killed",
	"kubelet.kill-finished":           "Container exited normally",
	"kubelet.kill-started":            "Killing container with a grace period",
	"kubelet.log-file-read":           "log file read",
	"kubelet.manifest-read":           "static pod manifest",
	"kubelet.mirror-pod":              "mirror pod",
	"kubelet.missing-actuated-record": "missing actuated resource record",
	"kubelet.node-shutdown":           "Terminated",
	"kubelet.oom-seen":                "kernel killed a process (kubelet's watch)",
	"kubelet.pod-replaced":            "another pod has the name",
	"kubelet.pod-resize":              "pod resize",
	"kubelet.preemption-planned":      "preemption planned",
	"kubelet.probe-result":            "probe result changed",
	"kubelet.readiness-early":         "readiness before the kubelet's start",
	"kubelet.restart-all":             "RestartAllContainers",
	"kubelet.restart-decided":         "container dead, will be restarted",
	"kubelet.sandbox-changed":         "SandboxChanged",
	"kubelet.setting":                 "kubelet setting",
	"kubelet.settings":                "kubelet setting",
	"kubelet.started":                 "kubelet started",
	"kubelet.static-pod-uid":          "static pod UID",
	"kubelet.uid-reused":              "static pod returned",
	"node.clock-set":                  "clock set",
	"node.cordoned":                   "RemovingNode",
	"node.package-changed":            "package changed",
	"node.power-change":               "node going down",
	"node.rebooted":                   "node booted",
	"node.restart-asked":              "restart requested by a tool",
	"node.system-oom":                 "SystemOOM",
	"node.signalled":                  "signal from outside of a container",
	"node.userspace-oom-kill":         "killed for memory by a daemon of the node",
	"runtime.container-created":       "container created or started (runtime)",
	"runtime.exec-exited":             "end of a command in a container",
	"runtime.exec-started":            "command run in a container (kubectl exec)",
	"runtime.failed":                  "call to the runtime failed",
	"runtime.sandbox-created":         "container created or started (runtime)",
	"runtime.sandbox-stop-requested":  "sandbox stop request to the runtime",
	"runtime.sandbox-stopped":         "sandbox stop request to the runtime",
	"runtime.shim-lost":               "shim lost",
	"runtime.started":                 "runtime started",
	"runtime.state-lost":              "container state lost",
	"runtime.stop-requested":          "stop request to the runtime",
	"runtime.removal-requested":       "stop request to the runtime",
	"runtime.stopping":                "runtime stopping",
	"runtime.task-oom":                "out of memory (runtime)",
	"runtime.task-started":            "container created or started (runtime)",
	"systemd.unit-changed":            "kubelet or runtime unit changed",
}

var kills = map[evidence.KillReason]string{
	evidence.KillLiveness:     "Container failed liveness probe, will be restarted",
	evidence.KillStartup:      "Container failed startup probe, will be restarted",
	evidence.KillDefinition:   "Container definition changed, will be restarted",
	evidence.KillPostStart:    "FailedPostStartHook (killing)",
	evidence.KillUnknownState: `Container is in "unknown" state, try killing it before restart`,
	evidence.KillResize:       "Container resize requires restart",
	evidence.KillRestartAll:   "RestartAllContainers", evidence.KillPod: "Stopping container",
	evidence.KillOther: "Killing",
}

var probes = map[evidence.ProbeType]string{
	evidence.ProbeLiveness: "Liveness probe failed", evidence.ProbeReadiness: "Readiness probe failed",
	evidence.ProbeStartup: "Startup probe failed",
}

var sandboxes = map[evidence.SandboxReason]string{
	evidence.SandboxNoIP:     "pod sandbox has no IP",
	evidence.SandboxMultiple: "several pod sandboxes",
	evidence.SandboxNetwork:  "pod network changed",
}

// ofVariant returns the term of a fact whose fields decide what it means.
func ofVariant(f evidence.Fact) string {
	switch f := f.(type) {
	case evidence.KillDecided:
		return kills[f.Reason]
	case evidence.ProbeFailed:
		return either(f.Errored, "Probe errored", probes[f.Probe])
	case evidence.HookFailed:
		return either(f.Hook == "PreStop", "FailedPreStopHook", "PostStartHookError")
	case evidence.ContainerFinished:
		return exit(f.ExitCode)
	case evidence.StartFailed:
		return known(f.Reason, "container could not be started")
	case evidence.RuntimeTrouble:
		return either(f.State == evidence.RuntimeNoNetwork, "NetworkNotReady", "PLEG is not healthy")
	case evidence.SandboxJudged:
		return cmp.Or(sandboxes[f.Reason], "pod sandbox checked")
	case evidence.SandboxUnready:
		return cmp.Or(sandboxes[f.Reason], "pod sandbox checked")
	case evidence.PodConfig:
		return either(f.Op == "DELETE" || f.Op == "REMOVE", "pod config DELETE or REMOVE", "pod config ADD or UPDATE")
	case evidence.PodRejected:
		return known(f.Reason, "PodOSNotSupported") // whatever the kubelet calls it: it refused the pod
	case evidence.PodEvicted:
		if e, ok := OfMessage(f.Message.String()); ok && len(e.Causes) == 1 {
			return e.Term // the message names what ran low
		}
		return known(f.Reason, "Evicted")
	case evidence.PodTeardown:
		return either(f.Reason == evidence.TeardownOrphan, "pod orphaned", "pod teardown")
	case evidence.OOMKill:
		return either(f.Global, "oom-kill: the node's memory", "oom-kill: the container's limit")
	case evidence.TaskExited:
		if f.ExitCode != nil {
			return exit(*f.ExitCode)
		}
		return "process ended (runtime)"
	}
	return ""
}

func either(is bool, then, otherwise string) string {
	if is {
		return then
	}
	return otherwise
}

func exit(code int32) string { return "exit " + strconv.Itoa(int(code)) }

// known returns the term of a reason that has an entry.
func known(reason, otherwise string) string {
	if e, ok := Find(reason); ok {
		return e.Term
	}
	return otherwise
}
