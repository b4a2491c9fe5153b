package klogline

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const (
	// quarter is what time zones differ by, at least.
	quarter = 15 * time.Minute
	// zones is what the farthest time zone differs from UTC by.
	zones = 14 * time.Hour
	// stalled is how late a journal that stood still may be, short of a zone.
	stalled = time.Minute
	// ahead is how much later than its envelope says a line may have been written: envelopes may
	// have whole seconds.
	ahead = time.Second
)

// Written is when the kubelet wrote the line, by its own header: a journal that was busy or stood
// still dates it by when it got it. A header has no zone; the one that fits best is taken. A line
// that would have been written after it was read, or long before, is dated by its envelope. headed
// tells whether the line has a header.
func Written(e *evidence.Entry) (at time.Time, headed bool) {
	h, _, ok := ParseHeader(e.Message)
	if !ok || e.Time.IsZero() {
		return e.Time, ok
	}
	own := h.Time(e.Time, time.UTC)
	if own.IsZero() || own.Equal(e.Time) {
		return e.Time, true
	}
	late := e.Time.Sub(own)
	late -= (late + ahead).Round(quarter) // what is left is no zone
	if late < -ahead || late > stalled || e.Time.Sub(own).Abs() > zones+quarter {
		return e.Time, true
	}
	return e.Time.Add(-late), true
}
