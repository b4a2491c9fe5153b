package verdict

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// This file makes the words of a verdict fit its confidence: what is only possible is not said as a
// fact, has something beside it that would decide, and its chain claims no order that its times deny.

// guarded are the words with which a rule says itself that something is not certain. likened is one more
// form of them; an expression for all of it would take as long as all rules together.
var (
	guarded = []string{"may", "perhaps", "not known", "not said", "no trace",
		"nothing shows", "not in the evidence", "as after"}
	likened = regexp.MustCompile(`\bas [^;]* does\b`)
)

// saysSo tells whether a summary has such words.
func saysSo(summary string) bool {
	return slices.ContainsFunc(guarded, func(words string) bool { return says(summary, words) }) ||
		strings.Contains(summary, " does") && likened.MatchString(summary)
}

// says tells whether a text has words that are not parts of longer ones.
func says(text, words string) bool {
	letter := func(c byte) bool { return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }
	for from := 0; ; {
		at := strings.Index(text[from:], words)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(words)
		if (at == 0 || !letter(text[at-1])) && (from == len(text) || !letter(text[from])) {
			return true
		}
	}
}

// perhaps says of what is only possible what else it may have been.
func perhaps(summary string, others []report.Alternative) string {
	if saysSo(summary) {
		return summary
	}
	for _, o := range others {
		if w, ok := likelihood.In(causes.ID(o.Cause)); ok {
			return summary + "; or " + w.May
		}
	}
	return summary + "; it is not known whether that ended it"
}

// inOrder takes the time from links that are dated behind what they led to: an event is written
// when somebody got to know, as a boot by the kubelet that it started. The text keeps it.
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
