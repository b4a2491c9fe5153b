package likelihood

import "github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"

// Words are the texts for a cause that only the form of an end suggests.
type Words struct {
	// May says what may have happened.
	May string
	// Decides says what would distinguish it from the others.
	Decides string
}

// Through returns what such a cause leads to before the end, the cause itself where nothing lies between.
func Through(id causes.ID) causes.ID {
	if m, ok := through[id]; ok {
		return m
	}
	return id
}

var through = map[causes.ID]causes.ID{
	causes.SandboxDied: causes.SandboxChanged, causes.SandboxMissing: causes.SandboxChanged,
	causes.SandboxNoIP: causes.SandboxChanged, causes.SandboxMultipleReady: causes.SandboxChanged,
	causes.SandboxNetworkChanged: causes.SandboxChanged, causes.NodeReboot: causes.SandboxChanged,
	causes.PodCgroupMissing: causes.SandboxChanged, causes.CgroupDriverMismatch: causes.PodCgroupMissing,
	causes.RuntimeSwitched: causes.SandboxMissing, causes.ProbeTimeoutEnforced: causes.LivenessProbeFailed,
	causes.ProbeFailuresCarriedOver: causes.LivenessProbeFailed,
	causes.StartupProbeRerun:        causes.StartupProbeFailed, causes.OOMChildProcess: causes.AppExitError,
	causes.ResizeRecordMissing: causes.ResizeRestart, causes.PodReplaced: causes.PodDeleted,
}

// In returns the texts of a cause; false for a cause that is not offered without a claim.
func In(id causes.ID) (Words, bool) {
	w, ok := words[id]
	return w, ok
}

const (
	killEvent  = "a Killing event from that moment, or the kubelet's log"
	kernelLog  = "the kernel's log: it names the process and whose limit was reached"
	bootEvent  = "the node's boot time: `journalctl --list-boots` on the node, or its Rebooted event"
	runtimeLog = "the start times of the runtime: `journalctl -u containerd -u crio -u docker` on the node"
	ownLog     = "its last log lines: `kubectl logs --previous`"
	hashes     = "the hashes of the old and the new container: `crictl inspect` shows both while they exist"
)

