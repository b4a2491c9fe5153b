package verdict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// This file orders what the rules left by likelihood: claims, and causes that only the form of the end suggests.

// weigh gives every claim its weight and sorts by it, a decisive claim before all others; claims of equal weight keep
// the order of the catalogue. A cause without evidence for or against it becomes a weak claim where it is known to have
// such ends.
func (j *Judge) weigh(f *finding.Findings, claims, open []standing) (ordered, rest []standing) {
	j.odds.Weigh(f)
	rest = open[:0]
	for _, s := range open {
		if weight := j.odds.Of(s.rule.ID); weight > 0 && j.odds.Fits(s.rule.ID) && known(s.rule.ID) {
			claims = append(claims, standing{rule: s.rule, claim: unworded, fits: true, weight: weight})
		} else {
			rest = append(rest, s)
		}
	}
	for i := range claims {
		if c := &claims[i]; !c.fits {
			c.weight = j.odds.Weight(c.rule.ID, c.claim.Strength)
		}
	}
	slices.SortStableFunc(claims, func(a, b standing) int {
		x, y := a.claim.Strength == causes.Decisive, b.claim.Strength == causes.Decisive
		switch {
		case x != y && x, x == y && a.weight > b.weight:
			return -1
		case x != y, a.weight < b.weight:
			return 1
		}
		return 0
	})
	return claims, rest
}

// known reports whether likelihood has a text for a cause.
func known(id causes.ID) bool {
	_, ok := likelihood.In(id)
	return ok
}

// unworded is the placeholder claim of a cause that only the form of the end suggests. Most of these claims are only
// counted: the text is computed for the one that becomes the verdict.
var unworded = &causes.Claim{Strength: causes.Weak}

// fits returns the claim of a cause that only the form of the end suggests.
func fits(f *finding.Findings, id causes.ID) *causes.Claim {
	w, _ := likelihood.In(id)
	ended, end := "; "+causes.Exited(f, causes.Lifetime(f)), causes.EndStep(f)
	switch line := signs.LastWords(f); {
	case line != "" && (id == causes.AppExitError || id == causes.AppSignal):
		w.May += ": " + line
		if !f.Exit.Known {
			ended = ""
		}
	case !f.Exit.Known && signs.Told(f) != "":
		ended = "; the text says: " + signs.Told(f)
		end = causes.Link{}
	}
	kill := causes.Link{}
	if f.Kill.Answer == finding.Yes {
		kill = causes.Link{Role: report.RoleDecision,
			Text: strings.TrimSuffix("the kubelet stopped it: "+f.Kill.Message, ": "), At: f.Kill.At, Evidence: f.Kill.Evidence}
	}
	alike := causes.Link{}
	if f.Kin != nil {
		who := "it ended like this another time: "
		if f.Kin.R.PodName != f.R.PodName {
			who = "pod " + f.Kin.R.PodName + " of the same workload ended like this: "
		}
		alike = causes.Link{Role: report.RoleThen, Text: who + causes.Exited(f.Kin, causes.Lifetime(f.Kin)),
			At:       f.Kin.R.From.Finished,
			Evidence: slices.Concat(f.Kin.Exit.Evidence, f.Kin.Kill.Evidence)}
	}
	return &causes.Claim{
		Strength: causes.Weak, Mechanism: likelihood.Through(id), Hedged: true,
		Summary: causes.Who(f) + ": " + w.May + ended,
		Chain: []causes.Link{
			{Cause: id, Text: w.May, At: f.R.From.Finished, Evidence: f.Exit.Evidence},
			alike, kill, end, causes.Said(f), causes.Then(f),
		},
		Needs: slices.Concat(causes.NeedLogs(f), causes.NeedKernelLog(f)),
	}
}

// leads reports whether the first claim has a clear lead over all others together.
func leads(claims []standing) bool {
	total := 0.
	for i := range claims {
		total += claims[i].weight
	}
	return claims[0].weight >= likelihood.Lead*total
}

// Limits on the alternatives: the likeliest, until their total likelihood makes the rest useless.
const (
	named      = .99
	mostOthers = 12
	// fewestOthers are listed however unlikely they are: a possible cause has rivals.
	fewestOthers = 2
)

// alternatives returns the other causes, the likeliest first, with what would decide. If the verdict has a clear lead,
// only those with evidence of their own are listed; otherwise also those that only the form of the end suggests, and
// for an end with too little evidence, all that are left.
func (j *Judge) alternatives(f *finding.Findings, claims, open []standing, c report.Confidence) []report.Alternative {
	var rivals []standing
	total, told := 0., 0.
	if len(claims) > 0 {
		rivals, told = claims[1:], claims[0].weight
	}
	if c != report.Likely && c != report.Proven {
		rivals = j.withOpen(rivals, open)
	}
	for i := range rivals {
		total += rivals[i].weight
	}
	total += told
	var look []string // what is cited for the form of the end
	out := make([]report.Alternative, 0, min(len(rivals), mostOthers))
	for _, s := range rivals {
		w, _ := likelihood.In(s.rule.ID)
		a := report.Alternative{Cause: string(s.rule.ID), Confidence: report.Possible, Decides: w.Decides}
		switch {
		case s.claim != nil && !s.fits:
			a.Text, a.Evidence = s.claim.Summary, cited(s.claim.Chain)
		case c == report.Likely || c == report.Proven || len(out) >= mostOthers ||
			told >= named*total && len(out) >= fewestOthers:
			continue
		default:
			a.Text, a.Evidence = strings.ToUpper(w.May[:1])+w.May[1:], []string{}
			if s.fits {
				if look == nil {
					look = cited([]causes.Link{causes.EndStep(f), causes.Then(f)})
				}
				a.Evidence = look
			}
		}
		told += s.weight
		out = append(out, a)
	}
	return out
}

// withOpen adds to the claims the causes that nothing rules out and only the frequency of such ends suggests. If
// nothing else is left that could be decided, causes that are not known for such ends are added too.
func (j *Judge) withOpen(claims, open []standing) []standing {
	all := slices.Clone(claims)
	for _, fallback := range []bool{false, true} {
		if fallback && slices.ContainsFunc(all, decides) {
			break
		}
		for _, s := range open {
			if known(s.rule.ID) && j.odds.Known(s.rule.ID) != fallback {
				if s.weight = j.odds.Of(s.rule.ID); s.weight > 0 {
					all = append(all, s)
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b standing) int { return cmp.Compare(b.weight, a.weight) })
	return all
}

// decides reports whether some evidence would distinguish the cause from the others.
func decides(s standing) bool {
	w, _ := likelihood.In(s.rule.ID)
	return w.Decides != ""
}
