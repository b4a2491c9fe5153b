package kubeletlog

import (
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podref"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func classicFind(msg string) *rule {
	if msg == "" {
		return nil
	}
	for _, r := range classic[msg[0]] {
		if strings.HasPrefix(msg, r.message) && (r.has == "" || strings.Contains(msg[len(r.message):], r.has)) {
			return r
		}
	}
	return nil
}

// classicKillStarted: Killing container "docker://id" with [a ]2 second grace period. The V3 line "…, but using 2
// second grace period override" is an additional line and left out.
func classicKillStarted(l *line, emit emitFunc) {
	id, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Killing container "))
	rest, with := strings.CutPrefix(rest, " with ")
	words := strings.Fields(strings.TrimPrefix(rest, "a "))
	if !ok || !with || len(words) < 3 || words[1] != "second" || words[2] != "grace" {
		return
	}
	grace, err := strconv.Atoi(words[0])
	if err != nil {
		return
	}
	emit(dockerName(id), evidence.KillStarted{GraceSeconds: grace})
}

// dockerName parses how a line names a container: its id alone, or in dockertools (≤v1.6) followed by its name and pod,
// "id name ns/pod"; for a sandbox that is only the pod.
func dockerName(called string) evidence.Subject {
	words := strings.Fields(called)
	if len(words) == 0 {
		return evidence.Subject{}
	}
	sub := evidence.Subject{ContainerID: podref.ContainerID(words[0])}
	for _, w := range words[1:] {
		if ns, pod, ok := strings.Cut(w, "/"); ok {
			sub.Namespace, sub.Pod = ns, pod
		} else if kubeletmsg.ContainerName(w) {
			sub.Container = w
		}
	}
	return sub
}

// classicKillDecided: Container "a" ({"docker" "id"}) of pod p_ns(uid): <why>
func classicKillDecided(l *line, emit emitFunc) {
	name, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Container "))
	id, rest, found := strings.Cut(rest, ") of pod ")
	pod, message, whole := strings.Cut(rest, "): ")
	if !ok || !found || !whole || !strings.HasPrefix(id, " ({") {
		return
	}
	sub := podref.Pod(pod + ")")
	sub.Container, sub.ContainerID = name, podref.ContainerID(strings.TrimPrefix(id, " ("))
	emit(sub, evidence.KillDecided{Reason: kubeletmsg.KillReasonOf(message), Message: safetext.Clean(message), Count: 1})
}

// classicKillDecided5: pod "p_ns(uid)" container "c" is unhealthy, it will be
// killed and re-created.
func classicKillDecided5(l *line, emit emitFunc) {
	kill := kubeletmsg.ParseKill(l.msg)
	pod, _, ok := klogline.QuotedPrefix(l.msg[len("pod "):])
	if kill.Reason == evidence.KillOther || !ok {
		return
	}
	sub := podref.Pod(pod)
	sub.Container = kill.Container
	emit(sub, evidence.KillDecided{Reason: kill.Reason, Message: safetext.Clean(l.msg), Count: 1})
}

// classicPLEG: SyncLoop (PLEG): "p_ns(uid)", event: &pleg.PodLifecycleEvent{…}
func classicPLEG(l *line, emit emitFunc) {
	pod, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "SyncLoop (PLEG): "))
	event, found := strings.CutPrefix(rest, ", event: ")
	if !ok || !found {
		return // "ignore irrelevant event"
	}
	uid, kind, data := podref.Event(event)
	emitPLEG(podref.Pod(pod), uid, kind, data, emit)
}

