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

// Hash is an apiserver.Hasher. Of a container with masked values it returns the
// hashes that need none.
func (h *Hasher) Hash(c *corev1.Container) []evidence.SpecHash {
	if h.inner == nil || mask.MatchString(c.Image) {
		return nil
	}
	all := h.inner(c)
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
