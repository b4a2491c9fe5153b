package runtimelog

import (
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Parser reads the lines of one runtime in order. It remembers one thing: the
// version that "starting containerd" tells seconds before the daemon is up. The
// zero value is ready.
type Parser struct{ version string }

// Add reads one line. Emitted observations have Subject, Fact, Text and the
// entry's time; node and source are the caller's business. Most lines say
// nothing.
func (p *Parser) Add(e evidence.Entry, emit func(evidence.Observation)) {
	if !worthReading(e.Message) {
		return
	}
	msg, rest, ok := message(e.Message)
	if strings.HasPrefix(e.Message, "{") {
		msg, rest, ok = jsonMessage(e.Message)
	}
	if !ok {
		return
	}
	p.read(msg, rest, func(sub evidence.Subject, f evidence.Fact) {
		text := msg
		if id := field(rest, "id"); id != "" && sub.ContainerID == id {
			text += " id=" + id
		}
		emit(evidence.Observation{Time: e.Time, Subject: sub, Fact: f, Text: safetext.Clean(text)})
	})
}

// openings are how the messages start that matter; all else is turned away
// before it is unquoted.
var openings = []string{
	"containerd successfully booted", "starting containerd", "CreateContainer within", "RunPodSandbox for", "StopContainer for",
	"Stop container ", "Kill container ", "StopPodSandbox for", "TaskExit event ", "TaskOOM event ", "received exit event",
	"received container exit event", "received sandbox exit event", "shim disconnected",
	"Starting CRI-O, version", "Created container ", "Ran pod sandbox ", "Stopping container: ", "Stopped container ", "Stopping pod sandbox: ",
	"Container ", "Daemon has completed initialization",
}

func worthReading(s string) bool {
	key := "msg="
	if strings.HasPrefix(s, "{") {
		key = `"msg":`
	}
	// JSON may hold other messages inside its own: one of them must be worth it.
	for rest := s; ; {
		_, after, found := strings.Cut(rest, key)
		if !found {
			return false
		}
		text := strings.TrimPrefix(after, `"`)
		for _, o := range openings {
			if strings.HasPrefix(text, o) {
				return true
			}
		}
		if rest = after; s[0] != '{' {
			return false
		}
	}
}

type emitFunc func(evidence.Subject, evidence.Fact)

// read applies what the runtimes say; each line is of one of them only.
func (p *Parser) read(msg, rest string, emit emitFunc) {
	first, _, _ := strings.Cut(msg, " ")
	switch first {
	case "starting": // containerd cmd/containerd/command/main.go
		p.version = safetext.Ident(field(rest, "version"))
	case "containerd": // same place, at the end of the start
		emit(evidence.Subject{}, evidence.RuntimeStarted{Version: p.version})
	case "CreateContainer", "RunPodSandbox", "StopContainer", "StopPodSandbox", "Stop", "Kill":
		readCall(first, msg, emit)
	case "TaskExit", "received":
		readExit(msg, emit)
	case "TaskOOM": // containerd pkg/cri events.go; &TaskOOM{ContainerID:x,} ≤1.6, container_id:"x" 1.7+
		if id := protoField(msg, "ContainerID", "container_id"); isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.TaskOOM{})
		}
	case "shim": // "shim disconnected" id=x: the task's shim is gone, so is the task
		if id := field(rest, "id"); msg == "shim disconnected" && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.TaskExited{})
		}
	default:
		readOthers(first, msg, rest, emit)
	}
}

// readCall reads what containerd logs about CRI calls (containerd
// pkg/cri/instrument 1.x, internal/cri/instrument 2.x, container_stop.go).
func readCall(first, msg string, emit emitFunc) {
	switch first {
	case "CreateContainer": // CreateContainer within sandbox "s" for &ContainerMetadata{Name:a,Attempt:1,} returns container id "c"
		sandbox, after, _ := quotedAfter(msg, `within sandbox "`)
		id, _, made := quotedAfter(after, `returns container id "`)
		attempt, err := strconv.Atoi(metaField(after, "Attempt"))
		if made && err == nil {
			emit(evidence.Subject{Container: metaField(after, "Name"), ContainerID: id, SandboxID: sandbox}, evidence.RuntimeCreated{Attempt: attempt})
		}
	case "RunPodSandbox": // RunPodSandbox for &PodSandboxMetadata{Name:p,Uid:u,Namespace:n,Attempt:0,} returns sandbox id "s"
		id, _, made := quotedAfter(msg, `returns sandbox id "`)
		attempt, err := strconv.Atoi(metaField(msg, "Attempt"))
		if made && err == nil {
			emit(evidence.Subject{Namespace: metaField(msg, "Namespace"), Pod: metaField(msg, "Name"), PodUID: metaField(msg, "Uid"), SandboxID: id},
				evidence.SandboxCreated{Attempt: attempt})
		}
	case "StopContainer": // StopContainer for "c" with timeout 30 (s)
		id, after, ok := quotedAfter(msg, `for "`)
		seconds, timed := strings.CutPrefix(after, " with timeout ")
		seconds, _, _ = strings.Cut(seconds, " ")
		if n, err := strconv.Atoi(seconds); ok && timed && err == nil {
			emit(evidence.Subject{ContainerID: id}, evidence.StopRequested{TimeoutSeconds: n})
		}
	case "Stop": // Stop container "c" with signal terminated
		id, after, ok := quotedAfter(msg, `Stop container "`)
		if signal, sent := strings.CutPrefix(after, " with signal "); ok && sent && !strings.Contains(signal, " timed out") {
			emit(evidence.Subject{ContainerID: id}, evidence.StopRequested{TimeoutSeconds: -1, Signal: safetext.Ident(strings.TrimSpace(signal))})
		}
	case "Kill": // Kill container "c"
		if id, after, ok := quotedAfter(msg, `Kill container "`); ok && after == "" {
			emit(evidence.Subject{ContainerID: id}, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})
		}
	case "StopPodSandbox": // the call; "… returns successfully" and "… failed" are answers
		if id, after, ok := quotedAfter(msg, `StopPodSandbox for "`); ok && after == "" {
			emit(evidence.Subject{SandboxID: id}, evidence.SandboxStopRequested{})
		}
	}
}

