// Package state holds the causes in which only state was lost: the kubelet or the runtime no longer knew the container,
// and one of them made something up.
//
// Rules only: findings in, claims out. See package causes.
package state

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{
		{ID: causes.ContainerStatusUnknown, Hypothesis: sim.RecordGone,
			Title: "The kubelet lost the container's record and recorded a placeholder exit code",
			Claim: statusUnknown, Against: againstStatus, Do: causes.Always("find out what removes containers on the node " +
				"without the kubelet: crictl rm, prune jobs, a wiped or replaced state directory of the runtime")},
		{ID: causes.ContainerUnknownState, Hypothesis: sim.StateUnknown,
			Title: "The runtime did not know the container's state, so the kubelet replaced it",
			Claim: unknownState, Against: againstState, Do: causes.Always("find out what happened to the " +
				"runtime: journalctl -u containerd -u crio -u docker on {node} (crash, full disk, lost shim)")},
	}
}

// Told returns the pages of states that are no causes themselves and appear only in chains.
func Told() []causes.Rule {
	return []causes.Rule{
		{ID: causes.OOMLabelStale, Title: "The state says OOMKilled, but this exit was not"},
		{ID: causes.BackoffWaiting, Title: "Not restarted yet: the kubelet is waiting"},
	}
}

// reasonUnknown is the reason that the kubelet sets for a container whose record it cannot find (kubelet v1.20
// kubelet_pods.go convertToAPIContainerStatuses).
const reasonUnknown = "ContainerStatusUnknown"

// statusUnknown is the fallback when nothing shows why the record is gone.
func statusUnknown(f *finding.Findings) *causes.Claim {
	if !f.Exit.Invented || f.Exit.Reason != reasonUnknown || explained(f) {
		return nil
	}
	what := "the kubelet no longer found the container in the runtime and recorded a placeholder exit code (137, " +
		"ContainerStatusUnknown)"
	s := causes.Strong
	if p := f.R.Pod; p != nil && p.Row() {
		s = causes.Weak // in a row the container's reason hides the pod's: an evicted pod looks the same
	}
	return &causes.Claim{
		Strength: s,
		Chain: []causes.Link{{Cause: causes.ContainerStatusUnknown, Text: what, At: f.R.End(), Evidence: f.Exit.Evidence},
			causes.Then(f)},
		Summary: causes.Who(f) + ": " + what + "; no process returned 137, and this is not a sign of a memory problem",
		Needs: append(causes.NeedLogs(f), causes.NeedNode(f, "what happened to the runtime's record",
			"a cleanup job, a wiped runtime directory and a lost node look the same from here")),
	}
}

// explained reports whether a larger event took the record away.
func explained(f *finding.Findings) bool {
	return f.End.Answer == finding.Yes || f.NodeEvents.Boot.Answer == finding.Yes ||
		f.NodeEvents.Runtime.Answer == finding.Yes || f.Switch.Answer == finding.Yes
}

func againstStatus(f *finding.Findings) causes.Against {
	switch {
	case f.Exit.Known && (!f.Exit.Invented || f.Exit.Reason != reasonUnknown):
		return causes.Contradict(causes.Exited(f, ": the runtime knew how it ended"), f.Exit.Evidence...)
	case f.Kill.Answer == finding.Yes && f.Exit.Reason != reasonUnknown:
		return causes.KilledByKubelet(f)
	case f.End.Answer == finding.Yes && f.R.To == nil:
		return causes.Contradict("the whole pod had ended, and that explains the lost record", f.End.Evidence...)
	case f.NodeEvents.Boot.Answer == finding.Yes:
		return causes.Contradict("the node rebooted, and that explains the lost record", f.NodeEvents.Boot.Evidence...)
	case f.Switch.Answer == finding.Yes:
		return causes.Contradict("the kubelet was switched to another container runtime, and that explains the lost record",
			f.Switch.Evidence...)
	}
	return causes.Against{}
}

// unknownState claims from the kubelet's own message, where the runtime's problem behind it is unknown.
func unknownState(f *finding.Findings) *causes.Claim {
	if f.UnknownState.Answer != finding.Yes || explained(f) || causes.StatedReason(f) {
		return nil
	}
	what := "the runtime did not know the state of the container, so the kubelet killed it in case it was still running"
	steps := []causes.Link{{Cause: causes.ContainerUnknownState, Text: what,
		At: f.UnknownState.At, Evidence: f.UnknownState.Evidence}}
	if f.Kill.Answer == finding.Yes {
		steps = append(steps, causes.Link{Role: report.RoleDecision, Text: "the kubelet asked the runtime to stop it",
			At: f.Kill.At, Evidence: f.Kill.Evidence})
	}
	return &causes.Claim{
		Strength: causes.Decisive, Chain: append(steps, causes.EndStep(f), causes.Then(f)),
		Needs:   causes.NeedRuntimeLog(f),
		Summary: causes.Who(f) + ": " + what + " and started a new one",
	}
}

func againstState(f *finding.Findings) causes.Against {
	switch {
	case causes.StatedReason(f):
		return causes.KilledByKubelet(f)
	case f.UnknownState.Answer == finding.Yes && !explained(f):
		return causes.Against{}
	case f.NodeEvents.Boot.Answer == finding.Yes:
		return causes.Contradict("the node rebooted", f.NodeEvents.Boot.Evidence...)
	case f.Hook.Answer == finding.Yes:
		return causes.Contradict("its postStart hook had failed, and the kubelet kills a container for that right away",
			f.Hook.Evidence...)
	case f.Kill.Answer == finding.No:
		return causes.Contradict("the kubelet's log covers this time and shows no kill of this container")
	case f.End.Answer == finding.Yes && f.R.To == nil:
		return causes.Contradict("the whole pod had ended", f.End.Evidence...)
	case f.Sandbox.Changed.Answer == finding.Yes && f.Kill.Reason != "":
		return causes.Contradict("the kubelet stopped the whole pod because of its sandbox", f.Sandbox.Changed.Evidence...)
	case f.OOM.Answer == finding.Yes && f.Kill.Answer != finding.Yes:
		return causes.Contradict("the kernel's OOM killer killed it", f.OOM.Evidence...)
	}
	return causes.EndedByItself(f)
}
