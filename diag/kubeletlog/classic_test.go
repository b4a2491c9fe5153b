package kubeletlog

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// oldLines are of kubelets up to 1.20, newLines of later ones.
var oldLines = []lineCase{
	{"1.8-1.13 hash", old + `Container "a" ({"docker" "` + cid + `"}) of pod p_s-n5(` +
		uid + `): Container spec hash changed (3363766738 vs 1).. Container will be killed and recreated.`,
		one(inOld, evidence.KillDecided{Reason: evidence.KillDefinition,
			Message: text("Container spec hash changed (3363766738 vs 1).. Container will be killed and recreated."),
			Count:   1})},
	{"1.14-1.20 liveness", old + `Container "a" ({"containerd" "` + cid +
		`"}) of pod p_s-n5(` + uid + `): Container a failed liveness probe, will be restarted`,
		one(inOld, evidence.KillDecided{Reason: evidence.KillLiveness,
			Message: text("Container a failed liveness probe, will be restarted"), Count: 1})},
	{"1.5-1.7 unhealthy", old + `pod "p_s-n5(` + uid + `)" container "a" is unhealthy, it will be killed and re-created.`,
		one(inNoCID, evidence.KillDecided{Reason: evidence.KillLiveness,
			Message: text(`pod "p_s-n5(` + uid + `)" container "a" is unhealthy, it will be killed and re-created.`),
			Count:   1})},
	{"1.19-1.20 kill", old + `Killing container "containerd://` + cid + `" with a 2 second grace period`,
		one(evidence.Subject{ContainerID: cid}, evidence.KillStarted{GraceSeconds: 2})},
	{"1.5-1.18 kill", old + `Killing container "docker://` + cid + `" with 30 second grace period`,
		one(evidence.Subject{ContainerID: cid}, evidence.KillStarted{GraceSeconds: 30})},
	{"1.5-1.6 dockertools kill", old + `Killing container "` + cid + ` s-n5/p" with 30 second grace period`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", ContainerID: cid}, evidence.KillStarted{GraceSeconds: 30})},
	{"1.5-1.6 dockertools kill by name", old + `Killing container "` + cid + ` a s-n5/p" with 30 second grace period`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", Container: "a", ContainerID: cid},
			evidence.KillStarted{GraceSeconds: 30})},
	{"the override line comes in addition", old + `Killing container "docker://` +
		cid + `", but using 0 second grace period override`, nil},
	{"PLEG started", old + `SyncLoop (PLEG): "p_s-n5(` + uid + `)", event: &pleg.PodLifecycleEvent{ID:"` +
		uid + `", Type:"ContainerStarted", Data:"` + cid + `"}`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, ContainerID: cid}, evidence.ContainerStarted{})},
	{"PLEG died", old + `SyncLoop (PLEG): "p_s-n5(` + uid + `)", event: &pleg.PodLifecycleEvent{ID:"` +
		uid + `", Type:"ContainerDied", Data:"` + cid + `"}`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, ContainerID: cid}, evidence.ContainerDied{})},
	{"a relist that finds an end", old + `GenericPLEG: ` + uid + `/` + cid + `: running -> exited`,
		one(evidence.Subject{PodUID: uid, ContainerID: cid}, evidence.ContainerDied{})},
	{"a relist that finds one gone", old + `GenericPLEG: ` + uid + `/` + cid + `: running -> non-existent`,
		one(evidence.Subject{PodUID: uid, ContainerID: cid}, evidence.ContainerDied{})},
	{"a relist that does not know", old + `GenericPLEG: ` + uid + `/` + cid + `: running -> unknown`, nil},
	{"a relist that finds a start", old + `GenericPLEG: ` + uid + `/` + cid + `: non-existent -> running`, nil},
	{"PLEG of another kind", old + `SyncLoop (PLEG): "p_s-n5(` + uid + `)", event: &pleg.PodLifecycleEvent{ID:"` +
		uid + `", Type:"PodSync", Data:interface {}(nil)}`, nil},
	{"PLEG that is ignored", old + `SyncLoop (PLEG): ignore irrelevant event: &pleg.PodLifecycleEvent{ID:"` +
		uid + `", Type:"ContainerDied", Data:"` + cid + `"}`, nil},
	{"liveness failed", old + `Liveness probe for "p_s-n5(` + uid + `):a" failed (failure): cat: can't open '/tmp/ok'`,
		one(inNoCID, evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Output: text("cat: can't open '/tmp/ok'"),
			Count: 1})},
	{"readiness errored", old + `Readiness probe for "p_s-n5(` + uid + `):a" errored: rpc error: no`,
		one(inNoCID, evidence.ProbeFailed{Probe: evidence.ProbeReadiness, Errored: true,
			Output: text("rpc error: no"), Count: 1})},
	{"startup failed", old + `Startup probe for "p_s-n5(` + uid + `):a" failed (failure): `,
		one(inNoCID, evidence.ProbeFailed{Probe: evidence.ProbeStartup, Count: 1})},
	{"a success is no failure", old + `Liveness probe for "p_s-n5(` + uid + `):a" succeeded`, nil},
	{"no sandbox", old + `No sandbox for pod "p_s-n5(` + uid + `)" can be found. Need to start a new one`,
		one(podOld, evidence.SandboxJudged{Reason: evidence.SandboxNone})},
	{"no ready sandbox", old + `No ready sandbox for pod "p_s-n5(` + uid + `)" can be found. Need to start a new one`,
		one(podOld, evidence.SandboxJudged{Reason: evidence.SandboxNotReady})},
	{"1.7-1.16 several sandboxes", old + `More than 1 sandboxes for pod "p_s-n5(` +
		uid + `)" are ready. Need to reconcile them`,
		one(podOld, evidence.SandboxJudged{Reason: evidence.SandboxMultiple})},
	{"1.17-1.20 several sandboxes", old + `Multiple sandboxes are ready for Pod "p_s-n5(` +
		uid + `)". Need to reconcile them`,
		one(podOld, evidence.SandboxJudged{Reason: evidence.SandboxMultiple})},
	{"network changed", old + `Sandbox for pod "p_s-n5(` + uid + `)" has changed. Need to start a new one`,
		one(podOld, evidence.SandboxJudged{Reason: evidence.SandboxNetwork})},
	{"1.8-1.16 no IP", old + `Sandbox for pod "p_s-n5(` + uid + `)" has no IP address.  Need to start a new one`,
		one(podOld, evidence.SandboxJudged{Reason: evidence.SandboxNoIP})},
	{"preStop failed", old + `preStop hook for container "a" failed: boom`,
		one(evidence.Subject{Container: "a"}, evidence.HookFailed{Hook: "PreStop", Output: text("boom")})},
	{"postStart failed", old + `Error syncing pod ` + uid + ` ("p_s-n5(` +
		uid + `)"), skipping: failed to "StartContainer" for "a" with PostStartHookError: command 'x' exited with 7: : ""`,
		one(inNoCID, evidence.HookFailed{Hook: "PostStart", Output: text(`command 'x' exited with 7: : ""`)})},
	{"1.6-1.11 back-off in the worker", old + `Error syncing pod ` + uid +
		` ("p_s-n5(` + uid +
		`)"), skipping: failed to "StartContainer" for "a" with CrashLoopBackOff: "Back-off 40s restarting failed container=a pod=p_s-n5(` + uid + `)"`,
		one(inNoCID, evidence.BackedOff{Delay: 40 * time.Second})},
	{"two back-offs in one error", old + `Error syncing pod ` + uid + ` ("p_s-n5(` +
		uid +
		`)"), skipping: [failed to "StartContainer" for "a" with CrashLoopBackOff: "back-off 10s restarting failed container=a pod=p_s-n5(` + uid + `)", failed to "StartContainer" for "b" with CrashLoopBackOff: "back-off 5m0s restarting failed container=b pod=p_s-n5(` + uid + `)"]`,
		[]said{{inNoCID, evidence.BackedOff{Delay: 10 * time.Second}},
			{evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, Container: "b"},
				evidence.BackedOff{Delay: 5 * time.Minute}}}},
	{"a hook's output cannot forge a back-off", old + `Error syncing pod ` +
		uid + ` ("p_s-n5(` + uid +
		`)"), skipping: failed to "StartContainer" for "a" with PostStartHookError: failed to "StartContainer" for "b" with CrashLoopBackOff: "back-off 40s restarting failed container=b pod=p_s-n5(` + uid + `)"`,
		one(inNoCID, evidence.HookFailed{Hook: "PostStart",
			Output: text(
				`failed to "StartContainer" for "b" with CrashLoopBackOff: "back-off 40s restarting failed container=b pod=p_s-n5(` + uid + `)"`)})},
	{"a back-off of another pod is not believed", old + `Error syncing pod ` +
		uid + ` ("p_s-n5(` + uid +
		`)"), skipping: failed to "StartContainer" for "a" with CrashLoopBackOff: "back-off 40s restarting failed container=a pod=q_x(other)"`, nil},
	{"1.16-1.20 back-off", old + `back-off 20s restarting failed container=a pod=p_s-n5(` + uid + `)`,
		one(inNoCID, evidence.BackedOff{Delay: 20 * time.Second})},
	{"1.5-1.8 start", old + `Started kubelet v1.5.8`,
		one(evidence.Subject{}, evidence.KubeletStarted{Version: "v1.5.8", PID: 80})},
	{"1.9-1.20 version", "I1121 08:42:04.967730      80 server.go:416] Version: v1.20.15",
		one(evidence.Subject{}, evidence.KubeletStarted{Version: "v1.20.15", PID: 80})},
	{"cAdvisor's version is another",
		"I1121 08:42:09.980769      80 manager.go:229] Version: {KernelVersion:6.18.44 ContainerOsVersion:Debian}", nil},
	{"pods added", old + `SyncLoop (ADD, "api"): "p_s-n5(` + uid + `), q_x(u2)"`,
		[]said{{podOld, evidence.PodConfig{Op: "ADD", Origin: "api", Others: 1}},
			{evidence.Subject{Namespace: "x", Pod: "q", PodUID: "u2"},
				evidence.PodConfig{Op: "ADD", Origin: "api", Others: 1}}}},
	{"a pod that is being deleted", old + `SyncLoop (UPDATE, "api"): "p_s-n5(` +
		uid + `):DeletionTimestamp=2020-01-01T00:00:00Z"`,
		one(podOld, evidence.PodConfig{Op: "DELETE", Origin: "api"})},
	{"one of two pods is being deleted", old + `SyncLoop (UPDATE, "api"): "q_x(u2), p_s-n5(` +
		uid + `):DeletionTimestamp=2020-01-01T00:00:00Z"`,
		[]said{{evidence.Subject{Namespace: "x", Pod: "q", PodUID: "u2"}, evidence.PodConfig{Op: "UPDATE", Origin: "api"}},
			{podOld, evidence.PodConfig{Op: "DELETE", Origin: "api"}}}},
	{"no pods", old + `SyncLoop (ADD, "file"): ""`, nil},
	{"housekeeping is no configuration", old + `SyncLoop (housekeeping)`, nil},
	{"reconciling is no configuration", old + `SyncLoop (RECONCILE, "api"): "p_s-n5(` + uid + `)"`, nil},
	{"rejected", "W1121 08:42:57.694552      80 predicate.go:100] Failed to admit pod p_s-n5(" +
		uid + ") - Unexpected error", one(podOld, evidence.PodRejected{Message: text("Unexpected error")})},
	{"rejected by the eviction manager",
		"W1121 08:42:57.694552      80 eviction_manager.go:161] Failed to admit pod p_s-n5(" +
			uid + ") - node has conditions: [MemoryPressure]",
		one(podOld, evidence.PodRejected{Reason: "Evicted", Message: text("node has conditions: [MemoryPressure]")})},
	{"1.7-1.20 evicted", old + `eviction manager: pod p_s-n5(` + uid + `) is evicted successfully`,
		one(podOld, evidence.PodEvicted{Reason: "Evicted"})},
	{"1.5-1.6 evicted", old + `eviction manager: pod p_s-n5(` + uid + `) evicted successfully`,
		one(podOld, evidence.PodEvicted{Reason: "Evicted"})},
	{"preempted", old + `preemption: pod p_s-n5(` + uid + `) evicted successfully`,
		one(podOld, evidence.PodEvicted{Reason: "Preempting"})},
	{"1.20 node shutdown", old + `Shutdown manager killing pod "p" with gracePeriod: 10 seconds`,
		one(evidence.Subject{Pod: "p"}, evidence.PodEvicted{Reason: "Shutdown"})},
}
