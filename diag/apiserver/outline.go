package apiserver

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// This file reduces pods without restarts to a minimum: in a large cluster that is nearly all of them.

// quiet reports whether nothing in a pod ended, waits or is about to end, so there is no restart to explain. Static
// pods are never quiet, because their manifests are evidence, nor are pods with events, which are compared with them.
func (r *run) quiet(p *corev1.Pod) bool {
	if p.Status.Phase != corev1.PodRunning || p.Status.Reason != "" || p.DeletionTimestamp != nil || r.told(p) {
		return false
	}
	for key := range p.Annotations {
		if key == corev1.MirrorPodAnnotationKey || key == "kubernetes.io/config.source" ||
			key == "kubernetes.io/config.hash" {
			return false
		}
	}
	for i := range p.Status.Conditions {
		c := &p.Status.Conditions[i]
		if c.Type == corev1.DisruptionTarget || c.Status != corev1.ConditionTrue {
			return false
		}
	}
	init := len(p.Status.InitContainerStatuses)
	all, quiet := 0, true
	for s := range apiobject.Statuses(&p.Status) {
		all++
		end := s.State.Terminated
		done := all <= init && end != nil && end.ExitCode == 0 && end.Reason == "Completed"
		runs := s.State.Running != nil && s.State.Waiting == nil && s.State.Terminated == nil
		quiet = quiet && s.RestartCount == 0 && s.LastTerminationState == (corev1.ContainerState{}) && (done || runs)
	}
	return quiet && all == len(p.Spec.InitContainers)+len(p.Spec.Containers)+len(p.Spec.EphemeralContainers)
}

// told reports whether an event is about the pod, or about another one of its name. Events are read before the pods.
func (r *run) told(p *corev1.Pod) bool {
	if r.toldOf == nil {
		r.toldOf = make(map[string]bool, len(r.piece.Events))
		for _, e := range r.piece.Events {
			if o := &e.InvolvedObject; o.Kind == "Pod" {
				r.toldOf[o.Namespace+"/"+o.Name] = true
			}
		}
	}
	return r.toldOf[p.Namespace+"/"+p.Name]
}

// standIns are the quiet pods kept although only a count is wanted: they name workloads, and show since when nodes have
// not booted.
type standIns struct {
	controllers map[types.UID]bool
	oldest      map[string]standIn // by node
}

type standIn struct {
	at   int // its index among the pods
	runs time.Time
}

// keepQuiet keeps what is needed of a quiet pod.
func (r *run) keepQuiet(p *corev1.Pod) {
	uid := string(p.UID)
	if at, again := r.known[uid]; again && uid != "" {
		if at >= 0 {
			r.piece.Pods[at] = redact.Pod(outline(p))
		}
		return
	}
	owner := metav1.GetControllerOf(p)
	first := owner != nil && !r.standIns.controllers[owner.UID]
	if first {
		r.standIns.controllers[owner.UID] = true
	}
	if first || r.o.Quiet != KeepCount {
		r.keep(uid, redact.Pod(outline(p)))
		return
	}
	since := runsSince(p)
	if have, ok := r.standIns.oldest[p.Spec.NodeName]; !ok {
		r.standIns.oldest[p.Spec.NodeName] = standIn{len(r.piece.Pods), since}
		r.keep(uid, redact.Pod(outline(p)))
		return
	} else if !since.IsZero() && since.Before(have.runs) {
		r.known[string(r.piece.Pods[have.at].UID)] = counted
		r.piece.Pods[have.at] = redact.Pod(outline(p))
		r.known[uid] = have.at
		r.standIns.oldest[p.Spec.NodeName] = standIn{have.at, since}
	} else {
		r.known[uid] = counted
	}
	r.piece.Uneventful++
}

// counted is the index of a pod that is not kept.
const counted = -1

// runsSince is the earliest start among the pod's running containers; zero where unknown.
func runsSince(p *corev1.Pod) (first time.Time) {
	for s := range apiobject.Statuses(&p.Status) {
		if run := s.State.Running; run != nil && (first.IsZero() || run.StartedAt.Time.Before(first)) {
			first = run.StartedAt.Time
		}
	}
	return first
}

// outline is what other pods are compared with: who the pod is, where, since when, and its containers by name and id.
func outline(p *corev1.Pod) *corev1.Pod {
	out := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: p.Name, Namespace: p.Namespace, UID: p.UID,
			CreationTimestamp: p.CreationTimestamp, OwnerReferences: p.OwnerReferences,
		},
		Spec: corev1.PodSpec{
			NodeName: p.Spec.NodeName, RestartPolicy: p.Spec.RestartPolicy,
			HostNetwork: p.Spec.HostNetwork, HostPID: p.Spec.HostPID,
			TerminationGracePeriodSeconds: p.Spec.TerminationGracePeriodSeconds,
		},
		Status: corev1.PodStatus{
			Phase: p.Status.Phase, StartTime: p.Status.StartTime, QOSClass: p.Status.QOSClass, Conditions: p.Status.Conditions,
			InitContainerStatuses: p.Status.InitContainerStatuses, ContainerStatuses: p.Status.ContainerStatuses,
			EphemeralContainerStatuses: p.Status.EphemeralContainerStatuses,
		},
	}
	named := func(all []corev1.Container) (short []corev1.Container) {
		for i := range all {
			c := &all[i]
			short = append(short, corev1.Container{
				Name: c.Name, Image: c.Image, RestartPolicy: c.RestartPolicy,
				ReadinessProbe: c.ReadinessProbe, StartupProbe: c.StartupProbe,
			})
		}
		return short
	}
	out.Spec.InitContainers, out.Spec.Containers = named(p.Spec.InitContainers), named(p.Spec.Containers)
	for i := range p.Spec.EphemeralContainers {
		c := &p.Spec.EphemeralContainers[i]
		out.Spec.EphemeralContainers = append(out.Spec.EphemeralContainers,
			corev1.EphemeralContainer{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: c.Name, Image: c.Image}})
	}
	return out
}
