package statement

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/auditlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
)

// hosted reports whether host handles what a unit writes.
func hosted(unit string) bool {
	switch strings.TrimSuffix(unit, ".service") {
	case "systemd-oomd", "earlyoom", "systemd-logind", "yum", "conmon", "audit",
		"sudo", "cron", "crond", "CRON", hostlog.Talos, auditlog.Unit:
		return true
	}
	return strings.HasPrefix(unit, "crio-conmon-")
}

// host reads a line that is neither a kubelet's nor a runtime's: from the monitor of a CRI-O container, an audit log of
// the API server, or another daemon of the node. It claims no coverage: silence of these writers proves nothing.
func (r *Router) host(e evidence.Entry) {
	switch {
	case e.Unit == "conmon", strings.HasPrefix(e.Unit, "crio-conmon-"):
		runtimelog.Conmon(e, r.observe(evidence.SourceRuntimeLog))
	case e.Unit == auditlog.Unit:
		auditlog.Read(&e, r.fromControl)
	default:
		hostlog.Read(e, r.observe(evidence.SourceHostLog))
	}
}
