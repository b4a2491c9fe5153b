package verdict

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// This file makes the words of a verdict fit its confidence: what is only possible is not said as a
// fact, has something beside it that would decide, and its chain claims no order that its times deny.

// perhaps says of what is only possible what else it may have been, unless the claim does.
func perhaps(c *causes.Claim, others []report.Alternative) string {
	if c.Hedged {
		return c.Summary
	}
	for _, o := range others {
		if w, ok := likelihood.In(causes.ID(o.Cause)); ok {
			return c.Summary + "; or " + w.May
		}
	}
	return c.Summary + "; it is not known whether that ended it"
}

// inOrder takes the time from links that are dated behind what they led to: an event is written
// when someone got to know, as a boot by the kubelet that it started. The text keeps it.
func inOrder(chain []report.Link) {
	var next time.Time
	for i := len(chain) - 1; i >= 0; i-- {
		l := &chain[i]
		switch {
		case l.At == nil:
		case next.IsZero() || !l.At.After(next.Add(tolerance.Slack)):
			if next.IsZero() || l.At.Before(next) {
				next = *l.At
			}
		default:
			l.Text += " (reported at " + l.At.UTC().Format(time.RFC3339) + ")"
			l.At = nil
		}
	}
}
