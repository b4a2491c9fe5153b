// Package verdict weighs the claims of all causes for one restart, and returns the cause and the confidence. The rules
// for the four words are here and nowhere else:
//
//   - proven: one claim is decisive (its evidence names this instance and this
//     moment), every other cause is contradicted by a fact, and nothing is in doubt.
//   - likely: one claim is decisive but a rival is not ruled out, or one claim is
//     strong and no other is as strong.
//   - possible: several claims are equally strong, or all of them are weak.
//   - unknown: no cause has evidence for it.
//
// What *proven* rests on (docs/adr/0001-what-proven-rests-on.md has the reasons):
//
//  1. Silence needs a witness. That a log does not mention an instance counts only if the log is of the
//     same machine, has no hole at that time, and itself records this instance's end
//     (finding: testifies). It proves nothing alone if the log is a text file: a text that
//     lost a line shows no hole, and no sequence number shows the order (finding: unnoticed).
//  2. What does not fit makes Unknown, never No. A kill, a request to stop or a kernel record that names
//     this instance at a time that does not fit its end is a doubt, not an alibi.
//  3. Order by what cannot step: the line's own time before the journal's, sequence and order within
//     one log; where a clock was set, the coverage of every log that it dates ends.
//  4. Two authorities agree where both were watching: kubelet and runtime, kernel and runtime, spec
//     and event (finding: agree).
//  5. Identity only from what a pod cannot write: trusted fields of the journal, transport and facility;
//     never identifiers or the text of a message.
//  6. What a monitoring system counted is dated by its scrapes and names no process. An end known only from it,
//     a root that only it shows and a rival that only it rules out are *likely* at most (counted.go).
//     It may support evidence from the API or a log.
//
// A doubt (finding.Doubt) is a violation of one of rules 2 to 5. It rules nothing out and bars *proven*.
//
// Nothing is proven where a kubelet took part that is not modelled (finding.Versions Extrapolated): its rules and its
// log messages are assumed. The verdict then says that the behaviour of that kubelet is not known.
//
// A contradiction beats a claim, also a claim of its own cause; a prediction of what the kubelet would have done
// (package predict) beats all but a decisive one. The package may import causes, finding, timeline and report. It knows
// no cause by name except `unknown`.
package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/pool"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Result is a verdict and the root that other restarts may share.
type Result struct {
	Verdict report.Verdict
	Root    *causes.Root
	// Kind is what the item turned out to be; empty keeps its kind.
	Kind report.ItemKind
	// Cited are the lists of ids that the verdict cites, each once. They are valid until the judge decides again.
	Cited [][]string
}

type standing struct {
	rule  *causes.Rule
	claim *causes.Claim // nil: no evidence for it, but nothing against it either
	// weight is its likelihood relative to the others.
	weight float64
	// fits: only the form of the end suggests it.
	fits bool
}

// Predict returns what contradicts a hypothesis, given what the kubelet would have done under it (package predict); nil
// contradicts nothing.
type Predict func(*finding.Findings, sim.Hypothesis) *causes.Against

// Judge weighs the same rules for many restarts. Its verdicts share common parts, so none of them may be changed. It is
// not safe for concurrent use.
type Judge struct {
	rules   []causes.Rule
	predict Predict
	pool    pool.Pool
	// Reused buffers.
	claims, open []standing
	odds         likelihood.Odds
	// told caches what would decide between causes, by their ids.
	told map[string][]report.Decide
	key  []byte
}

// NewJudge returns a judge with these rules. A prediction rules out rivals and weaker claims; it never overrules
// evidence that names this instance and this moment.
func NewJudge(rules []causes.Rule, predict Predict) *Judge {
	return &Judge{rules: rules, predict: predict, told: map[string][]report.Decide{}}
}

// Decide weighs the rules for one restart.
func (j *Judge) Decide(f *finding.Findings) Result {
	res := j.decide(f, true)
	heldUp(f, &res.Verdict)
	res.Verdict.Decide = j.decideOnce(&res.Verdict)
	j.pool.Share(&res.Verdict)
	res.Cited = j.pool.Cited()
	return res
}

// heldUp adds to the answer to an end what is wrong now, which may be something else.
func heldUp(f *finding.Findings, v *report.Verdict) {
	if why := causes.HeldUp(f); why != "" {
		v.Summary += "; it cannot be started again: " + why
		v.Actions = slices.Insert(v.Actions, 0,
			"see first why it cannot be started again ("+why+"): kubectl describe pod "+causes.InPod(f))
	}
}

// Row weighs the rules for one restart as Decide does, and keeps only what a table row shows: cause, mechanism,
// confidence and summary. The rest is most of what a verdict costs.
func (j *Judge) Row(f *finding.Findings) Result {
	f.Brief = true
	res := j.decide(f, false)
	v := &res.Verdict
	heldUp(f, v)
	res.Verdict = report.Verdict{Cause: v.Cause, Mechanism: v.Mechanism, Confidence: v.Confidence, Summary: v.Summary}
	return res
}

