package kubeletlog

import "github.com/restartwhy/kubectl-restartwhy/diag/evidence"

// structuredRows lists the structured lines (kubelet v1.21+) that matter for restarts. Severity letters are ignored:
// they changed between minors. Columns: message; since, until; level; weak; read.
var structuredRows = []row{
	// cmd/kubelet/app/server.go Run, startKubelet; kubelet.go syncLoop
	{"Kubelet version", 21, 0, 0, false, started},
	{"Started kubelet", 21, 0, 0, false, started},
	{"Started kubelet as runonce", 21, 31, 0, false, started},
	{"Starting kubelet main sync loop", 21, 0, 0, false, nothing}, // identifies a run that works

	// Settings: cm/container_manager_linux.go NewContainerManager, server.go
	// getCgroupDriverFromCRI, kuberuntime_manager.go NewKubeGenericRuntimeManager
	{"Creating Container Manager object based on Node Config", 21, 0, 0, false, nodeConfig},
	{"Using cgroup driver setting received from the CRI runtime", 28,
		0, 0, false, setting(evidence.SettingCgroupDriver, "cgroupDriver")},
	{"Effective KubeletConfiguration", 37, 0, 0, false, effective},
	{"Updated", 36, 0, 1, true, updatedGates}, // component-base featuregate/feature_gate.go
	{"Container runtime initialized", 21, 0, 0, false, runtimeVersion},

	// The exit: server.go NewKubeletCommand, v1.24+ component-base cli/run.go; kubelet.go; certificate/transport.go
	{"Failed to run kubelet", 21, 23, 0, false, exited},
	{"command failed", 24, 0, 0, true, exited},
	{"Failed to start ContainerManager", 21, 0, 0, false, exited},
	{"The currently active client certificate has expired and the server is responsive, exiting.",
		21, 0, 0, false, exited},
	{"No valid client certificate is found and the server is responsive, exiting.", 21, 0, 0, false, exited},

	// kubeletconfig/configsync.go: it exits to start again
	{"Kubelet config controller event", 21, 23, 0, false, exited},

	// apiserver/pkg/server/httplog/httplog.go: a request to the kubelet's own server
	{"HTTP", 21, 0, 0, true, requested}, // at V(3), and with --vmodule=httplog=3

	// The runtime: kubelet.go syncLoop, updateRuntimeUp
	{"Skipping pod synchronization", 21, 0, 0, false, trouble(evidence.RuntimeSyncSkipped, "err")},
	{"Container runtime network not ready", 21, 0, 0, false, trouble(evidence.RuntimeNoNetwork, "networkReady")},
	{"Container runtime not ready", 21, 0, 0, false, trouble(evidence.RuntimeNotReady, "runtimeReady")},
	{"Container runtime sanity check failed", 21, 0, 0, false, trouble(evidence.RuntimeNoAnswer, "err")},

	// kuberuntime_manager.go computePodActions
	{"Message for Container of pod", 21, 0, 2, false, killDecided},
	{"Container of pod is not in the desired state and shall be started", 21, 0, 3, false, restartDecided},

	// kuberuntime_container.go killContainer. v1.21 prints the second text for
	// both the V2 and the V3 line; from v1.22 on only the first is at V2.
	{"Killing container with a grace period", 22, 0, 2, false, killStarted},
	{"Killing container with a grace period override", 21, 0, 2, false, killOverride},
	{"Container exited normally", 21, 0, 3, false, killFinished},
	{"Container termination failed with gracePeriod", 21, 0, 0, false, killFailed},
	{"Kill container failed", 21, 0, 0, false, killFailed},
	{"Failed to kill container", 21, 0, 0, false, killFailed}, // after a failed PostStart hook
	{"killContainer for pod failed", 21, 0, 0, false, killFailed},
	{"killPod failed", 21, 21, 0, false, killFailed}, // kubelet.go syncPod: the pod's cgroup was missing
	{"KillPod failed", 22, 0, 0, false, killFailed},

	// kuberuntime_manager.go SyncPod
	{"Container start failed in pod", 21, 0, 3, false, containerStart},
	{"CreatePodSandbox for pod failed", 21, 0, 0, false, sandboxStart},
	{"Unhandled Error", 31, 0, 0, true, unhandled}, // apimachinery util/runtime HandleError

	// kuberuntime_manager.go podSandboxChanged, v1.25+ util/util.go PodSandboxChanged
	{"No sandbox for pod can be found. Need to start a new one", 21, 0, 2, false, sandboxJudged(evidence.SandboxNone)},
	{"Multiple sandboxes are ready for Pod. Need to reconcile them", 21,
		0, 2, false, sandboxJudged(evidence.SandboxMultiple)},
	{"No ready sandbox for pod can be found. Need to start a new one",
		21, 0, 2, false, sandboxJudged(evidence.SandboxNotReady)},
	{"Sandbox for pod has changed. Need to start a new one", 21, 0, 2, false, sandboxJudged(evidence.SandboxNetwork)},
	{"Sandbox for pod has no IP address. Need to start a new one", 21,
		0, 2, false, sandboxJudged(evidence.SandboxNoIP)},

	// pleg/generic.go, kubelet.go syncLoopIteration
	{"SyncLoop (PLEG): event for pod", 21, 0, 2, false, pleg},
	{"GenericPLEG", 21, 0, 4, false, relisted},
	{"Generic (PLEG): container finished", 22, 0, 2, false, finished},
	{"SyncLoop ADD", 21, 0, 2, false, podConfig},
	{"SyncLoop UPDATE", 21, 0, 2, false, podConfig},
	{"SyncLoop DELETE", 21, 0, 2, false, podConfig},
	{"SyncLoop REMOVE", 21, 0, 2, false, podConfig},
	{"SyncLoop (probe)", 21, 0, 1, false, probeResult},

	// prober/prober.go probe
	{"Probe failed", 21, 0, 1, false, probe},
	{"Probe errored", 21, 0, 1, false, probe},

	// kuberuntime_container.go startContainer, executePreStopHook
	{"Failed to execute PostStartHook", 22, 0, 0, false, hook("PostStart", "")},
	{"PreStop hook failed", 21, 0, 0, false, hook("PreStop", "")},
	{"PreStop hook not completed in grace period", 21, 0, 2, false,
		hook("PreStop", "not completed in the grace period")},

	// kuberuntime_manager.go doBackOff, pod_workers.go podWorkerLoop
	{"Back-off restarting failed container", 21, 0, 3, false, backedOff},
	{"Error syncing pod, skipping", 21, 0, 0, false, syncError},
	{"Unable to attach or mount volumes for pod; skipping pod", 21, 0, 0, false, noVolumes}, // kubelet.go SyncPod

	{"RemoveContainer", 21, 0, 0, false, removed}, // cm/topologymanager/scope.go

	// kuberuntime/logs/logs.go, v1.32+ cri-client logs.go ReadLogs
	{"Finished parsing log file", 21, 0, 2, true, logFileRead},

	// In-place resize: kuberuntime_manager.go, kubelet.go canResizePod, v1.33+
	// allocation/allocation_manager.go
	{"Missing actuated resource record", 33, 0, 0, false, missingRecord},
	{"Resize cannot be accommodated", 27, 35, 3, false, resize(evidence.ResizeDeferred, "message")},
	{"Resize is not feasible as request exceeds allocatable node resources",
		27, 31, 3, false, resize(evidence.ResizeInfeasible, "")},
	{"Pod resize is deferred; will reevaluate later", 34, 0, 4, false, resize(evidence.ResizeDeferred, "")},
	{"Pod resize is infeasible", 34, 0, 4, false, resize(evidence.ResizeInfeasible, "")},
	{"Pod resize successfully allocated", 34, 0, 4, false, resize(evidence.ResizeAllocated, "")},
	// cm/devicemanager/manager.go: once for each container that is resized, and the only line about it at this level
	{"Device Manager support only Allocate(add)", 37, 0, 2, false, resizeAdmitted},
	{"Updating container resources", 27, 0, 5, false, resize(evidence.ResizeUpdating, "")},
	{"updateContainerResources failed", 27, 0, 0, false, resize(evidence.ResizeFailed, "err")},
	{"updatePodContainerResources failed", 27, 0, 0, false, resize(evidence.ResizeFailed, "err")},
	{"Allocated pod resize is not currently feasible", 34, 0, 0, false, resize(evidence.ResizeFailed, "err")},

	// RestartAllContainers: kuberuntime_manager.go
	{"Pod marked for RestartAllContainers", 35, 0, 3, false, restartAll(evidence.RestartAllMarked)},
	{"Killing container before removal", 35, 0, 3, false, restartAll(evidence.RestartAllKilling)},
	{"Removing container before pod restarts", 35, 0, 3, false, restartAll(evidence.RestartAllRemoving)},

	// lifecycle/predicate.go, kubelet.go and allocation_manager.go (v1.31+), eviction_manager.go Admit
	{"Failed to admit pod", 21, 0, 0, false, rejected("")},
	{"Failed to admit pod, GeneralPredicates failed", 21, 23, 0, false, rejected("")},
	{"Failed to admit pod, unexpected error while attempting to recover from admission failure",
		21, 0, 0, false, rejected("")},
	{"Failed to admit pod: GeneralPredicates failed due to unknown reason, which is unexpected",
		21, 0, 0, false, rejected("UnknownReason")},
	{"Predicate failed on Pod", 21, 0, 2, false, rejected("")},
	{"Pod admission denied", 31, 0, 0, false, rejected("")},
	{"Failed to admit pod to node", 21, 30, 0, false, rejected("Evicted")},
	{"Pod is not runnable and must have running containers stopped", 22, 30, 2, false, notRunnable},

	// eviction_manager.go synchronize, evictPod; preemption.go evictPodsToFreeRequests
	{"Eviction manager: attempting to reclaim", 21, 0, 0, false, pressure(evidence.EvictionReclaiming)},
	{"Eviction manager: must evict pod(s) to reclaim", 21, 0, 0, false, pressure(evidence.EvictionMustEvict)},
	{"Eviction manager: able to reduce resource pressure without evicting pods.",
		21, 0, 0, false, pressure(evidence.EvictionRelieved)},
	{"Eviction manager: pod is evicted successfully", 21, 0, 0, false, evicted("Evicted", "")},
	{"Eviction manager: pods evicted, waiting for pod to be cleaned up", 21, 0, 0, false,
		allEvicted},
	{"Evicting pod", 22, 0, 3, false, evicted("Evicted", "message")},
	{"Attempting to evict pods in order to free up resources", 21, 21, 0, false, preemption},
	{"Preempting pod to free up resources", 22, 0, 2, false, evicted("Preempting", "insufficientResources")},
	{"Pod evicted successfully", 21, 0, 0, false, evicted("Preempting", "")},

	// nodeshutdown/nodeshutdown_manager_linux.go
	{"Shutdown manager detected new shutdown event, isNodeShuttingDownNow", 21, 0, 1, false, shutdownDetected},
	{"Shutdown manager processing shutdown event", 21, 0, 1, false, shutdown(evidence.ShutdownProcessing)},
	{"Shutdown manager pod killing time out", 21, 0, 1, false, shutdown(evidence.ShutdownTimedOut)},
	{"Shutdown manager completed processing shutdown event, node will shutdown shortly",
		21, 0, 1, false, shutdown(evidence.ShutdownCompleted)},
	{"Shutdown manager killing pod with gracePeriod", 21, 0, 1, false, evicted("Terminated", "")},

	// pod_workers.go UpdatePod, kubelet_pods.go HandlePodCleanups, kubelet.go deletePod
	{"Pod is orphaned and must be torn down", 22, 0, 4, false, teardown(evidence.TeardownOrphan)},
	{"Orphaned running pod terminating without grace period", 27, 0, 4, false, teardown(evidence.TeardownOrphan)},
	{"Clean up orphaned pod containers", 22, 26, 3, false, teardown(evidence.TeardownOrphan)},
	{"Clean up containers for orphaned pod we had not seen before", 27,
		0, 2, false, teardown(evidence.TeardownOrphan)},
	{"Killing unwanted pod", 21, 21, 2, false, unwanted},
	{"Pod is marked for graceful deletion, begin teardown", 22, 0, 4, false, teardown(evidence.TeardownDeleted)},
	{"Pod is being removed by the kubelet, begin teardown", 22, 0, 4, false, teardown(evidence.TeardownRemoved)},
	{"Pod has been deleted and must be killed", 22, 0, 3, false, teardown(evidence.TeardownRemoved)},
	{"Pod is being evicted by the kubelet, begin teardown", 22, 0, 4, false, teardown(evidence.TeardownEvicted)},
	{"Pod is in a terminal phase (success/failed), begin teardown", 22,
		0, 4, false, teardown(evidence.TeardownTerminal)},
	{"Pod indicated lifecycle completed naturally and should now terminate",
		22, 0, 4, false, teardown(evidence.TeardownCompleted)},
	{"Pod is terminating but has been requested to restart with same UID, will be reconciled later",
		22, 0, 4, false, uidReused},
	{"Pod is restartable after termination due to UID reuse", 22, 26, 3, false, uidReused},
	{"Pod will be restarted because it is in the desired set and not known to the pod workers (likely due to UID reuse)",
		27, 0, 3, false, uidReused},
	{"Pod was deleted and then recreated, skipping status update", 21, 0, 2, false, podReplaced}, // status_manager.go

	// status/status_manager.go SetContainerReadiness
	{"Container readiness changed before pod has synced", 21, 0, 0, false, readinessEarly},

	// cm/cgroup_manager_linux.go Exists, Validate
	{"The cgroup has some missing paths", 21, 23, 4, false, cgroupMissing},
	{"The cgroup has some missing controllers", 21, 23, 4, false, cgroupMissing},

	// Static pods: config/file.go, config/common.go, pod/mirror_client.go, kubelet.go
	{"Reading config file", 21, 0, 3, false, manifest},
	{"Could not process manifest file", 21, 0, 0, false, manifest},
	{"Unable to read config path", 21, 0, 0, false, manifest},
	{"Generated UID", 21, 0, 5, false, staticUID},
	{"Creating a mirror pod for static pod", 21, 0, 0, false, mirror(evidence.MirrorCreated)},
	{"Trying to delete pod", 21, 0, 0, false, mirror(evidence.MirrorDeleted)},
	{"Deleting a mirror pod", 21, 0, 2, false, mirror(evidence.MirrorDeleted)},
	{"Deleted mirror pod because it is outdated", 21, 31, 0, false, mirror(evidence.MirrorOutdated)},
	{"Deleted mirror pod as it didn't match the static Pod", 32, 0, 0, false, mirror(evidence.MirrorOutdated)},

	{"Got sys oom event", 21, 0, 1, false, sysOOM}, // oom/oom_watcher_linux.go
	{"Event occurred", 21, 0, 3, true, eventOfPod}, // client-go tools/record/event.go
}
