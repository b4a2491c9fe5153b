package timeline

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// diedBefore tells whether a kubelet's line about an end is from its first look at
// containers that may have ended long before: it comes right after the kubelet's
// start, and nothing shows that this process knew the container alive. What it
// killed itself, and what it saw running in an earlier look, ended when it says.
func (t *History) diedBefore(in *Instance, node string, at time.Time) bool {
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
				return true // its end was not seen
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