// decide judges; whole reports whether more than the answer is needed.
func (j *Judge) decide(f *finding.Findings, whole bool) Result {
	var v report.Verdict
	claims, open := j.claims[:0], j.open[:0]
	never, none := neverRan(f), f.R.Kind == timeline.KindNone
	counted := f.Metrics.Only
	for i := range j.rules {
		r := &j.rules[i]
		against := r.Against(f)
		if !against.Holds() && !r.NeverRan {
			against = never
		}
		if r.Linux && f.Exit.Windows {
			against = causes.Contradict("it ran on Windows, which has no signals, no cgroups and no OOM killer")
		}
		if !against.Holds() && !r.WholePod && f.R.WholePod() {
			against = causes.Contradict("no container of the pod is known to have run")
		}
		if !against.Holds() && none != r.NothingEnded {
			against = ofAnotherKind(f)
		}
		var claim *causes.Claim // one that is contradicted does not count
		if !against.Holds() {
			claim = r.Claim(f)
		}
		if !against.Holds() && j.predict != nil && !none && f.Versions.Extrapolated == "" &&
			(claim == nil || claim.Strength < causes.Decisive) {
			if foreseen := j.predict(f, r.Supposes(f)); foreseen != nil {
				against = *foreseen
			}
		}
		if against.Holds() {
			counted = counted || f.OnlyCounted(against.Evidence)
			if whole {
				j.pool.Rule(string(r.ID), against.Because, against.Evidence)
			}
			continue
		}
		if claim != nil {
			claims = append(claims, standing{rule: r, claim: claim})
		} else {
			open = append(open, standing{rule: r})
		}
	}
	claims, open = j.weigh(f, claims, open)
	if whole {
		v.Eliminated = j.pool.Ruled()
	}
	j.claims, j.open = claims, open
	if len(claims) == 0 || claims[0].claim.Strength == causes.Weak && (f.Kill.Unread && f.Kill.Reason == "" ||
		f.Kill.Answer == finding.Yes && len(claims) == 1 && len(open) == 0) {
		j.open = slices.Concat(claims, open) // the kubelet's own words say more than any guess
		return Result{Verdict: j.unknown(f, v)}
	}
	top := claims[0]
	if top.fits {
		top.claim = fits(f, top.rule.ID)
	}
	v.Confidence = confidence(claims, open, len(f.Doubts) > 0)
	if counted = counted || countedRoot(f, top.claim); counted || f.Versions.Extrapolated != "" {
		v.Confidence = atMostLikely(v.Confidence)
	}
	if f.R.Mentioned() {
		v.Confidence = report.Possible // nobody knows who wrote that, nor about what
	}
	v.Cause, v.Mechanism = string(top.rule.ID), string(top.rule.ID)
	if top.claim.Mechanism != "" {
		v.Mechanism = string(top.claim.Mechanism)
	}
	v.Summary = top.claim.Summary
	if whole || v.Confidence == report.Possible && !top.claim.Hedged {
		v.Alternatives = j.alternatives(f, claims, open, v.Confidence)
	}
	if v.Confidence == report.Possible {
		v.Summary = perhaps(top.claim, v.Alternatives)
	}
	if whole {
		j.back(f, &v, top, counted)
	}
	return Result{Verdict: v, Root: top.claim.Root, Kind: top.claim.Kind}
}

// back adds to a verdict what its claim rests on, what is missing and what to do.
func (j *Judge) back(f *finding.Findings, v *report.Verdict, top standing, counted bool) {
	c := top.claim
	v.Actions = top.rule.Advise(f, c)
	v.Chain = make([]report.Link, 0, len(c.Chain))
	for i := range c.Chain {
		if s := &c.Chain[i]; s.Text != "" {
			v.Chain = append(v.Chain, s.Link(&j.pool))
		}
	}
	roles(v)
	inOrder(v.Chain)
	if v.Confidence != report.Proven {
		needs := slices.Concat(newKubelet(f), inDoubt(f), onlyCounted(counted), c.Needs)
		if len(needs) == 0 && len(v.Alternatives) == 0 {
			needs = unread(f)
		}
		v.Missing = missing(f, needs)
	}
}

// neverRan contradicts everything that needs a running process where there was none.
func neverRan(f *finding.Findings) causes.Against {
	switch {
	case f.R.Kind == timeline.KindRefused && !f.R.WholePod(): // a pod that was refused may be recreated
		return causes.Contradict("the container was never created: "+f.R.Waiting.Reason, f.R.Waiting.Evidence...)
	case f.Exit.NotStarted:
		return causes.Contradict("its process never ran: "+f.Exit.Reason, f.Exit.Evidence...)
	}
	return causes.Against{}
}

// ofAnotherKind contradicts causes of an end where nothing ended, and causes without an end where something did.
func ofAnotherKind(f *finding.Findings) causes.Against {
	if f.R.Kind == timeline.KindNone {
		return causes.Contradict("nothing ended: the container is still running", f.R.From.Records...)
	}
	return causes.Contradict("the container did end", f.R.From.Records...)
}

