package pairs

import (
	"errors"
	"math"
	"testing"
	"time"
)

func pair(ours, theirs float64) Pair {
	return Pair{time.Duration(ours * float64(time.Second)), time.Duration(theirs * float64(time.Second))}
}

func TestTheMedianOfPairsCounts(t *testing.T) {
	for name, test := range map[string]struct {
		pairs []Pair
		want  float64
		over  bool // of a budget of 1
	}{
		"one pair":                        {[]Pair{pair(1, 2)}, 0.5, false},
		"noise of two cores":              {[]Pair{pair(1.02, 1), pair(0.99, 1), pair(1.03, 1)}, 1.02, false},
		"one run that was disturbed":      {[]Pair{pair(0.9, 1), pair(9, 1), pair(0.9, 1)}, 0.9, false},
		"a machine that slows down":       {[]Pair{pair(1, 1), pair(2, 2), pair(4, 4)}, 1, false},
		"an even number":                  {[]Pair{pair(1, 1), pair(3, 1)}, 2, true},
		"always slower by an eighth":      {[]Pair{pair(1.125, 1), pair(1.125, 1), pair(1.125, 1)}, 1.125, true},
		"a quick run does not make it up": {[]Pair{pair(1.2, 1), pair(0.1, 1), pair(1.3, 1)}, 1.2, true},
	} {
		t.Run(name, func(t *testing.T) {
			got := Ratio(test.pairs)
			if math.Abs(got-test.want) > 1e-9 {
				t.Errorf("ratio %v, want %v", got, test.want)
			}
			if Over(got, 1) != test.over {
				t.Errorf("over: %v", !test.over)
			}
		})
	}
}

func TestSidesTakeTurns(t *testing.T) {
	order := ""
	side := func(name string, took time.Duration, err error) func() (time.Duration, error) {
		return func() (time.Duration, error) { order += name; return took, err }
	}
	all, err := Run(3, side("o", time.Second, nil), side("t", 2*time.Second, nil))
	if err != nil || len(all) != 3 || order != "ottoot" {
		t.Errorf("%v, error %v, in the order %s", all, err, order)
	}
	for _, p := range all {
		if p != pair(1, 2) {
			t.Errorf("pair %v", p)
		}
	}
	broken := errors.New("broken")
	if _, err := Run(2, side("o", time.Second, nil), side("t", 0, broken)); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if _, err := Run(1, side("o", time.Second, nil), side("t", 0, nil)); err == nil {
		t.Error("a side that took no time was compared")
	}
}
