package history

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ranAgain reports whether an init container's only known run began while a container of the pod ran: it had succeeded
// before.
func (g *group) ranAgain() bool {
	return g.kind == evidence.KindInit && len(g.instances) == 1 && timeline.RanAt(g.in.lineages(), g.instances[0].Started)
}