var words = map[causes.ID]Words{
	causes.AppExitError: {"the process may have exited by itself with an error", ownLog},
	causes.AppExitZero:  {"the process may have finished by itself", ownLog},
	causes.AppSignal:    {"it may have crashed, or a process in the container may have sent it a signal", ownLog},
	causes.OOMChildProcess: {
		"the OOM killer may have killed a child process, and the main process exited after that", kernelLog},
	causes.OOMContainerLimit:   {"it may have exceeded its memory limit, so the kernel killed it", kernelLog},
	causes.OOMPodLimit:         {"its pod may have exceeded its memory limit, so the kernel killed it", kernelLog},
	causes.OOMNode:             {"the node may have run out of memory, and the kernel chose it", kernelLog},
	causes.LivenessProbeFailed: {"its liveness probe may have failed, so the kubelet killed it", killEvent},
	causes.StartupProbeFailed:  {"its startup probe may have failed, so the kubelet killed it", killEvent},
	causes.SpecImageChanged: {"its image may have been changed in the pod's spec, so the kubelet replaced it",
		killEvent},
	causes.HashKubeletUpgrade: {"another kubelet version may have hashed its spec differently and replaced it", hashes},
	causes.SandboxDied: {"the pod's sandbox may have died, so the kubelet recreated the whole pod",
		"a SandboxChanged event from that moment, or the kubelet's log"},
	causes.NodeReboot:   {"the node may have rebooted", bootEvent},
	causes.NodeShutdown: {"the node may have been shut down gracefully", bootEvent},
	causes.KubeletRestarted: {"the kubelet restarted and may have found the pod changed",
		"the kubelet's log: why it stopped the pod after its start"},
	causes.RuntimeRestarted: {"the container runtime may have restarted and lost it", runtimeLog},
	causes.KilledExternally: {"something on the node may have killed it: a person, an agent, a job",
		"the runtime's log (a request to stop it), or an audit of signals on the node"},
	causes.ContainerStatusUnknown: {"its record may have been removed from the runtime without the kubelet",
		"the runtime's log, and what cleans up containers on the node"},
	causes.EvictedDisk: {"the kubelet may have evicted its pod for disk space",
		"the pod's status.reason and message, or its Evicted event"},
	causes.EvictedMemory: {"the kubelet may have evicted its pod for memory",
		"the pod's status.reason and message, or its Evicted event"},
	causes.PodDeleted:            {"its pod may have been deleted", "the API server's audit log (delete pods)"},
	causes.InitContainerFailed:   {"the init container may have failed by itself", ownLog},
	causes.SandboxMissing:        {"the pod may have had no sandbox any longer", killEvent},
	causes.SandboxNetworkChanged: {"the pod's network mode may have changed, which requires a new sandbox", killEvent},
	causes.EvictedPID: {"the kubelet may have evicted its pod for process IDs",
		"the pod's status.reason and message, or its Evicted event"},
	causes.PreemptedByKubelet: {"the kubelet may have preempted its pod for a critical one", killEvent},
	causes.AdmissionRejected:  {"the kubelet may have rejected its pod when it checked admission again", killEvent},
	causes.DeadlineExceeded:   {"its pod may have exceeded its deadline", killEvent},
	causes.APIEvicted: {"its pod may have been evicted through the API",
		"the API server's audit log (pods/eviction)"},
	causes.TaintEvicted: {"a taint of the node may have evicted its pod", killEvent},
	causes.PodReplaced: {"its pod may have been deleted and replaced by another one of the same name",
		"the API server's audit log (delete pods)"},
	causes.PodOrphaned: {
		"its pod's object may have been force-deleted, so the kubelet stopped what was left of the pod",
		"the API server's audit log (delete pods)"},
	causes.PodCgroupMissing: {"the kubelet may not have found the pod's cgroup and recreated the whole pod",
		"the kubelet's log, and the cgroups of both sandboxes: `crictl inspectp` shows cgroupsPath"},
	causes.CgroupDriverMismatch: {
		"kubelet and runtime may use different cgroup drivers, so running containers are cleaned up again and again",
		"cgroupDriver in the kubelet's configuration, and SystemdCgroup (containerd) or cgroup_manager (CRI-O) in the " +
			"runtime's"},
	causes.SandboxNoIP: {"the pod's sandbox may have lost its IP address",
		"the kubelet's log: Sandbox for pod has no IP address"},
	causes.SandboxMultipleReady: {"the pod may have had more than one ready sandbox",
		"the kubelet's log, or `crictl pods` while this lasts"},
	causes.RuntimeSwitched: {"the kubelet may have been switched to another container runtime",
		"the kubelet's flags and configuration: containerRuntimeEndpoint before and after"},
	causes.ContainerUnknownState: {"the runtime may not have known the container's state, so the kubelet replaced it",
		"the kubelet's log: container is in unknown state"},
	causes.HashAPIServerChange: {
		"the API server may have started to set a default in its spec, which changes its hash", hashes},
	causes.SpecChanged: {"its spec may have been changed, so the kubelet replaced it", hashes},
	causes.ResizeRestart: {"it may have been resized in place, and its resizePolicy requires a restart",
		"the kubelet's log, and the pod's conditions PodResizePending and PodResizeInProgress"},
	causes.ResizeRecordMissing: {"a kubelet without a record of its resources may have treated it as resized",
		"the kubelet's log"},
	causes.RestartAllContainers: {"the exit of another container may have restarted all of them by its restart rule",
		"the exits of the pod's other containers"},
	causes.StaticPodChanged: {"the manifest of the static pod may have been changed",
		"the file's times on the node: `stat /etc/kubernetes/manifests/*`"},
	causes.StaticPodRemoved: {"the manifest of the static pod may have been moved away",
		"the file's times on the node, and the kubelet's log: SyncLoop REMOVE"},
	causes.StaticPodKubeletUpgrade: {"another kubelet version may have computed another UID for the static pod",
		"the kubelet's version before and after: its log, or the package manager's"},
	causes.ProbeTimeoutEnforced: {
		"its probe's command may have run longer than timeoutSeconds, and kubelets from v1.20 on count that as a failure",
		"how long the command takes: run it with `kubectl exec`, and compare timeoutSeconds"},
	causes.ProbeFailuresCarriedOver: {"probe failures of the previous container may have counted for this one",
		"the kubelet's log of both containers"},
	causes.StartupProbeRerun: {"a restarted kubelet may have run its startup probe again",
		"the kubelet's start times: `journalctl -u kubelet` on the node"},
	causes.PreemptedByScheduler: {"the scheduler may have preempted its pod for one of higher priority",
		"the API server's audit log (delete pods)"},
}
