package sim

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

func TestEveryHypothesisHasItsRow(t *testing.T) {
	names := map[string]Hypothesis{}
	for h := None + 1; h < Hypotheses; h++ {
		r := table[h]
		if r.name == "" || r.text == "" || r.apply == nil {
			t.Errorf("hypothesis %d: %+v", h, r)
		}
		if other, twice := names[r.name]; twice {
			t.Errorf("%q is the name of %d and %d", r.name, other, h)
		}
		names[r.name] = h
		if r.whole && r.shape == ofContainer {
			t.Errorf("%s is about the whole pod and takes a container", r.name)
		}
	}
}

// TestWhatKillsStopsTheContainer: a hypothesis that is marked as killing does kill, under some kubelet that knows it.
func TestWhatKillsStopsTheContainer(t *testing.T) {
	for h := None + 1; h < Hypotheses; h++ {
		stopped := false
		for _, minor := range []int{30, 33, 36} {
			profile, err := kubelet.ProfileFor(kubelet.Version{Major: 1, Minor: minor})
			if err != nil {
				t.Fatal(err)
			}
			pod := &corev1.Pod{}
			pod.Spec.RestartPolicy = corev1.RestartPolicyAlways
			pod.Spec.Containers = []corev1.Container{{Name: "a", LivenessProbe: &corev1.Probe{}, StartupProbe: &corev1.Probe{},
				ResizePolicy: []corev1.ContainerResizePolicy{
					{ResourceName: corev1.ResourceMemory, RestartPolicy: corev1.RestartContainer}},
				Resources: limits("20Mi")}}
			s := &PodState{Profile: profile, Pod: pod, Now: end, Status: NewStatus(NewSandbox(pod, "box"))}
			s.Run(&pod.Spec.Containers[0], "a1")
			h.Apply(s, Argument{Container: "a", Code: 1, Reason: "OutOfcpu"})
			before := s.Record("a") != nil && s.Record("a").State == decide.StateRunning
			out, _ := s.Play("a", false)
			stopped = stopped || before && len(out.Ended) == 1
		}
		if want := h.Kills(); stopped != want && h != RecordMissing && h != NoRecords {
			t.Errorf("%s: kills %v, the kubelet stops the container: %v", h, want, stopped)
		}
	}
}

func limits(memory string) corev1.ResourceRequirements {
	list := corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(memory)}
	return corev1.ResourceRequirements{Limits: list, Requests: list}
}
