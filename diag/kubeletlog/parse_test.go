package kubeletlog

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	uid = "0b222463-b4cd-48ff-b717-ecaa167c7f92"
	cid = "cfbbbf3f70d6994adc39f392fb9750a9e7d70445fca6d1fc5e265b88c024f0fa"
	old = "I1121 08:42:57.694552      80 kuberuntime_manager.go:656] "  // kubelet ≤1.20
	now = "I1121 07:43:40.929171    8252 kuberuntime_manager.go:1374] " // kubelet ≥1.21
)

var byText = cmp.Comparer(func(a, b safetext.Text) bool { return a.String() == b.String() })

// said is a statement without its quote.
type said struct {
	Subject evidence.Subject
	Fact    evidence.Fact
}

func read(line string) []said {
	_, obs := Parse(line)
	var out []said
	for _, o := range obs {
		out = append(out, said{o.Subject, o.Fact})
	}
	return out
}

func text(s string) safetext.Text { return safetext.Clean(s) }

// The pod as lines of both styles name it, and with its container.
var (
	podOld  = evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid}
	podNew  = evidence.Subject{Namespace: "s-n5", Pod: "p"}
	podUID  = podOld
	inOld   = evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, Container: "a", ContainerID: cid}
	inNoUID = evidence.Subject{Namespace: "s-n5", Pod: "p", Container: "a", ContainerID: cid}
	inNoCID = evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, Container: "a"}
)

type lineCase struct {
	name string
	line string
	want []said
}

func one(s evidence.Subject, f evidence.Fact) []said { return []said{{s, f}} }

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
		one(podOld, evidence.PodConfig{Op: "UPDATE", Origin: "api"})},
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

