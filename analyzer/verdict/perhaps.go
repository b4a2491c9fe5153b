package verdict

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/likelihood"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// This file makes the words of a verdict fit its confidence: what is only possible is not said as a
// fact, has something beside it that would decide, and its chain claims no order that its times deny.

// mostOffered is how many causes are offered beside a possible one that no other claim stands beside.
const mostOffered = 3

// offered are causes that nothing rules out and nothing speaks for, the likeliest first, with what
// would decide. They stand beside a possible cause that has no other beside it.
func (j *Judge) offered(open []standing) (out []report.Alternative) {
	rest := slices.DeleteFunc(slices.Clone(open), func(s standing) bool {
		_, ok := likelihood.In(s.rule.ID)
		return !ok
	})
	slices.SortStableFunc(rest, func(a, b standing) int { return -cmp.Compare(j.odds.Of(a.rule.ID), j.odds.Of(b.rule.ID)) })
	for _, s := range rest[:min(len(rest), mostOffered)] {
		w, _ := likelihood.In(s.rule.ID)
		out = append(out, report.Alternative{
			Cause: string(s.rule.ID), Confidence: report.Possible, Text: strings.ToUpper(w.May[:1]) + w.May[1:], Decides: w.Decides, Evidence: []string{},
		})
	}
	return out
}

// decided tells whether something would tell one of the causes from the others.
func decided(all []report.Alternative) bool {
	return slices.ContainsFunc(all, func(a report.Alternative) bool { return a.Decides != "" })
}

// guarded are the words with which a rule says itself that something is not certain.
var guarded = regexp.MustCompile(`\bmay\b|\bperhaps\b|\bnot known\b|\bnot said\b|\bno trace\b|\bnothing shows\b|\bnot in the evidence\b|\bas after\b|\bas [^;]* does\b`)

// guards are in what guarded finds. Few summaries have one, and a regular expression takes as long as a rule.
var guards = []string{"may", "perhaps", "not known", "not said", "no trace", "nothing shows", "not in the evidence", "as after", " does"}

// saysSo tells whether a summary says itself that it is not certain.
func saysSo(summary string) bool {
	return slices.ContainsFunc(guards, func(g string) bool { return strings.Contains(summary, g) }) && guarded.MatchString(summary)
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
	return summary + "; whether that ended it is not known"
}

// rounding is how far two sources may be apart about one moment.
const rounding = 2 * time.Second

// inOrder takes the time from links that are dated behind what they led to: an event is written
// when somebody got to know, as a boot by the kubelet that it started. The text keeps it.
func inOrder(chain []report.Link) {
	var next time.Time
	for i := len(chain) - 1; i >= 0; i-- {
		l := &chain[i]
		switch {
		case l.At == nil:
		case next.IsZero() || !l.At.After(next.Add(rounding)):
			if next.IsZero() || l.At.Before(next) {
				next = *l.At
			}
		default:
			l.Text += " (told at " + l.At.UTC().Format(time.RFC3339) + ")"
			l.At = nil
		}
	}
}
