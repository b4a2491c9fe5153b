package slab

import "testing"

func TestListsDoNotTouch(t *testing.T) {
	var s Of[int]
	var all [][]int
	for n := range 3 * largeBlock {
		l := s.Take(n % 7)
		if len(l) != cap(l) {
			t.Fatal("a list has room that is another's")
		}
		for i := range l {
			if l[i] != 0 {
				t.Fatal("a list is not new")
			}
			l[i] = n
		}
		all = append(all, l)
	}
	for n, l := range all {
		for _, v := range l {
			if v != n {
				t.Fatalf("list %d holds %d", n, v)
			}
		}
	}
}

func TestAListLargerThanABlockHasABlockOfItsOwn(t *testing.T) {
	var s Of[string]
	*s.New() = "before"
	if l := s.Take(2 * largeBlock); len(l) != 2*largeBlock {
		t.Errorf("%d values", len(l))
	}
	if a, b := s.New(), s.New(); a == b || *a != "" || *b != "" {
		t.Errorf("%q and %q", *a, *b)
	}
}

func TestFitCopiesOnlyWhatHasRoom(t *testing.T) {
	var s Of[int]
	exact, roomy := []int{1, 2}, append(make([]int, 0, 8), 1, 2)
	if got := s.Fit(exact); &got[0] != &exact[0] {
		t.Error("a list that fits is copied")
	}
	if got := s.Fit(roomy); cap(got) != 2 || got[1] != 2 || &got[0] == &roomy[0] {
		t.Errorf("%v with room for %d", got, cap(got))
	}
	if got := s.Fit(nil); got != nil {
		t.Errorf("%v of nothing", got)
	}
}

func TestFewAllocations(t *testing.T) {
	var s Of[[4]int]
	s.Take(8 * largeBlock) // past the small blocks
	if n := testing.AllocsPerRun(10, func() {
		for range largeBlock {
			s.New()
		}
	}); n > 8 {
		t.Errorf("%v allocations for %d values", n, largeBlock)
	}
}
