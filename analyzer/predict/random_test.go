package predict

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// randomScene is a pod of up to three containers of each kind in random states under a random version.
func randomScene(r *rand.Rand) *scene {
	pick := func(n int) bool { return r.IntN(n) == 0 }
	always := corev1.ContainerRestartPolicyAlways
	minor := 17 + r.IntN(20)
	profile, err := kubelet.ProfileFor(kubelet.Version{Major: 1, Minor: minor, Patch: r.IntN(12)})
	if err != nil {
		panic(err)
	}
	x := &scene{profile: profile, pod: &corev1.Pod{}, now: end, who: "c0", status: decide.Status{
		Sandboxes: []decide.Sandbox{{ID: "box", Ready: !pick(6), NetworkReported: true,
			IP: "known", Attempt: uint32(r.IntN(2))}},
		Liveness: map[string]decide.ProbeResult{}, Startup: map[string]decide.ProbeResult{},
		Resources: map[string]corev1.ResourceRequirements{},
	}}
	x.pod.Spec.RestartPolicy = []corev1.RestartPolicy{corev1.RestartPolicyAlways,
		corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever}[r.IntN(3)]
	x.pod.Spec.HostNetwork = pick(8)
	if x.pod.Spec.HostNetwork {
		x.status.Sandboxes[0].Network = decide.NamespaceNode
	}
	for i := range r.IntN(3) {
		c := corev1.Container{Name: fmt.Sprintf("i%d", i)}
		if minor >= 29 && pick(2) {
			c.RestartPolicy = &always
		}
		x.pod.Spec.InitContainers = append(x.pod.Spec.InitContainers, c)
	}
	for i := range 1 + r.IntN(3) {
		x.pod.Spec.Containers = append(x.pod.Spec.Containers, corev1.Container{Name: fmt.Sprintf("c%d", i)})
	}
	for _, list := range [][]corev1.Container{x.pod.Spec.InitContainers, x.pod.Spec.Containers} {
		for i := range list {
			c := &list[i]
			if pick(2) {
				c.LivenessProbe = &corev1.Probe{}
			}
			if pick(3) {
				c.StartupProbe = &corev1.Probe{}
			}
			x.run(c, "")
			mine := x.record(c.Name)
			switch {
			case pick(4):
				x.end(mine, r.IntN(2)*137)
			case pick(12):
				mine.State = decide.StateUnknown
			case pick(8):
				mine.Hash, mine.HashWithoutResources = otherHash, otherHash
			case pick(8):
				x.status.Liveness[mine.ID] = decide.ProbeFailure
			}
		}
	}
	return x
}

// TestAPredictionIsWhatTheDecisionSays: what the first decision asks for is in the outcome, and after the last one the
// kubelet has nothing left to do.
func TestAPredictionIsWhatTheDecisionSays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	over, replaced, killed := 0, 0, 0
	for i := range 6000 {
		x := randomScene(r)
		before := x.clone()
		a, _ := before.decide(false)
		out, _ := x.play(false)
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("case %d, %s: %s\n%+v\n%+v\noutcome %+v", i, x.profile.ModelledAs,
				fmt.Sprintf(format, args...), before.status, a, out)
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
		for j := range before.status.Containers {
			if c := &before.status.Containers[j]; a.KillPod && c.State == decide.StateRunning &&
				!slices.Contains(out.Ended, c.Name) {
				fail("%s runs in a pod that is killed", c.Name)
			}
		}
		for _, n := range a.ContainersToStart {
			if !slices.Contains(out.Started, x.pod.Spec.Containers[n].Name) {
				fail("container %d is to be started", n)
			}
		}
		for _, n := range a.InitContainersToStart {
			if !slices.Contains(out.Started, x.pod.Spec.InitContainers[n].Name) {
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
		if last, _ := x.decide(false); last.Stage == decide.StageActions &&
			(last.CreateSandbox || len(last.ContainersToKill)+len(last.ContainersToStart)+len(last.InitContainersToStart) > 0) {
			fail("the kubelet is not done: %+v", last)
		}
	}
	if over < 50 || replaced < 50 || killed < 50 {
		t.Errorf("the cases show too little: %d pods over, %d sandboxes replaced, %d kills", over, replaced, killed)
	}
}

// TestCloneSharesNothing: a supposition changes the scene that it is put into, and no other.
func TestCloneSharesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		x := randomScene(r)
		before := fmt.Sprintf("%+v %v", x.status, x.pod.DeletionTimestamp)
		for s := Ended; s <= PodRejected; s++ {
			c := x.clone()
			s.apply(c, 1)
			c.play(false)
			if after := fmt.Sprintf("%+v %v", x.status, x.pod.DeletionTimestamp); after != before {
				t.Fatalf("supposition %d changed the original:\n%s\n%s", s, before, after)
			}
		}
	}
}

// BenchmarkAgainst is one restart of a pod of which much is known, held against every supposition, where an equal pod
// was seen before.
func BenchmarkAgainst(b *testing.B) {
	w := base(certain, sandboxes("box0", "box0", 0), runs("b", 0, -600), did("i", 0, -602))
	f := w.find(b)
	p := New(f.T)
	b.ReportAllocs()
	for b.Loop() {
		one := *f // another restart each time
		for id := range of {
			p.Against(&one, id)
		}
	}
}

// TestNeighboursThatHadEndedAreNotTakenToRun: a finished neighbour of a pod that restarts on failure stays finished.
func TestNeighboursThatHadEndedAreNotTakenToRun(t *testing.T) {
	w := base(policy(corev1.RestartPolicyOnFailure), func(w *world) {
		code := w.code
		w.code = 0
		zero := int32(0)
		w.record("b", "b0", evidence.StateExited, 0, -600, -300, "")
		last := &w.obs[len(w.obs)-1]
		record := last.Fact.(evidence.ContainerRecord)
		record.ExitCode = &zero
		last.Fact, w.code = record, code
	})
	if got, want := outcomeOf(t, w, SandboxNotReady),
		"the kubelet stops a, creates a new sandbox and starts i and a (init again)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
