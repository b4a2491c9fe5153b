package evidence

import "github.com/restartwhy/kubectl-restartwhy/diag/safetext"

// This file holds what kubelets say about whole pods: why a pod is taken down, what happened to its static manifest,
// how a resize went. Subjects have the pod's namespace and name where the line has them; some lines have only the UID.

// TeardownReason is the first reason that a pod worker had to end a pod.
type TeardownReason string

// The reasons (kubelet v1.22+ pod_workers.go UpdatePod, at -v=4 except for orphans).
const (
	// TeardownOrphan: the runtime has the pod, but no source of the kubelet knows it. It was deleted while the kubelet
	// was down, force-deleted, or is a static pod whose UID was recomputed. The UID is the old pod's.
	TeardownOrphan TeardownReason = "orphan"
	// TeardownUnwanted: no source knows the pod, or it ended before (kubelet v1.5–v1.21 HandlePodCleanups).
	TeardownUnwanted TeardownReason = "unwanted"
	// TeardownDeleted: the pod has a deletionTimestamp.
	TeardownDeleted TeardownReason = "deleted"
	// TeardownRemoved: the pod is gone from its source: force-deleted from the API, or its manifest was removed.
	TeardownRemoved TeardownReason = "removed"
	// TeardownEvicted: the kubelet itself decided: eviction, preemption or node shutdown. The line does not say which.
	TeardownEvicted TeardownReason = "evicted"
	// TeardownTerminal: the pod's phase is Succeeded or Failed already.
	TeardownTerminal TeardownReason = "terminal-phase"
	// TeardownCompleted: all containers ended and none is to be restarted.
	TeardownCompleted TeardownReason = "completed"
	// TeardownNotRunnable: soft admission (such as AppArmor, up to v1.30) forbids the pod; its containers are killed,
	// and it may come back.
	TeardownNotRunnable TeardownReason = "not-runnable"
)

// PodTeardown is the kubelet's line that it takes a pod down, and why.
type PodTeardown struct {
	Reason  TeardownReason
	Message safetext.Text // with TeardownNotRunnable only
}

// UIDReused is the line that a pod that had ended comes back under the same UID: a static pod whose manifest returned
// (kubelet v1.22+).
type UIDReused struct{}

// PodReplaced is the status manager's line that another pod has the name now
// (status_manager.go syncPod). The subject has the new UID.
type PodReplaced struct{ OldUID string }

// EvictionState is how far the eviction manager got.
type EvictionState string

// The states (eviction_manager.go synchronize).
const (
	EvictionReclaiming EvictionState = "reclaiming" // a threshold is met; images and containers are removed first
	EvictionMustEvict  EvictionState = "must-evict" // that was not enough: pods have to go
	EvictionRelieved   EvictionState = "relieved"   // that was enough: no pod had to go
)

// EvictionPressure is the eviction manager's line about the node: which resource runs short ("memory",
// "ephemeral-storage", "inodes", "pids"). It explains the evictions that PodEvicted names right after it.
type EvictionPressure struct {
	Resource string
	State    EvictionState
}

// PreemptionPlanned is the line before a critical pod preempts others (kubelet v1.6–v1.21; later ones name the
// resources in PodEvicted's message).
type PreemptionPlanned struct{ Resources safetext.Text }

// ShutdownPhase is how far a graceful node shutdown got.
type ShutdownPhase string

// The phases (kubelet v1.20+ nodeshutdown_manager_linux.go, all at -v=1).
const (
	ShutdownDetected   ShutdownPhase = "detected"
	ShutdownCancelled  ShutdownPhase = "cancelled"
	ShutdownProcessing ShutdownPhase = "processing"
	ShutdownTimedOut   ShutdownPhase = "timed-out" // some pods outlived their grace period
	ShutdownCompleted  ShutdownPhase = "completed"
)

// NodeShutdown is a line of the kubelet's shutdown manager about the node.
type NodeShutdown struct{ Phase ShutdownPhase }

// CgroupMissing is the line that a cgroup is not where the kubelet expects it (cgroup_manager_linux.go Exists;
// v1.13–v1.23 at -v=4, silent since). For a pod's cgroup the subject has the UID; then syncPod kills the pod.
type CgroupMissing struct {
	Cgroup  string
	Missing safetext.Text // what is missing
}

// ManifestRead is the file source's line about a static pod's manifest, or their directory (config/file.go). A file
// that fails drops out of the source, and its pod is killed; an unreadable directory kills every static pod.
type ManifestRead struct {
	Path   string
	Failed bool
	Why    safetext.Text // of a failure
}

// StaticPodUID is the line that a static pod got its UID, a hash of the pod (config/common.go applyDefaults, at -v=5).
// The subject has the UID.
type StaticPodUID struct{}

// MirrorChange is what happened to a static pod's mirror pod in the API.
type MirrorChange string

// The changes. None of them touches the containers.
const (
	MirrorCreated  MirrorChange = "created"
	MirrorDeleted  MirrorChange = "deleted"
	MirrorOutdated MirrorChange = "outdated" // deleted because it no longer matches the static pod
)

// MirrorPod is a line about a mirror pod (pod/mirror_client.go, kubelet.go syncPod). A UID in the subject is the
// mirror's, not the static pod's.
type MirrorPod struct{ Change MirrorChange }

// ResizeState is how far an in-place resize got.
type ResizeState string

// The states (kubelet v1.27+ kubelet.go, since v1.33 allocation_manager.go).
const (
	ResizeDeferred   ResizeState = "deferred"
	ResizeInfeasible ResizeState = "infeasible"
	ResizeAllocated  ResizeState = "allocated" // accepted; the containers follow
	ResizeUpdating   ResizeState = "updating"  // the runtime is told
	ResizeFailed     ResizeState = "failed"
)

// PodResize is a line about an in-place resize.
type PodResize struct {
	State   ResizeState
	Message safetext.Text
}

// RestartAllStep is a step of RestartAllContainers.
type RestartAllStep string

// The steps (kubelet v1.35+ kuberuntime_manager.go, at -v=3).
const (
	RestartAllMarked   RestartAllStep = "marked"   // the pod's condition asks for it
	RestartAllKilling  RestartAllStep = "killing"  // one container
	RestartAllRemoving RestartAllStep = "removing" // its record: exit code and count are lost with it
)

// RestartAll is a line about RestartAllContainers, the action of a container's restart policy rule.
type RestartAll struct{ Step RestartAllStep }

// Statement implements Fact.
func (PodTeardown) Statement() string       { return "kubelet.pod-teardown" }
func (UIDReused) Statement() string         { return "kubelet.uid-reused" }
func (PodReplaced) Statement() string       { return "kubelet.pod-replaced" }
func (EvictionPressure) Statement() string  { return "kubelet.eviction-pressure" }
func (PreemptionPlanned) Statement() string { return "kubelet.preemption-planned" }
func (NodeShutdown) Statement() string      { return "kubelet.node-shutdown" }
func (CgroupMissing) Statement() string     { return "kubelet.cgroup-missing" }
func (ManifestRead) Statement() string      { return "kubelet.manifest-read" }
func (StaticPodUID) Statement() string      { return "kubelet.static-pod-uid" }
func (MirrorPod) Statement() string         { return "kubelet.mirror-pod" }
func (PodResize) Statement() string         { return "kubelet.pod-resize" }
func (RestartAll) Statement() string        { return "kubelet.restart-all" }
