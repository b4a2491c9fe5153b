package apiserver

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// safeObject returns a redacted pod whose strings are safe to show where the decision reads or names them. A pod of the
// API server proper is safe as it is and is returned itself: its names are DNS labels.
func safeObject(p *corev1.Pod) *corev1.Pod {
	safe := true
	eachShown(p, func(s string) string {
		safe = safe && safetext.Ident(s) == s
		return s
	})
	if safe {
		return p
	}
	p = p.DeepCopy()
	eachShown(p, safetext.Ident)
	return p
}

// eachShown replaces every string of a pod that a decision's trace may show.
func eachShown(p *corev1.Pod, change func(string) string) {
	set := func(s *string) { *s = change(*s) }
	set(&p.Name)
	set(&p.Namespace)
	replace(&p.Spec.RestartPolicy, change)
	replace(&p.Status.Phase, change)
	eachContainer(&p.Spec, func(c *corev1.Container, _ evidence.ContainerKind) {
		set(&c.Name)
		set(&c.Image)
		if c.RestartPolicy != nil {
			replace(c.RestartPolicy, change)
		}
		for i := range c.RestartPolicyRules {
			replace(&c.RestartPolicyRules[i].Action, change)
		}
	})
	eachStatus(&p.Status, func(s *corev1.ContainerStatus) {
		set(&s.Name)
		set(&s.ContainerID)
		for _, state := range []*corev1.ContainerState{&s.State, &s.LastTerminationState} {
			if state.Terminated != nil {
				set(&state.Terminated.Reason)
				set(&state.Terminated.ContainerID)
			}
			if state.Waiting != nil {
				set(&state.Waiting.Reason)
			}
		}
	})
}

func replace[S ~string](s *S, change func(string) string) { *s = S(change(string(*s))) }
