package foreign

import (
	"fmt"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// wholeSpecUntil is the last kubelet minor whose hash is of the whole container;
// later ones hash name and image (kubelet v1.31 container/helpers.go
// HashContainer).
const wholeSpecUntil = 30

// mask is what tools put in the place of a value: sos writes ********, sos clean
// and must-gather-clean write words of this kind.
var mask = regexp.MustCompile(`(?i)^\*{3,}$|redacted|obfuscated|masked|<hidden>|<omitted>`)

// Hasher computes hashes of containers as collected by others, who may have
// masked values: a hash of a mask would look like an edited spec.
type Hasher struct {
	inner  apiserver.Hasher
	masked int
}

// NewHasher returns a hasher around another one.
func NewHasher(inner apiserver.Hasher) *Hasher { return &Hasher{inner: inner} }

// Hasher is what hashes: of a container with masked values the hashes that need none.
func (h *Hasher) Hasher() apiserver.Hasher {
	out := apiserver.Hasher{Present: h.present}
	if h.inner.Near != nil {
		out.Near = h.near
	}
	return out
}

func (h *Hasher) present(c *corev1.Container) []evidence.SpecHash {
	if h.inner.Present == nil || mask.MatchString(c.Image) {
		return nil
	}
	all := h.inner.Present(c)
	if !isMasked(c) {
		return all
	}
	h.masked++
	var kept []evidence.SpecHash
	for _, one := range all {
		if one.FromMinor > wholeSpecUntil {
			kept = append(kept, one)
		}
	}
	return kept
}

// near leaves out what is masked: neighbours are of kubelets that hash the whole spec.
func (h *Hasher) near(a apiserver.Ancestry) []evidence.SpecHash {
	if mask.MatchString(a.Spec.Image) || isMasked(a.Spec) {
		return nil
	}
	var whole []apiserver.Earlier
	for _, e := range a.Earlier {
		if !isMasked(e.Container) {
			whole = append(whole, e)
		}
	}
	a.Earlier = whole
	return h.inner.Near(a)
}

// Gaps tells of the hashes that could not be computed.
func (h *Hasher) Gaps() []evidence.Gap {
	if h.masked == 0 {
		return nil
	}
	return []evidence.Gap{{Source: evidence.SourceSpecHash,
		Why: fmt.Sprintf("%d specs of containers have masked values: the hashes of kubelets up to 1.%d cannot be computed from them", h.masked, wholeSpecUntil)}}
}

func isMasked(c *corev1.Container) bool {
	for _, e := range c.Env {
		if mask.MatchString(e.Value) {
			return true
		}
	}
	return mask.MatchString(strings.Join(c.Command, " ")) || mask.MatchString(strings.Join(c.Args, " "))
}
