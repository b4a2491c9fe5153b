package kubelet

import (
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// restarted is the fallback for a pod that a new kubelet stopped without logging a reason: it may have refused the pod,
// treated it as an orphan, or not found its cgroup.
func restarted(f *finding.Findings) *causes.Claim {
	k := f.NodeEvents.Kubelet
	if !silently(f) || k.Answer != finding.Yes || f.Versions.SameProcess || f.Kill.At.Before(k.At.Add(-time.Second)) {
		return nil
	}
	after := f.Kill.At.Sub(k.At).Round(time.Second)
	s := causes.Weak
	if f.R.To == nil && f.KubeletLog && after < tolerance.SoonAfterStart && !wasOver(f) {
		s = causes.Strong
	}
	what := fmt.Sprintf("the kubelet on %s restarted and stopped the pod %s later",
		causes.Node(f), max(after, time.Second))
	steps := append(causes.Behind(f, causes.Kubelet, k.At),
		causes.Link{Cause: causes.KubeletRestarted, Text: what, At: k.At, Evidence: k.Evidence},
		causes.Link{Role: report.RoleDecision,
			Text: "a new kubelet process checks every pod again: it admits it, looks for its cgroup, and stops pods that no " +
				"source has; it did not log which of these applied", At: f.Kill.At, Evidence: f.Kill.Evidence})
	return &causes.Claim{
		Strength: s, Chain: append(steps, causes.EndStep(f), causes.Then(f)),
		Needs: append(causes.NeedKubeletLog(f), causes.Need{
			What:        "why the kubelet stopped the pod",
			Consequence: "at its usual verbosity, it does not log why it stops a pod that it found running",
			Command:     "kubectl get pod " + causes.InPod(f) + " -o jsonpath='{.status.reason}: {.status.message}'",
		}),
		Summary: causes.Who(f) + ": " + what,
		Root: &causes.Root{Key: k.At.UTC().Format(time.RFC3339), At: k.At,
			Summary: "the kubelet on " + causes.Node(f) + " restarted"},
	}
}

// wasOver reports whether the pod may have been over without any restart of the kubelet. One that was deleted while no
// kubelet looked has no line about that, but its object goes once its containers have ended; and sidecars are stopped
// when the containers that they serve have ended.
func wasOver(f *finding.Findings) bool {
	end := f.R.From.Finished
	return slices.ContainsFunc(f.T.Config(f.R.Namespace, f.R.PodName, end, end.Add(tolerance.PodEndLag)),
		func(m timeline.Occurrence) bool {
			c, ok := m.Obs.Fact.(evidence.PodConfig)
			return ok && c.Origin == "api" && (c.Op == "DELETE" || c.Op == "REMOVE")
		}) || slices.ContainsFunc(f.R.Lives(), func(l timeline.Lineage) bool {
		return l.Container != f.R.Container && slices.ContainsFunc(l.Instances, func(in *timeline.Instance) bool {
			since := f.Kill.At.Sub(in.Finished)
			return !in.Finished.IsZero() && since >= 0 && since < tolerance.KillLag &&
				!timeline.Has[evidence.KillStarted](in.Marks, nil)
		})
	})
}

func againstRestarted(f *finding.Findings) causes.Against {
	k := f.NodeEvents.Kubelet
	switch {
	case f.Versions.SameProcess:
		return causes.Contradict("the same kubelet process created it and saw it end")
	case k.Answer == finding.No:
		return causes.Contradict("the kubelet's log covers this time and shows no kubelet start before it")
	case f.Kill.Answer == finding.Yes && k.Answer == finding.Yes && f.Kill.At.Before(k.At.Add(-time.Second)):
		return causes.Contradict("the kubelet had started to stop it before the kubelet restarted", f.Kill.Evidence...)
	case f.Cgroup.Missing.Answer == finding.Yes:
		return causes.Contradict("the kubelet says why it stopped the pod: its cgroup was missing",
			f.Cgroup.Missing.Evidence...)
	case f.Cgroup.Told.Answer == finding.Yes && f.R.To != nil:
		return causes.Contradict("the new kubelet started with another "+f.Cgroup.Setting+
			", and kills the pods that it finds because of that", f.Cgroup.Told.Evidence...)
	case f.Cgroup.Moved.Answer == finding.Yes:
		return causes.Contradict(
			"the kubelet now looks for the pod's cgroup in another place, and kills the pod because of that",
			f.Cgroup.Moved.Evidence...)
	}
	return causes.FirstOf(f, notSilent, sandboxFirst)
}
