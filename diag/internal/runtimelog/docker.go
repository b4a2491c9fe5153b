package runtimelog

import (
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// readDocker reads dockerd (daemon/stop.go, daemon.go, cmd/dockerd, libcontainerd; 1.12–28).
func (p *Parser) readDocker(first, msg, rest string, emit emitFunc) {
	switch first {
	case "Container": // the container ignored the signal; SIGKILL follows
		id, _, _ := strings.Cut(strings.TrimPrefix(msg, "Container "), " ")
		if !isID(id) {
			id = field(rest, "container")
		}
		forced := strings.HasSuffix(msg, "using the force") || strings.HasSuffix(msg, "trying direct SIGKILL")
		if strings.Contains(msg, "failed to exit within ") && forced && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})
		}
	case "ShouldRestart": // that somebody stopped it may be of an earlier signal (daemon/monitor.go, restartmanager; 23+)
		code, stamp, _ := strings.Cut(strings.Trim(field(rest, "exitStatus"), "{}"), " ")
		id := field(rest, "container")
		n, err := strconv.ParseInt(code, 10, 32)
		if err == nil && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.TaskExited{ExitCode: new(int32(n)), Ended: goTime(stamp)})
		}
	case "Docker": // "Docker daemon" commit=… version=20.10.24
		if msg == "Docker daemon" {
			p.version = safetext.Ident(field(rest, "version"))
		}
	case "Daemon":
		if msg == "Daemon has completed initialization" {
			emit(evidence.Subject{}, evidence.RuntimeStarted{Version: p.version})
		}
		p.stopping = false
	case "Processing": // Processing signal 'terminated'
		if signal, ok := strings.CutPrefix(msg, "Processing signal '"); ok && !p.stopping {
			p.stopping = true
			emit(evidence.Subject{}, evidence.RuntimeStopping{Signal: safetext.Ident(strings.TrimSuffix(signal, "'"))})
		}
	case "ignoring": // "ignoring event" container=<id> module=libcontainerd topic=/tasks/delete: the task is gone
		if id := field(rest, "container"); field(rest, "topic") == "/tasks/delete" && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.TaskExited{})
		}
	case "Handler": // Handler for POST /v1.40/containers/<id>/start returned error: …
		path, why, ok := strings.Cut(strings.TrimPrefix(msg, "Handler for POST "), " returned error: ")
		_, call, found := strings.Cut(path, "/containers/")
		id, verb, _ := strings.Cut(call, "/")
		op := map[string]string{"start": "StartContainer", "stop": "StopContainer"}[verb]
		if ok && found && op != "" && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.RuntimeFailed{Op: op, Message: errorText(why)})
		}
	}
}