// roles sets the roles that the rules left empty: the first link is the root, the last the effect, and one in between
// that has the mechanism is that.
func roles(v *report.Verdict) {
	first := 0
	for i := range v.Chain {
		l := &v.Chain[i]
		switch {
		case l.Role == report.RoleBehind && i == first:
			first++
		case l.Role != "":
		case i == first && v.Confidence != report.Unknown:
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
func confidence(claims, open []standing, doubt bool) report.Confidence {
	top := claims[0].claim.Strength
	contested := len(claims) > 1 && claims[1].claim.Strength == top
	switch {
	case top == causes.Decisive && len(claims) == 1 && len(open) == 0 && !doubt:
		return report.Proven
	case top == causes.Decisive && !contested, top == causes.Strong && leads(claims):
		return report.Likely
	}
	return report.Possible
}

// atMostLikely caps the confidence, for what rests on a kubelet that is not modelled, or on counts alone.
func atMostLikely(c report.Confidence) report.Confidence {
	if c == report.Proven {
		return report.Likely
	}
	return c
}

func cited(chain []causes.Link) (ids []string) {
	for _, s := range chain {
		ids = append(ids, s.Evidence...)
	}
	return report.Unique(ids)
}

// stopped says that the kubelet stopped a container for a reason that does not hold or is not known.
func stopped(f *finding.Findings) string {
	said := causes.Who(f) + " was stopped by the kubelet"
	switch {
	case f.Kill.Message == "":
		return said + "; the evidence does not show why"
	case f.LacksProbe(f.Kill.Reason):
		return said + ", which says that a probe failed; but the pod's spec has no such probe (" + f.Kill.Message + ")"
	}
	return said + " (" + f.Kill.Message + "); the evidence does not show what led to that"
}

// unknown fills the verdict with the honest answer: what is known of the end, and what to collect.
func (j *Judge) unknown(f *finding.Findings, v report.Verdict) report.Verdict {
	v.Cause, v.Mechanism, v.Confidence = string(causes.Unknown), string(causes.Unknown), report.Unknown
	v.Summary = fmt.Sprintf("%s ended (%s); the evidence does not show why", causes.Who(f), causes.ExitText(f))
	if !f.Exit.Known {
		v.Summary = causes.Who(f) + " ended; the evidence shows neither why nor with which exit code"
		if line := signs.Told(f); line != "" {
			v.Summary += "; the text says: " + line
		}
	}
	if strings.HasSuffix(f.R.PodUID, evidence.Asked) {
		v.Summary = "the text asks about " + causes.Who(f) + " but does not say how it ended, or whether it ended at all"
	}
	switch {
	case f.Exit.Invented:
		v.Summary = fmt.Sprintf("%s: the kubelet lost its record and recorded the placeholder exit code %d (%s); the "+
			"evidence does not show how it ended", causes.Who(f), f.Exit.Code, f.Exit.Reason)
	case f.Kill.Answer == finding.Yes && f.R.Pod != nil && f.R.Pod.Reason != "":
		v.Summary = fmt.Sprintf("%s was stopped with its pod; the pod's status says %s: %s",
			causes.Who(f), f.R.Pod.Reason, f.R.Pod.Message)
	case f.Kill.Answer == finding.Yes:
		v.Summary = stopped(f)
	}
	steps := []causes.Link{}
	if l := f.R.From.Logged; l != nil {
		file := strconv.Itoa(l.Number) + ".log"
		v.Summary = causes.Who(f) + " ended; only its log file " + file + " shows that it ran, and nothing shows how it ended"
		text := "it wrote " + file
		if !l.Changed.IsZero() {
			text += ", with the last line at " + l.Changed.UTC().Format(time.RFC3339)
		}
		steps = append(steps, causes.Link{Text: text, At: l.Begun, Evidence: f.R.From.Records[:1:1]})
		v.Actions = append(v.Actions, "read its last lines, on "+causes.TheNode(f)+": tail "+
			report.Quote(fmt.Sprintf("/var/log/pods/%s_%s_%s/%s/%s", f.R.Namespace, f.R.PodName, f.R.PodUID,
				f.R.Container, file)))
	}
	if f.Kill.Answer == finding.Yes {
		steps = append(steps, causes.Link{Text: "the kubelet killed it: " + f.Kill.Message,
			At: f.Kill.At, Evidence: f.Kill.Evidence})
	}
	for _, s := range append(steps, causes.EndStep(f), causes.Then(f)) {
		v.Chain = append(v.Chain, s.Link(&j.pool))
	}
	roles(&v)
	v.Alternatives = j.alternatives(f, nil, j.open, report.Unknown)
	needs := slices.Concat(newKubelet(f), inDoubt(f), causes.NeedKubeletLog(f),
		causes.NeedRuntimeLog(f), causes.NeedKernelLog(f))
	v.Missing = missing(f, needs)
	var commands []string
	for _, m := range v.Missing {
		if m.Command == "" || slices.Contains(commands, m.Command) {
			continue
		}
		commands = append(commands, m.Command)
		where := ""
		if m.Node != "" {
			where = ", on " + causes.TheNode(f) + " as root"
		}
		v.Actions = append(v.Actions, "read "+m.What+where+": "+m.Command)
	}
	return v
}
