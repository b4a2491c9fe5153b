package decide

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// Options are the inputs around a decision. The zero value is a kubelet without memory of earlier crashes, untraced.
type Options struct {
	// Trace records the steps; without it a decision costs nothing more.
	Trace bool
	// ExpectedHash returns the hash that this kubelet computes for a container of the spec, for callers whose spec is
	// redacted. ok false: unknown, treated as unchanged. Nil: computed from the spec.
	ExpectedHash func(c *corev1.Container) (sum uint64, ok bool)
	// ExpectedHashWithoutResources is the same for the second hash of 1.27–1.30 with in-place resize.
	ExpectedHashWithoutResources func(c *corev1.Container) (sum uint64, ok bool)
	// BackOff is the kubelet's memory of earlier crashes; it is read, never written.
	BackOff BackOff
	// MaxBackOff is crashLoopBackOff.maxContainerRestartPeriod of the kubelet's configuration (1.32+ behind its gate); 0
	// is the default of 5 minutes.
	MaxBackOff time.Duration
}

// Decide returns what the kubelet of profile p does with the pod at the time now: what stops it before its containers
// are considered (Actions.Stage), else ComputePodActions with back-off and restart counts. A nil pod or status counts
// as an empty one.
//
// A pod that loses its cgroup is killed and then decided again with all of its containers stopped, as the kubelet does
// in its next sync; the actions are those of both.
func Decide(p kubelet.Profile, pod *corev1.Pod, s *Status, now time.Time, o Options) (Actions, Trace) {
	d := decision{p: &p, pod: orEmpty(pod), s: orEmpty(s), o: &o, recorder: newRecorder(&p, o.Trace)}
	stage := d.before()
	switch stage {
	case StageRejected, StageTerminated, StageNotRunnable:
		d.a.KillPod = true
	case StageNetwork:
	case StageCgroupMissing:
		d.s = stopped(d.s)
		d.compute()
		d.a.KillPod = true
		if d.runsOnlyOnce() {
			d.a.CreateSandbox, d.a.ContainersToStart, d.a.InitContainersToStart = false, nil, nil
		}
		d.after(now)
	case StageActions:
		d.compute()
		d.after(now)
	}
	d.a.Stage = stage
	return d.a, d.steps
}

// stopped returns the status after the kubelet has killed the pod: SIGKILL has ended whatever ran.
func stopped(s *Status) *Status {
	out := *s
	out.Sandboxes = append([]Sandbox(nil), s.Sandboxes...)
	for i := range out.Sandboxes {
		out.Sandboxes[i].Ready = false
	}
	out.Containers = append([]Container(nil), s.Containers...)
	for i := range out.Containers {
		if c := &out.Containers[i]; c.State == StateRunning {
			c.State, c.ExitCode = StateExited, exitKilled
		}
	}
	return &out
}

// exitKilled is the exit code of a process that SIGKILL ended.
const exitKilled = 137
