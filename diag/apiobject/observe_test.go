package apiobject

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/exitcode"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// snapshotOf observes pods the way they are kept: redacted.
func snapshotOf(pods ...corev1.Pod) *evidence.Snapshot {
	p := &Piece{}
	for i := range pods {
		p.Pods = append(p.Pods, redact.Pod(&pods[i]))
	}
	return objecttest.Observed([]evidence.RawEvidence{p}, nil)
}

func records(s *evidence.Snapshot) map[string]evidence.ContainerRecord {
	out := map[string]evidence.ContainerRecord{}
	for _, o := range s.Observations {
		if r, ok := o.Fact.(evidence.ContainerRecord); ok {
			out[o.Subject.Container+" "+o.Subject.ContainerID] = r
		}
	}
	return out
}

func code(n int32) *int32 { return &n }

func TestAStatusGivesThePresentInstanceAndTheLastOne(t *testing.T) {
	s := snapshotOf(objecttest.BasePod())
	want := map[string]evidence.ContainerRecord{
		"a new": {Kind: evidence.KindApp, State: evidence.StateRunning, Attempt: 1,
			RestartCount: 1, Started: objecttest.At(10).UTC(), Image: "r.example/web:1",
			Runtime: "containerd"},
		"a old": {Kind: evidence.KindApp, Runtime: "containerd", State: evidence.StateExited,
			Attempt: -1, RestartCount: -1, Last: true, ExitCode: code(137), Reason: "Error",
			Started: objecttest.At(-3600).UTC(), Finished: objecttest.At(9).UTC()},
	}
	if diff := cmp.Diff(want, records(s), objecttest.CompareText); diff != "" {
		t.Error(diff)
	}
	texts := map[string]bool{}
	for _, o := range s.Observations {
		texts[o.Text.String()] = true
		if o.Source.Where != "pod shop/web-0" || o.Subject.Node != "n1" || o.Subject.PodUID != "uid-web-0" {
			t.Errorf("source %+v, subject %+v", o.Source, o.Subject)
		}
	}
	for _, text := range []string{
		"container a: restartCount 1, ready true", "state: running, started 2026-11-21T07:00:10Z",
		"lastState: terminated, exit code 137, reason Error, started 2026-11-21T06:00:00Z, finished 2026-11-21T07:00:09Z",
	} {
		if !texts[text] {
			t.Errorf("no observation says %q: %v", text, texts)
		}
	}
}

