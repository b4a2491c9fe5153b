package decide

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// Options are the questions around a decision. The zero value is a kubelet without memory of earlier crashes, untraced.
type Options struct {
	// Trace asks for the steps; without it a decision costs nothing more.
	Trace bool
	// ExpectedHash returns the hash that this kubelet computes for a container of the spec, for callers whose spec is
	// redacted. ok false: not known, taken for unchanged. Nil: computed from the spec.
	ExpectedHash func(c *corev1.Container) (sum uint64, ok bool)
	// ExpectedHashWithoutResources is the same for the second hash of 1.27–1.30 with in-place resize.
	ExpectedHashWithoutResources func(c *corev1.Container) (sum uint64, ok bool)
	// BackOff is the kubelet's memory of earlier crashes; it is read, never written.
	BackOff BackOff
}

// BackOff is the kubelet's memory of crashes by container name (client-go flowcontrol.Backoff). A kubelet that has just
// started has none.
type BackOff map[string]BackOffEntry

// BackOffEntry is one container's delay and when it was last set.
type BackOffEntry struct {
	Delay      time.Duration
	LastUpdate time.Time
}

// Decide returns what the kubelet of profile p does with the pod at the time now: what stops it before its containers
// are looked at, else ComputePodActions with back-off and restart counts. A nil pod or status counts as an empty one.
func Decide(p kubelet.Profile, pod *corev1.Pod, s *Status, now time.Time, o Options) (Actions, Trace) {
	a, t := ComputePodActions(p, pod, s, o)
	a.Stage = StageActions
	return a, t
}
