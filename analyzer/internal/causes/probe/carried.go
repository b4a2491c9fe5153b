package probe

import (
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	worker "github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// carried is decisive given the kubelet's messages and the clock: the kill came before this container can have failed
// as often as its threshold requires, and the same kubelet process had counted failures of the previous one. A worker's
// count outlives its container in every version; up to 1.10 even after a kill (kubelet v1.10 prober/worker.go doProbe,
// reset since 1.11).
func carried(f *finding.Findings) *causes.Claim {
	if tooFew(f) {
		return early(f)
	}
	if f.Kill.Answer != finding.Yes || f.Kill.Reason != liveness.reason {
		return nil
	}
	x, ok := liveness.setting(f)
	if !ok || x.run != nil || f.R.Prev == nil || !oneProcess(f) || f.R.From.StartByPLEG() {
		return nil // a start that is logged late makes the kill look early
	}
	own, err := worker.KillWindow(x.rules, x.spec, x.life)
	if err != nil || !x.kill.Before(own.Earliest.Add(-tolerance.Slack)) {
		return nil
	}
	count, ids := countedBefore(f.R.Prev, x.spec)
	x.life.Carried = count
	with, err := worker.KillWindow(x.rules, x.spec, x.life)
	if err != nil || count == 0 || with.Failures >= own.Failures || x.kill.Before(with.Earliest.Add(-tolerance.Slack)) {
		return nil
	}
	what := fmt.Sprintf("%d of %d liveness probe failures were carried over from the previous container",
		own.Failures-with.Failures, own.Failures)
	steps := []causes.Link{
		{Cause: causes.ProbeFailuresCarriedOver, Text: what, At: f.R.Prev.End(), Evidence: ids},
		{Text: fmt.Sprintf("%d failures of its own take at least %s, but the kill came %s after its start",
			own.Failures, own.Earliest.Sub(x.life.ContainerStarted).Round(time.Second),
			x.kill.Sub(x.life.ContainerStarted).Round(time.Second)), At: x.kill, Evidence: f.R.From.Records},
	}
	return &causes.Claim{
		Mechanism: liveness.id, Strength: causes.Decisive, Chain: append(steps, liveness.killed(f)...),
		Needs:   causes.NeedKubeletLog(f),
		Summary: fmt.Sprintf("%s: the kubelet killed it after too few failures of its own, because %s", causes.Who(f), what),
	}
}

// oneProcess reports whether the kubelet that killed had also seen the end of the previous container.
func oneProcess(f *finding.Findings) bool {
	end := f.R.Prev.End()
	if end.IsZero() || !f.Versions.SameProcess {
		return false
	}
	made, _ := f.Node.KubeletAt(end)
	now, _ := f.Node.KubeletAt(f.Kill.At)
	return made != nil && made == now
}

// countedBefore returns how many failures were counted for the previous container when it ended, and the evidence: its
// threshold after a kill for the probe, else the failed runs right before its own end.
func countedBefore(prev *timeline.Restart, spec worker.Spec) (count int, ids []string) {
	var last time.Time
	for _, m := range prev.From.Marks {
		switch fact := m.Obs.Fact.(type) {
		case evidence.KillDecided:
			if fact.Reason == evidence.KillLiveness && !m.Obs.Source.Event() {
				return int(spec.FailureThreshold), []string{m.Obs.ID}
			}
		case evidence.KillStarted:
			return 0, nil // killed for something else: then the probe's failures do not matter
		case evidence.ProbeFailed:
			// Events are aggregated; only lines are single runs.
			if fact.Errored || fact.Probe != evidence.ProbeLiveness || m.Obs.Source.Kind == evidence.SourceAPI {
				continue
			}
			if m.At.Sub(last) > gap(spec) {
				count, ids = 0, nil // a successful run lay between
			}
			last, count, ids = m.At, count+1, append(ids, m.Obs.ID)
		}
	}
	if end := prev.From.Finished; end.IsZero() || end.Sub(last) > gap(spec) {
		return 0, nil
	}
	return min(count, int(spec.FailureThreshold)-1), ids
}

// gap returns the longest time between two consecutive runs.
func gap(spec worker.Spec) time.Duration {
	return evidence.Seconds(max(spec.Period, spec.Timeout)) + evidence.Seconds(spec.Timeout) + tolerance.Slack
}

func againstCarried(f *finding.Findings) causes.Against {
	r := f.R
	if r.Prev == nil && (r.From.Attempt == 0 || r.To != nil && r.To.Attempt == 1) {
		return causes.Contradict("it was the first container with its name in the pod", r.From.Records...)
	}
	if run, _ := f.Node.KubeletAt(r.End()); run != nil && !r.From.Started.IsZero() && run.Start.After(r.From.Started) {
		return causes.Contradict("the kubelet restarted while the container ran, so its failure counts were reset",
			run.Obs.ID)
	}
	if id := killedForLiveness(r.Prev); id != "" && !slices.Contains(f.Kill.Evidence, id) &&
		release.Known(f.Versions.At) >= forgetsFrom(f) {
		return causes.Contradict(
			"the previous container was killed for its probe, and kubelets since v1.11 reset the failures after a kill", id)
	}
	if r.Spec == nil {
		return causes.Against{}
	}
	p := r.Spec.Liveness
	if a := spotless(f, r.Prev, worker.Spec{Period: p.Period, Timeout: max(1, p.Timeout),
		FailureThreshold: p.FailureThreshold}); a.Holds() {
		return a
	}
	if liveness.counted(f, int(p.FailureThreshold)) {
		return causes.Contradict(fmt.Sprintf("%d failures of its own were seen", p.FailureThreshold),
			evidenceOf(liveness.failed(f))...)
	}
	if early := killedAt(f); r.Spec.Startup == nil && !early.IsZero() && !r.From.Started.IsZero() && !lacks(f, early) {
		took := evidence.Seconds(int64(p.InitialDelay) + (int64(p.FailureThreshold)-1)*int64(p.Period))
		if lived := early.Sub(r.From.Started); lived >= took+tolerance.Slack {
			return causes.Contradict(fmt.Sprintf("its kill began %s after its start or later, and its own failures can "+
				"reach the threshold after %s", lived.Round(time.Second), took), r.From.Records...)
		}
	}
	return causes.Against{}
}

// lacks reports whether a log that has failed runs has fewer of this container than the threshold. A clock that was set
// meanwhile makes a short life look long, but does not change the count.
func lacks(f *finding.Findings, kill time.Time) bool {
	ok, verbosity := f.KubeletLogCovers(f.R.From.Started, kill)
	return ok && verbosity >= 1 && !liveness.counted(f, int(f.R.Spec.Liveness.FailureThreshold))
}

// forgetsFrom returns the first minor that resets the failures which led to a kill. If the version is only the node's
// present one, it may be some minors newer than that of the kubelet that decided.
func forgetsFrom(f *finding.Findings) int {
	if f.Versions.Certain {
		return 11
	}
	return 14
}

// killedForLiveness returns the kubelet's line that it killed a container for its liveness probe, "" without one. An
// event of it rules nothing out: anyone who may create events may have written it.
func killedForLiveness(r *timeline.Restart) string {
	if r == nil {
		return ""
	}
	for _, m := range r.From.Marks {
		if k, ok := m.Obs.Fact.(evidence.KillDecided); ok && k.Reason == evidence.KillLiveness && !m.Obs.Source.Event() &&
			(r.From.Finished.IsZero() || r.From.Finished.Sub(m.At) < tolerance.LongAgo) {
			return m.Obs.ID
		}
	}
	return ""
}

// spotless contradicts where the log covers the last probe runs of the previous container, and none of them failed.
func spotless(f *finding.Findings, prev *timeline.Restart, spec worker.Spec) causes.Against {
	if prev == nil || prev.From.Finished.IsZero() || killedForLiveness(prev) != "" {
		return causes.Against{}
	}
	end := prev.From.Finished
	begin := end.Add(-gap(spec))
	if ok, verbosity := f.KubeletLogCovers(begin, end); !ok || verbosity < 1 {
		return causes.Against{} // failed runs are logged at -v=1
	}
	for _, m := range prev.From.Marks {
		if p, ok := m.Obs.Fact.(evidence.ProbeFailed); ok && p.Probe == evidence.ProbeLiveness &&
			!p.Errored && !m.At.Before(begin) && !m.At.After(end.Add(tolerance.Slack)) {
			return causes.Against{}
		}
	}
	return causes.Contradict("no probe of the previous container had failed when it ended")
}

// killedAt returns the earliest moment at which the kill can have been decided.
func killedAt(f *finding.Findings) time.Time {
	grace := tolerance.DefaultGrace
	if p := f.R.Pod; p != nil && p.GraceSeconds > 0 {
		grace = evidence.Seconds(p.GraceSeconds)
	}
	switch {
	case !f.Kill.At.IsZero() && release.Minor(f.Versions.At) >= 14:
		return f.Kill.At
	case !f.Kill.At.IsZero():
		return f.Kill.At.Add(-grace) // up to 1.13 the event follows the stop
	case !f.R.From.Finished.IsZero():
		return f.R.From.Finished.Add(-grace)
	}
	return time.Time{}
}

// counted reports whether that many failed runs of this container are known.
func (k *kind) counted(f *finding.Findings, threshold int) bool {
	count := 0
	for _, m := range k.failed(f) {
		if m.Obs.Source.Kind != evidence.SourceAPI && !m.At.Before(f.R.From.Started) {
			count++
		}
	}
	return threshold > 0 && count >= threshold
}
