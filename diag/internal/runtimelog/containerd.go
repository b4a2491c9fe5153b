package runtimelog

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// readDaemon reads what containerd logs about itself and about tasks that it lost track of
// (cmd/containerd/command/main.go, runtime/v2/manager.go, CRI server restart.go, events.go, service.go; 1.2–2.x).
func (p *Parser) readDaemon(first, msg, rest string, emit emitFunc) {
	switch first {
	case "starting":
		p.version, p.stopping = safetext.Ident(field(rest, "version")), false
		p.starting, p.announced = true, false
	case "Start": // its CRI service looks for what ran before, which may also be last
		if p.starting {
			p.started(emit)
		}
	case "containerd": // at the end of the start
		p.started(emit)
		p.starting, p.announced = false, false
	case "cleaning": // runtime/v2/shim_load.go loadShims: "leaked" only there, "after shim disconnected" at any exit, too
		leaked := msg == "cleaning leaked shim process" // its task had ended, or was never made
		if !leaked && !p.starting {
			return
		}
		p.started(emit)
		if id := field(rest, "id"); !leaked && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.ShimLost{Message: errorText(msg)})
		}
	case "Stop":
		if msg == "Stop CRI service" {
			if !p.stopping { // 1.x closes the plugin twice
				emit(evidence.Subject{}, evidence.RuntimeStopping{})
			}
			p.stopping = true
			return
		}
		// Stop container "c" with signal terminated
		id, after, ok := quotedAfter(msg, `Stop container "`)
		if signal, sent := strings.CutPrefix(after, " with signal "); ok && sent && !strings.Contains(signal, " timed out") {
			emit(evidence.Subject{ContainerID: id}, evidence.StopRequested{TimeoutSeconds: -1,
				Signal: safetext.Ident(strings.TrimSpace(signal))})
		}
	case "shim": // the task's shim is gone and so is the task; 1.6, 1.7, and as "reaped" 1.0–1.2, log this at every exit
		if id := field(rest, "id"); (msg == "shim disconnected" || msg == "shim reaped") && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.TaskExited{})
		}
	case "failed": // failed to get task exit status for "c"
		// A daemon that shuts down stops waiting too; only a closed connection means that the shim ended.
		if id := field(rest, "sandbox"); msg == "failed to recover sandbox state" && isID(id) { // 2.x restart.go
			emit(evidence.Subject{SandboxID: id}, evidence.StateLost{Message: errorText(field(rest, "error"))})
			return
		}
		p.lostShim(msg, rest, emit)
	case "Failed": // Failed to load container status for "c"; … sandbox status for; … container; … sandbox
		p.lostShim(msg, rest, emit)
		kind, _, _ := strings.Cut(strings.TrimPrefix(msg, "Failed to load "), " ")
		id, _, ok := quotedAfter(msg, ` "`)
		lost := evidence.StateLost{Message: errorText(field(rest, "error"))}
		switch {
		case !ok:
		case kind == "container":
			emit(evidence.Subject{ContainerID: id}, lost)
		case kind == "sandbox":
			emit(evidence.Subject{SandboxID: id}, lost)
		}
	}
}

// lostShim reads "failed to get task exit status for "c"", which the CRI plugin of 1.2 to 1.4 begins with a capital.
func (p *Parser) lostShim(msg, rest string, emit emitFunc) {
	id, _, ok := quotedAfter(msg, `ailed to get task exit status for "`)
	if why := field(rest, "error"); ok && !p.stopping && strings.Contains(why, "ttrpc: closed") {
		emit(evidence.Subject{ContainerID: id}, evidence.ShimLost{Message: errorText(why)})
	}
}

// started emits the start of the daemon at the first line that only a starting one writes.
func (p *Parser) started(emit emitFunc) {
	if !p.announced {
		emit(evidence.Subject{}, evidence.RuntimeStarted{Version: p.version})
	}
	p.stopping, p.announced = false, true
}

