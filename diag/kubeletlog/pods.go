package kubeletlog

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podref"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// This file reads structured lines about whole pods and the node.

func restartDecided(l *line, emit emitFunc) { emit(l.subject(), evidence.RestartDecided{}) }

func killFinished(l *line, emit emitFunc) { emit(l.subject(), evidence.KillFinished{}) }

// killFailed: the value podStatus in some of the lines is left out of the quoted text.
func killFailed(l *line, emit emitFunc) {
	sub := l.subject()
	if i := strings.Index(l.text, " podStatus="); i >= 0 {
		l.text = l.text[:i]
	}
	emit(sub, evidence.KillFailed{Message: safetext.Clean(l.values.Get("err"))})
}

func probeResult(l *line, emit emitFunc) {
	kind := evidence.ProbeType(l.values.Get("probe"))
	status := l.values.Get("status")
	if status == "not ready" { // v1.36+; earlier it is empty
		status = ""
	}
	switch kind {
	case evidence.ProbeLiveness, evidence.ProbeReadiness, evidence.ProbeStartup:
		emit(l.subject(), evidence.ProbeResultChanged{Probe: kind, Status: safetext.Ident(status)})
	}
}

// readinessEarly: the line has a container's id but no name.
func readinessEarly(l *line, emit emitFunc) {
	sub := l.subject()
	sub.ContainerID = "" // it would relate to no end: only the pod counts
	emit(sub, evidence.ReadinessEarly{})
}

// resize: v1.27–v1.32 give only the pod's name, without its namespace.
func resize(state evidence.ResizeState, key string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		sub := l.subject()
		if c := l.values.Get("container"); kubeletmsg.ContainerName(c) {
			sub.Container = c
		}
		f := evidence.PodResize{State: state}
		if key != "" {
			f.Message = safetext.Clean(l.values.Get(key))
		}
		if state == evidence.ResizeDeferred && strings.EqualFold(l.values.Get("reason"), "infeasible") {
			f.State = evidence.ResizeInfeasible
		}
		emit(sub, f)
	}
}

// resizeAdmitted: operation="resize" means that a resize was admitted; the device manager does nothing for it.
func resizeAdmitted(l *line, emit emitFunc) {
	if l.values.Get("operation") == "resize" {
		resize(evidence.ResizeAllocated, "")(l, emit)
	}
}

func restartAll(step evidence.RestartAllStep) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) { emit(l.subject(), evidence.RestartAll{Step: step}) }
}

func notRunnable(l *line, emit emitFunc) {
	emit(l.subject(), evidence.PodTeardown{Reason: evidence.TeardownNotRunnable,
		Message: safetext.Clean(l.values.Get("message"))})
}

func teardown(reason evidence.TeardownReason) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		if sub := l.subject(); sub != (evidence.Subject{}) {
			emit(sub, evidence.PodTeardown{Reason: reason})
		}
	}
}

// unwanted: "Killing unwanted pod" podName= (v1.21)
func unwanted(l *line, emit emitFunc) {
	if name := l.values.Get("podName"); name != "" {
		emit(evidence.Subject{Pod: name}, evidence.PodTeardown{Reason: evidence.TeardownUnwanted})
	}
}

func uidReused(l *line, emit emitFunc) {
	if sub := l.subject(); sub != (evidence.Subject{}) {
		emit(sub, evidence.UIDReused{})
	}
}

func podReplaced(l *line, emit emitFunc) {
	emit(l.subject(), evidence.PodReplaced{OldUID: safetext.Ident(l.values.Get("oldPodUID"))})
}

func pressure(state evidence.EvictionState) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		resource := strings.Trim(l.values.Get("resourceName"), "[]") // a list up to v1.10
		if resource != "" {
			emit(evidence.Subject{}, evidence.EvictionPressure{Resource: safetext.Ident(resource), State: state})
		}
	}
}

// allEvicted: in a log filtered for one pod this may be the only line left.
func allEvicted(l *line, emit emitFunc) {
	for _, pod := range podref.Pods(l.values.Get("pods")) {
		emit(pod, evidence.PodEvicted{Reason: "Evicted"})
	}
}

// preemption: pods is a dump of whole pods (v1.21) and left out of the quoted text.
func preemption(l *line, emit emitFunc) {
	resources := l.values.Get("insufficientResources")
	l.text = `"` + l.msg + `" insufficientResources="` + resources + `"`
	emit(evidence.Subject{}, evidence.PreemptionPlanned{Resources: safetext.Clean(resources)})
}

func shutdown(phase evidence.ShutdownPhase) func(*line, emitFunc) {
	return func(_ *line, emit emitFunc) { emit(evidence.Subject{}, evidence.NodeShutdown{Phase: phase}) }
}

func shutdownDetected(l *line, emit emitFunc) { emitShutdown(l.values.Get("event"), emit) }

func emitShutdown(active string, emit emitFunc) {
	switch active {
	case "true":
		emit(evidence.Subject{}, evidence.NodeShutdown{Phase: evidence.ShutdownDetected})
	case "false":
		emit(evidence.Subject{}, evidence.NodeShutdown{Phase: evidence.ShutdownCancelled})
	}
}

func cgroupMissing(l *line, emit emitFunc) {
	name, what := l.values.Get("cgroupName"), "paths"
	if strings.HasSuffix(l.msg, "controllers") {
		what = "controllers"
	}
	emitCgroup(name, l.values.Get(what), emit)
}

// emitCgroup: the name is a list of its parts, [kubepods burstable pod<uid>].
func emitCgroup(name, missing string, emit emitFunc) {
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("[] ,\"/", r) })
	if len(parts) == 0 {
		return
	}
	var sub evidence.Subject
	if uid, ok := strings.CutPrefix(parts[len(parts)-1], "pod"); ok && strings.HasPrefix(parts[0], "kubepods") ||
		ok && len(parts) > 1 {
		sub.PodUID = uid
	}
	emit(sub, evidence.CgroupMissing{Cgroup: safetext.Ident("/" + strings.Join(parts, "/")),
		Missing: safetext.Clean(missing)})
}

func manifest(l *line, emit emitFunc) {
	f := evidence.ManifestRead{Path: safetext.Ident(l.values.Get("path")), Failed: !strings.HasPrefix(l.msg, "Reading")}
	if f.Failed {
		f.Why = safetext.Clean(l.values.Get("err"))
	}
	if f.Path != "" {
		emit(evidence.Subject{}, f)
	}
}

func staticUID(l *line, emit emitFunc) {
	emit(l.subject(), evidence.StaticPodUID{})
}

func mirror(change evidence.MirrorChange) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		sub := l.subject()
		if sub.Namespace == "" { // a pod's full name, name_namespace
			sub = fullName(sub)
		}
		if sub.Namespace != "" {
			emit(sub, evidence.MirrorPod{Change: change})
		}
	}
}

// fullName splits a pod's full name, "name_namespace" (kubelet container GetPodFullName), in the subject's name.
func fullName(sub evidence.Subject) evidence.Subject {
	if i := strings.LastIndexByte(sub.Pod, '_'); i > 0 {
		sub.Pod, sub.Namespace = sub.Pod[:i], sub.Pod[i+1:]
	}
	return sub
}
