package kubeletlog

import (
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
)

// A header's time is what the clock on the wall showed, also on the two days of
// the year that do not have 24 hours.
func TestHeaderTimesAreWallClockOnEveryDay(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	ref := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	cases := map[string]struct {
		line string
		want time.Time
	}{
		"an ordinary winter day": {"I1121 07:24:45.454287",
			time.Date(2026, 11, 21, 6, 24, 45, 454287000, time.UTC)},
		"an ordinary summer day": {"I0701 07:24:45.454287", time.Date(2026, 7, 1, 5, 24, 45, 454287000, time.UTC)},
		"before the clock goes forward": {"I0329 01:59:59.999999",
			time.Date(2026, 3, 29, 0, 59, 59, 999999000, time.UTC)},
		"after it went forward":             {"I0329 12:00:00.000000", time.Date(2026, 3, 29, 10, 0, 0, 0, time.UTC)},
		"after it went back":                {"I1025 12:00:00.000000", time.Date(2026, 10, 25, 11, 0, 0, 0, time.UTC)},
		"a leap second":                     {"I0701 01:59:60.000000", time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)},
		"New Year's Eve of the year before": {"I1231 23:59:59.000000", time.Date(2025, 12, 31, 22, 59, 59, 0, time.UTC)},
		"tomorrow's date: a clock that is ahead, not last year's": {"I1122 00:10:00.000000",
			time.Date(2026, 11, 21, 23, 10, 0, 0, time.UTC)},
		"the day after tomorrow is last year's": {"I1123 12:00:00.000000", time.Date(2025, 11, 23, 11, 0, 0, 0, time.UTC)},
		"29 February is of the last leap year":  {"I0229 12:00:00.000000", time.Date(2024, 2, 29, 11, 0, 0, 0, time.UTC)},
		"30 February never was":                 {"I0230 12:00:00.000000", time.Time{}},
		"31 November never was":                 {"I1131 12:00:00.000000", time.Time{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h, _, ok := klogline.ParseHeader(c.line + "   24911 kubelet.go:1823] x")
			if !ok {
				t.Fatal("no header")
			}
			if got := h.Time(ref, berlin); !got.Equal(c.want) {
				t.Errorf("%s, want %s", got.UTC(), c.want)
			}
		})
	}
}

// Just after New Year a log holds lines of two years.
func TestALogOverNewYearKeepsItsOrder(t *testing.T) {
	ref := time.Date(2027, 1, 1, 0, 5, 0, 0, time.UTC)
	var last time.Time
	for _, stamp := range []string{"I1230 10:00:00.000000", "I1231 23:59:59.999999",
		"I0101 00:00:00.000000", "I0101 00:04:59.000000"} {
		h, _, ok := klogline.ParseHeader(stamp + "   80 kubelet.go:1] x")
		at := h.Time(ref, time.UTC)
		if !ok || !at.After(last) {
			t.Errorf("%s is %s, not after %s", stamp, at, last)
		}
		last = at
	}
	if last.Year() != 2027 {
		t.Errorf("the last line is of %d", last.Year())
	}
}
