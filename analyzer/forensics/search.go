package forensics

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The most hashes that a search computes, besides those of earlier revisions (at most 384): Wide for a question about
// one pod, Narrow for what a bundle of several pods stores for each container.
const (
	Wide   = 3072
	Narrow = 192
)

// Search hashes the neighbours of a container's spec for every kubelet minor up to 1.30: the spec with one field less,
// more or changed, with two fields that API servers or admission usually set and with all of those; since 1.16 also
// with three of them, and with one of them and any other field. Its past comes before that: the templates of earlier
// revisions (past.go), as they are and with one usual field each; and after the spec itself the other images, likewise.
// The likeliest come first, and it ends at about limit hashes; 0 searches nothing. Each entry is marked Searched and
// names its fields; hashes that the spec itself has in the same minors are left out. Later minors hash only name and
// image: they have no neighbours.
func Search(c *corev1.Container, past Past, limit int) []evidence.SpecHash {
	if c == nil || limit <= 0 {
		return nil
	}
	s := search{spec: c, limit: limit, seen: map[string][]span{}, images: append([]string{c.Image}, past.Images...)}
	s.own(c)
	for _, v := range hash.Defaulted(c) {
		for _, h := range v.Hashes {
			s.note(h)
		}
	}
	base := past.nearest(c)
	s.limit = templates
	for i := range past.Earlier {
		s.template(base, &past.Earlier[i])
	}
	s.computed, s.limit = 0, limit
	s.upTo(limit/pastShare, func() {
		for i := range past.Earlier {
			s.around(base, &past.Earlier[i])
		}
	})
	images := 0
	if len(past.Images) > 0 {
		images = limit / imagesShare
	}
	all := applicable(slices.Concat(admitted(c, base), edits(c)), c)
	s.upTo(limit-s.computed-images, func() { s.run(all) })
	for _, image := range past.Images {
		s.image(image, all)
	}
	return s.found
}

const (
	// together is how many edits are combined; larger sets are all the usual ones.
	together = 3
	// templates is how many hashes of unchanged revisions are computed: some 32 each.
	templates = 384
	// pastShare and imagesShare limit the neighbours of revisions and the other images to a quarter and an eighth of
	// the limit.
	pastShare   = 4
	imagesShare = 8
)

// span is a range of minors, inclusive.
type span struct{ from, to int }

// search is the state of one search.
type search struct {
	spec *corev1.Container
	// images have their own hashes, by name and image too.
	images   []string
	limit    int
	computed int
	// seen are the minors for which a hash is already explained by a spec with fewer changes.
	seen  map[string][]span
	found []evidence.SpecHash
}

// own records the hashes of a spec that is no neighbour.
func (s *search) own(c *corev1.Container) {
	for _, h := range hash.All(c) {
		s.note(h)
	}
}

// note records a hash; it reports whether it was new.
func (s *search) note(h hash.EraHash) bool {
	for _, have := range s.seen[h.Hex] {
		if have.from <= h.FromMinor && h.ToMinor <= have.to {
			return false
		}
	}
	s.seen[h.Hex] = append(s.seen[h.Hex], span{h.FromMinor, h.ToMinor})
	return true
}

// upTo runs a part of the search that may compute that many hashes.
func (s *search) upTo(share int, part func()) {
	whole := s.limit
	s.limit = min(whole, s.computed+share)
	part()
	s.limit = whole
}

// applicable keeps the edits that change something, each change of a field once.
func applicable(all []edit, c *corev1.Container) (some []edit) {
	type change struct {
		field string
		way   way
	}
	known := map[change]bool{}
	for _, e := range all {
		if k := (change{e.field, e.way}); !known[k] && e.do(c.DeepCopy()) {
			known[k] = true
			some = append(some, e)
		}
	}
	return some
}

func (s *search) run(all []edit) {
	for _, e := range all {
		s.try(false, e)
	}
	s.try(false, usual(all, less)...)
	s.try(false, usual(all, more)...)
	// The usual fields together first: a spec as someone wrote it lacks several.
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
			if !b.usual { // two ordinary fields at once are not near any more
				s.try(true, a, b)
			}
		}
	}
}

// image tries the spec with another image and, in addition, one usual field each.
func (s *search) image(image string, all []edit) {
	present := s.spec
	other := *present // shares everything else with it: edits are done on copies
	other.Image = image
	s.spec = &other
	s.own(&other)
	for _, e := range all {
		if e.usual {
			s.try(false, e)
		}
	}
	s.spec = present
}

// usual picks the edits that remove, or set, usual fields.
func usual(all []edit, w way) (some []edit) {
	for _, e := range all {
		if e.usual && e.way == w {
			some = append(some, e)
		}
	}
	return some
}

// try hashes the spec with some edits. If an edit has nothing left to do, the result is no new spec. recent restricts
// it to kubelets from 1.16 on, whose hashes stay the same over many minors.
func (s *search) try(recent bool, some ...edit) {
	if s.computed >= s.limit || len(some) == 0 {
		return
	}
	c := s.spec.DeepCopy()
	var fields [other + 1][]string
	for _, e := range some {
		if !e.do(c) {
			if len(some) <= together {
				return // the same as fewer edits
			}
			continue
		}
		fields[e.way] = append(fields[e.way], e.field)
	}
	s.keep(c, recent, evidence.SpecHash{Without: joined(fields[less]), With: joined(fields[more]),
		Changed: joined(fields[other])})
}

// keep hashes a neighbour and keeps what is new; as describes it.
func (s *search) keep(c *corev1.Container, recent bool, as evidence.SpecHash) {
	of := hash.All
	if recent {
		of = hash.AllJSON
	}
	for _, h := range of(c) {
		as := as
		if h.Algorithm == hash.FNV32aNameImage {
			if slices.Contains(s.images, c.Image) {
				continue
			}
			as.Without, as.With, as.Changed = "", "", "" // the hash does not cover these fields
		}
		s.computed++
		if s.note(h) {
			as.FromMinor, as.ToMinor, as.Algorithm, as.Hex, as.Image, as.Searched = h.FromMinor,
				h.ToMinor, h.Algorithm, h.Hex, c.Image, true
			s.found = append(s.found, as)
		}
	}
}

func joined(fields []string) string { return strings.Join(fields, evidence.FieldSeparator) }
