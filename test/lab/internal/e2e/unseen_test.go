package e2e

import (
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
)

func TestUnseenSaysWhatTheAPIKnows(t *testing.T) {
	at := metav1.NewTime(time.Date(2030, 1, 1, 0, 5, 0, 0, time.UTC))
	runs := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}}
	ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, FinishedAt: at}}
	pod := func(s corev1.ContainerStatus) *corev1.Pod {
		s.Name = "app"
		return &corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{s}}}
	}
	of := func(name string) scenario.Scenario {
		return scenario.Scenario{Name: name, Restarts: 1, Truths: []scenario.Truth{{Container: "app"}}}
	}
	err := &UnseenError{What: "provoke", Pods: []Unseen{
		{Node: "n1", Scenario: of("made-never")},
		{Node: "n1", Scenario: of("runs-still"), Pod: pod(corev1.ContainerStatus{State: runs})},
		{Node: "n2", Scenario: of("forgotten"), Pod: pod(corev1.ContainerStatus{State: runs, RestartCount: 1})},
		{Node: "n2", Scenario: of("remembered"), Pod: pod(corev1.ContainerStatus{State: runs, RestartCount: 1,
			LastTerminationState: ended})},
		{Node: "n3", Err: errors.New("connection refused")},
	}}
	want := "provoke: not seen in time: n1/made-never (no such pod), " +
		"n1/runs-still (Running; app: running since 00:05:00, 0 restarts, last state: none), " +
		"n2/forgotten (Running; app: running since 00:05:00, 1 restarts, last state: none), " +
		"n2/remembered (Running; app: running since 00:05:00, 1 restarts, last state: ended with 137 at 00:05:00), " +
		"n3 (connection refused)"
	if got := err.Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if lost := err.lost(); len(lost) != 1 || lost[0].Scenario.Name != "forgotten" {
		t.Errorf("lost: %v", lost)
	}
}
