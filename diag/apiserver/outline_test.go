package apiserver

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// calm is a pod in which nothing ever ended.
func calm() *corev1.Pod {
	runs := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Time{Time: time.Unix(1e9, 0)}}}
	done := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed"}}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", UID: "u0"},
		Spec: corev1.PodSpec{
			NodeName: "n1", InitContainers: []corev1.Container{{Name: "prepare"}}, Containers: []corev1.Container{{Name: "app"}},
		},
		Status: corev1.PodStatus{
			Phase:                 corev1.PodRunning,
			Conditions:            []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "prepare", State: done}},
			ContainerStatuses:     []corev1.ContainerStatus{{Name: "app", State: runs}},
		},
	}
}

func TestWhichPodsAreQuiet(t *testing.T) {
	ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error"}}
	waits := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{}}
	app := func(change func(*corev1.ContainerStatus)) func(*corev1.Pod) {
		return func(p *corev1.Pod) { change(&p.Status.ContainerStatuses[0]) }
	}
	init := func(change func(*corev1.ContainerStatus)) func(*corev1.Pod) {
		return func(p *corev1.Pod) { change(&p.Status.InitContainerStatuses[0]) }
	}
	for name, c := range map[string]struct {
		change func(*corev1.Pod)
		quiet  bool
	}{
		"nothing ended":               {func(*corev1.Pod) {}, true},
		"it restarted":                {app(func(s *corev1.ContainerStatus) { s.RestartCount = 1 }), false},
		"an init container ran again": {init(func(s *corev1.ContainerStatus) { s.RestartCount = 1 }), false},
		"a last state":                {app(func(s *corev1.ContainerStatus) { s.LastTerminationState = ended }), false},
		"a container is over":         {app(func(s *corev1.ContainerStatus) { s.State = ended }), false},
		"an app container completed": {func(p *corev1.Pod) {
			p.Status.ContainerStatuses[0].State = p.Status.InitContainerStatuses[0].State
		}, false},
		"an init container failed":    {init(func(s *corev1.ContainerStatus) { s.State = ended }), false},
		"a container waits":           {app(func(s *corev1.ContainerStatus) { s.State = waits }), false},
		"a container has no status":   {func(p *corev1.Pod) { p.Status.ContainerStatuses = nil }, false},
		"it is being deleted":         {func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }, false},
		"it failed":                   {func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }, false},
		"its status has a reason":     {func(p *corev1.Pod) { p.Status.Reason = "NodeLost" }, false},
		"it is not ready":             {func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse }, false},
		"it is about to be disrupted": {func(p *corev1.Pod) { p.Status.Conditions[0].Type = corev1.DisruptionTarget }, false},
		"it is a static pod": {func(p *corev1.Pod) {
			p.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "x"}
		}, false},
		"an event names it":             {func(p *corev1.Pod) { p.Name = "web-1" }, false},
		"an event names one of another": {func(p *corev1.Pod) { p.Namespace, p.Name = "other", "web-1" }, true},
	} {
		r := newRun(&Source{o: Options{Now: longAgo}})
		r.piece.Events = []*corev1.Event{
			{InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-1", UID: "old"}}}
		p := calm()
		if c.change(p); r.quiet(p) != c.quiet {
			t.Errorf("%s: quiet %v", name, !c.quiet)
		}
	}
}

// Of pods that are only counted one of each controller is kept, and the one that has run longest on its node; a list
// that begins again counts none twice.
func TestWhichQuietPodsAreKept(t *testing.T) {
	r := newRun(&Source{o: Options{Now: longAgo, Quiet: KeepCount}})
	pod := func(name, controller string, since int64) corev1.Pod {
		p := calm()
		p.Name, p.UID = name, types.UID(name)
		if controller != "" {
			yes := true
			owner := metav1.OwnerReference{Kind: "ReplicaSet", Name: controller, UID: types.UID(controller), Controller: &yes}
			p.OwnerReferences = []metav1.OwnerReference{owner}
		}
		p.Status.ContainerStatuses[0].State.Running.StartedAt = metav1.Time{Time: time.Unix(since, 0)}
		return *p
	}
	list := []corev1.Pod{
		pod("a", "web", 50), pod("b", "web", 40), pod("c", "web", 60), pod("d", "web", 30),
		pod("e", "db", 90), pod("f", "", 80),
	}
	close(r.eventsRead)
	r.budget.left.Store(1 << 20)
	for range 2 {
		if err := r.takePods(t.Context(), list); err != nil {
			t.Fatal(err)
		}
		kept := ""
		for _, p := range r.piece.Pods {
			kept += p.Name
		}
		if kept != "ade" || r.piece.Uneventful != 3 {
			t.Errorf("kept %s, %d counted", kept, r.piece.Uneventful)
		}
	}
}

func longAgo() time.Time { return time.Unix(1e9, 0) }
