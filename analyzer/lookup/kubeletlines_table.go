package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

const killSource = "kubelet kuberuntime_manager.go computePodActions, kuberuntime_container.go killContainer"

// kubeletLines are the meanings of other lines of the kubelet.
var kubeletLines = []Meaning{
	{
		Term: "SyncLoop (PLEG): ContainerDied", Is: Message, Facts: "kubelet.container-died",
		Means: "The kubelet saw that a container or a sandbox had ended. The line does not say why; the exit " +
			"code is in the pod's status.",
		Look: likelihood.Unstated, Do: []Command{doWhy, doDescribe}, Source: "kubelet kubelet.go syncLoopIteration",
	},
	{
		Term: "SyncLoop (PLEG): ContainerStarted", Is: Message, Facts: "kubelet.container-started",
		Means: normal + "the kubelet saw a container or a sandbox start.",
		Do:    []Command{doWhy}, Source: "kubelet kubelet.go syncLoopIteration",
	},
	{
		Term: "context deadline exceeded", Is: Message,
		Also: []string{"code = DeadlineExceeded", "Client.Timeout exceeded while awaiting headers"},
		Means: "A call was not answered in time; this is not a pod's activeDeadlineSeconds. Who called says what it means: " +
			"in a probe's failure, the container did not answer within timeoutSeconds; in an rpc error of the kubelet, the " +
			"container runtime was slow or stuck; in an image pull, the registry; in another call, the API server or a webhook.",
		Do: []Command{doWhy, doDescribe, doUnit}, Source: "Go context.DeadlineExceeded, gRPC codes.DeadlineExceeded",
	},
	{
		Term: "PLEG is not healthy", Is: Message,
		Also: []string{"container runtime is down", "skipping pod synchronization"},
		Means: "The kubelet gets no answer from the container runtime and changes no pod until it does. In " +
			"the first seconds after a start this is normal; later the node becomes NotReady. Mostly the runtime is slow or " +
			"stuck (too little CPU, a slow disk, very many containers). It ends no container by itself.",
		Do: []Command{doUnit, doNode}, Source: "kubelet kubelet.go syncLoop, updateRuntimeUp",
	},
	{
		Term: "container dead, will be restarted", Is: Message, Look: likelihood.Code, Facts: "kubelet.restart-decided",
		Means: "The kubelet found the container dead, did not kill it, and restarts it by its restart " +
			"policy. Its exit code says more.",
		Do: []Command{doWhy, doPrevious}, Source: "kubelet kuberuntime_manager.go computePodActions",
	},
	{
		Term: "probe result changed", Is: Message, Facts: "kubelet.probe-result",
		Means: "The sync loop saw a changed probe result. Unhealthy alone does not prove a " +
			"failed probe: a container that crashed gives the same line.",
		Do: []Command{doWhy, doDescribe}, Source: "kubelet kubelet.go syncLoopIteration",
	},
	{
		Term: "container could not be started", Is: Message, Causes: starting,
		Means: "A start did not succeed; the line says which step failed and why.",
		Do:    []Command{doDescribe, doWhy}, Source: "kubelet container/sync_result.go",
	},
	{
		Term: "container could not be killed", Is: Message, Facts: "kubelet.kill-failed",
		Means: "A kill did not succeed: the runtime answered with an error or not at all. The kubelet tries again.",
		Do:    []Command{doWhy, doUnit}, Source: "kubelet container/sync_result.go",
	},
	{
		Term: "container removed", Is: Message, Facts: "kubelet.container-removed",
		Means: normal + "the kubelet dropped the record of a container that had ended.",
		Do:    []Command{doWhy}, Source: "kubelet cm/topologymanager/scope.go",
	},
	{
		Term: "log file read", Is: Message, Facts: "kubelet.log-file-read",
		Means: normal + "the kubelet read a container's log to its end, as for kubectl logs.",
		Do:    []Command{doPrevious}, Source: "kubelet kuberuntime/logs",
	},
	{
		Term: "kubelet started", Is: Message, Also: []string{"Kubelet version"}, Facts: "kubelet.started",
		Causes: Weights{
			causes.ReadinessFlip: 60, causes.HashKubeletUpgrade: 20, causes.KubeletRestarted: 10,
			causes.AdmissionRejected: 10,
		},
		Means: "A kubelet process started. Containers keep running, but another version may see them as changed " +
			"and restart them.",
		Do: []Command{doNode, doPreflight}, Source: "kubelet cmd/kubelet/app/server.go",
	},
	{
		Term: "kubelet ended", Is: Message, Facts: "kubelet.exited",
		Means: "The kubelet exited with an error: a wrong setting, a certificate that expired, a " +
			"runtime that does not answer. Containers keep running without it.",
		Do: []Command{doUnit, doNode}, Source: "kubelet cmd/kubelet/app",
	},
	{
		Term: "kubelet setting", Is: Message, Facts: "kubelet.setting kubelet.settings",
		Means: normal + "the kubelet prints a setting when it starts. Two starts with different values are a " +
			"change of its configuration.",
		Do: []Command{doNode}, Source: "kubelet cmd/kubelet/app/options",
	},
	{
		Term: "pod config ADD or UPDATE", Is: Message,
		Means: normal + "the kubelet got a pod, or a change to one.",
		Do:    []Command{doWhy}, Source: "kubelet kubelet.go syncLoopIteration",
	},
	{
		Term: "pod config DELETE or REMOVE", Is: Message,
		Causes: Weights{causes.PodDeleted: 75, causes.APIEvicted: 12, causes.StaticPodRemoved: 8, causes.TaintEvicted: 5},
		Means:  "The kubelet learned that the pod is being deleted or is gone; it stops the pod.",
		Do:     []Command{doWhy, doEvents}, Source: "kubelet kubelet.go syncLoopIteration",
	},
	{
		Term: "pod teardown", Is: Message, Causes: takenDown,
		Means: "The kubelet stops a pod; the line gives the reason: deleted, evicted, orphaned, or ended.",
		Do:    []Command{doWhy, doStatus}, Source: "kubelet pod_workers.go UpdatePod",
	},
	{
		Term: "pod orphaned", Is: Message,
		Causes: Weights{causes.PodOrphaned: 60, causes.StaticPodKubeletUpgrade: 25, causes.PodDeleted: 15},
		Means: "The runtime has a pod that none of the kubelet's sources has: its object was deleted while the " +
			"kubelet was down, or it is a static pod with another UID now. The kubelet stops it.",
		Do: []Command{doNode, doWhy}, Source: "kubelet pod_workers.go, kubelet_pods.go HandlePodCleanups",
	},
	{
		Term: "another pod has the name", Is: Message, Causes: Weights{causes.PodReplaced: 100},
		Means: "Another pod with another UID has the name now. That is not a restart.",
		Do:    []Command{doWhy}, Source: "kubelet status/status_manager.go syncPod", Facts: "kubelet.pod-replaced",
	},
	{
		Term: "static pod returned", Is: Message, Causes: Weights{causes.StaticPodRemoved: 100},
		Means: "A static pod that had ended came back under the same UID: its manifest was removed and put back.",
		Do:    []Command{doNode}, Source: "kubelet pod_workers.go", Facts: "kubelet.uid-reused",
	},
	{
		Term: "static pod manifest", Is: Message, Causes: Weights{causes.StaticPodRemoved: 50, causes.StaticPodChanged: 50},
		Means: "The kubelet read a manifest of a static pod, or could not. A file that cannot be read ends its pod.",
		Do:    []Command{doNode}, Source: "kubelet config/file.go", Facts: "kubelet.manifest-read",
	},
	{
		Term: "static pod UID", Is: Message, Facts: "kubelet.static-pod-uid",
		Causes: Weights{causes.StaticPodChanged: 50, causes.StaticPodKubeletUpgrade: 50},
		Means:  "The kubelet computed the UID of a static pod. Another UID than before means that the pod is replaced.",
		Do:     []Command{doNode}, Source: "kubelet config/common.go applyDefaults",
	},
	{
		Term: "mirror pod", Is: Message, Causes: Weights{causes.MirrorPodDeleted: 100}, Facts: "kubelet.mirror-pod",
		Means: noRestartOfItself + "The object that shows a static pod in the API was created or deleted; the " +
			"containers are not affected.",
		Do: []Command{doNode}, Source: "kubelet pod/mirror_client.go",
	},
	{
		Term: "pod sandbox checked", Is: Message,
		Causes: Weights{
			causes.NodeReboot: 45, causes.SandboxDied: 30, causes.RuntimeRestarted: 12,
			causes.SandboxMissing: 13,
		},
		Means: "The kubelet found no ready sandbox for the pod and creates one: for a new pod that is " +
			"normal; for a pod that ran, it restarts every container.",
		Do: []Command{doWhy, doNode}, Source: "kubelet kuberuntime/util PodSandboxChanged",
	},
	{
		Term: "pod sandbox has no IP", Is: Message, Causes: Weights{causes.SandboxNoIP: 100},
		Means: "The pod's sandbox has no IP address, so the kubelet recreates the whole pod.",
		Do:    []Command{doWhy, doUnit}, Source: "kubelet kuberuntime/util PodSandboxChanged",
	},
	{
		Term: "several pod sandboxes", Is: Message, Causes: Weights{causes.SandboxMultipleReady: 100},
		Means: "The pod has more than one ready sandbox, so the kubelet recreates the whole pod.",
		Do:    []Command{doWhy, doUnit}, Source: "kubelet kuberuntime/util PodSandboxChanged",
	},
	{
		Term: "pod network changed", Is: Message, Causes: Weights{causes.SandboxNetworkChanged: 100},
		Means: "The pod's hostNetwork differs from that of its sandbox, so the kubelet recreates the whole pod.",
		Do:    []Command{doWhy}, Source: "kubelet kuberuntime/util PodSandboxChanged",
	},
	{
		Term: "missing actuated resource record", Is: Message, Causes: Weights{causes.ResizeRecordMissing: 100},
		Facts: "kubelet.missing-actuated-record",
		Means: "The kubelet (1.33 and later) has no record of what it gave to a container that runs. A " +
			"container with a restart policy for resizes may be restarted for that.",
		Do: []Command{doWhy, doReplay}, Source: "kubelet kuberuntime_manager.go computePodResizeAction",
	},
	{
		Term: "pod resize", Is: Message, Causes: Weights{causes.ResizeRestart: 100}, Facts: "kubelet.pod-resize",
		Means: "The resources of a running pod are being changed in place. Only a container whose " +
			"resizePolicy says RestartContainer is restarted for it.",
		Do: []Command{doWhy}, Source: "kubelet allocation/allocation_manager.go",
	},
	{
		Term: "preemption planned", Is: Message, Causes: Weights{causes.PreemptedByKubelet: 100},
		Means: "The kubelet looks for pods to preempt, to make room for a critical one.",
		Do:    []Command{doNode}, Source: "kubelet preemption/preemption.go", Facts: "kubelet.preemption-planned",
	},
	{
		Term: "cgroup missing", Is: Message, Causes: Weights{causes.PodCgroupMissing: 60, causes.CgroupDriverMismatch: 40},
		Facts: "kubelet.cgroup-missing",
		Means: "A cgroup is not where the kubelet looks for it. If it is a pod's, the kubelet kills the pod " +
			"and recreates it.",
		Do: []Command{doNode, doWhy}, Source: "kubelet cm/cgroup_manager_linux.go Exists, kubelet.go syncPod",
	},
	{
		Term: "readiness before the kubelet's start", Is: Message, Causes: Weights{causes.ReadinessFlip: 100},
		Means: noRestartOfItself + "After a restart of the kubelet, a probe's result was used before it was " +
			"fresh: the pod was briefly not ready.",
		Do: []Command{doNode}, Source: "kubelet prober/prober_manager.go", Facts: "kubelet.readiness-early",
	},
	{
		Term: "kernel killed a process (kubelet's watch)", Is: Message, Causes: Weights{causes.OOMNode: 100},
		Means: "The kubelet read in the kernel's log that a process was killed because the whole node was " +
			"low on memory. A kubelet that starts reports old kills again.",
		Do: []Command{doKernel, doNode}, Source: "kubelet oom/oom_watcher_linux.go", Facts: "kubelet.oom-seen",
	},
}
