package clock

import (
	"testing"
	"time"
)

func TestATestMovesTheClock(t *testing.T) {
	near := func(t *testing.T, got, want time.Time) {
		t.Helper()
		if d := got.Sub(want); d < 0 || d > time.Minute {
			t.Errorf("the clock says %s, want %s", got, want)
		}
	}
	real := time.Now()
	for name, test := range map[string]struct {
		to   string
		want time.Time
	}{
		"not at all": {"", real},
		"forward":    {"+9600h", real.Add(400 * 24 * time.Hour)},
		"back":       {"-24h", real.Add(-24 * time.Hour)},
		"to a time":  {"2026-11-21T12:00:00Z", time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC).Add(real.Sub(began))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(Variable, test.to)
			near(t, Now(), test.want)
			began, elapsed := Now(), Stopwatch()
			time.Sleep(time.Millisecond)
			for of, d := range map[string]time.Duration{"clock": Now().Sub(began), "stopwatch": elapsed()} {
				if d < time.Millisecond || d > time.Minute {
					t.Errorf("by the %s %s have elapsed", of, d)
				}
			}
			if d := Until(Now().Add(time.Hour)); d > time.Hour || d < time.Hour-time.Minute {
				t.Errorf("%s remain of an hour", d)
			}
		})
	}
}

func TestAClockThatCannotBeReadEndsTheTest(t *testing.T) {
	for _, to := range []string{"+400d", "tomorrow", "2026-11-21"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q was taken", to)
				}
			}()
			moved(time.Now(), to)
		}()
	}
}
