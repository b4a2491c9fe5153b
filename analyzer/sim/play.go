package sim

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// Outcome is what happens to a pod when the kubelet decides until nothing is left to do. Containers are named; lists
// are in the order of the spec, init containers first.
type Outcome struct {
	// Ended are the containers that the kubelet stops, Started those that it starts (again).
	Ended, Started []string
	// NewSandbox: the pod gets another sandbox. InitAgain: an ordinary init container runs again.
	NewSandbox, InitAgain bool
	// Over: the pod is stopped for good.
	Over bool
	// Stage is how far the first decision got, Messages its kills.
	Stage    decide.Stage
	Messages []decide.Kill
	// Count is the restart count that the item's container gets, Counted whether a record has it.
	Count   int
	Counted bool
}

// rounds limits how often the kubelet decides about one pod: each init container costs one.
const rounds = 24

// Play runs the decision until it does nothing more; the restart count is that of the container who. The trace is that
// of the first decision. Stored hashes are Same unless they are supposed to differ.
func (s *PodState) Play(who string, trace bool) (Outcome, decide.Trace) {
	var out Outcome
	var first decide.Trace
	for round := range min(rounds, len(s.Pod.Spec.InitContainers)+6) {
		a, steps := s.once(trace && round == 0)
		if round == 0 {
			first, out.Stage, out.Messages = steps, a.Stage, a.ContainersToKill
		}
		switch a.Stage {
		case decide.StageRejected, decide.StageTerminated, decide.StageNotRunnable:
			s.stopAll(&out)
			out.Over = true
			return out.ordered(s), first
		}
		if !s.carryOut(&a, who, &out) {
			break
		}
		s.Now = s.Now.Add(backOff) // waits for any back-off
	}
	return out.ordered(s), first
}

// backOff is longer than any delay of a kubelet before a start.
const backOff = 10 * time.Minute

// once decides with the stored hash as the expected hash of every container.
func (s *PodState) once(trace bool) (decide.Actions, decide.Trace) {
	same := func(*corev1.Container) (uint64, bool) { return Same, true }
	before := s.Status.Before
	defer func() { s.Status.Before = before }()
	if before.Phase == "" {
		s.Status.Before = decide.DeriveBefore(s.Profile, s.Pod, &s.Status, s.podTime(), s.Node, before)
	}
	return s.Decide(decide.Options{Trace: trace, ExpectedHash: same, ExpectedHashWithoutResources: same})
}

// podTime returns a time at which the pod's deadline is not over: that it is over is a hypothesis, not a guess.
func (s *PodState) podTime() time.Time {
	if start := s.Pod.Status.StartTime; start != nil {
		return start.Time
	}
	return time.Time{}
}

// carryOut executes a decision and reports whether there was anything to do.
func (s *PodState) carryOut(a *decide.Actions, who string, out *Outcome) bool {
	for _, r := range a.Restarts {
		if r.Name == who && r.Known && !out.Counted {
			out.Count, out.Counted = r.Count, true
		}
	}
	acted := a.KillPod || a.CreateSandbox || len(a.ContainersToKill)+len(a.ContainersToReset) > 0
	if a.KillPod {
		acted = s.stopAll(out) || a.CreateSandbox
	}
	s.Status.Before.CgroupMissing = false
	for _, k := range a.ContainersToKill {
		if c := s.byID(k.ID); c != nil && c.State != decide.StateExited {
			s.End(c, killed)
			out.Ended = append(out.Ended, c.Name)
		}
	}
	for _, reset := range a.ContainersToReset {
		if reset.Kill {
			out.Ended = append(out.Ended, reset.Name)
		}
		s.Status.Containers = slices.DeleteFunc(s.Status.Containers,
			func(c decide.Container) bool { return c.ID == reset.ID })
	}
	s.Status.RestartAllContainers = false
	if a.CreateSandbox {
		out.NewSandbox = true
		s.newSandbox(a.Attempt)
	}
	for _, i := range a.InitContainersToStart {
		c := &s.Pod.Spec.InitContainers[i]
		s.start(c, out)
		acted = true
		if !decide.IsSidecar(c) {
			s.End(s.Record(c.Name), 0) // it does its work and exits
			out.InitAgain = true
		}
	}
	for _, i := range a.ContainersToStart {
		s.start(&s.Pod.Spec.Containers[i], out)
		acted = true
	}
	return acted
}

// stopAll ends what runs and reports whether anything did.
func (s *PodState) stopAll(out *Outcome) (any bool) {
	for i := range s.Status.Containers {
		if c := &s.Status.Containers[i]; c.State == decide.StateRunning || c.State == decide.StateUnknown {
			s.End(c, killed)
			out.Ended = append(out.Ended, c.Name)
			any = true
		}
	}
	for i := range s.Status.Sandboxes {
		any = any || s.Status.Sandboxes[i].Ready
		s.Status.Sandboxes[i].Ready = false
	}
	return any
}

// newSandbox creates a sandbox and drops the records of the init containers, as SyncPod does (kuberuntime_manager.go
// purgeInitContainers).
func (s *PodState) newSandbox(attempt uint32) {
	box := NewSandbox(s.Pod, "new")
	box.Attempt = attempt
	s.Status.Sandboxes = slices.Insert(s.Status.Sandboxes, 0, box)
	for i := range s.Pod.Spec.InitContainers {
		s.dropRecords(s.Pod.Spec.InitContainers[i].Name)
	}
}

func (s *PodState) start(c *corev1.Container, out *Outcome) {
	if !slices.Contains(out.Started, c.Name) {
		out.Started = append(out.Started, c.Name)
	}
	s.dropRecords(c.Name)
	s.differ = slices.DeleteFunc(s.differ, func(name string) bool { return name == c.Name })
	s.Run(c, "new-"+c.Name)
}

func (s *PodState) byID(id string) *decide.Container {
	for i := range s.Status.Containers {
		if s.Status.Containers[i].ID == id {
			return &s.Status.Containers[i]
		}
	}
	return nil
}

// ordered sorts the names in the spec's order and drops duplicates.
func (o Outcome) ordered(s *PodState) Outcome {
	var names []string
	for _, list := range [][]corev1.Container{s.Pod.Spec.InitContainers, s.Pod.Spec.Containers} {
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
