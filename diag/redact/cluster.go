package redact

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Event returns a new event without managed fields, labels and annotations, and with secrets removed from its message,
// which may contain the output of a probe.
func Event(e *corev1.Event) *corev1.Event {
	if e == nil {
		return nil
	}
	return &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: e.Name, Namespace: e.Namespace, UID: e.UID,
			CreationTimestamp: e.CreationTimestamp},
		InvolvedObject: corev1.ObjectReference{
			Kind: e.InvolvedObject.Kind, Namespace: e.InvolvedObject.Namespace, Name: e.InvolvedObject.Name,
			UID: e.InvolvedObject.UID, FieldPath: e.InvolvedObject.FieldPath,
		},
		Reason: Text(e.Reason), Message: Text(e.Message), Type: e.Type, Source: e.Source, Count: e.Count,
		FirstTimestamp: e.FirstTimestamp, LastTimestamp: e.LastTimestamp, EventTime: e.EventTime, Series: copied(e.Series),
		ReportingController: e.ReportingController, ReportingInstance: e.ReportingInstance,
	}
}

// Node returns a new node with its identity, its conditions, its software versions, and its allocatable plain
// resources.
func Node(n *corev1.Node) *corev1.Node {
	if n == nil {
		return nil
	}
	i := n.Status.NodeInfo
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: n.Name, UID: n.UID, CreationTimestamp: n.CreationTimestamp},
		Spec:       corev1.NodeSpec{Unschedulable: n.Spec.Unschedulable},
		Status: corev1.NodeStatus{
			Conditions:  each(n.Status.Conditions, nodeCondition),
			Allocatable: counted(n.Status.Allocatable),
			NodeInfo: corev1.NodeSystemInfo{
				MachineID: Machine(i.MachineID), BootID: i.BootID, KernelVersion: i.KernelVersion,
				OSImage: i.OSImage, ContainerRuntimeVersion: i.ContainerRuntimeVersion,
				KubeletVersion: i.KubeletVersion, OperatingSystem: i.OperatingSystem, Architecture: i.Architecture,
			},
		},
	}
}

// counted keeps the resources that every node has, and huge pages. Device plugins choose the names of others freely.
func counted(all corev1.ResourceList) (out corev1.ResourceList) {
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory,
		corev1.ResourceEphemeralStorage, corev1.ResourcePods} {
		if q, ok := all[name]; ok {
			if out == nil {
				out = corev1.ResourceList{}
			}
			out[name] = q
		}
	}
	for name, q := range all {
		if strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix) && out != nil && !q.IsZero() {
			out[name] = q
		}
	}
	return out
}

func nodeCondition(c *corev1.NodeCondition) corev1.NodeCondition {
	return corev1.NodeCondition{
		Type: c.Type, Status: c.Status, Reason: Text(c.Reason), Message: Text(c.Message),
		LastHeartbeatTime: c.LastHeartbeatTime, LastTransitionTime: c.LastTransitionTime,
	}
}
