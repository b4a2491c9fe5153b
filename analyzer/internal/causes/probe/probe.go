// Package probe holds the causes in which the kubelet killed a container because
// a probe failed as often as its threshold allows.
//
// Rules only: findings in, claims out. See package causes.
package probe

import (
	"fmt"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	worker "github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// kind is what differs between the two probes.
type kind struct {
	id     causes.ID
	reason evidence.KillReason
	name   string
	worker worker.Kind
	probe  finding.ProbeKind
	spec   func(*evidence.Container) *evidence.Probe
	failed func(*finding.Findings) []timeline.Occurrence
	count  func(*finding.Findings) finding.ProbesCounted
	advice []string // what its log may show, and which settings help
	none   string   // the text for a container without such a probe
}

var liveness = kind{
	causes.LivenessProbeFailed, evidence.KillLiveness, "liveness", worker.Liveness, finding.Liveness,
	func(c *evidence.Container) *evidence.Probe { return c.Liveness },
	func(f *finding.Findings) []timeline.Occurrence { return f.Probes.Liveness },
	func(f *finding.Findings) finding.ProbesCounted { return f.Metrics.Liveness },
	[]string{"look for what it was doing when the probe failed: {logs}", "if it is only slow, raise the probe's " +
		"timeoutSeconds or failureThreshold; if only its start is slow, add a startupProbe"},
	"the container has no liveness probe",
}

var startup = kind{
	causes.StartupProbeFailed, evidence.KillStartup, "startup", worker.Startup, finding.Startup,
	func(c *evidence.Container) *evidence.Probe { return c.Startup },
	func(f *finding.Findings) []timeline.Occurrence { return f.Probes.Startup },
	func(f *finding.Findings) finding.ProbesCounted { return f.Metrics.Startup },
	[]string{"look for what keeps it from starting: {logs}", "if it only needs more time, raise failureThreshold or " +
		"periodSeconds of its startupProbe"},
	"the container has no startup probe",
}

// probeThatKilled returns the hypothesis for the probe that the kubelet named.
func probeThatKilled(f *finding.Findings) sim.Hypothesis {
	switch f.Kill.Reason {
	case evidence.KillStartup:
		return sim.StartupFailed
	case evidence.KillLiveness:
		return sim.LivenessFailed
	}
	return sim.None
}

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{
		{ID: causes.ProbeTimeoutEnforced, HypothesisOf: probeThatKilled,
			Title: "The kubelet started to enforce the timeout of exec probes",
			Claim: timeout, Against: againstTimeout,
			Do: causes.Always("raise the exec probe's timeoutSeconds (default 1 s), or make the command faster")},
		{ID: causes.StartupProbeRerun, Hypothesis: sim.StartupFailed,
			Title: "The startup probe ran again after a kubelet restart and failed",
			Claim: rerun, Against: causes.Any(startup.never, againstRerun),
			Do: causes.Always("make the startup probe pass at any time while the container runs, or use kubelets v1.35 and " +
				"newer, which do not run it again")},
		{ID: causes.ProbeFailuresCarriedOver, Hypothesis: sim.LivenessFailed,
			Title: "Probe failures of the previous container counted against the next one",
			Claim: carried, Against: causes.Any(liveness.never, againstCarried),
			Do: causes.Always("set an initialDelaySeconds that covers the start, so that the probe's first run in a new " +
				"container passes; kubelets since v1.11 reset the failures after a kill")},
		{ID: liveness.id, Hypothesis: sim.LivenessFailed,
			Title: "The liveness probe failed and the kubelet killed the container",
			Claim: liveness.claim, Against: causes.Any(liveness.never, liveness.rooted), Do: causes.Always(liveness.advice...)},
		{ID: startup.id, Hypothesis: sim.StartupFailed,
			Title: "The startup probe failed and the kubelet killed the container",
			Claim: startup.claim, Against: causes.Any(startup.never, startup.rooted), Do: causes.Always(startup.advice...)},
	}
}