// readExit reads the end of a task: "TaskExit event &TaskExit{…}" (containerd
// ≤1.6, Go syntax), "TaskExit event [in podsandbox handler ]{…}" and "received
// exit event {…}" (1.7+, protobuf text, where a zero exit status is left out).
func readExit(msg string, emit emitFunc) {
	if sandbox := protoField(msg, "SandboxID", "sandbox_id"); isID(sandbox) {
		emit(evidence.Subject{SandboxID: sandbox}, evidence.TaskExited{ExitCode: exitCode(msg)})
		return
	}
	id := protoField(msg, "ContainerID", "container_id")
	// The id differs from the container's for a process that exec started.
	if !isID(id) || protoField(msg, "ID", "id") != id {
		return
	}
	emit(evidence.Subject{ContainerID: id}, evidence.TaskExited{ExitCode: exitCode(msg)})
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
	code := int32(n)
	return &code
}

// readOthers reads CRI-O (server/*.go) and dockerd (daemon/stop.go, daemon.go).
func readOthers(first, msg, rest string, emit emitFunc) {
	switch first {
	case "Starting": // Starting CRI-O, version: 1.30.4, git: …
		if v, ok := strings.CutPrefix(msg, "Starting CRI-O, version: "); ok {
			v, _, _ = strings.Cut(v, ",")
			emit(evidence.Subject{}, evidence.RuntimeStarted{Version: safetext.Ident(v)})
		}
	case "Created": // Created container <id>: ns/pod/name
		if sub, ok := described(strings.TrimPrefix(msg, "Created container "), ": "); ok {
			emit(sub, evidence.RuntimeCreated{Attempt: -1})
		}
	case "Stopped": // Stopped container <id>: ns/pod/name
		if sub, ok := described(strings.TrimPrefix(msg, "Stopped container "), ": "); ok {
			emit(sub, evidence.TaskExited{})
		}
	case "Ran": // Ran pod sandbox <id> with infra container: ns/pod/POD
		if sub, ok := described(strings.TrimPrefix(msg, "Ran pod sandbox "), " with infra container: "); ok {
			sub.SandboxID, sub.ContainerID, sub.Container = sub.ContainerID, "", ""
			emit(sub, evidence.SandboxCreated{Attempt: -1})
		}
	case "Stopping":
		if id, ok := strings.CutPrefix(msg, "Stopping pod sandbox: "); ok && isID(id) {
			emit(evidence.Subject{SandboxID: id}, evidence.SandboxStopRequested{})
		}
		// Stopping container: <id> (timeout: 30s)
		id, timeout, ok := strings.Cut(strings.TrimPrefix(msg, "Stopping container: "), " (timeout: ")
		if n, err := strconv.Atoi(strings.TrimSuffix(timeout, "s)")); ok && err == nil && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.StopRequested{TimeoutSeconds: n})
		}
	case "Container": // dockerd: the signal was not obeyed, SIGKILL follows
		id, _, _ := strings.Cut(strings.TrimPrefix(msg, "Container "), " ")
		if !isID(id) {
			id = field(rest, "container")
		}
		if strings.Contains(msg, "failed to exit within ") && strings.HasSuffix(msg, "using the force") && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.StopRequested{TimeoutSeconds: -1, Signal: "killed"})
		}
	case "Daemon": // dockerd: Daemon has completed initialization
		if msg == "Daemon has completed initialization" {
			emit(evidence.Subject{}, evidence.RuntimeStarted{})
		}
	}
}

// described reads CRI-O's "<id>: ns/pod/name".
func described(s, between string) (evidence.Subject, bool) {
	id, name, ok := strings.Cut(s, between)
	parts := strings.Split(name, "/")
	if !ok || !isID(id) || len(parts) != 3 {
		return evidence.Subject{}, false
	}
	return evidence.Subject{Namespace: parts[0], Pod: parts[1], Container: parts[2], ContainerID: id}, true
}

// quotedAfter returns what stands between before and the next quote.
func quotedAfter(s, before string) (value, rest string, ok bool) {
	_, s, found := strings.Cut(s, before)
	value, rest, closed := strings.Cut(s, `"`)
	return value, rest, found && closed && isID(value)
}

// metaField reads a field of &ContainerMetadata{Name:a,Attempt:1,}.
func metaField(s, key string) string {
	_, s, ok := strings.Cut(s, "Metadata{")
	s, _, closed := strings.Cut(s, "}")
	if !ok || !closed {
		return ""
	}
	for _, f := range strings.Split(s, ",") {
		if v, is := strings.CutPrefix(f, key+":"); is {
			return v
		}
	}
	return ""
}

// protoField reads a field in Go syntax (key:value,) or protobuf text
// (key:"value" or key:1).
func protoField(s, goKey, textKey string) string {
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '{' || r == '}' }) {
		key, value, ok := strings.Cut(f, ":")
		if ok && (key == goKey || key == textKey) {
			return strings.Trim(value, `"`)
		}
	}
	return ""
}

// isID accepts hexadecimal ids, whole or shortened as people do.
func isID(s string) bool {
	return len(s) >= 12 && len(s) <= 64 && strings.Trim(s, "0123456789abcdef") == ""
}
