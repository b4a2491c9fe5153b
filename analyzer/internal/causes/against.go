package causes

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds the contradictions that several causes share.

// kills are texts for the reasons of a kill, which follow "because".
var kills = map[evidence.KillReason]string{
	evidence.KillLiveness:   "its liveness probe failed",
	evidence.KillStartup:    "its startup probe failed",
	evidence.KillDefinition: "its definition changed",
	evidence.KillPostStart:  "its postStart hook failed",
	evidence.KillResize:     "a resize requires a restart",
	evidence.KillRestartAll: "all containers of the pod are restarted",
	evidence.KillPod:        "the pod was being taken down",
}

// KilledByKubelet contradicts every cause in which the container ended without the kubelet.
func KilledByKubelet(f *finding.Findings) Against {
	if f.Kill.Answer != finding.Yes || f.Kill.Unlogged {
		return Against{} // nothing is certain where an event and the log disagree
	}
	because := "the kubelet killed it"
	if words, ok := kills[f.Kill.Reason]; ok {
		because += " because " + words
	}
	return Contradict(because, f.Kill.Evidence...)
}

// KilledForAnotherReason contradicts a cause whose kill the kubelet would have logged with the given reason.
func KilledForAnotherReason(own evidence.KillReason) func(*finding.Findings) Against {
	return func(f *finding.Findings) Against { return killedForAnother(f, own) }
}

func killedForAnother(f *finding.Findings, own evidence.KillReason) Against {
	k := &f.Kill
	switch {
	case k.Twice:
		return Against{} // a kill had begun before this reason was logged: its reason is unknown
	case k.Answer == finding.No:
		return Contradict("the kubelet's log covers this time and shows no kill of this container")
	case k.Answer == finding.Yes && k.Reason != "" && k.Reason != own:
		if k.Reason == evidence.KillPod && own != evidence.KillPod {
			return Contradict("the kubelet stopped the whole pod and names no reason specific to this container", k.Evidence...)
		}
		return Contradict("the kubelet says that it killed the container because "+kills[k.Reason], k.Evidence...)
	case k.Answer == finding.Yes && k.Reason == "" && k.Message == "" && f.KubeletLog && announced[own] &&
		f.R.ContainerKind == evidence.KindApp:
		return Contradict("the kubelet's log shows the kill, but not the line that the kubelet writes before a kill for "+
			"this reason", k.Evidence...)
	}
	return Against{}
}

// announced are the reasons for which the kubelet writes "Message for Container
// of pod" (before 1.21 `Container "x" (…) of pod y: …`) at -v=2 before it kills a
// regular container (kuberuntime_manager.go computePodActions).
var announced = map[evidence.KillReason]bool{evidence.KillLiveness: true,
	evidence.KillStartup: true, evidence.KillDefinition: true}

// StatedReason reports whether the kubelet itself gave a reason that is enough to explain this restart.
func StatedReason(f *finding.Findings) bool {
	return f.Kill.Answer == finding.Yes && f.Kill.Reason != "" && f.Kill.Reason != evidence.KillPod && !whileEnding(f)
}

// whileEnding reports whether the reason was logged when the pod was already ending: kubelets before v1.22 continue its
// probes until its containers have ended.
func whileEnding(f *finding.Findings) bool {
	e := &f.End
	return e.Answer == finding.Yes && f.R.To == nil && !e.At.IsZero() && f.Kill.DecidedAt.Sub(e.At) > tolerance.EndingLag
}

// EndedByItself contradicts causes of an end from outside: the exit code is one
// that a process chooses.
func EndedByItself(f *finding.Findings) Against {
	if e := &f.Exit; e.Chosen() {
		return Contradict("exit code "+Code(e.Code)+" comes from the process itself, not from a signal", e.Evidence...)
	}
	return Against{}
}

// NotTheProcess contradicts causes that interpret the process's own exit code, if the kubelet or the runtime made the
// code up.
func NotTheProcess(f *finding.Findings) Against {
	switch e := &f.Exit; {
	case e.Invented:
		return Contradict(fmt.Sprintf("exit code %d is a placeholder that the kubelet recorded (%s); no process returned it",
			e.Code, e.Reason), e.Evidence...)
	case e.Lost:
		return Contradict("exit code 255 \"Unknown\" means that the runtime lost the process, not that it returned 255",
			e.Evidence...)
	case e.NotStarted:
		return Contradict("the process never ran: "+e.Reason, e.Evidence...)
	}
	return Against{}
}

// StoppedThroughRuntime contradicts an end by the process itself when the runtime, or systemd, got a stop request
// first.
func StoppedThroughRuntime(f *finding.Findings) Against {
	if f.Stop.Answer == finding.Yes {
		return Contradict("the runtime got a request to stop it before it ended", f.Stop.Evidence...)
	}
	if f.UnitStop.Answer == finding.Yes {
		return Contradict("systemd began to stop the unit that it ran in before it ended", f.UnitStop.Evidence...)
	}
	return Against{}
}

// OutsideFirst reports whether something outside had taken away what the container lived in before any kill by the
// kubelet: systemd stopped its unit, or the runtime lost its shim. A kubelet that notices that late tears the pod down,
// too.
func OutsideFirst(f *finding.Findings) bool {
	first := f.UnitStop
	if f.Exit.Shim.Answer == finding.Yes && f.NodeEvents.Runtime.Answer != finding.Yes {
		first = f.Exit.Shim
	}
	killed := f.Kill.Answer == finding.Yes && !first.At.Before(f.Kill.At)
	return first.Answer == finding.Yes && !killed && !f.NodeWentDown()
}

// OutOfMemory contradicts an end by the process itself when the kernel killed it.
func OutOfMemory(f *finding.Findings) Against {
	if f.OOM.Answer == finding.Yes && f.Exit.Known && f.Exit.Code == 137 {
		return Contradict("the kernel's OOM killer killed a process in its cgroup at that moment", f.OOM.Evidence...)
	}
	return Against{}
}

// KilledForTheNode contradicts all other ends when a daemon that kills on low memory names this container.
func KilledForTheNode(f *finding.Findings) Against {
	if f.OOM.Named {
		return Contradict(f.OOM.Killer+" killed it at that moment because the node was low on memory",
			f.OOM.Shortage.Evidence...)
	}
	return Against{}
}

// FirstOf returns the first contradiction.
func FirstOf(f *finding.Findings, checks ...func(*finding.Findings) Against) Against {
	for _, check := range checks {
		if a := check(f); a.Holds() {
			return a
		}
	}
	return Against{}
}

// Any returns a check for the first contradiction of several.
func Any(checks ...func(*finding.Findings) Against) func(*finding.Findings) Against {
	return func(f *finding.Findings) Against { return FirstOf(f, checks...) }
}

// StoppedLike reports whether the exit looks like that of a container that was
// asked to stop: SIGTERM obeyed, or SIGKILL after the grace period.
func StoppedLike(f *finding.Findings) bool {
	e := f.Exit
	return e.Known && !e.Invented && !e.Lost && !f.OOM.Label &&
		(e.StoppedOnWindows() || e.Code == 137 || e.Code == 143 || e.Code == 0)
}
