package command

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Likeness identifies a container in a recording, where only the container itself is known.
type Likeness struct{ Name, Image string }

// maxAlike is how many containers of a recording are examined closely: replicas are alike, and each costs milliseconds
// and a few hundred kilobytes.
const maxAlike = 64

// Hashing hashes containers while they are collected: for every kubelet version, and as many similar specs as the
// command needs.
func (s *Sources) Hashing() collect.Hashing {
	out := collect.Hashing{Present: forensics.Present}
	if s.Neighbours == 0 {
		return out
	}
	left := maxAlike
	out.Near = func(a apiobject.Ancestry) []evidence.SpecHash {
		if s.SameSpec != nil {
			if !s.SameSpec[likenessOf(a.Spec)] || left == 0 {
				return nil
			}
			left--
		}
		past := forensics.Past{Images: a.Images}
		for _, e := range a.Earlier {
			past.Earlier = append(past.Earlier, forensics.Template{Source: e.Source, Container: e.Container})
		}
		return forensics.Search(a.Spec, past, s.Neighbours)
	}
	return out
}

func likenessOf(c *corev1.Container) Likeness {
	return Likeness{safetext.Ident(c.Name), safetext.Ident(c.Image)}
}
