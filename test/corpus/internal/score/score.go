// Package score compares a report with the truth of a corpus entry and counts.
//
// It may import the report's types and entry. It runs no analysis.
package score

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

// Outcome of one comparison.
type Outcome int

// The outcomes, best first.
const (
	Right       Outcome = iota
	Honest              // another cause or none, and not claimed as proven
	WrongProven         // the worst there is
)

// Judged is one truth against one report.
type Judged struct {
	Entry      string
	Truth      entry.Truth
	Tier       int
	Outcome    Outcome
	Cause      string // what the report says, "" when it has no such item
	Confidence string
	Why        string // for anything but right
}

// Judge compares every truth of an entry with a report made at a tier.
func Judge(e *entry.Entry, tier int, r *report.Report) []Judged {
	var out []Judged
	for _, t := range e.Truths {
		out = append(out, judge(e, t, tier, r))
	}
	return out
}

func judge(e *entry.Entry, t entry.Truth, tier int, r *report.Report) Judged {
	j := Judged{Entry: e.Name, Truth: t, Tier: tier}
	ends := endsOf(t, r)
	// No other end of this container may be explained wrongly with certainty.
	for _, it := range ends {
		if v := it.Verdict; v.Confidence == report.Proven && v.Cause != t.Cause && !slices.Contains(t.Also, v.Cause) {
			j.Outcome, j.Cause, j.Confidence = WrongProven, v.Cause, string(v.Confidence)
			j.Why = fmt.Sprintf("%s is called proven: %s", v.Cause, v.Summary)
			return j
		}
	}
	it := meant(t, ends)
	switch {
	case it == nil && t.Cause == "":
		return j
	case it == nil:
		j.Outcome, j.Why = Honest, "the report does not have it"
		return j
	}
	v := it.Verdict
	j.Cause, j.Confidence = v.Cause, string(v.Confidence)
	switch {
	case v.Cause != t.Cause || v.Confidence == report.Unknown && t.Cause != "unknown":
		j.Outcome, j.Why = Honest, fmt.Sprintf("says %s (%s): %s", v.Cause, v.Confidence, v.Summary)
	case t.Mechanism != "" && v.Mechanism != t.Mechanism:
		j.Outcome, j.Why = Honest, "by the mechanism "+v.Mechanism
		if v.Confidence == report.Proven {
			j.Outcome = WrongProven
		}
	case t.Kind != "" && string(it.Kind) != t.Kind:
		j.Outcome, j.Why = Honest, fmt.Sprintf("as a %s", it.Kind)
	}
	return j
}

// Short tells in what a right verdict falls short of what the entry asks for at
// this tier, "" if it does not.
func Short(t entry.Truth, tier, full int, r *report.Report) string {
	it := meant(t, endsOf(t, r))
	if it == nil {
		return ""
	}
	if want := t.Confidence[strconv.Itoa(tier)]; slices.Index(entry.Words, want) > slices.Index(entry.Words, string(it.Verdict.Confidence)) {
		return fmt.Sprintf("%s, want %s; missing: %v", it.Verdict.Confidence, want, it.Verdict.Missing)
	}
	if tier < full {
		return ""
	}
	if rest := unnamed(t.Chain, it.Verdict.Chain); len(rest) > 0 {
		return "its chain does not name " + strings.Join(rest, ", then ")
	}
	for _, rival := range t.Rivals {
		if _, out := it.Verdict.Eliminated.Of(rival); !out {
			return "its rival " + rival + " is not eliminated"
		}
	}
	return ""
}

// unnamed are the causes of want from the first one on that the chain does not name in
// its turn.
func unnamed(want []string, chain []report.Link) []string {
	for _, l := range chain {
		if len(want) > 0 && l.Cause == want[0] {
			want = want[1:]
		}
	}
	return want
}

// endsOf are the items about a truth's container, the oldest first.
func endsOf(t entry.Truth, r *report.Report) []*report.Item {
	var ends []*report.Item
	for i := len(r.Items) - 1; i >= 0; i-- {
		if it := &r.Items[i]; it.Namespace+"/"+it.Pod == t.Pod && it.Container == t.Container {
			ends = append(ends, it)
		}
	}
	return ends
}

func meant(t entry.Truth, ends []*report.Item) *report.Item {
	n := t.Restart - 1
	if t.Restart == 0 {
		n = len(ends) - 1
	}
	if n < 0 || n >= len(ends) {
		return nil
	}
	return ends[n]
}
