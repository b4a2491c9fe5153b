package event

import (
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// LateJobs has the events of Jobs that were over their deadline, by namespace and name: a Job's controller then deletes
// the pods that are left (kubernetes v1.8–v1.37 pkg/controller/job/job_controller.go syncJob).
type LateJobs map[[2]string][]*corev1.Event

// Late finds these Jobs.
func Late(events []*corev1.Event) LateJobs {
	all := LateJobs{}
	for _, e := range events {
		if o := &e.InvolvedObject; strings.EqualFold(o.Kind, "Job") && e.Reason == "DeadlineExceeded" {
			job := [2]string{o.Namespace, o.Name}
			all[job] = append(all[job], e)
		}
	}
	return all
}

// atOnce is how long after the deadline a Job's controller deletes its pods.
const atOnce = time.Minute

// deadlineOf returns the event of the deadline at which a Job's controller deleted a pod, nil for none.
func (l LateJobs) deadlineOf(deleted *corev1.Event) *corev1.Event {
	job := &deleted.InvolvedObject
	if !strings.EqualFold(job.Kind, "Job") {
		return nil
	}
	for _, e := range l[[2]string{job.Namespace, job.Name}] {
		if mayBeOne(e.InvolvedObject.UID, job.UID) && LastTime(deleted).Sub(LastTime(e)).Abs() <= atOnce {
			return e
		}
	}
	return nil
}

// mayBeOne reports whether two objects of one name may be the same: their UIDs are equal, or one is not known.
func mayBeOne(a, b types.UID) bool { return a == "" || b == "" || a == b }

// ofJob attributes the end of a Job at its deadline to its unfinished pods: the Job's controller deletes them.
func ofJob(b *evidence.Builder, e *corev1.Event, pods map[string]*corev1.Pod) {
	for _, uid := range slices.Sorted(maps.Keys(pods)) {
		p := pods[uid]
		c := metav1.GetControllerOfNoCopy(p)
		job := &e.InvolvedObject
		if c == nil || c.Kind != "Job" || c.Name != job.Name || p.Namespace != job.Namespace ||
			!mayBeOne(c.UID, job.UID) ||
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
