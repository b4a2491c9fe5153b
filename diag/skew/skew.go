// Package skew finds out how far two clocks are apart, given what both of them date.
package skew

import (
	"slices"
	"time"
)

// Comparison is one thing dated by two clocks: At by that of who tells of it, Late after the other one.
type Comparison struct {
	At   time.Time
	Late time.Duration
}

// Moments returns the differences of pairs, one for each moment at which something was told: what waited together for
// one look, or one connection, is late together, and that it agrees says nothing about the clocks. Of one moment the
// least difference counts, as nothing is told early. What is told within apart of the first of a moment belongs to it.
// Moments sorts the slice.
func Moments(pairs []Comparison, apart time.Duration) (differences []time.Duration) {
	slices.SortFunc(pairs, func(a, b Comparison) int { return a.At.Compare(b.At) })
	var first time.Time
	for i, p := range pairs {
		if last := len(differences) - 1; i > 0 && p.At.Sub(first) < apart {
			differences[last] = min(differences[last], p.Late)
			continue
		}
		first, differences = p.At, append(differences, p.Late)
	}
	return differences
}

// Agree looks for a constant difference between two clocks, given the differences of many pairs of observations of the
// same moments, each of another moment than the others (Moments). It returns the bounds of the largest group within
// width of each other, and its size. It returns zero pairs when fewer than three, or less than three quarters of all,
// agree: then the clocks or the pairs cannot be trusted. Agree sorts the slice.
func Agree(differences []time.Duration, width time.Duration) (least, most time.Duration, pairs int) {
	slices.Sort(differences)
	for i, j := 0, 0; i < len(differences); i++ {
		for j < len(differences) && differences[j]-differences[i] <= width {
			j++
		}
		if j-i > pairs {
			least, most, pairs = differences[i], differences[j-1], j-i
		}
	}
	if pairs < 3 || pairs*4 < len(differences)*3 {
		return 0, 0, 0
	}
	return least, most, pairs
}
