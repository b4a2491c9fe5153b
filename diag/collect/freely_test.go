package collect

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestTheHeapGrowsTheLessFreelyTheMoreThereIs(t *testing.T) {
	for name, c := range map[string]struct {
		size, objects int64
		least, most   int
	}{
		"nothing":                  {0, 0, 400, 400},
		"16 000 pods":              {17 << 20, 17 << 20, 300, 400},
		"a log of some size":       {60 << 20, 0, 200, 400},
		"100 000 pods":             {106 << 20, 106 << 20, 50, 60},
		"100 000 pods with events": {156 << 20, 156 << 20, 50, 60},
		"half a million pods":      {512 << 20, 512 << 20, 0, 0},
		"a large log":              {100 << 20, 10 << 20, 0, 0},
	} {
		if got := freely(c.size, c.objects); got < c.least || got > c.most {
			t.Errorf("%s: %d %%, want %d to %d", name, got, c.least, c.most)
		}
	}
}

// What is live of 100 000 containers was measured (docs/BENCHMARKS.md): a limit below that would cost more time than it
// saves memory.
func TestTheHeapHasRoomForWhatIsLive(t *testing.T) {
	one := func() *corev1.Pod {
		return &corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: make([]corev1.ContainerStatus, 1)}}
	}
	all := &corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: make([]corev1.ContainerStatus, 100_000)}}
	pods, events := make([]*corev1.Pod, 100_000), make([]*corev1.Event, 100_000)
	for i := range pods {
		pods[i] = one()
	}
	for name, c := range map[string]struct {
		piece       *apiobject.Piece
		other       int64
		least, most int64 // MiB
	}{
		"one pod":   {&apiobject.Piece{Pods: []*corev1.Pod{all}}, 0, 600, 700},
		"many pods": {&apiobject.Piece{Pods: pods}, 0, 600, 700},
		"events":    {&apiobject.Piece{Pods: pods, Events: events}, 0, 730, 800},
		"few pods":  {&apiobject.Piece{Pods: pods[:16_000]}, 64 << 20, 300, 350},
	} {
		if got := enough(c.other, []evidence.RawEvidence{c.piece}) >> 20; got < c.least || got > c.most {
			t.Errorf("%s: %d MiB, want %d to %d", name, got, c.least, c.most)
		}
	}
}