var newLines = []lineCase{
	{"1.28+ definition", now +
		`"Message for Container of pod" containerName="a" containerStatusID={"Type":"containerd","ID":"` +
		cid + `"} pod="s-n5/p" containerMessage="Container a definition changed, will be restarted"`,
		one(inNoUID, evidence.KillDecided{Reason: evidence.KillDefinition,
			Message: text("Container a definition changed, will be restarted"), Count: 1})},
	{"1.21-1.27 definition", now +
		`"Message for Container of pod" containerName="a" containerStatusID={Type:containerd ID:` +
		cid + `} pod="s-n5/p" containerMessage="Container a definition changed, will be restarted"`,
		one(inNoUID, evidence.KillDecided{Reason: evidence.KillDefinition,
			Message: text("Container a definition changed, will be restarted"), Count: 1})},
	{"keys in another order, more of them", now +
		`"Message for Container of pod" logger="x" containerMessage="Container a failed startup probe, will be restarted" pod="s-n5/p" containerStatusID={"Type":"containerd","ID":"` + cid + `"} containerName="a"`,
		one(inNoUID, evidence.KillDecided{Reason: evidence.KillStartup,
			Message: text("Container a failed startup probe, will be restarted"), Count: 1})},
	{"a sidecar's probe", now +
		`"Message for Container of pod" containerName="a" containerStatusID={"Type":"containerd","ID":"` +
		cid + `"} pod="s-n5/p" containerMessage="Init container a failed liveness probe"`,
		one(inNoUID, evidence.KillDecided{Reason: evidence.KillLiveness,
			Message: text("Init container a failed liveness probe"), Count: 1})},
	{"a message with quotes in it", now +
		`"Message for Container of pod" containerName="a" containerStatusID={"Type":"containerd","ID":"` +
		cid + `"} pod="s-n5/p" containerMessage="Container is in \"unknown\" state, try killing it before restart"`,
		one(inNoUID, evidence.KillDecided{Reason: evidence.KillUnknownState,
			Message: text(`Container is in "unknown" state, try killing it before restart`), Count: 1})},
	{"1.28+ kill", now + `"Killing container with a grace period" pod="s-n5/p" podUID="` +
		uid + `" containerName="a" containerID="containerd://` + cid + `" gracePeriod=30`,
		one(inOld, evidence.KillStarted{GraceSeconds: 30})},
	{"1.22-1.27 kill, bare UID", now + `"Killing container with a grace period" pod="s-n5/p" podUID=` +
		uid + ` containerName="a" containerID="containerd://` + cid + `" gracePeriod=30`,
		one(inOld, evidence.KillStarted{GraceSeconds: 30})},
	{"1.21 kill, text of the override", now + `"Killing container with a grace period override" pod="s-n5/p" podUID=` +
		uid + ` containerName="a" containerID="containerd://` + cid + `" gracePeriod=2`,
		one(inOld, evidence.KillStarted{GraceSeconds: 2})},
	{"1.28+ override comes in addition", now + `"Killing container with a grace period override" pod="s-n5/p" podUID="` +
		uid + `" containerName="a" containerID="containerd://` + cid + `" gracePeriod=2`, nil},
	{"1.28+ PLEG", now + `"SyncLoop (PLEG): event for pod" pod="s-n5/p" event={"ID":"` +
		uid + `","Type":"ContainerDied","Data":"` + cid + `"}`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, ContainerID: cid}, evidence.ContainerDied{})},
	{"1.21-1.27 PLEG", now + `"SyncLoop (PLEG): event for pod" pod="s-n5/p" event=&{ID:` +
		uid + ` Type:ContainerStarted Data:` + cid + `}`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, ContainerID: cid}, evidence.ContainerStarted{})},
	{"container finished", now + `"Generic (PLEG): container finished" podID="` + uid + `" containerID="` + cid +
		`" exitCode=137`,
		one(evidence.Subject{PodUID: uid, ContainerID: cid}, evidence.ContainerFinished{ExitCode: 137})},
	{"1.22-1.27 container finished",
		now + `"Generic (PLEG): container finished" podID=` + uid + ` containerID="` + cid + `" exitCode=-1`,
		one(evidence.Subject{PodUID: uid, ContainerID: cid}, evidence.ContainerFinished{ExitCode: -1})},
	{"probe failed, block", now + "\"Probe failed\" probeType=\"Liveness\" pod=\"s-n5/p\" podUID=\"" +
		uid + "\" containerName=\"a\" probeResult=\"failure\" output=<\n\tcat: can't open\n\tsecond line\n >",
		one(inNoCID, evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Output: text("cat: can't open\nsecond line"),
			Count: 1})},
	{"probe failed, block before other keys", now +
		"\"Probe failed\" output=<\n\tx\n > probeType=\"Startup\" pod=\"s-n5/p\" podUID=\"" + uid + "\" containerName=\"a\"",
		one(inNoCID, evidence.ProbeFailed{Probe: evidence.ProbeStartup, Output: text("x"), Count: 1})},
	{"probe errored",
		`E1121 07:43:40.929171    8252 prober.go:104] "Probe errored" err="rpc error" probeType="Readiness" pod="s-n5/p" podUID="` + uid + `" containerName="a" probeResult="unknown"`,
		one(inNoCID, evidence.ProbeFailed{Probe: evidence.ProbeReadiness, Errored: true, Output: text("rpc error"),
			Count: 1})},
	{"no sandbox", now + `"No sandbox for pod can be found. Need to start a new one" pod="s-n5/p"`,
		one(podNew, evidence.SandboxJudged{Reason: evidence.SandboxNone})},
	{"no ready sandbox", now + `"No ready sandbox for pod can be found. Need to start a new one" pod="s-n5/p"`,
		one(podNew, evidence.SandboxJudged{Reason: evidence.SandboxNotReady})},
	{"several sandboxes", now + `"Multiple sandboxes are ready for Pod. Need to reconcile them" pod="s-n5/p"`,
		one(podNew, evidence.SandboxJudged{Reason: evidence.SandboxMultiple})},
	{"network changed", now + `"Sandbox for pod has changed. Need to start a new one" pod="s-n5/p"`,
		one(podNew, evidence.SandboxJudged{Reason: evidence.SandboxNetwork})},
	{"no IP", now + `"Sandbox for pod has no IP address. Need to start a new one" pod="s-n5/p"`,
		one(podNew, evidence.SandboxJudged{Reason: evidence.SandboxNoIP})},
	{"postStart failed", now + `"Failed to execute PostStartHook" err="exited with 7: " pod="s-n5/p" podUID="` +
		uid + `" containerName="a" containerID="containerd://` + cid + `"`,
		one(inOld, evidence.HookFailed{Hook: "PostStart", Output: text("exited with 7: ")})},
	{"preStop too long", now + `"PreStop hook not completed in grace period" pod="s-n5/p" podUID="` +
		uid + `" containerName="a" containerID="containerd://` + cid + `" gracePeriod=30`,
		one(inOld, evidence.HookFailed{Hook: "PreStop", Output: text("not completed in the grace period")})},
	{"back-off", now +
		`"Back-off restarting failed container" err="back-off 10s restarting failed container=a pod=p_s-n5(` + uid + `)"`,
		one(inNoCID, evidence.BackedOff{Delay: 10 * time.Second})},
	{"1.33+ back-off in the worker", now +
		`"Error syncing pod, skipping" err="failed to \"StartContainer\" for \"a\" with CrashLoopBackOff: \"back-off 2m40s restarting failed container=a pod=p_s-n5(` + uid + `)\"" pod="s-n5/p" podUID="` + uid + `"`,
		one(inNoCID, evidence.BackedOff{Delay: 160 * time.Second})},
	{"version", now + `"Kubelet version" kubeletVersion="v1.36.3"`,
		one(evidence.Subject{}, evidence.KubeletStarted{Version: "v1.36.3", PID: 8252})},
	{"1.28+ pods added", now + `"SyncLoop ADD" source="api" pods=["s-n5/p","x/q"]`,
		[]said{{podNew, evidence.PodConfig{Op: "ADD", Origin: "api", Others: 1}},
			{evidence.Subject{Namespace: "x", Pod: "q"}, evidence.PodConfig{Op: "ADD", Origin: "api", Others: 1}}}},
	{"1.27 pods removed", now + `"SyncLoop REMOVE" source="api" pods=[s-n5/p x/q]`,
		[]said{{podNew, evidence.PodConfig{Op: "REMOVE", Origin: "api", Others: 1}},
			{evidence.Subject{Namespace: "x", Pod: "q"}, evidence.PodConfig{Op: "REMOVE", Origin: "api", Others: 1}}}},
	{"1.26 pods deleted", now + `"SyncLoop DELETE" source="api" pods="[s-n5/p]"`,
		one(podNew, evidence.PodConfig{Op: "DELETE", Origin: "api"})},
	{"1.21-1.22 pods updated", now + `"SyncLoop UPDATE" source="api" pods="p_s-n5(` + uid + `)"`,
		one(podUID, evidence.PodConfig{Op: "UPDATE", Origin: "api"})},
	{"no pods", now + `"SyncLoop ADD" source="file" pods=[]`, nil},
	{"missing record", now + `"Missing actuated resource record" pod="s-n5/p" container="a"`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", Container: "a"}, evidence.MissingActuatedRecord{})},
	{"denied", now + `"Pod admission denied" podUID="` + uid +
		`" pod="s-n5/p" reason="OutOfcpu" message="Node didn't have enough resource" operation="add"`,
		one(podUID, evidence.PodRejected{Reason: "OutOfcpu", Message: text("Node didn't have enough resource")})},
	{"not admitted", now + `"Failed to admit pod" pod="s-n5/p" message="unexpected"`,
		one(podNew, evidence.PodRejected{Message: text("unexpected")})},
	{"not admitted to a node in trouble", now +
		`"Failed to admit pod to node" pod="s-n5/p" nodeCondition=["MemoryPressure"]`,
		one(podNew, evidence.PodRejected{Reason: "Evicted", Message: text(`["MemoryPressure"]`)})},
	{"evicted", now + `"Eviction manager: pod is evicted successfully" pod="s-n5/p"`,
		one(podNew, evidence.PodEvicted{Reason: "Evicted"})},
	{"evicted, with the message",
		now + `"Evicting pod" pod="s-n5/p" podUID="` + uid + `" message="The node was low on resource: memory. "`,
		one(podUID, evidence.PodEvicted{Reason: "Evicted", Message: text("The node was low on resource: memory. ")})},
	{"preempted", now + `"Preempting pod to free up resources" pod="s-n5/p" podUID="` +
		uid + `" insufficientResources="[cpu]" requestingPod="kube-system/x"`,
		one(podUID, evidence.PodEvicted{Reason: "Preempting", Message: text("[cpu]")})},
	{"node shutdown", now + `"Shutdown manager killing pod with gracePeriod" pod="s-n5/p" gracePeriod=10`,
		one(podNew, evidence.PodEvicted{Reason: "Terminated"})},
	{"JSON",
		`{"ts":1795249957127.4,"caller":"kuberuntime/kuberuntime_container.go:808","msg":"Killing container with a grace period","v":2,"pod":{"name":"p","namespace":"s-n5"},"podUID":"` + uid + `","containerName":"a","containerID":"containerd://` + cid + `","gracePeriod":30}`,
		one(inOld, evidence.KillStarted{GraceSeconds: 30})},
	{"JSON event",
		`{"ts":1795249957127.4,"caller":"kubelet/kubelet.go:808","msg":"SyncLoop (PLEG): event for pod","v":2,"pod":{"name":"p","namespace":"s-n5"},"event":{"ID":"` + uid + `","Type":"ContainerDied","Data":"` + cid + `"}}`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, ContainerID: cid}, evidence.ContainerDied{})},
	{"JSON pods",
		`{"ts":1795249957127.4,"caller":"kubelet/kubelet.go:808","msg":"SyncLoop ADD","v":2,"source":"api","pods":[{"name":"p","namespace":"s-n5"}]}`,
		one(podNew, evidence.PodConfig{Op: "ADD", Origin: "api"})},
	{"JSON of 1.20", `{"ts":1795249957127.4,"msg":"Killing container \"containerd://` +
		cid + `\" with a 2 second grace period\n","v":2}`,
		one(evidence.Subject{ContainerID: cid}, evidence.KillStarted{GraceSeconds: 2})},
}

