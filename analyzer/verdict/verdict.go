// Package verdict weighs the claims of all causes for one restart and says which
// one it was and how sure that is. The rules for the four words stand here and
// nowhere else:
//
//   - proven: one claim is decisive (its evidence names this instance and this
//     moment) and every other cause is contradicted by a fact.
//   - likely: one claim is decisive but a rival still stands, or one claim is
//     strong and no other is as strong.
//   - possible: several claims are equally strong, or all of them are weak.
//   - unknown: no cause has evidence for it.
//
// A contradiction beats a claim, also a claim of its own cause; a prediction of what the
// kubelet would have done (package predict) beats all but a decisive one. The package may
// import causes, finding, timeline and report. It knows no cause by name except `unknown`.
package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
)

// Result is a verdict and the root that other restarts may share.
type Result struct {
	Verdict report.Verdict
	Root    *causes.Root
	// Kind is what the item turned out to be; empty leaves it.
	Kind report.ItemKind
}

type standing struct {
	rule  *causes.Rule
	claim *causes.Claim // nil: no evidence for it, but nothing against it either
}

// Predict tells what contradicts a cause by what the kubelet would have done (package predict); nil contradicts nothing.
type Predict func(*finding.Findings, causes.ID) *causes.Against

// Decide weighs the rules for one restart. A prediction rules out rivals and weaker claims; it never overrules evidence
// that names this instance and this moment.
func Decide(f *finding.Findings, rules []causes.Rule, predict Predict) Result {
	var v report.Verdict
	var claims, open []standing
	for i := range rules {
		r := &rules[i]
		claim, against := r.Claim(f), r.Against(f)
		if against == nil && !r.NeverRan {
			against = neverRan(f)
		}
		if against == nil && predict != nil && (claim == nil || claim.Strength < causes.Decisive) {
			against = predict(f, r.ID)
		}
		switch {
		case against != nil:
			v.Eliminated = append(v.Eliminated, report.Eliminated{Cause: string(r.ID), Because: against.Because, Evidence: against.Evidence})
		case claim != nil:
			claims = append(claims, standing{r, claim})
		default:
			open = append(open, standing{r, nil})
		}
	}
	// What a piece of evidence rules out comes before what the spec rules out.
	slices.SortStableFunc(v.Eliminated, func(a, b report.Eliminated) int {
		return min(len(b.Evidence), 1) - min(len(a.Evidence), 1)
	})
	// Equally strong claims keep the order of the catalogue.
	slices.SortStableFunc(claims, func(a, b standing) int { return int(b.claim.Strength) - int(a.claim.Strength) })
	if len(claims) == 0 {
		return Result{Verdict: unknown(f, v)}
	}
	top := claims[0]
	v.Confidence = confidence(claims, open)
	v.Cause, v.Mechanism = string(top.rule.ID), string(top.rule.ID)
	if top.claim.Mechanism != "" {
		v.Mechanism = string(top.claim.Mechanism)
	}
	v.Summary, v.Actions = top.claim.Summary, top.claim.Actions
	for _, s := range top.claim.Chain {
		if s.Text != "" {
			v.Chain = append(v.Chain, s.Link())
		}
	}
	roles(&v)
	for _, c := range claims[1:] {
		v.Alternatives = append(v.Alternatives, report.Alternative{
			Cause: string(c.rule.ID), Confidence: report.Possible, Text: c.claim.Summary, Evidence: cited(c.claim),
		})
	}
	if v.Confidence != report.Proven {
		v.Missing = missing(top.claim.Needs, claims, open)
	}
	return Result{Verdict: v, Root: top.claim.Root, Kind: top.claim.Kind}
}

// neverRan contradicts all that can happen to a process: there was none.
func neverRan(f *finding.Findings) *causes.Against {
	switch {
	case f.R.Kind == timeline.KindRefused:
		return causes.Contradict("the container never came to be: "+f.R.Waiting.Reason, f.R.Waiting.Evidence...)
	case f.Exit.NotStarted:
		return causes.Contradict("its process never ran: "+f.Exit.Reason, f.Exit.Evidence...)
	}
	return nil
}

