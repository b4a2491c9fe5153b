package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ranAgain tells an init container whose only known run began when a container of the pod ran: it had succeeded before.
func (g *group) ranAgain() bool {
	return g.kind == evidence.KindInit && len(g.instances) == 1 && g.in.ranAt(g.instances[0].Started)
}

// ranAt tells that a container of the pod ran then and runs on. A sidecar does not count: it runs from its turn on.
func (p *pod) ranAt(at time.Time) bool {
	return !at.IsZero() && slices.ContainsFunc(p.groups, func(o *group) bool {
		n := len(o.instances) - 1
		return n >= 0 && o.kind == evidence.KindApp && o.instances[n].State == evidence.StateRunning &&
			!o.instances[n].Exited() && !o.instances[n].Started.IsZero() && at.Sub(o.instances[n].Started) > tolerance.Slack
	})
}

// RanBehind tells a run of an init container that began beside a running one, while the run before is not known.
func (r *Restart) RanBehind() bool {
	return r.ContainerKind == evidence.KindInit && r.To != nil && r.pod != nil &&
		r.From.ID == "" && !r.From.Exited() && slices.ContainsFunc(r.pod.groups, func(o *group) bool {
		return o.Container == r.Container && len(o.instances) == 2 && o.instances[1] == r.To
	})
}

// BesideRunning tells a known run of such a kind: the container had succeeded before it.
func (r *Restart) BesideRunning() bool {
	return r.ContainerKind == evidence.KindInit && r.pod != nil && r.pod.ranAt(cmp.Or(r.From.Started, r.From.Finished))
}
