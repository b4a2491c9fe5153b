package redact

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pod returns a new pod with only what explaining restarts needs. The argument is not changed, and the result shares no
// secret with it. Pod of a redacted pod changes nothing.
func Pod(p *corev1.Pod) *corev1.Pod {
	if p == nil {
		return nil
	}
	s := &p.Spec
	return &corev1.Pod{
		ObjectMeta: podMeta(&p.ObjectMeta),
		Spec: corev1.PodSpec{
			InitContainers:                each(s.InitContainers, container),
			Containers:                    each(s.Containers, container),
			EphemeralContainers:           each(s.EphemeralContainers, ephemeral),
			RestartPolicy:                 s.RestartPolicy,
			TerminationGracePeriodSeconds: copied(s.TerminationGracePeriodSeconds),
			ActiveDeadlineSeconds:         copied(s.ActiveDeadlineSeconds),
			NodeName:                      s.NodeName,
			HostNetwork:                   s.HostNetwork,
			HostPID:                       s.HostPID,
			HostIPC:                       s.HostIPC,
			ShareProcessNamespace:         copied(s.ShareProcessNamespace),
			SchedulerName:                 s.SchedulerName,
			PriorityClassName:             s.PriorityClassName,
			Priority:                      copied(s.Priority),
			RuntimeClassName:              copied(s.RuntimeClassName),
			OS:                            copied(s.OS),
			Resources:                     withoutClaims(s.Resources),
		},
		Status: corev1.PodStatus{
			Phase:                      p.Status.Phase,
			Reason:                     Text(p.Status.Reason),
			Message:                    Text(p.Status.Message),
			Conditions:                 each(p.Status.Conditions, podCondition),
			StartTime:                  p.Status.StartTime.DeepCopy(),
			QOSClass:                   p.Status.QOSClass,
			InitContainerStatuses:      each(p.Status.InitContainerStatuses, status),
			ContainerStatuses:          each(p.Status.ContainerStatuses, status),
			EphemeralContainerStatuses: each(p.Status.EphemeralContainerStatuses, status),
		},
	}
}

// podMeta keeps identity, owners and labels, and only those annotations with which the kubelet marks static pods
// (kubelet pkg/kubelet/types/pod_update.go).
func podMeta(m *metav1.ObjectMeta) metav1.ObjectMeta {
	out := metav1.ObjectMeta{
		Name: m.Name, GenerateName: m.GenerateName, Namespace: m.Namespace, UID: m.UID,
		ResourceVersion: m.ResourceVersion, Generation: m.Generation,
		CreationTimestamp: m.CreationTimestamp, DeletionTimestamp: m.DeletionTimestamp.DeepCopy(),
		DeletionGracePeriodSeconds: copied(m.DeletionGracePeriodSeconds),
		ManagedFields:              each(m.ManagedFields, managed),
	}
	for k, v := range m.Labels {
		put(&out.Labels, k, Text(v))
	}
	for k, v := range m.Annotations {
		if strings.HasPrefix(k, "kubernetes.io/config.") {
			put(&out.Annotations, k, Text(v))
		}
	}
	out.OwnerReferences = each(m.OwnerReferences, ownerReference)
	return out
}

func podCondition(c *corev1.PodCondition) corev1.PodCondition {
	return corev1.PodCondition{
		Type: c.Type, Status: c.Status, LastTransitionTime: c.LastTransitionTime,
		Reason: Text(c.Reason), Message: Text(c.Message),
	}
}

func status(s *corev1.ContainerStatus) corev1.ContainerStatus {
	return corev1.ContainerStatus{
		Name: s.Name, Ready: s.Ready, RestartCount: s.RestartCount, Image: image(s.Image),
		ImageID: s.ImageID, ContainerID: s.ContainerID,
		Started: copied(s.Started), State: state(&s.State), LastTerminationState: state(&s.LastTerminationState),
		Resources: withoutClaims(s.Resources), StopSignal: copied(s.StopSignal),
	}
}

func state(s *corev1.ContainerState) corev1.ContainerState {
	out := *s.DeepCopy()
	if w := out.Waiting; w != nil {
		w.Reason, w.Message = Text(w.Reason), Text(w.Message)
	}
	if t := out.Terminated; t != nil {
		t.Reason, t.Message = Text(t.Reason), Text(t.Message)
	}
	return out
}

// each applies f to every element; nil stays nil.
func each[In, Out any](in []In, f func(*In) Out) []Out {
	if in == nil {
		return nil
	}
	out := make([]Out, 0, len(in))
	for i := range in {
		out = append(out, f(&in[i]))
	}
	return out
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

func put(m *map[string]string, k, v string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[k] = v
}
