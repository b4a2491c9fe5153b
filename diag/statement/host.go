package statement

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
)

// hosted reports whether host reads what a unit writes.
func hosted(unit string) bool {
	switch strings.TrimSuffix(unit, ".service") {
	case "systemd-oomd", "earlyoom", "systemd-logind", "yum", "conmon", hostlog.Talos:
		return true
	}
	return strings.HasPrefix(unit, "crio-conmon-")
}

// host reads a line of a writer that is neither kubelet nor runtime: the monitor
// of a CRI-O container, or another daemon of the node. No coverage comes from it:
// that none of them says anything proves nothing.
func (r *Router) host(e evidence.Entry) {
	if e.Unit == "conmon" || strings.HasPrefix(e.Unit, "crio-conmon-") {
		runtimelog.Conmon(e, r.observe(evidence.SourceRuntimeLog))
		return
	}
	hostlog.Read(e, r.observe(evidence.SourceHostLog))
}
