package sim

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

var end = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

// randomState is a pod of up to three containers of each kind in random states under a random version.
func randomState(r *rand.Rand) *PodState {
	pick := func(n int) bool { return r.IntN(n) == 0 }
	always := corev1.ContainerRestartPolicyAlways
	minor := 17 + r.IntN(20)
	profile, err := kubelet.ProfileFor(kubelet.Version{Major: 1, Minor: minor, Patch: r.IntN(12)})
	if err != nil {
		panic(err)
	}
	x := &PodState{Profile: profile, Pod: &corev1.Pod{}, Now: end, Status: decide.Status{
		Sandboxes: []decide.Sandbox{{ID: "box", Ready: !pick(6), NetworkReported: true,
			IP: "known", Attempt: uint32(r.IntN(2))}},
		Liveness: map[string]decide.ProbeResult{}, Startup: map[string]decide.ProbeResult{},
		Resources: map[string]corev1.ResourceRequirements{},
	}}
	x.Pod.Spec.RestartPolicy = []corev1.RestartPolicy{corev1.RestartPolicyAlways,
		corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever}[r.IntN(3)]
	x.Pod.Spec.HostNetwork = pick(8)
	if x.Pod.Spec.HostNetwork {
		x.Status.Sandboxes[0].Network = decide.NamespaceNode
	}
	for i := range r.IntN(3) {
		c := corev1.Container{Name: fmt.Sprintf("i%d", i)}
		if minor >= 29 && pick(2) {
			c.RestartPolicy = &always
		}
		x.Pod.Spec.InitContainers = append(x.Pod.Spec.InitContainers, c)
	}
	for i := range 1 + r.IntN(3) {
		x.Pod.Spec.Containers = append(x.Pod.Spec.Containers, corev1.Container{Name: fmt.Sprintf("c%d", i)})
	}
	for _, list := range [][]corev1.Container{x.Pod.Spec.InitContainers, x.Pod.Spec.Containers} {
		for i := range list {
			c := &list[i]
			if pick(2) {
				c.LivenessProbe = &corev1.Probe{}
			}
			if pick(3) {
				c.StartupProbe = &corev1.Probe{}
			}
			x.Run(c, "")
			mine := x.Record(c.Name)
			switch {
			case pick(4):
				x.End(mine, r.IntN(2)*137)
			case pick(12):
				mine.State = decide.StateUnknown
			case pick(8):
				mine.Hash, mine.HashWithoutResources = Same+1, Same+1
			case pick(8):
				x.Status.Liveness[mine.ID] = decide.ProbeFailure
			}
		}
	}
	return x
}

// TestAPredictionIsWhatTheDecisionSays: the outcome contains what the first decision does, and after the last one the
// kubelet has nothing left to do.
func TestAPredictionIsWhatTheDecisionSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	over, replaced, killed := 0, 0, 0
	for i := range 6000 {
		x := randomState(r)
		before := x.clone()
		a, _ := before.once(false)
		out, _ := x.Play("c0", false)
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("case %d, %s: %s\n%+v\n%+v\noutcome %+v", i, x.Profile.ModelledAs,
				fmt.Sprintf(format, args...), before.Status, a, out)
		}
		if out.Stage != a.Stage || out.NewSandbox != a.CreateSandbox && !out.NewSandbox {
			fail("stage %s, sandbox %v", out.Stage, out.NewSandbox)
		}
		for _, k := range a.ContainersToKill {
			if !slices.Contains(out.Ended, k.Name) {
				fail("%s is to be killed", k.Name)
			}
			killed++
		}
		for j := range before.Status.Containers {
			if c := &before.Status.Containers[j]; a.KillPod && c.State == decide.StateRunning &&
				!slices.Contains(out.Ended, c.Name) {
				fail("%s runs in a pod that is killed", c.Name)
			}
		}
		for _, n := range a.ContainersToStart {
			if !slices.Contains(out.Started, x.Pod.Spec.Containers[n].Name) {
				fail("container %d is to be started", n)
			}
		}
		for _, n := range a.InitContainersToStart {
			if !slices.Contains(out.Started, x.Pod.Spec.InitContainers[n].Name) {
				fail("init container %d is to be started", n)
			}
		}
		if a.CreateSandbox {
			replaced++
		}
		if out.Over {
			over++
			continue
		}
		if last, _ := x.once(false); last.Stage == decide.StageActions &&
			(last.CreateSandbox || len(last.ContainersToKill)+len(last.ContainersToStart)+len(last.InitContainersToStart) > 0) {
			fail("the kubelet is not done: %+v", last)
		}
	}
	if over < 50 || replaced < 50 || killed < 50 {
		t.Errorf("the cases show too little: %d pods over, %d sandboxes replaced, %d kills", over, replaced, killed)
	}
}

// clone returns an independent copy of the state.
func (s *PodState) clone() *PodState {
	c := *s
	c.Pod = new(*s.Pod)
	c.Status.Sandboxes, c.Status.Containers = slices.Clone(s.Status.Sandboxes), slices.Clone(s.Status.Containers)
	c.Status.Liveness, c.Status.Startup = maps.Clone(s.Status.Liveness), maps.Clone(s.Status.Startup)
	c.Status.Resources = maps.Clone(s.Status.Resources)
	c.Assumed, c.differ = slices.Clone(s.Assumed), slices.Clone(s.differ)
	return &c
}

// TestCloneSharesNothing: a hypothesis changes only the state that it is applied to.
func TestCloneSharesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		x := randomState(r)
		before := fmt.Sprintf("%+v %v", x.Status, x.Pod.DeletionTimestamp)
		for h := None + 1; h < Hypotheses; h++ {
			c := x.clone()
			h.Apply(c, Argument{Container: "c0", Code: 1, Reason: "OutOfcpu"})
			c.Play("c0", false)
			if after := fmt.Sprintf("%+v %v", x.Status, x.Pod.DeletionTimestamp); after != before {
				t.Fatalf("hypothesis %s changed the original:\n%s\n%s", h, before, after)
			}
		}
	}
}
