package today

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/e2e"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/scenario"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

func TestTaskPIDFindsTheTaskThatRuns(t *testing.T) {
	const table = "TASK    PID    STATUS\nabc1    4711    RUNNING\nabc     42    STOPPED\n"
	if got, err := e2e.TaskPID(table, "abc1"); err != nil || got != "4711" {
		t.Errorf("= %q, %v", got, err)
	}
	for _, id := range []string{"abc", "ab"} {
		if got, err := e2e.TaskPID(table, id); err == nil {
			t.Errorf("%s: process %s", id, got)
		}
	}
}

func TestStarted(t *testing.T) {
	status := func(id string, ended bool) corev1.ContainerStatus {
		s := corev1.ContainerStatus{ContainerID: id}
		if ended {
			s.State.Terminated = &corev1.ContainerStateTerminated{}
		}
		return s
	}
	tests := []struct {
		name       string
		init, main []corev1.ContainerStatus
		want       bool
	}{
		{"no status yet", nil, nil, false},
		{"one of two was made", nil, []corev1.ContainerStatus{status("x", false), status("", false)}, false},
		{"both were", nil, []corev1.ContainerStatus{status("x", false), status("y", true)}, true},
		{"its first part runs", []corev1.ContainerStatus{status("x", false)},
			[]corev1.ContainerStatus{status("", false)}, true},
		{"its first part is done", []corev1.ContainerStatus{status("x", true)},
			[]corev1.ContainerStatus{status("", false)}, false},
	}
	for _, tt := range tests {
		pod := &corev1.Pod{Status: corev1.PodStatus{InitContainerStatuses: tt.init, ContainerStatuses: tt.main}}
		if got := started(scenario.Scenario{}, pod); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestResultsOutliveTheirRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "today", "x.json")
	if _, err := judge.ReadResults(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no results: %v", err)
	}
	want := []judge.Result{{Case: judge.Case{Scenario: "s", Node: "n1", Cause: "c"}, Tier: 2, Outcome: score.Right,
		Verdict: &judge.Verdict{Cause: "c", Confidence: "proven"}}}
	if err := judge.KeepResults(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := judge.ReadResults(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAPartIsRecordedWithItsTruths(t *testing.T) {
	for _, p := range scenario.Today(37) {
		text := partTruths(e2e.Plan{Node: "n1", Version: "v1.37.1"}, p)
		var head struct{ Title, From string }
		if err := yaml.Unmarshal([]byte(text), &head); err != nil || head.From != "lab" {
			t.Errorf("part %s: %+v, %v", p.Name, head, err)
		}
		for _, s := range p.Scenarios {
			decidable := slices.ContainsFunc(append(s.Truths, s.Upgrade...),
				func(t scenario.Truth) bool { return !t.Undecidable })
			if decidable != strings.Contains(text, "- {pod: e2e-n1/"+s.Name+", container: ") {
				t.Errorf("part %s says nothing of %s:\n%s", p.Name, s.Name, text)
			}
		}
	}
}

func TestForgotten(t *testing.T) {
	happened := time.Now().Add(-time.Hour)
	pod := func(restarts int32, since time.Duration, last bool) *corev1.Pod {
		c := corev1.ContainerStatus{Name: "app", RestartCount: restarts}
		c.State.Running = &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(time.Now().Add(-since))}
		if last {
			c.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{}
		}
		return &corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{c}}}
	}
	tests := []struct {
		name     string
		pod      *corev1.Pod
		happened time.Time
		want     bool
	}{
		{"counted, and nothing else, for a while", pod(1, time.Minute, false), time.Time{}, true},
		{"counted just now: its end may follow", pod(1, time.Second, false), time.Time{}, false},
		{"as it was", pod(0, 2*time.Hour, false), happened, false},
		{"not counted, but another one since it happened", pod(0, time.Minute, false), happened, true},
		{"not counted, and nothing happened to the node", pod(0, time.Minute, false), time.Time{}, false},
	}
	s := scenario.Scenario{Restarts: 1, Truths: []scenario.Truth{{Container: "app"}}}
	for _, tt := range tests {
		if got := forgotten(s, tt.pod, tt.happened); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	s.Ends = true
	if forgotten(s, pod(1, time.Minute, false), time.Time{}) {
		t.Error("the end of a whole pod is forgotten")
	}
}

func TestWhatWasOnlyMadeHasNotRun(t *testing.T) {
	now := &corev1.ContainerStateRunning{}
	over := &corev1.ContainerStateTerminated{}
	for name, tt := range map[string]struct {
		all  []corev1.ContainerStatus
		want bool
	}{
		"nothing is known": {nil, false},
		"made":             {[]corev1.ContainerStatus{{ContainerID: "containerd://a"}}, false},
		"one of two runs": {[]corev1.ContainerStatus{{State: corev1.ContainerState{Running: now}},
			{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{}}}}, false},
		"both have run": {[]corev1.ContainerStatus{{State: corev1.ContainerState{Running: now}},
			{LastTerminationState: corev1.ContainerState{Terminated: over}}}, true},
	} {
		pod := &corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: tt.all}}
		if got := ran(scenario.Scenario{}, pod); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
