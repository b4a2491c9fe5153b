package kubeletlog

import "github.com/restartwhy/kubectl-restartwhy/diag/evidence"

// classicRules lists the printed lines (kubelet ≤v1.20) that matter for restarts. Columns: prefix; what else it
// contains; since, until; level; weak; read.
var classicRules = []rule{
	// cmd/kubelet/app/server.go; kubelet.go syncLoop
	{"Started kubelet", "", 5, 20, 0, false, classicStarted},
	{"Version: v", "", 9, 20, 0, true, classicStarted},
	{"Starting kubelet main sync loop", "", 5, 20, 0, false, nothing}, // identifies a run that works

	// Settings. component-base cli/flag PrintFlags and featuregate are still printed.
	{"FLAG: --", "", 10, 0, 1, true, classicFlag},
	{"feature gates: ", "", 6, 35, 0, true, classicGates},
	{"Creating Container Manager object based on Node Config: ", "", 6, 20, 0, false, classicNodeConfig},
	{"Container runtime ", " initialized, version: ", 5, 20, 0, false, classicRuntimeVersion},

	// The exit; other fatal lines are recognized by their severity.
	{"Found new Kubelet configuration via API server, restarting!", "", 5, 7, 0, false, exited},
	{"kubelet config controller: Kubelet restarting to use ", "", 11, 20, 0, false, exited},

	// The runtime: kubelet.go syncLoop, updateRuntimeUp
	{"skipping pod synchronization - ", "", 5, 20, 0, false,
		classicTrouble(evidence.RuntimeSyncSkipped, "skipping pod synchronization - ")},
	{"Container runtime network not ready: ", "", 5, 20, 0, false,
		classicTrouble(evidence.RuntimeNoNetwork, "Container runtime network not ready: ")},
	{"Container runtime not ready: ", "", 5, 15, 0, false,
		classicTrouble(evidence.RuntimeNotReady, "Container runtime not ready: ")},
	{"Container runtime sanity check failed: ", "", 5, 20, 0, false,
		classicTrouble(evidence.RuntimeNoAnswer, "Container runtime sanity check failed: ")},

	// kuberuntime_manager.go computePodActions, ≤v1.7 computePodContainerChanges
	{`Container "`, `) of pod `, 8, 20, 2, false, classicKillDecided},
	{`Pod "`, `, it will be killed and re-created.`, 5, 7, 0, false, classicKillDecided5},
	{`pod "`, `, it will be killed and re-created.`, 5, 6, 0, false, classicKillDecided5},
	// V3 since v1.12
	{"Container {", " is dead, but RestartPolicy says that we should restart it.", 5, 19, 0, false, classicDead},
	{`Container "`, `" is not in the desired state and shall be started`, 20, 20, 3, false, classicRestart},

	// kuberuntime_container.go killContainer, v1.5–v1.6 docker_manager.go
	{"Killing container ", " with ", 5, 20, 2, false, classicKillStarted},
	{`Container "`, `" exited normally`, 5, 20, 3, false, classicKillFinished},
	{`Container "`, `" termination failed with gracePeriod `, 5, 20, 0, false, classicKillFailed},
	{`Failed to kill container "`, "", 8, 20, 0, false, classicKillContainer},
	{`killContainer "`, "", 5, 20, 0, false, classicKillContainer},
	{`Container "`, `" exited after `, 5, 6, 2, false, classicKillFinished},
	{`Error killing container "`, "", 5, 6, 0, false, classicKillContainer},
	// kubelet.go syncPod: the pod's cgroup was missing
	{"killPod for pod ", ") failed: ", 20, 20, 0, false, classicKillPod},

	// kuberuntime_manager.go SyncPod; v1.21+ HandleError still prints up to v1.30
	{"container &Container{", " start failed in pod ", 19, 30, 0, false, classicStartFailed},
	{"init container &Container{", " start failed in pod ", 19, 30, 0, false, classicStartFailed},
	{"createPodSandbox for pod ", " failed: ", 5, 20, 0, false, classicSandboxFailed},

	// kuberuntime_manager.go podSandboxChanged; v1.5–v1.6 docker_manager.go
	{"No sandbox for pod ", "", 5, 20, 2, false, classicSandbox},
	{"No ready sandbox for pod ", "", 5, 20, 2, false, classicSandbox},
	{"More than 1 sandboxes for pod ", "", 7, 16, 2, false, classicSandbox},
	{"Multiple sandboxes are ready for Pod ", "", 17, 20, 2, false, classicSandbox},
	{"Sandbox for pod ", "", 5, 20, 2, false, classicSandbox},
	{"Need to restart pod infra container for ", "", 5, 6, 2, false, classicInfra},

	// kubelet.go syncLoopIteration
	{"SyncLoop (PLEG): ", ", event: ", 5, 20, 2, false, classicPLEG},
	{"SyncLoop (ADD, ", "", 5, 20, 2, false, classicPodConfig},
	{"SyncLoop (UPDATE, ", "", 5, 20, 2, false, classicPodConfig},
	{"SyncLoop (DELETE, ", "", 5, 20, 2, false, classicPodConfig},
	{"SyncLoop (REMOVE, ", "", 5, 20, 2, false, classicPodConfig},
	{"SyncLoop (container unhealthy): ", "", 5, 20, 1, false, classicProbeResult},

	// cm/topologymanager/scope.go
	{"[topologymanager] RemoveContainer - Container ID: ", "", 20, 20, 0, false, classicRemoved},

	// prober/prober.go probe
	{"Liveness probe for ", "", 5, 20, 1, false, classicProbe},
	{"Readiness probe for ", "", 5, 20, 1, false, classicProbe},
	{"Startup probe for ", "", 16, 20, 1, false, classicProbe},

	{"preStop hook for container ", "", 5, 20, 0, false, classicPreStop}, // the one about a timeout is at V2
	{"Error running pod ", " container ", 1, 2, 0, false, classicHook},

	// kuberuntime_manager.go doBackOff: V0 up to v1.11, V3 up to v1.20; pod_workers.go
	{"Back-off ", " restarting failed container=", 5, 15, 0, false, classicBackOff},
	{"back-off ", " restarting failed container=", 16, 20, 3, false, classicBackOff},
	{"Error syncing pod ", ", skipping: ", 5, 20, 0, false, classicSyncError},

	// kubelet.go, lifecycle/predicate.go, eviction_manager.go Admit
	{"Failed to admit pod ", " - ", 5, 20, 0, false, classicRejected("Failed to admit pod ", " - ")},
	{"Predicate failed on Pod: ", ", for reason: ", 5, 20, 2, false,
		classicRejected("Predicate failed on Pod: ", ", for reason: ")},

	// eviction_manager.go, preemption.go
	{"eviction manager: attempting to reclaim ", "", 5, 20, 0, false,
		classicPressure(evidence.EvictionReclaiming, "eviction manager: attempting to reclaim ", "")},
	{"eviction manager: must evict pod(s) to reclaim ", "", 5, 20, 0, false,
		classicPressure(evidence.EvictionMustEvict, "eviction manager: must evict pod(s) to reclaim ", "")},
	{"eviction manager: able to reduce ", " pressure without evicting pods.",
		5, 20, 0, false, classicPressure(evidence.EvictionRelieved, "eviction manager: able to reduce ",
			" pressure without evicting pods.")},
	{"eviction manager: pod ", " evicted successfully", 5, 20, 0, false,
		classicEvicted("Evicted", "eviction manager: pod ")},
	{"eviction manager: pods ", " evicted, waiting for pod to be cleaned up", 7, 20, 0, false, classicAllEvicted},
	{"preemption: attempting to evict pods ", ", in order to free up resources: ", 6, 20, 0, false, classicPreemption},
	{"preemption: pod ", " evicted successfully", 6, 20, 0, false, classicEvicted("Preempting", "preemption: pod ")},

	// nodeshutdown/nodeshutdown_manager_linux.go
	{"Shutdown manager detected new shutdown event, isNodeShuttingDownNow: ",
		"", 20, 20, 1, false, classicShutdownDetected},
	{"Shutdown manager processing shutdown event", "", 20, 20, 1, false, shutdown(evidence.ShutdownProcessing)},
	{"Shutdown manager pod killing did not complete in ", "", 20, 20, 1, false, shutdown(evidence.ShutdownTimedOut)},
	{"Shutdown manager completed processing shutdown event, node will shutdown shortly",
		"", 20, 20, 1, false, shutdown(evidence.ShutdownCompleted)},
	{"Shutdown manager killing pod ", "", 20, 20, 1, false, classicShutdown},

	// kubelet_pods.go podKiller; status_manager.go
	{"Killing unwanted pod ", "", 5, 20, 2, false, classicUnwanted},
	{`Pod "`, " was deleted and then recreated, skipping status update; old UID ", 5, 20, 2, false, classicReplaced},

	// status/status_manager.go syncPod, SetContainerReadiness
	{"Status for pod ", " updated successfully: (", 7, 20, 3, false, classicStatus},
	{"Container readiness changed before pod has synced: ", "", 5, 20, 0, false, classicReadinessEarly},

	// cm/cgroup_manager_linux.go Exists
	{"The Cgroup ", " has some missing paths: ", 13, 20, 4, false, classicCgroup},
	{"The Cgroup ", " has some missing controllers: ", 19, 20, 4, false, classicCgroup},

	// config/file.go, config/common.go, pod/mirror_client.go, kubelet.go
	{"Reading ", ` file "`, 5, 20, 3, false, classicManifest}, // a config file; v1.8–v1.10: a manifest file
	{"Can't process config file ", "", 5, 7, 1, false, classicManifest},
	{"can't process config file ", "", 5, 7, 0, false, classicManifest},
	{"Can't process manifest file ", "", 8, 20, 0, false, classicManifest},
	{"unable to read config path ", "", 5, 7, 0, false, classicManifest},
	{"Unable to read manifest path ", "", 8, 10, 0, false, classicManifest},
	{"Unable to read config path ", "", 11, 20, 0, false, classicManifest},
	{"Generated UID ", " pod ", 5, 20, 5, false, classicStaticUID},
	{"Creating a mirror pod for static pod ", "", 5, 20, 3, false,
		classicMirror(evidence.MirrorCreated, "Creating a mirror pod for static pod ")},
	{"Trying to delete pod ", "", 13, 20, 0, false, classicMirror(evidence.MirrorDeleted, "Trying to delete pod ")},
	{"Deleting a mirror pod ", "", 5, 20, 2, false, classicMirror(evidence.MirrorDeleted, "Deleting a mirror pod ")},
	{"Deleting mirror pod ", " because it is outdated", 5, 12, 0, false,
		classicMirror(evidence.MirrorOutdated, "Deleting mirror pod ")},
	{"Deleted mirror pod ", " because it is outdated", 13, 20, 0, false,
		classicMirror(evidence.MirrorOutdated, "Deleted mirror pod ")},

	// oom_watcher.go, v1.15+ oom/oom_watcher_linux.go
	{"Got sys oom event: ", "", 15, 20, 1, false, sysOOM},
	{"Got sys oom event from cadvisor: ", "", 5, 14, 2, false, sysOOM},

	// cAdvisor's manager/manager.go watchForNewOoms, and what the event recorder prints at V(3)
	{"Created an OOM event in container ", " at ", 5, 0, 2, true, cadvisorOOM},
	{`Event(v1.ObjectReference{Kind:"Node"`, "reason: 'SystemOOM' System OOM encountered", 5, 0, 3, true, eventOOM},
	{`Event(v1.ObjectReference{Kind:"Pod"`, "reason: '", 5, 20, 3, true, eventOfPod},
}
