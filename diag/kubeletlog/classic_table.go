package kubeletlog

import "github.com/restartwhy/kubectl-restartwhy/diag/evidence"

// classicRows lists the printed lines (kubelet ≤v1.20) that matter for restarts. Columns: form; since, until; level;
// weak; read.
var classicRows = []row{
	// cmd/kubelet/app/server.go; kubelet.go syncLoop
	{"Started kubelet", 5, 20, 0, false, classicStarted},
	{"Version: v", 9, 20, 0, true, classicStarted},
	{"Starting kubelet main sync loop", 5, 20, 0, false, nothing}, // identifies a run that works

	// Settings. component-base cli/flag PrintFlags and featuregate are still printed.
	{"FLAG: --", 10, 0, 1, true, classicFlag},
	{"feature gates: ", 6, 35, 0, true, classicGates},
	{"Creating Container Manager object based on Node Config: <nodeConfig>", 6, 20, 0, false, nodeConfig},
	{"Container runtime <containerRuntime> initialized, version: <version>, ", 5, 20, 0, false, runtimeVersion},

	// The exit; other fatal lines are recognized by their severity.
	{"Found new Kubelet configuration via API server, restarting!", 5, 7, 0, false, exited},
	{"kubelet config controller: Kubelet restarting to use ", 11, 20, 0, false, exited},

	// The runtime: kubelet.go syncLoop, updateRuntimeUp
	{"skipping pod synchronization - <err>", 5, 20, 0, false, trouble(evidence.RuntimeSyncSkipped, "err")},
	{"Container runtime network not ready: <err>", 5, 20, 0, false, trouble(evidence.RuntimeNoNetwork, "err")},
	{"Container runtime not ready: <err>", 5, 15, 0, false, trouble(evidence.RuntimeNotReady, "err")},
	{"Container runtime sanity check failed: <err>", 5, 20, 0, false, trouble(evidence.RuntimeNoAnswer, "err")},

	// kuberuntime_manager.go computePodActions, ≤v1.7 computePodContainerChanges
	{`Container "<containerName>" (<containerStatusID>) of pod <pod)>: <containerMessage>`, 8, 20, 2, false, killDecided},
	{`Pod "<pod>" <_>, it will be killed and re-created.`, 5, 7, 0, false, classicKillDecided5},
	{`pod "<pod>" <_>, it will be killed and re-created.`, 5, 6, 0, false, classicKillDecided5},
	// V3 since v1.12
	{"Container {<_> is dead, but RestartPolicy says that we should restart it.", 5, 19, 0, false, classicDead},
	{`Container "<containerName>" of pod "<pod>" is not in the desired state and shall be started`,
		20, 20, 3, false, restartDecided},

	// kuberuntime_container.go killContainer, v1.5–v1.6 docker_manager.go
	{`Killing container "<containerID>" with <gracePeriod> second grace`, 5, 20, 2, false, killStarted},
	{`Container "<containerID>" exited normally`, 5, 20, 3, false, killFinished},
	{`Container "<containerID>" termination failed with gracePeriod <_>: <err>`, 5, 20, 0, false, killFailed},
	{`Failed to kill container "<containerName>"(id=<containerID>) in pod "<pod>": <err>`, 8, 20, 0, false, killFailed},
	{`killContainer "<containerName>"(id=<containerID>) for pod "<pod>" failed: <err>`, 5, 20, 0, false, killFailed},
	{`Container "<containerID>" exited after `, 5, 6, 2, false, killFinished},
	{`Error killing container "<containerName>"(id=<containerID>) for pod "<pod>": <err>`, 5, 6, 0, false, killFailed},
	// kubelet.go syncPod: the pod's cgroup was missing
	{`killPod for pod "<pod>" (<_>) failed: <err>`, 20, 20, 0, false, classicKillPod},

	// kuberuntime_manager.go SyncPod; v1.21+ HandleError still prints up to v1.30
	{"container &Container{<_> start failed in pod ", 19, 30, 0, false, classicStartFailed},
	{"init container &Container{<_> start failed in pod ", 19, 30, 0, false, classicStartFailed},
	{`createPodSandbox for pod "<pod>" failed: <err>`, 5, 20, 0, false, sandboxStart},

	// kuberuntime_manager.go podSandboxChanged; v1.5–v1.6 docker_manager.go, where the second line also means several
	{`No sandbox for pod "<pod>"`, 5, 20, 2, false, sandboxJudged(evidence.SandboxNone)},
	{`No ready sandbox for pod "<pod>"`, 5, 20, 2, false, sandboxJudged(evidence.SandboxNotReady)},
	{`More than 1 sandboxes for pod "<pod>"`, 7, 16, 2, false, sandboxJudged(evidence.SandboxMultiple)},
	{`Multiple sandboxes are ready for Pod "<pod>"`, 17, 20, 2, false, sandboxJudged(evidence.SandboxMultiple)},
	{`Sandbox for pod "<pod>" has changed.`, 5, 20, 2, false, sandboxJudged(evidence.SandboxNetwork)},
	{`Sandbox for pod "<pod>" has no IP address.`, 8, 20, 2, false, sandboxJudged(evidence.SandboxNoIP)},
	// dockertools computePodContainerChanges
	{`Need to restart pod infra container for "<pod>" because it is not found`,
		5, 6, 2, false, sandboxJudged(evidence.SandboxNone)},
	{`Need to restart pod infra container for "<pod>" because it is changed`,
		5, 6, 2, false, sandboxJudged(evidence.SandboxInfra)},

	// kubelet.go syncLoopIteration; pods that the API server is to delete have ":DeletionTimestamp=…"
	{`SyncLoop (PLEG): "<pod>", event: <event>`, 5, 20, 2, false, pleg},
	{"GenericPLEG: <podUID>/<containerID>: <_> -> ", 5, 20, 4, false, classicRelisted},
	{`SyncLoop (ADD, "<source>"): "<pods>"`, 5, 20, 2, false, podConfig},
	{`SyncLoop (UPDATE, "<source>"): "<pods>"`, 5, 20, 2, false, podConfig},
	{`SyncLoop (DELETE, "<source>"): "<pods>"`, 5, 20, 2, false, podConfig},
	{`SyncLoop (REMOVE, "<source>"): "<pods>"`, 5, 20, 2, false, podConfig},
	{`SyncLoop (container unhealthy): "<pod>"`, 5, 20, 1, false, classicProbeResult},

	// cm/topologymanager/scope.go
	{"[topologymanager] RemoveContainer - Container ID: <containerID>", 20, 20, 0, false, removed},

	// prober/prober.go probe
	{"Liveness probe for ", 5, 20, 1, false, classicProbe},
	{"Readiness probe for ", 5, 20, 1, false, classicProbe},
	{"Startup probe for ", 16, 20, 1, false, classicProbe},
	{`preStop hook for container "<containerName>" failed: <err>`, 5, 20, 0, false, hook("PreStop", "")},
	{`preStop hook for container "<containerName>" did not complete in <err>`,
		5, 20, 0, false, hook("PreStop", "did not complete in ")}, // at V2 since v1.7
	{`Error running pod "<pod>" container "<containerName>": <err>`, 1, 2, 0, false, classicHook},

	// kuberuntime_manager.go doBackOff: V0 up to v1.11, V3 up to v1.20; pod_workers.go
	{"Back-off <_> restarting failed container=", 5, 15, 0, false, classicBackOff},
	{"back-off <_> restarting failed container=", 16, 20, 3, false, classicBackOff},
	{`Error syncing pod <_> ("<pod>"), skipping: <err>`, 6, 20, 0, false, syncError},
	{"Error syncing pod <podUID>, skipping: <err>", 5, 5, 0, false, syncError},
	{`Unable to mount volumes for pod "<pod>": <err>; skipping pod`, 5, 15, 0, false, noVolumes}, // kubelet.go syncPod
	{`Unable to attach or mount volumes for pod "<pod>": <err>; skipping pod`, 16, 20, 0, false, noVolumes},
	// volume/util/nestedpendingoperations; only a kubelet mounts. v1.9–v1.20 quote the error
	{`Operation for "<_>" failed. No retries permitted until <_>). Error: MountVolume.<err>`, 5, 0, 0, false, noVolume},
	{`Operation for "<_>" failed. No retries permitted until <_>). Error: "MountVolume.<err>`, 9, 20, 0, false, noVolume},

	// kubelet.go, lifecycle/predicate.go, eviction_manager.go Admit
	{"Failed to admit pod <pod> - <message>", 5, 20, 0, false, classicRejected},
	{"Predicate failed on Pod: <pod>, for reason: <message>", 5, 20, 2, false, classicRejected},

	// eviction_manager.go, preemption.go
	{"eviction manager: attempting to reclaim <resourceName>",
		5, 20, 0, false, pressure(evidence.EvictionReclaiming)},
	{"eviction manager: must evict pod(s) to reclaim <resourceName>",
		5, 20, 0, false, pressure(evidence.EvictionMustEvict)},
	{"eviction manager: able to reduce <resourceName> pressure without evicting pods.",
		5, 20, 0, false, pressure(evidence.EvictionRelieved)},
	{"eviction manager: pod <pod> evicted successfully", 5, 20, 0, false, classicEvicted("Evicted")},
	{"eviction manager: pods <pods> evicted, waiting for pod to be cleaned up", 7, 20, 0, false, allEvicted},
	{"preemption: attempting to evict pods <_>, in order to free up resources: ", 6, 20, 0, false, classicPreemption},
	{"preemption: pod <pod> evicted successfully", 6, 20, 0, false, classicEvicted("Preempting")},

	// nodeshutdown/nodeshutdown_manager_linux.go
	{"Shutdown manager detected new shutdown event, isNodeShuttingDownNow: <event>", 20, 20, 1, false, shutdownDetected},
	{"Shutdown manager processing shutdown event", 20, 20, 1, false, shutdown(evidence.ShutdownProcessing)},
	{"Shutdown manager pod killing did not complete in ", 20, 20, 1, false, shutdown(evidence.ShutdownTimedOut)},
	{"Shutdown manager completed processing shutdown event, node will shutdown shortly",
		20, 20, 1, false, shutdown(evidence.ShutdownCompleted)},
	{`Shutdown manager killing pod "<pod>"`, 20, 20, 1, false, evicted("Shutdown", "")},

	// kubelet_pods.go podKiller; status_manager.go
	{`Killing unwanted pod "<podName>"`, 5, 20, 2, false, unwanted},
	{`Pod "<pod>" was deleted and then recreated, skipping status update; old UID "<oldPodUID>", new UID "<podUID>"`,
		5, 20, 2, false, podReplaced},

	// status/status_manager.go syncPod, SetContainerReadiness
	{`Status for pod "<pod>" updated successfully: (<_>{Phase:<phase> <_>] Message:<message> Reason:<reason> <next>`,
		7, 20, 3, false, classicStatus},
	{`Container readiness changed before pod has synced: "<pod>"`, 5, 20, 0, false, readinessEarly},

	// cm/cgroup_manager_linux.go Exists
	{"The Cgroup <cgroupName> has some missing paths: <paths>", 13, 20, 4, false, cgroupMissing},
	{"The Cgroup <cgroupName> has some missing controllers: <paths>", 19, 20, 4, false, cgroupMissing},

	// config/file.go, config/common.go, pod/mirror_client.go, kubelet.go
	{`Reading <_> file "<path>"`, 5, 20, 3, false, manifest}, // a config file; v1.8–v1.10: a manifest file
	{`Can't process config file "<path>": <err>`, 5, 7, 1, false, manifest},
	{`can't process config file "<path>": <err>`, 5, 7, 0, false, manifest},
	{`Can't process manifest file "<path>": <err>`, 8, 20, 0, false, manifest},
	{`unable to read config path "<path>": <err>`, 5, 7, 0, false, manifest},
	{`Unable to read manifest path "<path>": <err>`, 8, 10, 0, false, manifest},
	{`Unable to read config path "<path>": <err>`, 11, 20, 0, false, manifest},
	{`Generated UID "<podUID>" pod "<pod>" from `, 5, 20, 5, false, staticUID},
	{`Creating a mirror pod for static pod "<pod>"`, 5, 20, 3, false, mirror(evidence.MirrorCreated)},
	{"Trying to delete pod <pod> ", 13, 20, 0, false, mirror(evidence.MirrorDeleted)},
	{`Deleting a mirror pod "<pod>"`, 5, 20, 2, false, mirror(evidence.MirrorDeleted)},
	{`Deleting mirror pod "<pod>" because it is outdated`, 5, 12, 0, false, mirror(evidence.MirrorOutdated)},
	{`Deleted mirror pod "<pod>" because it is outdated`, 13, 20, 0, false, mirror(evidence.MirrorOutdated)},

	// oom_watcher.go, v1.15+ oom/oom_watcher_linux.go
	{"Got sys oom event: <event>", 15, 20, 1, false, sysOOM},
	{"Got sys oom event from cadvisor: <event>", 5, 14, 2, false, sysOOM},
	// cAdvisor's manager/manager.go watchForNewOoms, and what the event recorder prints at V(3)
	{"Created an OOM event in container <_> at ", 5, 0, 2, true, cadvisorOOM},
	{`Event(v1.ObjectReference{Kind:"Node"<_>reason: 'SystemOOM' System OOM encountered`, 5, 0, 3, true, eventOOM},
	{`Event(v1.ObjectReference{Kind:"Pod"<_>reason: '`, 5, 20, 3, true, eventOfPod},
}