// readCall reads what containerd logs about CRI calls: the call itself, "… returns …" and "… failed"
// (pkg/cri/instrument 1.x, internal/cri/instrument 2.x, container_stop.go).
func readCall(first, msg, rest string, emit emitFunc) {
	failed := strings.HasSuffix(msg, " failed") || strings.HasSuffix(msg, " failed, error") // the latter: RunPodSandbox
	failure := evidence.RuntimeFailed{Op: first, Message: errorText(field(rest, "error"))}
	switch first {
	case "CreateContainer":
		// CreateContainer within sandbox "s" for &ContainerMetadata{Name:a,Attempt:1,} returns container id "c"
		sandbox, after, named := quotedAfter(msg, `within sandbox "`)
		id, _, made := quotedAfter(after, `returns container id "`)
		attempt, err := strconv.Atoi(metaField(after, "Attempt"))
		sub := evidence.Subject{Container: metaField(after, "Name"), ContainerID: id, SandboxID: sandbox}
		switch {
		case !named || err != nil:
		case made:
			emit(sub, evidence.RuntimeCreated{Attempt: attempt})
		case failed:
			emit(sub, failure)
		}
	case "RunPodSandbox":
		// RunPodSandbox for &PodSandboxMetadata{Name:p,Uid:u,Namespace:n,Attempt:0,} returns sandbox id "s"
		id, _, made := quotedAfter(msg, `returns sandbox id "`)
		attempt, err := strconv.Atoi(metaField(msg, "Attempt"))
		sub := evidence.Subject{Namespace: metaField(msg, "Namespace"), Pod: metaField(msg, "Name"),
			PodUID: metaField(msg, "Uid"), SandboxID: id}
		switch {
		case err != nil:
		case made:
			emit(sub, evidence.SandboxCreated{Attempt: attempt})
		case failed:
			failure.Attempt = attempt
			emit(sub, failure)
		}
	case "StartContainer", "ExecSync", "UpdateContainerResources": // StartContainer for "c" returns successfully
		id, after, ok := quotedAfter(msg, `for "`)
		switch {
		case !ok:
		case failed:
			emit(evidence.Subject{ContainerID: id}, failure)
		case first == "StartContainer" && after == " returns successfully":
			emit(evidence.Subject{ContainerID: id}, evidence.TaskStarted{})
		}
	case "StopContainer": // StopContainer for "c" with timeout 30 (s)
		id, after, ok := quotedAfter(msg, `for "`)
		seconds, timed := strings.CutPrefix(after, " with timeout ")
		seconds, _, _ = strings.Cut(seconds, " ")
		n, err := strconv.Atoi(seconds)
		switch {
		case !ok:
		case failed:
			emit(evidence.Subject{ContainerID: id}, failure)
		case timed && err == nil:
			emit(evidence.Subject{ContainerID: id}, evidence.StopRequested{TimeoutSeconds: n})
		}
	case "Exec": // Exec for "c" with command [sh], tty true and stdin true; also "… returns URL"
		if id, after, ok := quotedAfter(msg, `for "`); ok && strings.HasPrefix(after, " with command ") {
			emit(evidence.Subject{ContainerID: id}, evidence.ExecStarted{})
		}
	case "Attach": // Attach for "c" with tty true and stdin true; also "… returns URL"
		if id, after, ok := quotedAfter(msg, `for "`); ok && strings.HasPrefix(after, " with tty ") {
			emit(evidence.Subject{ContainerID: id}, evidence.ExecStarted{Attached: true})
		}
	case "Forcibly": // Forcibly stopping container "c", which is removed while it runs; … sandbox "s"
		if id, after, ok := quotedAfter(msg, `stopping container "`); ok && after == "" {
			emit(evidence.Subject{ContainerID: id}, evidence.StopRequested{Signal: "killed"})
		}
		if id, after, ok := quotedAfter(msg, `stopping sandbox "`); ok && after == "" {
			emit(evidence.Subject{SandboxID: id}, evidence.SandboxStopRequested{})
		}
	case "Kill": // Kill container "c"
		if id, after, ok := quotedAfter(msg, `Kill container "`); ok && after == "" {
			emit(evidence.Subject{ContainerID: id}, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})
		}
	case "StopPodSandbox":
		id, after, ok := quotedAfter(msg, `StopPodSandbox for "`)
		switch {
		case !ok:
		case failed:
			emit(evidence.Subject{SandboxID: id}, failure)
		case after == "":
			emit(evidence.Subject{SandboxID: id}, evidence.SandboxStopRequested{})
		case after == " returns successfully":
			emit(evidence.Subject{SandboxID: id}, evidence.SandboxStopped{})
		}
	}
}

// readExit reads the exit of a task: "TaskExit event &TaskExit{…}" (containerd ≤1.6, Go syntax), "TaskExit event [in
// podsandbox handler ]{…}" and "received exit event {…}" (1.7+, protobuf text, without an exit status that is zero). It
// also stands in what containerd says of an exit that it could not handle, and handles again and again.
func readExit(msg string, emit emitFunc) {
	sandbox := protoField(msg, "SandboxID", "sandbox_id")
	if strings.HasPrefix(msg, "failed to handle sandbox ") {
		sandbox = cmp.Or(sandbox, protoField(msg, "ContainerID", "container_id"))
	}
	if isID(sandbox) {
		emit(evidence.Subject{SandboxID: sandbox}, evidence.TaskExited{ExitCode: exitCode(msg), Ended: ended(msg)})
		return
	}
	id := protoField(msg, "ContainerID", "container_id")
	switch process := protoField(msg, "ID", "id"); {
	case !isID(id):
		return
	case process != id:
		if process != "" { // a process that exec started
			emit(evidence.Subject{ContainerID: id}, evidence.ExecExited{})
		}
		return
	}
	pid, _ := strconv.Atoi(protoField(msg, "Pid", "pid"))
	emit(evidence.Subject{ContainerID: id},
		evidence.TaskExited{ExitCode: exitCode(msg), PID: max(0, pid), Ended: ended(msg)})
}

// ended reads exited_at:{seconds:1 nanos:2}, and ExitedAt:2024-03-05 10:12:44.1 +0000 UTC, of Go syntax.
func ended(msg string) time.Time {
	if _, stamp, ok := strings.Cut(msg, "ExitedAt:"); ok {
		stamp, _, _ = strings.Cut(stamp, ",")
		return goTime(stamp)
	}
	_, stamp, ok := strings.Cut(msg, "exited_at:{")
	stamp, _, closed := strings.Cut(stamp, "}")
	seconds, err := strconv.ParseInt(protoField(stamp, "seconds", "seconds"), 10, 64)
	if !ok || !closed || err != nil || seconds <= 0 {
		return time.Time{}
	}
	nanos, _ := strconv.ParseInt(protoField(stamp, "nanos", "nanos"), 10, 64) // left out when zero
	return time.Unix(seconds, nanos).UTC()
}

// goTime reads a time as Go prints it, the zero time if it is none or zero itself.
func goTime(stamp string) time.Time {
	at, err := time.Parse("2006-01-02 15:04:05.999999999 -0700 MST", stamp)
	if err != nil || at.Unix() <= 0 {
		return time.Time{}
	}
	return at.UTC()
}

func exitCode(msg string) *int32 {
	text := protoField(msg, "ExitStatus", "exit_status")
	if text == "" && strings.Contains(msg, "exited_at:") {
		text = "0"
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return nil
	}
	return new(int32(n))
}

// errorText makes an error's text safe: a runtime's error may quote the command line that it could not start.
func errorText(text string) safetext.Text { return safetext.Clean(text) }
