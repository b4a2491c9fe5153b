package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

// killMessages are what the kubelet says when it kills a container. Their terms are
// those of ofFact.
var killMessages = []Meaning{
	{
		Term: "Container failed liveness probe, will be restarted",
		Is:   Message,
		Also: []string{"failed liveness probe"},
		Causes: Weights{
			causes.LivenessProbeFailed: 94, causes.ProbeTimeoutEnforced: 3, causes.ProbeFailuresCarriedOver: 3,
		},
		Means: "The liveness probe failed as often as failureThreshold allows, and the kubelet kills the " +
			"container. The events Unhealthy before it say what the probe saw.",
		Do:     []Command{doDescribe, doWhy, doPrevious},
		Source: killSource,
	},
	{
		Term:   "Container failed startup probe, will be restarted",
		Is:     Message,
		Also:   []string{"failed startup probe"},
		Causes: Weights{causes.StartupProbeFailed: 95, causes.StartupProbeRerun: 5},
		Means: "The startup probe did not succeed in time (failureThreshold × periodSeconds), and the " +
			"kubelet kills the container.",
		Do:     []Command{doDescribe, doWhy, doPrevious},
		Source: killSource,
	},
	{
		Term: "Container definition changed, will be restarted",
		Is:   Message,
		Also: []string{"definition changed", "spec hash changed", "container spec hash changed"},
		Page: "definition-changed",
		Causes: Weights{
			causes.HashKubeletUpgrade: 45, causes.SpecImageChanged: 40, causes.HashAPIServerChange: 8,
			causes.SpecChanged: 7,
		},
		Means: "The kubelet computes another hash for the container's spec than the one that is stored with " +
			"it, and replaces the container. Either the image was changed, or nothing was changed and another " +
			"kubelet version computes another hash.",
		Do:     []Command{doHash, doWhy, doTogether},
		Source: killSource,
	},
	{
		Term:   "FailedPostStartHook (killing)",
		Is:     Message,
		Causes: Weights{causes.PostStartHookFailed: 100},
		Means:  "The postStart hook failed, and the kubelet kills the container for it.",
		Do:     []Command{doDescribe, doWhy, doPrevious},
		Source: killSource,
	},
	{
		Term:   `Container is in "unknown" state, try killing it before restart`,
		Is:     Message,
		Causes: Weights{causes.ContainerUnknownState: 70, causes.RuntimeRestarted: 15, causes.NodeReboot: 15},
		Means: "The runtime does not know whether the container still runs, most often after its own " +
			"restart; the kubelet makes sure by killing it, then starts it again.",
		Do:     []Command{doWhy, doUnit},
		Source: killSource,
	},
	{
		Term:   "Container resize requires restart",
		Is:     Message,
		Causes: Weights{causes.ResizeRestart: 85, causes.ResizeRecordMissing: 15},
		Means: "The container's resources differ from what it was started with, and its resizePolicy requires a " +
			"restart for that.",
		Do:     []Command{doWhy, doDescribe},
		Source: killSource,
	},
	{
		Term:   "RestartAllContainers",
		Is:     Message,
		Also:   []string{"restart all containers"},
		Causes: Weights{causes.RestartAllContainers: 100},
		Means: "A restart rule of one container makes the kubelet restart all containers of the pod " +
			"(1.35 and later).",
		Do:     []Command{doWhy, doReplay},
		Source: killSource,
	},
	{
		Term: "Stopping container", Is: Message, Also: []string{"Need to kill Pod"}, Causes: takenDown,
		Means: "The kubelet stops the whole pod. The message does not say why: deletion, eviction, " +
			"preemption, a shutdown of the node, or a sandbox that is recreated.",
		Do:     []Command{doWhy, doStatus, doEvents},
		Source: killSource,
	},
	{
		Term: "Killing container with a grace period",
		Is:   Message,
		Look: likelihood.Stopped,
		Means: "The kubelet asks the runtime to stop the container: SIGTERM, and SIGKILL after the grace " +
			"period. The line before it says why.",
		Do:     []Command{doWhy, doLogs},
		Source: killSource,
	},
	{
		Term: "Container exited normally",
		Is:   Message,
		Look: likelihood.Stopped,
		Means: "The runtime has done what the kubelet asked for and stopped the container, by SIGTERM or by " +
			"SIGKILL.",
		Do:     []Command{doWhy, doLogs},
		Source: killSource,
	},
	{
		Term: "Liveness probe failed",
		Is:   Message,
		Causes: Weights{
			causes.LivenessProbeFailed: 94, causes.ProbeTimeoutEnforced: 3, causes.ProbeFailuresCarriedOver: 3,
		},
		Means: "One liveness probe failed. The container is restarted when failureThreshold probes in a row " +
			"have failed (3 by default).",
		Do:     []Command{doDescribe, doWhy, doPrevious},
		Source: "kubelet prober/prober.go",
	},
	{
		Term:   "Startup probe failed",
		Is:     Message,
		Causes: Weights{causes.StartupProbeFailed: 95, causes.StartupProbeRerun: 5},
		Means: "One startup probe failed. The container is restarted when failureThreshold probes in a row " +
			"have failed.",
		Do:     []Command{doDescribe, doWhy},
		Source: "kubelet prober/prober.go",
	},
	{
		Term: "Readiness probe failed",
		Is:   Message,
		Means: noRestartOfItself + "One readiness probe failed: after failureThreshold of them the pod gets " +
			"no traffic from Services.",
		Do:     []Command{doDescribe},
		Source: "kubelet prober/prober.go",
	},
	{
		Term: "Probe errored",
		Is:   Message,
		Means: noRestartOfItself + "A probe could not be run, so it counts neither as a success nor as a " +
			"failure: an exec whose command is not there, or a runtime that does not answer.",
		Do:     []Command{doDescribe, doUnit},
		Source: "kubelet prober/prober.go",
	},
}

