package tableage_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/tableage"
)

// A table's ages are counted from when it was printed, which the pods beside it tell better than its file's time.
func TestTablesAreDatedByThePodsBesideThem(t *testing.T) {
	start := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	end := start.Add(-3 * time.Second)
	row := func(reason, path string, at time.Time, width time.Duration) *corev1.Event {
		return &corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{describe.TableOf: "events.txt",
				describe.WidthOf: width.String()}},
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Name: "web-0", FieldPath: path}, Reason: reason,
			FirstTimestamp: metav1.NewTime(at), LastTimestamp: metav1.NewTime(at),
		}
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0"},
		Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
			Name: "app", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(start)}},
			LastTerminationState: corev1.ContainerState{
				Terminated: &corev1.ContainerStateTerminated{StartedAt: metav1.NewTime(end.Add(-time.Hour)),
					FinishedAt: metav1.NewTime(end)}},
		}, {
			Name: "short", LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
				StartedAt: metav1.NewTime(end.Add(-20 * time.Second)), FinishedAt: metav1.NewTime(end)}},
		}}}}
	rowOf := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", UID: evidence.Row + "shop/web-0"},
		Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: evidence.Unnamed,
			LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
				FinishedAt: metav1.NewTime(end.Add(time.Second))}}}}}}
	const app = "spec.containers{app}"
	for name, c := range map[string]struct {
		rows []*corev1.Event
		want []time.Time
	}{
		"saved where it was printed": {
			[]*corev1.Event{row("Killing", app, end, time.Second), row("Started", app, start, time.Second)},
			[]time.Time{end, start}},
		"saved seconds later": {
			[]*corev1.Event{row("Killing", app, end.Add(9*time.Second), time.Second),
				row("Started", app, start.Add(9*time.Second), time.Second)}, []time.Time{end, start}},
		"copied a day later": {
			[]*corev1.Event{row("Killing", app, end.Add(24*time.Hour), time.Second),
				row("Started", app, start.Add(24*time.Hour), time.Second)}, []time.Time{end, start}},
		"the pod was read before its last start": {
			[]*corev1.Event{row("Started", app, start.Add(9*time.Minute), time.Second)},
			[]time.Time{start.Add(9 * time.Minute)}},
		"the event of the last start is missing": {
			[]*corev1.Event{row("Started", app, start.Add(-time.Hour), time.Second)}, []time.Time{start.Add(-time.Hour)}},
		"an age in minutes": {
			[]*corev1.Event{row("Killing", app, start.Add(30*time.Second), time.Minute),
				row("SandboxChanged", "", start.Add(30*time.Second), time.Minute),
				row("Started", app, start.Add(30*time.Second), time.Minute)},
			[]time.Time{end, end, start}},
		"minutes, within which the container that ended had also been started": {
			[]*corev1.Event{row("Killing", app, end.Add(11*time.Second), time.Minute), row("Killing", "spec.containers{short}",
				end.Add(11*time.Second), time.Minute)}, []time.Time{end, end.Add(11 * time.Second)}},
		"minutes, at the start of the one before": {
			[]*corev1.Event{row("Pulled", app, end.Add(20*time.Second-time.Hour), time.Minute)},
			[]time.Time{end.Add(-time.Hour)}},
		"minutes, and of another time": {
			[]*corev1.Event{row("Killing", app, end.Add(-10*time.Minute), time.Minute)},
			[]time.Time{end.Add(-10 * time.Minute)}},
	} {
		tableage.Date(c.rows, []*corev1.Pod{pod})
		for i, e := range c.rows {
			if !e.LastTimestamp.Time.Equal(c.want[i]) {
				t.Errorf("%s: %s at %s, want %s", name, e.Reason, e.LastTimestamp.UTC(), c.want[i])
			}
			if e.InvolvedObject.Namespace != "shop" || e.Annotations != nil {
				t.Errorf("%s: %s in %q with %v", name, e.Reason, e.InvolvedObject.Namespace, e.Annotations)
			}
		}
	}
	// A row names no container: the end is that of whichever the event names, and beside the object it tells nothing.
	for _, c := range []struct {
		beside []*corev1.Pod
		want   time.Time
	}{{[]*corev1.Pod{rowOf}, end.Add(time.Second)}, {[]*corev1.Pod{rowOf, pod}, end}} {
		killing := row("Killing", app, start.Add(30*time.Second), time.Minute)
		if tableage.Date([]*corev1.Event{killing}, c.beside); !killing.LastTimestamp.Time.Equal(c.want) {
			t.Errorf("beside a row and %d others: %s, want %s", len(c.beside)-1, killing.LastTimestamp.UTC(), c.want)
		}
	}
}
