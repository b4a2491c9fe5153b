// Package scenario holds the troubles that the lab provokes, each with the truth that a verdict is compared with.
//
// It may import the Kubernetes API types and image. It knows how to cause a restart and what its cause is; it never
// looks at a verdict. It acts on a node only through Hands.
package scenario

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Truth is what really happened to one container.
type Truth struct {
	Container string
	Cause     string   // ID of the catalogue
	Mechanism string   // ID of the catalogue, "" if it is the cause itself or not compared
	Notes     string   // what was done, in plain words
	Also      []string // causes that earlier ends of the container had
	// Undecidable: no evidence on a node distinguishes this cause from others, so an answer less than proven is the
	// best possible, at every tier.
	Undecidable bool
}

// Scenario is one pod, the trouble it gets into and the truth about it. Pods are named after what is done to them,
// never after a cause: a tool that guessed from names would be right for the wrong reason.
type Scenario struct {
	Name     string // also the pod's name
	Pod      func() corev1.PodSpec
	Settle   time.Duration // how long the pod runs before Act
	Act      func(ctx context.Context, hands Hands, pod *corev1.Pod) error
	Restarts int32 // the truth can be observed after this many restarts of its container
	Ends     bool  // the truth is the end of the whole pod: it can be observed when the pod is over
	Truths   []Truth
	// Upgrade are the truths after the node's kubelet has been replaced in place.
	Upgrade []Truth
}

// Hands perform a scenario's actions on a node and in the API.
type Hands interface {
	// KillTask sends SIGKILL to a container's process through containerd's own interface, below the CRI; id is the
	// container's or the sandbox's.
	KillTask(ctx context.Context, node, id string) error
	// StopContainer has the runtime stop a container over the CRI, as an operator with crictl does.
	StopContainer(ctx context.Context, node, id string, grace time.Duration) error
	// SandboxOf returns the id of the pod's running sandbox.
	SandboxOf(ctx context.Context, pod *corev1.Pod) (string, error)
	// SetImage patches one container's image in the API.
	SetImage(ctx context.Context, pod *corev1.Pod, container, image string) error
	// Forget removes the runtime's record of an exited container, as garbage collection does.
	Forget(ctx context.Context, pod *corev1.Pod, container string) error
	// Resize changes one container's memory in place, through the API.
	Resize(ctx context.Context, pod *corev1.Pod, container, memory string) error
	// ExpireEvents removes all events of a node's pods.
	ExpireEvents(ctx context.Context, node string) error
	Node
}

// Node has the actions on a node that has its own kernel, systemd and power button.
type Node interface {
	// Shoot sends SIGKILL to a container's process 1, as any process of the node can.
	Shoot(ctx context.Context, node, id string) error
	// KillShim sends SIGKILL to the shim of a sandbox.
	KillShim(ctx context.Context, node, sandbox string) error
	// Do runs a shell script on the node.
	Do(ctx context.Context, node, script string) error
	// ShutDown, Reboot and PowerCut return when the node is ready in its next boot.
	ShutDown(ctx context.Context, node string) error
	Reboot(ctx context.Context, node string) error
	PowerCut(ctx context.Context, node string) error
}

// Namespace returns the namespace of a node's scenarios.
func Namespace(node string) string { return "e2e-" + node }

// On returns the scenario's pod for a node.
func (s Scenario) On(node string) *corev1.Pod {
	spec := s.Pod()
	spec.NodeName = node
	spec.RestartPolicy = corev1.RestartPolicyAlways
	if spec.TerminationGracePeriodSeconds == nil {
		spec.TerminationGracePeriodSeconds = new(int64(2))
	}
	spec.AutomountServiceAccountToken = new(false)
	spec.EnableServiceLinks = new(false)
	// There is no cluster DNS, and the kubelet would report that in an event at every sync. A pod may have 25 events in
	// a burst, so relevant ones would be lost.
	spec.DNSPolicy = corev1.DNSDefault
	// Nothing in the lab removes taints, so none may keep a pod away.
	spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			containers[i].ImagePullPolicy = corev1.PullNever
		}
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: s.Name, Namespace: Namespace(node), Labels: map[string]string{"lab": s.Name}},
		Spec:       spec,
	}
}

// Observable reports whether the API shows every restart in the truths.
func (s Scenario) Observable(pod *corev1.Pod) bool {
	if s.Ends {
		// A kubelet reports a container that exited with 0 before its node went down as a success.
		return pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded
	}
	for _, t := range s.Truths {
		status := StatusOf(pod, t.Container)
		if status == nil || status.RestartCount < s.Restarts || status.LastTerminationState.Terminated == nil {
			return false
		}
	}
	return true
}

// Upgraded reports whether the API shows the restarts that the upgrade caused: one more than before for each container
// in the truths.
func (s Scenario) Upgraded(pod *corev1.Pod, before map[string]int32) bool {
	for _, t := range s.Upgrade {
		status := StatusOf(pod, t.Container)
		if status == nil || status.RestartCount <= before[t.Container] || status.State.Running == nil {
			return false
		}
	}
	return true
}

// StatusOf finds a container's status among regular and init containers; nil if the kubelet has not reported it yet.
func StatusOf(pod *corev1.Pod, container string) *corev1.ContainerStatus {
	for _, list := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range list {
			if list[i].Name == container {
				return &list[i]
			}
		}
	}
	return nil
}