const killSource = "kubelet kuberuntime_manager.go computePodActions, kuberuntime_container.go killContainer"

// kubeletLines are what other lines of the kubelet mean.
var kubeletLines = []Meaning{
	{
		Term: "SyncLoop (PLEG): ContainerDied",
		Is:   Message,
		Means: "The kubelet saw that a container or a sandbox had ended. The line does not say why; the exit " +
			"code is in the pod's status.",
		Look:   likelihood.Unstated,
		Do:     []Command{doWhy, doDescribe},
		Source: "kubelet kubelet.go syncLoopIteration",
	},
	{
		Term:   "SyncLoop (PLEG): ContainerStarted",
		Is:     Message,
		Means:  normal + "the kubelet saw a container or a sandbox start.",
		Do:     []Command{doWhy},
		Source: "kubelet kubelet.go syncLoopIteration",
	},
	{
		Term:   "PLEG is not healthy",
		Is:     Message,
		Also:   []string{"container runtime is down", "skipping pod synchronization"},
		Causes: Weights{causes.RuntimeRestarted: 60, causes.NodeReboot: 40},
		Means: "The kubelet gets no answer from the container runtime and changes no pod until it does. In " +
			"the first seconds after a start this is normal; later the node becomes NotReady.",
		Do:     []Command{doUnit, doNode},
		Source: "kubelet kubelet.go syncLoop, updateRuntimeUp",
	},
	{
		Term: "container dead, will be restarted",
		Is:   Message,
		Look: likelihood.Code,
		Means: "The kubelet found the container dead, did not kill it, and restarts it by its restart " +
			"policy. Its exit code says more.",
		Do:     []Command{doWhy, doPrevious},
		Source: "kubelet kuberuntime_manager.go computePodActions",
	},
	{
		Term: "probe result changed",
		Is:   Message,
		Means: "The sync loop saw a changed probe result. Unhealthy alone does not prove a " +
			"failed probe: a container that crashed gives the same line.",
		Do:     []Command{doWhy, doDescribe},
		Source: "kubelet kubelet.go syncLoopIteration",
	},
	{
		Term:   "container could not be started",
		Is:     Message,
		Causes: starting,
		Means:  "A start did not succeed; the line says which step failed and why.",
		Do:     []Command{doDescribe, doWhy},
		Source: "kubelet container/sync_result.go",
	},
	{
		Term: "container could not be killed",
		Is:   Message,
		Means: "A kill did not succeed: the runtime answered with an error or not at all. The kubelet tries " +
			"again.",
		Do:     []Command{doWhy, doUnit},
		Source: "kubelet container/sync_result.go",
	},
	{
		Term:   "container removed",
		Is:     Message,
		Means:  normal + "the kubelet dropped the record of a container that had ended.",
		Do:     []Command{doWhy},
		Source: "kubelet cm/topologymanager/scope.go",
	},
	{
		Term:   "log file read",
		Is:     Message,
		Means:  normal + "the kubelet read a container's log to its end, as for kubectl logs.",
		Do:     []Command{doPrevious},
		Source: "kubelet kuberuntime/logs",
	},
	{
		Term: "kubelet started",
		Is:   Message,
		Also: []string{"Kubelet version"},
		Causes: Weights{
			causes.ReadinessFlip: 60, causes.HashKubeletUpgrade: 20, causes.KubeletRestarted: 10,
			causes.AdmissionRejected: 10,
		},
		Means: "A kubelet process started. Containers keep running, but another version may see them as changed " +
			"and restart them.",
		Do:     []Command{doNode, doPreflight},
		Source: "kubelet cmd/kubelet/app/server.go",
	},
	{
		Term: "kubelet ended",
		Is:   Message,
		Means: "The kubelet exited with an error: a wrong setting, a certificate that expired, a " +
			"runtime that does not answer. Containers keep running without it.",
		Do:     []Command{doUnit, doNode},
		Source: "kubelet cmd/kubelet/app",
	},
	{
		Term: "kubelet setting",
		Is:   Message,
		Means: normal + "the kubelet prints a setting when it starts. Two starts with different values are a " +
			"change of its configuration.",
		Do:     []Command{doNode},
		Source: "kubelet cmd/kubelet/app/options",
	},
	{
		Term:   "pod config ADD or UPDATE",
		Is:     Message,
		Means:  normal + "the kubelet got a pod, or a change to one.",
		Do:     []Command{doWhy},
		Source: "kubelet kubelet.go syncLoopIteration",
	},
	{
		Term: "pod config DELETE or REMOVE",
		Is:   Message,
		Causes: Weights{
			causes.PodDeleted: 75, causes.APIEvicted: 12, causes.StaticPodRemoved: 8, causes.TaintEvicted: 5,
		},
		Means:  "The kubelet learned that the pod is being deleted or is gone; it stops the pod.",
		Do:     []Command{doWhy, doEvents},
		Source: "kubelet kubelet.go syncLoopIteration",
	},
	{
		Term:   "pod teardown",
		Is:     Message,
		Causes: takenDown,
		Means: "The kubelet stops a pod; the line gives the reason: deleted, evicted, orphaned, or " +
			"ended.",
		Do:     []Command{doWhy, doStatus},
		Source: "kubelet pod_workers.go UpdatePod",
	},
	{
		Term:   "pod orphaned",
		Is:     Message,
		Causes: Weights{causes.PodOrphaned: 60, causes.StaticPodKubeletUpgrade: 25, causes.PodDeleted: 15},
		Means: "The runtime has a pod that none of the kubelet's sources has: its object was deleted while the " +
			"kubelet was down, or it is a static pod with another UID now. The kubelet stops it.",
		Do:     []Command{doNode, doWhy},
		Source: "kubelet pod_workers.go, kubelet_pods.go HandlePodCleanups",
	},
	{
		Term:   "another pod has the name",
		Is:     Message,
		Causes: Weights{causes.PodReplaced: 100},
		Means:  "Another pod with another UID has the name now. That is not a restart.",
		Do:     []Command{doWhy},
		Source: "kubelet status/status_manager.go syncPod",
	},
	{
		Term:   "static pod returned",
		Is:     Message,
		Causes: Weights{causes.StaticPodRemoved: 100},
		Means: "A static pod that had ended came back under the same UID: its manifest was removed and " +
			"put back.",
		Do:     []Command{doNode},
		Source: "kubelet pod_workers.go",
	},
	{
		Term:   "static pod manifest",
		Is:     Message,
		Causes: Weights{causes.StaticPodRemoved: 50, causes.StaticPodChanged: 50},
		Means: "The kubelet read a manifest of a static pod, or could not. A file that cannot be read ends " +
			"its pod.",
		Do:     []Command{doNode},
		Source: "kubelet config/file.go",
	},
	{
		Term:   "static pod UID",
		Is:     Message,
		Causes: Weights{causes.StaticPodChanged: 50, causes.StaticPodKubeletUpgrade: 50},
		Means: "The kubelet computed the UID of a static pod. Another UID than before means that the pod is " +
			"replaced.",
		Do:     []Command{doNode},
		Source: "kubelet config/common.go applyDefaults",
	},
	{
		Term:   "mirror pod",
		Is:     Message,
		Causes: Weights{causes.MirrorPodDeleted: 100},
		Means: noRestartOfItself + "The object that shows a static pod in the API was created or deleted; the " +
			"containers are not affected.",
		Do:     []Command{doNode},
		Source: "kubelet pod/mirror_client.go",
	},
	{
		Term: "pod sandbox checked",
		Is:   Message,
		Causes: Weights{
			causes.NodeReboot: 45, causes.SandboxDied: 30, causes.RuntimeRestarted: 12,
			causes.SandboxMissing: 13,
		},
		Means: "The kubelet found no ready sandbox for the pod and creates one: for a new pod that is " +
			"normal; for a pod that ran, it restarts every container.",
		Do:     []Command{doWhy, doNode},
		Source: "kubelet kuberuntime/util PodSandboxChanged",
	},
	{
		Term:   "pod sandbox has no IP",
		Is:     Message,
		Causes: Weights{causes.SandboxNoIP: 100},
		Means:  "The pod's sandbox has no IP address, so the kubelet recreates the whole pod.",
		Do:     []Command{doWhy, doUnit},
		Source: "kubelet kuberuntime/util PodSandboxChanged",
	},
	{
		Term:   "several pod sandboxes",
		Is:     Message,
		Causes: Weights{causes.SandboxMultipleReady: 100},
		Means:  "The pod has more than one ready sandbox, so the kubelet recreates the whole pod.",
		Do:     []Command{doWhy, doUnit},
		Source: "kubelet kuberuntime/util PodSandboxChanged",
	},
	{
		Term:   "pod network changed",
		Is:     Message,
		Causes: Weights{causes.SandboxNetworkChanged: 100},
		Means: "The pod's hostNetwork differs from that of its sandbox, so the kubelet recreates the whole " +
			"pod.",
		Do:     []Command{doWhy},
		Source: "kubelet kuberuntime/util PodSandboxChanged",
	},
	{
		Term:   "missing actuated resource record",
		Is:     Message,
		Causes: Weights{causes.ResizeRecordMissing: 100},
		Means: "The kubelet (1.33 and later) has no record of what it gave to a container that runs. A " +
			"container with a restart policy for resizes may be restarted for that.",
		Do:     []Command{doWhy, doReplay},
		Source: "kubelet kuberuntime_manager.go computePodResizeAction",
	},
	{
		Term:   "pod resize",
		Is:     Message,
		Causes: Weights{causes.ResizeRestart: 100},
		Means: "The resources of a running pod are being changed in place. Only a container whose " +
			"resizePolicy says RestartContainer is restarted for it.",
		Do:     []Command{doWhy},
		Source: "kubelet allocation/allocation_manager.go",
	},
	{
		Term:   "preemption planned",
		Is:     Message,
		Causes: Weights{causes.PreemptedByKubelet: 100},
		Means:  "The kubelet looks for pods to preempt, to make room for a critical one.",
		Do:     []Command{doNode},
		Source: "kubelet preemption/preemption.go",
	},
	{
		Term:   "cgroup missing",
		Is:     Message,
		Causes: Weights{causes.PodCgroupMissing: 60, causes.CgroupDriverMismatch: 40},
		Means: "A cgroup is not where the kubelet looks for it. If it is a pod's, the kubelet kills the pod " +
			"and recreates it.",
		Do:     []Command{doNode, doWhy},
		Source: "kubelet cm/cgroup_manager_linux.go Exists, kubelet.go syncPod",
	},
	{
		Term:   "readiness before the kubelet's start",
		Is:     Message,
		Causes: Weights{causes.ReadinessFlip: 100},
		Means: noRestartOfItself + "After a restart of the kubelet, a probe's result was used before it was " +
			"fresh: the pod was briefly not ready.",
		Do:     []Command{doNode},
		Source: "kubelet prober/prober_manager.go",
	},
	{
		Term:   "kernel killed a process (kubelet's watch)",
		Is:     Message,
		Causes: Weights{causes.OOMNode: 100},
		Means: "The kubelet read in the kernel's log that a process was killed because the whole node was " +
			"low on memory. A kubelet that starts reports old kills again.",
		Do:     []Command{doKernel, doNode},
		Source: "kubelet oom/oom_watcher_linux.go",
	},
}

