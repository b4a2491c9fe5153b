package analyzer

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/story"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ids is a set of observations' ids. Nearly all are "e" and eight hex digits, which are kept as the number that
// they are: four bytes in place of a string elsewhere in memory, which is most of what looking one up
// costs (2 µs for each restart of 100 000).
type ids struct {
	short map[uint32]struct{}
	other map[string]struct{}
}

// newIDs returns an empty set with room for about n.
func newIDs(n int) *ids {
	return &ids{short: make(map[uint32]struct{}, n), other: map[string]struct{}{}}
}

func (s *ids) add(lists ...[]string) {
	for _, l := range lists {
		for _, id := range l {
			if n, ok := number(id); ok {
				s.short[n] = struct{}{}
			} else {
				s.other[id] = struct{}{}
			}
		}
	}
}

func (s *ids) has(id string) (ok bool) {
	if n, short := number(id); short {
		_, ok = s.short[n]
	} else {
		_, ok = s.other[id]
	}
	return ok
}

func (s *ids) len() int { return len(s.short) + len(s.other) }

// number reads an id of the usual form; every other one is not ok.
func number(id string) (n uint32, ok bool) {
	if len(id) != 9 || id[0] != 'e' {
		return 0, false
	}
	for _, c := range []byte(id[1:]) {
		switch {
		case '0' <= c && c <= '9':
			n = n<<4 | uint32(c-'0')
		case 'a' <= c && c <= 'f':
			n = n<<4 | uint32(c-'a'+10)
		default:
			return 0, false
		}
	}
	return n, true
}

// cite lists the observations of the set as reports quote them, in the snapshot's order.
func cite(s *evidence.Snapshot, cited *ids) []report.Evidence {
	var times report.Pool
	out := make([]report.Evidence, 0, cited.len())
	for i := range s.Observations {
		if o := &s.Observations[i]; cited.has(o.ID) {
			out = append(out, story.Cite(o, times.Time))
		}
	}
	return out
}
