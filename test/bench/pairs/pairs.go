// Package pairs compares our time with a peer's: both sides run in turn, the median of the pairs' ratios counts, and a
// budget may be exceeded by Noise. It also measures the cost of one run of a program. It is for the programs that
// measure (make bench) and imports only the standard library.
package pairs

import (
	"fmt"
	"slices"
	"time"
)

// Noise is how far a ratio may exceed its budget: two runs of the same program on two idle cores differ by less.
const Noise = 1.1

// Pair is what both sides took, one directly after the other.
type Pair struct{ Ours, Theirs time.Duration }

// Run measures n pairs. Each side runs first in every other pair, so that neither always profits from what the other
// has left in the caches.
func Run(n int, ours, theirs func() (time.Duration, error)) ([]Pair, error) {
	all := make([]Pair, n)
	for i := range all {
		p := &all[i]
		sides := []struct {
			run  func() (time.Duration, error)
			into *time.Duration
		}{{ours, &p.Ours}, {theirs, &p.Theirs}}
		if i%2 == 1 {
			slices.Reverse(sides)
		}
		for _, s := range sides {
			took, err := s.run()
			if err != nil {
				return nil, err
			}
			*s.into = took
		}
		if p.Ours <= 0 || p.Theirs <= 0 {
			return nil, fmt.Errorf("measure pair %d: one side took no time at all: ours %s, theirs %s", i+1, p.Ours, p.Theirs)
		}
	}
	return all, nil
}

// Ratio returns the median of ours/theirs over the pairs, of which there must be some; for an even number the mean of
// the middle two.
func Ratio(all []Pair) float64 {
	ratios := make([]float64, len(all))
	for i, p := range all {
		ratios[i] = p.Ours.Seconds() / p.Theirs.Seconds()
	}
	slices.Sort(ratios)
	return (ratios[(len(ratios)-1)/2] + ratios[len(ratios)/2]) / 2
}

// Over reports whether a ratio exceeds its budget.
func Over(ratio, budget float64) bool { return ratio > budget*Noise }
