package klogline

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const (
	// quarter is the smallest difference between time zones.
	quarter = 15 * time.Minute
	// zones is the largest difference of a time zone from UTC.
	zones = 14 * time.Hour
	// stalled is how late a stalled journal may be, apart from the time zone.
	stalled = time.Minute
	// ahead is how much later than its envelope says a line may have been written: envelopes may have whole seconds.
	ahead = time.Second
)

// Written returns the time in the line's klog header: a busy or stalled journal has the time at which it received the
// line. A header has no zone, so the one that fits best is used. If the line would have been written after it was read,
// or long before, the envelope's time is used. headed reports whether the line has a header, dated whether the time is
// the header's.
func Written(e *evidence.Entry) (at time.Time, headed, dated bool) {
	h, _, ok := ParseHeader(e.Message)
	if !ok || e.Time.IsZero() {
		return e.Time, ok, false
	}
	own := h.Time(e.Time, time.UTC)
	if own.IsZero() || own.Equal(e.Time) {
		return e.Time, true, !own.IsZero()
	}
	late := e.Time.Sub(own)
	late -= (late + ahead).Round(quarter) // the rest is not a difference of zones
	if late < -ahead || late > stalled || e.Time.Sub(own).Abs() > zones+quarter {
		return e.Time, true, false
	}
	return e.Time.Add(-late), true, true
}
