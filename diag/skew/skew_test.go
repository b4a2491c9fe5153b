package skew

import (
	"slices"
	"testing"
	"time"
)

func TestClocksDifferWhereMostPairsSaySo(t *testing.T) {
	const width = 3 * time.Second
	base := []time.Duration{120 * time.Second, 121 * time.Second, 122 * time.Second, 120500 * time.Millisecond}
	cases := map[string]struct {
		differences []time.Duration
		least, most time.Duration
		pairs       int
	}{
		"they agree":           {base, 120 * time.Second, 122 * time.Second, 4},
		"one is far off":       {append(slices.Clone(base), time.Hour), 120 * time.Second, 122 * time.Second, 4},
		"half are far off":     {append(slices.Clone(base), 0, time.Hour, 2*time.Hour, 3*time.Hour), 0, 0, 0},
		"two pairs":            {base[:2], 0, 0, 0},
		"none":                 {nil, 0, 0, 0},
		"a clock that was set": {[]time.Duration{0, 0, 0, 90 * time.Second, 90 * time.Second, 90 * time.Second}, 0, 0, 0},
		"behind": {[]time.Duration{-time.Hour, -time.Hour, time.Second - time.Hour},
			-time.Hour, time.Second - time.Hour, 3},
		"a clock that runs away": {[]time.Duration{0, 4 * time.Second, 8 * time.Second, 12 * time.Second}, 0, 0, 0},
	}
	for name, c := range cases {
		least, most, pairs := Agree(slices.Clone(c.differences), width)
		if least != c.least || most != c.most || pairs != c.pairs {
			t.Errorf("%s: %v to %v of %d pairs, want %v to %v of %d", name, least, most, pairs, c.least, c.most, c.pairs)
		}
	}
}

func TestWhatIsToldTogetherIsOneMoment(t *testing.T) {
	const apart = 500 * time.Millisecond
	pair := func(at, late time.Duration) Comparison { return Comparison{At: time.Unix(0, 0).Add(at), Late: late} }
	for name, c := range map[string]struct {
		pairs []Comparison
		want  []time.Duration
	}{
		"none": {nil, nil},
		"one relist that shows three ends": {[]Comparison{pair(65*time.Second, 23*time.Second),
			pair(65*time.Second, 22*time.Second),
			pair(65*time.Second+apart-1, 24*time.Second)}, []time.Duration{22 * time.Second}},
		"the next look": {[]Comparison{pair(66*time.Second, 4*time.Second), pair(65*time.Second, 3*time.Second)},
			[]time.Duration{3 * time.Second, 4 * time.Second}},
		"relists one behind the other": {[]Comparison{pair(0, 1), pair(apart*3/4, 2), pair(apart*3/2, 3)},
			[]time.Duration{1, 3}},
	} {
		if got := Moments(c.pairs, apart); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func FuzzAgree(f *testing.F) {
	f.Add(int64(120e9), int64(121e9), int64(122e9), int64(0))
	f.Add(int64(-1<<62), int64(1<<62), int64(0), int64(1))
	f.Fuzz(func(t *testing.T, a, b, c, d int64) {
		// Differences of times never come near the ends of an int64.
		all := []time.Duration{time.Duration(a / 4), time.Duration(b / 4), time.Duration(c / 4), time.Duration(d / 4)}
		least, most, pairs := Agree(all, 3*time.Second)
		if most < least || most-least > 3*time.Second || pairs > len(all) || pairs > 0 && !slices.Contains(all, least) {
			t.Errorf("%v: %v to %v of %d", all, least, most, pairs)
		}
	})
}
