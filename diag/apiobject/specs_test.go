package apiobject

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// rich is a redacted pod with something in every part that is kept.
func rich(node string) *corev1.Pod {
	at := metav1.Time{Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Local()}
	limits := corev1.ResourceRequirements{Limits: corev1.ResourceList{"memory": resource.MustParse("10Mi")}}
	yes := true
	return redact.Pod(&corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "web-0", Namespace: "shop", UID: "u", Generation: 2, CreationTimestamp: at, DeletionTimestamp: &at,
			DeletionGracePeriodSeconds: new(int64(30)), Labels: map[string]string{"app": "web"},
			Annotations:     map[string]string{"kubernetes.io/config.source": "file"},
			OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "web", Controller: &yes}},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl", Time: &at, FieldsType: "FieldsV1",
				FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:image":{}}}}}`)}},
		},
		Spec: corev1.PodSpec{NodeName: node, RestartPolicy: corev1.RestartPolicyAlways, Priority: new(int32(1)),
			Containers: []corev1.Container{{Name: "a", Image: "x:1", Resources: limits}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &at,
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: at}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "a", ContainerID: "containerd://1", ImageID: "x@1",
				RestartCount: 1, Started: &yes, Resources: &limits,
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{
					StartedAt: at}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
					ExitCode: 137, FinishedAt: at}}}}},
	})
}

// Who wrote which field, and an image's id, are left out: nobody reads them of it.
func TestAPackedPodIsWhole(t *testing.T) {
	crowded := rich("n1")
	for range fewContainers {
		crowded.Spec.Containers = append(crowded.Spec.Containers, corev1.Container{Name: "b"})
	}
	for name, p := range map[string]*corev1.Pod{"one container": rich("n1"), "many": crowded, "a manifest": {}} {
		t.Run(name, func(t *testing.T) {
			before, want := p.DeepCopy(), p.DeepCopy()
			if name == "one container" {
				want.ManagedFields, want.Status.ContainerStatuses[0].ImageID = nil, ""
			}
			o, _ := new(specs).object(p)
			if d := cmp.Diff(want, o.Whole()) + cmp.Diff(before, p); d != "" {
				t.Errorf("object (-want +got):\n%s", d)
			}
			if o.Generation != p.Generation ||
				cmp.Diff(o.DeletionGracePeriodSeconds, p.DeletionGracePeriodSeconds) != "" {
				t.Errorf("generation %d, grace period %v", o.Generation, o.DeletionGracePeriodSeconds)
			}
		})
	}
}

func TestPodsOfAWorkloadShareTheirSpec(t *testing.T) {
	other := rich("n2")
	other.Spec.Containers[0].Image = "x:2"
	seen := &specs{}
	one, _ := seen.object(rich("n1"))
	two, _ := seen.object(rich("n2"))
	three, _ := seen.object(other)
	if one.Spec != two.Spec || one.Spec == three.Spec {
		t.Errorf("specs %p, %p and %p", one.Spec, two.Spec, three.Spec)
	}
	if two.Whole().Spec.NodeName != "n2" || three.Whole().Spec.Containers[0].Image != "x:2" {
		t.Errorf("%s, %s", two.Whole().Spec.NodeName, three.Whole().Spec.Containers[0].Image)
	}
}

func TestAPackedPodIsSafe(t *testing.T) {
	const evil, tamed = "x\x1b[31m", "x^[[31m"
	for name, plant := range map[string]func(*corev1.Pod) *string{
		"a label":     func(p *corev1.Pod) *string { p.Labels["app"] = evil; return nil },
		"a node":      func(p *corev1.Pod) *string { return &p.Spec.NodeName },
		"a container": func(p *corev1.Pod) *string { return &p.Spec.Containers[0].Name },
		"a message":   func(p *corev1.Pod) *string { return &p.Status.Message },
	} {
		p := rich("n1")
		if s := plant(p); s != nil {
			*s = evil
		}
		o, _ := new(specs).object(p)
		got := o.Whole()
		if !eachString(reflect.ValueOf(got), nil) {
			t.Errorf("%s: not safe: %v", name, got)
		}
		if s := plant(got.DeepCopy()); s != nil && *s != tamed {
			t.Errorf("%s: %q", name, *s)
		}
	}
}
