package timeline

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// diedBefore reports whether a kubelet's line about an end is from its first look at containers that may have ended
// long before: the line comes right after the kubelet's start, and nothing shows that this process knew the container
// alive. What the kubelet killed itself, or saw running in an earlier look, ended when the line says. No container
// survives a boot: one created before a boot ended with it at the latest, whenever its record is removed.
func (t *History) diedBefore(in *Instance, node string, at time.Time) bool {
	if t.Node(node).bootedBetween(in.Begun(), at) {
		return true
	}
	if !t.FirstRelist(node, at) {
		return false
	}
	run, _ := t.Node(node).KubeletAt(at)
	alive := false
	for _, m := range in.Marks {
		if m.Obs.Source.Kind != evidence.SourceKubeletLog || m.At.Before(run.Start) || !m.At.Before(at) {
			continue
		}
		switch f := m.Obs.Fact.(type) {
		case evidence.KillDecided:
			if f.Reason == evidence.KillUnknownState {
				return true // its end was not observed
			}
			alive = true
		case evidence.KillStarted, evidence.ProbeFailed:
			alive = true
		case evidence.ContainerStarted:
			alive = alive || at.Sub(m.At) >= tolerance.SameRelist
		}
	}
	return !alive
}

// bootedBetween reports whether the node itself records a boot between two times. Boots from the API and other tools do
// not count, because they may be dated late, nor does a boot time computed from a clock that may have stood still.
func (n *NodeStory) bootedBetween(from, until time.Time) bool {
	return !from.IsZero() && slices.ContainsFunc(n.BootsAfter(from.Add(tolerance.Slack)), func(m Occurrence) bool {
		boot, ok := m.Obs.Fact.(evidence.KernelBooted)
		kind := m.Obs.Source.Kind
		return ok && !boot.Reckoned && kind != evidence.SourceAPI && kind != evidence.SourceHostLog &&
			m.At.Before(until) && !n.Strange(m.Obs)
	})
}
