package predict

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Predictor compares causes with what happened, for the restarts of one timeline. It caches outcomes: equal pods of
// equal kubelets under equal hypotheses are decided once. It is not safe for concurrent use.
type Predictor struct {
	t        *timeline.History
	outcomes map[key]*sim.Outcome
	pods     map[*corev1.PodSpec]int // the number of a pod's spec; equal specs have one number
	specs    map[string]int
	profiles map[string]*kubelet.Profile
	now      current
}

// current is the restart of the last call.
type current struct {
	r      *timeline.Restart // a Findings may be reused for the next one
	f      *finding.Findings
	known  bool // whether any prediction could fail
	inputs inputs
	h      happened
	key    key
	// oneSync: the kill of the old instance and the start of the new one were one call of SyncPod.
	oneSync bool
	// against caches the answers: many causes have the same hypothesis.
	against [sim.Hypotheses]*causes.Against
	asked   [sim.Hypotheses]bool
}

// New returns a predictor for the restarts of a timeline.
func New(t *timeline.History) *Predictor {
	return &Predictor{t: t, outcomes: map[key]*sim.Outcome{}, pods: map[*corev1.PodSpec]int{},
		specs: map[string]int{}, profiles: map[string]*kubelet.Profile{}}
}

// Against returns what contradicts a cause: what the kubelet would have done under its hypothesis, and what is known
// to have happened instead. It is nil where nothing does, and where too little is known.
func (p *Predictor) Against(f *finding.Findings, s sim.Hypothesis) *causes.Against {
	if !s.Refutable() || !p.load(f) {
		return nil
	}
	now := &p.now
	if !now.asked[s] {
		now.asked[s], now.against[s] = true, p.judge(s)
	}
	return now.against[s]
}

func (p *Predictor) judge(s sim.Hypothesis) *causes.Against {
	now := &p.now
	out := p.outcome(s, now.f.Exit.Code)
	if out == nil {
		return nil
	}
	for _, d := range compare(s, now.f.R.Container, out, &now.h) {
		if !now.eliminates(s, d.point) {
			continue
		}
		if d.point == notKilled {
			d.evidence = now.f.Versions.Evidence
		}
		return &causes.Against{Because: because(d, &now.inputs), Evidence: d.evidence}
	}
	return nil
}

// load makes f the present restart and reports whether enough is known about it for any prediction to fail.
func (p *Predictor) load(f *finding.Findings) bool {
	if p.now.f != f || p.now.r != f.R {
		p.now = current{r: f.R, f: f}
		if f.R.To == nil || f.R.Pod == nil || f.R.Pod.Object == nil || crowded(f.R) {
			return false
		}
		h := observe(p.t, f.R, f)
		policy := f.R.Pod.Object.Spec.RestartPolicy
		kept := policy == corev1.RestartPolicyAlways || policy == ""
		if kept && h.sandbox == finding.Unknown && h.initAgain.Answer != finding.Yes &&
			h.initKept == nil && len(h.ranOn) == 0 && f.R.ContainerKind == evidence.KindApp {
			return false // nothing could contradict any hypothesis
		}
		profile := p.profile(f.Versions.At)
		if profile == nil {
			return false
		}
		g, ok := inputsOf(p.t, f, profile)
		if !ok {
			return false
		}
		p.now = current{r: f.R, f: f, known: true, inputs: g, h: h, key: p.keyOf(&g), oneSync: startsInTheSameSync(f)}
	}
	return p.now.known
}

func (p *Predictor) profile(version string) *kubelet.Profile {
	known, ok := p.profiles[version]
	if !ok {
		known = profileOf(version)
		p.profiles[version] = known
	}
	return known
}

// startsInTheSameSync reports whether one call of SyncPod killed the old instance and started the new one. It does,
// unless earlier crashes delay that or the kubelet is restarted in between: then another decision may have followed.
func startsInTheSameSync(f *finding.Findings) bool {
	from := f.R.From
	if f.NodeEvents.Kubelet.Answer == finding.Yes || f.NodeEvents.Runtime.Answer == finding.Yes {
		return false
	}
	return from.Attempt == 0 || f.R.To.Attempt == 1 || !from.Started.IsZero() &&
		from.Finished.Sub(from.Started) > tolerance.Forgets
}

// eliminates reports whether a difference rules a hypothesis out, rather than having another possible reason.
func (now *current) eliminates(s sim.Hypothesis, p point) bool {
	f := now.f
	switch p {
	case notKilled:
		return f.Versions.Certain
	case notStarted:
		return (f.Versions.Certain || s == sim.Ended && !now.ownPolicies()) && now.recorded()
	case newSandbox, initRuns, ranOn:
		return s.Whole()
	case sameSandbox, initStays:
		// After a container that ended by itself, anything may have followed.
		return s.Kills() && now.oneSync && now.h.soon
	}
	return false
}

// ownPolicies reports whether a container of the pod has its own restart policy, which not every version reads.
func (now *current) ownPolicies() bool {
	own := func(c corev1.Container) bool { return c.RestartPolicy != nil }
	spec := now.inputs.object.Spec
	return slices.ContainsFunc(spec.Containers, own) || slices.ContainsFunc(spec.InitContainers, own)
}

// recorded reports whether the runtime still had the old instance's record when the new one ran, and knew its state.
// Without a record a container is started whatever its policy says (container/helpers.go ShouldContainerBeRestarted).
// The API is enough up to 1.34: for a running container its last state comes only from the runtime's second record
// (kubelet_pods.go convertToAPIContainerStatuses); RestartAllContainers keeps it without one.
func (now *current) recorded() bool {
	f := now.f
	if f.UnknownState.Answer == finding.Yes || f.NodeEvents.Runtime.Answer == finding.Yes ||
		f.Exit.Invented || f.Exit.Lost || f.R.From.ID == "" {
		return false
	}
	api := now.inputs.profile.Minor <= 34 && f.R.To.State == evidence.StateRunning
	for _, m := range f.R.From.Marks {
		r, ok := m.Obs.Fact.(evidence.ContainerRecord)
		if ok && r.State == evidence.StateExited &&
			(m.Obs.Source.Kind == evidence.SourceCRI || api && m.Obs.Source.Kind == evidence.SourceAPI && r.Last) {
			return true
		}
	}
	return false
}

// because describes a contradiction: what the kubelet's function does, and what happened.
func because(d difference, g *inputs) string {
	by := " (kubelet " + g.profile.ModelledAs + " "
	switch d.point {
	case notKilled:
		return "the kubelet of that version does not stop " + d.name + " for it" + by + "computePodActions)"
	case notStarted:
		return "the kubelet would have left " + d.name + " stopped because of restartPolicy " +
			string(g.object.Spec.RestartPolicy) + " wants" + by + "ShouldContainerBeRestarted), but it restarted"
	case newSandbox:
		return "the kubelet would have put the pod into a new sandbox" + by +
			"PodSandboxChanged); " + d.name + " restarted in the old one"
	case sameSandbox:
		return "the kubelet would have killed one container for it and kept the sandbox" +
			by + "computePodActions), but the pod got a new sandbox at that moment"
	case initRuns:
		return "the kubelet would have run the init containers again" + by +
			"computePodActions); " + d.name + " did not run again"
	case initStays:
		return "the kubelet would have killed one container for it and left the init containers alone" +
			by + "computePodActions), but they ran again at that moment"
	case ranOn:
		return "the whole pod would have been stopped" + by + "computePodActions); container " + d.name + " ran on"
	}
	return ""
}
