package probe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// From enforced on, a kubelet counts an exec run over its timeout as a failure (kubelet v1.20 pkg/probe/exec, gate
// ExecProbeTimeout). From rehashed on, kubelets hash differently from all before enforced, so they recreate every
// container of those (kubelet v1.31 container/helpers.go HashContainer).
const (
	enforced = 20
	rehashed = hash.LastWholeSpec + 1
)

// execKinds returns the container's probes that can kill and that run a command.
func execKinds(f *finding.Findings) []*kind {
	var out []*kind
	for _, k := range [...]*kind{&liveness, &startup} {
		if f.R.Spec != nil && k.spec(f.R.Spec) != nil && k.spec(f.R.Spec).Handler == "exec" {
			out = append(out, k)
		}
	}
	return out
}

// timedOut reports whether the output may be that of a run which the kubelet ended at its timeout: empty up to 1.22,
// since then its own words (kubelet cri/remote, k8s.io/cri-client ExecSync). A command may print the same, or nothing.
func timedOut(m timeline.Occurrence) bool {
	said := m.Obs.Fact.(evidence.ProbeFailed).Output.String()
	return said == "" || strings.HasPrefix(said, "command ") && strings.Contains(said, " timed out")
}

// passed reports whether the probe first failed so late after the kubelet's start that it had passed under it before.
func passed(p *evidence.Probe, since time.Time, marks []timeline.Occurrence) bool {
	first := since.Add(tolerance.FirstSync + time.Duration(p.InitialDelay+2*p.Period+p.Timeout)*time.Second)
	return len(marks) > 0 && !slices.ContainsFunc(marks, func(m timeline.Occurrence) bool { return m.At.Before(first) })
}

// logged returns the failures that a kubelet's log tells of, all of them where it tells of none: anyone who may create
// events can write another failure.
func logged(marks []timeline.Occurrence) []timeline.Occurrence {
	event := func(m timeline.Occurrence) bool { return m.Obs.Source.Kind != evidence.SourceKubeletLog }
	if own := slices.DeleteFunc(slices.Clone(marks), event); len(own) > 0 {
		return own
	}
	return marks
}

// timeout claims from the kubelet's messages, the outputs, and the version that ran the same container before. It is
// never decisive: a command that hangs just then, or fails without a word, looks the same.
func timeout(f *finding.Findings) *causes.Claim {
	if k := perhapsTimedOut(f); k != nil {
		return k.slow(f)
	}
	if f.Kill.Answer != finding.Yes || !f.Versions.Certain || release.Minor(f.Versions.At) < enforced {
		return nil
	}
	before, started := release.Minor(f.Versions.Before), f.R.From.Started
	if before == 0 || before >= enforced || started.IsZero() || !f.Versions.UpgradedAt.After(started) {
		return nil
	}
	for _, k := range execKinds(f) {
		if f.Kill.Reason != k.reason {
			continue
		}
		marks := k.failed(f)
		early := func(m timeline.Occurrence) bool { return m.At.Before(f.Versions.UpgradedAt.Add(-time.Second)) }
		otherwise := func(m timeline.Occurrence) bool { return !timedOut(m) }
		own := logged(marks)
		if slices.ContainsFunc(marks, early) || slices.ContainsFunc(own, otherwise) ||
			passed(k.spec(f.R.Spec), f.Versions.UpgradedAt, marks) {
			return nil // it failed before, for another reason, or only later
		}
		what := fmt.Sprintf("the kubelet on %s was %s from %s to %s, which enforces the timeout of exec probes",
			causes.Node(f),
			release.Exchange(f.Versions.Before, f.Versions.At), f.Versions.Before, f.Versions.At)
		steps := []causes.Link{{Cause: causes.ProbeTimeoutEnforced, Text: what,
			At: f.Versions.UpgradedAt, Evidence: f.Versions.Evidence}}
		return &causes.Claim{
			Mechanism: k.id, Strength: causes.Strong, Chain: append(steps, k.killed(f)...), Needs: causes.NeedKubeletLog(f),
			Summary: fmt.Sprintf("%s: its %s probe takes longer than its timeout of %d s, and kubelets before v1.20 ignored "+
				"that; %s", causes.Who(f), k.name, max(1, k.spec(f.R.Spec).Timeout), what),
			Root: &causes.Root{Key: "exec-timeout" + f.Versions.UpgradedAt.UTC().Format(time.RFC3339),
				At: f.Versions.UpgradedAt, Summary: what},
		}
	}
	return nil
}

func againstTimeout(f *finding.Findings) causes.Against {
	kinds := execKinds(f)
	if f.R.Spec != nil && len(kinds) == 0 {
		return causes.Contradict("the container has no liveness or startup probe that runs a command")
	}
	if f.R.Spec == nil {
		kinds = []*kind{&liveness, &startup}
	}
	var other causes.Against
	for _, k := range kinds {
		if other = causes.FirstOf(f, causes.KilledForAnotherReason(k.reason), k.neverRan); !other.Holds() {
			break
		}
	}
	if other.Holds() {
		return other
	}
	v := f.Versions
	switch minor := release.Known(v.At); {
	case minor >= rehashed && release.Known(v.Before) >= enforced:
		return causes.Contradict("the previous kubelet, "+v.Before+", enforced timeouts too", v.Evidence...)
	case minor >= rehashed:
		return causes.Contradict("kubelet "+v.At+
			" recreates every container that a kubelet before v1.20 created, so this one was created when timeouts were "+
			"already enforced", v.Evidence...)
	case v.Certain && minor > 0 && minor < enforced:
		return causes.Contradict(v.At+" does not count an exec probe that exceeds its timeout", v.Evidence...)
	case v.Certain && release.Known(v.Before) >= enforced:
		return causes.Contradict("the previous kubelet, "+v.Before+", enforced timeouts too", v.Evidence...)
	case v.SameProcess:
		return causes.Contradict("the same kubelet process created the container and saw it end", v.Evidence...)
	case v.SameVersion:
		return causes.Contradict("the kubelet was already "+v.At+
			" when it created the container: nothing changed for its probes", v.Evidence...)
	}
	for _, k := range kinds {
		for _, m := range logged(k.failed(f)) {
			if (f.Kill.Reason == "" || f.Kill.Reason == k.reason) && !timedOut(m) {
				return causes.Contradict("its probe failed because of its result, not because of a timeout", m.Obs.ID)
			}
		}
	}
	return causes.Against{}
}
