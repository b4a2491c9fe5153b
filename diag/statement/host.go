package statement

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/hostlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/runtimelog"
)

// host reads a line of a writer that is neither kubelet nor runtime: the monitor
// of a CRI-O container, or another daemon of the node. No coverage comes from it:
// that none of them says anything proves nothing.
func (r *Router) host(e evidence.Entry) {
	if strings.HasPrefix(e.Unit, "crio-conmon-") {
		runtimelog.Conmon(e, r.observe(evidence.SourceRuntimeLog))
		return
	}
	hostlog.Read(e, r.observe(evidence.SourceHostLog))
}
