package event

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

// The deadline of a Job ends its pods, and those that were over before are left alone.
func TestAJobsDeadlineIsThatOfItsPods(t *testing.T) {
	ended := func(at int) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{
				Terminated: &corev1.ContainerStateTerminated{FinishedAt: objecttest.At(at)}}}}
		}
	}
	for name, c := range map[string]struct {
		change func(*corev1.Pod)
		want   int
	}{
		"one that ran":                    {func(*corev1.Pod) {}, 1},
		"one that ended right then":       {ended(601), 1},
		"one that had failed before":      {ended(30), 0},
		"one that had succeeded":          {func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }, 0},
		"one of another Job":              {func(p *corev1.Pod) { metav1.GetControllerOfNoCopy(p).Name = "other" }, 0},
		"one of a former Job of its name": {func(p *corev1.Pod) { metav1.GetControllerOfNoCopy(p).UID = "old" }, 0},
		"one that was made later":         {func(p *corev1.Pod) { p.CreationTimestamp = objecttest.At(700) }, 0},
		"one of a namespace of its own":   {func(p *corev1.Pod) { p.Namespace = "elsewhere" }, 0},
		"one that nobody takes charge of": {func(p *corev1.Pod) { p.OwnerReferences = nil }, 0},
	} {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "night-x2", UID: "u",
			OwnerReferences: objecttest.Controlled("batch/v1", "Job", "night", "j")}}
		c.change(p)
		b := evidence.NewBuilder(objecttest.T0)
		ObserveEvent(b, &corev1.Event{
			InvolvedObject: corev1.ObjectReference{Kind: "Job", Namespace: "shop", Name: "night", UID: "j"},
			Reason:         "DeadlineExceeded", Message: "Job was active longer than specified deadline",
			LastTimestamp: objecttest.At(600),
		}, map[string]*corev1.Pod{"u": p})
		got := b.Build().Observations
		if len(got) != c.want {
			t.Errorf("%s: %d, want %d", name, len(got), c.want)
		}
		for _, o := range got {
			if f, ok := o.Fact.(evidence.PodEvicted); !ok || f.Reason != "DeadlineExceeded" || o.Subject.Pod != p.Name {
				t.Errorf("%s: %+v", name, o)
			}
		}
	}
}
