package kubeletlog

import (
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// emitFunc takes one statement of a line.
type emitFunc func(evidence.Subject, evidence.Fact)

// rule reads one kind of line. level is the klog verbosity without which the
// kubelet does not write it.
type rule struct {
	level int
	read  func(l *line, emit emitFunc)
}

// structured lists what structured lines (kubelet v1.21+) say about restarts, by
// message. Severity letters are not looked at: they changed between minors.
var structured = map[string]rule{
	// cmd/kubelet/app/server.go Run, startKubelet
	"Kubelet version": {0, func(l *line, emit emitFunc) {
		emit(evidence.Subject{}, evidence.KubeletStarted{Version: safetext.Ident(l.values.get("kubeletVersion")), PID: l.header.PID})
	}},
	"Started kubelet": {0, func(l *line, emit emitFunc) {
		emit(evidence.Subject{}, evidence.KubeletStarted{PID: l.header.PID})
	}},
	"Starting kubelet main sync loop": {0, nothing}, // kubelet.go syncLoop: tells a run that works

	// kuberuntime_manager.go computePodActions
	"Message for Container of pod": {2, killDecided},

	// kuberuntime_container.go killContainer. v1.21 prints the second text for
	// both the V2 and the V3 line; from v1.22 on only the first is at V2.
	"Killing container with a grace period":          {2, killStarted},
	"Killing container with a grace period override": {2, killOverride},

	// kuberuntime_manager.go podSandboxChanged, v1.25+ util/util.go PodSandboxChanged
	"No sandbox for pod can be found. Need to start a new one":       sandboxRule(evidence.SandboxNone),
	"Multiple sandboxes are ready for Pod. Need to reconcile them":   sandboxRule(evidence.SandboxMultiple),
	"No ready sandbox for pod can be found. Need to start a new one": sandboxRule(evidence.SandboxNotReady),
	"Sandbox for pod has changed. Need to start a new one":           sandboxRule(evidence.SandboxNetwork),
	"Sandbox for pod has no IP address. Need to start a new one":     sandboxRule(evidence.SandboxNoIP),

	// pleg/generic.go, kubelet.go syncLoopIteration
	"SyncLoop (PLEG): event for pod":     {2, pleg},
	"Generic (PLEG): container finished": {2, finished}, // v1.22+
	"SyncLoop ADD":                       {2, podConfig},
	"SyncLoop UPDATE":                    {2, podConfig},
	"SyncLoop DELETE":                    {2, podConfig},
	"SyncLoop REMOVE":                    {2, podConfig},

	// prober/prober.go probe
	"Probe failed":  {1, probe},
	"Probe errored": {1, probe},

	// kuberuntime_container.go startContainer (v1.22+), executePreStopHook
	"Failed to execute PostStartHook":            {0, hook("PostStart", "")},
	"PreStop hook failed":                        {0, hook("PreStop", "")},
	"PreStop hook not completed in grace period": {2, hook("PreStop", "not completed in the grace period")},

	// kuberuntime_manager.go doBackOff, pod_workers.go podWorkerLoop
	"Back-off restarting failed container": {3, func(l *line, emit emitFunc) { backOffs(l.values.get("err"), "", emit) }},
	"Error syncing pod, skipping":          {0, syncError},

	// kuberuntime_manager.go computePodResizeAction, v1.33+
	"Missing actuated resource record": {0, func(l *line, emit emitFunc) {
		sub := podRef(l.values.get("pod"))
		sub.Container = l.values.get("container")
		emit(sub, evidence.MissingActuatedRecord{})
	}},

	// lifecycle/predicate.go, kubelet.go and allocation_manager.go (v1.31+), eviction_manager.go Admit
	"Failed to admit pod":         {0, rejected("")},
	"Predicate failed on Pod":     {2, rejected("")},
	"Pod admission denied":        {0, rejected("")},
	"Failed to admit pod to node": {0, rejected("Evicted")},

	// eviction_manager.go evictPod, preemption.go evictPodsToFreeRequests, nodeshutdown_manager.go
	"Eviction manager: pod is evicted successfully": {0, evicted("Evicted", "")},
	"Evicting pod":                                  {3, evicted("Evicted", "message")},
	"Preempting pod to free up resources":           {2, evicted("Preempting", "insufficientResources")},
	"Pod evicted successfully":                      {0, evicted("Preempting", "")},
	"Shutdown manager killing pod with gracePeriod": {1, evicted("Terminated", "")},
}

// nothing reads lines that only show what the kubelet logs.
func nothing(*line, emitFunc) {}

// subject gathers what a structured line says about its container.
func (l *line) subject() evidence.Subject {
	sub := podRef(l.values.get("pod"))
	if uid := l.values.get("podUID"); uid != "" {
		sub.PodUID = uid
	}
	sub.Container = l.values.get("containerName")
	sub.ContainerID = containerID(l.values.get("containerID"))
	return sub
}

func killDecided(l *line, emit emitFunc) {
	sub := l.subject()
	sub.ContainerID = containerID(l.values.get("containerStatusID"))
	message := l.values.get("containerMessage")
	emit(sub, evidence.KillDecided{Reason: kubeletmsg.KillReasonOf(message), Message: safetext.Clean(message), Count: 1})
}

func killStarted(l *line, emit emitFunc) {
	grace, err := strconv.Atoi(l.values.get("gracePeriod"))
	if err == nil {
		emit(l.subject(), evidence.KillStarted{GraceSeconds: grace})
	}
}

// killOverride reads the line as a kill only where it is the only one: in v1.21.
// Its klog leaves UIDs bare; from v1.28 on they are quoted. In between, the
// parser drops it by the version that it has seen.
func killOverride(l *line, emit emitFunc) {
	if !l.values.quoted("podUID") {
		killStarted(l, emit)
	}
}

func sandboxRule(reason evidence.SandboxReason) rule {
	return rule{2, func(l *line, emit emitFunc) { emit(l.subject(), evidence.SandboxJudged{Reason: reason}) }}
}

func pleg(l *line, emit emitFunc) {
	sub := l.subject()
	uid, kind, data := plegEvent(l.values.get("event"))
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

func finished(l *line, emit emitFunc) {
	code, err := strconv.ParseInt(l.values.get("exitCode"), 10, 32)
	if err != nil {
		return
	}
	emit(evidence.Subject{PodUID: l.values.get("podID"), ContainerID: containerID(l.values.get("containerID"))},
		evidence.ContainerFinished{ExitCode: int32(code)})
}

func podConfig(l *line, emit emitFunc) {
	op := strings.TrimPrefix(l.msg, "SyncLoop ")
	for _, sub := range podList(l.values.get("pods")) {
		emit(sub, evidence.PodConfig{Op: op, Origin: safetext.Ident(l.values.get("source"))})
	}
}

var probeTypes = map[string]evidence.ProbeType{
	"Liveness": evidence.ProbeLiveness, "Readiness": evidence.ProbeReadiness, "Startup": evidence.ProbeStartup,
}

func probe(l *line, emit emitFunc) {
	kind, known := probeTypes[l.values.get("probeType")]
	if !known {
		return
	}
	f := evidence.ProbeFailed{Probe: kind, Count: 1, Output: safetext.Clean(l.values.get("output"))}
	if l.msg == "Probe errored" {
		f.Errored, f.Output = true, safetext.Clean(l.values.get("err"))
	}
	emit(l.subject(), f)
}

func hook(name, output string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		text := output
		if text == "" {
			text = l.values.get("err")
		}
		emit(l.subject(), evidence.HookFailed{Hook: name, Output: safetext.Clean(text)})
	}
}

func syncError(l *line, emit emitFunc) {
	sub := l.subject()
	readSyncError(sub, l.values.get("err"), emit)
}

func rejected(reason string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		f := evidence.PodRejected{Reason: reason}
		if r := l.values.get("reason"); r != "" {
			f.Reason = safetext.Ident(r)
		}
		for _, key := range []string{"message", "err", "nodeCondition"} {
			if m := l.values.get(key); m != "" {
				f.Message = safetext.Clean(m)
				break
			}
		}
		emit(l.subject(), f)
	}
}

func evicted(reason, messageKey string) func(*line, emitFunc) {
	return func(l *line, emit emitFunc) {
		emit(l.subject(), evidence.PodEvicted{Reason: reason, Message: safetext.Clean(l.values.get(messageKey))})
	}
}
