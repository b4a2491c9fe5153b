package analyzer

import (
	"math/bits"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/detail"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ids is a set of observations' ids. Nearly all are "e" and eight digits, which are kept as a number in a
// table of their own: half a million are put in and looked up, and with strings in a map that
// took 4 µs for each restart, most of it in waiting for memory.
type ids struct {
	short []uint64 // open addressing; 0 is a free place
	count int      // in short
	other map[string]struct{}
}

// newIDs returns an empty set with room for about n.
func newIDs(n int) *ids {
	size := 64
	for size < 2*n {
		size *= 2
	}
	return &ids{short: make([]uint64, size), other: map[string]struct{}{}}
}

func (s *ids) add(lists ...[]string) {
	for _, l := range lists {
		for _, id := range l {
			if n := number(id); n != 0 {
				s.put(n)
			} else {
				s.other[id] = struct{}{}
			}
		}
	}
}

// merge adds all of another set.
func (s *ids) merge(more *ids) {
	for _, n := range more.short {
		if n != 0 {
			s.put(n)
		}
	}
	for id := range more.other {
		s.other[id] = struct{}{}
	}
}

func (s *ids) put(n uint64) {
	at := s.place(n)
	if s.short[at] != 0 {
		return
	}
	if s.count++; 4*s.count > 3*len(s.short) {
		s.grow()
		at = s.place(n)
	}
	s.short[at] = n
}

// place is where the number is, or the free place where it belongs.
func (s *ids) place(n uint64) int {
	mask := uint64(len(s.short) - 1)                        // of a power of two
	at := n * 0x9e3779b97f4a7c15 >> (64 - bits.Len64(mask)) // the high bits depend on all digits
	for s.short[at] != 0 && s.short[at] != n {
		at = (at + 1) & mask
	}
	return int(at)
}

func (s *ids) grow() {
	old := s.short
	s.short = make([]uint64, 2*len(old))
	for _, n := range old {
		if n != 0 {
			s.short[s.place(n)] = n
		}
	}
}

func (s *ids) has(id string) (ok bool) {
	n := number(id)
	if n == 0 {
		_, ok = s.other[id]
		return ok
	}
	return s.short[s.place(n)] != 0
}

func (s *ids) len() int { return s.count + len(s.other) }

// number reads an id of the usual length as one number, 0 for every other one.
func number(id string) uint64 {
	if len(id) != 9 || id[0] != 'e' {
		return 0
	}
	return uint64(id[1]) | uint64(id[2])<<8 | uint64(id[3])<<16 | uint64(id[4])<<24 |
		uint64(id[5])<<32 | uint64(id[6])<<40 | uint64(id[7])<<48 | uint64(id[8])<<56
}

// cite lists the observations of the set as reports quote them, in the snapshot's order.
func cite(s *evidence.Snapshot, cited *ids) []report.Evidence {
	var times report.Pool
	out := make([]report.Evidence, 0, cited.len())
	for i := range s.Observations {
		if o := &s.Observations[i]; cited.has(o.ID) {
			out = append(out, detail.Cite(o, times.Time))
		}
	}
	return out
}