func (k *kind) claim(f *finding.Findings) *causes.Claim {
	var s causes.Strength
	counted := false // the only evidence is that the probe failed as often as all restarts require
	switch {
	case f.Kill.Answer == finding.Yes && f.Kill.Reason == k.reason && f.Kill.Late:
		s = causes.Weak // it was decided about a container that had ended
	case f.Kill.Answer == finding.Yes && f.Kill.Reason == k.reason && (f.Kill.Unlogged || !causes.StatedReason(f)):
		s = causes.Strong // its log does not have it, or the pod was ending anyway
	case k.id == liveness.id && tooFew(f):
		s = causes.Weak // its own failures cannot be enough
	case f.Kill.Answer == finding.Yes && f.Kill.Reason == k.reason && signs.Young(f, k.probe):
		s = causes.Strong // failures of its own cannot be enough, and nothing shows those of the one before
	case k.apart(f):
		s = causes.Strong // a clock was set between them, or the log lost lines
	case perhapsTimedOut(f) == k:
		s = causes.Strong // something else may be behind it
	case f.Kill.Answer == finding.Yes && f.Kill.Reason == k.reason:
		s = causes.Decisive // the kubelet's own message about this container
	case f.Kill.Answer == finding.Yes && f.Kill.Reason == "" && (k.reached(f) || k.announced(f)):
		s = causes.Strong
	case k.mayHaveStopped(f) && k.reached(f):
		s = causes.Strong
	case k.asBefore(f), k.scraped(f):
		s = causes.Strong
	case k.mayHaveStopped(f) && signs.PerRestart(f, k.probe):
		s, counted = causes.Strong, true
	case k.scrapedSome(f):
		s = causes.Weak // the threshold is no longer known
	case k.mayHaveStopped(f) && f.R.Spec != nil && k.spec(f.R.Spec) != nil:
		s = causes.Weak // possible, and its traces would be gone
	default:
		return nil
	}
	switch {
	case (k.scraped(f) || k.scrapedSome(f)) && !k.reached(f):
		return k.byScrapes(f, s)
	case k.asBefore(f) && !k.reached(f):
		return k.again(f)
	}
	steps := append(make([]causes.Link, 0, 4), k.failure(f))
	what := steps[0].Text
	summary, untold := "", counted || s == causes.Weak && !(k.id == liveness.id && tooFew(f))
	if untold {
		left, seen := k.left(f)
		summary = causes.Who(f) + ": it ended like a container whose " + k.name + " probe failed; " + left
		steps[0].Text, steps[0].Evidence = "its "+k.name+" probe may have failed", slices.Concat(f.Exit.Evidence, seen)
	} else {
		summary = fmt.Sprintf("%s: the kubelet killed it because %s%s", causes.Who(f), what, schedule(f, k))
	}
	if due := k.due(f); due != "" {
		steps = append(steps, causes.Link{Text: due, At: f.Kill.At, Evidence: f.R.From.Records})
	}
	if f.Kill.Answer == finding.Yes {
		steps = append(steps, causes.Link{Role: report.RoleDecision, Text: decision(f),
			At: f.Kill.At, Evidence: f.Kill.Evidence})
	}
	steps = append(steps, causes.EndStep(f), causes.Then(f))
	return &causes.Claim{
		Strength: s, Chain: steps, Needs: causes.NeedKubeletLog(f),
		Summary: summary, Hedged: untold,
	}
}

// left returns what is known of the probe where nothing dates its failures before this end.
func (k *kind) left(f *finding.Findings) (words string, seen []string) {
	count, _, seen := signs.Failed(f, k.probe)
	switch {
	case f.Kill.Answer == finding.Yes && f.Kill.Reason == k.reason && f.Kill.Late:
		return "the kubelet decided to kill it for that, when it had ended", f.Kill.Evidence
	case signs.PerRestart(f, k.probe):
		return fmt.Sprintf("the probe failed %d times, which fits a kill for each restart", count), seen
	case count > 0:
		return "the probe failed at other times, and may have failed then", seen
	}
	return "no trace of the probe is left", nil
}

// reached reports whether enough failures right before the end are known.
func (k *kind) reached(f *finding.Findings) bool {
	threshold := 3
	if f.R.Spec != nil {
		p := k.spec(f.R.Spec)
		if p == nil {
			return false
		}
		threshold = int(p.FailureThreshold)
	}
	count := 0
	for _, m := range k.failed(f) {
		p := m.Obs.Fact.(evidence.ProbeFailed)
		if m.At.Equal(m.Obs.Time) {
			count += max(1, p.Count)
		}
		if end := f.R.From.Finished; !end.IsZero() && end.Sub(m.At) > tolerance.ProbesBefore {
			return false
		}
	}
	return count >= threshold
}