// nodeLines are lines of runtimes, the kernel, systemd and daemons of the node.
var nodeLines = []Meaning{
	{
		Term:   "oom-kill: the container's limit",
		Is:     Message,
		Also:   []string{"Memory cgroup out of memory"},
		Causes: Weights{causes.OOMContainerLimit: 85, causes.OOMPodLimit: 10, causes.OOMChildProcess: 5},
		Means: "The kernel killed a process because its cgroup reached its memory limit: that of the " +
			"container, or of the pod. oom_memcg in the line says whose limit it was.",
		Do:     []Command{doWhy, doKernel},
		Source: "Linux mm/oom_kill.c dump_oom_summary, mm/memcontrol.c",
	},
	{
		Term:   "oom-kill: the node's memory",
		Is:     Message,
		Causes: Weights{causes.OOMNode: 100},
		Means: "The kernel killed a process because the whole node was out of memory. Which process is a " +
			"matter of its size and oom_score_adj, not of which process caused it.",
		Do:     []Command{doNode, doKernel, doDescNode},
		Source: "Linux mm/oom_kill.c dump_oom_summary (global_oom)",
	},
	{
		Term: "segfault",
		Is:   Message,
		Look: likelihood.Fault,
		Means: "A process did what the kernel does not allow (bad memory, a bad instruction) and was ended " +
			"for it: exit 139, or 132 to 136.",
		Do:     []Command{doPrevious, doWhy},
		Source: "Linux arch/x86/mm/fault.c, arch/x86/kernel/traps.c",
	},
	{
		Term: "hung task",
		Is:   Message,
		Also: []string{"soft lockup"},
		Means: noRestartOfItself + "A task made no progress for long: a disk or network file system that " +
			"does not answer, or a node with far too much to do. Probes time out then.",
		Do:     []Command{doNode, doDescNode},
		Source: "Linux kernel/hung_task.c, kernel/watchdog.c",
	},
	{
		Term:   "node booted",
		Is:     Message,
		Also:   []string{"Linux version"},
		Causes: Weights{causes.NodeReboot: 100},
		Means:  "The kernel's first line: the node booted, and every container on it restarted.",
		Do:     []Command{doNode, doTogether},
		Source: "Linux init/main.c",
	},
	{
		Term:   "node going down",
		Is:     Message,
		Causes: Weights{causes.NodeShutdown: 70, causes.NodeReboot: 30},
		Means:  "The machine got a request to shut down or reboot.",
		Do:     []Command{doNode, doTogether},
		Source: "systemd logind-dbus.c",
	},
	{
		Term:   "killed for memory by a daemon of the node",
		Is:     Message,
		Causes: Weights{causes.OOMNode: 100},
		Means: "systemd-oomd, earlyoom or Talos killed processes before the kernel ran out of memory. The " +
			"kernel's log does not show it.",
		Do:     []Command{doNode},
		Source: "systemd oomd-manager.c; earlyoom kill.c; Talos runtime.OOMController",
	},
	{
		Term:   "kubelet or runtime unit changed",
		Is:     Message,
		Causes: Weights{causes.RuntimeRestarted: 35, causes.HashKubeletUpgrade: 25, causes.ReadinessFlip: 40},
		Means: "systemd started, stopped or lost a unit that matters here. A restart of the kubelet restarts " +
			"no container by itself; one of Docker does unless live-restore is on.",
		Do:     []Command{doNode, doUnit},
		Source: "systemd src/core/job.c, service.c",
	},
	{
		Term: "process ended (runtime)",
		Is:   Message,
		Look: likelihood.Unstated,
		Means: "The runtime saw the process of a container end. Without a code in the line, look at the " +
			"container's state.",
		Do:     []Command{doWhy, doDescribe},
		Source: "containerd TaskExit; dockerd; conmon",
	},
	{
		Term:   "out of memory (runtime)",
		Is:     Message,
		Look:   likelihood.Label,
		Means:  "The runtime was notified that a cgroup reached its memory limit and the kernel killed a process.",
		Do:     []Command{doWhy, doKernel},
		Source: "containerd TaskOOM; conmon \"OOM received\"",
	},
	{
		Term: "stop request to the runtime",
		Is:   Message,
		Look: likelihood.Stopped,
		Means: "The runtime got a request to stop a container, most often from the kubelet. If the kubelet's log " +
			"shows no kill at this time, something else on the node sent it.",
		Do:     []Command{doWhy, doUnit},
		Source: "CRI StopContainer",
	},
	{
		Term: "command run in a container (kubectl exec)",
		Is:   Message,
		Means: "A person or a program ran a command in a running container. A signal from there that ends the process " +
			"leaves no other trace.",
		Do:     []Command{doWhy},
		Source: "CRI Exec",
	},
	{
		Term:   "sandbox stop request to the runtime",
		Is:     Message,
		Causes: takenDown,
		Means: "The runtime got a request to stop a pod's sandbox, as the last step of stopping the pod, or " +
			"to recreate it.",
		Do:     []Command{doWhy, doUnit},
		Source: "CRI StopPodSandbox",
	},
	{
		Term:   "container created or started (runtime)",
		Is:     Message,
		Means:  normal + "the runtime created or started a container or sandbox. An attempt above 0 is a restart.",
		Do:     []Command{doWhy},
		Source: "CRI RunPodSandbox, CreateContainer, StartContainer",
	},
	{
		Term:   "runtime started",
		Is:     Message,
		Causes: Weights{causes.RuntimeRestarted: 60, causes.NodeReboot: 40},
		Means: "The container runtime started. Containers survive a restart of containerd and CRI-O; Docker " +
			"ends them unless live-restore is on.",
		Do:     []Command{doNode, doUnit},
		Source: "containerd, CRI-O and dockerd",
	},
	{
		Term:   "runtime stopping",
		Is:     Message,
		Causes: Weights{causes.RuntimeRestarted: 60, causes.NodeShutdown: 40},
		Means:  "The container runtime shuts down cleanly.",
		Do:     []Command{doNode, doUnit},
		Source: "containerd, CRI-O and dockerd",
	},
	{
		Term:   "call to the runtime failed",
		Is:     Message,
		Causes: starting,
		Means:  "The runtime answered a call of the kubelet with an error; the line says which call and why.",
		Do:     []Command{doDescribe, doUnit},
		Source: "containerd, CRI-O and cri-dockerd",
	},
	{
		Term:   "shim lost",
		Is:     Message,
		Causes: Weights{causes.KilledExternally: 50, causes.RuntimeRestarted: 30, causes.OOMNode: 20},
		Means: "containerd lost the shim of a container, and the container with it. The exit code that " +
			"follows (255 or 137) does not come from the process.",
		Do:     []Command{doWhy, doNode},
		Source: "containerd internal/cri/server/events.go",
	},
	{
		Term:   "container state lost",
		Is:     Message,
		Causes: Weights{causes.ContainerUnknownState: 70, causes.RuntimeRestarted: 30},
		Means: "After its own start the runtime does not know the state of a container; the kubelet kills it " +
			"and starts it again.",
		Do:     []Command{doWhy, doUnit},
		Source: "containerd internal/cri/server/restart.go",
	},
	{
		Term:   "package changed",
		Is:     Message,
		Causes: Weights{causes.HashKubeletUpgrade: 50, causes.RuntimeRestarted: 50},
		Means:  "A package manager changed the kubelet, the runtime or the kernel on the node.",
		Do:     []Command{doNode, doPreflight},
		Source: "dpkg, yum, dnf",
	},
	{
		Term:   "restart requested by a tool",
		Is:     Message,
		Causes: Weights{causes.RuntimeRestarted: 100},
		Means:  "A tool such as needrestart restarted units after an update of a library that they use.",
		Do:     []Command{doNode},
		Source: "needrestart",
	},
	{
		Term:   "clock set",
		Is:     Message,
		Means:  noRestartOfItself + "The node's clock was set: times before and after it cannot be compared.",
		Do:     []Command{doNode},
		Source: "systemd src/timesync, journald",
	},
}
