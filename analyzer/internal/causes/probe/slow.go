package probe

import (
	"fmt"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds kills for a probe whose messages do not show what is behind them: a command without output, like one
// that the kubelet ended at its timeout, and a kill that came before the probe can have failed often enough, or for
// which its failures lie too far apart.

// perhapsTimedOut returns the exec probe that the kubelet killed for, if every failed run had no output or timed out,
// the container had passed before, and it is unknown which kubelet ran the probe then.
func perhapsTimedOut(f *finding.Findings) *kind {
	v := &f.Versions
	minor := release.Known(v.At)
	if f.Kill.Answer != finding.Yes || v.Before != "" || v.SameProcess ||
		v.SameVersion || minor < enforced || minor >= rehashed {
		return nil
	}
	for _, k := range execKinds(f) {
		marks := k.failed(f)
		if f.Kill.Reason == k.reason && len(marks) > 0 && !signs.OnSchedule(f, finding.ProbeKind(k.name)) &&
			!slices.ContainsFunc(marks, func(m timeline.Occurrence) bool {
				return !timedOut(m) || minor >= saysSo && silent(m)
			}) {
			return k
		}
	}
	return nil
}

// saysSo is the minor from which a kubelet logs that a run timed out.
const saysSo = 23

func silent(m timeline.Occurrence) bool { return m.Obs.Fact.(evidence.ProbeFailed).Output.Empty() }

// slow returns the claim for that.
func (k *kind) slow(f *finding.Findings) *causes.Claim {
	what := fmt.Sprintf("its %s probe may take longer than its timeout of %d s, and kubelets from v1.20 on count that "+
		"as a failure", k.name, max(1, k.spec(f.R.Spec).Timeout))
	steps := []causes.Link{{Cause: causes.ProbeTimeoutEnforced, Text: what,
		At: f.Kill.At, Evidence: evidenceOf(k.failed(f))}}
	return &causes.Claim{
		Strength: causes.Strong, Chain: append(steps, k.killed(f)...), Needs: causes.NeedKubeletLog(f),
		Summary: causes.Who(f) + ": " + what, Hedged: true,
		Actions: []string{"check how long the command takes (kubectl exec); raise the probe's timeoutSeconds (default 1 s)",
			"check whether the kubelet was upgraded: kubelets before v1.20 did not enforce the timeout"},
	}
}

// tooFew reports whether a kill for the liveness probe came before this container can have failed often enough, while
// the failures of the previous one are unknown.
func tooFew(f *finding.Findings) bool {
	return f.Kill.Answer == finding.Yes && f.Kill.Reason == liveness.reason &&
		signs.Young(f, finding.Liveness) && f.R.To != nil && f.R.To.Attempt > 1 && f.R.Prev == nil
}

// apart reports whether the probe failed often enough by the kubelet's log, which has every failed run, and not in a
// row right before the kill (kubelet prober/worker.go doProbe). Twice the time that these runs take is allowed.
func (k *kind) apart(f *finding.Findings) bool {
	if f.Kill.Answer != finding.Yes || f.Kill.Reason != k.reason || f.Kill.At.IsZero() || f.R.Spec == nil ||
		k.spec(f.R.Spec) == nil {
		return false
	}
	p := k.spec(f.R.Spec)
	need := int(max(p.FailureThreshold, 1))
	since := f.Kill.At.Add(-2*evidence.Seconds(need*int(max(p.Period, 1)+max(p.Timeout, 1))) - tolerance.Slack)
	all, inRow := 0, 0
	for _, m := range k.failed(f) {
		if m.Obs.Source.Kind == evidence.SourceKubeletLog {
			if all++; m.At.After(since) {
				inRow++
			}
		}
	}
	return all >= need && inRow < need
}

// early returns the claim for that.
func early(f *finding.Findings) *causes.Claim {
	what := "it was killed before its own liveness probe could fail often enough: failures of the previous container " +
		"may have counted"
	return &causes.Claim{
		Strength: causes.Strong, Mechanism: liveness.id, Needs: causes.NeedKubeletLog(f),
		Chain: append([]causes.Link{{Cause: causes.ProbeFailuresCarriedOver,
			Text: what, At: f.Kill.At, Evidence: f.R.From.Records}}, liveness.killed(f)...),
		Summary: causes.Who(f) + ": " + what, Hedged: true,
		Actions: []string{"set an initialDelaySeconds that covers the start, so that the probe's first run in a new " +
			"container passes"},
	}
}
