package detail

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
)

const (
	// before is how much of the time before the end is shown at least: what ended a short-lived instance often ended
	// the one before too.
	before = 2 * time.Minute
	// longBefore is how much at most: an instance may have run for months.
	longBefore = 20 * time.Minute
	// after is how much of the time that followed is shown, after the next start or, where there is none yet, after the
	// end.
	after, longAfter = 30 * time.Second, 5 * time.Minute
)

// window is the period that a detail shows. The zero value holds nothing.
type window struct{ from, to time.Time }

// windowOf returns the window from the start of the old instance, within limits, to shortly after the start of the new
// one. Where no end is known it is before the pod's last observation.
func windowOf(r *timeline.Restart, last time.Time) window {
	end := r.End()
	if end.IsZero() {
		if last.IsZero() {
			return window{}
		}
		return window{last.Add(-longBefore), last}
	}
	w := window{end.Add(-before), end.Add(longAfter)}
	if began := r.From.Begun(); !began.IsZero() && began.Before(w.from) {
		w.from = began
	}
	if earliest := end.Add(-longBefore); w.from.Before(earliest) {
		w.from = earliest
	}
	if r.To != nil {
		if next := r.To.Begun(); !next.IsZero() && !next.Before(end) {
			w.to = next.Add(after)
		}
	}
	return w
}

// holds reports whether a moment is shown.
func (w window) holds(at time.Time) bool {
	return !at.IsZero() && !w.to.IsZero() && !at.Before(w.from) && !at.After(w.to)
}

// meets reports whether something that lasted is shown; zero ends are open.
func (w window) meets(from, to time.Time) bool {
	return !w.to.IsZero() && !from.After(w.to) && (to.IsZero() || !to.Before(w.from))
}

// with returns the window, extended to include a moment.
func (w window) with(at time.Time) window {
	switch {
	case at.IsZero():
	case w.to.IsZero():
		return window{at, at}
	case at.Before(w.from):
		w.from = at
	case at.After(w.to):
		w.to = at
	}
	return w
}
