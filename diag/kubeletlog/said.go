package kubeletlog

import (
	"cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podref"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// eventOfPod reads the events that the kubelet's recorder also writes to its log, where they report an end.
func eventOfPod(l *line, emit emitFunc) {
	e, ok := kubeletmsg.ParseEvent(l.msg)
	s := evidence.Subject{Namespace: e.Namespace, Pod: e.Pod, PodUID: e.UID}
	if l.structured {
		s, ok = podref.Pod(l.values.Get("object")), l.values.Get("kind") == "Pod"
		e = kubeletmsg.EventLine{Reason: l.values.Get("reason"), Message: l.values.Get("message"),
			Container: kubeletmsg.ContainerOf(l.values.Get("fieldPath"))}
	}
	text := safetext.Clean(e.Message)
	switch {
	case !ok:
		eventOOM(l, emit)
	case kubeletmsg.Refused(e.Reason, e.Message):
		emit(s, evidence.PodRejected{Reason: safetext.Ident(e.Reason), Message: text})
	case e.Reason == "Evicted", e.Reason == "Preempting", e.Reason == "DeadlineExceeded":
		emit(s, evidence.PodEvicted{Reason: e.Reason, Message: text})
	case e.Reason == "Killing":
		s.Container = cmp.Or(e.Container, kubeletmsg.ParseKill(e.Message).Container)
		emit(s, evidence.KillDecided{Reason: kubeletmsg.KillReasonOf(e.Message), Message: text})
	case e.Reason == "FailedPostStartHook":
		s.Container = e.Container
		emit(s, evidence.HookFailed{Hook: "PostStart", Output: text})
	}
}
