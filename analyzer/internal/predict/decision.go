package predict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Decision replays the kubelet's decision about the item's pod under the verdict's cause, branch by branch, and says
// whether that is what happened. It is nil where the pod's spec or the kubelet's version is unknown, where the cause
// changes nothing that the decision depends on, and where it depends on unknown feature gates.
func Decision(t *timeline.History, r *timeline.Restart, f *finding.Findings, s sim.Hypothesis) *report.Decision {
	if s == sim.None {
		return nil
	}
	profile := profileOf(f.Versions.At)
	if profile == nil {
		return nil
	}
	g, ok := inputsOf(t, f, profile)
	if !ok {
		return nil
	}
	x := g.state()
	if x == nil {
		return nil
	}
	v := f.Versions.At
	s.Apply(x, g.argument(f.Exit.Code))
	out, trace := x.Play(r.Container, true)
	d := &report.Decision{
		Kubelet: v, ModelledAs: x.Profile.ModelledAs, Supposed: []string{s.Text(r.Container)},
		Assumed: append([]string{}, x.Assumed...), Branches: make([]report.Branch, 0, len(trace)),
		Outcome: textOf(&out), Differs: []string{},
	}
	if !f.Versions.Certain {
		d.Assumed = append(d.Assumed, "the node's kubelet had the same version as now")
	}
	d.Assumed = append(d.Assumed, "feature gates have the defaults of the kubelet's version",
		"the pod had the spec that was read")
	for i := range trace {
		if counts := trace[i].Branch == "restart-count"; counts && (trace[i].Container != r.Container || r.From.Attempt < 0) {
			continue // the count for this one is unknown
		}
		d.Branches = append(d.Branches, branchOf(&trace[i], f))
	}
	h := observe(t, r, f)
	for _, c := range compare(s, r.Container, &out, &h) {
		d.Differs = append(d.Differs, c.text())
	}
	d.Differs = append(d.Differs, said(&out, f)...)
	d.Agrees = len(d.Differs) == 0
	return d
}

// said compares what the kubelet would have logged and counted with what it did. A kill that began for another reason
// first, and a message with placeholder hashes, say nothing.
func said(o *sim.Outcome, f *finding.Findings) []string {
	var out []string
	k := f.Kill
	if i := slices.IndexFunc(o.Messages, func(m decide.Kill) bool { return m.Name == f.R.Container }); i >= 0 &&
		!k.Twice && k.Reason != "" && k.Reason != evidence.KillPod {
		if would := o.Messages[i].Message; would != "" && !strings.Contains(would, " vs ") &&
			!strings.Contains(k.Message, would) {
			out = append(out, "the kubelet would have said: "+would+"; it actually said: "+k.Message)
		}
	}
	if to := f.R.To; o.Counted && to != nil && to.Attempt >= 0 && f.R.From.Attempt >= 0 && to.Attempt != o.Count {
		out = append(out, fmt.Sprintf("the restart count would have been %d; it is %d", o.Count, to.Attempt))
	}
	return out
}

func branchOf(step *decide.Step, f *finding.Findings) report.Branch {
	file, depth := decide.FileOf(step.Function)
	b := report.Branch{
		Depth: depth, Function: step.Function, File: file, Container: step.Container,
		Question: step.Question, Answer: step.Taken, Fact: step.Fact, Then: step.Then,
	}
	if strings.HasSuffix(step.Branch, "hash-differs") {
		// The placeholders for "the same" and "another" hash must not look like real ones.
		switch {
		case !step.Taken:
			b.Fact = "assumed to be the one that this kubelet computes"
		case step.Container == f.R.Container && f.Hashes.Old != "" && f.Hashes.New != "" && f.Hashes.Old != f.Hashes.New:
			b.Fact = "stored " + f.Hashes.Old + ", this kubelet computes " + f.Hashes.New
		default:
			b.Fact = "supposed: the stored hash is different"
		}
	}
	return b
}

// textOf describes an outcome in one line.
func textOf(o *sim.Outcome) string {
	var parts []string
	if len(o.Ended) > 0 {
		parts = append(parts, "stops "+report.Listed(o.Ended))
	}
	if o.NewSandbox {
		parts = append(parts, "creates a new sandbox")
	}
	if len(o.Started) > 0 {
		parts = append(parts, "starts "+report.Listed(o.Started))
	}
	if o.Over {
		parts = append(parts, "restarts nothing: the pod has ended")
	}
	if len(parts) == 0 {
		return "nothing is stopped and nothing is started"
	}
	return "the kubelet " + report.Listed(parts)
}
