package cases

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// Shrink returns a smaller case for which differs is still true: it leaves out one thing at a time, again and again,
// until nothing more can go. differs must be true for c itself.
func Shrink(c Case, differs func(*Case) bool) Case {
	for smaller := true; smaller; {
		smaller = false
		for _, candidate := range reductions(&c) {
			if differs(&candidate) {
				c, smaller = candidate, true
				break
			}
		}
	}
	return c
}

func reductions(c *Case) []Case {
	var out []Case
	// try adds a copy of the case if change made it smaller.
	try := func(change func(*Case) bool) {
		copied := c.copy()
		if change(&copied) {
			out = append(out, copied)
		}
	}
	without(try, len(c.Pod.Spec.Containers), func(c *Case) *[]corev1.Container { return &c.Pod.Spec.Containers })
	without(try, len(c.Pod.Spec.InitContainers), func(c *Case) *[]corev1.Container { return &c.Pod.Spec.InitContainers })
	without(try, len(c.Pod.Spec.EphemeralContainers), func(c *Case) *[]corev1.EphemeralContainer {
		return &c.Pod.Spec.EphemeralContainers
	})
	without(try, len(c.Pod.Status.ContainerStatuses), func(c *Case) *[]corev1.ContainerStatus {
		return &c.Pod.Status.ContainerStatuses
	})
	without(try, len(c.Status.Sandboxes), func(c *Case) *[]decide.Sandbox { return &c.Status.Sandboxes })
	without(try, len(c.Status.Containers), func(c *Case) *[]decide.Container { return &c.Status.Containers })
	withoutKey(try, func(c *Case) map[string]decide.ProbeResult { return c.Status.Liveness }, c.Status.Liveness)
	withoutKey(try, func(c *Case) map[string]decide.ProbeResult { return c.Status.Startup }, c.Status.Startup)
	withoutKey(try, func(c *Case) map[string]corev1.ResourceRequirements { return c.Status.Resources }, c.Status.Resources)
	try(func(c *Case) bool { return clear1(&c.Pod.DeletionTimestamp) })
	try(func(c *Case) bool { return clear1(&c.Pod.Spec.Resources) })
	try(func(c *Case) bool { return clear1(&c.Pod.Spec.HostNetwork) })
	try(func(c *Case) bool { return clear1(&c.Status.PodResources) })
	try(func(c *Case) bool { return clear1(&c.Status.RestartAllContainers) })
	try(func(c *Case) bool { return clear1(&c.Status.Evented) })
	try(func(c *Case) bool { had := len(c.Pod.Annotations) > 0; c.Pod.Annotations = nil; return had })
	for i := range c.Pod.Spec.Containers {
		plainer(try, func(c *Case) *corev1.Container { return &c.Pod.Spec.Containers[i] })
	}
	for i := range c.Pod.Spec.InitContainers {
		plainer(try, func(c *Case) *corev1.Container { return &c.Pod.Spec.InitContainers[i] })
	}
	for i := range c.Status.Containers {
		at := func(c *Case) *decide.Container { return &c.Status.Containers[i] }
		try(func(c *Case) bool { return clear1(&at(c).ExitCode) })
		try(func(c *Case) bool { return clear1(&at(c).Reason) })
		try(func(c *Case) bool { return clear1(&at(c).RestartCount) })
		try(func(c *Case) bool {
			s := at(c)
			return clear1(&s.CreatedAt) || clear1(&s.StartedAt) || clear1(&s.FinishedAt)
		})
	}
	return out
}

// plainer leaves out what a container may have beyond its name and image.
func plainer(try func(func(*Case) bool), at func(*Case) *corev1.Container) {
	try(func(c *Case) bool { return clear1(&at(c).LivenessProbe) })
	try(func(c *Case) bool { return clear1(&at(c).StartupProbe) })
	try(func(c *Case) bool { return clear1(&at(c).RestartPolicy) })
	try(func(c *Case) bool { had := at(c).RestartPolicyRules != nil; at(c).RestartPolicyRules = nil; return had })
	try(func(c *Case) bool { had := at(c).ResizePolicy != nil; at(c).ResizePolicy = nil; return had })
	try(func(c *Case) bool { had := at(c).Resources.Limits != nil; at(c).Resources.Limits = nil; return had })
	try(func(c *Case) bool { had := at(c).Resources.Requests != nil; at(c).Resources.Requests = nil; return had })
}

func without[T any](try func(func(*Case) bool), n int, list func(*Case) *[]T) {
	for i := range n {
		try(func(c *Case) bool { l := list(c); *l = slices.Delete(*l, i, i+1); return true })
	}
}

func withoutKey[T any](try func(func(*Case) bool), of func(*Case) map[string]T, now map[string]T) {
	for _, key := range slices.Sorted(maps.Keys(now)) {
		try(func(c *Case) bool { delete(of(c), key); return true })
	}
}

// clear1 sets a value to zero and returns whether it was another one.
func clear1[T comparable](v *T) bool {
	var zero T
	had := *v != zero
	*v = zero
	return had
}

// copy shares nothing with c that a reduction changes.
func (c *Case) copy() Case {
	out := Case{Pod: c.Pod.DeepCopy(), Status: c.Status, Gates: c.Gates}
	out.Status.Sandboxes = slices.Clone(c.Status.Sandboxes)
	out.Status.Containers = slices.Clone(c.Status.Containers)
	out.Status.Liveness = maps.Clone(c.Status.Liveness)
	out.Status.Startup = maps.Clone(c.Status.Startup)
	out.Status.Resources = maps.Clone(c.Status.Resources)
	return out
}
