package apiobject

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Who shows a pod elsewhere cuts out what is nobody's business; a manifest has no status.
func TestAPodWithoutItsUIDIsTakenByItsName(t *testing.T) {
	const name = "described/default/cart-0"
	for what, c := range map[string]struct {
		status corev1.PodStatus
		want   string
	}{
		"it ran": {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "cart", RestartCount: 1}}},
			name},
		"it failed":    {corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted"}, name},
		"it waits":     {corev1.PodStatus{Phase: corev1.PodPending}, ""},
		"it is a plan": {corev1.PodStatus{}, ""},
	} {
		p := &Piece{}
		p.Pods = []*corev1.Pod{{ObjectMeta: metav1.ObjectMeta{Name: "cart-0"}, Status: c.status}}
		b := evidence.NewBuilder(time.Time{})
		p.Observe(b)
		got := ""
		for _, pod := range b.Build().Pods {
			got = pod.UID
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