// classicPodConfig: SyncLoop (ADD, "api"): "p_ns(uid), q_ns(uid)". A pod with ":DeletionTimestamp=…" is being deleted,
// which up to v1.3 is an UPDATE like any other.
func classicPodConfig(l *line, emit emitFunc) {
	op, rest, ok := strings.Cut(strings.TrimPrefix(l.msg, "SyncLoop ("), ", ")
	origin, rest, quoted := klogline.QuotedPrefix(rest)
	pods, _, listed := klogline.QuotedPrefix(strings.TrimPrefix(rest, "): "))
	if !ok || !quoted || !listed {
		return
	}
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

// classicSandbox reads all five lines of podSandboxChanged. In v1.5 and v1.6 "No ready sandbox" also means several.
func classicSandbox(l *line, emit emitFunc) {
	q := strings.IndexByte(l.msg, '"')
	if q < 0 {
		return
	}
	pod, rest, ok := klogline.QuotedPrefix(l.msg[q:])
	if !ok {
		return
	}
	var reason evidence.SandboxReason
	switch before := l.msg[:q]; {
	case before == "No sandbox for pod ":
		reason = evidence.SandboxNone
	case before == "No ready sandbox for pod ":
		reason = evidence.SandboxNotReady
	case strings.HasPrefix(before, "M"):
		reason = evidence.SandboxMultiple
	case strings.HasPrefix(rest, " has changed."):
		reason = evidence.SandboxNetwork
	case strings.HasPrefix(rest, " has no IP address."):
		reason = evidence.SandboxNoIP
	default:
		return
	}
	emit(podref.Pod(pod), evidence.SandboxJudged{Reason: reason})
}

// classicStarted: "Started kubelet v1.5.8" (≤v1.8), "Version: v1.20.15" and
// "Started kubelet" (v1.9–v1.20).
func classicStarted(l *line, emit emitFunc) {
	version := strings.TrimPrefix(strings.TrimPrefix(l.msg, "Version: "), "Started kubelet")
	version = strings.TrimSuffix(strings.TrimSpace(version), " as runonce")
	if version != "" && !strings.HasPrefix(version, "v") {
		version = ""
	}
	emit(evidence.Subject{}, evidence.KubeletStarted{Version: safetext.Ident(version), PID: l.header.PID})
}

// classicProbe: Liveness probe for "p_ns(uid):c" failed (failure): <output>, or
// … errored: <error>
func classicProbe(l *line, emit emitFunc) {
	kind, rest, _ := strings.Cut(l.msg, " probe for ")
	target, rest, ok := klogline.QuotedPrefix(rest)
	end := strings.LastIndex(target, "):")
	if !ok || end < 0 {
		return
	}
	sub := podref.Pod(target[:end+1])
	sub.Container = target[end+2:]
	f := evidence.ProbeFailed{Probe: probeTypes[kind], Count: 1}
	if output, found := strings.CutPrefix(rest, " errored: "); found {
		f.Errored, f.Output = true, safetext.Clean(output)
	} else if output, found := strings.CutPrefix(rest, " failed ("); found {
		_, output, _ = strings.Cut(output, "): ")
		f.Output = safetext.Clean(output)
	} else {
		return // succeeded
	}
	emit(sub, f)
}

// classicPreStop: preStop hook for container "c" failed: <error>, or … did not
// complete in 30 seconds. The pod is not named.
func classicPreStop(l *line, emit emitFunc) {
	name, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "preStop hook for container "))
	output, failed := strings.CutPrefix(rest, " failed: ")
	if !failed {
		output, failed = strings.TrimSpace(rest), strings.HasPrefix(rest, " did not complete in ")
	}
	if ok && failed {
		emit(evidence.Subject{Container: name}, evidence.HookFailed{Hook: "PreStop", Output: safetext.Clean(output)})
	}
}

// classicSyncError: Error syncing pod <uid> ("p_ns(uid)"), skipping: <error>; v1.5 without the part in parentheses.
func classicSyncError(l *line, emit emitFunc) {
	head, message, ok := strings.Cut(strings.TrimPrefix(l.msg, "Error syncing pod "), ", skipping: ")
	if !ok {
		return
	}
	uid, pod, named := strings.Cut(head, " (")
	sub := evidence.Subject{PodUID: uid}
	if ref, _, quoted := klogline.QuotedPrefix(pod); named && quoted {
		sub = podref.Pod(ref)
	}
	readSyncError(sub, message, emit)
}

func classicBackOff(l *line, emit emitFunc) { backOffs(l.msg, "", emit) }

// backOffs reads: [Bb]ack-off 40s restarting failed container=c pod=p_ns(uid). With a UID given, only a back-off of
// that pod counts.
func backOffs(text, uid string, emit emitFunc) {
	if len(text) < 9 || text[1:9] != "ack-off " {
		return
	}
	wait, rest, _ := strings.Cut(text[9:], " ")
	rest, ok := strings.CutPrefix(rest, "restarting failed container=")
	container, rest, _ := strings.Cut(rest, " ")
	pod, named := strings.CutPrefix(rest, "pod=")
	pod, _, _ = strings.Cut(pod, " ")
	if !ok || !named || !strings.Contains(pod, ")") {
		return
	}
	delay, err := time.ParseDuration(wait)
	if err != nil {
		return
	}
	sub := podref.Pod(pod)
	if uid != "" && sub.PodUID != uid {
		return
	}
	sub.Container = container
	emit(sub, evidence.BackedOff{Delay: delay})
}

// classicRejected: Failed to admit pod p_ns(uid) - <why>
func classicRejected(before, between string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		pod, why, ok := strings.Cut(strings.TrimPrefix(l.msg, before), between)
		sub := podref.Pod(strings.Trim(pod, `"`))
		if !ok || sub.PodUID == "" {
			return
		}
		f := evidence.PodRejected{Message: safetext.Clean(why)}
		if strings.HasPrefix(why, "node has conditions: ") { // eviction_manager.go Admit
			f.Reason = "Evicted"
		}
		emit(sub, f)
	}
}

// classicEvicted: eviction manager: pod p_ns(uid) [is ]evicted successfully
func classicEvicted(reason, before string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		pod, ok := strings.CutSuffix(strings.TrimPrefix(l.msg, before), " evicted successfully")
		sub := podref.Pod(strings.Trim(strings.TrimSuffix(pod, " is"), `"`))
		if ok && sub.PodUID != "" {
			emit(sub, evidence.PodEvicted{Reason: reason})
		}
	}
}

// classicShutdown: Shutdown manager killing pod "p" with gracePeriod: 10 seconds. The line has only the name.
func classicShutdown(l *line, emit emitFunc) {
	pod, _, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Shutdown manager killing pod "))
	if ok {
		emit(evidence.Subject{Pod: pod}, evidence.PodEvicted{Reason: "Shutdown"})
	}
}
