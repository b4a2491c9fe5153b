package apiobject

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// EachContainer visits the containers of a spec: init containers, then regular,
// then ephemeral ones.
func EachContainer(s *corev1.PodSpec, visit func(*corev1.Container, evidence.ContainerKind)) {
	for i := range s.InitContainers {
		c, kind := &s.InitContainers[i], evidence.KindInit
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			kind = evidence.KindSidecar
		}
		visit(c, kind)
	}
	for i := range s.Containers {
		visit(&s.Containers[i], evidence.KindApp)
	}
	for i := range s.EphemeralContainers {
		visit((*corev1.Container)(&s.EphemeralContainers[i].EphemeralContainerCommon), evidence.KindEphemeral)
	}
}

// EachStatus visits the statuses of all containers, in the same order.
func EachStatus(s *corev1.PodStatus, visit func(*corev1.ContainerStatus)) {
	for _, list := range [][]corev1.ContainerStatus{s.InitContainerStatuses,
		s.ContainerStatuses, s.EphemeralContainerStatuses} {
		for i := range list {
			visit(&list[i])
		}
	}
}
