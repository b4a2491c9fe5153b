package kubeletlog

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podref"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// This file reads printed lines (kubelet ≤v1.20) about whole pods and the node, and container lines that are not
// decisions.

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

// classicRestart: Container "a" of pod "p_ns(uid)" is not in the desired state
// and shall be started
func classicRestart(l *line, emit emitFunc) {
	name, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Container "))
	rest, found := strings.CutPrefix(rest, " of pod ")
	pod, _, quoted := klogline.QuotedPrefix(rest)
	if ok && found && quoted {
		sub := podref.Pod(pod)
		sub.Container = name
		emit(sub, evidence.RestartDecided{})
	}
}

// classicKillFinished: Container "docker://id" exited normally; dockertools
// Container "id ns/p" exited after 2s
func classicKillFinished(l *line, emit emitFunc) {
	called, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Container "))
	if ok && (rest == " exited normally" || strings.HasPrefix(rest, " exited after ")) {
		emit(dockerName(called), evidence.KillFinished{})
	}
}

// classicKillFailed: Container "docker://id" termination failed with gracePeriod
// 30: <error>
func classicKillFailed(l *line, emit emitFunc) {
	id, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Container "))
	rest, found := strings.CutPrefix(rest, " termination failed with gracePeriod ")
	_, message, whole := strings.Cut(rest, ": ")
	if ok && found && whole {
		emit(evidence.Subject{ContainerID: podref.ContainerID(id)}, evidence.KillFailed{Message: safetext.Clean(message)})
	}
}

// classicKillContainer: killContainer "a"(id={"docker" "id"}) for pod "p_ns(uid)"
// failed: <error>; Failed to kill container "a"(id="docker://id") in pod
// "p_ns(uid)": <reason>, <error>; Error killing container "a"(id={"docker" "id"})
// for pod "p_ns(uid)": <error>
func classicKillContainer(l *line, emit emitFunc) {
	start := strings.IndexByte(l.msg, '"')
	name, rest, ok := klogline.QuotedPrefix(l.msg[start:])
	id, rest, found := strings.Cut(rest, ") ")
	q := strings.IndexByte(rest, '"')
	if !ok || !found || q < 0 || q > len("for pod ") {
		return
	}
	pod, rest, quoted := klogline.QuotedPrefix(rest[q:])
	_, message, whole := strings.Cut(rest, ": ")
	if !quoted || !whole {
		return
	}
	id = strings.TrimPrefix(id, "(id=")
	if bare, _, is := klogline.QuotedPrefix(id); is {
		id = bare
	}
	sub := podref.Pod(pod)
	sub.Container, sub.ContainerID = name, podref.ContainerID(id)
	emit(sub, evidence.KillFailed{Message: safetext.Clean(message)})
}

// classicKillPod: killPod for pod "p_ns(uid)" (podStatus=…) failed: <error>
func classicKillPod(l *line, emit emitFunc) {
	pod, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "killPod for pod "))
	_, message, found := strings.Cut(rest, ") failed: ")
	if ok && found {
		l.text = `killPod for pod "` + pod + `" failed: ` + message
		emit(podref.Pod(pod), evidence.KillFailed{Message: safetext.Clean(message)})
	}
}

// classicInfra: Need to restart pod infra container for "p_ns(uid)" because it is
// not found, or changed (dockertools computePodContainerChanges).
func classicInfra(l *line, emit emitFunc) {
	pod, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Need to restart pod infra container for "))
	reason := evidence.SandboxNone
	switch {
	case !ok:
		return
	case rest == " because it is changed":
		reason = evidence.SandboxInfra
	case rest != " because it is not found":
		return
	}
	emit(podref.Pod(pod), evidence.SandboxJudged{Reason: reason})
}

// classicProbeResult: SyncLoop (container unhealthy): "p_ns(uid)". Liveness and, since v1.16, startup give the same
// line.
func classicProbeResult(l *line, emit emitFunc) {
	if pod, _, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "SyncLoop (container unhealthy): ")); ok {
		emit(podref.Pod(pod), evidence.ProbeResultChanged{Status: "unhealthy"})
	}
}

// classicPressure: eviction manager: must evict pod(s) to reclaim memory; ≤v1.10
// prints a list, [memory].
func classicPressure(state evidence.EvictionState, before, after string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		resource := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(l.msg, before), after), "[]")
		if resource != "" && !strings.Contains(resource, " pressure") {
			emit(evidence.Subject{}, evidence.EvictionPressure{Resource: safetext.Ident(resource), State: state})
		}
	}
}

