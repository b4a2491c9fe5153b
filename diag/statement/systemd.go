package statement

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// descriptions are unit descriptions that stand in systemd's lines in place of
// the unit's name where the envelope does not tell it (systemd <249).
var descriptions = map[string]string{
	"kubelet: The Kubernetes Node Agent":  "kubelet.service", // kubernetes/release, kubeadm packages
	"Kubernetes Kubelet":                  "kubelet.service",
	"Kubernetes Kubelet Server":           "kubelet.service",
	"containerd container runtime":        "containerd.service",
	"Docker Application Container Engine": "docker.service",
}

// unitChange reads a line of systemd about a kubelet's or runtime's unit. about
// is the unit that the journal names (field UNIT), "" in text logs.
//
// Texts: systemd src/core/job.c job_emit_done_message, service.c
// service_sigchld_event, unit.c unit_log_failure, and their older forms.
func unitChange(about, msg string) (evidence.UnitChanged, bool) {
	unit, change := about, ""
	first, rest, _ := strings.Cut(msg, " ")
	switch first {
	case "Starting", "Started", "Stopping", "Stopped":
		change = strings.ToLower(first)
		if unit == "" {
			unit = named(rest)
		}
	default:
		name, event, ok := strings.Cut(msg, ": ")
		if !ok {
			name, event, ok = oldUnit(msg)
		}
		if !ok {
			return evidence.UnitChanged{}, false
		}
		if unit == "" {
			unit = name
		}
		event = strings.ToLower(event)
		switch {
		case strings.HasPrefix(event, "main process exited"):
			change = "exited"
		case strings.HasPrefix(event, "failed with result"), event == "failed.", strings.HasSuffix(event, "entered failed state."):
			change = "failed"
		case strings.HasPrefix(event, "scheduled restart job"), strings.HasSuffix(event, "scheduling restart."):
			change = "restart-scheduled"
		}
	}
	if change == "" || !ours(unit) {
		return evidence.UnitChanged{}, false
	}
	return evidence.UnitChanged{Unit: safetext.Ident(unit), Change: change}, true
}

// named finds the unit in "kubelet.service - kubelet: The Kubernetes Node
// Agent.", "kubelet.service." or "kubelet: The Kubernetes Node Agent...".
func named(rest string) string {
	rest = strings.TrimRight(rest, ".")
	unit, _, _ := strings.Cut(rest, " ")
	if strings.HasSuffix(unit, ".service") {
		return unit
	}
	return descriptions[rest]
}

// oldUnit reads "Unit kubelet.service entered failed state.", "kubelet.service
// failed." and "kubelet.service holdoff time over, scheduling restart." (systemd
// ≤229, among them 219 of CentOS 7).
func oldUnit(msg string) (unit, event string, ok bool) {
	unit, event, ok = strings.Cut(strings.TrimPrefix(msg, "Unit "), " ")
	return unit, event, ok && strings.HasSuffix(unit, ".service")
}
