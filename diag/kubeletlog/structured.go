package kubeletlog

import (
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podref"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// emitFunc takes one statement of a line.
type emitFunc func(evidence.Subject, evidence.Fact)

// nothing is for lines that only show what the kubelet logs.
func nothing(*line, emitFunc) {}

// subject collects what a structured line says about its container.
func (l *line) subject() evidence.Subject {
	sub := podref.Pod(l.values.Get("pod"))
	if uid := l.values.Get("podUID"); uid != "" && !strings.HasPrefix(uid, "0x") { // v1.21 prints a pointer for a mirror's
		sub.PodUID = uid
	}
	id := l.values.Get("containerID")
	if !l.structured && strings.Contains(id, " ") && !strings.HasPrefix(id, "{") {
		return dockerName(id)
	}
	sub.Container, sub.ContainerID = l.values.Get("containerName"), podref.ContainerID(id)
	return sub
}

func killDecided(l *line, emit emitFunc) {
	sub := l.subject()
	sub.ContainerID = podref.ContainerID(l.values.Get("containerStatusID"))
	message := l.values.Get("containerMessage")
	emit(sub, evidence.KillDecided{Reason: kubeletmsg.KillReasonOf(message), Message: safetext.Clean(message), Count: 1})
}

func killStarted(l *line, emit emitFunc) {
	grace, err := strconv.Atoi(strings.TrimPrefix(l.values.Get("gracePeriod"), "a ")) // "with a 2 second", 1.19 and 1.20
	if err == nil {
		emit(l.subject(), evidence.KillStarted{GraceSeconds: grace})
	}
}

// killOverride treats the line as a kill only where it is the only one: in v1.21. Its klog leaves UIDs unquoted; from
// v1.28 on they are quoted. In between, the parser drops it by the version that it has seen.
func killOverride(l *line, emit emitFunc) {
	if !l.values.Quoted("podUID") {
		killStarted(l, emit)
	}
}

// enters reports, without parsing the line, whether a request to the kubelet's server may be for a command in a
// container: from -v=3 on, most lines are about other requests.
func enters(line string) bool {
	_, path, _ := strings.Cut(line, ` URI="/`)
	return strings.HasPrefix(path, "exec/") || strings.HasPrefix(path, "run/") || strings.HasPrefix(path, "attach/")
}

// requested reads a request to the kubelet's server for a command in a container, which is logged when it is over:
// "HTTP" verb="POST" URI="/exec/shop/web-0/app?command=…" latency="3s" … Its path has the pod's UID, or none.
func requested(l *line, emit emitFunc) {
	path, _, _ := strings.Cut(l.values.Get("URI"), "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	took, err := time.ParseDuration(l.values.Get("latency"))
	if len(parts) < 4 || len(parts) > 5 || err != nil || parts[0] != "exec" && parts[0] != "run" && parts[0] != "attach" ||
		strings.HasPrefix(l.values.Get("resp"), "4") { // refused: of a container that may not exist
		return
	}
	sub := evidence.Subject{Namespace: parts[1], Pod: parts[2], Container: parts[len(parts)-1]}
	if len(parts) == 5 {
		sub.PodUID = parts[3]
	}
	emit(sub, evidence.ExecStarted{Attached: parts[0] == "attach", Lasted: took})
}

func sandboxJudged(reason evidence.SandboxReason) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) { emit(l.subject(), evidence.SandboxJudged{Reason: reason}) }
}

func pleg(l *line, emit emitFunc) {
	sub := l.subject()
	uid, kind, data := podref.Event(l.values.Get("event"))
	emitPLEG(sub, uid, kind, data, emit)
}

func emitPLEG(sub evidence.Subject, uid, kind, data string, emit emitFunc) {
	if sub.PodUID == "" {
		sub.PodUID = uid
	}
	sub.ContainerID = data
	if data == "" {
		return
	}
	switch kind {
	case "ContainerStarted":
		emit(sub, evidence.ContainerStarted{})
	case "ContainerDied":
		emit(sub, evidence.ContainerDied{})
	}
}

// relisted: podUID="…" containerID="…" oldState="running" newState="exited". The old state of what had ended before the
// kubelet started is non-existent.
func relisted(l *line, emit emitFunc) {
	if l.values.Get("oldState") == "running" && relistEnds[l.values.Get("newState")] {
		relistedEnd(l, emit)
	}
}

// relistEnds are the states of a container that has ended. One that the runtime calls unknown may run on (kubelet
// v1.0–v1.36 pleg/generic.go generateEvents).
var relistEnds = map[string]bool{"exited": true, "non-existent": true}

func relistedEnd(l *line, emit emitFunc) {
	id := podref.ContainerID(l.values.Get("containerID"))
	emitPLEG(evidence.Subject{}, l.values.Get("podUID"), "ContainerDied", id, emit)
}

func finished(l *line, emit emitFunc) {
	code, err := strconv.ParseInt(l.values.Get("exitCode"), 10, 32)
	if err != nil {
		return
	}
	emit(evidence.Subject{PodUID: l.values.Get("podID"), ContainerID: podref.ContainerID(l.values.Get("containerID"))},
		evidence.ContainerFinished{ExitCode: int32(code)})
}

