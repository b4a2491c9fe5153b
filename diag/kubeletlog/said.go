package kubeletlog

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podref"
)

// eventOfPod reads the events that the kubelet's recorder also writes to its log. What other lines of the log say at
// once with them is left to those: a probe's failure would count twice.
func eventOfPod(l *line, emit emitFunc) {
	e, ok := kubeletmsg.ParseEvent(l.msg)
	s := evidence.Subject{Namespace: e.Namespace, Pod: e.Pod, PodUID: e.UID}
	if l.structured {
		s, ok = podref.Pod(l.values.Get("object")), l.values.Get("kind") == "Pod"
		e = kubeletmsg.EventLine{Reason: l.values.Get("reason"), Message: l.values.Get("message"),
			Container: kubeletmsg.ContainerOf(l.values.Get("fieldPath"))}
	}
	if !ok {
		eventOOM(l, emit)
		return
	}
	s.Container = e.Container
	switch fact := event.FactOf(&corev1.Event{Reason: e.Reason, Message: e.Message,
		InvolvedObject: corev1.ObjectReference{Kind: "Pod"},
		Source:         corev1.EventSource{Component: "kubelet"}}).(type) {
	case evidence.KillDecided:
		s.Container = cmp.Or(e.Container, kubeletmsg.ParseKill(e.Message).Container)
		emit(s, evidence.KillDecided{Reason: fact.Reason, Message: fact.Message})
	case evidence.PodRejected, evidence.PodEvicted:
		s.Container = ""
		emit(s, fact)
	case evidence.HookFailed, evidence.KillFailed, evidence.StartFailed, evidence.BackedOff, evidence.SandboxChanged:
		emit(s, fact)
	case evidence.APIEvent:
		if _, why, synced := strings.Cut(e.Message, "yncing pod, skipping: "); synced && e.Reason == "FailedSync" {
			readSyncError(s, why, emit)
		}
	}
}
