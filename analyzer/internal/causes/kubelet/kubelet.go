// Package kubelet holds the causes in which the kubelet, its configuration of the node or the runtime under it was
// changed: it was restarted, was given another container runtime, or looks for the pods' cgroups in another place. It
// also holds what only looks like a restart in the API.
//
// Rules only: findings in, claims out. See package causes.
package kubelet

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{
		{
			ID: causes.RuntimeSwitched, Hypothesis: sim.SandboxMissing,
			Title:    "The kubelet was switched to another container runtime",
			WholePod: true, Claim: switched, Against: againstSwitched, Do: drainFirst,
		},
		{
			ID: causes.CgroupDriverMismatch, Hypothesis: sim.CgroupMissing, Linux: true,
			Title:    "The kubelet and the runtime put pod cgroups in different places",
			WholePod: true, Claim: mismatch, Against: againstMismatch, Do: causes.Always(
				"compare cgroupDriver in the kubelet's configuration (/var/lib/kubelet/config.yaml) with SystemdCgroup " +
					"(containerd) or cgroup_manager (CRI-O) on the node; both must name the same driver"),
		},
		{
			ID: causes.PodCgroupMissing, Hypothesis: sim.CgroupMissing, Linux: true,
			Title:    "The kubelet did not find the pod's cgroup and killed the pod",
			WholePod: true, Claim: missing, Against: againstMissing, Do: causes.Always(
				"compare cgroupDriver, cgroupRoot, cgroupsPerQOS and the pod's QoS class before and after: the kubelet's "+
					"flags, /var/lib/kubelet/config.yaml, kubectl get pod {pod} -o jsonpath='{.status.qosClass}'",
				"drain a node before changing any of them"),
		},
		{
			ID: causes.KubeletRestarted, Title: "The kubelet restarted and stopped the pod",
			WholePod: true, Claim: restarted, Against: againstRestarted, Do: causes.Always(
				"find out why the kubelet restarted: journalctl -u kubelet on {node}",
				"check the status of the pod and of the pods that replaced it"),
		},
		{
			ID:           causes.ReadinessFlip,
			Title:        "The pod was briefly not ready after its kubelet restarted: not a container restart",
			NothingEnded: true, Claim: flip, Against: againstFlip, Do: causes.Always(
				"nothing in the workload needs a fix: kubelets from v1.35 on keep the readiness of running containers",
				"restart kubelets one after another: every pod on the node leaves its Services for a moment"),
		},
		{
			ID: causes.MirrorPodDeleted, Title: "A static pod's mirror pod was recreated: not a container restart",
			NothingEnded: true, Claim: mirror, Against: againstMirror, Do: causes.Always(
				"deleting a mirror pod restarts nothing; to restart the static pod, move its manifest out of the static pod " +
					"directory on {node} and back"),
		},
	}
}

// silently reports whether the kubelet killed the whole pod in this restart without logging a reason.
func silently(f *finding.Findings) bool {
	return f.Kill.Answer == finding.Yes && (f.Kill.Reason == "" || f.Kill.Reason == evidence.KillPod)
}

// notSilent returns the contradictions shared by the causes in which the kubelet kills a whole pod without a reason.
func notSilent(f *finding.Findings) causes.Against {
	switch {
	case causes.StatedReason(f):
		return causes.KilledByKubelet(f)
	case f.Kill.Answer == finding.No:
		return causes.Contradict("the kubelet's log covers this time and shows no kill of this container")
	case f.Stop.Answer == finding.No && !f.Exit.Invented:
		return causes.Contradict("the runtime's log covers this time and shows no request to stop it")
	case f.Exit.Lost:
		return causes.Contradict("the runtime lost it (255 \"Unknown\"): nothing stopped it", f.Exit.Evidence...)
	case f.NodeEvents.Boot.Answer == finding.Yes:
		return causes.Contradict("the node rebooted", f.NodeEvents.Boot.Evidence...)
	case f.Hook.Answer == finding.Yes:
		return causes.Contradict("its postStart hook had failed, and the kubelet kills a container for that right away",
			f.Hook.Evidence...)
	case f.UnknownState.Answer == finding.Yes:
		return causes.Contradict("the kubelet stopped it because the runtime did not know its state",
			f.UnknownState.Evidence...)
	case f.End.Answer == finding.Yes && (f.R.To == nil || f.End.Soft):
		return causes.Contradict("the whole pod had ended: "+string(f.End.How), f.End.Evidence...)
	case f.Sandbox.Changed.Answer == finding.No && f.R.To != nil:
		return causes.Contradict("the pod kept its sandbox: only containers in it were stopped",
			f.Sandbox.Changed.Evidence...)
	case f.Kill.Answer != finding.Yes:
		return causes.FirstOf(f, causes.EndedByItself, causes.OutOfMemory)
	}
	return causes.Against{}
}

// sandboxFirst contradicts a kill for a reason other than the sandbox, if the sandbox was the reason.
func sandboxFirst(f *finding.Findings) causes.Against {
	switch s := f.Sandbox; {
	case s.DiedFirst.Answer == finding.Yes && s.Certain:
		return causes.Contradict("the pod's sandbox had died before the kubelet's first kill", s.DiedFirst.Evidence...)
	case s.Reason != "" && s.Reason != evidence.SandboxNotReady:
		return causes.Contradict("the kubelet says that it replaced the sandbox for another reason: "+string(s.Reason),
			s.Changed.Evidence...)
	case s.KilledFirst.Answer == finding.No:
		return causes.Contradict("the kubelet checked the sandbox first and killed the pod because of it",
			s.KilledFirst.Evidence...)
	}
	return causes.Against{}
}
