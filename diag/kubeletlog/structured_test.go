package kubeletlog

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

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
	{"a request for a command in a container", now + `"HTTP" verb="POST" URI="/exec/s-n5/p/a?command=sh&tty=1" ` +
		`latency="10.2s" userAgent="kubectl/v1.30.1" audit-ID="" srcIP="10.0.0.1:5555" hijacked=true`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", Container: "a"},
			evidence.ExecStarted{Lasted: 10200 * time.Millisecond})},
	{"a request to attach, with the pod's UID", now +
		`"HTTP" verb="POST" URI="/attach/s-n5/p/` + uid + `/a" latency="3ms"`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, Container: "a"},
			evidence.ExecStarted{Attached: true, Lasted: 3 * time.Millisecond})},
	{"a request that was refused", now + `"HTTP" verb="POST" URI="/exec/s-n5/p/nobody?command=sh" latency="3ms" resp=404`, nil},
	{"another request", now + `"HTTP" verb="GET" URI="/containerLogs/s-n5/p/a" latency="3ms" resp=200`, nil},
	{"1.28+ PLEG", now + `"SyncLoop (PLEG): event for pod" pod="s-n5/p" event={"ID":"` +
		uid + `","Type":"ContainerDied","Data":"` + cid + `"}`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, ContainerID: cid}, evidence.ContainerDied{})},
	{"1.21-1.27 PLEG", now + `"SyncLoop (PLEG): event for pod" pod="s-n5/p" event=&{ID:` +
		uid + ` Type:ContainerStarted Data:` + cid + `}`,
		one(evidence.Subject{Namespace: "s-n5", Pod: "p", PodUID: uid, ContainerID: cid}, evidence.ContainerStarted{})},
	{"a relist that finds an end", now + `"GenericPLEG" podUID="` + uid + `" containerID="` + cid +
		`" oldState="running" newState="exited"`,
		one(evidence.Subject{PodUID: uid, ContainerID: cid}, evidence.ContainerDied{})},
	{"1.21-1.27 relist", now + `"GenericPLEG" podUID=` + uid + ` containerID="` + cid +
		`" oldState=running newState=exited`,
		one(evidence.Subject{PodUID: uid, ContainerID: cid}, evidence.ContainerDied{})},
	{"a relist that finds one gone", now + `"GenericPLEG" podUID="` + uid + `" containerID="` + cid +
		`" oldState="running" newState="non-existent"`,
		one(evidence.Subject{PodUID: uid, ContainerID: cid}, evidence.ContainerDied{})},
	{"a relist that does not know", now + `"GenericPLEG" podUID="` + uid + `" containerID="` + cid +
		`" oldState="running" newState="unknown"`, nil},
	{"a relist that finds a start", now + `"GenericPLEG" podUID="` + uid + `" containerID="` + cid +
		`" oldState="non-existent" newState="running"`, nil},
	{"the first relist finds what ended before", now + `"GenericPLEG" podUID="` + uid + `" containerID="` + cid +
		`" oldState="non-existent" newState="exited"`, nil},
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
	{"evicted by the updater of the vertical pod autoscaler", now + `"Evicting pod" pod="s-n5/p"`, nil},
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
