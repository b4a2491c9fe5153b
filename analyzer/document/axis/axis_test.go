package axis

import (
	"math"
	"testing"
	"time"
)

func TestTicksAreRoundAndFit(t *testing.T) {
	from := time.Date(2026, 11, 21, 8, 31, 7, 0, time.UTC)
	for name, tt := range map[string]struct {
		span, room time.Duration // of the period, and the least between two labels
		want       string
	}{
		"seconds":                {25 * time.Second, 10 * time.Second, "08:31:10 08:31:20 08:31:30"},
		"minutes":                {25 * time.Minute, 7 * time.Minute, "08:40 08:50"},
		"midnight has its day":   {20 * time.Hour, 5 * time.Hour, "12:00 18:00 Nov 22"},
		"weeks begin on Mondays": {14 * day, 6 * day, "Nov 23 Nov 30"},
	} {
		got := ""
		for _, k := range Ticks(from.UnixNano(), from.Add(tt.span).UnixNano(),
			func(every time.Duration, _ int) bool { return every >= tt.room }) {
			if got != "" {
				got += " "
			}
			got += k.Text
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// Times outside the valid range terminate, with a bounded number of labels.
func TestTicksEnd(t *testing.T) {
	never := func(time.Duration, int) bool { return false }
	if n := len(Ticks(math.MinInt64, math.MaxInt64, never)); n > 60 {
		t.Errorf("%d labels", n)
	}
}
