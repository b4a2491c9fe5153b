package apiobject

import (
	"iter"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Containers yields the containers of a spec with their kinds: init containers, then regular, then ephemeral ones.
func Containers(s *corev1.PodSpec) iter.Seq2[*corev1.Container, evidence.ContainerKind] {
	return func(yield func(*corev1.Container, evidence.ContainerKind) bool) {
		for i := range s.InitContainers {
			c, kind := &s.InitContainers[i], evidence.KindInit
			if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
				kind = evidence.KindSidecar
			}
			if !yield(c, kind) {
				return
			}
		}
		for i := range s.Containers {
			if !yield(&s.Containers[i], evidence.KindApp) {
				return
			}
		}
		for i := range s.EphemeralContainers {
			c := (*corev1.Container)(&s.EphemeralContainers[i].EphemeralContainerCommon)
			if !yield(c, evidence.KindEphemeral) {
				return
			}
		}
	}
}

// Statuses yields the statuses of all containers, in the same order.
func Statuses(s *corev1.PodStatus) iter.Seq[*corev1.ContainerStatus] {
	return func(yield func(*corev1.ContainerStatus) bool) {
		for _, list := range [][]corev1.ContainerStatus{s.InitContainerStatuses,
			s.ContainerStatuses, s.EphemeralContainerStatuses} {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}
