package event

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

// At its deadline a Job's controller deletes the pods that are left, and an event may be all that remains of them.
func TestAPodDeletedAtItsJobsDeadlineEndedBecauseOfIt(t *testing.T) {
	const late = "DeadlineExceeded"
	for name, c := range map[string]struct {
		change func(deleted, job *corev1.Event)
		late   bool
	}{
		"at once":            {func(*corev1.Event, *corev1.Event) {}, true},
		"a second earlier":   {func(d, _ *corev1.Event) { d.LastTimestamp = objecttest.At(599) }, true},
		"an hour before":     {func(_, j *corev1.Event) { j.LastTimestamp = objecttest.At(4200) }, false},
		"of another Job":     {func(_, j *corev1.Event) { j.InvolvedObject.Name = "other" }, false},
		"of a ReplicaSet":    {func(d, _ *corev1.Event) { d.InvolvedObject.Kind = "ReplicaSet" }, false},
		"too many failures":  {func(_, j *corev1.Event) { j.Reason = "BackoffLimitExceeded" }, false},
		"in other namespace": {func(_, j *corev1.Event) { j.InvolvedObject.Namespace = "elsewhere" }, false},
		"of a UID":           {func(d, _ *corev1.Event) { d.InvolvedObject.UID = "j1" }, true},
		"of another UID": {func(d, j *corev1.Event) {
			d.InvolvedObject.UID, j.InvolvedObject.UID = "j1", "j2"
		}, false},
	} {
		involved := corev1.ObjectReference{Kind: "Job", Namespace: "shop", Name: "night"}
		deleted := &corev1.Event{InvolvedObject: involved, Reason: "SuccessfulDelete", Message: "Deleted pod: night-x7k2p",
			LastTimestamp: objecttest.At(600)}
		job := &corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: "night.1"}, InvolvedObject: involved, Reason: late,
			Message: "Job was active longer than specified deadline", LastTimestamp: objecttest.At(600)}
		c.change(deleted, job)
		b := evidence.NewBuilder(objecttest.T0)
		ObserveEvent(b, deleted, nil, Late([]*corev1.Event{deleted, job}))
		got := b.Build().Observations
		if len(got) != 1 || got[0].Subject.Pod != "night-x7k2p" {
			t.Fatalf("%s: %+v", name, got)
		}
		if f, ok := got[0].Fact.(evidence.PodEvicted); ok != c.late || ok && f.Reason != late {
			t.Errorf("%s: %+v, of the deadline: %t", name, got[0].Fact, c.late)
		}
		const cited = "(event night.1: DeadlineExceeded: Job was active longer than specified deadline)"
		if text := got[0].Text.String(); strings.Contains(text, cited) != c.late {
			t.Errorf("%s: %s", name, text)
		}
	}
}

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
		}, map[string]*corev1.Pod{"u": p}, nil)
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
