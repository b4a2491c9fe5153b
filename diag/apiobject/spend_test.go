package apiobject

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// crowd is a piece of more objects than are observed in one round.
func crowd() *Piece {
	p := &Piece{}
	at := metav1.NewTime(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
	for i := range 2*aRound + 1 {
		name := fmt.Sprintf("web-%d", i)
		p.Pods = append(p.Pods, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)},
			Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "app", RestartCount: int32(i),
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}}}}},
		})
		p.Events = append(p.Events, &corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: name, UID: types.UID(name)},
			Reason:         "Unhealthy", Message: "Liveness probe failed: 500", LastTimestamp: at})
	}
	return p
}

func TestASpentPieceTellsTheSameAndIsEmpty(t *testing.T) {
	observed := func(p *Piece) *evidence.Snapshot {
		b := evidence.NewBuilder(time.Time{})
		p.Observe(b)
		return b.Build()
	}
	kept, spent := crowd(), crowd()
	spent.Spend()
	want, got := observed(kept).Observations, observed(spent).Observations
	if d := cmp.Diff(want, got, cmp.AllowUnexported(safetext.Text{})); d != "" {
		t.Errorf("observations of one that is kept (-) and of one that is spent (+):\n%s", d)
	}
	if kept.Len() == 0 || spent.Len() != 0 {
		t.Errorf("%d objects of the one that is kept, %d of the one that is spent are left", kept.Len(), spent.Len())
	}
	s := observed(kept)
	if n := len(s.Observations); len(s.Pods) != len(kept.Pods) || n != 3*len(kept.Pods) {
		t.Errorf("%d pods, %d observations of %d pods with three each", len(s.Pods), n, len(kept.Pods))
	}
}
