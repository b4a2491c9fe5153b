package timelineview

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/axis"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// label is a tick of the axis and what is written over it.
type label struct {
	column int
	text   string
}

// ticks returns the labels of an axis that begins at origin and has so many columns
// of step nanoseconds each.
func ticks(origin, step int64, columns int) (out []label) {
	free := 0
	for _, t := range axis.Ticks(origin, origin+step*int64(columns), func(every time.Duration, characters int) bool {
		return int64(every)/step >= int64(characters+2) // labels do not touch
	}) {
		if column := int((t.At - origin) / step); column >= free && column+len(t.Text) <= columns {
			out = append(out, label{column, t.Text})
			free = column + len(t.Text) + 1
		}
	}
	return out
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
