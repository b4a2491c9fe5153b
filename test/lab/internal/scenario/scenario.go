// Package scenario holds the troubles that the lab provokes, each with the truth
// that a verdict is compared with.
//
// It may import the Kubernetes API types and image. It knows how to cause a
// restart and what its cause is; it never looks at a verdict. What it needs done
// to a node it asks of Hands.
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
	Mechanism string   // ID of the catalogue, "" when it is the cause itself or not compared
	Notes     string   // what was done, in plain words
	Also      []string // causes that earlier ends of the container had
	// Undecidable: nothing that a node keeps tells this cause from others, so that
	// an answer less than proven is the best that there is, at every tier.
	Undecidable bool
}

// Scenario is one pod, the trouble it gets into and the truth about it. Pods are
// named after what is done to them, never after a cause: a tool that guessed
// from names would be right for the wrong reason.
type Scenario struct {
	Name     string // also the pod's name
	Pod      func() corev1.PodSpec
	Settle   time.Duration // how long the pod runs before Act
	Act      func(ctx context.Context, hands Hands, pod *corev1.Pod) error
	Restarts int32 // the truth can be observed when its container has restarted so often
	Ends     bool  // the truth is the end of the whole pod: it can be observed when that is over
	Truths   []Truth
	// Upgrade are the truths after the node's kubelet has been replaced in place.
	Upgrade []Truth
}

// Hands do to a node and to the API what a scenario asks for.
type Hands interface {
	// KillTask sends SIGKILL to a container's process through containerd's own
	// interface, below the CRI; id is the container's or the sandbox's.
	KillTask(ctx context.Context, node, id string) error
	// StopContainer asks the runtime over the CRI to stop a container, as an
	// operator with crictl does.
	StopContainer(ctx context.Context, node, id string, grace time.Duration) error
	// SandboxOf returns the id of the pod's running sandbox.
	SandboxOf(ctx context.Context, pod *corev1.Pod) (string, error)
	// SetImage patches one container's image in the API.
	SetImage(ctx context.Context, pod *corev1.Pod, container, image string) error
	// Forget removes what the runtime keeps of a container that ended, as a collector of garbage does.
	Forget(ctx context.Context, pod *corev1.Pod, container string) error
	// Resize changes one container's memory in place, through the API.
	Resize(ctx context.Context, pod *corev1.Pod, container, memory string) error
	// ExpireEvents takes all events of a node's pods away.
	ExpireEvents(ctx context.Context, node string) error
	Node
}

// Node is what can be done to a node that has a kernel, a systemd and a power button of its own.
type Node interface {
	// Shoot sends SIGKILL to a container's process 1, as any process of the node can.
	Shoot(ctx context.Context, node, id string) error
	// KillShim sends SIGKILL to the shim of a sandbox.
	KillShim(ctx context.Context, node, sandbox string) error
	// Do runs a script of the shell on the node.
	Do(ctx context.Context, node, script string) error
	// ShutDown, Reboot and PowerCut return when the node is ready in its next boot.
	ShutDown(ctx context.Context, node string) error
	Reboot(ctx context.Context, node string) error
	PowerCut(ctx context.Context, node string) error
}

// Namespace is where the scenarios of a node live.
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
	// There is no cluster DNS, and the kubelet would say so in an event at every
	// sync. A pod may have 25 events in a burst: those that matter would be lost.
	spec.DNSPolicy = corev1.DNSDefault
	// Nothing in the lab takes taints off again, so none may keep a pod away.
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

// Observable reports whether the API shows every restart that the truths speak of.
func (s Scenario) Observable(pod *corev1.Pod) bool {
	if s.Ends {
		// A kubelet reports what ended well before its node went down as a success.
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

// Upgraded reports whether the API shows the restarts that the upgrade caused:
// one more than before for each container that the truths name.
func (s Scenario) Upgraded(pod *corev1.Pod, before map[string]int32) bool {
	for _, t := range s.Upgrade {
		status := StatusOf(pod, t.Container)
		if status == nil || status.RestartCount <= before[t.Container] || status.State.Running == nil {
			return false
		}
	}
	return true
}

// StatusOf finds a container's status among regular and init containers; nil
// when the kubelet has not reported it yet.
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
