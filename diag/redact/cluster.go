package redact

import (
	"net"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
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

// Node returns a new node with its identity, the names of its host, its conditions, its software versions, and its
// allocatable plain resources.
func Node(n *corev1.Node) *corev1.Node {
	if n == nil {
		return nil
	}
	i := n.Status.NodeInfo
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: n.Name, UID: n.UID, CreationTimestamp: n.CreationTimestamp,
			Labels: hostLabel(n)},
		Spec: corev1.NodeSpec{Unschedulable: n.Spec.Unschedulable},
		Status: corev1.NodeStatus{
			Addresses:   hostNames(n),
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

// hostLabel keeps the label with the name of the node's host.
func hostLabel(n *corev1.Node) map[string]string {
	if name := n.Labels[corev1.LabelHostname]; hostName(name) {
		return map[string]string{corev1.LabelHostname: name}
	}
	return nil
}

// hostNames keeps the addresses that are names of the host inside of the cluster: its logs have one of them.
func hostNames(n *corev1.Node) (names []corev1.NodeAddress) {
	for _, a := range n.Status.Addresses {
		if (a.Type == corev1.NodeHostName || a.Type == corev1.NodeInternalDNS) && hostName(a.Address) &&
			len(names) < maxNames {
			names = append(names, a)
		}
	}
	return names
}

// maxNames is more names than any host has.
const maxNames = 8

// hostName reports whether a string can be the name of a host, and is no address.
func hostName(s string) bool {
	return len(validation.IsDNS1123Subdomain(s)) == 0 && net.ParseIP(s) == nil
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
