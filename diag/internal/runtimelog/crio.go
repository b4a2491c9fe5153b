package runtimelog

import (
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// readCRIO reads CRI-O (server/container_*.go, sandbox_*.go; 1.13–1.3x). At its usual level it logs no failed calls;
// the kubelet's log has those.
func readCRIO(first, msg, rest string, emit emitFunc) {
	switch first {
	case "Starting": // Starting CRI-O, version: 1.30.4, git: …
		if v, ok := strings.CutPrefix(msg, "Starting CRI-O, version: "); ok {
			v, _, _ = strings.Cut(v, ",")
			emit(evidence.Subject{}, evidence.RuntimeStarted{Version: safetext.Ident(v)})
		}
	case "could", "Could": // could not restore sandbox <id> container <id>: open /var/run/…: no such file or directory
		what, why, ok := strings.Cut(strings.TrimPrefix(msg, first+" not restore "), ": ")
		kind, id, _ := strings.Cut(what, " ")
		id, _, container := strings.Cut(strings.TrimSuffix(id, "; deleting it and containers underneath it"), " ")
		lost := evidence.StateLost{Message: errorText(why)}
		switch emptied := strings.Contains(why, "/run/") && strings.HasSuffix(why, "no such file or directory"); {
		case !ok || !isID(id):
		case emptied && (kind == "sandbox" || container):
			emit(evidence.Subject{}, evidence.RuntimeTrouble{State: evidence.RuntimeEmptied, Message: lost.Message})
		case kind == "sandbox": // server.go restore: it deletes what it cannot restore
			emit(evidence.Subject{SandboxID: id}, lost)
		case kind == "container":
			emit(evidence.Subject{ContainerID: id}, lost)
		}
	case "Created": // Created container <id>: ns/pod/name
		if sub, ok := described(strings.TrimPrefix(msg, "Created container "), ": "); ok {
			emit(sub, evidence.RuntimeCreated{Attempt: -1})
		}
	case "Started":
		// "Started container" PID=1 containerID=<id> description=ns/pod/name sandboxID=<id> (1.18+); earlier without
		// any id
		id := field(rest, "containerID")
		sub, ok := described(id+": "+field(rest, "description"), ": ")
		if msg == "Started container" && ok {
			if box := field(rest, "sandboxID"); isID(box) {
				sub.SandboxID = box
			}
			pid, err := strconv.Atoi(field(rest, "PID"))
			if err != nil || pid < 0 {
				pid = 0
			}
			emit(sub, evidence.TaskStarted{PID: pid})
		}
	case "Stopped": // Stopped container <id>: ns/pod/name; Stopped pod sandbox: <id>
		if sub, ok := described(strings.TrimPrefix(msg, "Stopped container "), ": "); ok {
			emit(sub, evidence.TaskExited{})
		}
		if id, ok := strings.CutPrefix(msg, "Stopped pod sandbox: "); ok && isID(id) {
			emit(evidence.Subject{SandboxID: id}, evidence.SandboxStopped{})
		}
	case "Killing": // Killing container <id> failed: <the runtime's call> failed: …
		id, why, ok := strings.Cut(strings.TrimPrefix(msg, "Killing container "), " failed: ")
		if ok && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.KillFailed{Message: errorText(why)})
		}
	case "Ran": // Ran pod sandbox <id> with infra container: ns/pod/POD
		if sub, ok := described(strings.TrimPrefix(msg, "Ran pod sandbox "), " with infra container: "); ok {
			sub.SandboxID, sub.ContainerID, sub.Container = sub.ContainerID, "", ""
			emit(sub, evidence.SandboxCreated{Attempt: -1})
		}
	case "Removing": // Removing container: <id>
		if id, ok := strings.CutPrefix(msg, "Removing container: "); ok && isID(id) {
			emit(evidence.Subject{ContainerID: id}, evidence.RemovalRequested{})
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

// Conmon reads a line of conmon, CRI-O's monitor of one container: "conmon <id, 20 digits> <ninfo>: container 4711
// exited with status 137" (ctr_exit.c) and "… <ninfo>: OOM received" (oom.c). If the entry's unit is conmon's scope,
// crio-conmon-<id>.scope, it has the whole id; otherwise only the 20 digits are known.
func Conmon(e evidence.Entry, emit func(evidence.Observation)) {
	id, ok := strings.CutPrefix(strings.TrimSuffix(e.Unit, ".scope"), "crio-conmon-")
	head, said, found := strings.Cut(e.Message, " <ninfo>: ")
	if e.Unit == "conmon" {
		id, ok = strings.CutPrefix(head, "conmon ")
	}
	if !ok || !found || !isID(id) {
		return
	}
	var fact evidence.Fact
	switch {
	case said == "OOM received", said == "OOM event received":
		fact = evidence.TaskOOM{}
	case strings.HasPrefix(said, "container "):
		_, status, exited := strings.Cut(said, " exited with status ")
		n, err := strconv.ParseUint(status, 10, 31)
		if !exited || err != nil {
			return
		}
		fact = evidence.TaskExited{ExitCode: new(int32(n))}
	default:
		return
	}
	emit(evidence.Observation{Time: e.Time, Subject: evidence.Subject{ContainerID: id},
		Fact: fact, Text: safetext.Clean(e.Message)})
}
