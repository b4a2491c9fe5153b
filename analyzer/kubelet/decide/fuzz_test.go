package decide

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// dice turns bytes into choices; when they are used up every choice is the first.
type dice []byte

func (d *dice) roll(n int) int {
	if len(*d) == 0 {
		return 0
	}
	b := (*d)[0]
	*d = (*d)[1:]
	return int(b) % n
}

func pick[T any](d *dice, from ...T) T { return from[d.roll(len(from))] }

// anySituation builds a pod and a status that need not match: names may be missing or duplicate, records may be of
// containers that the spec does not have, attempts and codes may be absurd.
func anySituation(d *dice) situation {
	names := []string{"a", "b", "c", "", "i", "j", "e"}
	var s situation
	s.pod = &corev1.Pod{Spec: corev1.PodSpec{
		RestartPolicy: pick(d, corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure,
			corev1.RestartPolicyNever, "", "Sometimes"),
		HostNetwork: d.roll(20) == 1,
	}}
	s.status = &Status{Liveness: map[string]ProbeResult{}, Startup: map[string]ProbeResult{},
		RestartAllContainers: d.roll(20) == 1}
	if d.roll(12) == 1 {
		deleted(&s)
	}
	containers := func(n int, from []string) (out []corev1.Container) {
		for range n {
			c := corev1.Container{Name: pick(d, from...)}
			if d.roll(2) == 1 {
				p := pick(d, corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyOnFailure,
					corev1.ContainerRestartPolicyNever, "Sometimes")
				c.RestartPolicy = &p
			}
			if d.roll(4) == 1 {
				c.RestartPolicyRules = []corev1.ContainerRestartRule{{},
					rule(pick[corev1.ContainerRestartRuleAction](d, "Restart", "RestartAllContainers", "Dance"),
						pick[corev1.ContainerRestartRuleOnExitCodesOperator](d, "In", "NotIn", "Near"), 0, 1, 137)}
			}
			if d.roll(2) == 1 {
				c.LivenessProbe, c.StartupProbe = &corev1.Probe{}, &corev1.Probe{}
			}
			c.Resources = anyResources(d)
			if d.roll(3) == 1 {
				c.ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: pick(d, corev1.ResourceMemory, corev1.ResourceCPU),
					RestartPolicy: corev1.RestartContainer}}
			}
			out = append(out, c)
		}
		return out
	}
	s.pod.Spec.Containers = containers(d.roll(4), names[:4])
	s.pod.Spec.InitContainers = containers(d.roll(4), names[3:6])
	if d.roll(3) == 1 {
		ephemeral("e")(&s)
	}
	for range pick(d, 1, 1, 1, 1, 0, 2) {
		s.status.Sandboxes = append(s.status.Sandboxes, Sandbox{
			ID: pick(d, "s", ""), Attempt: pick(d, uint32(0), 1, 1<<32-1), Ready: d.roll(6) != 1,
			Network:         pick(d, NamespacePod, "", "", "", "", NamespaceNode, NamespaceTarget),
			NetworkReported: d.roll(4) != 1, IP: pick(d, "10.0.0.1", "10.0.0.2", "10.0.0.3", ""),
		})
	}
	for range d.roll(16) {
		c := Container{
			SandboxID: pick(d, "s", "s", "s", ""),
			ID:        pick(d, "1", "2", "3", ""), Name: pick(d, names...),
			State:    pick(d, StateRunning, StateExited, StateCreated, StateUnknown, "", "odd"),
			ExitCode: pick(d, 0, 1, 137, -1<<31), Reason: pick(d, "", "OOMKilled"),
			RestartCount: pick(d, 0, 3, -1), Hash: pick(d, uint64(7), 7, 7, 8),
			FinishedAt: pick(d, noon, time.Time{}, noon.Add(-time.Hour)),
		}
		s.status.Containers = append(s.status.Containers, c)
		if d.roll(2) == 1 {
			s.status.Liveness[c.ID] = pick(d, ProbeFailure, ProbeSuccess, ProbeFailure, "odd")
		}
		if d.roll(2) == 1 {
			s.status.Startup[c.ID] = pick(d, ProbeSuccess, ProbeSuccess, ProbeSuccess, ProbeFailure, ProbeUnknown)
		}
		if d.roll(2) == 1 {
			has(c.Name, anyResources(d))(&s)
		}
		if d.roll(3) == 1 {
			r := anyResources(d)
			s.pod.Status.ContainerStatuses = append(s.pod.Status.ContainerStatuses, corev1.ContainerStatus{
				Name: c.Name, ContainerID: "x://" + c.ID, Resources: &r,
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
			})
		}
	}
	s.status.Before = Before{
		Phase:            pick(d, "", corev1.PodRunning, "", "", "", "", corev1.PodFailed),
		DeadlineExceeded: d.roll(20) == 1, NotRunnable: pick(d, "", "", "", "", "", "", "no"),
		NetworkNotReady: d.roll(20) == 1, CgroupMissing: d.roll(8) == 1,
		Readmitted: d.roll(4) == 1, Rejected: pick(d, "", "", "", "OutOfcpu"),
		APIPhase: pick(d, "", corev1.PodRunning, corev1.PodSucceeded),
	}
	if d.roll(4) == 1 {
		s.status.Resources, s.status.PodResources = nil, nil
	}
	s.status.Evented = d.roll(4) == 1
	if d.roll(4) == 1 {
		s.status.LogFiles = map[string][]string{"a": {"0.log", pick(d, "3.log", "x", "")}, "": nil}
	}
	return s
}

