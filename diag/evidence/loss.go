package evidence

import (
	"cmp"
	"slices"
	"time"
)

// Loss is a time in which whatever a node's daemons wrote may not have reached its logs: what they write to failed. One
// without a beginning and an end may have been at any time.
type Loss struct {
	Node string
	// Source is the log that tells of it, whose clock dates it.
	Source SourceKind
	From   time.Time
	Until  time.Time // zero where nothing tells when it was over
	// Counted: see Coverage.
	Counted bool
}

// Anywhere is the loss at a time that is not known.
func (l Loss) Anywhere() Loss {
	l.From, l.Until = time.Time{}, time.Time{}
	return l
}

// Earlier is the loss by a clock that is behind by that much.
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

// touches tells losses of one clock between which there is nothing.
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

// Joined are losses in order, with those that touch made one.
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

// Without hands over the parts of a coverage that are left by the losses of its node, as Joined has those of one clock.
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