func TestStates(t *testing.T) {
	status := func(p *corev1.Pod) *corev1.ContainerStatus { return &p.Status.ContainerStatuses[0] }
	cases := map[string]struct {
		mutate func(*corev1.Pod)
		key    string
		want   evidence.ContainerRecord
	}{
		"a container in back-off has no instance": {func(p *corev1.Pod) {
			status(p).State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff",
				Message: "back-off 10s"}}
		}, "a ", evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateWaiting,
			Attempt: 1, RestartCount: 1, Reason: "CrashLoopBackOff", Message: safetext.Clean("back-off 10s"),
			Image: "r.example/web:1"}},
		"a code that a text left out is in its reason": {func(p *corev1.Pod) {
			status(p).State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: exitcode.None,
				Reason: "Completed"}}
		}, "a new", evidence.ContainerRecord{Runtime: "containerd", Kind: evidence.KindApp,
			State: evidence.StateExited, Attempt: 1, RestartCount: 1, ExitCode: code(0),
			Reason: "Completed", Image: "r.example/web:1"}},
		"an error's text in the place of a reason, up to 1.7": {func(p *corev1.Pod) {
			status(p).ContainerID = ""
			status(p).State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
				Reason: `secrets "db" not found`, Message: "Generate Container Config Failed"}}
		}, "a ", evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateWaiting,
			Attempt: 1, RestartCount: 1, Reason: "CreateContainerConfigError",
			Message: safetext.Clean(`secrets "db" not found`),
			Image:   "r.example/web:1"}},
		"such a text of a container that was made": {func(p *corev1.Pod) {
			status(p).State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
				Reason: "oci runtime error: no"}}
		}, "a ", evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateWaiting,
			Attempt: 1, RestartCount: 1, Reason: safetext.Ident("oci runtime error: no"),
			Image: "r.example/web:1"}},
		"a start that the kubelet called off for the pod's end failed for no reason": {func(p *corev1.Pod) {
			asked := objecttest.At(60)
			p.DeletionTimestamp = &asked
			status(p).State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CreateContainerError",
				Message: "context canceled"}}
			status(p).LastTerminationState = corev1.ContainerState{}
		}, "a ", evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateWaiting,
			Attempt: 1, RestartCount: 1, Message: safetext.Clean("context canceled"),
			Image: "r.example/web:1"}},
		"a start that the kubelet called off had been tried because another instance had ended": {func(p *corev1.Pod) {
			asked := objecttest.At(60)
			p.DeletionTimestamp = &asked
			status(p).State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CreateContainerError",
				Message: "context canceled"}}
		}, "a ", evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateWaiting,
			Attempt: 1, RestartCount: 1, Reason: "CreateContainerError", Message: safetext.Clean("context canceled"),
			Image: "r.example/web:1"}},
		"nor did one of which the runtime tells that it was called off": {func(p *corev1.Pod) {
			asked := objecttest.At(60)
			p.DeletionTimestamp = &asked
			status(p).State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 128,
				Reason: "StartError", Message: "failed to start containerd task: context canceled: unknown"}}
			status(p).LastTerminationState = corev1.ContainerState{}
		}, "a new", evidence.ContainerRecord{Runtime: "containerd", Kind: evidence.KindApp,
			State: evidence.StateExited, Attempt: 1, RestartCount: 1, ExitCode: code(128),
			Message: safetext.Clean("failed to start containerd task: context canceled: unknown"),
			Image:   "r.example/web:1"}},
		"a container that ended takes the status' id if it has none": {func(p *corev1.Pod) {
			status(p).State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 0,
				Reason: "Completed"}}
		}, "a new", evidence.ContainerRecord{Runtime: "containerd", Kind: evidence.KindApp,
			State: evidence.StateExited, Attempt: 1, RestartCount: 1, ExitCode: code(0),
			Reason: "Completed", Image: "r.example/web:1"}},
		"the beginning of Unix time is no time": {func(p *corev1.Pod) {
			status(p).LastTerminationState.Terminated.StartedAt = metav1.Unix(0, 0)
			status(p).LastTerminationState.Terminated.FinishedAt = metav1.Unix(0, 0)
		}, "a old", evidence.ContainerRecord{Runtime: "containerd", Kind: evidence.KindApp,
			State: evidence.StateExited, Attempt: -1, RestartCount: -1, Last: true, ExitCode: code(137), Reason: "Error"}},
		"secrets in a last message are gone": {func(p *corev1.Pod) {
			status(p).LastTerminationState.Terminated.Message = "password=hunter22"
		}, "a old", evidence.ContainerRecord{Runtime: "containerd", Kind: evidence.KindApp,
			State: evidence.StateExited, Attempt: -1, RestartCount: -1, Last: true,
			ExitCode: code(137), Reason: "Error", Message: safetext.Clean("password=[redacted]"),
			Started: objecttest.At(-3600).UTC(), Finished: objecttest.At(9).UTC()}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := records(snapshotOf(objecttest.BasePod(c.mutate)))
			if diff := cmp.Diff(c.want, got[c.key], objecttest.CompareText); diff != "" {
				t.Errorf("%s\nall: %+v", diff, got)
			}
		})
	}
}