// started: "Kubelet version" kubeletVersion="v1.30.14", "Started kubelet"
func started(l *line, emit emitFunc) {
	emit(evidence.Subject{}, evidence.KubeletStarted{Version: safetext.Ident(l.values.Get("kubeletVersion")),
		PID: l.header.PID})
}

func backedOff(l *line, emit emitFunc) { backOffs(l.values.Get("err"), "", emit) }

// removed: containerID="…"
func removed(l *line, emit emitFunc) {
	if id := podref.ContainerID(l.values.Get("containerID")); id != "" {
		emit(evidence.Subject{ContainerID: id}, evidence.ContainerRemoved{})
	}
}

// logFileRead: path="/var/log/pods/NAMESPACE_POD_UID/CONTAINER/ATTEMPT.log", up to v1.13 without
// namespace and name.
func logFileRead(l *line, emit emitFunc) {
	rest, ok := strings.CutPrefix(l.values.Get("path"), "/var/log/pods/")
	parts := strings.Split(rest, "/")
	if !ok || len(parts) != 3 {
		return
	}
	attempt, err := strconv.Atoi(strings.TrimSuffix(parts[2], ".log"))
	names := strings.Split(parts[0], "_")
	if err != nil || attempt < 0 || len(names) != 3 || parts[1] == "" {
		return
	}
	emit(evidence.Subject{Namespace: names[0], Pod: names[1], PodUID: names[2], Container: parts[1]},
		evidence.LogFileRead{Attempt: attempt})
}

// missingRecord: v1.35+ names the pod twice.
func missingRecord(l *line, emit emitFunc) {
	sub := podref.Pod(l.values.Get("pod"))
	sub.Container = l.values.Get("container")
	emit(sub, evidence.MissingActuatedRecord{})
}

// podConfig: "SyncLoop ADD" source= pods=; SyncLoop (ADD, "api"): "p_ns(uid), q_ns(uid)". Up to v1.3 a pod being
// deleted gets an UPDATE like any other.
func podConfig(l *line, emit emitFunc) {
	op, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(l.msg, "SyncLoop "), "("), ",")
	origin, pods := l.values.Get("source"), l.values.Get("pods")
	if !strings.Contains(pods, deletion) {
		emitConfig(op, origin, podref.Pods(pods), emit)
		return
	}
	for pod := range strings.SplitSeq(pods, ", ") {
		as := op
		if op == "UPDATE" && strings.Contains(pod, deletion) {
			as = "DELETE"
		}
		emitConfig(as, origin, podref.Pods(pod), emit)
	}
}

// deletion follows a pod that the API server is to delete (kubelet util/format PodWithDeletionTimestamp, v1.3–v1.20).
const deletion = ":DeletionTimestamp="

func emitConfig(op, origin string, pods []evidence.Subject, emit emitFunc) {
	if len(pods) == 0 && op == "ADD" && origin == "api" {
		emit(evidence.Subject{}, evidence.PodConfig{Op: op, Origin: origin, Others: -1})
	}
	for _, sub := range pods {
		emit(sub, evidence.PodConfig{Op: op, Origin: safetext.Ident(origin), Others: len(pods) - 1})
	}
}

var probeTypes = map[string]evidence.ProbeType{
	"Liveness": evidence.ProbeLiveness, "Readiness": evidence.ProbeReadiness, "Startup": evidence.ProbeStartup,
}

func probe(l *line, emit emitFunc) {
	kind, known := probeTypes[l.values.Get("probeType")]
	if !known {
		return
	}
	f := evidence.ProbeFailed{Probe: kind, Count: 1, Output: safetext.Clean(l.values.Get("output"))}
	if l.msg == "Probe errored" {
		f.Errored, f.Output = true, safetext.Clean(l.values.Get("err"))
	}
	emit(l.subject(), f)
}

func hook(name, output string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		err := l.values.Get("err")
		emit(l.subject(), evidence.HookFailed{Hook: name, Output: safetext.Clean(output + err),
			CalledOff: kubeletmsg.CalledOff(err)})
	}
}

func syncError(l *line, emit emitFunc) {
	if raw, escaped := l.values.Raw("err"); escaped && onlyBackOff(raw, l.values.Get("podUID"), emit) {
		return
	}
	readSyncError(l.subject(), l.values.Get("err"), emit)
}

func rejected(reason string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		f := evidence.PodRejected{Reason: reason}
		if r := l.values.Get("reason"); r != "" {
			f.Reason = safetext.Ident(r)
		}
		for _, key := range []string{"message", "err", "nodeCondition"} {
			if m := l.values.Get(key); m != "" {
				f.Message = safetext.Clean(m)
				break
			}
		}
		emit(l.subject(), f)
	}
}

func evicted(reason, messageKey string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		message := l.values.Get(messageKey)
		if message == "" && messageKey != "" {
			return // the line of another program, such as the updater of the vertical pod autoscaler
		}
		emit(l.subject(), evidence.PodEvicted{Reason: reason, Message: safetext.Clean(message)})
	}
}
