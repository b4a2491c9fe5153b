package judge

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// Case is one container with the truth about it.
type Case struct {
	Scenario, Node, Kubelet string
	Namespace, Container    string
	Cause                   string   // of the newest restart; "" when it never restarted
	Mechanism               string   // compared when not empty and the cause is right
	Undecidable             bool     // less than proven is the best there is, at tier 2 too
	Also                    []string // causes that older restarts of the container truly had
}

// Result is a Case judged at one tier.
type Result struct {
	Case
	Tier    int
	Verdict *Verdict // of the newest restart; nil when the report has none
	Outcome score.Outcome
	// Short tells that more was to be had: all evidence was at hand, or a container that
	// never restarted is said to have.
	Short bool
	Why   string // for anything but right
}

// Fails tells a result that no run may have: the lab knows what it provoked.
func (r Result) Fails() bool {
	return r.Short || r.Outcome == score.WrongProven || r.Outcome == score.Silent
}

// Compare judges one case. At tier 2, where all evidence is at hand, only the
// right cause will do, unless a log of the node had holes; there and at the lower
// tiers what is possible or unknown is let pass, silence about a restart that the API
// itself shows never.
func Compare(c Case, tier int, r Report) Result {
	result := Result{Case: c, Tier: tier}
	ends := r.endsOf(c)
	items := make([]report.Item, len(ends))
	for i, e := range ends {
		items[i] = e.scored()
	}
	if len(ends) > 0 {
		result.Verdict = &ends[0].Verdict
	}
	j := score.Judge(score.Truth{Pod: c.Namespace + "/" + c.Scenario, Container: c.Container,
		Cause: c.Cause, Others: c.Also, Mechanism: c.Mechanism}, items)
	result.Outcome, result.Why = j.Outcome, j.Why
	whole := tier == 2 && len(r.Holes(c.Node)) == 0 && !result.Verdict.blind() && !c.Undecidable
	switch {
	case j.Outcome == score.Right:
	case c.Cause == "":
		result.Short, result.Why = true, "nothing restarted: "+j.Why
	case whole:
		result.Short, result.Why = true, j.Why+" (with all evidence at hand)"
	}
	return result
}

// endsOf are the restarts and deaths of a case's container, the newest first. Items
// about containers that never started, or only looked restarted, are none.
func (r Report) endsOf(c Case) []Item {
	var out []Item
	for _, i := range r.Items {
		if i.Namespace == c.Namespace && i.Pod == c.Scenario && i.Container == c.Container && happened(i) && !cancelled(i) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b Item) int { return b.Time.Compare(a.Time) })
	return out
}

func (i Item) scored() report.Item {
	out := report.Item{Namespace: i.Namespace, Pod: i.Pod, Container: i.Container,
		Kind: report.ItemKind(i.Kind), Verdict: report.Verdict{
			Cause: i.Verdict.Cause, Mechanism: i.Verdict.Mechanism, Confidence: report.Confidence(i.Verdict.Confidence),
			Summary: i.Time.Format(time.RFC3339) + ": " + i.Verdict.Summary}}
	for _, a := range i.Verdict.Alternatives {
		out.Verdict.Alternatives = append(out.Verdict.Alternatives, report.Alternative{Cause: a.Cause})
	}
	return out
}

// cancelled tells an instance that never ran because its kubelet was replaced in the middle of its start: containerd
// then gives up the call and reports 128. Which pod that hits is chance, so no scenario has it for its truth.
func cancelled(i Item) bool {
	return i.Verdict.Cause == "start-error" && i.From.ExitCode == 128 && i.From.StartedAt.IsZero()
}

// happened tells restarts and deaths from items about containers that never
// started or only looked restarted.
func happened(i Item) bool { return i.Kind == "Restart" || i.Kind == "Death" }

// Newest is when a case's container ended last; ok is false where the report has no end of it.
func (r Report) Newest(c Case) (at time.Time, ok bool) {
	if ends := r.endsOf(c); len(ends) > 0 {
		return ends[0].Time, true
	}
	return time.Time{}, false
}