func TestLinesOfEveryStyleBecomeStatements(t *testing.T) {
	for style, cases := range map[string][]lineCase{"≤1.20": oldLines, "≥1.21": newLines} {
		for _, c := range cases {
			t.Run(style+" "+c.name, func(t *testing.T) {
				if diff := cmp.Diff(c.want, read(c.line), byText); diff != "" {
					t.Errorf("%s\n%s", c.line, diff)
				}
			})
		}
	}
}

// TestEveryFactComesFromOldAndNewKubelets holds the two tables together: a fact
// that only one of them yields needs a reason.
func TestEveryFactComesFromOldAndNewKubelets(t *testing.T) {
	onlyNew := map[string]string{
		"kubelet.container-finished":      "the line exists since 1.22",
		"kubelet.missing-actuated-record": "the line exists since 1.33",
	}
	facts := func(cases []lineCase) map[string]bool {
		out := map[string]bool{}
		for _, c := range cases {
			for _, s := range read(c.line) {
				out[s.Fact.Statement()] = true
			}
		}
		return out
	}
	before, after := facts(oldLines), facts(newLines)
	for f := range after {
		if !before[f] && onlyNew[f] == "" {
			t.Errorf("%s comes from no line of a kubelet ≤1.20", f)
		}
	}
	for f := range before {
		if !after[f] {
			t.Errorf("%s comes from no line of a kubelet ≥1.21", f)
		}
	}
	if len(after) != 14 {
		t.Errorf("%d facts: %v", len(after), after)
	}
}

