package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

const (
	inState   = "reason and message in the container's state: `kubectl describe pod`"
	inStatus  = "the pod's status.reason and message"
	inKubelet = "the kubelet's log of that moment"
	inHashes  = "the stored hash of the container: `kubectl restartwhy hash POD`"
	inUnits   = "the start times of kubelet and runtime on the node"
	inUID     = "the pod's UID or its annotation kubernetes.io/config.hash: a new value means a new pod"
)

// own are the words of causes that likelihood has none for, because nothing but the look
// of an end never speaks for them.
var own = map[causes.ID]likelihood.Words{
	causes.StartError: {May: "the runtime could not start the process", Decides: inState},
	causes.CreateError: {
		May:     "the container could not be created, or its image could not be pulled",
		Decides: inState,
	},
	causes.HashAPIServerChange: {
		May:     "the API server may set another field by default, which kubelets up to 1.30 hash",
		Decides: inHashes,
	},
	causes.SpecChanged: {
		May:     "a field of the container other than its image may have been changed (kubelets up to 1.30)",
		Decides: inHashes,
	},
	causes.InitRerun: {
		May:     "the init containers may have run again because their records were gone",
		Decides: "the runtime's records on the node, and what cleans them up",
	},
	causes.ContainerUnknownState: {
		May:     "the runtime may not have known whether the container ran",
		Decides: inKubelet,
	},
	causes.RestartAllContainers: {
		May:     "a restart rule may have restarted all containers of the pod",
		Decides: "the pod's spec: restartPolicyRules, and the exit of the container that has one",
	},
	causes.ResizeRestart: {
		May:     "the container may have been resized in place, with a policy that requires a restart",
		Decides: "the pod's spec: resizePolicy and resources, and its events",
	},
	causes.ResizeRecordMissing: {
		May:     "the kubelet (1.33 and later) may have had no record of the container's resources",
		Decides: "the kubelet's log: \"Missing actuated resource record\"",
	},
	causes.PodOrphaned: {
		May:     "the pod's object may have been gone, so the kubelet stopped what was left of the pod",
		Decides: "the API server's audit log (delete pods), and the kubelet's log",
	},
	causes.PodReplaced: {
		May:     "another pod may have taken the name",
		Decides: "the pod's UID and creation time",
	},
	causes.StaticPodChanged: {
		May:     "the manifest of the static pod may have been changed",
		Decides: inUID,
	},
	causes.StaticPodKubeletUpgrade: {
		May:     "another kubelet version may compute another UID for the same static pod",
		Decides: inUID,
	},
	causes.StaticPodRemoved: {
		May:     "the manifest of the static pod may have been removed, or could not be read",
		Decides: inKubelet,
	},
	causes.PodCgroupMissing: {
		May:     "the kubelet may not have found the pod's cgroup",
		Decides: "the cgroup tree on the node, and the kubelet's cgroup driver and root",
	},
	causes.CgroupDriverMismatch: {
		May:     "kubelet and runtime may use different cgroup drivers",
		Decides: "cgroupDriver of the kubelet, SystemdCgroup of the runtime",
	},
	causes.ReadinessFlip: {
		May:     "the kubelet restarted and the pod was briefly not ready: no container restarted",
		Decides: "the restart count, which is the same as before",
	},
	causes.MirrorPodDeleted: {
		May:     "only the mirror pod of a static pod was recreated: no container restarted",
		Decides: "the container ids, which are the same as before",
	},
	causes.ProbeTimeoutEnforced: {
		May:     "a kubelet from 1.20 on may enforce the timeout of an exec probe that an older one ignored",
		Decides: "the kubelet's version before and after, and the probe's timeoutSeconds",
	},
	causes.StartupProbeRerun: {
		May:     "the startup probe may have run again after a restart of the kubelet",
		Decides: "the start time of the kubelet: `kubectl restartwhy node NODE`",
	},
	causes.ProbeFailuresCarriedOver: {
		May:     "probe failures of the previous container may have counted for this one",
		Decides: "the times of the Unhealthy events, compared with the container's start",
	},
	causes.SandboxNoIP: {May: "the pod's sandbox may have had no IP address", Decides: inKubelet},
	causes.SandboxMultipleReady: {
		May:     "the pod may have had more than one ready sandbox",
		Decides: inKubelet,
	},
	causes.NodeReboot: {
		May:     "the node may have rebooted",
		Decides: "the node's boot time: `kubectl restartwhy node NODE`, or its Rebooted event",
	},
	causes.NodeShutdown: {
		May:     "the node may have been shut down gracefully",
		Decides: inStatus + " (Terminated), and the node's boot time",
	},
	causes.KubeletRestarted: {
		May:     "the kubelet may have restarted and stopped the pod",
		Decides: inUnits,
	},
	causes.AdmissionRejected: {
		May:     "the kubelet rejected the pod, which may have been running, at admission",
		Decides: inStatus,
	},
	causes.DeadlineExceeded:   {May: "the pod ran for longer than its deadline", Decides: inStatus},
	causes.PreemptedByKubelet: {May: "the kubelet preempted the pod for a critical one", Decides: inStatus},
	causes.TaintEvicted: {
		May:     "the pod may have been evicted for a taint of its node",
		Decides: "a TaintManagerEviction event, and the taints of the node",
	},
	causes.PostStartHookFailed: {
		May:     "its postStart hook may have failed, so the kubelet killed it",
		Decides: "a FailedPostStartHook event",
	},
	causes.EvictedPID: {
		May:     "the kubelet may have evicted the pod for process IDs",
		Decides: inStatus,
	},
}

// wordsOf are how a cause is named, and what tells it from others.
func wordsOf(id causes.ID) (likelihood.Words, bool) {
	if w, ok := own[id]; ok {
		return w, true
	}
	return likelihood.In(id)
}
