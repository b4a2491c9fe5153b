// Package axis divides a period: where the labels of a timeline are, and what they say. The viewer and the picture of a
// page draw the same.
//
// It imports nothing of the project. What never enters: cells, pixels, lanes.
package axis

import (
	"math"
	"time"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// steps are the distances between two labels. Each divides the next unit, so that labels are at round times, and every
// day begins with one.
var steps = [...]time.Duration{
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond,
	20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	day, 2 * day, week, 2 * week, 4 * week, 13 * week, 26 * week, 52 * week,
	104 * week, 260 * week, 520 * week, 1040 * week,
}

// monday is the first Monday after 1970 began: weeks are counted from there.
const monday = 4 * day

// Tick is a label and its place, in nanoseconds since 1970.
type Tick struct {
	At   int64
	Text string
}

// Ticks returns the labels in [from, to), as dense as fits allows: fits reports whether there is room for labels of
// that many characters at that distance.
func Ticks(from, to int64, fits func(every time.Duration, characters int) bool) (out []Tick) {
	every := steps[len(steps)-1]
	for _, d := range steps {
		if fits(d, len(text(int64(day+11*time.Hour), d))) {
			every = d
			break
		}
	}
	base := int64(0)
	if every >= week {
		base = int64(monday)
	}
	at := base + (from-base)/int64(every)*int64(every)
	for at < from {
		at += int64(every)
	}
	for ; at < to; at += int64(every) {
		out = append(out, Tick{at, text(at, every)})
		if at > math.MaxInt64-int64(every) {
			break // outside the range of times
		}
	}
	return out
}

// text returns the label of a tick. Midnight shows its day, since the hours alone would be ambiguous.
func text(at int64, every time.Duration) string {
	t := time.Unix(0, at).UTC()
	midnight := at%int64(day) == 0
	switch {
	case every >= 13*week:
		return t.Format("2006-01-02")
	case midnight && t.YearDay() == 1:
		return t.Format("Jan 2006")
	case every >= day, midnight:
		return t.Format("Jan 02")
	case every >= time.Minute:
		return t.Format("15:04")
	case every >= time.Second:
		return t.Format("15:04:05")
	}
	return t.Format("05.000")
}

// Clock formats the time of day, to the millisecond; whole seconds get no invented digits.
func Clock(t time.Time) string {
	t = t.UTC()
	if t.Nanosecond()/int(time.Millisecond) == 0 {
		return t.Format(time.TimeOnly)
	}
	return t.Format("15:04:05.000")
}
