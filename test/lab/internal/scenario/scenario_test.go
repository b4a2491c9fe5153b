package scenario

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/image"
)

// newest is a minor version on which everything can be done.
const newest = 37

func TestAllProvokesEveryCauseThatTheLabPromises(t *testing.T) {
	got := map[string]int{}
	for _, s := range All() {
		for _, truth := range append(s.Truths, s.Upgrade...) {
			got[truth.Cause]++
		}
	}
	want := map[string]int{
		"app-exit-error": 1, "app-exit-zero": 1, "app-signal": 2, "oom-container-limit": 1, "oom-child-process": 1,
		"liveness-probe-failed": 2, "startup-probe-failed": 1, "post-start-hook-failed": 1, "init-container-failed": 1,
		"spec-image-changed": 1, "sandbox-died": 1, "killed-externally": 3, "hash-kubelet-upgrade": 3,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("causes (-want +got):\n%s", diff)
	}
}

func TestEveryScenarioIsWhole(t *testing.T) {
	whole(t, append(append(Remembered(), Lasting(newest)...), Stumbling()))
}

// On a modern node all parts run one after the other, and its logs contain all of them.
func TestEveryPartIsWhole(t *testing.T) {
	var all []Scenario
	for _, p := range Today(newest) {
		if len(p.Scenarios) == 0 {
			t.Errorf("part %s is empty", p.Name)
		}
		all = append(all, p.Scenarios...)
	}
	whole(t, all)
}

func whole(t *testing.T, all []Scenario) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			if seen[s.Name] {
				t.Error("another scenario has the same name")
			}
			seen[s.Name] = true
			pod := s.On("n1")
			names := map[string]bool{}
			for _, c := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
				names[c.Name] = true
				if c.ImagePullPolicy != corev1.PullNever {
					t.Errorf("container %s would be pulled, and there is no registry", c.Name)
				}
			}
			for _, truth := range append(s.Truths, s.Upgrade...) {
				if !names[truth.Container] {
					t.Errorf("truth about %s, which is no container of the pod", truth.Container)
				}
				if truth.Notes == "" {
					t.Errorf("truth about %s does not say what was done", truth.Container)
				}
				if s.Name == truth.Cause {
					t.Error("the pod's name gives its cause away")
				}
			}
			if len(s.Truths) > 0 && s.Restarts == 0 && !s.Ends {
				t.Error("would count as observed before anything happened")
			}
			if pod.Spec.NodeName != "n1" || pod.Namespace != "e2e-n1" {
				t.Errorf("pod is %s on %q", pod.Namespace, pod.Spec.NodeName)
			}
		})
	}
}

func TestOnlyAPolicyThatRestartsMakesAPodResizable(t *testing.T) {
	var got []string
	for _, s := range Lasting(newest) {
		if s.Resizable("app") {
			got = append(got, s.Name)
		}
	}
	if diff := cmp.Diff([]string{"resizable", "grown"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOneStaticPodBringsItsUID(t *testing.T) {
	for name, text := range StaticPods() {
		var pod corev1.Pod
		if err := yaml.UnmarshalStrict([]byte(text), &pod); err != nil || pod.Name != name {
			t.Fatalf("%s: %q, %v", name, pod.Name, err)
		}
		if own := pod.UID != ""; own != (name == StaticPodUID) {
			t.Errorf("%s: uid %q", name, pod.UID)
		}
	}
}

func TestEveryPodIsMadeAfresh(t *testing.T) {
	s := All()[0]
	s.On("n1").Spec.Containers[0].Image = "changed"
	if got := s.On("n2").Spec.Containers[0].Image; got != image.Busybox {
		t.Errorf("one pod's change reached another: %s", got)
	}
}

// TestTheSegfaultSurvivesKubernetesExpansion: in a command $$ becomes $, so the
// shell must be given $$$$ to see its own process id.
func TestTheSegfaultSurvivesKubernetesExpansion(t *testing.T) {
	for _, s := range All() {
		if s.Name == "segfaults" {
			script := strings.ReplaceAll(s.On("n1").Spec.Containers[0].Command[2], "$$", "$")
			if script != "sh -c 'kill -SEGV $$'; exit $?" {
				t.Errorf("the container runs %q", script)
			}
			return
		}
	}
	t.Error("no such scenario")
}

func podWith(name string, restarts int32, terminated, running bool) *corev1.Pod {
	s := corev1.ContainerStatus{Name: name, RestartCount: restarts, ContainerID: "containerd://abc"}
	if terminated {
		s.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1}
	}
	if running {
		s.State.Running = &corev1.ContainerStateRunning{}
	}
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: corev1.PodSpec{NodeName: "n1"},
		Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{s}}}
}

