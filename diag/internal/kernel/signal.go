package kernel

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// everyone are the actions of SysRq that send a signal to every process but the first one (drivers/tty/sysrq.c). Their
// line is "sysrq: Kill All Tasks", before 4.20 with "SysRq : " in front of the action.
var everyone = map[string]string{"Terminate All Tasks": "SIGTERM", "Kill All Tasks": "SIGKILL"}

// signalled reads that someone sent a signal: to all processes with SysRq, or to one, as an audit record has it where
// no daemon takes those ("audit: type=1318 audit(1772359242.400:812): opid=4711 …").
func signalled(e evidence.Entry, emit func(evidence.Observation)) bool {
	i := strings.LastIndex(e.Message, "ysrq: ")
	action := strings.TrimPrefix(strings.TrimPrefix(e.Message[max(0, i):], "ysrq: "), "SysRq : ")
	f := evidence.Signalled{By: "SysRq", Signal: everyone[action]}
	if f.Signal == "" {
		_, record, audit := strings.Cut(e.Message, "audit: type=1318 ")
		_, record, _ = strings.Cut(record, "): ")
		pid := hostlog.Audited(record)
		if !audit || pid == 0 {
			return false
		}
		f.By, f.PIDs = "audit", []int{pid}
	}
	emit(evidence.Observation{Time: e.Time, Fact: f, Text: safetext.Clean(e.Message)})
	return true
}
