package lookup

import (
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
	term := ofKubelet(f)
	if term == "" {
		term = ofPod(f)
	}
	if term == "" {
		term = ofNode(f)
	}
	if e := byName[term]; e != nil {
		return *e, true
	}
	return Find(term)
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

func ofKubelet(f evidence.Fact) string {
	switch f := f.(type) {
	case evidence.KillDecided:
		return kills[f.Reason]
	case evidence.ProbeFailed:
		if f.Errored {
			return "Probe errored"
		}
		return probes[f.Probe]
	case evidence.HookFailed:
		if f.Hook == "PreStop" {
			return "FailedPreStopHook"
		}
		return "PostStartHookError"
	case evidence.KillStarted:
		return "Killing container with a grace period"
	case evidence.KillFinished:
		return "Container exited normally"
	case evidence.KillFailed:
		return "container could not be killed"
	case evidence.ContainerStarted:
		return "SyncLoop (PLEG): ContainerStarted"
	case evidence.ContainerDied:
		return "SyncLoop (PLEG): ContainerDied"
	case evidence.ContainerFinished:
		return "exit " + strconv.Itoa(int(f.ExitCode))
	case evidence.ContainerRemoved:
		return "container removed"
	case evidence.LogFileRead:
		return "log file read"
	case evidence.BackedOff:
		return "CrashLoopBackOff"
	case evidence.RestartDecided:
		return "container dead, will be restarted"
	case evidence.ProbeResultChanged:
		return "probe result changed"
	case evidence.ReadinessEarly:
		return "readiness before the kubelet's start"
	case evidence.StartFailed:
		if e, ok := Find(f.Reason); ok {
			return e.Term
		}
		return "container could not be started"
	case evidence.RuntimeTrouble:
		if f.State == evidence.RuntimeNoNetwork {
			return "NetworkNotReady"
		}
		return "PLEG is not healthy"
	case evidence.KubeletStarted:
		return "kubelet started"
	case evidence.KubeletExited:
		return "kubelet ended"
	case evidence.KubeletSetting, evidence.KubeletSettings:
		return "kubelet setting"
	case evidence.OOMSeen:
		return "kernel killed a process (kubelet's watch)"
	}
	return ""
}

func ofPod(f evidence.Fact) string {
	switch f := f.(type) {
	case evidence.SandboxJudged:
		return sandbox(f.Reason)
	case evidence.SandboxUnready:
		return sandbox(f.Reason)
	case evidence.SandboxChanged:
		return "SandboxChanged"
	case evidence.PodConfig:
		if f.Op == "DELETE" || f.Op == "REMOVE" {
			return "pod config DELETE or REMOVE"
		}
		return "pod config ADD or UPDATE"
	case evidence.MissingActuatedRecord:
		return "missing actuated resource record"
	case evidence.PodRejected:
		if e, ok := Find(f.Reason); ok {
			return e.Term
		}
		return "PodOSNotSupported" // whatever the kubelet calls it: it refused the pod
	case evidence.PodEvicted:
		if e, ok := Find(f.Reason); ok {
			return e.Term
		}
		return "Evicted"
	case evidence.PodTeardown:
		if f.Reason == evidence.TeardownOrphan {
			return "pod orphaned"
		}
		return "pod teardown"
	case evidence.UIDReused:
		return "static pod returned"
	case evidence.PodReplaced:
		return "another pod has the name"
	case evidence.EvictionPressure:
		return "EvictionThresholdMet"
	case evidence.PreemptionPlanned:
		return "preemption planned"
	case evidence.NodeShutdown:
		return "Terminated"
	case evidence.CgroupMissing:
		return "cgroup missing"
	case evidence.ManifestRead:
		return "static pod manifest"
	case evidence.StaticPodUID:
		return "static pod UID"
	case evidence.MirrorPod:
		return "mirror pod"
	case evidence.PodResize:
		return "pod resize"
	case evidence.RestartAll:
		return "RestartAllContainers"
	case evidence.ImageSeen:
		return "Pulled"
	}
	return ""
}

func sandbox(r evidence.SandboxReason) string {
	switch r {
	case evidence.SandboxNoIP:
		return "pod sandbox has no IP"
	case evidence.SandboxMultiple:
		return "several pod sandboxes"
	case evidence.SandboxNetwork:
		return "pod network changed"
	}
	return "pod sandbox checked"
}

func ofNode(f evidence.Fact) string {
	switch f := f.(type) {
	case evidence.OOMKill:
		if f.Global {
			return "oom-kill: the node's memory"
		}
		return "oom-kill: the container's limit"
	case evidence.Segfault:
		return "segfault"
	case evidence.HungTask:
		return "hung task"
	case evidence.KernelBooted, evidence.NodeRebooted:
		return "node booted"
	case evidence.PowerChange:
		return "node going down"
	case evidence.UserspaceOOMKill:
		return "killed for memory by a daemon of the node"
	case evidence.NodeCordoned:
		return "RemovingNode"
	case evidence.SystemOOM:
		return "SystemOOM"
	case evidence.UnitChanged:
		return "kubelet or runtime unit changed"
	case evidence.TaskExited:
		if f.ExitCode != nil {
			return "exit " + strconv.Itoa(int(*f.ExitCode))
		}
		return "process ended (runtime)"
	case evidence.TaskOOM:
		return "out of memory (runtime)"
	case evidence.ExecStarted:
		return "command run in a container (kubectl exec)"
	case evidence.ExecExited:
		return "end of a command in a container"
	case evidence.StopRequested:
		return "stop request to the runtime"
	case evidence.SandboxStopRequested, evidence.SandboxStopped:
		return "sandbox stop request to the runtime"
	case evidence.RuntimeCreated, evidence.SandboxCreated, evidence.TaskStarted:
		return "container created or started (runtime)"
	case evidence.RuntimeStarted:
		return "runtime started"
	case evidence.RuntimeStopping:
		return "runtime stopping"
	case evidence.RuntimeFailed:
		return "call to the runtime failed"
	case evidence.ShimLost:
		return "shim lost"
	case evidence.StateLost:
		return "container state lost"
	case evidence.PackageChanged:
		return "package changed"
	case evidence.RestartAsked:
		return "restart requested by a tool"
	case evidence.ClockSet:
		return "clock set"
	}
	return ""
}