func TestObservable(t *testing.T) {
	s := Scenario{Restarts: 2, Truths: []Truth{{Container: "app"}}}
	tests := []struct {
		name string
		pod  *corev1.Pod
		want bool
	}{
		{"often enough, with a last state", podWith("app", 2, true, true), true},
		{"not often enough", podWith("app", 1, true, true), false},
		{"counted, but the last state is not there yet", podWith("app", 2, false, true), false},
		{"another container's restarts do not count", podWith("other", 5, true, true), false},
		{"no status yet", &corev1.Pod{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := s.Observable(tt.pod); got != tt.want {
				t.Errorf("= %v", got)
			}
		})
	}
	t.Run("init containers count", func(t *testing.T) {
		pod := podWith("app", 2, true, true)
		pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses = pod.Status.ContainerStatuses, nil
		if !s.Observable(pod) {
			t.Error("not seen")
		}
	})
}

func TestUpgraded(t *testing.T) {
	s := Scenario{Upgrade: []Truth{{Container: "app"}}}
	before := map[string]int32{"app": 1}
	tests := []struct {
		name string
		pod  *corev1.Pod
		want bool
	}{
		{"one restart more and running", podWith("app", 2, true, true), true},
		{"as often as before", podWith("app", 1, true, true), false},
		{"down, not up again", podWith("app", 2, true, false), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := s.Upgraded(tt.pod, before); got != tt.want {
				t.Errorf("= %v", got)
			}
		})
	}
}

// recorder records a scenario's actions.
type recorder struct {
	Node // actions that no test uses
	did  []string
}

func (r *recorder) KillTask(_ context.Context, node, id string) error {
	r.did = append(r.did, "kill "+node+" "+id)
	return nil
}

func (r *recorder) StopContainer(_ context.Context, node, id string, grace time.Duration) error {
	r.did = append(r.did, "stop "+node+" "+id+" "+grace.String())
	return nil
}

func (r *recorder) ExpireEvents(_ context.Context, node string) error {
	r.did = append(r.did, "expire "+node)
	return nil
}

func (r *recorder) SandboxOf(context.Context, *corev1.Pod) (string, error) { return "sandbox", nil }

func (r *recorder) SetImage(_ context.Context, _ *corev1.Pod, container, image string) error {
	r.did = append(r.did, "image "+container+" "+image)
	return nil
}

func (r *recorder) Forget(_ context.Context, _ *corev1.Pod, container string) error {
	r.did = append(r.did, "forget "+container)
	return nil
}

func (r *recorder) Resize(_ context.Context, _ *corev1.Pod, container, memory string) error {
	r.did = append(r.did, "resize "+container+" "+memory)
	return nil
}

func TestActsDoToTheNodeWhatTheirTruthSays(t *testing.T) {
	want := map[string]string{
		"edited":          "image app " + image.BusyboxNext,
		"pauseless":       "kill n1 sandbox",
		"ambushed":        "kill n1 abc",
		"stopped-by-hand": "stop n1 abc 1s",
		"sent-home":       "stop n1 abc 1s",

		"forgetful":         "forget prepare",
		"forgetful-sidecar": "forget prepare",
		"moved":             "kill n1 sandbox",
		"grown":             "resize app 48Mi",
	}
	got := map[string]string{}
	for _, s := range append(All(), Lasting(newest)...) {
		if s.Act == nil {
			continue
		}
		var r recorder
		if err := s.Act(t.Context(), &r, podWith("app", 0, false, true)); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		got[s.Name] = strings.Join(r.did, "; ")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestContainerIDRefusesAPodWithoutOne(t *testing.T) {
	pod := podWith("app", 0, false, true)
	pod.Status.ContainerStatuses[0].ContainerID = ""
	if _, err := containerID(pod, "app"); err == nil {
		t.Error("no error for an empty id")
	}
	if _, err := containerID(pod, "other"); err == nil {
		t.Error("no error for a container without a status")
	}
}
