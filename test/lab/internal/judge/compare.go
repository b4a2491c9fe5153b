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
	Cause                   string   // of the newest restart; "" if it never restarted
	Mechanism               string   // compared if not empty and the cause is right
	Undecidable             bool     // less than proven is the best possible, at tier 2 too
	Also                    []string // causes that older restarts of the container truly had
}

// Result is a Case judged at one tier.
type Result struct {
	Case
	Tier    int
	Verdict *Verdict // of the newest restart; nil if the report has none
	Outcome score.Outcome
	// Short reports that more was possible: all evidence was available, or a container that never restarted is reported
	// to have restarted.
	Short bool
	Why   string // for anything but right
}

// Fails reports whether a result must not occur in any run: the lab knows what it provoked.
func (r Result) Fails() bool {
	return r.Short || r.Outcome == score.WrongProven || r.Outcome == score.Silent
}

// Compare judges one case. At tier 2, with all evidence available, only the right cause is accepted, unless a log of
// the node had holes. Then, and at the lower tiers, "possible" and "unknown" are accepted too, but never silence about
// a restart that the API itself shows.
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

// endsOf returns the restarts and deaths of a case's container, the newest first. It leaves out items about containers
// that never started, or only seem to have restarted.
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

// cancelled reports whether an instance never ran because its kubelet was replaced during its start: containerd then
// cancels the call and reports 128. Which pod is hit is random, so it is no scenario's truth.
func cancelled(i Item) bool {
	return i.Verdict.Cause == "start-error" && i.From.ExitCode == 128 && i.From.StartedAt.IsZero()
}

// happened reports whether an item is a restart or death, rather than about a container that never started or only
// seems to have restarted.
func happened(i Item) bool { return i.Kind == "Restart" || i.Kind == "Death" }

// Newest returns when a case's container last ended; ok is false if the report has no end of it.
func (r Report) Newest(c Case) (at time.Time, ok bool) {
	if ends := r.endsOf(c); len(ends) > 0 {
		return ends[0].Time, true
	}
	return time.Time{}, false
}
