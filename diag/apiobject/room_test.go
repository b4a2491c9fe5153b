package apiobject

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestTheRoomOfANodeIsKnownOrNot(t *testing.T) {
	full := corev1.ResourceList{"cpu": resource.MustParse("1500m"), "memory": resource.MustParse("2Gi"),
		"pods": resource.MustParse("10"), "ephemeral-storage": resource.MustParse("1Gi"),
		"example.com/gpu": resource.MustParse("2")}
	if diff := cmp.Diff(&evidence.Allocatable{MilliCPU: 1500, Memory: 2 << 30, EphemeralStorage: 1 << 30, Pods: 10},
		allocatableOf(&corev1.Node{Status: corev1.NodeStatus{Allocatable: full}})); diff != "" {
		t.Error(diff)
	}
	for _, key := range []corev1.ResourceName{"cpu", "memory", "pods"} {
		part := full.DeepCopy()
		delete(part, key)
		if got := allocatableOf(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"},
			Status: corev1.NodeStatus{Allocatable: part}}); got != nil {
			t.Errorf("without %s: %+v", key, got)
		}
	}
}
