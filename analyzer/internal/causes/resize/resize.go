// Package resize holds the causes that the spec itself requests while a pod runs: an in-place resize whose policy
// requires a restart, and the restart rules of containers. It also holds a resize that nobody requested: a kubelet
// 1.33–1.36 without a record of what it gave the container.
//
// Rules only: findings in, claims out. See package causes.
package resize

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{
		{ID: causes.ResizeRecordMissing, Hypothesis: sim.EntryLacks,
			Title: "The kubelet had no record of the container's resources and treated them as changed",
			Claim: recordMissing, Against: againstRecord, Do: causes.Always(
				"drain nodes before upgrading their kubelets to v1.33–v1.36 from an older version, and never delete "+
					"/var/lib/kubelet/actuated_pods_state", "resizePolicy NotRequired avoids it")},
		{ID: causes.ResizeRestart, Hypothesis: sim.Resized,
			Title: "The container was resized in place, and its policy requires a restart",
			Claim: resized, Against: againstResize, Do: causes.Always("find out who resizes it "+
				"(a vertical autoscaler?): kubectl get pod {pod} --show-managed-fields -o yaml",
				"if the process can handle it, resizePolicy NotRequired resizes without a restart")},
		{ID: causes.RestartAllContainers, Hypothesis: sim.AllRestart,
			Title: "A restart rule restarted all containers of the pod",
			Claim: all, Against: againstAll, Do: causes.Always(
				"check the restartPolicyRules of the pod's containers: kubectl get pod {pod} -o yaml")},
		{ID: causes.RestartRule, Hypothesis: sim.Ended, Title: "One of the container's restart rules restarted it",
			Claim: rule, Against: againstRule, Do: causes.Always(
				"look for the reason for exit code {code} in the container's log: {logs}")},
	}
}

func asked(f *finding.Findings) bool {
	return f.Kill.Answer == finding.Yes && f.Kill.Reason == evidence.KillResize
}

// recordsFrom is the minor whose kubelet compares with its own records (kubelet v1.33 kuberuntime_manager.go
// computePodResizeAction).
const recordsFrom = 33

// recordsMadeFrom is the minor whose kubelet creates the records of a pod without any before it compares (kubelet v1.37
// kubelet.go SyncPod, InitializeActuatedPod). Then only an entry that lacks one of the pod's containers is possible,
// and the line about it.
const recordsMadeFrom = 37

func decision(f *finding.Findings) causes.Link {
	return causes.Link{Role: report.RoleDecision,
		Text: "the kubelet saw a changed resource with resizePolicy RestartContainer and decided to restart the container " +
			"(computePodResizeAction)", At: f.Kill.At, Evidence: f.Kill.Evidence}
}

func recordMissing(f *finding.Findings) *causes.Claim {
	if !asked(f) {
		return nil
	}
	s, root := causes.Decisive, causes.Link{Cause: causes.ResizeRecordMissing,
		Text: "the kubelet had no record of the resources that it had given the container, and treated them as zero",
		At:   f.Record.At, Evidence: f.Record.Evidence}
	switch {
	case f.Record.Answer == finding.Yes && (written(f) || f.Resized.Answer == finding.Yes):
		s = causes.Weak // it may have been resized as well
	case f.Record.Answer == finding.Yes:
	case f.Record.Answer != finding.No && f.NodeEvents.Kubelet.Answer == finding.Yes &&
		release.Minor(f.Versions.At) < recordsMadeFrom:
		s, root.At = causes.Strong, f.NodeEvents.Kubelet.At // the line was not read; a new kubelet had just started
	case f.Record.Answer != finding.No && !f.KubeletLog && !written(f) &&
		!f.Versions.SameProcess && release.Minor(f.Versions.At) < recordsMadeFrom:
		s, root.At = causes.Strong, f.Kill.At // nor does anything show a write to the spec
	default:
		return nil
	}
	return &causes.Claim{
		Mechanism: causes.ResizeRestart, Strength: s,
		Chain: []causes.Link{root, decision(f), causes.EndStep(f), causes.Then(f)},
		Needs: causes.NeedKubeletLog(f),
		Summary: causes.Who(f) + ": the kubelet (v1.33 or newer) had no record of its resources and restarted it because " +
			"of its resizePolicy, resized or not",
		Root: &causes.Root{Key: f.NodeEvents.Kubelet.At.UTC().Format("2006-01-02T15:04"),
			At: f.Record.At, Summary: "the kubelet on " + causes.Node(f) + " had no records of resources",
			Kind: "the kubelet had no records of resources", Apart: tolerance.Rollout},
	}
}

func againstRecord(f *finding.Findings) causes.Against {
	if a := causes.KilledForAnotherReason(evidence.KillResize)(f); a.Holds() {
		return a
	}
	if v := release.Known(f.Versions.At); v > 0 && v < recordsFrom && f.Versions.Certain {
		return causes.Contradict(fmt.Sprintf("the kubelet is %s, and such records exist only since v1.33", f.Versions.At),
			f.Versions.Evidence...)
	}
	if f.Record.Answer == finding.No && f.Versions.SameProcess {
		return causes.Contradict("the kubelet that created the container also killed it, and did not report a missing record",
			f.Versions.Evidence...)
	}
	return notResized(f)
}

// written reports whether the pod shows a write to its spec: the API server counts them (since v1.33).
func written(f *finding.Findings) bool {
	p := f.R.Pod
	return p != nil && p.Object != nil && p.Object.Generation > 1
}

func resized(f *finding.Findings) *causes.Claim {
	unsaid := f.Kill.Answer == finding.Yes && f.Kill.Reason == "" && f.Resized.Answer == finding.Yes
	if !asked(f) && !unsaid || f.Record.Answer == finding.Yes {
		return nil
	}
	// A kubelet that created the container itself has a record of it.
	s := causes.Strong
	if f.Record.Answer == finding.No && f.Versions.SameProcess && !unsaid {
		s = causes.Decisive
	}
	return &causes.Claim{
		Strength: s, Needs: causes.NeedKubeletLog(f),
		Chain: []causes.Link{
			{Cause: causes.ResizeRestart,
				Text: "the container's resources were changed in place, and its resizePolicy is RestartContainer",
				At:   f.Kill.At, Evidence: slices.Concat(f.Resized.Evidence, f.Kill.Evidence)},
			decision(f), causes.EndStep(f), causes.Then(f),
		},
		Summary: causes.Who(f) + ": it was resized in place, and its resizePolicy requires a restart",
	}
}

func againstResize(f *finding.Findings) causes.Against {
	if p := f.R.Pod; asked(f) && p != nil && p.Object != nil && p.Object.Generation == 1 {
		return causes.Contradict("the pod's spec was never changed: its generation is 1")
	}
	if a := causes.KilledForAnotherReason(evidence.KillResize)(f); a.Holds() {
		return a
	}
	if f.Record.Answer == finding.Yes && asked(f) {
		return causes.Contradict(
			"the kubelet had no record of the container's resources, so there was nothing to compare with", f.Record.Evidence...)
	}
	return notResized(f)
}

// notResized contradicts resizes of containers that have no policy for it.
func notResized(f *finding.Findings) causes.Against {
	if c := f.ContainerSpec(f.R.Container); c != nil && f.WholeSpec() &&
		!slices.ContainsFunc(c.ResizePolicy, func(p corev1.ContainerResizePolicy) bool {
			return p.RestartPolicy == corev1.RestartContainer
		}) {
		return causes.Contradict("no resizePolicy of the container requires a restart")
	}
	return causes.Against{}
}
