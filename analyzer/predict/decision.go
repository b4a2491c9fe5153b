package predict

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
)

// Decision replays the kubelet's decision about the item's pod under the verdict's cause, branch by branch, and says
// whether that is what happened. It is nil where the pod's spec or the kubelet's version is not known, where the cause
// changes nothing that the decision looks at, and where feature gates decide that nobody has told.
func Decision(t *timeline.Timeline, r *timeline.Restart, f *finding.Findings, cause causes.ID) *report.Decision {
	s := supposed(cause, f)
	if s == None {
		return nil
	}
	x, ok := sceneOf(t, r, f)
	if !ok {
		return nil
	}
	v := f.Versions.At
	was := x.clone()
	s.apply(x, f.Exit.Code)
	out, trace := x.play(true)
	d := &report.Decision{
		Kubelet: v, ModelledAs: x.profile.ModelledAs, Supposed: []string{strings.ReplaceAll(says[s], "{c}", r.Container)},
		Assumed: append([]string{}, x.assumed...), Branches: make([]report.Branch, 0, len(trace)), Outcome: out.Text(), Differs: []string{},
	}
	if !f.Versions.Certain {
		d.Assumed = append(d.Assumed, "the node's kubelet is taken to have had the version that it has now")
	}
	d.Assumed = append(d.Assumed, "feature gates are taken to be as the kubelet's version has them", "the pod's spec is the one that was read")
	for i := range trace {
		if counts := trace[i].Branch == "restart-count"; counts && (trace[i].Container != r.Container || r.From.Attempt < 0) {
			continue // the count of this one is not known
		}
		d.Branches = append(d.Branches, branchOf(&trace[i], f))
	}
	h := observe(t, r, f)
	for _, c := range compare(s, was, &out, &h) {
		d.Differs = append(d.Differs, c.text)
	}
	d.Agrees = len(d.Differs) == 0
	return d
}

// supposed is what a cause supposes for this item. A runtime that was restarted takes the sandbox along, or the container
// alone; the probe that killed is told by the kubelet's words where one cause stands for both probes.
func supposed(cause causes.ID, f *finding.Findings) Supposition {
	s := of[cause]
	if cause == causes.RuntimeRestarted && f.Sandbox.Changed.Answer != finding.Yes {
		return Ended
	}
	return s
}

func branchOf(step *decide.Step, f *finding.Findings) report.Branch {
	file, depth := decide.FileOf(step.Function)
	b := report.Branch{
		Depth: depth, Function: step.Function, File: file, Container: step.Container,
		Question: step.Question, Answer: step.Taken, Fact: step.Fact, Then: step.Then,
	}
	if strings.HasSuffix(step.Branch, "hash-differs") {
		// The numbers that stand for "the same" and "another one" must not be read as real ones.
		switch {
		case !step.Taken:
			b.Fact = "taken to be the one that this kubelet computes"
		case step.Container == f.R.Container && f.Hashes.Old != "" && f.Hashes.New != "" && f.Hashes.Old != f.Hashes.New:
			b.Fact = "stored " + f.Hashes.Old + ", this kubelet computes " + f.Hashes.New
		default:
			b.Fact = "supposed: the stored hash is another one"
		}
	}
	return b
}

// Text says an outcome in one line.
func (o *Outcome) Text() string {
	var parts []string
	if len(o.Ended) > 0 {
		parts = append(parts, "stops "+list(o.Ended))
	}
	if o.NewSandbox {
		parts = append(parts, "makes a new sandbox")
	}
	if len(o.Started) > 0 {
		parts = append(parts, "starts "+list(o.Started))
	}
	if o.Over {
		parts = append(parts, "starts nothing again: the pod is over")
	}
	if len(parts) == 0 {
		return "nothing is stopped and nothing is started"
	}
	return "the kubelet " + list(parts)
}

// list joins with commas and a last "and".
func list(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// difference is one point in which a prediction and what happened part.
type difference struct {
	point    point
	text     string
	evidence []string
}

// point names what differs.
type point uint8

const (
	notKilled   point = iota // the decision does not stop the container
	notStarted               // it was started again, and the decision would leave it down
	newSandbox               // the pod kept its sandbox, and the decision replaces it
	sameSandbox              // the pod got another sandbox, and the decision keeps it
	initRuns                 // init containers did not run again, and the decision runs them
	initStays                // they did, and the decision leaves them alone
	ranOn                    // another container ran on, and the decision stops it
)

// compare holds an outcome against what happened. Only what is known differs.
func compare(s Supposition, was *scene, o *Outcome, h *happened) []difference {
	var out []difference
	add := func(p point, text string, evidence []string) { out = append(out, difference{p, text, evidence}) }
	who := was.who
	if s.kills() && !slices.Contains(o.Ended, who) {
		add(notKilled, "the kubelet would not have stopped "+who, nil)
	}
	if h.started && !slices.Contains(o.Started, who) {
		add(notStarted, who+" was started again; the kubelet would have left it down", h.startedEvidence)
	}
	switch {
	case o.NewSandbox && h.sandbox == finding.No:
		add(newSandbox, who+" was started again in the same sandbox; the kubelet would have made a new one", h.sandboxEvidence)
	case !o.NewSandbox && h.sandbox == finding.Yes:
		add(sameSandbox, "the pod got a new sandbox; the kubelet would have kept the old one", h.sandboxEvidence)
	}
	switch {
	case o.InitAgain && h.initKept != nil && o.NewSandbox:
		add(initRuns, "init container "+h.initKept.name+" did not run again; the kubelet would have run it first", h.initKept.evidence)
	case !o.InitAgain && h.initAgain != nil:
		add(initStays, "init container "+h.initAgain.name+" ran again; the kubelet would not have run it", h.initAgain.evidence)
	}
	for _, c := range h.ranOn {
		if slices.Contains(o.Ended, c.name) || s == NodeDown {
			add(ranOn, "container "+c.name+" ran on; the kubelet would have stopped it too", c.evidence)
		}
	}
	return out
}

// kills: the supposition leaves the container running, so that its end is the kubelet's doing.
func (s Supposition) kills() bool {
	switch s {
	case LivenessFailed, StartupFailed, DefinitionDiffer, ResizeRestarts, ResizeNoRecord, SandboxNotReady, SandboxMissing, SandboxSeveral,
		SandboxNetwork, SandboxNoAddress, CgroupMissing, PodFailed, PodDeleted, PodDeadline, PodRejected:
		return true
	}
	return false
}
