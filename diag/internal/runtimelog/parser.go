package runtimelog

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/searched"
)

// Parser reads the lines of one runtime in order. It remembers what one line says about a later one. The zero value is
// ready to use.
type Parser struct {
	// version is from "starting containerd" and "Docker daemon", seconds before the daemon is up.
	version string
	// stopping: the daemon is shutting down, so its waits end as well.
	stopping bool
	// starting: it is starting, so that a shim which is gone ended before; announced: its start was emitted.
	starting, announced bool
	info                bool // a line of that level was seen
	calm                searched.Log
	// called holds the kinds of kubelet calls that lines were about.
	called map[string]bool
}

// Tells returns what the absence of a line means, given the lines so far (evidence.RuntimeTellsStarts,
// RuntimeTellsStops, 0 for nothing). Docker, or a daemon that logs only warnings, logs nothing about a stop that
// succeeds. A log with lines about only one kind of call, or with none that a search for an exit would leave out, is
// the result of someone's search.
func (p *Parser) Tells() int {
	switch {
	case !p.calm.Whole():
		return 0
	case len(p.called) > 1:
		return evidence.RuntimeTellsStops
	case p.info:
		return evidence.RuntimeTellsStarts
	}
	return 0
}

// call returns the kind of call that a line of containerd or CRI-O reports at level info, the level at which they also
// log every stop request; "" for other facts.
func call(f evidence.Fact) string {
	switch f := f.(type) {
	case evidence.RuntimeCreated:
		return "create"
	case evidence.SandboxCreated:
		return "create a sandbox"
	case evidence.TaskStarted:
		return "start"
	case evidence.SandboxStopRequested:
		return "stop a sandbox"
	case evidence.StopRequested:
		if f.TimeoutSeconds >= 0 {
			return "stop"
		}
	}
	return ""
}

// Add reads one line. Emitted observations have Subject, Fact, Text and the entry's time; node and source are up to the
// caller. Most lines emit nothing.
func (p *Parser) Add(e evidence.Entry, emit func(evidence.Observation)) {
	e.Message = logfmt(e.Message)
	p.info = p.info || strings.Contains(e.Message, "level=info") || strings.Contains(e.Message, `"level":"info"`)
	p.calm.Add(e.Message)
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
	at, _ := Written(&e)
	p.read(msg, rest, func(sub evidence.Subject, f evidence.Fact) {
		if kind := call(f); kind != "" && !p.called[kind] {
			if p.called == nil {
				p.called = map[string]bool{}
			}
			p.called[kind] = true
		}
		text := msg
		if _, exec := f.(evidence.ExecStarted); exec {
			text, _, _ = strings.Cut(msg, " with command ") // it may hold a password
		}
		for _, key := range []string{"id", "container", "containerID"} {
			if id := field(rest, key); id != "" && sub.ContainerID == id && !strings.Contains(msg, id) {
				text += " " + key + "=" + id
			}
		}
		if why := field(rest, "error"); why != "" {
			text += ": " + why
		}
		emit(evidence.Observation{Time: at, Subject: sub, Fact: f, Text: errorText(text)})
	})
}

// openings are the beginnings of the messages that matter; the rest is discarded before it is unquoted.
var openings = []string{
	"containerd successfully booted", "starting containerd", "cleaning leaked shim process",
	"cleaning up after shim disconnected",
	"Start recovering state", "CreateContainer within",
	"RunPodSandbox for", "StopContainer for",
	"Stop container ", "Kill container ", "Forcibly stopping ", "Exec for", "Attach for",
	"StopPodSandbox for", "TaskExit event ", "TaskOOM event ", "received exit event",
	"received container exit event", "received sandbox ", "shim disconnected", "shim reaped",
	"StartContainer for", "ExecSync for", "UpdateContainerResources for",
	"failed to get task exit status for", "Failed to get task exit status for", "Events for ",
	"failed to handle container TaskExit event", "failed to handle sandbox ", "Failed to handle exit event ",
	"Failed to handle event ", "Failed to handle backOff event ", "Failed to load container status for",
	"Failed to load sandbox", "Failed to load container", "failed to recover sandbox state", "Stop CRI service",
	"Starting CRI-O, version", "could not restore sandbox ", "Could not restore sandbox ", "Could not restore container ",
	"Created container", "Ran pod sandbox ", "Started container",
	"Stopping container: ", "Stopped container ", "Killing container ", "Removing container: ",
	"Stopping pod sandbox: ", "Stopped pod sandbox: ",
	"Container ", "Daemon has completed initialization", "Docker daemon",
	"ShouldRestart failed",
	"Processing signal ", "Daemon shutdown complete", "ignoring event", "Handler for POST ",
}

func worthReading(s string) bool {
	key := "msg="
	if strings.HasPrefix(s, "{") {
		key = `"msg":`
	}
	// JSON may contain other messages within its own: one of them must match.
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

// read dispatches a message to the reader of its runtime; each message belongs to only one of them.
func (p *Parser) read(msg, rest string, emit emitFunc) {
	first, _, _ := strings.Cut(msg, " ")
	if first == "Events" || strings.HasPrefix(msg[len(first):], " to handle ") {
		first = "TaskExit" // it was not stopped properly, but it has ended all the same
	}
	switch first {
	case "starting", "containerd", "Start", "Stop", "failed", "Failed", "shim", "cleaning":
		p.readDaemon(first, msg, rest, emit)
	case "CreateContainer", "RunPodSandbox", "StartContainer", "StopContainer", "Exec", "Attach",
		"StopPodSandbox", "Kill", "Forcibly", "ExecSync", "UpdateContainerResources":
		readCall(first, msg, rest, emit)
	case "TaskExit", "received":
		readExit(msg, emit)
	case "TaskOOM": // containerd pkg/cri events.go; &TaskOOM{ContainerID:x,} ≤1.6, container_id:"x" 1.7+
		if id := protoField(msg, "ContainerID", "container_id"); isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.TaskOOM{})
		}
	case "Container", "Daemon", "Docker", "Processing", "ignoring", "Handler", "ShouldRestart":
		p.readDocker(first, msg, rest, emit)
	default:
		readCRIO(first, msg, rest, emit)
	}
}

// emitFunc receives what a line says; the caller adds node, source and time.
type emitFunc func(evidence.Subject, evidence.Fact)

// quotedAfter returns the text between before and the next quote.
func quotedAfter(s, before string) (value, rest string, ok bool) {
	_, s, found := strings.Cut(s, before)
	value, rest, closed := strings.Cut(s, `"`)
	return value, rest, found && closed && isID(value)
}

// metaField reads a field of &ContainerMetadata{Name:a,Attempt:1,}, or of protobuf text, name:"a" attempt:1, which
// containerd prints since its CRI types are plain protobuf (2.4). There a field that is zero is left out.
func metaField(s, key string) string {
	_, meta, ok := strings.Cut(s, "Metadata{")
	if !ok {
		text := strings.ToLower(key)
		value := protoField(s, text, text)
		if value == "" && key == "Attempt" && protoField(s, "name", "name") != "" {
			value = "0"
		}
		return value
	}
	s, _, closed := strings.Cut(meta, "}")
	if !closed {
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

// isID accepts hexadecimal ids, full or shortened as people do.
func isID(s string) bool {
	return evidence.IsContainerID(s, 12)
}
