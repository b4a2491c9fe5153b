package sandbox

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// judgement is a cause that the kubelet itself names when it replaces a sandbox
// (kubelet kuberuntime_manager.go PodSandboxChanged).
type judgement struct {
	id         causes.ID
	hypothesis sim.Hypothesis
	title      string
	reason     evidence.SandboxReason
	what       string
	advice     string
}

var judged = []judgement{
	{
		causes.SandboxMissing, sim.SandboxMissing, "The runtime had no record of the pod's sandbox", evidence.SandboxNone,
		"the runtime had no sandbox of the pod, although the pod had run",
		"find out what removes sandboxes without the kubelet: crictl rmp, a cleanup job, a wiped or replaced " +
			"runtime directory",
	},
	{
		causes.SandboxMultipleReady, sim.SandboxSeveral, "The pod had more than one ready sandbox", evidence.SandboxMultiple,
		"the pod had more than one ready sandbox, so the kubelet stopped all of them",
		"find out what else creates sandboxes: a second kubelet, a restored runtime directory",
	},
	{
		causes.SandboxNetworkChanged, sim.SandboxNetwork, "The pod's hostNetwork differs from its sandbox",
		evidence.SandboxNetwork,
		"hostNetwork was changed in the spec, so the sandbox no longer matches",
		"find out who changed the static pod's manifest: hostNetwork of other pods cannot be changed",
	},
	{
		causes.SandboxNoIP, sim.SandboxNoAddress, "The pod's sandbox had no IP address", evidence.SandboxNoIP,
		"the pod's sandbox had lost its IP address",
		"check the network plugin's pod on the node: its restarts, its log and its address pool at that time",
	},
}

// claim is decisive given the kubelet's own line, which names the condition that held.
func (j judgement) claim(f *finding.Findings) *causes.Claim {
	s := f.Sandbox
	strength := causes.Decisive
	switch {
	case causes.StatedReason(f), f.R.Kind == timeline.KindRefused && j.reason == evidence.SandboxNone:
		return nil // that a pod has none which never started says nothing
	case j.reason == evidence.SandboxNone && unsaid(f):
		s.Changed, strength = f.Kill.Point, causes.Weak
	case s.Reason == "" && s.Unready.Answer == finding.Yes && s.Wrong == j.reason:
		// Only this condition leaves these messages, but they are not from the moment of the decision.
		s.Changed, strength = s.Unready, causes.Strong
		if j.reason == evidence.SandboxNone {
			strength = causes.Weak // a sandbox that was stopped and removed looks the same
		}
	case s.Changed.Answer != finding.Yes || s.Reason != j.reason:
		return nil
	}
	what := j.what
	if signs.MaybeNew(f) {
		what, strength = "the runtime had no sandbox of the pod, which was new or had lost it", causes.Weak
	}
	if f.Exit.Lost || f.NodeEvents.Boot.Answer == finding.Yes || f.NodeEvents.Runtime.Answer == finding.Yes {
		strength = causes.Weak // more than the sandbox went down
	}
	steps := []causes.Link{
		{Cause: j.id, Text: what, At: s.Changed.At, Evidence: s.Changed.Evidence},
		{Role: report.RoleMechanism, Cause: causes.SandboxChanged,
			Text: "for that, the kubelet kills the pod, creates a new sandbox and restarts every container (PodSandboxChanged)",
			At:   s.Changed.At, Evidence: s.Changed.Evidence},
	}
	if f.Kill.Answer == finding.Yes {
		steps = append(steps, causes.Link{Text: "the kubelet stopped the container with the rest of the pod",
			At: f.Kill.At, Evidence: f.Kill.Evidence})
	}
	return &causes.Claim{
		Mechanism: causes.SandboxChanged, Strength: strength, Chain: append(steps, causes.EndStep(f), causes.Then(f)),
		Needs:   causes.NeedLogs(f),
		Summary: causes.Who(f) + ": " + what + "; the kubelet recreated the whole pod",
		Root: &causes.Root{Key: f.R.PodUID + s.Changed.At.UTC().Truncate(tolerance.OneSandbox).Format(time.RFC3339),
			At: s.Changed.At, Summary: "pod " + f.R.Namespace + "/" + f.R.PodName + ": " + what},
	}
}

// unsaid reports whether a pod was killed and recreated without the event that its sandbox changed: the kubelet omits
// it where it knows of no sandbox (kubelet kuberuntime_manager.go SyncPod).
func unsaid(f *finding.Findings) bool {
	return f.Sandbox.Changed.Answer == finding.NoTrace && f.Kill.Answer == finding.Yes &&
		f.Kill.Reason == evidence.KillPod && f.R.To != nil
}

func (j judgement) against(f *finding.Findings) causes.Against {
	s := f.Sandbox
	switch {
	case causes.StatedReason(f):
		return causes.KilledByKubelet(f)
	case f.NodeEvents.Boot.Answer == finding.Yes:
		return causes.Contradict("the node rebooted: no sandbox survives that", f.NodeEvents.Boot.Evidence...)
	case s.Changed.Answer == finding.No:
		return causes.Contradict("the pod kept its sandbox", s.Changed.Evidence...)
	case s.Reason != "" && s.Reason != j.reason:
		return causes.Contradict("the kubelet replaced the sandbox for another reason: "+string(s.Reason),
			s.Changed.Evidence...)
	case s.Reason == "" && s.DiedFirst.Answer == finding.Yes && s.Certain:
		return causes.Contradict("the sandbox had already died: none was ready", s.DiedFirst.Evidence...)
	case j.reason == evidence.SandboxNetwork && f.R.Pod != nil && !f.R.Pod.Mirror:
		return causes.Contradict("hostNetwork of a pod from the API cannot be changed")
	case f.End.Answer == finding.Yes && f.R.To == nil:
		return causes.Contradict("the whole pod had ended", f.End.Evidence...)
	}
	if a := causes.FirstOf(f, killedFirst, notStopped); a.Holds() {
		return a
	}
	if f.Switch.Answer == finding.Yes {
		return causes.Contradict("the kubelet was switched to another container runtime, from "+
			f.Switch.From+" to "+f.Switch.To+", which had no sandbox of any pod", f.Switch.Evidence...)
	}
	if f.Kill.Answer == finding.No && !f.Exit.Invented {
		return causes.EndedByItself(f)
	}
	return causes.Against{}
}
