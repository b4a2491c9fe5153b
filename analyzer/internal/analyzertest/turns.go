package analyzertest

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// This file holds what may happen beside the end that a story is about, and what changes it afterwards.

// KubeletEvent adds the node's event of a kubelet's start.
func (s *Story) KubeletEvent(at float64) *Story {
	return s.Add(evidence.SourceAPI, at, evidence.Subject{Node: Node}, evidence.KubeletStarted{})
}

// Setting adds what a kubelet logs of its runtime when it starts.
func (s *Story) Setting(at float64, name, value string) *Story {
	return s.Add(evidence.SourceKubeletLog, at, evidence.Subject{},
		evidence.KubeletSetting{Name: name, Value: safetext.Clean(value)})
}

// Sibling adds a second container to the pod, which exited cleanly at a time.
func (s *Story) Sibling(end float64) *Story {
	code := int32(0)
	s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "b", Kind: evidence.KindApp, Image: Image})
	b := OfPod()
	b.Container, b.ContainerID = "b", "7777777777777777777777777777777777777777777777777777777777777777"
	return s.Add(evidence.SourceAPI, end, b, evidence.ContainerRecord{Kind: evidence.KindApp,
		State: evidence.StateExited, Attempt: 0, Started: At(10), Finished: At(end), ExitCode: &code, Reason: "Completed"})
}

// Job makes the pod one that is not restarted.
func (s *Story) Job() *Story {
	s.Pod.RestartPolicy, s.Pod.Phase = "Never", "Failed"
	return s
}

// Change keeps the observations that keep accepts, with its changes.
func (s *Story) Change(keep func(*evidence.Observation) bool) *Story {
	kept := s.Observations[:0]
	for _, o := range s.Observations {
		if keep(&o) {
			kept = append(kept, o)
		}
	}
	s.Observations = kept
	return s
}

// Recorded changes the records of instances in a state.
func (s *Story) Recorded(state evidence.ContainerState, change func(*evidence.ContainerRecord)) *Story {
	for i := range s.Observations {
		if r, ok := s.Observations[i].Fact.(evidence.ContainerRecord); ok && r.State == state {
			change(&r)
			s.Observations[i].Fact = r
		}
	}
	return s
}

// InPod returns a path below the pod's cgroup.
func InPod(below string) string { return "/kubepods/burstable/pod" + PodUID + below }

// Full adds the kernel's record that a cgroup was full and that it killed a child in it.
func (s *Story) Full(at float64, group string) *Story { return s.OOM(at, group, group, "worker", 4712) }

// OOM adds the kernel's record that a cgroup was full, and whom it killed for that.
func (s *Story) OOM(at float64, group, victim, task string, pid int) *Story {
	return s.Kernel(at, OldID, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG",
		OOMMemcg: group, TaskMemcg: victim, Task: task, PID: pid})
}

// Limited gives the container a memory limit.
func (s *Story) Limited() *Story {
	return s.Spec(func(c *evidence.Container) { c.MemoryLimit = 20 << 20 })
}

// Since makes the kubelet's log begin at a time.
func (s *Story) Since(at float64) *Story {
	for i := range s.Coverage {
		if s.Coverage[i].Source == evidence.SourceKubeletLog {
			s.Coverage[i].From = At(at)
		}
	}
	return s
}

// Tells sets how much the runtime's log contains.
func (s *Story) Tells(what int) *Story {
	for i := range s.Coverage {
		if s.Coverage[i].Source == evidence.SourceRuntimeLog {
			s.Coverage[i].Verbosity = what
		}
	}
	return s
}

// Others adds containers of other pods that ended at a time.
func (s *Story) Others(n int, end float64) *Story {
	code := int32(143)
	for i := range n {
		sub := evidence.Subject{Node: Node, Namespace: "other", Pod: fmt.Sprintf("o-%d", i),
			PodUID: fmt.Sprintf("uid-o-%d", i), Container: "x", ContainerID: strings.Repeat(fmt.Sprint(i+4), 64)}
		s.Add(evidence.SourceAPI, end, sub, evidence.ContainerRecord{Kind: evidence.KindApp,
			State: evidence.StateExited, Attempt: -1, Last: true, Started: At(5),
			Finished: At(end), ExitCode: &code, Reason: "Error", RestartCount: -1})
	}
	return s
}
