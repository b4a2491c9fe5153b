package finding

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// initAgain looks for an ordinary init container that ran again between the end of the old instance and the start of
// the new one. The kubelet does that in a new sandbox, for a rule that restarts all containers, and where the init
// containers' records were lost (kuberuntime_manager.go computePodActions).
func (f *Findings) initAgain() {
	r := f.R
	if r.To == nil || r.Pod == nil || r.ContainerKind == evidence.KindInit || r.From.Finished.IsZero() {
		return
	}
	again := r.To.Made()
	if len(r.Inits()) > timeline.Crowd {
		return
	}
	for _, l := range r.Inits() {
		for _, in := range l.Instances {
			at := in.Made()
			if at.After(r.From.Finished.Add(tolerance.Slack)) && !at.After(again.Add(tolerance.Slack)) {
				f.InitAgain = basis.Found(at, in.Records...)
				return
			}
		}
	}
}

// restartedAll looks for the end that restarted all containers of the pod, if this one is an init container that had
// succeeded.
func (f *Findings) restartedAll() {
	r := f.R
	if r.ContainerKind != evidence.KindInit || r.To == nil || f.PodObject() == nil || len(r.Lives()) > timeline.Crowd {
		return
	}
	again := r.To.Made()
	for _, l := range r.Lives() {
		c := f.ContainerSpec(l.Container)
		if c == nil || l.Container == r.Container {
			continue
		}
		for _, in := range l.Instances {
			since := again.Sub(in.Finished)
			if in.ExitCode != nil && !in.Finished.IsZero() && since > -tolerance.Slack &&
				since < tolerance.KillLag &&
				RestartsAll(c, *in.ExitCode) {
				f.RestartedAll = Trigger{basis.Found(in.Finished, in.Records...), l.Container}
			}
		}
	}
}

// RestartsAll reports whether the container's rule for its exit code restarts all containers of the pod, init
// containers too (kubelet v1.35, feature gate RestartAllContainersOnContainerExits).
func RestartsAll(c *corev1.Container, code int32) bool {
	r := decide.MatchingRule(c, int(code))
	return r != nil && r.Action == corev1.ContainerRestartRuleActionRestartAllContainers
}

// AtOnce reports whether the fact's time is within one sync of the end: what the kubelet did then is one decision.
func (f *Findings) AtOnce(fact Point) bool {
	return fact.Answer == Yes && !fact.At.IsZero() && !f.R.From.Finished.IsZero() &&
		fact.At.Before(f.R.From.Finished.Add(tolerance.OneSync))
}
