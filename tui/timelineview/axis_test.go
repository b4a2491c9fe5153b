package timelineview

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// drawn has the labels of an axis, each at its column.
func drawn(origin time.Time, step time.Duration, columns int) string {
	line := ""
	for _, t := range ticks(origin.UnixNano(), int64(step), columns) {
		line += strings.Repeat(" ", t.column-len(line)) + t.text
	}
	return line
}

func TestLabelsAreRoundTimesInUTC(t *testing.T) {
	for _, c := range []struct {
		name, origin string
		step         time.Duration
		want         string
	}{
		{"milliseconds", "2026-11-21T08:33:56.003Z", time.Millisecond, `       56.010    56.020    56.030    56.040`},
		{"seconds", "2026-11-21T08:33:52Z", time.Second, `        08:34:00  08:34:10  08:34:20  08:34:30`},
		{"seconds over midnight", "2026-11-21T23:59:50Z", time.Second, `23:59:50  Nov 22    00:00:10  00:00:20  00:00:30`},
		{"minutes", "2026-11-21T08:31:00Z", time.Minute, `         08:40     08:50     09:00     09:10`},
		{"hours", "2026-11-21T03:00:00Z", 20 * time.Minute, `03:00    06:00    09:00    12:00    15:00    18:00`},
		{"hours over a new year", "2026-12-31T20:00:00Z", 30 * time.Minute,
			`        Jan 2027    06:00       12:00       18:00`},
		{"days", "2026-11-21T12:00:00Z", 3 * time.Hour, `    Nov 22  Nov 23  Nov 24  Nov 25  Nov 26  Nov 27`},
		{"weeks, which begin on Mondays", "2026-11-21T00:00:00Z", day, `  Nov 23        Dec 07        Dec 21        Jan 04`},
		{"years", "2020-01-01T00:00:00Z", 28 * day, `          2020-11-02   2021-11-01   2022-10-31`},
		{"an offset other than UTC is not shown", "2026-11-21T10:31:00+02:00",
			time.Minute, `         08:40     08:50     09:00     09:10`},
	} {
		t.Run(c.name, func(t *testing.T) {
			origin, err := time.Parse(time.RFC3339Nano, c.origin)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, drawn(origin, c.step, 52)); d != "" {
				t.Error(d)
			}
		})
	}
}

// Whatever the scale, a label stands over the column that holds its very time, and
// no two touch.
func TestEveryLabelStandsWhereItsTimeIs(t *testing.T) {
	start := time.Date(2026, 10, 24, 21, 13, 7, 123456789, time.UTC)
	layouts := []string{"05.000", "15:04:05", "15:04", "Jan 02", "Jan 2006", "2006-01-02"}
	labels := 0
	for step := time.Millisecond; step < 200*day; step += step/3 + 1 {
		for _, columns := range []int{1, 17, 40, 66, 187} {
			free := 0
			all := ticks(start.UnixNano(), int64(step), columns)
			for _, l := range all {
				if l.column < free || l.column+len(l.text) > columns {
					t.Fatalf("step %s, %d columns: label %q at %d, free from %d", step, columns, l.text, l.column, free)
				}
				free = l.column + len(l.text) + 1
				from := start.Add(step * time.Duration(l.column))
				held := false
				for _, layout := range layouts {
					held = held || spells(from, from.Add(step), layout, l.text)
				}
				if !held {
					t.Fatalf("step %s: no moment in the column from %s is %q", step, from, l.text)
				}
				labels++
			}
			if columns >= 40 && len(all) == 0 {
				t.Fatalf("step %s, %d columns: no label at all", step, columns)
			}
		}
	}
	if labels < 1000 {
		t.Errorf("only %d labels seen", labels)
	}
}

// spells reports whether a round moment of [from, to) is written as text. A moment is
// round for a layout if the layout loses nothing but what it does not show.
func spells(from, to time.Time, layout, text string) bool {
	units := map[string]time.Duration{"05.000": time.Millisecond, "15:04:05": time.Second,
		"15:04": time.Minute, "Jan 02": day, "Jan 2006": day, "2006-01-02": day}
	unit := units[layout]
	at := from.Truncate(unit)
	if at.Before(from) {
		at = at.Add(unit)
	}
	for n := 0; at.Before(to) && n < 400; n++ {
		if at.Format(layout) == text {
			return true
		}
		at = at.Add(unit)
	}
	return false
}

func TestShortDurationsAreFine(t *testing.T) {
	for _, c := range []struct {
		of   time.Duration
		want string
	}{
		{0, "1ms"}, {500 * time.Microsecond, "1ms"}, {time.Millisecond, "1ms"},
		{867 * time.Millisecond, "867ms"}, {time.Second, "1s"}, {1300 * time.Millisecond, "1.3s"},
		{59*time.Second + 900*time.Millisecond, "59s"}, {61 * time.Second, "1m1s"},
		{time.Hour, "1h"}, {time.Hour + 59*time.Second, "1h0m59s"}, {25 * time.Hour, "1d1h"},
		{13 * day, "13d"}, {400 * day, "400d"},
	} {
		if got := lengthText(c.of); got != c.want {
			t.Errorf("%s is written %s, want %s", c.of, got, c.want)
		}
	}
}

func TestTheDayOfARangeStandsOnceIfItIsTheSame(t *testing.T) {
	from := at("08:33:56.250").UnixNano()
	for _, c := range []struct {
		length, step time.Duration
		want         string
	}{
		{90 * time.Second, time.Second, "2026-11-21 08:33:56 - 08:35:26 UTC"},
		{90 * time.Millisecond, time.Millisecond, "2026-11-21 08:33:56.250 - 08:33:56.340 UTC"},
		{20 * time.Hour, time.Minute, "2026-11-21 08:33:56 - 2026-11-22 04:33:56 UTC"},
	} {
		if got := rangeText(from, from+int64(c.length), int64(c.step), "-"); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