// roles names the links that their rules left unnamed: the first is the root, the
// last the effect, and one in between that carries the mechanism is that.
func roles(v *report.Verdict) {
	for i := range v.Chain {
		l := &v.Chain[i]
		switch {
		case l.Role != "":
		case i == 0 && v.Confidence != report.Unknown:
			l.Role = report.RoleRoot
		case i == len(v.Chain)-1:
			l.Role = report.RoleEffect
		case l.Cause != "" && l.Cause == v.Mechanism:
			l.Role = report.RoleMechanism
		default:
			l.Role = report.RoleThen
		}
	}
}

// confidence applies the rules of the package comment. Claims are sorted, the
// strongest first.
func confidence(claims, open []standing) report.Confidence {
	top := claims[0].claim.Strength
	contested := len(claims) > 1 && claims[1].claim.Strength == top
	switch {
	case top == causes.Decisive && len(claims) == 1 && len(open) == 0:
		return report.Proven
	case top == causes.Decisive && !contested, top == causes.Strong && !contested:
		return report.Likely
	}
	return report.Possible
}

// missing lists what would settle the case: what the claim itself lacks, and
// which causes nothing has ruled out yet.
func missing(needs []causes.Need, claims, open []standing) []report.Missing {
	var out []report.Missing
	for _, n := range needs {
		m := report.Missing{What: n.What, Consequence: n.Consequence, Command: n.Command}
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	var rivals []string
	for _, o := range slices.Concat(claims[min(1, len(claims)):], open) {
		rivals = append(rivals, string(o.rule.ID))
	}
	if len(rivals) > 0 {
		out = append(out, report.Missing{What: "a fact that rules out " + strings.Join(rivals, ", "), Consequence: "nothing in the evidence contradicts it"})
	}
	if len(out) == 0 {
		out = append(out, report.Missing{What: "a piece of evidence that only this cause leaves", Consequence: "what is there fits it well and does not prove it"})
	}
	return out
}

func cited(c *causes.Claim) []string {
	var out []string
	for _, s := range c.Chain {
		for _, e := range s.Evidence {
			if !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// unknown is the honest answer: what is known of the end, and what to collect.
func unknown(f *finding.Findings, v report.Verdict) report.Verdict {
	v.Cause, v.Mechanism, v.Confidence = string(causes.Unknown), string(causes.Unknown), report.Unknown
	v.Summary = fmt.Sprintf("%s ended (%s); the evidence does not tell why", causes.Who(f), causes.ExitText(f))
	switch {
	case f.Exit.Invented:
		v.Summary = fmt.Sprintf("%s: the kubelet lost its record and made up exit code %d (%s); how it ended is not known", causes.Who(f), f.Exit.Code, f.Exit.Reason)
	case f.Kill.Answer == finding.Yes && f.R.Pod != nil && f.R.Pod.Reason != "":
		v.Summary = fmt.Sprintf("%s was stopped with its pod, whose status says %s: %s", causes.Who(f), f.R.Pod.Reason, f.R.Pod.Message)
	case f.Kill.Answer == finding.Yes:
		v.Summary = fmt.Sprintf("%s was stopped by the kubelet; why is not in the evidence", causes.Who(f))
		if f.Kill.Message != "" {
			v.Summary += " (" + f.Kill.Message + ")"
		}
	}
	steps := []causes.Step{}
	if f.Kill.Answer == finding.Yes {
		steps = append(steps, causes.Step{Text: "the kubelet killed it: " + f.Kill.Message, At: f.Kill.At, Evidence: f.Kill.Evidence})
	}
	for _, s := range append(steps, causes.EndStep(f, ""), causes.Then(f)) {
		v.Chain = append(v.Chain, s.Link())
	}
	roles(&v)
	v.Missing = missing(slices.Concat(causes.NeedKubeletLog(f), causes.NeedRuntimeLog(f), causes.NeedKernelLog(f)), nil, nil)
	for _, m := range v.Missing {
		if m.Command != "" && !slices.Contains(v.Actions, m.Command) {
			v.Actions = append(v.Actions, m.Command)
		}
	}
	return v
}
