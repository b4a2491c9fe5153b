package cli

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// likeness is what a container is found again by in a recording, where nothing but
// the container itself is at hand.
type likeness struct{ name, image string }

// maxAlike is how many containers of a recording are looked at closely: replicas
// are alike, and each costs milliseconds and a few hundred kilobytes.
const maxAlike = 64

// hasher is what hashes containers while they are collected: every kubelet
// version, and as many neighbours of the spec as the command asks for.
func (s *sources) hasher() apiserver.Hasher {
	if s.neighbours == 0 {
		return forensics.Present
	}
	left := maxAlike
	return func(c *corev1.Container) []evidence.SpecHash {
		if s.alike != nil {
			if !s.alike[likeness{safetext.Ident(c.Name), safetext.Ident(c.Image)}] || left == 0 {
				return forensics.Present(c)
			}
			left--
		}
		return slices.Concat(forensics.Present(c), forensics.Search(c, s.neighbours))
	}
}
