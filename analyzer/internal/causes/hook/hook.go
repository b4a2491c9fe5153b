// Package hook holds the cause in which a container's postStart hook failed.
//
// Rules only: findings in, claims out. See package causes.
package hook

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{{
		ID: causes.PostStartHookFailed, Hypothesis: sim.HookFailed,
		Title: "The postStart hook failed and the kubelet killed the container",
		Claim: postStart, Against: againstPostStart, Do: causes.Always(
			"see what the hook returned (FailedPostStartHook): kubectl describe pod {pod}",
			"a hook that is allowed to fail should exit with code 0"),
	}}
}

// postStart is decisive given the kubelet's Killing event, or its line that the hook failed with the kill right
// after it (the kill line gives no reason: kubelet kuberuntime_container.go startContainer).
func postStart(f *finding.Findings) *causes.Claim {
	var s causes.Strength
	waits := f.R.Waiting.Reason == "PostStartHookError" // the kubelet's reason for the last start
	switch followed := f.Kill.At.Sub(f.Hook.At); {
	case f.Kill.Answer == finding.Yes && f.Kill.Reason == evidence.KillPostStart:
		s = causes.Decisive
	case f.Hook.Answer == finding.Yes && f.Kill.Answer == finding.Yes && f.Kill.Reason == "" &&
		followed > -tellsLate(f) && followed < tolerance.HookToKill:
		s = causes.Decisive
	case f.Hook.Answer == finding.Yes:
		s = causes.Strong
	case waits && !causes.StatedReason(f):
		s = causes.Strong
	case f.Kill.Answer != finding.No && f.Kill.Reason == "" && f.R.Spec != nil &&
		f.R.Spec.PostStart && causes.StoppedLike(f):
		s = causes.Weak // possible, and its traces would be gone
	default:
		return nil
	}
	if went(f) {
		s = min(s, causes.Weak)
	}
	steps := []causes.Link{{Cause: causes.PostStartHookFailed, Text: "its postStart hook failed",
		At: f.Hook.At, Evidence: f.Hook.Evidence}}
	summary := ": its postStart hook failed, so the kubelet killed it right after its start"
	switch {
	case s == causes.Weak:
		summary = ": it ended like a container whose postStart hook failed; no trace of the hook is left"
		steps[0].Text, steps[0].Evidence = "its postStart hook may have failed", f.Exit.Evidence
	case f.Hook.Answer != finding.Yes && waits:
		steps[0].Evidence = f.R.Waiting.Evidence
	case f.Hook.Answer != finding.Yes:
		steps[0].At, steps[0].Evidence = f.Kill.At, f.Kill.Evidence
	}
	if f.Kill.Answer == finding.Yes {
		steps = append(steps, causes.Link{Role: report.RoleDecision,
			Text: "the kubelet kills a container whose postStart hook fails (startContainer)",
			At:   f.Kill.At, Evidence: f.Kill.Evidence})
	}
	return &causes.Claim{
		Strength: s, Needs: causes.NeedKubeletLog(f), Chain: append(steps, causes.EndStep(f), causes.Then(f)),
		Summary: causes.Who(f) + summary, Hedged: s == causes.Weak,
	}
}

// gone are errors of a hook that failed because its container's process had ended or was ending (runtimes' errors for
// exec). silent are those of a hook without an answer (Go's for an httpGet hook), which may have run too early.
var (
	gone = []string{"exited with 137", "not running", "stopped container", "container has exited", "container exited",
		"is stopped", "is not found", "not found: not found", "no such container", "process already finished",
		"procReady not received"}
	silent = []string{"connection refused", "connection reset", ": EOF"}
)

// went reports whether a hook failed because the process was gone, which ended with its own error or for an unknown
// reason: everything in a container ends with its main process, and nothing answers in it any more.
func went(f *finding.Findings) bool {
	if f.Exit.Known && (!f.Exit.Chosen() || f.Exit.Code == 0) {
		return false
	}
	return slices.ContainsFunc(f.R.From.Marks, func(m timeline.Occurrence) bool {
		h, ok := m.Obs.Fact.(evidence.HookFailed)
		if !ok || h.Hook != "PostStart" {
			return false
		}
		said := h.Output.String() + " " + m.Obs.Text.String()
		if strings.Contains(said, "exited with ") && !strings.Contains(said, "exited with 137") {
			return false // the hook's own code, followed by its output
		}
		has := func(word string) bool { return strings.Contains(said, word) }
		return slices.ContainsFunc(gone, has) || f.Exit.Known && slices.ContainsFunc(silent, has)
	})
}

// tellsLate returns how long after the start of the kill the kubelet may log the failed hook: up to 1.20 it writes that
// line after the kill.
func tellsLate(f *finding.Findings) time.Duration {
	return evidence.Seconds(max(f.Kill.Grace, 0)) + tolerance.HookTells
}

func againstPostStart(f *finding.Findings) causes.Against {
	if s := f.R.Spec; s != nil && !s.PostStart && !f.R.Pod.Described() { // a description does not show hooks
		return causes.Contradict("the container has no postStart hook")
	}
	return causes.KilledForAnotherReason(evidence.KillPostStart)(f)
}
