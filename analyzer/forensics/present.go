package forensics

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Present returns the hashes of a container that every collection keeps: those of the spec as it is, for every kubelet
// minor, with and without resources, and of the spec without later defaults of API servers (hash.Defaulted). They need
// values that are never stored, so they are computed while the spec is available.
func Present(c *corev1.Container) []evidence.SpecHash {
	all, defaulted := slices.Concat(hash.All(c), hash.AllWithoutResources(c)), hash.Defaulted(c)
	n := len(all)
	for i := range defaulted {
		n += len(defaulted[i].Hashes)
	}
	out := make([]evidence.SpecHash, 0, n) // kept for every container
	for _, h := range all {
		out = append(out, definition.Of(h, c.Image))
	}
	for _, v := range defaulted {
		for _, h := range v.Hashes {
			varied := definition.Of(h, c.Image)
			varied.Without, varied.With = v.Without, v.With
			out = append(out, varied)
		}
	}
	return out
}
