package apiobject

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What kubectl describe prints beside the object itself is one pod, unless it was printed at another time.
func TestADescriptionBesideItsObjectIsOnePod(t *testing.T) {
	const uid, described = "92195391-1111-4222-8333-6ea8bf91fa51", evidence.Described + "shop/web-0"
	pod := func(uid, id string, restarts int32) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", UID: types.UID(uid)},
			Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{
				{Name: "app", ContainerID: id, RestartCount: restarts}}}}
	}
	pasted := pod(described, "containerd://a", 3) // an object behind other text, which is not more trusted than that
	pasted.Spec.RestartPolicy = corev1.RestartPolicyAlways
	both := &Piece{Pods: []*corev1.Pod{pod(described, "containerd://a", 3), pasted}}
	if both.joinTwins(); len(both.Pods) != 1 || both.Pods[0] != pasted {
		t.Errorf("a description above an object: %d pods", len(both.Pods))
	}
	ended := pod(described, "containerd://a", 3)
	ended.Status.ContainerStatuses[0].LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 137}
	for _, c := range []struct {
		name string
		twin *corev1.Pod
		one  bool
	}{
		{"the same", pod(described, "containerd://a", 3), true},
		{"from before a restart", pod(described, "containerd://a", 2), false},
		{"of another container", pod(described, "containerd://b", 3), false},
		{"with an end that the object lost", ended, false},
		{"without an id", pod(described, "", 3), false},
		{"a row of a table", pod(evidence.Row+"shop/web-0", "containerd://a", 3), false},
		{"another pod of the name", pod("0f8a1b2c-1111-4222-8333-6ea8bf91fa51", "containerd://a", 3), false},
	} {
		p := &Piece{Pods: []*corev1.Pod{c.twin, pod(uid, "containerd://a", 3)}, Events: []*corev1.Event{
			{InvolvedObject: corev1.ObjectReference{Kind: "Pod", Name: "web-0", UID: described}}}}
		p.joinTwins()
		if got := len(p.Pods) == 1 && p.Events[0].InvolvedObject.UID == uid; got != c.one {
			t.Errorf("%s: %d pods, the event is of %s", c.name, len(p.Pods), p.Events[0].InvolvedObject.UID)
		}
	}
}
