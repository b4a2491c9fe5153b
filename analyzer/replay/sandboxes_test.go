package replay

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// withInit gives the pod an init container setup that has succeeded.
func withInit(s *evidence.Snapshot, p *corev1.Pod) {
	p.Spec.InitContainers = []corev1.Container{{Name: "setup", Image: "setup:1"}}
	p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "setup", ContainerID: "containerd://i1",
		State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed"}}}}
	if len(s.Observations) > 0 {
		about := s.Observations[1]
		about.Subject.Container, about.Subject.ContainerID = "setup", "i1"
		s.Observations = append(s.Observations, about)
	}
}

// modern gives the node a kubelet with the present hash.
func modern(s *evidence.Snapshot, _ *corev1.Pod) {
	s.Nodes[0].KubeletVersion = "v1.36.3"
	for i := range s.Observations {
		if _, ok := s.Observations[i].Fact.(evidence.ContainerRecord); ok {
			s.Observations[i].Fact = evidence.ContainerRecord{}
		}
	}
}

// in puts the runtime's record of a container into a sandbox; the newest one is s1.
func in(container, sandbox string) func(*evidence.Snapshot, *corev1.Pod) {
	return func(s *evidence.Snapshot, _ *corev1.Pod) {
		for i := range s.Observations {
			if s.Observations[i].Subject.Container == container {
				s.Observations[i].Subject.SandboxID = sandbox
			}
		}
		old := s.Observations[0]
		old.Subject.SandboxID, old.Fact = "s0", evidence.SandboxRecord{Created: noon.Add(-time.Hour)}
		box := s.Observations[0].Fact.(evidence.SandboxRecord)
		box.Created = noon.Add(-time.Minute)
		s.Observations[0].Fact = box
		s.Observations = append(s.Observations, old)
	}
}

func TestInitializationIsJudgedByTheSandboxThatWasRead(t *testing.T) {
	type change = func(*evidence.Snapshot, *corev1.Pod)
	of := func(more ...change) []change {
		return append([]change{withInit, in("app", "s1"), in("setup", "s1")}, more...)
	}
	tests := map[string]struct {
		given             []change
		version, supposed string
		want              string
	}{
		"a crash behind an init container whose record is gone: 1.36 begins again": {of(),
			"v1.36.3", "exited=app:1 record-gone=setup", "actions: start setup"},
		"1.37 does not": {of(), "v1.37.1", "exited=app:1 record-gone=setup", "actions: start app #3"},
		"nor without the runtime's word": {[]change{apiOnly, withInit},
			"v1.37.1", "exited=app:1 record-gone=setup", "actions: start app #3"},
		"records of an older sandbox do not count": {of(in("app", "s0"), in("setup", "s0")),
			"v1.37.1", "exited=app:1", "actions: start setup #1"},
		"without the sandboxes' records those of containers are of the one that is assumed": {
			of(func(s *evidence.Snapshot, _ *corev1.Pod) {
				s.Observations = slices.DeleteFunc(s.Observations, func(o evidence.Observation) bool {
					_, box := o.Fact.(evidence.SandboxRecord)
					return box
				})
			}), "v1.37.1", "exited=app:1 record-gone=setup", "actions: start app #3"},
		"in 1.36 they do": {of(in("app", "s0"), in("setup", "s0")), "v1.36.3", "exited=app:1", "actions: start app #3"},
		"a container that is supposed to run runs in the newest": {
			of(modern, func(_ *evidence.Snapshot, p *corev1.Pod) { p.Status.ContainerStatuses = nil }),
			"v1.37.1", "liveness-failed=app",
			"actions: kill Container app failed liveness probe, will be restarted, start app #1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := told(supposed(t, test.version, snapshot(test.given...),
				strings.Fields(test.supposed)...)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestWhatIsTakenForTheSandboxIsSaidWhereItDecides(t *testing.T) {
	const text = "belong to the newest sandbox"
	says := func(r *Result) bool { return strings.Contains(strings.Join(r.Assumed, "\n"), text) }
	if r := supposed(t, "v1.37.1", snapshot(apiOnly, withInit)); !says(r) {
		t.Errorf("not said: %v", r.Assumed)
	}
	for name, r := range map[string]*Result{
		"1.36 does not ask":     supposed(t, "v1.36.3", snapshot(apiOnly, withInit)),
		"no init containers":    supposed(t, "v1.37.1", snapshot(apiOnly)),
		"the runtime was asked": supposed(t, "v1.37.1", snapshot(withInit, in("app", "s1"), in("setup", "s1"))),
	} {
		if says(r) {
			t.Errorf("%s: %v", name, r.Assumed)
		}
	}
}

func TestMissingRecordsOfResourcesEndWith136(t *testing.T) {
	resizes := func(_ *evidence.Snapshot, p *corev1.Pod) {
		c := &p.Spec.Containers[0]
		c.Resources.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}
		c.ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: corev1.ResourceMemory,
			RestartPolicy: corev1.RestartContainer}}
	}
	if got := told(supposed(t, "v1.36.4", snapshot(modern, resizes), "resize-record-missing=app")); got != "actions: kill Container app resize requires restart, start app #3" {
		t.Error(got)
	}
	r := supposed(t, "v1.37.0", snapshot(modern, resizes), "resize-record-missing=app")
	says := func(s string) bool { return strings.Contains(s, "an entry that lacks only app") }
	if told(r) != "actions: " || !slices.ContainsFunc(r.Assumed, says) {
		t.Errorf("%s, assumed %v", told(r), r.Assumed)
	}
}
