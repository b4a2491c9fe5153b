package apiobject

import (
	"slices"
	"testing"
)

func TestPartsAreAllThereIs(t *testing.T) {
	for n := range 40 {
		done := make([]int, n)
		inParts(n, func(_, from, to int) {
			for i := from; i < to; i++ {
				done[i]++
			}
		})
		if slices.ContainsFunc(done, func(times int) bool { return times != 1 }) {
			t.Errorf("%d things were done %v times", n, done)
		}
	}
}

// A piece that breaks down is a gap, and not the end of the program: its caller catches it.
func TestWhatBreaksDownInAPartBreaksDownInItsCaller(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("nothing broke down")
		}
	}()
	inParts(10, func(_, from, to int) {
		if from == 0 {
			var none []int
			_ = none[from]
		}
	})
}
