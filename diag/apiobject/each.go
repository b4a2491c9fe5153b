package apiobject

import (
	"iter"
	"runtime"
	"time"

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

const (
	// perStatus is how many observations there are of a container: its count, its current state and its last end.
	perStatus = 3
	// aRound is how many objects are observed before what was observed of them moves to where it stays.
	aRound = 4096
)

// observeAll observes objects on all processors, and keeps their order. Those that are spent are let go round by round:
// all of them and all that is observed would be twice as much.
func observeAll[T any](b *evidence.Builder, all []*T, spent bool, observe func(*evidence.Builder, *T)) {
	if len(all) == 1 { // it may be a pod of thousands of containers
		observe(b, all[0])
		return
	}
	parts := make([]*evidence.Builder, runtime.GOMAXPROCS(0))
	for part := range parts {
		parts[part] = evidence.NewBuilder(time.Time{})
	}
	for ; len(all) > 0; all = all[min(aRound, len(all)):] {
		round := all[:min(aRound, len(all))]
		inParts(len(round), func(part, from, to int) {
			for i := from; i < to; i++ {
				if observe(parts[part], round[i]); spent {
					round[i] = nil
				}
			}
		})
		b.Join(parts...)
	}
}
