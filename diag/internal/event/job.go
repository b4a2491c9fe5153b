package event

import (
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// LateJobs has when the deadline of each Job was, by namespace and name: its controller then deletes the pods that are
// left (kubernetes v1.8–v1.37 pkg/controller/job/job_controller.go syncJob).
type LateJobs map[[2]string]time.Time

// Late finds these Jobs.
func Late(events []*corev1.Event) LateJobs {
	all := LateJobs{}
	for _, e := range events {
		if o := &e.InvolvedObject; strings.EqualFold(o.Kind, "Job") && e.Reason == "DeadlineExceeded" {
			all[[2]string{o.Namespace, o.Name}] = LastTime(e)
		}
	}
	return all
}

// atOnce is how long after the deadline a Job's controller deletes its pods.
const atOnce = time.Minute

// made reports whether a deadline made a Job's controller delete a pod.
func (l LateJobs) made(deleted *corev1.Event) bool {
	at, late := l[[2]string{deleted.InvolvedObject.Namespace, deleted.InvolvedObject.Name}]
	return late && strings.EqualFold(deleted.InvolvedObject.Kind, "Job") && LastTime(deleted).Sub(at).Abs() <= atOnce
}

// ofJob attributes the end of a Job at its deadline to its unfinished pods: the Job's controller deletes them.
func ofJob(b *evidence.Builder, e *corev1.Event, pods map[string]*corev1.Pod) {
	for _, uid := range slices.Sorted(maps.Keys(pods)) {
		p := pods[uid]
		c := metav1.GetControllerOfNoCopy(p)
		job := &e.InvolvedObject
		if c == nil || c.Kind != "Job" || c.Name != job.Name || p.Namespace != job.Namespace ||
			c.UID != "" && job.UID != "" && c.UID != job.UID || // another Job with that name
			!LastTime(e).IsZero() && p.CreationTimestamp.After(LastTime(e)) ||
			p.Status.Phase == corev1.PodSucceeded || string(p.UID) != uid || overBy(p, LastTime(e)) {
			continue
		}
		b.Observe(evidence.Observation{
			Time: LastTime(e), Text: safetext.Clean(e.Reason + ": " + e.Message),
			Subject: evidence.Subject{Node: p.Spec.NodeName, Namespace: p.Namespace, Pod: p.Name, PodUID: uid},
			Fact:    evidence.PodEvicted{Reason: "DeadlineExceeded", Message: safetext.Clean(e.Message)},
			Source:  evidence.Source{Kind: evidence.SourceAPI, Where: evidence.EventPrefix + e.Namespace + "/" + e.Name},
		})
	}
}

// overBy reports whether all containers of a pod had ended before a time.
func overBy(p *corev1.Pod, at time.Time) bool {
	all := p.Status.ContainerStatuses
	return len(all) > 0 && !slices.ContainsFunc(all, func(c corev1.ContainerStatus) bool {
		return c.State.Terminated == nil || !c.State.Terminated.FinishedAt.Time.Before(at)
	})
}