// classicAllEvicted: eviction manager: pods p_ns(uid), q_ns(uid) evicted, waiting for pod to be cleaned up
func classicAllEvicted(l *line, emit emitFunc) {
	pods, _, _ := strings.Cut(strings.TrimPrefix(l.msg, "eviction manager: pods "), " evicted, waiting ")
	allEvicted(pods, emit)
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

func classicShutdownDetected(l *line, emit emitFunc) {
	_, active, _ := strings.Cut(l.msg, ": ")
	emitShutdown(active, emit)
}

// classicUnwanted: Killing unwanted pod "p". The line has only the name.
func classicUnwanted(l *line, emit emitFunc) {
	if pod, _, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Killing unwanted pod ")); ok {
		emit(evidence.Subject{Pod: pod}, evidence.PodTeardown{Reason: evidence.TeardownOrphan})
	}
}

// classicReplaced: Pod "p_ns(uid)" was deleted and then recreated, skipping
// status update; old UID "…", new UID "…"
func classicReplaced(l *line, emit emitFunc) {
	pod, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Pod "))
	_, rest, found := strings.Cut(rest, "old UID ")
	was, rest, old := klogline.QuotedPrefix(rest)
	is, _, now := klogline.QuotedPrefix(strings.TrimPrefix(rest, ", new UID "))
	if ok && found && old && now {
		sub := podref.Pod(pod)
		sub.PodUID = is
		emit(sub, evidence.PodReplaced{OldUID: safetext.Ident(was)})
	}
}

// classicStatus: Status for pod "p_ns(uid)" updated successfully: (2, {Phase:Running Conditions:[…] Message:…
// Reason:RestartLimit NominatedNodeName: …}). For a pod that continues, a reason comes from soft admission (kubelet.go
// syncPod, canRunPod); it is gone from the API once the pod may run again. HostIP follows the reason up to v1.8.
func classicStatus(l *line, emit emitFunc) {
	pod, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Status for pod "))
	_, status, found := strings.Cut(rest, "{Phase:")
	phase, status, cut := strings.Cut(status, " ")
	_, status, has := strings.Cut(status, "] Message:")
	message, status, reasoned := strings.Cut(status, " Reason:")
	reason, next, ended := strings.Cut(status, " ")
	known := strings.HasPrefix(next, "NominatedNodeName:") || strings.HasPrefix(next, "HostIP:")
	if !ok || !found || !cut || !has || !reasoned || !ended || !known || reason == "" ||
		reason == evidence.NodeLost || phase != "Running" && phase != "Pending" {
		return
	}
	l.text = `Status for pod "` + pod + `" updated successfully: … Phase:` +
		phase + " … Message:" + message + " Reason:" + reason
	emit(podref.Pod(pod),
		evidence.PodRejected{Reason: safetext.Ident(reason), Message: safetext.Clean(message), Soft: true})
}

// classicReadinessEarly: Container readiness changed before pod has synced:
// "p_ns(uid)" - "docker://…"
func classicReadinessEarly(l *line, emit emitFunc) {
	if pod, _, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Container readiness changed before pod has synced: ")); ok {
		emit(podref.Pod(pod), evidence.ReadinessEarly{})
	}
}

// classicCgroup: The Cgroup [kubepods burstable pod<uid>] has some missing paths: […]
func classicCgroup(l *line, emit emitFunc) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(l.msg, "The Cgroup "), " has some missing ")
	if _, missing, ok := strings.Cut(rest, ": "); ok {
		emitCgroup(name, missing, emit)
	}
}

// classicManifest: Can't process manifest file "/etc/…": <error>; Reading config
// file "/etc/…"
func classicManifest(l *line, emit emitFunc) {
	q := strings.IndexByte(l.msg, '"')
	if q < 0 {
		return
	}
	path, rest, ok := klogline.QuotedPrefix(l.msg[q:])
	if !ok || path == "" {
		return
	}
	f := evidence.ManifestRead{Path: safetext.Ident(path), Failed: !strings.HasPrefix(l.msg, "Reading")}
	if f.Failed {
		f.Why = safetext.Clean(strings.TrimPrefix(rest, ": "))
	}
	emit(evidence.Subject{}, f)
}

// classicStaticUID: Generated UID "…" pod "p" from /etc/kubernetes/manifests/p.yaml
func classicStaticUID(l *line, emit emitFunc) {
	uid, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(l.msg, "Generated UID "))
	pod, rest, named := klogline.QuotedPrefix(strings.TrimPrefix(rest, " pod "))
	if ok && named && strings.HasPrefix(rest, " from ") {
		emit(evidence.Subject{Pod: pod, PodUID: uid}, evidence.StaticPodUID{})
	}
}

// classicMirror: Deleting a mirror pod "p_ns" (uid …); Deleted mirror pod
// "p_ns(uid)" because it is outdated; Trying to delete pod p_ns uid
func classicMirror(change evidence.MirrorChange, before string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		rest := strings.TrimPrefix(l.msg, before)
		name, _, ok := klogline.QuotedPrefix(rest)
		if !ok {
			name, _, ok = strings.Cut(rest, " ")
		}
		sub := podref.Pod(name)
		if sub.PodUID == "" {
			sub = fullName(evidence.Subject{Pod: name})
		}
		if ok && sub.Namespace != "" {
			emit(sub, evidence.MirrorPod{Change: change})
		}
	}
}
