// Package sandbox holds the causes that concern the pod's sandbox (the pause process): it died, its record was gone,
// two were ready, it had another network than the spec or no address. The kubelet then recreates everything in the pod.
//
// Rules only: findings in, claims out. See package causes.
package sandbox

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	all := []causes.Rule{{ID: causes.SandboxDied, Hypothesis: sim.SandboxNotReady,
		Title:    "The pod's sandbox died, so the kubelet recreated the whole pod",
		WholePod: true, Claim: died, Against: against, Do: causes.Always(
			"find out what killed the pause process: on {the node}, journalctl -k -g pause (the OOM killer) and journalctl "+
				"-u containerd -u crio -u docker",
			"if no log shows it, look for people and agents that use crictl, ctr or kill there")}}
	for _, j := range judged {
		all = append(all, causes.Rule{ID: j.id, Hypothesis: j.hypothesis, Title: j.title,
			WholePod: true, Claim: j.claim, Against: j.against, Do: causes.Always(j.advice)})
	}
	return all
}

// Told returns the page of the mechanism that all of them share with other causes.
func Told() []causes.Rule {
	return []causes.Rule{{ID: causes.SandboxChanged, Hypothesis: sim.SandboxNotReady,
		Title: "The kubelet recreates the whole pod because of its sandbox",
	}}
}

// died is decisive given the order of events: the sandbox ended before the kubelet requested anything of the pod. In
// every pod-level kill it is the other way round.
func died(f *finding.Findings) *causes.Claim {
	s := f.Sandbox
	inferred := s.Changed.Answer != finding.Yes && s.Changed.Answer != finding.No && together(f)
	if inferred {
		s.Changed = f.InitAgain
	}
	unready := s.Changed.Answer != finding.Yes && s.Changed.Answer != finding.No &&
		s.Unready.Answer == finding.Yes && s.Wrong == evidence.SandboxNotReady
	if unready {
		s.Changed = s.Unready
	}
	if s.Changed.Answer != finding.Yes || causes.StatedReason(f) {
		return nil
	}
	if s.Reason != "" && s.Reason != evidence.SandboxNotReady {
		return nil
	}
	if f.R.Kind == timeline.KindRefused && s.DiedFirst.Answer != finding.Yes {
		return nil // each attempt to create one reports a change
	}
	var strength causes.Strength
	switch {
	case s.DiedFirst.Answer == finding.Yes && s.Certain:
		strength = causes.Decisive
	case s.DiedFirst.Answer == finding.Yes:
		strength = causes.Strong
	default:
		strength = causes.Weak
	}
	if f.Exit.Lost {
		strength = min(strength, causes.Strong) // the runtime lost the container, too: more than the sandbox went down
	}
	if f.Exit.Shim.Answer == finding.Yes {
		strength = causes.Weak // the shim that held both was gone
	}
	if s.Together && f.OwnProcesses() {
		strength = causes.Weak // a sandbox that dies takes none of its containers along
	}
	if f.Cgroup.Outside.Answer == finding.Yes {
		strength = causes.Weak // it ran where nobody manages it: its death is a consequence
	}
	root := causes.Link{Cause: causes.SandboxDied, Text: "the pod's sandbox (pause process) died",
		At: s.DiedFirst.At, Evidence: s.DiedFirst.Evidence}
	if inferred {
		root.Text = "every container of the pod ended, and its init containers ran again: the sandbox was replaced, or " +
			"their records were gone"
	}
	if unready && s.DiedFirst.Answer != finding.Yes {
		root.Text = "the pod's condition PodReadyToStartContainers shows that its sandbox is not ready: it died, or it was " +
			"stopped with the pod"
	}
	if s.DiedFirst.Answer != finding.Yes {
		root.At, root.Evidence = s.Changed.At, s.Changed.Evidence
	}
	steps := []causes.Link{root, {
		Cause: causes.SandboxChanged,
		Text: "without a ready sandbox, the kubelet kills the pod, creates a new sandbox and restarts every container " +
			"(PodSandboxChanged)", At: s.Changed.At, Evidence: s.Changed.Evidence,
	}}
	if f.Kill.Answer == finding.Yes {
		steps = append(steps, causes.Link{Text: "the kubelet stopped the container with the rest of the pod",
			At: f.Kill.At, Evidence: f.Kill.Evidence})
	}
	return &causes.Claim{
		Mechanism: causes.SandboxChanged, Strength: strength, Chain: append(steps, causes.EndStep(f), causes.Then(f)),
		Needs: causes.NeedLogs(f),
		Summary: causes.Who(f) + ": the pod's sandbox died, so the kubelet recreated the whole pod; the container itself " +
			"was fine",
		Root: &causes.Root{Key: f.R.PodUID + s.ID + root.At.UTC().Format(time.DateTime),
			At: root.At, Summary: "the sandbox of pod " + f.R.Namespace + "/" + f.R.PodName + " died"},
	}
}

// together reports whether all containers of the pod ended around the same time and its init containers then ran again.
// In a pod of several containers only a new sandbox does that; a lone one may have ended when the records of its init
// containers were gone.
func together(f *finding.Findings) bool {
	return f.AtOnce(f.InitAgain) && signs.WholePod(f, 0)
}

func against(f *finding.Findings) causes.Against {
	if causes.StatedReason(f) {
		return causes.KilledByKubelet(f)
	}
	if f.NodeEvents.Boot.Answer == finding.Yes {
		return causes.Contradict("the node rebooted: no sandbox survives that", f.NodeEvents.Boot.Evidence...)
	}
	s := f.Sandbox
	if s.Changed.Answer == finding.No {
		return causes.Contradict("the pod kept its sandbox", s.Changed.Evidence...)
	}
	if f.End.Answer == finding.Yes && f.R.To == nil && s.DiedFirst.Answer != finding.Yes {
		return causes.Contradict("the whole pod had ended", f.End.Evidence...)
	}
	if s.Reason != "" && s.Reason != evidence.SandboxNotReady {
		return causes.Contradict("the kubelet replaced the sandbox for another reason: "+string(s.Reason),
			s.Changed.Evidence...)
	}
	if f.UnitStop.Answer == finding.Yes && causes.OutsideFirst(f) {
		return causes.Contradict("systemd began to stop the unit that it ran in before it ended", f.UnitStop.Evidence...)
	}
	return causes.FirstOf(f, killedFirst, notStopped)
}

// notStopped contradicts a fault of the sandbox where the runtime saw the container end and the kubelet, whose log
// covers the time, had not stopped it before: a sandbox takes along only containers that share its process namespace. A
// shim that is gone takes both along.
func notStopped(f *finding.Findings) causes.Against {
	e, p := f.Exit, f.R.Pod
	if f.Kill.Answer != finding.No && !f.Kill.Late || !e.Known || e.Invented || e.Lost && e.Shim.Answer != finding.Yes ||
		p == nil || p.ShareProcessNamespace && !causes.EndedByItself(f).Holds() {
		return causes.Against{}
	}
	return causes.Contradict(
		"the container had ended without a kill by the kubelet: a dying sandbox does not end its containers", e.Evidence...)
}

// killedFirst contradicts a fault of the sandbox: the kubelet had stopped the pod before it checked the sandbox, and a
// pod that is stopped loses its sandbox, too.
func killedFirst(f *finding.Findings) causes.Against {
	if s := f.Sandbox; s.KilledFirst.Answer == finding.Yes && s.DiedFirst.Answer != finding.Yes {
		return causes.Contradict("the kubelet had stopped the pod before it checked the sandbox", s.KilledFirst.Evidence...)
	}
	return causes.Against{}
}
