package lookup

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// byName finds entries by their exact term and by the statements of their Facts.
var byName = func() map[string]*Meaning {
	out := map[string]*Meaning{}
	for i := range entries {
		for _, name := range append(strings.Fields(entries[i].Facts), entries[i].Term) {
			out[name] = &entries[i]
		}
	}
	return out
}()

// OfFact returns the entry for what a line states. It is false for facts that no line has.
func OfFact(f evidence.Fact) (Meaning, bool) {
	term := ofVariant(f)
	if e := byName[cmp.Or(term, f.Statement())]; e != nil {
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
