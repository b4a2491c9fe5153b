// Package maskedhash computes hashes of containers that others collected, without those that need a value which they
// masked. It may import diag/apiobject, diag/evidence and diag/internal/mask; the hash functions come from the caller.
package maskedhash

import (
	"fmt"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/mask"
)

// wholeSpecUntil is the last kubelet minor version that hashes the whole container; later ones hash name and image
// (kubelet v1.31 container/helpers.go HashContainer).
const wholeSpecUntil = 30

// Hasher computes hashes of containers that others collected, who may have masked values: a hash of a mask would look
// like an edited spec.
type Hasher struct {
	inner  apiobject.Hasher
	masked atomic.Int64
}

// New returns a hasher around another one.
func New(inner apiobject.Hasher) *Hasher { return &Hasher{inner: inner} }

// Hasher returns the hash functions: for a container with masked values they return only the hashes that do not need
// them.
func (h *Hasher) Hasher() apiobject.Hasher {
	var out apiobject.Hasher
	if h.inner.Present != nil {
		out.Present = h.present
	}
	if h.inner.Near != nil {
		out.Near = h.near
	}
	return out
}

func (h *Hasher) present(c *corev1.Container) []evidence.SpecHash {
	if mask.Is(c.Image) {
		return nil
	}
	all := h.inner.Present(c)
	if !isMasked(c) {
		return all
	}
	h.masked.Add(1)
	var kept []evidence.SpecHash
	for _, one := range all {
		if one.FromMinor > wholeSpecUntil {
			kept = append(kept, one)
		}
	}
	return kept
}

// near leaves out masked specs: neighbours belong to kubelets that hash the whole spec.
func (h *Hasher) near(a apiobject.Ancestry) []evidence.SpecHash {
	if mask.Is(a.Spec.Image) || isMasked(a.Spec) {
		return nil
	}
	var whole []apiobject.Earlier
	for _, e := range a.Earlier {
		if !isMasked(e.Container) {
			whole = append(whole, e)
		}
	}
	a.Earlier = whole
	return h.inner.Near(a)
}

// Gaps reports the hashes that could not be computed.
func (h *Hasher) Gaps() []evidence.Gap {
	masked := h.masked.Load()
	if masked == 0 {
		return nil
	}
	return []evidence.Gap{{Source: evidence.SourceSpecHash,
		Why: fmt.Sprintf("%d specs of containers have masked values: the hashes of kubelets up to 1.%d cannot be computed "+
			"from them", masked, wholeSpecUntil)}}
}

func isMasked(c *corev1.Container) bool {
	for _, e := range c.Env {
		if mask.Is(e.Value) {
			return true
		}
	}
	return mask.Is(strings.Join(c.Command, " ")) || mask.Is(strings.Join(c.Args, " "))
}
