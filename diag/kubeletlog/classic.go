package kubeletlog

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podref"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// This file reads printed lines (kubelet ≤v1.20) for which their form alone is not enough.

// classicFind returns the rule for a printed line, nil for none.
func classicFind(msg string) *rule {
	if msg == "" {
		return nil
	}
	for _, r := range classic[msg[0]] {
		if r.like(msg) {
			return r
		}
	}
	return nil
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

// classicKillDecided5: pod "p_ns(uid)" container "c" is unhealthy, it will be killed and re-created.
func classicKillDecided5(l *line, emit emitFunc) {
	if kill := kubeletmsg.ParseKill(l.msg); kill.Reason != evidence.KillOther {
		sub := l.subject()
		sub.Container = kill.Container
		emit(sub, evidence.KillDecided{Reason: kill.Reason, Message: safetext.Clean(l.msg), Count: 1})
	}
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

// classicRelisted: GenericPLEG: uid/id: running -> exited
func classicRelisted(l *line, emit emitFunc) {
	if _, state, ok := strings.Cut(l.msg, ": running -> "); ok && relistEnds[state] {
		relistedEnd(l, emit)
	}
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
func classicRejected(l *line, emit emitFunc) {
	sub, why := podref.Pod(strings.Trim(l.values.Get("pod"), `"`)), l.values.Get("message")
	if sub.PodUID == "" {
		return
	}
	f := evidence.PodRejected{Message: safetext.Clean(why)}
	if strings.HasPrefix(why, "node has conditions: ") { // eviction_manager.go Admit
		f.Reason = "Evicted"
	}
	emit(sub, f)
}

// classicEvicted: eviction manager: pod p_ns(uid) [is ]evicted successfully
func classicEvicted(reason string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		sub := podref.Pod(strings.Trim(strings.TrimSuffix(l.values.Get("pod"), " is"), `"`))
		if sub.PodUID != "" {
			emit(sub, evidence.PodEvicted{Reason: reason})
		}
	}
}

// classicHook: Error running pod "p_ns(uid)" container "c": PostStart handler: <error> (docker manager.go, ≤v1.2)
func classicHook(l *line, emit emitFunc) { postStart(l.subject(), l.values.Get("err"), emit) }

// classicProbeResult: liveness and, since v1.16, startup give the same line.
func classicProbeResult(l *line, emit emitFunc) {
	emit(l.subject(), evidence.ProbeResultChanged{Status: "unhealthy"})
}

// classicKillPod: the pod's status, which is dumped, is left out of the quoted text.
func classicKillPod(l *line, emit emitFunc) {
	l.text = `killPod for pod "` + l.values.Get("pod") + `" failed: ` + l.values.Get("err")
	killFailed(l, emit)
}

// classicDead: Container {Name:a Image:… Env:[…] …} is dead, but RestartPolicy says that we should restart it. The dump
// holds the values of environment variables: only the name is kept. The line names no pod.
func classicDead(l *line, emit emitFunc) {
	name, _, ok := strings.Cut(strings.TrimPrefix(l.msg, "Container {Name:"), " ")
	l.text = "Container {Name:… is dead, but RestartPolicy says that we should restart it."
	if ok && kubeletmsg.ContainerName(name) {
		l.text = "Container {Name:" + name + " … is dead, but RestartPolicy says that we should restart it."
		emit(evidence.Subject{Container: name}, evidence.RestartDecided{})
	}
}

// classicPreemption: whole pods are dumped, and left out of the quoted text.
func classicPreemption(l *line, emit emitFunc) {
	const words = ", in order to free up resources: "
	_, resources, _ := strings.Cut(l.msg, words)
	if i := strings.LastIndex(resources, words); i >= 0 {
		resources = resources[i+len(words):]
	}
	l.text = "preemption: attempting to evict pods …" + words + resources
	emit(evidence.Subject{}, evidence.PreemptionPlanned{Resources: safetext.Clean(resources)})
}

// classicStatus: Status for pod "p_ns(uid)" updated successfully: (2, {Phase:Running Conditions:[…] Message:…
// Reason:RestartLimit NominatedNodeName: …}). For a pod that continues, a reason comes from soft admission (kubelet.go
// syncPod, canRunPod); it is gone from the API once the pod may run again. HostIP follows the reason up to v1.8.
func classicStatus(l *line, emit emitFunc) {
	v := l.values
	pod, phase, message, reason, next := v.Get("pod"), v.Get("phase"), v.Get("message"), v.Get("reason"), v.Get("next")
	known := strings.HasPrefix(next, "NominatedNodeName:") || strings.HasPrefix(next, "HostIP:")
	if !known || reason == "" || reason == evidence.NodeLost || phase != "Running" && phase != "Pending" {
		return
	}
	l.text = `Status for pod "` + pod + `" updated successfully: … Phase:` +
		phase + " … Message:" + message + " Reason:" + reason
	emit(podref.Pod(pod),
		evidence.PodRejected{Reason: safetext.Ident(reason), Message: safetext.Clean(message), Soft: true})
}
