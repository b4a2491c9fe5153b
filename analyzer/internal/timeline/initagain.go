package timeline

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ranAgain tells an init container of which one run is known that began when a container of the
// pod ran already: those are started when all init containers have succeeded, so there was a run
// before. A sidecar does not count, it runs from its turn on.
func (g *group) ranAgain() bool {
	if g.kind != evidence.KindInit || len(g.instances) != 1 || g.instances[0].Started.IsZero() {
		return false
	}
	began := g.instances[0].Started
	return slices.ContainsFunc(g.in.groups, func(o *group) bool {
		if o.kind != evidence.KindApp || len(o.instances) == 0 {
			return false
		}
		in := o.instances[len(o.instances)-1]
		return in.State == evidence.StateRunning && !in.Exited() && !in.Started.IsZero() &&
			began.Sub(in.Started) > tolerance.Slack
	})
}

// RanBehind tells a run of an init container that began beside a container of the pod that ran,
// while nothing is known of the run before.
func (r *Restart) RanBehind() bool {
	return r.ContainerKind == evidence.KindInit && r.To != nil && r.pod != nil &&
		r.From.ID == "" && !r.From.Exited() && slices.ContainsFunc(r.pod.groups, func(o *group) bool {
		return o.Container == r.Container && len(o.instances) == 2 && o.instances[1] == r.To
	})
}