func anyResources(d *dice) corev1.ResourceRequirements {
	if d.roll(3) == 0 {
		return corev1.ResourceRequirements{}
	}
	return requirements(pick(d, "", "1Gi", "2Gi"), pick(d, "", "1m", "500m"), pick(d, "", "1m", "100m"))
}

func anyProfile(d *dice) kubelet.Profile {
	// The newest minors have most of the branches.
	minor := pick(d, kubelet.OldestMinor+d.roll(kubelet.NewestMinor-kubelet.OldestMinor+3), kubelet.NewestMinor-d.roll(9))
	v := kubelet.Version{Major: 1, Minor: minor, Patch: d.roll(17) - 1}
	p, err := kubelet.ProfileFor(v)
	if err != nil {
		panic(err)
	}
	for g := range kubelet.Gate(16) {
		if q, err := p.WithGate(g.String(), d.roll(2) == 1); err == nil && d.roll(3) != 1 {
			p = q
		}
	}
	return p
}

var anyOptions = Options{
	ExpectedHash:                 func(c *corev1.Container) (uint64, bool) { return 7, c.Name != "" },
	ExpectedHashWithoutResources: func(c *corev1.Container) (uint64, bool) { return 0, true },
	BackOff:                      BackOff{"a": {10 * time.Second, noon}, "i": {5 * time.Minute, noon}},
}

// check decides with and without a trace and checks what every consumer relies on.
func check(t *testing.T, d *dice) Trace {
	t.Helper()
	p, s := anyProfile(d), anySituation(d)
	copied := *s.status
	copied.Sandboxes, copied.Containers = slices.Clone(s.status.Sandboxes), slices.Clone(s.status.Containers)
	got, none := Decide(p, s.pod, s.status, noon, anyOptions)
	traced := anyOptions
	traced.Trace = true
	again, trace := Decide(p, s.pod, s.status, noon, traced)
	if none != nil || len(trace) == 0 {
		t.Fatalf("untraced %d steps, traced %d", len(none), len(trace))
	}
	if !reflect.DeepEqual(got, again) {
		t.Fatalf("tracing changes the decision:\n%+v\n%+v", got, again)
	}
	if !reflect.DeepEqual(&copied, s.status) {
		t.Fatal("the decision changed the status that it was given")
	}
	inside := func(list []int, n int) {
		for _, i := range list {
			if i < 0 || i >= n {
				t.Fatalf("index %d of %d", i, n)
			}
		}
	}
	inside(got.ContainersToStart, len(s.pod.Spec.Containers))
	inside(got.InitContainersToStart, len(s.pod.Spec.InitContainers))
	inside(got.EphemeralContainersToStart, len(s.pod.Spec.EphemeralContainers))
	if got.CreateSandbox && !got.KillPod {
		t.Fatalf("a new sandbox beside the old one: %+v", got)
	}
	for i, k := range got.ContainersToKill {
		if slices.ContainsFunc(got.ContainersToKill[:i], func(o Kill) bool { return o.ID == k.ID }) {
			t.Fatalf("%q is killed twice", k.ID)
		}
	}
	// What stops Decide early does not stop the function alone.
	_, more := ComputePodActions(p, s.pod, s.status, traced)
	return append(trace, more...)
}

func FuzzDecide(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 64 {
		f.Add(randomBytes(random))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		check(t, new(dice(b)))
	})
}

func randomBytes(r *rand.Rand) []byte {
	b := make([]byte, 500)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
