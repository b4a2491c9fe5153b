package replay

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
)

// Readiness is what the status says about one container after a restart of its kubelet: in one course, or in two where
// the order of two goroutines decides.
type Readiness struct {
	Container string         `json:"container"`
	Courses   []probe.Course `json:"courses"`
}

// seedsSidecars is the first minor that sets the startup result of a sidecar that had started after a kubelet restart
// (prober/worker.go doProbe).
const seedsSidecars = 36

// forget removes the startup results of a kubelet that has just started, except those that are supposed to have failed.
func (s *state) forget(profile kubelet.Profile) {
	if !s.Restarted {
		return
	}
	for _, c := range sim.Containers(&s.Pod.Spec) {
		r := slices.IndexFunc(s.Status.Containers, func(r decide.Container) bool { return r.Name == c.Name })
		if r < 0 || profile.Minor >= seedsSidecars && isSidecar(s.Pod, c) {
			continue
		}
		if id := s.Status.Containers[r].ID; s.Status.Startup[id] == decide.ProbeSuccess {
			delete(s.Status.Startup, id)
		}
	}
}

func (s *state) readiness(v kubelet.Version, a *decide.Actions) ([]Readiness, error) {
	if !s.Restarted || a.KillPod {
		return nil, nil
	}
	rules, err := probe.RulesFor(v)
	if err != nil {
		return nil, err
	}
	wasReady := slices.ContainsFunc(s.Pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
	var all []Readiness
	for i := range s.Pod.Spec.Containers {
		c := &s.Pod.Spec.Containers[i]
		runs := func(r decide.Container) bool { return r.Name == c.Name && r.State == decide.StateRunning }
		killed := func(k decide.Kill) bool { return k.Name == c.Name }
		if !slices.ContainsFunc(s.Status.Containers, runs) || slices.ContainsFunc(a.ContainersToKill, killed) {
			continue
		}
		wasStarted := slices.ContainsFunc(s.Pod.Status.ContainerStatuses, func(st corev1.ContainerStatus) bool {
			return st.Name == c.Name && st.Started != nil && *st.Started
		})
		all = append(all, Readiness{c.Name, probe.AfterRestart(rules, probe.Survivor{
			Readiness: c.ReadinessProbe != nil, Startup: c.StartupProbe != nil,
			WasStarted: wasStarted, WasReady: wasReady, Healthy: true,
		})})
	}
	return all, nil
}

func isSidecar(pod *corev1.Pod, c *corev1.Container) bool {
	return decide.IsSidecar(c) &&
		slices.ContainsFunc(pod.Spec.InitContainers, func(i corev1.Container) bool { return i.Name == c.Name })
}
