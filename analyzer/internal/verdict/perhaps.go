package verdict

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// This file adapts the text of a verdict to its confidence: what is only possible is not stated as a fact, names an
// alternative, and its chain claims no order that its times deny.

// perhaps adds an alternative to the summary of a possible cause, unless the claim has one already.
func perhaps(c *causes.Claim, others []report.Alternative) string {
	if c.Hedged {
		return c.Summary
	}
	for _, o := range others {
		if w, ok := likelihood.In(causes.ID(o.Cause)); ok {
			return c.Summary + "; or " + w.May
		}
	}
	return c.Summary + "; that is not certain"
}

// inOrder removes the time from links that are dated later than their consequences: an event is written when someone
// noticed, as a boot is by the kubelet that started after it. The text keeps the time.
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
