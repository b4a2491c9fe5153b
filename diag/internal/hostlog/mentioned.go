package hostlog

import (
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// deadly are the words of a line that tells of a signal, in lower case: kill, killed, pkill, SIGTERM, terminating.
var deadly = []string{"kill", "sigterm", "sigint", "sighup", "sigquit", "terminat"}

// maxMentioned bounds the numbers of one line that are taken for processes.
const maxMentioned = 8

// mentioned reads a line of any other program that tells of a signal: sudo and cron write which command they run ("…
// COMMAND=/usr/bin/kill -15 4711", "… ctr task kill 3d1f…"), agents what they do. Each number may be a process's. What
// nobody can read for certain rules nothing out; beside it, a silence proves nothing.
func mentioned(e *evidence.Entry, emit func(evidence.Observation)) {
	lower := strings.ToLower(e.Message)
	tells := false
	for _, w := range deadly {
		tells = tells || strings.Contains(lower, w)
	}
	if !tells {
		return
	}
	f, s := evidence.Signalled{By: safetext.Ident(e.Unit)}, evidence.Subject{}
	switch {
	case strings.Contains(e.Message, " ; COMMAND="):
		f.By = "sudo"
	case strings.Contains(e.Message, ") CMD ("):
		f.By = "cron"
	}
	for _, word := range strings.FieldsFunc(e.Message, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		if n, err := strconv.Atoi(word); err == nil && n > 1 && len(f.PIDs) < maxMentioned {
			f.PIDs = append(f.PIDs, n)
		} else if s.ContainerID == "" && evidence.IsContainerID(word, evidence.WholeID) {
			s.ContainerID = word
		}
	}
	if len(f.PIDs) > 0 || s.ContainerID != "" {
		emit(evidence.Observation{Time: e.Time, Subject: s, Fact: f, Text: safetext.Clean(e.Message)})
	}
}

// Audited returns the process that got a signal, from an audit record of type OBJ_PID: "opid=4711 oauid=… ocomm=…"
// (kernel/auditsc.c audit_log_pid_context); 0 for none.
func Audited(record string) int {
	number, ok := strings.CutPrefix(record, "opid=")
	number, _, _ = strings.Cut(number, " ")
	if pid, err := strconv.Atoi(number); ok && err == nil && pid > 0 {
		return pid
	}
	return 0
}
