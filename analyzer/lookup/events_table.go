package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

const (
	kubeletEvents     = "kubelet events/event.go"
	normal            = "Ordinary: "
	noRestartOfItself = "It restarts nothing by itself. "
)

// takenDown are the causes of a kill with the whole pod. Rollouts, scaling and Jobs delete most pods.
var takenDown = Weights{
	causes.PodDeleted:              62,
	causes.APIEvicted:              10,
	causes.SandboxDied:             6,
	causes.NodeShutdown:            5,
	causes.EvictedDisk:             4,
	causes.EvictedMemory:           4,
	causes.TaintEvicted:            3,
	causes.StaticPodChanged:        2,
	causes.StaticPodKubeletUpgrade: 2,
	causes.PreemptedByScheduler:    2,
}

// events are the reasons of events about pods, the kubelet's first.
var events = []Meaning{
	{
		Term: "BackOff", Is: Event,
		Causes: Weights{
			causes.AppExitError: 55, causes.AppExitZero: 7, causes.OOMContainerLimit: 9,
			causes.LivenessProbeFailed: 7, causes.StartError: 5, causes.AppSignal: 3, causes.CreateError: 14,
		},
		Means: "The kubelet waits before it starts a container, or pulls an image, again. It is the wait, not the cause.",
		Do:    []Command{doWhy, doPrevious, doDescribe}, Source: kubeletEvents + "",
	},
	{
		Term: "Unhealthy", Is: Event, Page: "unhealthy", Also: []string{"probe failed"},
		Causes: Weights{causes.LivenessProbeFailed: 70, causes.StartupProbeFailed: 30},
		Means: "A probe failed. The message says which: liveness and startup probes restart the container " +
			"after failureThreshold failures in a row, a readiness probe never restarts anything.",
		Do: []Command{doDescribe, doWhy, doPrevious}, Source: "kubelet prober/prober.go",
	},
	{
		Term: "ProbeWarning", Is: Event,
		Means: noRestartOfItself + "A probe answered with a redirect to another host, which counts as a success.",
		Do:    []Command{doDescribe}, Source: "kubelet prober/prober.go",
	},
	{
		Term: "Killing", Is: Event, Look: likelihood.Stopped,
		Means: "The kubelet ends a container. The message says why: a probe, a changed definition, a hook; " +
			"\"Stopping container\" means that the whole pod is stopped and does not say why.",
		Do: []Command{doWhy, doDescribe, doLogs}, Source: "kubelet kuberuntime_container.go killContainer",
	},
	{
		Term: "FailedPostStartHook", Is: Event, Causes: Weights{causes.PostStartHookFailed: 100},
		Says: []string{"PostStartHook failed", "Exec lifecycle hook ", "Http lifecycle hook "},
		Means: "The postStart hook failed, so the kubelet kills the container, which ends with 137 or 143 " +
			"after its grace period.",
		Do: []Command{doDescribe, doWhy, doPrevious}, Source: kubeletEvents,
	},
	{
		Term: "FailedPreStopHook", Is: Event, Says: []string{"PreStopHook failed"},
		Means: noRestartOfItself + "The preStop hook failed or took too long while the container was being " +
			"stopped; look for why it was stopped.",
		Do: []Command{doWhy, doDescribe}, Source: kubeletEvents,
	},
	{
		Term: "FailedKillPod", Is: Event, Says: []string{"error killing pod"},
		Means: noRestartOfItself + "The kubelet could not stop the pod: the runtime or the network " +
			"plugin answered with an error, or a process cannot be killed. It tries again.",
		Do: []Command{doDescribe, doUnit}, Source: kubeletEvents,
	},
	{
		Term: "ExceededGracePeriod", Is: Event,
		Means: "A container had not ended when its grace period was over, and was killed (exit 137).",
		Do:    []Command{doWhy, doDescribe}, Source: kubeletEvents,
	},
	{
		Term: "FailedCreatePodSandBox", Is: Event, Page: "failedcreatepodsandbox",
		Says:   []string{"Failed to create pod sandbox", "*failed to setup network for sandbox", "*failed to set up sandbox"},
		Causes: Weights{causes.CreateError: 100},
		Means: "The pod's sandbox could not be created: most often the network plugin has no IP address to give " +
			"or does not run, or the runtime is in trouble. The containers did not start.",
		Do: []Command{doDescribe, doUnit, doNode}, Source: kubeletEvents,
	},
	{
		Term: "SandboxChanged", Is: Event, Also: []string{"InfraChanged", "Pod sandbox changed"}, Page: "sandboxchanged",
		Facts: "kubelet.sandbox-changed",
		Says:  []string{"Pod sandbox changed, it will be killed and re-created", "Pod infrastructure changed"},
		Causes: Weights{
			causes.NodeReboot: 45, causes.SandboxDied: 30, causes.RuntimeRestarted: 12, causes.SandboxNoIP: 5,
			causes.SandboxMissing: 5, causes.SandboxNetworkChanged: 2, causes.SandboxMultipleReady: 1,
		},
		Means: "The pod's sandbox was gone or not ready, so the kubelet recreates the whole pod: all its " +
			"containers restart, init containers too.",
		Do: []Command{doWhy, doDescNode, doNode}, Source: "kubelet kuberuntime_manager.go SyncPod",
	},
	{
		Term: "Preempted", Is: Event, Causes: Weights{causes.PreemptedByScheduler: 100}, Says: []string{"Preempted by "},
		Means: "The scheduler preempted the pod to make room for one of higher priority.",
		Do:    []Command{doDescribe, doWhy}, Source: "kube-scheduler framework/preemption",
	},
	{
		Term: "TaintManagerEviction", Is: Event, Also: []string{"NodeControllerEviction"},
		Causes: Weights{causes.TaintEvicted: 100}, Says: []string{"Marking for deletion Pod", "Taint manager: "},
		Means: "The control plane deleted the pod because its node has a taint that the pod does not " +
			"tolerate, most often not-ready or unreachable for 5 minutes.",
		Do: []Command{doDescNode, doNode, doWhy}, Source: "kubernetes pkg/controller/tainteviction",
	},
	{
		Term: "DeviceTaintManagerEviction", Is: Event, Also: []string{"DeletionByDeviceTaintManager"},
		Causes: Weights{causes.TaintEvicted: 100},
		Means:  "The control plane deleted the pod because one of its devices has a taint that the pod does not tolerate.",
		Do:     []Command{doDescribe, doWhy}, Source: "kubernetes v1.33 pkg/controller/devicetainteviction",
	},
	{
		Term: "Cancelling deletion of Pod", Is: Message, Says: []string{"Cancelling deletion of Pod"},
		Means: noRestartOfItself + "A taint was removed before the pod's time was over: the pod stays.",
		Do:    []Command{doDescNode}, Source: "kubernetes pkg/controller/tainteviction",
	},
	{
		Term: "Descheduled", Is: Event, Also: []string{"EvictedByVPA", "ScaleDown", "EvictedByController"},
		Causes: Weights{causes.APIEvicted: 100},
		Says: []string{
			"pod evicted by descheduler", "pod evicted from ", "Pod was evicted by VPA Updater",
			"deleting pod for node scale down",
		},
		Means: "A controller evicted the pod through the API: the descheduler, the VPA updater, or an " +
			"autoscaler that removes the node.",
		Do:     []Command{doEvents, doWhy},
		Source: "descheduler pkg/descheduler/evictions; autoscaler vertical-pod-autoscaler, core/scaledown",
	},
	{
		Term: "FailedMount", Is: Event,
		Also: []string{"FailedAttachVolume", "FailedMapVolume", "FailedMountOnFilesystemMismatch"},
		Says: []string{
			"MountVolume.", "Unable to attach or mount volumes", "AttachVolume.", "Multi-Attach error",
			"MapVolume.", "*timed out waiting for the condition; skipping pod",
		},
		Means: "A volume could not be mounted or attached, so the pod's containers cannot start; those that " +
			"run are not affected. Often a Secret or ConfigMap is missing, or the disk is still attached to " +
			"another node.",
		Do: []Command{doDescribe, doEvents}, Source: "kubelet volumemanager; attach-detach controller",
	},
	{
		Term: "Failed", Is: Event, Says: []string{"Error: "}, Causes: starting,
		Means: "The kubelet could not pull, create or start something; the message says what.",
		Do:    []Command{doDescribe, doEvents}, Source: kubeletEvents,
	},
	{
		Term: "FailedSync", Is: Event, Says: []string{"error determining status", "Error syncing pod"}, Causes: starting,
		Means: "The kubelet could not bring the pod to what the spec says; the message and the events before it say why.",
		Do:    []Command{doDescribe, doEvents}, Source: kubeletEvents,
	},
	{
		Term: "NetworkNotReady", Is: Event, Says: []string{"network is not ready"},
		Means: "The node's network plugin is not running: pods with a network of their own " +
			"cannot start. Running containers are not affected.",
		Do: []Command{doDescNode, doUnit}, Source: kubeletEvents,
	},
	{
		Term: "FailedScheduling", Is: Event, Also: []string{"Pending", "Unschedulable"},
		Says: []string{"*nodes are available: "},
		Means: noRestartOfItself + "No node fits the pod: too little CPU or memory, taints, affinity, or " +
			"volumes of another zone. The message counts the nodes by reason.",
		Do: []Command{doDescribe}, Source: "kube-scheduler schedule_one.go",
	},
	{
		Term: "BackoffLimitExceeded", Is: Event, Also: []string{"DeadlineExceeded of a Job"},
		Causes: Weights{causes.AppExitError: 80, causes.OOMContainerLimit: 12, causes.AppSignal: 8},
		Says:   []string{"Job has reached the specified backoff limit"},
		Means:  "The Job's pods failed as often as backoffLimit allows, so the Job failed. Look at one of its pods.",
		Do:     []Command{doWhy, doPrevious}, Source: "job controller",
	},
	{
		Term: "SuccessfulDelete", Is: Event, Also: []string{"ScalingReplicaSet"},
		Says: []string{"Deleted pod: ", "Scaled down replica set ", "delete Pod "}, Causes: Weights{causes.PodDeleted: 100},
		Means: "The pod's controller deleted it: a rollout, a scaling down, or an edit of the workload. A " +
			"new pod is no restart.",
		Do: []Command{doEvents, doWhy}, Source: "kubernetes pkg/controller",
	},
	{
		Term: "Pulled", Is: Event, Facts: "kubelet.image-seen",
		Also: []string{
			"Pulling", "Created", "Started", "Scheduled", "SuccessfulCreate", "SuccessfulAttachVolume",
			"SuccessfulMountVolume",
		},
		Says: []string{
			"Created container", "Started container", "Successfully assigned ", "Container created",
			"Container started", "Created pod: ", "Scaled up replica set ",
		},
		Means: normal + "a pod is being scheduled, or a container created and started. If it repeats, the " +
			"container restarts, and other events say why.",
		Do: []Command{doWhy, doDescribe}, Source: kubeletEvents,
	},
	{
		Term: "ResizeDeferred", Is: Event,
		Also:   []string{"ResizeInfeasible", "ResizeStarted", "ResizeCompleted", "ResizeError"},
		Causes: Weights{causes.ResizeRestart: 100},
		Means: "The resources of a running container are being changed in place. A container whose " +
			"resizePolicy says RestartContainer is restarted for it.",
		Do: []Command{doWhy, doDescribe}, Source: "kubelet allocation/allocation_manager.go",
	},
	{
		Term: "FailedPrepareDynamicResources", Is: Event, Causes: Weights{causes.CreateError: 100},
		Means: "A device of a resource claim could not be made ready, so the pod's containers cannot start.",
		Do:    []Command{doDescribe, doUnit}, Source: kubeletEvents,
	},
	{
		Term: "FailedCreatePodContainer", Is: Event, Causes: starting,
		Also:  []string{"FailedPodSandBoxStatus", "FailedValidation", "InspectFailed", "FailedNodeAllocatableEnforcement"},
		Means: "The kubelet could not do a step of what the spec says; the message says which and why.",
		Do:    []Command{doDescribe, doUnit}, Source: kubeletEvents,
	},
	{
		Term: "VolumeResizeFailed", Is: Event, Also: []string{"FileSystemResizeFailed", "AlreadyMountedVolume"},
		Means: noRestartOfItself +
			"A volume could not be grown, or is mounted already. A pod that waits for it does not start.",
		Do: []Command{doDescribe}, Source: kubeletEvents,
	},
}
