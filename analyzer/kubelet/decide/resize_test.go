package decide

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
)

func requirements(memoryLimit, cpuLimit, cpuRequest string) corev1.ResourceRequirements {
	r := corev1.ResourceRequirements{Limits: corev1.ResourceList{}, Requests: corev1.ResourceList{}}
	for _, one := range []struct {
		list  corev1.ResourceList
		name  corev1.ResourceName
		value string
	}{{r.Limits, corev1.ResourceMemory, memoryLimit}, {r.Limits, corev1.ResourceCPU, cpuLimit},
		{r.Requests, corev1.ResourceCPU, cpuRequest}} {
		if one.value != "" {
			one.list[one.name] = resource.MustParse(one.value)
		}
	}
	return r
}

// wants sets what the spec requests; has what the kubelet has recorded, or the runtime reports.
func wants(name string, r corev1.ResourceRequirements) mutation {
	return func(s *situation) { eachOf(s, name, func(c *corev1.Container) { c.Resources = r }) }
}

func has(name string, r corev1.ResourceRequirements) mutation {
	return func(s *situation) {
		if s.status.Resources == nil {
			s.status.Resources = map[string]corev1.ResourceRequirements{}
		}
		s.status.Resources[name] = r
	}
}

func restartFor(name string, r corev1.ResourceName) mutation {
	return func(s *situation) {
		eachOf(s, name, func(c *corev1.Container) {
			c.ResizePolicy = append(c.ResizePolicy, corev1.ContainerResizePolicy{ResourceName: r,
				RestartPolicy: corev1.RestartContainer})
		})
	}
}

// reported sets the API status of container a, which kubelets up to 1.31 compare with.
func reported(r corev1.ResourceRequirements, id string) mutation {
	return func(s *situation) {
		s.pod.Status.ContainerStatuses = []corev1.ContainerStatus{{
			Name: "a", ContainerID: id, Resources: &r, AllocatedResources: s.pod.Spec.Containers[0].Resources.Requests,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
		}}
	}
}

