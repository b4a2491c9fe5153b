package timelineview

import (
	"fmt"
	"time"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// steps are the distances between two labels. Each divides the next unit, so that
// labels fall on round times, and every day has one at its beginning.
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

// label is a tick of the axis and what is written over it.
type label struct {
	column int
	text   string
}

// ticks returns the labels of an axis that begins at origin and has so many columns
// of step nanoseconds each.
func ticks(origin, step int64, columns int) []label {
	every := interval(step)
	base := int64(0)
	if every >= week {
		base = int64(monday)
	}
	at := base + (origin-base)/int64(every)*int64(every)
	for at < origin {
		at += int64(every)
	}
	var out []label
	free := 0
	for ; at < origin+step*int64(columns); at += int64(every) {
		column := int((at - origin) / step)
		text := tickText(at, every)
		if column >= free && column+len(text) <= columns {
			out = append(out, label{column, text})
			free = column + len(text) + 1
		}
	}
	return out
}

// interval is the smallest distance at which labels do not touch.
func interval(step int64) time.Duration {
	for _, d := range steps {
		if int64(d)/step >= int64(len(sample(d))+2) {
			return d
		}
	}
	return steps[len(steps)-1]
}

func sample(every time.Duration) string { return tickText(int64(day+11*time.Hour), every) }

// tickText is what is written at a tick. Midnight shows its day, since the hours
// alone would not tell which.
func tickText(at int64, every time.Duration) string {
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

// clockText is a moment to the millisecond, without its day; a source that knows
// whole seconds only gets no invented digits.
func clockText(at int64) string {
	t := time.Unix(0, at).UTC()
	if t.Nanosecond()/int(time.Millisecond) == 0 {
		return t.Format("15:04:05")
	}
	return t.Format("15:04:05.000")
}

// dateText is a moment with its day, to the second.
func dateText(at int64) string { return time.Unix(0, at).UTC().Format("2006-01-02 15:04:05") }

// rangeText is the first and the last moment in view, to the second unless a column
// is much shorter; the day stands once if it is the same.
func rangeText(from, to, step int64, dash string) string {
	if step >= int64(50*time.Millisecond) {
		from, to = from/int64(time.Second)*int64(time.Second), to/int64(time.Second)*int64(time.Second)
	}
	a, b := time.Unix(0, from).UTC(), time.Unix(0, to).UTC()
	if a.Truncate(day).Equal(b.Truncate(day)) {
		return fmt.Sprintf("%s %s %s %s UTC", a.Format("2006-01-02"), clockText(from), dash, clockText(to))
	}
	return fmt.Sprintf("%s %s %s UTC", dateText(from), dash, dateText(to))
}

// lengthText is a duration with its two largest units.
func lengthText(d time.Duration) string {
	units := []struct {
		of   time.Duration
		name string
	}{{week, "w"}, {day, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}, {time.Millisecond, "ms"}}
	for i, u := range units {
		n := d / u.of
		if n == 0 {
			continue
		}
		text := fmt.Sprintf("%d%s", n, u.name)
		if i+1 < len(units) && i != 4 {
			if rest := (d - n*u.of) / units[i+1].of; rest > 0 {
				text += fmt.Sprintf("%d%s", rest, units[i+1].name)
			}
		} else if ms := (d - n*u.of) / time.Millisecond; i == 4 && n < 10 && ms >= 100 {
			text = fmt.Sprintf("%d.%ds", n, ms/100)
		}
		return text
	}
	return "1ms"
}
