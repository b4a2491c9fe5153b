package event

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func says(reason, message string) func(*corev1.Event) {
	return func(e *corev1.Event) { e.Reason, e.Message = reason, message }
}

func ofNode(e *corev1.Event) {
	e.InvolvedObject = corev1.ObjectReference{Kind: "Node", Name: "n1", UID: "n1"}
}

func by(component string) func(*corev1.Event) {
	return func(e *corev1.Event) { e.Source = corev1.EventSource{Component: component} }
}

func observeOne(e corev1.Event) []evidence.Observation {
	b := evidence.NewBuilder(objecttest.T0)
	ObserveEvent(b, &e, map[string]*corev1.Pod{"uid-web-0": {Spec: corev1.PodSpec{NodeName: "n1"}}}, nil)
	return b.Build().Observations
}

func TestEventsBecomeFacts(t *testing.T) {
	text := safetext.Clean
	first := objecttest.At(5).UTC()
	plain := func(reason, message string) evidence.Fact {
		return evidence.APIEvent{Reason: reason, Message: text(message), Count: 1, First: first}
	}
	notMade := func(reason, message string) evidence.Fact {
		return evidence.StartFailed{Reason: safetext.Ident(reason), Message: text(message)}
	}
	cases := map[string]struct {
		mutate []func(*corev1.Event)
		want   evidence.Fact
	}{
		"a kill for a failed liveness probe": {nil, evidence.KillDecided{Reason: evidence.KillLiveness,
			Message: text("Container a failed liveness probe, will be restarted"), Count: 1, First: first}},
		"a kill of the whole pod": {[]func(*corev1.Event){says("Killing", "Stopping container a")},
			evidence.KillDecided{Reason: evidence.KillPod, Message: text("Stopping container a"), Count: 1, First: first}},
		"a kill by a kubelet of 1.13": {
			[]func(*corev1.Event){says(
				"Killing",
				"Killing container with id docker://a:Container spec hash changed (1 vs 2).. Container will be killed and recreated.",
			)},
			evidence.KillDecided{Reason: evidence.KillDefinition,
				Message: text(
					"Killing container with id docker://a:Container spec hash changed (1 vs 2).. Container will be killed and recreated.",
				), Count: 1, First: first}},
		"a kill in words nobody knows": {[]func(*corev1.Event){says("Killing", "because")},
			evidence.KillDecided{Reason: evidence.KillOther, Message: text("because"), Count: 1, First: first}},
		"a kill that somebody else claims": {[]func(*corev1.Event){by("mallory")},
			plain("Killing", "Container a failed liveness probe, will be restarted")},
		"kills that were merged": {
			[]func(*corev1.Event){says("Killing", combined+"Container a failed startup probe, will be restarted"),
				func(e *corev1.Event) { e.Count = 4 }},
			evidence.KillDecided{Reason: evidence.KillStartup,
				Message: text("Container a failed startup probe, will be restarted"), Count: 4, First: first}},
		"a sandbox that fails with other words each time": {
			[]func(*corev1.Event){says("FailedCreatePodSandBox", combined+"Failed create pod sandbox: no"),
				func(e *corev1.Event) { e.Count = 4 }},
			evidence.StartFailed{Reason: "CreatePodSandboxError", Message: text("Failed create pod sandbox: no"), Count: 4,
				First: first, Similar: true}},
		"a sandbox that fails, in a table without a sender": {
			[]func(*corev1.Event){says("FailedCreatePodSandBox", "Failed to create pod sandbox: no"), by("")},
			evidence.StartFailed{Reason: "CreatePodSandboxError", Message: text("Failed to create pod sandbox: no"), Count: 1,
				First: first}},
		"a volume that cannot be mounted": {
			[]func(*corev1.Event){says("FailedMount", `MountVolume.SetUp failed for volume "x" : no`)},
			evidence.StartFailed{Reason: "FailedMount", Message: text(`MountVolume.SetUp failed for volume "x" : no`),
				Count: 1, First: first}},
		"a volume that cannot be attached": {[]func(*corev1.Event){says("FailedAttachVolume", "Multi-Attach error"),
			by("attachdetach-controller")},
			evidence.StartFailed{Reason: "FailedAttachVolume", Message: text("Multi-Attach error")}},
		"a failed probe": {[]func(*corev1.Event){says("Unhealthy",
			"Liveness probe failed: HTTP probe failed with statuscode: 500")},
			evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Output: text("HTTP probe failed with statuscode: 500"),
				Count: 1, First: first}},
		"a probe that could not run": {
			[]func(*corev1.Event){says("Unhealthy", "Readiness probe errored and resulted in unknown state: rpc error")},
			evidence.ProbeFailed{Probe: evidence.ProbeReadiness, Errored: true,
				Output: text("rpc error"), Count: 1, First: first}},
		"an unhealthy event in other words": {[]func(*corev1.Event){says("Unhealthy", "hm")}, plain("Unhealthy", "hm")},
		"a failed PostStart hook": {[]func(*corev1.Event){says("FailedPostStartHook", "PostStartHook failed")},
			evidence.HookFailed{Hook: "PostStart", Output: text("PostStartHook failed")}},
		"a failed PreStop hook": {[]func(*corev1.Event){says("FailedPreStopHook", "PreStopHook failed")},
			evidence.HookFailed{Hook: "PreStop", Output: text("PreStopHook failed")}},
		"a back-off of restarts": {
			[]func(*corev1.Event){says("BackOff", "Back-off restarting failed container a in pod web-0_shop(u)")},
			evidence.BackedOff{}},
		"a back-off of pulls": {[]func(*corev1.Event){says("BackOff", `Back-off pulling image "x"`)},
			evidence.StartFailed{Reason: "ImagePullBackOff", Message: text(`Back-off pulling image "x"`), Count: 1,
				First: first}},
		"a pull that failed": {[]func(*corev1.Event){says("Failed", `Failed to pull image "x": not found`)},
			evidence.StartFailed{Reason: "ErrImagePull", Message: text(`Failed to pull image "x": not found`), Count: 1,
				First: first}},
		"a creation that failed, in words nobody knows": {[]func(*corev1.Event){says("Failed", "Error: no luck today")},
			notMade("CreateContainerError", "no luck today")},
		"a creation that the kubelet called off": {[]func(*corev1.Event){says("Failed", "Error: context canceled")},
			evidence.StartFailed{Reason: "CreateContainerError", Message: safetext.Clean("context canceled"),
				CalledOff: true}},
		"a pull that the kubelet called off": {[]func(*corev1.Event){says("Failed",
			`Failed to pull image "x": rpc error: code = Canceled desc = context canceled`)},
			evidence.StartFailed{Reason: "ErrImagePull", Count: 1, First: first, CalledOff: true, Message: safetext.Clean(
				`Failed to pull image "x": rpc error: code = Canceled desc = context canceled`)}},
		"a creation for dockertools": {
			[]func(*corev1.Event){says("Failed", "Failed to create docker container with error: no")},
			notMade("CreateContainerError", "Failed to create docker container with error: no")},
		"a start for dockertools": {
			[]func(*corev1.Event){says("Failed", "Failed to start with docker id 1a2b with error: no")},
			notMade("RunContainerError", "Failed to start with docker id 1a2b with error: no")},
		"a creation by CRI-O that failed": {[]func(*corev1.Event){says("Failed", "Error: container create failed: no")},
			notMade("CreateContainerError", "container create failed: no")},
		"a start by CRI-O that failed": {
			[]func(*corev1.Event){says("Failed", "Error: container create failed: unable to start container process: no")},
			notMade("RunContainerError", "container create failed: unable to start container process: no")},
		"a cache that is not ready": {
			[]func(*corev1.Event){says("Failed", "Error: failed to sync secret cache: timed out")},
			plain("Failed", "Error: failed to sync secret cache: timed out")},
		"a node without a network": {[]func(*corev1.Event){says("NetworkNotReady", "network is not ready: no CNI")},
			evidence.StartFailed{Reason: "NetworkNotReady", Message: text("network is not ready: no CNI"), Count: 1,
				First: first}},
		"a node without a network, of old": {
			[]func(*corev1.Event){says("FailedSync", "Error syncing pod, skipping: network is not ready: [no CIDR]")},
			evidence.StartFailed{Reason: "NetworkNotReady", Message: text("network is not ready: [no CIDR]"), Count: 1,
				First: first}},
		"a sandbox without a network, of old": {
			[]func(*corev1.Event){says("FailedSync", `Error syncing pod, skipping: failed to "SetupNetwork" for "a" with x`)},
			evidence.StartFailed{Reason: "CreatePodSandboxError", Message: text(`failed to "SetupNetwork" for "a" with x`),
				Count: 1, First: first}},
		"volumes that do not come, of old": {
			[]func(*corev1.Event){says("FailedSync",
				"Error syncing pod, skipping: timeout expired waiting for volumes to attach/mount for pod a")},
			evidence.StartFailed{Reason: "FailedMount", Count: 1, First: first,
				Message: text("timeout expired waiting for volumes to attach/mount for pod a")}},
		"a sync that failed for something else": {[]func(*corev1.Event){says("FailedSync", "Error syncing pod")},
			plain("FailedSync", "Error syncing pod")},
		"Services that are not read": {
			[]func(*corev1.Event){says("Failed", "Error: services have not yet been read at least once")},
			plain("Failed", "Error: services have not yet been read at least once")},
		"a path within a volume": {
			[]func(*corev1.Event){says("Failed", `Error: failed to prepare subPath for volumeMount "a"`)},
			notMade("FailedMount", `failed to prepare subPath for volumeMount "a"`)},
		"an image with a wrong name": {
			[]func(*corev1.Event){says("InspectFailed", `Failed to apply default image tag "A": no`)},
			evidence.StartFailed{Reason: "InvalidImageName", Message: text(`Failed to apply default image tag "A": no`),
				Count: 1, First: first}},
		"an image that the runtime cannot read": {
			[]func(*corev1.Event){says("InspectFailed", `Failed to inspect image "a": no`)},
			evidence.StartFailed{Reason: "ImageInspectError", Message: text(`Failed to inspect image "a": no`),
				Count: 1, First: first}},
		"an image that must not be pulled": {[]func(*corev1.Event){says("ErrImageNeverPull", "no")},
			evidence.StartFailed{Reason: "ErrImageNeverPull", Message: text("no"), Count: 1, First: first}},
		"an image's error by its name": {[]func(*corev1.Event){says("Failed", "Error: InvalidImageName")},
			notMade("InvalidImageName", "")},
		"a step before the start": {
			[]func(*corev1.Event){says("Failed", "Internal PreStartContainer hook failed: no")},
			notMade("PreStartHookError", "Internal PreStartContainer hook failed: no")},
		"an image's error, without what it was": {[]func(*corev1.Event){says("Failed", "Error: ErrImagePull")},
			plain("Failed", "Error: ErrImagePull")},
		"a creation that failed, as somebody else says": {
			[]func(*corev1.Event){says("Failed", "Error: no luck today"), by("mallory")},
			plain("Failed", "Error: no luck today")},
		"a sandbox that changed": {
			[]func(*corev1.Event){says("SandboxChanged", "Pod sandbox changed, it will be killed and re-created.")},
			evidence.SandboxChanged{Count: 1, First: first}},
		"a sandbox of dockertools": {
			[]func(*corev1.Event){says("InfraChanged", "Pod infrastructure changed, it will be killed and re-created.")},
			evidence.SandboxChanged{Count: 1, First: first}},
		"an image that was there": {
			[]func(*corev1.Event){says("Pulled", `Container image "x:1" already present on machine`)},
			evidence.ImageSeen{Image: "x:1"}},
		"an image that is pulled": {[]func(*corev1.Event){says("Pulling", `Pulling image "x:1"`)},
			evidence.ImageSeen{Image: "x:1"}},
		"a pull in other words": {[]func(*corev1.Event){says("Pulled", "done")}, plain("Pulled", "done")},
		"an eviction": {[]func(*corev1.Event){says("Evicted", "The node was low on resource: memory. ")},
			evidence.PodEvicted{Reason: "Evicted", Message: text("The node was low on resource: memory. ")}},
		"a pod refused under pressure": {[]func(*corev1.Event){says("Evicted", "The node had condition: [MemoryPressure]. ")},
			evidence.PodRejected{Reason: "Evicted", Message: text("The node had condition: [MemoryPressure]. ")}},
		"a deadline": {[]func(*corev1.Event){says("DeadlineExceeded", "Pod was active")},
			evidence.PodEvicted{Reason: "DeadlineExceeded", Message: text("Pod was active")}},
		"preemption by the kubelet": {[]func(*corev1.Event){says("Preempting", "Preempted in order to admit critical pod")},
			evidence.PodEvicted{Reason: "Preempting", Message: text("Preempted in order to admit critical pod")}},
		"the descheduler, with a strategy for a reason": {[]func(*corev1.Event){
			says("LowNodeUtilization", "pod eviction from n1 node by sigs.k8s.io/descheduler"), by("sigs.k8s.io/descheduler")},
			evidence.PodEvicted{Reason: "Descheduled", Message: text("pod eviction from n1 node by sigs.k8s.io/descheduler")}},
		"the descheduler, in vain": {[]func(*corev1.Event){says("EvictionFailed",
			"pod eviction from n1 node by sigs.k8s.io/descheduler failed: no"), by("sigs.k8s.io/descheduler")},
			plain("EvictionFailed", "pod eviction from n1 node by sigs.k8s.io/descheduler failed: no")},
		"a node that its cloud is about to take away": {[]func(*corev1.Event){
			says("PodEviction", "Pod evicted due to node drain (node n1)"), by("aws-node-termination-handler")},
			plain("PodEviction", "Pod evicted due to node drain (node n1)")},
		"a preemption that is none": {[]func(*corev1.Event){says("Stopped", "Preempted to accommodate nothing, simulation")},
			plain("Stopped", "Preempted to accommodate nothing, simulation")},
		"a node that does wait": {[]func(*corev1.Event){says("Disrupted", "Deleting the pod to accommodate the "+
			"terminationTime of the node; blocked")}, plain("Disrupted",
			"Deleting the pod to accommodate the terminationTime of the node; blocked")},
		"a node that does not wait": {[]func(*corev1.Event){says("Disrupted", "Deleting the pod to accommodate the "+
			"terminationTime x of the node. The pod was granted 3 seconds"), by("karpenter")}, evidence.PodEvicted{Reason: evidence.EvictedByController,
			Message: text("Deleting the pod to accommodate the terminationTime x of the node. The pod was granted 3 seconds")}},
		"a workload that is a pod, preempted": {[]func(*corev1.Event){says("Stopped", "Preempted to accommodate a workload "+
			"(UID: 1) due to reclamation"), by("kueue")}, evidence.PodEvicted{Reason: "Preempted",
			Message: text("Preempted to accommodate a workload (UID: 1) due to reclamation")}},
		"a workload that stopped": {[]func(*corev1.Event){says("Stopped", "Workload is deleted"), by("kueue")},
			plain("Stopped", "Workload is deleted")},
		"a pod too many": {[]func(*corev1.Event){says("ExcessPodDeleted", "Excess pod deleted"), by("kueue")},
			evidence.PodDeleted{GraceSeconds: -1}},
		"preemption by the scheduler": {[]func(*corev1.Event){says("Preempted", "Preempted by pod x"),
			by("default-scheduler")}, evidence.PodEvicted{Reason: "Preempted", Message: text("Preempted by pod x")}},
		"a taint": {[]func(*corev1.Event){says("TaintManagerEviction",
			"Marking for deletion Pod shop/web-0"), by("taint-eviction-controller")},
			evidence.PodEvicted{Reason: "TaintManagerEviction", Message: text("Marking for deletion Pod shop/web-0")}},
		"a taint that went away": {[]func(*corev1.Event){says("TaintManagerEviction",
			"Cancelling deletion of Pod shop/web-0"), by("taint-eviction-controller")},
			plain("TaintManagerEviction", "Cancelling deletion of Pod shop/web-0")},
		"a taint of a device": {[]func(*corev1.Event){says("DeviceTaintManagerEviction", "Marking for deletion"),
			by("device-taint-eviction")},
			evidence.PodEvicted{Reason: "DeviceTaintManagerEviction", Message: text("Marking for deletion")}},
		"a taint of a device that went away": {[]func(*corev1.Event){says("DeviceTaintManagerEviction",
			"Cancelling deletion"), by("device-taint-eviction")}, plain("DeviceTaintManagerEviction", "Cancelling deletion")},
		"a refusal for a label": {[]func(*corev1.Event){says("NodeAffinity", "Predicate NodeAffinity failed")},
			evidence.PodRejected{Reason: "NodeAffinity", Message: text("Predicate NodeAffinity failed")}},
		"a refusal for a resource": {[]func(*corev1.Event){says("OutOfcpu", "Node didn't have enough resource: cpu")},
			evidence.PodRejected{Reason: "OutOfcpu", Message: text("Node didn't have enough resource: cpu")}},
		"a reboot": {[]func(*corev1.Event){ofNode,
			says("Rebooted", "Node n1 has been rebooted, boot id: 1-2-3")}, evidence.NodeRebooted{BootID: "1-2-3"}},
		"a kubelet that starts": {[]func(*corev1.Event){ofNode, says("Starting", "Starting kubelet.")},
			evidence.KubeletStarted{}},
		"a kube-proxy that starts": {[]func(*corev1.Event){ofNode, says("Starting", ""), by("kube-proxy")},
			plain("Starting", "")},
		"memory of the whole node": {[]func(*corev1.Event){ofNode,
			says("SystemOOM", "System OOM encountered, victim process: x, pid: 7")},
			evidence.SystemOOM{Message: text("System OOM encountered, victim process: x, pid: 7")}},
		"node-problem-detector repeats the kernel's line": {[]func(*corev1.Event){ofNode, by("kernel-monitor"),
			says("OOMKilling", "Memory cgroup out of memory: Killed process 27 (celery) total-vm:21kB, anon-rss:10kB")},
			evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", Task: "celery", PID: 27}},
		"an older one, two lines of the kernel": {[]func(*corev1.Event){ofNode, by("kernel-monitor"),
			says("OOMKilling", "Kill process 27 (java) score 1900 or sacrifice child\nKilled process 27 (java) total-vm:21kB")},
			evidence.OOMKill{Task: "java", PID: 27}},
		"a detector that names no process": {[]func(*corev1.Event){ofNode, by("kernel-monitor"),
			says("OOMKilling", "memory")},
			plain("OOMKilling", "memory")},
		"a pod of which somebody says the same": {[]func(*corev1.Event){by("kernel-monitor"),
			says("OOMKilling", "Killed process 27 (celery) total-vm:21kB")},
			plain("OOMKilling", "Killed process 27 (celery) total-vm:21kB")},
		"a node condition": {[]func(*corev1.Event){ofNode, says("NodeNotReady", "Node n1 status is now: NodeNotReady")},
			plain("NodeNotReady", "Node n1 status is now: NodeNotReady")},
		"anything else": {[]func(*corev1.Event){says("Scheduled", "Successfully assigned")},
			plain("Scheduled", "Successfully assigned")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := observeOne(objecttest.BaseEvent(c.mutate...))
			if len(got) != 1 {
				t.Fatalf("%d observations", len(got))
			}
			if diff := cmp.Diff(c.want, got[0].Fact, objecttest.CompareText); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAnEventSaysWhoAndWhenAndWhere(t *testing.T) {
	base := evidence.Observation{
		Time:    objecttest.At(5).UTC(),
		Subject: evidence.Subject{Node: "n1", Namespace: "shop", Pod: "web-0", PodUID: "uid-web-0", Container: "a"},
		Source:  evidence.Source{Kind: evidence.SourceAPI, Where: "event shop/web-0.1", Vouched: true},
		Text:    safetext.Clean("Killing: Container a failed liveness probe, will be restarted"),
	}
	cases := map[string]struct {
		mutate func(*corev1.Event)
		want   func(*evidence.Observation)
	}{
		"as it is": {func(*corev1.Event) {}, func(*evidence.Observation) {}},
		"aggregated": {
			func(e *corev1.Event) { e.Count, e.LastTimestamp = 3, objecttest.At(50) },
			func(o *evidence.Observation) {
				o.Time, o.Text = objecttest.At(50).
					UTC(),
					safetext.Clean(
						"Killing: Container a failed liveness probe, will be restarted (×3)",
					)
			},
		},
		"a series": {func(e *corev1.Event) {
			e.Count, e.LastTimestamp, e.FirstTimestamp = 0, metav1.Time{}, metav1.Time{}
			e.EventTime, e.Series = metav1.NewMicroTime(objecttest.At(1).Time),
				&corev1.EventSeries{Count: 2, LastObservedTime: metav1.NewMicroTime(objecttest.At(9).Time)}
		}, func(o *evidence.Observation) {
			o.Time, o.Text = objecttest.At(9).
				UTC(),
				safetext.Clean(
					"Killing: Container a failed liveness probe, will be restarted (×2)",
				)
		}},
		"only the time it was written": {func(e *corev1.Event) {
			e.LastTimestamp, e.FirstTimestamp = metav1.Time{}, metav1.Time{}
		}, func(*evidence.Observation) {}},
		"no times at all": {func(e *corev1.Event) {
			e.LastTimestamp, e.FirstTimestamp, e.CreationTimestamp = metav1.Time{}, metav1.Time{}, metav1.Time{}
		}, func(o *evidence.Observation) { o.Time = time.Time{} }},
		"an init container": {func(e *corev1.Event) { e.InvolvedObject.FieldPath = "spec.initContainers{i}" },
			func(o *evidence.Observation) { o.Subject.Container, o.Source.Vouched = "i", false }},
		"an ephemeral container": {func(e *corev1.Event) { e.InvolvedObject.FieldPath = "spec.ephemeralContainers{d}" },
			func(o *evidence.Observation) { o.Subject.Container, o.Source.Vouched = "d", false }},
		"no path, but a name": {func(e *corev1.Event) { e.InvolvedObject.FieldPath = "" },
			func(o *evidence.Observation) { o.Source.Vouched = false }},
		"no host, but a reporter": {func(e *corev1.Event) {
			e.Source, e.ReportingController, e.ReportingInstance = corev1.EventSource{}, "kubelet", "n7"
		}, func(o *evidence.Observation) { o.Subject.Node = "n7" }},
		"no host, but a pod": {func(e *corev1.Event) { e.Source.Host = "" },
			func(o *evidence.Observation) { o.Source.Vouched = false }},
		"stored long after it is said to have happened": {
			func(e *corev1.Event) { e.CreationTimestamp = metav1.NewTime(e.FirstTimestamp.Add(6 * time.Minute)) },
			func(o *evidence.Observation) { o.Source.Vouched = false }},
		"stored long before": {
			func(e *corev1.Event) { e.CreationTimestamp = metav1.NewTime(e.FirstTimestamp.Add(-6 * time.Minute)) },
			func(o *evidence.Observation) { o.Source.Vouched = false }},
		"once, at two times": {func(e *corev1.Event) { e.FirstTimestamp = metav1.NewTime(e.LastTimestamp.Add(-time.Minute)) },
			func(o *evidence.Observation) { o.Source.Vouched = false }},
		"last before it was first": {
			func(e *corev1.Event) { e.Count, e.FirstTimestamp = 2, metav1.NewTime(e.LastTimestamp.Add(time.Minute)) },
			func(o *evidence.Observation) {
				o.Text = safetext.Clean("Killing: Container a failed liveness probe, will be restarted (×2)")
				o.Source.Vouched = false
			}},
		"fewer times than none": {func(e *corev1.Event) { e.Count = -1 },
			func(o *evidence.Observation) { o.Source.Vouched = false }},
		"sent again for two minutes": {
			func(e *corev1.Event) { e.CreationTimestamp = metav1.NewTime(e.FirstTimestamp.Add(2 * time.Minute)) },
			func(*evidence.Observation) {}},
		"terminal escapes": {func(e *corev1.Event) { e.Message, e.InvolvedObject.Name = "\x1b[2Jx", "p\u202e" },
			func(o *evidence.Observation) {
				o.Text, o.Subject.Pod = safetext.Clean("Killing: ^[[2Jx"), `p\u{202e}`
			}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := base
			c.want(&want)
			got := observeOne(objecttest.BaseEvent(c.mutate))[0]
			got.ID, got.Fact = "", nil
			if diff := cmp.Diff(want, got, objecttest.CompareText); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A container of that name among others than the spec has it is another pod's.
func TestAnEventNamesAContainerOfTheSpec(t *testing.T) {
	spec := corev1.PodSpec{NodeName: "n1", Containers: []corev1.Container{{Name: "a"}},
		InitContainers: []corev1.Container{{Name: "i"}},
		EphemeralContainers: []corev1.EphemeralContainer{{
			EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "d"}}}}
	for path, want := range map[string]bool{
		"spec.containers{a}": true, "spec.initContainers{i}": true, "spec.ephemeralContainers{d}": true,
		"spec.initContainers{a}": false, "spec.ephemeralContainers{a}": false, "spec.containers{i}": false,
		"spec.containers{b}": false,
	} {
		if got := inSpec(&corev1.Pod{Spec: spec}, path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if !inSpec(nil, "spec.containers{a}") || !inSpec(&corev1.Pod{}, "spec.containers{a}") {
		t.Error("what is not known was said to differ")
	}
}

func TestEventsOfOtherObjectsAreLeftOut(t *testing.T) {
	if got := observeOne(objecttest.BaseEvent(func(e *corev1.Event) { e.InvolvedObject.Kind = "ReplicaSet" })); len(
		got,
	) != 0 {
		t.Errorf("observed %+v", got)
	}
}

// A kubelet says again that it ends a pod until the pod is gone. What it repeats of other things is of the last time.
func TestAPodsEndIsOfTheFirstTime(t *testing.T) {
	for reason, want := range map[string]time.Time{
		"DeadlineExceeded": objecttest.At(5).UTC(), "Preempting": objecttest.At(65).UTC(), "Killing": objecttest.At(65).UTC(),
	} {
		e := objecttest.BaseEvent(says(reason, "Pod was active on the node longer than the specified deadline"))
		e.FirstTimestamp, e.LastTimestamp, e.Count = objecttest.At(5), objecttest.At(65), 2
		if got := observeOne(e); len(got) != 1 || !got[0].Time.Equal(want) {
			t.Errorf("%s: %+v, want %v", reason, got, want)
		}
	}
}
