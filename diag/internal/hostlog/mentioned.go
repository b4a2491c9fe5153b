package hostlog

import (
	"path"
	"slices"
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
	f, s := evidence.Signalled{}, evidence.Subject{}
	for _, word := range strings.FieldsFunc(e.Message, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		if n, err := strconv.Atoi(word); err == nil && n > 1 && len(f.PIDs) < maxMentioned {
			f.PIDs = append(f.PIDs, n)
		} else if s.ContainerID == "" && evidence.IsContainerID(word, evidence.WholeID) {
			s.ContainerID = word
		}
	}
	if by, line := command(e.Message); s.ContainerID != "" && kills(line, s.ContainerID) {
		f.By = by
	}
	if len(f.PIDs) > 0 || s.ContainerID != "" {
		emit(evidence.Observation{Time: e.Time, Subject: s, Fact: f, Text: safetext.Clean(e.Message)})
	}
}

// command returns the command that sudo ("ops : TTY=pts/0 ; USER=root ; COMMAND=…") or cron ("(root) CMD (…)") ran, and
// which of them; what sudo refuses ("ops : command not allowed ; TTY=pts/0 ; …") is none.
func command(msg string) (by, line string) {
	if settings, line, ok := strings.Cut(msg, " ; COMMAND="); ok {
		_, settings, _ = strings.Cut(settings, " : ")
		if first, _, _ := strings.Cut(settings, " ; "); strings.Contains(first, "=") {
			return "sudo", line
		}
		return "", ""
	}
	_, line, _ = strings.Cut(msg, ") CMD (")
	return "cron", strings.TrimSuffix(line, ")")
}

// runtimes are the tools that send a signal to the container whose id they are given.
var runtimes = []string{"crictl", "ctr", "docker", "nerdctl", "podman"}

// asks are what may stand between such a tool's kill and the id: all processes, a signal that ends one.
var asks = []string{"-a", "--all", "-s", "--signal", "KILL", "9", "TERM", "15", "INT", "2", "QUIT", "3"}

// kills reports whether a command is nothing but a runtime's tool that kills a container. One that only searches for
// such a word, asks for the container's log or tells a process to open its files again has the id as well.
func kills(line, id string) bool {
	words := strings.Fields(line)
	verb, of := slices.Index(words, "kill"), slices.Index(words, id)
	if verb < 0 || of < verb || !slices.Contains(runtimes, path.Base(words[0])) {
		return false
	}
	return !slices.ContainsFunc(words[verb+1:of], func(word string) bool {
		return !slices.Contains(asks, strings.TrimPrefix(strings.TrimPrefix(word, "--signal="), "SIG"))
	})
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
