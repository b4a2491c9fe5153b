package kubeletlog

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podref"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// syncActions are the actions of a pod's sync whose failure is a statement (kubelet container/sync_result.go). The
// others only repeat these.
var syncActions = map[string]bool{
	"StartContainer": true, "CreatePodSandbox": true, "ConfigPodSandbox": true,
	"KillContainer": true, "KillPodSandbox": true,
}

// readSyncError finds what failed in the error of a pod's sync, which may list several errors: failed to
// "StartContainer" for "c" with CrashLoopBackOff: "back-off 10s restarting failed container=c pod=p_ns(uid)"
func readSyncError(sub evidence.Subject, message string, emit emitFunc) {
	if strings.HasPrefix(message, "failed to ensure that the pod: ") { // kubelet.go syncPod: no cgroup
		emit(sub, notMade("FailedCreatePodContainer", message))
		return
	}
	if strings.HasPrefix(message, "unmounted volumes=[") || // kubelet.go syncPod: volumemanager WaitForAttachAndMount
		strings.HasPrefix(message, "timeout expired waiting for volumes to attach") { // ≤v1.15
		emit(sub, notMade("FailedMount", message))
		return
	}
	const start = `failed to "`
	for rest := message; ; {
		_, after, _ := strings.Cut(rest, start)
		action, after, named := word(after, `" for "`)
		name, why, ok := word(after, `" with `)
		if !named || !ok {
			return
		}
		rest = why
		if !syncActions[action] {
			continue
		}
		reason, text, ok := strings.Cut(why, ": ")
		of := sub
		if action == "StartContainer" || action == "KillContainer" {
			of.Container = name
		}
		if ok && postStart(of, why, emit) {
			return // what follows quotes the hook's own output
		}
		if !ok || strings.ContainsAny(reason, ` "`) {
			return
		}
		output, next, quoted := klogline.QuotedPrefix(text)
		if !quoted {
			return // free text: nothing after it can be trusted
		}
		rest = next
		switch {
		case reason == "CrashLoopBackOff":
			backOffs(output, sub.PodUID, emit)
		case strings.HasPrefix(action, "Kill"):
			emit(of, evidence.KillFailed{Message: safetext.Clean(strings.TrimSpace(output))})
		default:
			emit(of, notMade(safetext.Ident(reason), output))
		}
	}
}

// noVolumes reads that a pod waits for its volumes.
func noVolumes(l *line, emit emitFunc) {
	emit(l.subject(), notMade("FailedMount", l.values.Get("err")))
}

// noVolume reads why a volume of a pod is not mounted: SetUp failed for volume "v" (UniqueName: "u") pod "p" (UID:
// "uid") : <why>, where older kubelets have the UID for the name.
func noVolume(l *line, emit emitFunc) {
	err := "MountVolume." + l.values.Get("err")
	if text, _, quoted := klogline.QuotedPrefix(`"` + err); quoted && strings.Contains(err, `\"`) {
		err = text
	}
	head, rest, ok := strings.Cut(err, `") pod "`)
	pod, rest, named := word(rest, `" (UID: "`)
	uid, _, closed := word(rest, `")`)
	if !ok || !named || !closed || strings.Contains(head, " : ") {
		return
	}
	if pod == uid {
		pod = ""
	}
	emit(evidence.Subject{Pod: pod, PodUID: uid}, notMade("FailedMount", err))
}

// postStart reads the error of a failed postStart hook: since v1.8 PostStartHookError, before "PostStart handler" of
// kuberuntime and of dockertools (≤v1.6), there within the error of the start; in v1.1 "failed to call event handler".
func postStart(of evidence.Subject, why string, emit emitFunc) bool {
	why = strings.TrimPrefix(why, `RunContainerError: "`)
	for _, words := range []string{"PostStartHookError: ", "PostStart handler: ", "failed to call event handler: "} {
		if text, ok := strings.CutPrefix(why, words); ok {
			emit(of, evidence.HookFailed{Hook: "PostStart", Output: safetext.Clean(strings.TrimSpace(text)),
				CalledOff: kubeletmsg.CalledOff(text)})
			return true
		}
	}
	return false
}

// onlyBackOff parses the most frequent error, a single container in back-off, without unescaping. It returns false for
// any other.
func onlyBackOff(raw, uid string, emit emitFunc) bool {
	rest, ok := strings.CutPrefix(raw, `failed to \"StartContainer\" for \"`)
	if !ok {
		return false
	}
	end := strings.IndexByte(rest, '\\')
	if end < 0 {
		return false
	}
	rest, ok = strings.CutPrefix(rest[end:], `\" with CrashLoopBackOff: \"`)
	end = strings.IndexByte(rest, '\\')
	if !ok || end < 0 || rest[end:] != `\"` {
		return false
	}
	backOffs(rest[:end], uid, emit)
	return true
}