func TestContainersOfEveryKind(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	running := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: objecttest.At(0)}}
	s := snapshotOf(objecttest.BasePod(func(p *corev1.Pod) {
		p.Spec.InitContainers = []corev1.Container{{Name: "i"}, {Name: "s", RestartPolicy: &always}}
		p.Spec.EphemeralContainers = []corev1.EphemeralContainer{
			{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "e"}}}
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "i", State: running}, {Name: "s", State: running}}
		p.Status.EphemeralContainerStatuses = []corev1.ContainerStatus{{Name: "e", State: running}}
	}))
	var spec []string
	for _, c := range s.Pods[0].Containers {
		spec = append(spec, c.Name+" "+string(c.Kind))
	}
	if diff := cmp.Diff([]string{"i init", "s sidecar", "a app", "e ephemeral"}, spec); diff != "" {
		t.Error(diff)
	}
	for key, want := range map[string]evidence.ContainerKind{"i ": evidence.KindInit,
		"s ": evidence.KindSidecar, "e ": evidence.KindEphemeral, "a new": evidence.KindApp} {
		if got := records(s)[key].Kind; got != want {
			t.Errorf("status of %q is of kind %q, want %q", key, got, want)
		}
	}
}

func TestThePodOfTheModel(t *testing.T) {
	yes, grace := true, int64(7)
	base := evidence.Pod{
		Namespace: "shop", Name: "web-0", UID: "uid-web-0", Node: "n1", CreatedAt: objecttest.At(-3600).UTC(),
		Phase: "Running", RestartPolicy: "Always", QOSClass: "BestEffort", GraceSeconds: 30,
		Workload:   evidence.Workload{Kind: "pod", Name: "web-0", Basis: evidence.WorkloadOwners},
		Containers: []evidence.Container{{Name: "a", Kind: evidence.KindApp, Image: "r.example/web:1"}},
	}
	cases := map[string]struct {
		mutate func(*corev1.Pod)
		want   func(*evidence.Pod)
	}{
		"as it is": {func(*corev1.Pod) {}, func(*evidence.Pod) {}},
		"a mirror pod": {func(p *corev1.Pod) {
			p.Annotations = map[string]string{"kubernetes.io/config.mirror": "cfg",
				"kubernetes.io/config.hash": "cfg", "kubernetes.io/config.source": "file"}
		}, func(p *evidence.Pod) { p.Mirror, p.ConfigHash, p.Workload.Kind = true, "cfg", "static-pod" }},
		"a pod that is being deleted": {func(p *corev1.Pod) { d := objecttest.At(3); p.DeletionTimestamp = &d },
			func(p *evidence.Pod) { p.DeletedAt = objecttest.At(3).UTC() }},
		"an evicted pod": {func(p *corev1.Pod) {
			p.Status.Phase, p.Status.Reason, p.Status.Message = corev1.PodFailed, "Evicted", "The node was low"
		}, func(p *evidence.Pod) {
			p.Phase, p.Reason, p.Message = "Failed", "Evicted", safetext.Clean("The node was low")
		}},
		"a pod with a controller": {func(p *corev1.Pod) {
			p.OwnerReferences = []metav1.OwnerReference{{Kind: "X", Name: "other"},
				{Kind: "ReplicaSet", Name: "web", Controller: &yes}}
		}, func(p *evidence.Pod) {
			p.Owner, p.Workload.Kind, p.Workload.Name = evidence.Owner{Kind: "ReplicaSet", Name: "web"}, "replicaset", "web"
		}},
		"a memory limit of the pod's own": {func(p *corev1.Pod) {
			p.Spec.Resources = &corev1.ResourceRequirements{
				Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}}
		}, func(p *evidence.Pod) { p.MemoryLimit = 64 << 20 }},
		"no grace, no policy": {func(p *corev1.Pod) { p.Spec.TerminationGracePeriodSeconds, p.Spec.RestartPolicy = nil, "" },
			func(p *evidence.Pod) { p.GraceSeconds = -1 }},
		"namespaces of the host": {func(p *corev1.Pod) {
			p.Spec.HostNetwork, p.Spec.HostPID, p.Spec.ShareProcessNamespace = true, true, &yes
		}, func(p *evidence.Pod) { p.HostPID, p.ShareProcessNamespace = true, true }},
		"limits, hooks and a container's own policy": {func(p *corev1.Pod) {
			c := &p.Spec.Containers[0]
			never := corev1.ContainerRestartPolicyNever
			c.RestartPolicy, c.Resources.Limits = &never, corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}
			c.Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{}}}
		}, func(p *evidence.Pod) {
			c := &p.Containers[0]
			c.MemoryLimit, c.PreStop = 64<<20, true
		}},
		"probes, with defaults and without": {func(p *corev1.Pod) {
			c := &p.Spec.Containers[0]
			c.LivenessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{Exec: &corev1.ExecAction{Command: []string{"x"}}}}
			c.ReadinessProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{}},
				PeriodSeconds: 5, TimeoutSeconds: 2, FailureThreshold: 9, InitialDelaySeconds: 4,
				TerminationGracePeriodSeconds: &grace}
			c.StartupProbe = &corev1.Probe{ProbeHandler: corev1.ProbeHandler{GRPC: &corev1.GRPCAction{}}}
		}, func(p *evidence.Pod) {
			c := &p.Containers[0]
			c.Liveness = &evidence.Probe{Handler: "exec", Period: 10, Timeout: 1, FailureThreshold: 3}
			c.Readiness = &evidence.Probe{Handler: "httpGet", InitialDelay: 4, Period: 5,
				Timeout: 2, FailureThreshold: 9, GracePause: 7}
			c.Startup = &evidence.Probe{Handler: "grpc", Period: 10, Timeout: 1, FailureThreshold: 3}
		}},
		"names that would reorder a terminal": {func(p *corev1.Pod) { p.Spec.Containers[0].Image = "x\u202e" },
			func(p *evidence.Pod) { p.Containers[0].Image = `x\u{202e}` }},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := base
			want.Containers = append([]evidence.Container(nil), base.Containers...)
			c.want(&want)
			if diff := cmp.Diff(want, snapshotOf(objecttest.BasePod(c.mutate)).Pods[0], objecttest.CompareText,
				cmpopts.EquateEmpty(), cmpopts.IgnoreFields(evidence.Pod{}, "Object")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhoEndedThePodIsReadFromItsCondition(t *testing.T) {
	const asked, kubelet = "EvictionByEvictionAPI", corev1.PodReasonTerminationByKubelet
	at := objecttest.At(7).Time
	for name, c := range map[string]struct {
		reason, message, status string
		want                    string
		when                    time.Time
		announced               bool
	}{
		"through the API": {reason: asked, message: "Eviction API: evicting", want: asked, when: at, announced: true},
		"by a kubelet that shut down, of a pod that ended well": {reason: kubelet,
			message: "Pod was terminated in response to imminent node shutdown.", want: "Terminated"},
		"by a kubelet for a critical pod": {reason: kubelet,
			message: "Pod was preempted by Kubelet to accommodate a critical pod.", want: "Preempting"},
		"by a kubelet without memory": {reason: kubelet, message: "The node was low on resource: memory. ", want: "Evicted"},
		"by a kubelet, beside a status that says why": {reason: kubelet, message: "The node was low on resource: memory. ",
			status: "Waiting", want: kubelet, when: at, announced: true},
	} {
		s := snapshotOf(objecttest.BasePod(func(p *corev1.Pod) {
			p.Status.Reason, p.Status.Phase = c.status, corev1.PodSucceeded
			p.Status.Conditions = []corev1.PodCondition{
				{Type: corev1.PodReady, Status: corev1.ConditionTrue},
				{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: c.reason, Message: c.message,
					LastTransitionTime: objecttest.At(7)},
			}
		}))
		var got []evidence.Observation
		for _, o := range s.Observations {
			if _, ok := o.Fact.(evidence.PodEvicted); ok {
				got = append(got, o)
			}
		}
		want := evidence.PodEvicted{Reason: c.want, Message: safetext.Clean(c.message), Announced: c.announced}
		if len(got) != 1 || !got[0].Time.Equal(c.when) || cmp.Diff(want, got[0].Fact, objecttest.CompareText) != "" {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestNodesOfTheModel(t *testing.T) {
	n := objecttest.BaseNode("n1")
	n.Labels = map[string]string{corev1.LabelHostname: "n1"}
	n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: "ip-7.zone.example"},
		{Type: corev1.NodeInternalDNS, Address: "n1.zone.example"}, {Type: corev1.NodeInternalIP, Address: "10.0.0.7"}}
	s := objecttest.Observed([]evidence.RawEvidence{&Piece{Nodes: []*corev1.Node{redact.Node(&n)}}}, nil)
	want := []evidence.Node{{
		Name: "n1", Aliases: []string{"ip-7.zone.example", "ip-7", "n1.zone.example"},
		KubeletVersion: "v1.36.3", Runtime: "containerd://1.7.1",
		BootID: "boot-n1", KernelVersion: "6.1", OSImage: "Debian", CreatedAt: objecttest.At(-7200).UTC(), Ready: "True",
		Conditions: []evidence.NodeCondition{{Type: "Ready", Status: "True"}},
	}}
	if diff := cmp.Diff(want, s.Nodes); diff != "" {
		t.Error(diff)
	}
}

func TestOddPodsCostOnlyThemselves(t *testing.T) {
	s := snapshotOf(
		corev1.Pod{},
		corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "manifest", Namespace: "shop"}, Spec: objecttest.BasePod().Spec},
		objecttest.BasePod(func(p *corev1.Pod) { p.Status = corev1.PodStatus{} }),
		objecttest.BasePod(objecttest.Named("shop", "twins"), func(p *corev1.Pod) {
			p.Spec.Containers = append(p.Spec.Containers, p.Spec.Containers[0], corev1.Container{})
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, p.Status.ContainerStatuses[0],
				corev1.ContainerStatus{})
		}),
	)
	if objecttest.PodNames(s) != "shop/twins shop/web-0" || len(s.Gaps) != 2 {
		t.Errorf("pods %q, gaps %+v", objecttest.PodNames(s), s.Gaps)
	}
}

