package forensics

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// How many hashes Search computes at most: Wide for a question about one pod, Narrow for what a bundle carries of each
// container.
const (
	Wide   = 3072
	Narrow = 192
)

// Search hashes the neighbours of a container's spec for every kubelet minor up to 1.30: the spec with one field less or
// more, with two fields that API servers or admission usually set and with all of those; since 1.16 also with three of
// them, and with one beside any other field. The likeliest come first, and it ends at about limit hashes. Each entry is
// marked Searched and names its fields; hashes that the spec itself has in the same minors are left out. Later minors
// hash name and image only: they have no neighbours.
func Search(c *corev1.Container, limit int) []evidence.SpecHash {
	if c == nil {
		return nil
	}
	s := search{spec: c, limit: limit, seen: map[string][]span{}}
	for _, h := range hash.All(c) {
		s.note(h)
	}
	for _, v := range hash.Defaulted(c) {
		for _, h := range v.Hashes {
			s.note(h)
		}
	}
	s.run(edits(c))
	return s.found
}

// together is how many edits are combined; more are all the usual ones.
const together = 3

// span is a run of minors, both ends included.
type span struct{ from, to int }

// search is one search under way.
type search struct {
	spec     *corev1.Container
	limit    int
	computed int
	// seen are the minors for which a sum is explained already, by a spec with fewer changes.
	seen  map[string][]span
	found []evidence.SpecHash
}

// note records a hash; it tells whether it was new.
func (s *search) note(h hash.EraHash) bool {
	for _, have := range s.seen[h.Hex] {
		if have.from <= h.FromMinor && h.ToMinor <= have.to {
			return false
		}
	}
	s.seen[h.Hex] = append(s.seen[h.Hex], span{h.FromMinor, h.ToMinor})
	return true
}

func (s *search) run(all []edit) {
	all = slices.DeleteFunc(all, func(e edit) bool { return !e.do(s.spec.DeepCopy()) })
	for _, e := range all {
		s.try(false, e)
	}
	s.try(false, usual(all, false)...)
	s.try(false, usual(all, true)...)
	// The usual fields together first: a spec as somebody wrote it lacks several.
	often := slices.DeleteFunc(slices.Clone(all), func(e edit) bool { return !e.usual })
	for i, a := range often {
		for _, b := range often[i+1:] {
			s.try(false, a, b)
		}
	}
	for i, a := range often {
		for j, b := range often[i+1:] {
			for _, c := range often[i+j+2:] {
				s.try(true, a, b, c)
			}
		}
	}
	for _, a := range often {
		for _, b := range all {
			if !b.usual { // two ordinary fields at once are no longer near
				s.try(true, a, b)
			}
		}
	}
}

// usual picks the edits that take away, or set, what is usually set.
func usual(all []edit, with bool) (some []edit) {
	for _, e := range all {
		if e.usual && e.with == with {
			some = append(some, e)
		}
	}
	return some
}

// try hashes the spec with some edits. Edits that leave each other nothing to do are not a spec of their own. recent
// keeps to the kubelets from 1.16 on, whose hashes stand still for long.
func (s *search) try(recent bool, some ...edit) {
	if s.computed >= s.limit || len(some) == 0 {
		return
	}
	c := s.spec.DeepCopy()
	var less, more []string
	for _, e := range some {
		if !e.do(c) {
			if len(some) <= together {
				return // the same as fewer edits
			}
			continue
		}
		if e.with {
			more = append(more, e.field)
		} else {
			less = append(less, e.field)
		}
	}
	for _, h := range hash.All(c) {
		if h.Algorithm == hash.FNV32aNameImage || recent && h.Algorithm != hash.FNV32aJSON {
			continue
		}
		s.computed++
		if s.note(h) {
			s.found = append(s.found, evidence.SpecHash{
				FromMinor: h.FromMinor, ToMinor: h.ToMinor, Algorithm: h.Algorithm, Hex: h.Hex, Image: c.Image,
				Without: strings.Join(less, evidence.FieldSeparator), With: strings.Join(more, evidence.FieldSeparator), Searched: true,
			})
		}
	}
}
