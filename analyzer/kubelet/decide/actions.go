package decide

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Actions is what the kubelet does with a pod (kuberuntime_manager.go podActions), plus, from Decide, what happens
// before and after it. Indices are positions in the spec's list of that kind; lists are nil when empty.
type Actions struct {
	// KillPod: every container and the sandbox are stopped.
	KillPod bool
	// CreateSandbox: a new sandbox is created after that; the records of all init containers are removed first.
	CreateSandbox bool
	// SandboxID is the sandbox that is used or replaced, empty when none is known. Attempt is that of the sandbox that
	// will run.
	SandboxID string
	Attempt   uint32

	// InitContainersToStart may hold an index twice: upstream starts a container and finds the second one running.
	// Up to 1.27 there is at most one (NextInitContainerToStart).
	InitContainersToStart      []int
	ContainersToStart          []int
	EphemeralContainersToStart []int
	// ContainersToKill holds each container ID once, in the order of decision.
	ContainersToKill []Kill
	// ContainersToUpdate are resized in place; UpdatePodResources: one is restarted for its resize; both 1.27+.
	ContainersToUpdate []CgroupUpdate
	UpdatePodResources bool
	// UpdatePodLevelResources: the pod's own resources are written to its cgroup (1.35+).
	UpdatePodLevelResources bool
	// ContainersToReset are killed where they run and removed from the runtime, in this order, for
	// RestartAllContainers (1.35+).
	ContainersToReset []Reset

	// Stage says how far SyncPod came. ComputePodActions leaves it empty.
	Stage Stage
	// BackOff lists the containers to start that must wait first; Restarts the restart count of each that is started.
	// Only Decide fills them.
	BackOff  []Wait
	Restarts []Attempt
}

// Stage is the point of SyncPod at which the decision was made.
type Stage string

// The stages, in the kubelet's order.
const (
	// admission after a kubelet restart refuses the pod: it fails and is killed
	StageRejected      Stage = "rejected"
	StageTerminated    Stage = "terminated"     // terminal phase, deadline or deletion: the pod is stopped for good
	StageNotRunnable   Stage = "not-runnable"   // soft admission forbids it: the pod is killed
	StageNetwork       Stage = "network"        // the network is not ready: nothing is started, nothing is killed
	StageCgroupMissing Stage = "cgroup-missing" // killed for its missing cgroup; a running pod is then decided again
	StageActions       Stage = "actions"        // computePodActions decided
)

// Kill is one container that is stopped, with the text of its Killing event.
type Kill struct {
	ID, Name string
	Reason   ReasonCode
	Message  string
}

// ReasonCode is the kubelet's reason code, which selects the grace period (kuberuntime_manager.go containerKillReason,
// 1.21+). It is empty for a changed definition, a resize, and before 1.21.
type ReasonCode string

// The codes that computePodActions gives.
const (
	ReasonStartupProbe  ReasonCode = "StartupProbe"
	ReasonLivenessProbe ReasonCode = "LivenessProbe"
	ReasonUnknown       ReasonCode = "Unknown"
)

// CgroupUpdate is one container whose resource of that name is written to its running cgroup.
type CgroupUpdate struct {
	Resource corev1.ResourceName
	ID, Name string
}

// Reset is one container record that RestartAllContainers removes; Kill says that it is stopped before.
type Reset struct {
	ID, Name string
	Kill     bool
}

// Kind says which list of the spec an index belongs to.
type Kind string

// The lists of a pod's spec.
const (
	KindRegular   Kind = "container"
	KindInit      Kind = "init container"
	KindEphemeral Kind = "ephemeral container"
)

// Wait is a start that back-off delays until Until; Delay is the present delay.
type Wait struct {
	Kind  Kind
	Index int
	Name  string
	Until time.Time
	Delay time.Duration
}

// Attempt is the restart count that a started container gets (kuberuntime_container.go startContainer). Known is false
// when no record of the container is left and its log directory, which decides then since 1.21, was not read.
type Attempt struct {
	Kind  Kind
	Index int
	Name  string
	Count int
	Known bool
}

// kill adds k; a second kill of the same ID replaces the first, as upstream's map does.
func (a *Actions) kill(k Kill) {
	if i := slices.IndexFunc(a.ContainersToKill, func(have Kill) bool { return have.ID == k.ID }); i >= 0 {
		a.ContainersToKill[i] = k
		return
	}
	a.ContainersToKill = append(a.ContainersToKill, k)
}