var writes = map[string]struct {
	fields string
	want   []evidence.SpecWrite
}{
	"an edit of an image": {`{"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:image":{}}}}}`,
		[]evidence.SpecWrite{{Manager: "kubectl-set", Time: objecttest.At(3).UTC(),
			Images: []string{"a"}, OnlyImages: true}}},
	"images of two containers, one of them an init container": {
		`{"f:spec":{"f:containers":{"k:{\"name\":\"b\"}":{"f:image":{}}},"f:initContainers":{"k:{\"name\":\"a\"}":{"f:image":{}}}}}`,
		[]evidence.SpecWrite{{Manager: "kubectl-set", Time: objecttest.At(3).UTC(),
			Images: []string{"a", "b"}, OnlyImages: true}}},
	"the creation of the pod": {
		`{"f:metadata":{"f:labels":{}},"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{".":{},"f:image":{},"f:name":{}}},"f:restartPolicy":{}}}`,
		[]evidence.SpecWrite{
			{Manager: "kubectl-set", Time: objecttest.At(3).UTC(), Images: []string{"a"}},
		}},
	"an image and another field of the container": {
		`{"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:image":{},"f:env":{}}}}}`,
		[]evidence.SpecWrite{
			{Manager: "kubectl-set", Time: objecttest.At(3).UTC(), Images: []string{"a"}},
		}},
	"no image":        {`{"f:spec":{"f:tolerations":{}}}`, nil},
	"nothing of spec": {`{"f:metadata":{}}`, nil},
	"not JSON":        {`{`, nil},
	"odd shapes":      {`{"f:spec":{"f:containers":[1],"f:initContainers":{"k:{}":{"f:image":{}},"k:7":{},".":{}}}}`, nil},
}

func TestZeroTimesStayZero(t *testing.T) {
	if !epoch(time.Time{}).IsZero() || !epoch(time.Unix(0, 0)).IsZero() || epoch(objecttest.T0).IsZero() {
		t.Error("epoch")
	}
}
