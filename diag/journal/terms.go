package journal

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// Message ids of systemd's own messages (sd-messages.h).
const (
	idCoredump = "fc2e22bc6ee647b6b90729ab34a250b1"
	idDropped  = "a596d6fe7bfa4994828e72309e95d61e" // Suppressed … messages from …
	idStarted  = "f77379a8490b408bbe5f6940505a777b" // Journal started
	// idTimeChange is systemd's message that the clock was set.
	idTimeChange = "c7a787079b354eaaa9e77b371893cd27"
	idMissed     = "e9bf28e6e834481bb6f48f548ad13606" // Missed … kernel messages
	idStopping   = "de5b426a63be47a7b6ac3eaac82e2f6f" // Stopping …: a unit whose processes are still running
)

// group is a list of conditions that an entry must all meet.
type group = []journalfile.Match

// unitTerms select what journalctl --unit does: what the unit writes, and what systemd, journald and systemd-coredump
// write about it (logs-show.c add_matches_for_unit).
func unitTerms(units []string) (out []group) {
	for _, u := range units {
		out = append(out,
			group{{Field: "_SYSTEMD_UNIT", Value: u}},
			group{{Field: "_PID", Value: "1"}, {Field: "UNIT", Value: u}},
			group{{Field: "_UID", Value: "0"}, {Field: "OBJECT_SYSTEMD_UNIT", Value: u}},
			group{{Field: "MESSAGE_ID", Value: idCoredump}, {Field: "_UID", Value: "0"}, {Field: "COREDUMP_UNIT", Value: u}})
	}
	return out
}

// droppedTerms select journald's own messages about entries that it dropped or could not write, and about its start.
// Before systemd 235 the first do not name the unit in a field.
func droppedTerms() []group {
	driver := journalfile.Match{Field: "_TRANSPORT", Value: "driver"}
	return []group{{driver, {Field: "MESSAGE_ID", Value: idDropped}}, {driver, {Field: "MESSAGE_ID", Value: idStarted}},
		{{Field: "_TRANSPORT", Value: "kernel"}, {Field: "SYSLOG_IDENTIFIER", Value: "systemd-journald"}}, clockTerms()}
}

// kernelTerms select the kernel's messages, and journald's own about those that it missed.
func kernelTerms() []group {
	return []group{
		{{Field: "_TRANSPORT", Value: "kernel"}},
		{{Field: "_TRANSPORT", Value: "driver"}, {Field: "MESSAGE_ID", Value: idMissed}},
		clockTerms(),
	}
}

// clockTerms select systemd's messages that the clock was set.
func clockTerms() group {
	return group{{Field: "_PID", Value: "1"}, {Field: "MESSAGE_ID", Value: idTimeChange}}
}

// stopTerms select systemd's messages that it begins to stop a unit. With systemd's cgroups each container is one, a
// scope with an unpredictable name: stopping that bypasses kubelet and runtime, and only this message shows it.
func stopTerms() group {
	return group{{Field: "_PID", Value: "1"}, {Field: "MESSAGE_ID", Value: idStopping}}
}

// signalTerms select the kernel's audit records of processes that got a signal, and systemd's messages that it sent one
// for someone.
func signalTerms() []group {
	return []group{{{Field: "_TRANSPORT", Value: "audit"}, {Field: "_AUDIT_TYPE", Value: "1318"}},
		{{Field: "_PID", Value: "1"}, {Field: "CODE_FUNC", Value: "kill_common_log"}}}
}

// terms select what is collected for a kind of log.
func terms(kind string) []group {
	if kind == "kernel" {
		return kernelTerms()
	}
	out := append(unitTerms(units(kind)), droppedTerms()...)
	if kind == "runtime" {
		out = append(append(out, stopTerms()), signalTerms()...)
	}
	return out
}

// allTerms select everything that is used from journals of unknown machines: entries without a unit are selected by
// their identifier.
func allTerms() []group {
	out := unitTerms(append(evidence.KubeletUnits(), evidence.RuntimeUnits()...))
	out = append(append(append(out, droppedTerms()...), kernelTerms()...), stopTerms())
	out = append(out, signalTerms()...)
	for _, ident := range statement.Identifiers() {
		out = append(out, group{{Field: "SYSLOG_IDENTIFIER", Value: ident}})
	}
	return out
}

// fields are the fields needed for an entry, except its time.
func fields() []string {
	return []string{"MESSAGE", "MESSAGE_ID", "_HOSTNAME", "_SYSTEMD_UNIT",
		"_SYSTEMD_CGROUP", "SYSLOG_IDENTIFIER", "SYSLOG_FACILITY", "UNIT", "_PID", "_UID",
		"_BOOT_ID", "_MACHINE_ID", "_TRANSPORT", "_LINE_BREAK", "CONTAINER_NAME", "_SOURCE_REALTIME_TIMESTAMP"}
}
