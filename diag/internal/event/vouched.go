package event

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
)

// This file says which events are as the kubelet writes them: others may be anyone's.

// whole reports whether an event has everything that the kubelet writes into its own events: its host, the pod's UID,
// and the container, which is the same as in its message; and whether the API server gave it, and not a store or an
// exporter.
func whole(e *corev1.Event, container string) bool {
	said := kubeletmsg.ParseKill(PlainMessage(e)).Container
	return !strings.HasPrefix(string(e.UID), evidence.Row) && signedByKubelet(e) && HostOf(e) != "" &&
		e.InvolvedObject.UID != "" && inTime(e) && inOrder(e) &&
		kubeletmsg.ContainerOf(e.InvolvedObject.FieldPath) == container && (said == "" || said == container)
}

// inOrder reports whether an event's count fits its times: what happened once has one time, and nothing happens last
// before it happens first.
func inOrder(e *corev1.Event) bool {
	first, last := e.FirstTimestamp.Time, e.LastTimestamp.Time
	return e.Count >= 0 && (first.IsZero() || last.IsZero() || first.Equal(last) || first.Before(last) && countOf(e) > 1)
}

// inSpec reports whether the pod's spec has a container of that name among those of which the field path speaks; true
// if the spec is not known. An event of another pod with that UID, or of nobody, may name another list.
func inSpec(p *corev1.Pod, fieldPath string) bool {
	name := kubeletmsg.ContainerOf(fieldPath)
	if p == nil || name == "" || len(p.Spec.Containers) == 0 {
		return true
	}
	named := func(c corev1.Container) bool { return c.Name == name }
	switch list, _, _ := strings.Cut(fieldPath, "{"); list {
	case "spec.initContainers":
		return slices.ContainsFunc(p.Spec.InitContainers, named)
	case "spec.ephemeralContainers":
		return slices.ContainsFunc(p.Spec.EphemeralContainers,
			func(c corev1.EphemeralContainer) bool { return c.Name == name })
	}
	return slices.ContainsFunc(p.Spec.Containers, named)
}

// inTime reports whether the API server stored the event at about the time that the event claims for itself: the author
// does not choose the time of storing. A kubelet retries for two minutes (client-go tools/record maxTriesPerEvent).
func inTime(e *corev1.Event) bool {
	stored, first := e.CreationTimestamp.Time, firstTime(e)
	return stored.IsZero() || first.IsZero() || stored.Sub(first).Abs() < storedWithin
}

// storedWithin is those two minutes and what the clocks of a node and of the API server may differ by.
const storedWithin = 5 * time.Minute
