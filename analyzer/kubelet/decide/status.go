package decide

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Status is what the kubelet knows of a pod when it decides: the runtime's view (container/runtime.go PodStatus), the
// results of its probes, and its own records.
type Status struct {
	// Sandboxes are newest first, as the kubelet sorts them; only the first one is compared with the spec.
	Sandboxes []Sandbox
	// Containers are the runtime's records, the newest of each name first. A name that is not in the spec is allowed
	// and ignored, as upstream does.
	Containers []Container
	// Liveness and Startup hold the present result per container ID. A missing ID has no result yet.
	Liveness, Startup map[string]ProbeResult
	// Resources are, per container name, the resources that the kubelet considers in effect: its actuated record
	// (1.33+), what the runtime reports (1.32), or what status.containerStatuses reports (1.27–1.31). A missing name
	// has no record; nil maps and PodResources together are a pod without any entry in actuated_pods_state, which to
	// 1.37 is different from an entry that lacks a container. PodResources is the same for the pod itself (1.36), nil
	// without a record.
	Resources    map[string]corev1.ResourceRequirements
	PodResources *corev1.ResourceRequirements
	// RestartAllContainers: the pod is marked by the condition AllContainersRestarting (1.35+).
	RestartAllContainers bool
	// Evented: the runtime returns a pod's records with its sandbox's status (PodSandboxStatus with a timestamp). Only
	// a kubelet with the gate EventedPLEG uses them; 1.37 then assigns none of them to the active sandbox.
	Evented bool
	// LogFiles are, per container name, the files of its log directory; a missing name was not read. They count where
	// the runtime has no record of a container left (1.21+).
	LogFiles map[string][]string
	// Before is what kubelet.go SyncPod sees before it reaches the containers. Only Decide uses it.
	Before Before
}

// Before is what can stop or kill a pod before its containers are considered (kubelet.go SyncPod).
type Before struct {
	// Readmitted: the kubelet has just started and finds the pod again (kubelet.go HandlePodAdditions). Rejected is why
	// its admission then refuses the pod, such as OutOfcpu; empty when it does not.
	Readmitted bool
	Rejected   string
	// APIPhase is the phase that the pod's object had when the kubelet read it; only admission uses it.
	APIPhase corev1.PodPhase
	// Phase is the pod's phase as the kubelet computes it; empty means not terminal.
	Phase corev1.PodPhase
	// DeadlineExceeded: activeDeadlineSeconds is over (active_deadline.go).
	DeadlineExceeded bool
	// NotRunnable is why a soft admission handler forbids the pod to run (up to 1.30), empty when it may.
	NotRunnable string
	// NetworkNotReady: the runtime reports that its network is not ready.
	NetworkNotReady bool
	// CgroupMissing: a path that must exist for the pod's cgroup does not (cm/pod_container_manager_linux.go Exists).
	CgroupMissing bool
}

// NamespaceMode is the network namespace of a sandbox as CRI spells it.
type NamespaceMode string

// CRI's namespace modes. The kubelet requests only NamespacePod and NamespaceNode.
const (
	NamespacePod       NamespaceMode = "POD"
	NamespaceContainer NamespaceMode = "CONTAINER"
	NamespaceNode      NamespaceMode = "NODE"
	NamespaceTarget    NamespaceMode = "TARGET"
)

// Sandbox is one pod sandbox as the runtime reports it.
type Sandbox struct {
	ID      string
	Attempt uint32
	Ready   bool
	// Network is NamespacePod when empty, as CRI's zero value is.
	Network NamespaceMode
	// NetworkReported: the runtime returned a network block at all; IP is the address in it.
	NetworkReported bool
	IP              string
	CreatedAt       time.Time
}

// State is a container's state in the runtime (container/runtime.go State).
type State string

// The states, spelled as the kubelet prints them. Any other value counts as StateUnknown where upstream's default does.
const (
	StateCreated State = "created"
	StateRunning State = "running"
	StateExited  State = "exited"
	StateUnknown State = "unknown"
)

// Container is one record of a container in the runtime (container/runtime.go Status).
type Container struct {
	ID, Name string
	// SandboxID is the sandbox that the record belongs to. Since 1.37 initialization depends only on those of the
	// newest sandbox; a record without a sandbox never counts.
	SandboxID string
	State     State
	// CreatedAt, StartedAt and FinishedAt are zero when unknown.
	CreatedAt, StartedAt, FinishedAt time.Time
	// ExitCode matters only in StateExited for most readers; upstream reads it in other states too, so it is kept as it
	// is.
	ExitCode int
	// Reason is the runtime's, such as OOMKilled.
	Reason       string
	RestartCount int
	// Hash is the annotation io.kubernetes.container.hash as a number, HashWithoutResources that of kubelets 1.27–1.30
	// with in-place resize.
	Hash, HashWithoutResources uint64
}

// ProbeResult is the result that a probe worker has for a container (prober/results/results_manager.go).
type ProbeResult string

// The results; ProbeUnknown is that of a startup probe before its first run.
const (
	ProbeUnknown ProbeResult = "unknown"
	ProbeSuccess ProbeResult = "success"
	ProbeFailure ProbeResult = "failure"
)

// active reports whether a record belongs to the newest sandbox and that is ready (kuberuntime_manager.go GetPodStatus
// ActiveContainerStatuses).
func (s *Status) active(c *Container) bool {
	return len(s.Sandboxes) > 0 && s.Sandboxes[0].Ready && c.SandboxID == s.Sandboxes[0].ID
}

// find returns the newest record of a name, nil when there is none (container/runtime.go FindContainerStatusByName).
func (s *Status) find(name string) *Container {
	for i := range s.Containers {
		if s.Containers[i].Name == name {
			return &s.Containers[i]
		}
	}
	return nil
}
