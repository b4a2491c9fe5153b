package forensics

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// chances is the number of possible hashes.
const chances = 1 << 32

// Examine answers for every stored hash of a container, in the order of the question. A match is proof except for the
// odds in the answer. A missing or damaged hash affects only its own answer.
func Examine(q Question) []report.Provenance {
	b := newBook(q)
	out := make([]report.Provenance, 0, len(q.Stored))
	for i := range q.Stored {
		out = append(out, b.answer(&q, i))
	}
	return out
}

// book holds every known hash for a container, by its hex.
type book struct {
	byHex map[string][]maker
	// second are the hashes of the present spec without its resources.
	second map[string][]maker
	// present are those of the present spec.
	present []maker
	hexes   []string // of present
}

func newBook(q Question) *book {
	b := &book{byHex: map[string][]maker{}, second: map[string][]maker{}}
	named := map[string]bool{} // images whose name-and-image hash is there
	for _, h := range slices.Concat(q.Spec.Hashes, q.Spec.Searched) {
		hex, ok := normal(h.Hex)
		if !ok {
			continue
		}
		i := identity(h, q.Spec.Image)
		if h.Algorithm == hash.FNV32aJSONWithoutResources {
			if i.thisImage {
				b.second[hex] = append(b.second[hex], i)
			}
			continue
		}
		named[h.Image] = named[h.Image] || h.Algorithm == hash.FNV32aNameImage
		b.put(hex, i)
	}
	images := []string{q.Spec.Image}
	for _, s := range q.Stored {
		images = append(images, s.Image)
	}
	for _, image := range images {
		if image == "" || named[image] {
			continue
		}
		named[image] = true
		// It needs no values, so it can be computed now.
		h := hash.NameImage(q.Spec.Name, image)
		b.put(h.Hex, identity(definition.Of(h, image), q.Spec.Image))
	}
	return b
}

func (b *book) put(hex string, i maker) {
	b.byHex[hex] = append(b.byHex[hex], i)
	if i.plain() && i.thisImage {
		b.present, b.hexes = append(b.present, i), append(b.hexes, hex)
	}
}

// expected returns what kubelets of a minor compute from the present spec. ok is false where that is unknown, or where
// patches of the minor disagree.
func (b *book) expected(minor int) (hex string, ok bool) {
	for n := range b.present {
		if !b.present[n].covers(minor) {
			continue
		}
		if ok && hex != b.hexes[n] {
			return "", false
		}
		hex, ok = b.hexes[n], true
	}
	return hex, ok
}

func identity(h evidence.SpecHash, image string) maker {
	return maker{
		HashMaker: report.HashMaker{From: minorText(h.FromMinor), To: minorText(h.ToMinor), Algorithm: h.Algorithm,
			Image: h.Image, Without: names(h.Without), With: names(h.With), Changed: names(h.Changed), Source: h.Source},
		from: h.FromMinor, to: h.ToMinor, thisImage: h.Image == image, template: h.Searched && h.Source != "",
	}
}

func names(joined string) []string {
	if joined == "" {
		return nil
	}
	return strings.Split(joined, evidence.FieldSeparator)
}

// normal converts a stored hash to the kubelet's own form; ok is false where it is not a 32-bit sum in hex.
func normal(stored string) (hex string, ok bool) {
	sum, err := strconv.ParseUint(stored, 16, 32)
	if err != nil {
		return "", false
	}
	return strconv.FormatUint(sum, 16), true
}

func (b *book) answer(q *Question, at int) report.Provenance {
	s := &q.Stored[at]
	a := report.Provenance{
		Container: q.Spec.Name, Kind: string(q.Spec.Kind), ContainerID: s.ContainerID,
		Kubelet: s.Kubelet, Hash: s.Hash, NodeKubelet: q.Kubelet, Evidence: s.Evidence,
		MadeBy: []report.HashMaker{}, Difference: []report.HashDifference{}, Notes: []string{},
	}
	if s.Attempt >= 0 {
		a.Attempt = &s.Attempt
	}
	if !s.Created.IsZero() {
		a.Created = &s.Created
	}
	now := minorOf(q.Kubelet)
	if hex, ok := b.expected(now); ok {
		a.Expected = hex
	}
	if s.Hash == "" {
		a.Origin, a.Sentence = report.HashMissing, "its stored hash is not in the evidence"
		if !slices.ContainsFunc(q.Stored[at+1:], func(later Stored) bool { return later.Hash == "" }) { // once is enough
			a.Notes = append(a.Notes, whereToRead(s))
		}
		return a
	}
	hex, ok := normal(s.Hash)
	if !ok {
		a.Origin, a.Sentence = report.HashDamaged, "the stored value is not a hash: want up to eight hexadecimal digits"
		return a
	}
	a.Hash = hex
	if a.Expected != "" {
		a.Same = new(a.Expected == hex)
	}
	a.Tried = len(b.byHex)
	if a.Tried > 0 {
		a.OneIn = chances / uint64(a.Tried)
	}
	by, made := slices.Clone(b.byHex[hex]), minorOf(s.Kubelet)
	slices.SortStableFunc(by, func(x, y maker) int {
		return cmp.Or(falseFirst(!x.covers(made), !y.covers(made)), cmp.Compare(x.changes(), y.changes()),
			falseFirst(!x.template, !y.template), cmp.Compare(x.from, y.from))
	})
	b.tell(&a, q, at, made, unrepeated(by))
	return a
}

// unrepeated drops makers that repeat an earlier one: several sources name one image, and a revision may differ in
// nothing else.
func unrepeated(all []maker) []maker {
	kept := all[:0]
	for _, i := range all {
		if !slices.ContainsFunc(kept, func(k maker) bool { return k.says(&i) }) {
			kept = append(kept, i)
		}
	}
	return kept
}

// says reports whether a maker covers the spec and the kubelets of another one.
func (i *maker) says(other *maker) bool {
	return i.from <= other.from && other.to <= i.to && i.Algorithm == other.Algorithm && i.Image == other.Image &&
		slices.Equal(i.Without, other.Without) && slices.Equal(i.With, other.With) && slices.Equal(i.Changed, other.Changed)
}

// changes returns how far a maker is from the present spec.
func (i *maker) changes() int {
	n := len(i.Without) + len(i.With) + len(i.Changed)
	if !i.thisImage {
		n++
	}
	return n
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func minorText(minor int) string { return fmt.Sprintf("v1.%d", minor) }

// minorOf returns the minor of a version, at most the newest known one, or 0 when it cannot be parsed.
func minorOf(version string) int {
	v, err := kubelet.ParseVersion(version)
	if err != nil {
		return 0
	}
	return min(v.Minor, kubelet.NewestMinor)
}
