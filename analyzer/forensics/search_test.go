package forensics

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// fieldsOf counts the fields in which a neighbour differs.
func fieldsOf(h evidence.SpecHash) int {
	return len(names(h.Without)) + len(names(h.With)) + len(names(h.Changed))
}

// A neighbour's hash is none that the spec itself has in the same minors, and there are no duplicates.
func TestNeighboursAreNoneOfTheSpecsOwn(t *testing.T) {
	c := base()
	type key struct {
		from, to int
		hex      string
	}
	seen := map[key]bool{}
	own := hash.All(c)
	for _, h := range Search(c, Past{}, Wide) {
		k := key{h.FromMinor, h.ToMinor, h.Hex}
		if seen[k] {
			t.Errorf("%+v is there twice", h)
		}
		seen[k] = true
		for _, o := range own {
			if o.Hex == h.Hex && o.FromMinor <= h.FromMinor && h.ToMinor <= o.ToMinor {
				t.Errorf("%+v is the spec's own", h)
			}
		}
		if h.Algorithm == hash.FNV32aNameImage || h.Image != c.Image || h.FromMinor > h.ToMinor {
			t.Errorf("%+v", h)
		}
	}
}

// One change comes before two, and a bundle stores mostly single changes.
func TestTheNearestNeighboursComeFirst(t *testing.T) {
	all := Search(base(), Past{}, Wide)
	last := 0
	for i, h := range all {
		if fieldsOf(h) == 1 {
			last = i
		}
	}
	for i, h := range all[:last] {
		if fieldsOf(h) != 1 {
			t.Errorf("number %d of %d has %d changes: %+v", i, last, fieldsOf(h), h)
		}
	}
	for _, h := range Search(base(), Past{}, Narrow) {
		if fieldsOf(h) != 1 {
			t.Errorf("a bundle carries %+v", h)
		}
	}
}

// The printed struct, whose hashes changed with every minor, is searched less than the JSON.
func TestThreeFieldsAreTriedForJSONOnly(t *testing.T) {
	three, usual := 0, 0
	for _, h := range Search(base(), Past{}, Wide) {
		switch n := fieldsOf(h); {
		case n == together:
			three++
			if h.Algorithm != hash.FNV32aJSON {
				t.Errorf("%+v", h)
			}
		case n > together:
			usual++
		}
	}
	if three < 100 || usual == 0 {
		t.Errorf("%d with three changes, %d with all the usual ones", three, usual)
	}
}

// A hash that one kubelet computes from the spec may be that of a neighbour under another kubelet: that is kept.
func TestAHashIsExplainedForEachKubelet(t *testing.T) {
	s := search{seen: map[string][]span{}}
	for _, test := range []struct {
		from, to int
		isNew    bool
	}{{16, 22, true}, {16, 22, false}, {17, 20, false}, {16, 30, true}, {23, 30, false}, {8, 8, true}} {
		if got := s.note(hash.EraHash{FromMinor: test.from, ToMinor: test.to, Hex: "a"}); got != test.isNew {
			t.Errorf("%d–%d: new %t", test.from, test.to, got)
		}
	}
}

// A bundle's size is limited: the names of fields are short.
func TestTheNamesOfAllUsualFieldsFitIntoOneText(t *testing.T) {
	for _, h := range Search(base(), Past{}, Wide) {
		if n := len(h.Without) + len(h.With); n > 512 || strings.HasSuffix(h.Without, evidence.FieldSeparator) {
			t.Errorf("%d bytes: %+v", n, h)
		}
	}
}
