package predict

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// Outcome is what becomes of a pod when the kubelet decides until nothing is left to do. Containers are named; lists
// are in the order of the spec, init containers first.
type Outcome struct {
	// Ended are the containers that the kubelet stops, Started those that it starts (again).
	Ended, Started []string
	// NewSandbox: the pod gets another sandbox. InitAgain: an ordinary init container runs again.
	NewSandbox, InitAgain bool
	// Over: the pod is stopped for good.
	Over bool
	// Stage is how far the first decision came, Messages its kills.
	Stage    decide.Stage
	Messages []decide.Kill
	// Count is the restart count that the item's container gets, Counted whether a record tells it.
	Count   int
	Counted bool
}

// rounds bounds how often the kubelet decides about one pod: each init container costs one.
const rounds = 24

// play runs the decision until it asks for nothing more. The trace is that of the first one.
func (x *scene) play(trace bool) (Outcome, decide.Trace) {
	var out Outcome
	var first decide.Trace
	for round := range min(rounds, len(x.pod.Spec.InitContainers)+6) {
		a, steps := x.decide(trace && round == 0)
		if round == 0 {
			first, out.Stage, out.Messages = steps, a.Stage, a.ContainersToKill
		}
		switch a.Stage {
		case decide.StageRejected, decide.StageTerminated, decide.StageNotRunnable:
			x.stopAll(&out)
			out.Over = true
			return out.ordered(x), first
		}
		if !x.carryOut(&a, &out) {
			break
		}
		x.now = x.now.Add(backOff) // what a crash delays has been waited for
	}
	return out.ordered(x), first
}

// backOff is longer than any delay that a kubelet puts before a start.
const backOff = 10 * time.Minute

func (x *scene) decide(trace bool) (decide.Actions, decide.Trace) {
	same := func(*corev1.Container) (uint64, bool) { return sameHash, true }
	s := x.status
	if s.Before.Phase == "" {
		s.Before = decide.DeriveBefore(x.profile, x.pod, &s, x.podTime(), decide.NodeFacts{}, s.Before)
	}
	return decide.Decide(x.profile, x.pod, &s, x.now,
		decide.Options{Trace: trace, ExpectedHash: same, ExpectedHashWithoutResources: same})
}

// podTime is when the pod's deadline is looked at: whether it is over is a supposition, not a guess.
func (x *scene) podTime() time.Time {
	if start := x.pod.Status.StartTime; start != nil {
		return start.Time
	}
	return time.Time{}
}

// carryOut does what was decided and tells whether there was anything to do.
func (x *scene) carryOut(a *decide.Actions, out *Outcome) bool {
	for _, r := range a.Restarts {
		if r.Name == x.who && r.Known && !out.Counted {
			out.Count, out.Counted = r.Count, true
		}
	}
	acted := a.KillPod || a.CreateSandbox || len(a.ContainersToKill)+len(a.ContainersToReset) > 0
	if a.KillPod {
		acted = x.stopAll(out) || a.CreateSandbox
	}
	x.status.Before.CgroupMissing = false
	for _, k := range a.ContainersToKill {
		if c := x.byID(k.ID); c != nil && c.State != decide.StateExited {
			x.end(c, killed)
			out.Ended = append(out.Ended, c.Name)
		}
	}
	for _, reset := range a.ContainersToReset {
		if reset.Kill {
			out.Ended = append(out.Ended, reset.Name)
		}
		x.status.Containers = slices.DeleteFunc(x.status.Containers,
			func(c decide.Container) bool { return c.ID == reset.ID })
	}
	x.status.RestartAllContainers = false
	if a.CreateSandbox {
		out.NewSandbox = true
		x.newSandbox(a.Attempt)
	}
	for _, i := range a.InitContainersToStart {
		c := &x.pod.Spec.InitContainers[i]
		x.start(c, out)
		acted = true
		if !isSidecar(c) {
			x.end(x.record(c.Name), 0) // it does its work and ends
			out.InitAgain = true
		}
	}
	for _, i := range a.ContainersToStart {
		x.start(&x.pod.Spec.Containers[i], out)
		acted = true
	}
	return acted
}

// stopAll ends what runs and tells whether anything did.
func (x *scene) stopAll(out *Outcome) (any bool) {
	for i := range x.status.Containers {
		if c := &x.status.Containers[i]; c.State == decide.StateRunning || c.State == decide.StateUnknown {
			x.end(c, killed)
			out.Ended = append(out.Ended, c.Name)
			any = true
		}
	}
	for i := range x.status.Sandboxes {
		any = any || x.status.Sandboxes[i].Ready
		x.status.Sandboxes[i].Ready = false
	}
	return any
}

// newSandbox makes a sandbox and drops the records of the init containers, as SyncPod does (kuberuntime_manager.go
// purgeInitContainers).
func (x *scene) newSandbox(attempt uint32) {
	box := decide.Sandbox{ID: "new", Attempt: attempt, Ready: true, NetworkReported: true, IP: "known"}
	if x.pod.Spec.HostNetwork {
		box.Network = decide.NamespaceNode
	}
	x.status.Sandboxes = slices.Insert(x.status.Sandboxes, 0, box)
	for i := range x.pod.Spec.InitContainers {
		name := x.pod.Spec.InitContainers[i].Name
		x.status.Containers = slices.DeleteFunc(x.status.Containers, func(c decide.Container) bool { return c.Name == name })
	}
}

func (x *scene) start(c *corev1.Container, out *Outcome) {
	if !slices.Contains(out.Started, c.Name) {
		out.Started = append(out.Started, c.Name)
	}
	x.status.Containers = slices.DeleteFunc(x.status.Containers, func(r decide.Container) bool { return r.Name == c.Name })
	x.run(c, "new-"+c.Name)
}

func (x *scene) byID(id string) *decide.Container {
	for i := range x.status.Containers {
		if x.status.Containers[i].ID == id {
			return &x.status.Containers[i]
		}
	}
	return nil
}

// ordered puts the names in the spec's order and drops what occurs twice.
func (o Outcome) ordered(x *scene) Outcome {
	var names []string
	for _, list := range [][]corev1.Container{x.pod.Spec.InitContainers, x.pod.Spec.Containers} {
		for i := range list {
			names = append(names, list[i].Name)
		}
	}
	keep := func(have []string) []string {
		out := make([]string, 0, len(have))
		for _, n := range names {
			if slices.Contains(have, n) {
				out = append(out, n)
			}
		}
		return out
	}
	o.Ended, o.Started = keep(o.Ended), keep(o.Started)
	return o
}
