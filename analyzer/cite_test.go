package analyzer

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The set answers as a map does, whatever the ids look like.
func TestTheSetOfIDsIsASet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	id := func() string {
		switch rng.IntN(6) {
		case 0:
			return fmt.Sprintf("e%08x-%d", rng.Uint32N(500), rng.IntN(3))
		case 1:
			return fmt.Sprint("e", rng.IntN(50))
		case 2:
			return fmt.Sprintf("x%08x", rng.Uint32N(500))
		case 3:
			return "e\x00\x00\x00\x00\x00\x00\x00\x00"[:rng.IntN(10)]
		}
		return fmt.Sprintf("e%08x", rng.Uint32N(50000))
	}
	for _, room := range []int{0, 10, 100000} {
		got, want := newIDs(room), map[string]bool{}
		for range 20000 {
			list := []string{id(), id()}
			got.add(list, nil)
			want[list[0]], want[list[1]] = true, true
		}
		if got.len() != len(want) {
			t.Errorf("%d ids, want %d", got.len(), len(want))
		}
		for range 20000 {
			if one := id(); got.has(one) != want[one] {
				t.Fatalf("%q is in it: %v, want %v", one, got.has(one), want[one])
			}
		}
	}
}

func TestMergedSetsHaveTheIDsOfBoth(t *testing.T) {
	into, more := newIDs(0), newIDs(0)
	into.add([]string{"e00000001", "other"})
	var want []string
	for i := range 500 {
		want = append(want, fmt.Sprintf("e%08x", i), fmt.Sprintf("x%d", i))
	}
	more.add(want)
	into.merge(more)
	for _, id := range append(want, "other") {
		if !into.has(id) {
			t.Errorf("%s is missing", id)
		}
	}
	if into.len() != len(want)+1 {
		t.Errorf("%d ids, want %d", into.len(), len(want)+1)
	}
}