func TestWhatIsNoLineOfOursSaysNothing(t *testing.T) {
	base := now + `"Killing container with a grace period" pod="s-n5/p" podUID="` +
		uid + `" containerName="a" containerID="containerd://` + cid + `" gracePeriod=30`
	if len(read(base)) != 1 {
		t.Fatal("the base line says nothing")
	}
	for name, mutate := range map[string]func(string) string{
		"without the header":        func(s string) string { return s[len(now):] },
		"behind other text":         func(s string) string { return "log: " + s },
		"with another severity":     func(s string) string { return "X" + s[1:] },
		"with an impossible month":  func(s string) string { return "I1321" + s[5:] },
		"with a letter in the time": func(s string) string { return s[:6] + "x" + s[7:] },
		"without a pid":             func(s string) string { return strings.Replace(s, "8252", "    ", 1) },
		"without a number": func(s string) string {
			return strings.Replace(s, "gracePeriod=30", "gracePeriod=soon", 1)
		},
		"without the value":                func(s string) string { return strings.Replace(s, " gracePeriod=30", "", 1) },
		"quoted by another message":        func(s string) string { return now + `"I saw this" line=` + s[len(now):] },
		"cut before the end of the header": func(s string) string { return s[:30] },
		"empty":                            func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(mutate(base)); got != nil {
				t.Errorf("%q says %+v", mutate(base), got)
			}
		})
	}
}

func TestTheQuoteIsTheLineWithoutItsHeader(t *testing.T) {
	_, obs := Parse(now + `"SyncLoop REMOVE" source="api" pods=["s-n5/p"]`)
	if got := obs[0].Text.String(); got != `"SyncLoop REMOVE" source="api" pods=["s-n5/p"]` {
		t.Errorf("quoted as %s", got)
	}
	_, obs = Parse(now + `"SyncLoop ADD" source="api" pods=["s-n5/p","x/q"]`)
	if got := obs[1].Text.String(); got != `SyncLoop ADD, "api": x/q (2 of 2)` {
		t.Errorf("one of several pods is quoted as %s", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range append(append([]lineCase{}, oldLines...), newLines...) {
		f.Add(c.line)
	}
	f.Fuzz(func(t *testing.T, s string) {
		_, obs := Parse(s)
		for _, o := range obs {
			if o.Fact == nil || !safetext.Safe(o.Text.String()) {
				t.Fatalf("a statement without a fact, or an unsafe quote, from %q: %+v", s, o)
			}
		}
		if len(obs) > len(s) {
			t.Fatalf("%d statements from %d bytes", len(obs), len(s))
		}
	})
}