func TestResize(t *testing.T) {
	small, large := requirements("1Gi", "500m", "100m"), requirements("2Gi", "500m", "100m")
	moreCPU := requirements("1Gi", "600m", "100m")
	on := []string{"+InPlacePodVerticalScaling"}
	static := func(s *situation) { s.pod.Annotations = map[string]string{configSource: "file"} }
	restarted := kept(start(0), kill("a0", "a", "", "Container a resize requires restart"),
		func(a *Actions) { a.UpdatePodResources = true })
	updated := kept(func(a *Actions) { a.ContainersToUpdate = []CgroupUpdate{{corev1.ResourceMemory, "a0", "a"}} })
	tests := map[string]struct {
		version string
		gates   []string
		given   []mutation
		want    Actions
	}{
		"the same resources change nothing": {"v1.33", nil,
			[]mutation{wants("a", small), has("a", small), has("b", requirements("", "", ""))}, kept()},
		"more memory is given in place": {"v1.33", nil, []mutation{wants("a", large), has("a", small)}, updated},
		"unless the policy asks for a restart": {"v1.33", nil,
			[]mutation{wants("a", large), has("a", small), restartFor("a", corev1.ResourceMemory)}, restarted},
		"a policy for CPU does not matter to memory": {"v1.33", nil,
			[]mutation{wants("a", large), has("a", small), restartFor("a", corev1.ResourceCPU)}, updated},
		"a missing record restarts a container never resized": {"v1.33", nil,
			[]mutation{wants("a", small), restartFor("a", corev1.ResourceMemory)}, restarted},
		"in 1.32 resize is off": {"v1.32", nil,
			[]mutation{wants("a", large), has("a", small), restartFor("a", corev1.ResourceMemory)}, kept()},
		"in 1.32 the runtime's word counts": {"v1.32", on,
			[]mutation{wants("a", large), has("a", small), restartFor("a", corev1.ResourceMemory)}, restarted},
		"in 1.32 no word means no resize": {"v1.32", on,
			[]mutation{wants("a", large), restartFor("a", corev1.ResourceMemory)}, kept()},
		"in 1.32 tiny CPU amounts are alike": {"v1.32", on,
			[]mutation{wants("a", requirements("", "5m", "1m")), has("a", requirements("", "10m", "2m")),
				restartFor("a", corev1.ResourceCPU)}, kept()},
		"in 1.30 the API's word counts": {"v1.30", on,
			[]mutation{wants("a", large), reported(small, "containerd://a0"), restartFor("a", corev1.ResourceMemory)},
			restarted},
		"in 1.30 the runtime's word overrides it": {"v1.30", on,
			[]mutation{wants("a", large), reported(small, "containerd://a0"), has("a", large),
				restartFor("a", corev1.ResourceMemory)}, kept()},
		"in 1.30 a resize that is not accepted yet waits": {"v1.30", on,
			[]mutation{wants("a", large), reported(small, "containerd://a0"), restartFor("a", corev1.ResourceMemory),
				func(s *situation) {
					s.pod.Status.ContainerStatuses[0].AllocatedResources = requirements("", "", "200m").Requests
				}}, kept()},
		"in 1.30 another container's status does not count": {"v1.30", on,
			[]mutation{wants("a", large), reported(small, "containerd://x"), restartFor("a", corev1.ResourceMemory)}, kept()},
		"static pods are not resized up to 1.35": {"v1.35", nil,
			[]mutation{static, wants("a", large), has("a", small), restartFor("a", corev1.ResourceMemory)}, kept()},
		"since 1.36 they are": {"v1.36", nil, []mutation{static, wants("a", large),
			has("a", small), restartFor("a", corev1.ResourceMemory)}, restarted},
		"a sidecar is restarted for its resize since 1.33": {"v1.33", nil,
			[]mutation{sidecar("i"), wants("i", large), has("i", small), restartFor("i", corev1.ResourceMemory)},
			kept(startInit(0), kill("i0", "i", "", "Container i resize requires restart"),
				func(a *Actions) { a.UpdatePodResources = true })},
		"a running init container is resized since 1.36": {"v1.36", nil,
			[]mutation{notStarted, initContainer("i"), state("i", StateRunning, 0), wants("i", large), has("i", small)},
			kept(func(a *Actions) { a.ContainersToUpdate = []CgroupUpdate{{corev1.ResourceMemory, "i0", "i"}} })},
		"decreases come before increases": {"v1.33", nil,
			[]mutation{wants("a", large), has("a", small), wants("b", small), has("b", large)},
			kept(func(a *Actions) {
				a.ContainersToUpdate = []CgroupUpdate{{corev1.ResourceMemory, "b0", "b"}, {corev1.ResourceMemory, "a0", "a"}}
			})},
		"more CPU is given in place": {"v1.33", nil, []mutation{wants("a", moreCPU), has("a", small)},
			kept(func(a *Actions) { a.ContainersToUpdate = []CgroupUpdate{{corev1.ResourceCPU, "a0", "a"}} })},
		"the pod's own resources are written since 1.36": {"v1.36", nil,
			[]mutation{func(s *situation) { s.pod.Spec.Resources = &large; s.status.PodResources = &small }},
			kept(func(a *Actions) {
				a.UpdatePodLevelResources = true
				a.ContainersToUpdate = []CgroupUpdate{{corev1.ResourceMemory, "a0", "a"}, {corev1.ResourceMemory, "b0", "b"}}
			})},
		"resources alone changed the hash: 1.30 with its gate keeps the container": {"v1.30", on,
			[]mutation{func(s *situation) { s.record("a").Hash = 8 }}, kept()},
		"without its gate 1.30 restarts it": {"v1.30", nil, []mutation{func(s *situation) { s.record("a").Hash = 8 }},
			kept(start(0), kill("a0", "a", "", definitionChanged))},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := base(test.given...)
			got, _ := ComputePodActions(profileOf(t, test.version, test.gates...), s.pod, s.status, unchanged)
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Without a caller's function both hashes come from the spec itself.
func TestTheHashWithoutResourcesComesFromTheSpec(t *testing.T) {
	p := profileOf(t, "v1.30", "+InPlacePodVerticalScaling")
	s := base(wants("a", requirements("2Gi", "500m", "100m")))
	for i := range s.pod.Spec.Containers {
		c := &s.pod.Spec.Containers[i]
		r, err := hash.WithoutResources(30, c)
		if err != nil {
			t.Fatal(err)
		}
		// The whole container had another hash at its creation: its resources have changed since.
		s.record(c.Name).Hash, s.record(c.Name).HashWithoutResources = 1, uint64(r.Sum)
	}
	if got, _ := ComputePodActions(p, s.pod, s.status, Options{}); len(got.ContainersToKill) != 0 {
		t.Errorf("killed although only resources changed: %+v", got.ContainersToKill)
	}
	s.record("b").HashWithoutResources++
	got, _ := ComputePodActions(p, s.pod, s.status, Options{})
	if len(got.ContainersToKill) != 1 || got.ContainersToKill[0].Name != "b" {
		t.Errorf("kills %+v, want b alone: both of its hashes differ", got.ContainersToKill)
	}
}