// word reads up to the next quote, which must be followed by behind.
func word(s, behind string) (text, rest string, ok bool) {
	q := strings.IndexByte(s, '"')
	if q < 0 || !strings.HasPrefix(s[q:], behind) {
		return "", s, false
	}
	return s[:q], s[q+len(behind):], true
}

// startFailed reads, at the end of a line that dumps a container: … start failed in pod p_ns(uid):
// CreateContainerError: <message>. The dump may hold the values of environment variables: only the name is kept. A line
// that contains the phrase twice is ignored, because one of them is part of someone's text.
func startFailed(l *line, s string, emit emitFunc) {
	const words = " start failed in pod "
	head, tail, ok := strings.Cut(s, words)
	l.text = "container start failed"
	if !ok || strings.Contains(tail, words) {
		return
	}
	kind, dump, dumped := strings.Cut(head, "&Container{Name:")
	name, _, _ := strings.Cut(dump, ",")
	if !dumped { // v1.34+ writes only the name
		cut := strings.LastIndexByte(head, ' ')
		kind, name = head[:cut+1], head[cut+1:]
	}
	pod, why, ok := strings.Cut(tail, "): ")
	reason, message, reasoned := strings.Cut(why, ": ")
	if !ok || !reasoned || !kubeletmsg.ContainerName(name) || strings.ContainsAny(reason, ` "`) || reason >= "a" {
		return // reasons begin with a capital letter
	}
	sub := podref.Pod(pod + ")")
	sub.Container = name
	l.text = kind + name + words + tail
	if reason == "PostStartHookError" {
		return // the error of the pod's sync reports it
	}
	emit(sub, notMade(safetext.Ident(reason), message))
}

func classicStartFailed(l *line, emit emitFunc) { startFailed(l, l.msg, emit) }

// unhandled: "Unhandled Error" err="<text>" logger="UnhandledError" (v1.31+)
func unhandled(l *line, emit emitFunc) {
	err := l.values.Get("err")
	if strings.HasPrefix(err, "container ") || strings.HasPrefix(err, "init container ") {
		startFailed(l, err, emit)
		return
	}
	// kuberuntime_container.go purgeInitContainers: the record was gone already. The line names its container.
	name, rest, ok := klogline.QuotedPrefix(strings.TrimPrefix(err, "failed to remove pod init container "))
	id, known := strings.CutPrefix(rest, ": failed to get container status ")
	if id, _, quoted := klogline.QuotedPrefix(id); ok && known && quoted &&
		kubeletmsg.ContainerName(name) && podref.ContainerID(id) != "" {
		emit(evidence.Subject{Container: name, ContainerID: podref.ContainerID(id)}, evidence.ContainerRemoved{})
	}
}

// containerStart: "Container start failed in pod" containerType= container=
// pod= containerMessage= err=; container is a dump up to v1.33.
func containerStart(l *line, emit emitFunc) {
	sub := podref.Pod(l.values.Get("pod"))
	sub.Container = containerName(l.values.Get("container"))
	message := l.values.Get("containerMessage")
	l.text = `"Container start failed in pod" container="` + sub.Container +
		`" pod="` + l.values.Get("pod") + `" containerMessage="` + message + `"`
	if sub.Container != "" {
		emit(sub, notMade(safetext.Ident(l.values.Get("err")), message))
	}
}

// containerName extracts a container's name from its name or its dump, of which there are three: &Container{Name:a,…
// (the type's String), {"name":"a",… (JSON), &{Name:a … (Go syntax). "" if it is none of them.
func containerName(s string) string {
	for _, d := range []struct{ before, after string }{{"&Container{Name:", ","}, {`{"name":"`, `"`}, {"&{Name:", " "}} {
		if rest, ok := strings.CutPrefix(s, d.before); ok {
			s, _, _ = strings.Cut(rest, d.after)
			break
		}
	}
	if !kubeletmsg.ContainerName(s) {
		return ""
	}
	return s
}

// sandboxStart: "CreatePodSandbox for pod failed" err= pod=
func sandboxStart(l *line, emit emitFunc) {
	emit(podref.Pod(l.values.Get("pod")), notMade("CreatePodSandboxError", l.values.Get("err")))
}

// notMade is a failed start.
func notMade(reason, why string) evidence.StartFailed {
	return evidence.StartFailed{Reason: reason, Message: safetext.Clean(strings.TrimSpace(why)),
		CalledOff: kubeletmsg.CalledOff(why)}
}
