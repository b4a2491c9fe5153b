package kubelet

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
)

// switched is decisive given the kubelet's own settings, or the runtimes in the ids of the two containers, where no
// source has the old one's end: the new runtime never knew it.
func switched(f *finding.Findings) *causes.Claim {
	w := f.Switch
	lost := !f.Exit.Known || f.Exit.Invented
	switch {
	case f.R.To == nil, causes.StatedReason(f):
		return nil
	case w.Answer != finding.Yes && !(w.Left.Answer == finding.Yes && lost && !f.Versions.SameProcess):
		return nil
	}
	s := causes.Weak
	what := "the kubelet on " + causes.Node(f) + " now uses another container runtime"
	cites := w.Left.Evidence
	if w.Answer == finding.Yes {
		s = causes.Strong
		what = "the kubelet on " + causes.Node(f) + " was switched from " + w.From + " to " + w.To
		cites = append(append([]string{}, w.Evidence...), w.Left.Evidence...)
		if lost && !w.Inferred {
			s = causes.Decisive
		}
	}
	steps := append(causes.Behind(f, causes.Runtime, w.At),
		causes.Link{Cause: causes.RuntimeSwitched, Text: what, At: w.At, Evidence: cites})
	if lost {
		steps = append(steps, causes.Link{Cause: causes.SandboxMissing,
			Text: "the new runtime has no sandbox and no container of the pod, so the kubelet recreated the whole pod",
			At:   f.Sandbox.Changed.At, Evidence: f.Sandbox.Changed.Evidence})
	}
	steps = append(steps, causes.EndStep(f), causes.Then(f))
	needs := causes.NeedKubeletLog(f)
	if w.Left.Answer != finding.Yes {
		needs = append(needs, causes.NeedNode(f, "which runtimes answer on the node, and what each still runs",
			"containers in the old runtime would show a switch"))
	}
	return &causes.Claim{
		Mechanism: causes.SandboxMissing, Strength: s, Chain: steps, Needs: needs,
		Summary: causes.Who(f) + ": " + what + ", which did not know the running containers; the kubelet started them again",
		Root:    root(f, w.At, what),
	}
}

func drainFirst(f *finding.Findings) []string {
	advice := []string{"drain a node before you switch its runtime"}
	if f.Switch.Left.Answer == finding.Yes {
		advice = append(advice, "the old runtime still runs pods that no kubelet manages: stop them there (docker ps; "+
			"crictl --runtime-endpoint … pods)")
	}
	return advice
}

func againstSwitched(f *finding.Findings) causes.Against {
	switch {
	case causes.StatedReason(f):
		return causes.KilledByKubelet(f)
	case f.Switch.Answer == finding.No && f.Versions.SameProcess:
		return causes.Contradict("the same kubelet process created it and saw it end: its runtime did not change in between")
	case f.Switch.Answer == finding.No:
		return causes.Contradict("the kubelet used the same runtime before and after", f.Switch.Evidence...)
	case f.R.To == nil && f.End.Answer == finding.Yes:
		return causes.Contradict("the whole pod had ended", f.End.Evidence...)
	case f.Kill.Answer == finding.Yes:
		return causes.Contradict("the kubelet asked its runtime to stop it, so that runtime still had it", f.Kill.Evidence...)
	case f.Sandbox.Changed.Answer == finding.No:
		return causes.Contradict("the pod kept its sandbox, and another runtime would not know it",
			f.Sandbox.Changed.Evidence...)
	case f.Exit.Lost:
		return causes.Contradict("its own runtime reports that it lost the container", f.Exit.Evidence...)
	case f.Stop.Answer == finding.Yes:
		return causes.StoppedThroughRuntime(f)
	}
	return causes.FirstOf(f, causes.EndedByItself, causes.OutOfMemory)
}