// announced reports whether the last failure was the one that the kubelet's sync loop called unhealthy right before the
// kill: for sidecars the log has no other reason (kubelet v1.29 kuberuntime_container.go computeInitContainerActions).
func (k *kind) announced(f *finding.Findings) bool {
	marks := k.failed(f)
	if len(marks) == 0 || f.Kill.At.IsZero() || f.R.Spec != nil && k.spec(f.R.Spec) == nil {
		return false
	}
	before := f.Kill.At.Sub(marks[len(marks)-1].At)
	return signs.Unhealthy(f, k.probe) && before > -tolerance.Jitter && before < tolerance.OneSync
}

// never contradicts every kill for the probe: the container has none, was killed for another reason, or was too young.
func (k *kind) never(f *finding.Findings) causes.Against {
	if s := f.R.Spec; s != nil && k.spec(s) == nil {
		return causes.Contradict(k.none)
	}
	return causes.FirstOf(f, causes.KilledForAnotherReason(k.reason), k.neverRan)
}

// neverRan contradicts a kill for a probe of a container that ended before the probe can have run.
func (k *kind) neverRan(f *finding.Findings) causes.Against {
	if f.Kill.Answer == finding.Yes || !signs.TooYoung(f, finding.ProbeKind(k.name)) {
		return causes.Against{}
	}
	return causes.Contradict(fmt.Sprintf("it ended%s, before its first %s probe (initialDelaySeconds %d)",
		causes.Lifetime(f), k.name, k.spec(f.R.Spec).InitialDelay), f.R.From.Records...)
}

// decision returns the kubelet's decision about a container whose probe failed, with its own message if known.
func decision(f *finding.Findings) string {
	const decided = "the kubelet decided to kill and restart it (computePodActions)"
	if f.Kill.Message == "" {
		return decided
	}
	return decided + ": " + f.Kill.Message
}

const tookLonger = "it failed because the kubelet started to enforce its timeout"

// rooted contradicts the plain failure where it has its own root.
func (k *kind) rooted(f *finding.Findings) causes.Against {
	if f.Kill.Answer != finding.Yes {
		return causes.Against{} // none of them claims without a kill
	}
	for _, c := range [...]struct {
		claim func(*finding.Findings) *causes.Claim
		why   string
	}{
		{timeout, tookLonger},
		{rerun, "it had passed, and ran again because the kubelet restarted"},
		{carried, "it failed fewer times than its threshold; the previous container's failures made up the rest"},
	} {
		if claim := c.claim(f); claim != nil && claim.Mechanism == k.id &&
			!(c.why == tookLonger && perhapsTimedOut(f) != nil) && !tooFew(f) {
			return causes.Contradict(c.why, claim.Chain[0].Evidence...)
		}
	}
	return causes.Against{}
}

// killed returns the links for the kubelet's decision and what followed.
func (k *kind) killed(f *finding.Findings) []causes.Link {
	failed := k.failure(f)
	failed.Role = report.RoleMechanism
	return []causes.Link{failed,
		{Role: report.RoleDecision, Text: decision(f), At: f.Kill.At, Evidence: f.Kill.Evidence},
		causes.EndStep(f), causes.Then(f)}
}

// failure returns the link for the probe's last failure, which is that of the kill where none is known.
func (k *kind) failure(f *finding.Findings) causes.Link {
	l := causes.Link{Cause: k.id, Text: "its " + k.name + " probe failed", At: f.Kill.At, Evidence: f.Kill.Evidence}
	if marks := k.failed(f); len(marks) > 0 {
		last := marks[len(marks)-1]
		l.At, l.Evidence = last.At, evidenceOf(marks)
		if p := last.Obs.Fact.(evidence.ProbeFailed); !p.Output.Empty() {
			l.Text += ": " + p.Output.String()
		}
	}
	return l
}

func schedule(f *finding.Findings, k *kind) string {
	if f.R.Spec == nil {
		return ""
	}
	p := k.spec(f.R.Spec)
	if p == nil {
		return ""
	}
	return fmt.Sprintf(" (%s every %d s, killed after %d failures)", p.Handler, p.Period, p.FailureThreshold)
}

func evidenceOf(marks []timeline.Occurrence) []string {
	var out []string
	for i := max(0, len(marks)-3); i < len(marks); i++ {
		if n := len(out); n == 0 || out[n-1] != marks[i].Obs.ID {
			out = append(out, marks[i].Obs.ID)
		}
	}
	return out
}
