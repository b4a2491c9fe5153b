package likelihood

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

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
	events        = ": `kubectl get events -n NAMESPACE --field-selector involvedObject.name=POD`"
	killEvent     = "the kubelet's log, or a Killing event from that moment" + events
	sandboxEvent  = "the kubelet's log, or a SandboxChanged event from that moment" + events
	kernelLog     = "the kernel's log: `journalctl -k -g 'oom-kill|Out of memory'` on the node names the process and the limit"
	bootEvent     = "the node's boot time: `journalctl --list-boots` on the node, or its Rebooted event"
	runtimeLog    = "the start times of the runtime: `journalctl -u containerd -u crio -u docker` on the node"
	ownLog        = "its last log lines: `" + report.LastOutput + "`"
	hashes        = "the hashes of the old and the new container: `crictl inspect ID` on the node shows each while it exists"
	eviction      = "the pod's status.reason and message, or its Evicted event: `kubectl describe pod POD -n NAMESPACE`"
	deletionAudit = "the API server's audit log: who requested to delete the pod (verb delete, resource pods)"
)

var words = map[causes.ID]Words{
	causes.AppExitError: {"the process may have exited by itself with an error", ownLog},
	causes.AppExitZero:  {"the process may have finished by itself", ownLog},
	causes.AppSignal:    {"it may have crashed, or a process in the container may have sent it a signal", ownLog},
	causes.OOMChildProcess: {
		"the OOM killer may have killed a child process, and the main process may then have exited", kernelLog},
	causes.OOMContainerLimit:   {"the kernel may have killed it because it exceeded its memory limit", kernelLog},
	causes.OOMPodLimit:         {"the kernel may have killed it because the memory limit of its pod was exceeded", kernelLog},
	causes.OOMNode:             {"the kernel may have killed it because the node ran out of memory", kernelLog},
	causes.LivenessProbeFailed: {"the kubelet may have killed it because its liveness probe failed", killEvent},
	causes.StartupProbeFailed:  {"the kubelet may have killed it because its startup probe failed", killEvent},
	causes.SpecImageChanged: {"the kubelet may have replaced it because its image was changed in the pod's spec",
		killEvent},
	causes.HashKubeletUpgrade: {"another kubelet version may have hashed its spec differently and replaced it", hashes},
	causes.SandboxDied: {"the kubelet may have recreated the whole pod because its sandbox died",
		sandboxEvent},
	causes.NodeReboot:   {"the node may have rebooted", bootEvent},
	causes.NodeShutdown: {"the node may have been shut down gracefully", bootEvent},
	causes.KubeletRestarted: {"the kubelet may have restarted and then stopped the pod",
		"the kubelet's log: why it stopped the pod after its start"},
	causes.RuntimeRestarted: {"the container runtime may have restarted and lost it", runtimeLog},
	causes.KilledExternally: {"something outside Kubernetes may have killed it: a person, an agent or a job on the node",
		"a request to stop it in the runtime's log: `journalctl -u containerd -u crio -u docker` on the node, or an audit " +
			"of signals there"},
	causes.ContainerStatusUnknown: {"something other than the kubelet may have removed its record from the runtime",
		"the runtime's log, and any job on the node that cleans up containers"},
	causes.EvictedDisk: {"the kubelet may have evicted its pod for disk space",
		eviction},
	causes.EvictedMemory: {"the kubelet may have evicted its pod for memory",
		eviction},
	causes.PodDeleted:            {"its pod may have been deleted", deletionAudit},
	causes.InitContainerFailed:   {"the init container may have failed by itself", ownLog},
	causes.SandboxMissing:        {"the runtime may have lost its record of the pod's sandbox", sandboxEvent},
	causes.SandboxNetworkChanged: {"the pod's hostNetwork may have been changed, which requires a new sandbox", sandboxEvent},
	causes.EvictedPID: {"the kubelet may have evicted its pod for process IDs",
		eviction},
	causes.PreemptedByKubelet: {"the kubelet may have preempted its pod for a critical one", killEvent},
	causes.AdmissionRejected:  {"the kubelet may have rejected its pod when it checked admission again", killEvent},
	causes.DeadlineExceeded:   {"its pod may have exceeded its deadline", killEvent},
	causes.APIEvicted: {"its pod may have been evicted through the API",
		"the API server's audit log: who requested the eviction (verb create, resource pods/eviction)"},
	causes.TaintEvicted: {"its pod may have been evicted because of a NoExecute taint of the node", killEvent},
	causes.PodReplaced: {"its pod may have been deleted and replaced by another one of the same name",
		deletionAudit},
	causes.PodOrphaned: {
		"its pod may have been force-deleted, and the kubelet may then have stopped what was left of it",
		deletionAudit},
	causes.PodCgroupMissing: {"the kubelet may have recreated the whole pod because it did not find the pod's cgroup",
		"the kubelet's log, and the cgroups of both sandboxes: `crictl inspectp` shows cgroupsPath"},
	causes.CgroupDriverMismatch: {
		"the kubelet and the runtime may use different cgroup drivers, which ends running containers again and again",
		"cgroupDriver in the kubelet's configuration, and SystemdCgroup (containerd) or cgroup_manager (CRI-O) in the " +
			"runtime's"},
	causes.SandboxNoIP: {"the pod's sandbox may have lost its IP address",
		"the kubelet's log: the line \"Sandbox for pod has no IP address\""},
	causes.SandboxMultipleReady: {"the pod may have had more than one ready sandbox",
		"the kubelet's log, or, while this lasts: `crictl pods` on the node"},
	causes.RuntimeSwitched: {"the kubelet may have been switched to another container runtime",
		"the kubelet's flags and configuration: containerRuntimeEndpoint before and after"},
	causes.ContainerUnknownState: {"the kubelet may have replaced it because the runtime did not know its state",
		"the kubelet's log: the line \"Container is in unknown state\""},
	causes.HashAPIServerChange: {
		"its hash may have changed because the API server started to set a default in its spec", hashes},
	causes.SpecChanged: {"the kubelet may have replaced it because its spec was changed", hashes},
	causes.ResizeRestart: {"it may have been resized in place with a resizePolicy that requires a restart",
		"the kubelet's log, and the pod's conditions PodResizePending and PodResizeInProgress"},
	causes.ResizeRecordMissing: {"the kubelet may have had no record of its resources, and treated it as resized",
		"the kubelet's log"},
	causes.RestartAllContainers: {"another container may have exited with a code for which its rule restarts all containers",
		"the exits of the pod's other containers"},
	causes.StaticPodChanged: {"the manifest of the static pod may have been changed",
		"the file's times on the node: `stat /etc/kubernetes/manifests/*`"},
	causes.StaticPodRemoved: {"the manifest of the static pod may have been removed",
		"the kubelet's log: SyncLoop REMOVE, and the file's times on the node"},
	causes.StaticPodKubeletUpgrade: {"another kubelet version may have computed another UID for the static pod",
		"the kubelet's version before and after the restart, from its log or the package manager's"},
	causes.ProbeTimeoutEnforced: {
		"its probe's command may have run longer than timeoutSeconds, and kubelets from v1.20 on count that as a failure",
		"how long the probe's command takes in the container (kubectl exec), compared with its timeoutSeconds"},
	causes.ProbeFailuresCarriedOver: {"probe failures of the previous container may have counted against this one",
		"the kubelet's log of both containers"},
	causes.StartupProbeRerun: {"a restarted kubelet may have run its startup probe again",
		"the kubelet's start times: `journalctl -u kubelet` on the node"},
	causes.PreemptedByScheduler: {"the scheduler may have preempted its pod for one of higher priority",
		deletionAudit},
}
