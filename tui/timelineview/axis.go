package timelineview

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/axis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

const day = 24 * time.Hour

// label is a tick of the axis and the text above it.
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

// clockText is a time without its day.
func clockText(at int64) string { return axis.Clock(time.Unix(0, at)) }

func dateText(at int64) string { return time.Unix(0, at).UTC().Format("2006-01-02 15:04:05") }

// rangeText is the first and the last time in view, to the second unless a column is much shorter; if the day is the
// same it appears once.
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

// lengthText is finer than report.Lasted for short durations.
func lengthText(d time.Duration) string {
	switch {
	case d < time.Second:
		return max(d.Truncate(time.Millisecond), time.Millisecond).String()
	case d < 10*time.Second:
		return d.Truncate(100 * time.Millisecond).String()
	}
	return report.Lasted(d.Truncate(time.Second))
}
