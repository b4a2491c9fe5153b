package evidence

import (
	"cmp"
	"slices"
	"time"
)

// Loss is a time in which lines of a node's daemons may not have reached its logs because writing failed. One without a
// beginning and an end may have been at any time.
type Loss struct {
	Node string
	// Source is the log that reports the loss; its clock dates it.
	Source SourceKind
	From   time.Time
	Until  time.Time // zero where nothing says when it was over
	// Counted: see Coverage.
	Counted bool
}

// Anywhere returns the loss with an unknown time.
func (l Loss) Anywhere() Loss {
	l.From, l.Until = time.Time{}, time.Time{}
	return l
}

// Earlier returns the loss on a clock that is behind by d.
func (l Loss) Earlier(d time.Duration) Loss {
	for _, t := range []*time.Time{&l.From, &l.Until} {
		if !t.IsZero() {
			*t = t.Add(-d)
		}
	}
	return l
}

// ended reports whether the loss was over before a time.
func (l *Loss) ended(t time.Time) bool { return !l.Until.IsZero() && l.Until.Before(t) }

// touches reports whether two losses are on the same clock with nothing between them.
func (l *Loss) touches(other Loss) bool {
	return l.Node == other.Node && l.Source == other.Source && l.Counted == other.Counted &&
		!l.ended(other.From) && !other.ended(l.From)
}

func (l *Loss) extend(other Loss) {
	if other.From.Before(l.From) {
		l.From = other.From
	}
	if other.Until.IsZero() || l.ended(other.Until) {
		l.Until = other.Until
	}
}

// Joined sorts losses and merges those that touch.
func Joined(losses []Loss) (out []Loss) {
	slices.SortFunc(losses, func(x, y Loss) int {
		return cmp.Or(cmp.Compare(x.Node, y.Node), cmp.Compare(x.Source, y.Source), x.From.Compare(y.From),
			x.Until.Compare(y.Until))
	})
	for _, l := range losses {
		if n := len(out); n > 0 && out[n-1].touches(l) {
			out[n-1].extend(l)
			continue
		}
		out = append(out, l)
	}
	return out
}

// Without calls part for each piece of a coverage that the losses of its node leave. The losses are on one clock, as
// Joined returns them.
func (c *Coverage) Without(losses []Loss, part func(*Coverage)) {
	first, _ := slices.BinarySearchFunc(losses, c.From, func(l Loss, t time.Time) int {
		if l.ended(t) {
			return -1
		}
		return 1
	})
	rest := *c
	for _, l := range losses[first:] {
		if l.From.After(rest.Until) {
			break
		}
		if l.From.After(rest.From) {
			before := rest
			before.Until = l.From.Add(-1)
			part(&before)
		}
		if !l.ended(rest.Until) {
			return
		}
		rest.From = l.Until.Add(1)
	}
	part(&rest)
}
