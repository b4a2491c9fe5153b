package evidence

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Fact is the meaning of an observation, independent of its source: the same kill reason comes from an event and from a
// log line. Statement returns the short name that reports show.
type Fact interface{ Statement() string }

// KillReason is why the kubelet decided to kill a container, as its message says (kubelet kuberuntime_manager.go
// computePodActions, killContainer).
type KillReason string

// The reasons, one per message family.
const (
	KillLiveness     KillReason = "liveness"      // "Container x failed liveness probe[, will be restarted]"
	KillStartup      KillReason = "startup"       // "… failed startup probe…"
	KillDefinition   KillReason = "definition"    // "… definition changed…", ≤1.13 "Container spec hash changed (…)"
	KillPostStart    KillReason = "post-start"    // "FailedPostStartHook"
	KillUnknownState KillReason = "unknown-state" // "Container is in \"unknown\" state, try killing it before restart"
	KillResize       KillReason = "resize"        // "Container x resize requires restart"
	KillRestartAll   KillReason = "restart-all"   // "killing" (1.35+)
	// "Stopping container x", ≤1.13 "Need to kill Pod": the pod is taken down; the line does not say why
	KillPod   KillReason = "pod"
	KillOther KillReason = "other"
)

// KillDecided is the kubelet's own statement that it kills this container, and
// why: a Killing event or the V2 line "Message for Container of pod".
type KillDecided struct {
	Reason  KillReason
	Message safetext.Text
	// Count and First are from an aggregated event; 1 and zero for a line.
	Count int
	First time.Time
}

// KillStarted is "Killing container with a grace period": the kubelet asked the runtime to stop the container.
type KillStarted struct{ GraceSeconds int }

// ContainerStarted is PLEG's ContainerStarted. The id may be a sandbox's.
type ContainerStarted struct{}

// ContainerDied is PLEG's ContainerDied. The id may be a sandbox's: then it is the proof that the sandbox died.
type ContainerDied struct{}

// ContainerFinished is the kubelet's "Generic (PLEG): container finished"
// (1.22+), the only log line with the exit code. Sandboxes have none.
type ContainerFinished struct{ ExitCode int32 }

// ProbeType is liveness, readiness or startup.
type ProbeType string

// The probe types.
const (
	ProbeLiveness  ProbeType = "liveness"
	ProbeReadiness ProbeType = "readiness"
	ProbeStartup   ProbeType = "startup"
)

// ProbeFailed is one failed (or errored: ignored by the kubelet) probe run.
type ProbeFailed struct {
	Probe   ProbeType
	Errored bool
	Output  safetext.Text
	Count   int // from an aggregated event; 1 for a line
	First   time.Time
}

// HookFailed is a failed PostStart or PreStop hook. CalledOff: the kubelet itself cancelled it, as the pod had to end.
type HookFailed struct {
	Hook      string // PostStart, PreStop
	Output    safetext.Text
	CalledOff bool
}

// ContainerRemoved says that the record of a container, not of a sandbox, is gone (cm/topologymanager RemoveContainer).
type ContainerRemoved struct{}

// LogFileRead is the kubelet's line that it read a container's log to its end, as it does after the container exited
// (logs.go ReadLogs: "Finished parsing log file"). The path names the attempt.
type LogFileRead struct{ Attempt int }

// NameTold is a line that only tells which pod, container or sandbox an id belongs to.
type NameTold struct{ Sandbox bool }

// BackedOff is a start that the kubelet delays (CrashLoopBackOff).
type BackedOff struct{ Delay time.Duration }

// SandboxReason is the first condition that held in the kubelet's PodSandboxChanged.
type SandboxReason string

// The conditions, in the kubelet's order.
const (
	SandboxNone     SandboxReason = "none"
	SandboxMultiple SandboxReason = "multiple"
	SandboxNotReady SandboxReason = "not-ready"
	SandboxNetwork  SandboxReason = "network"
	SandboxNoIP     SandboxReason = "no-ip"
	// SandboxInfra: image, ports or environment of the pause container changed (kubelet v1.5–v1.6 without CRI).
	SandboxInfra SandboxReason = "infra-changed"
)

// SandboxJudged is the kubelet's line that the pod needs a new sandbox, and why.
type SandboxJudged struct{ Reason SandboxReason }

// SandboxUnready is the pod's condition PodReadyToStartContainers while it is False: what the kubelet finds wrong with
// the sandbox (1.37+). The time is when it became False. The reason is from the latest check, so a sandbox taken down
// since then shows as not ready, whatever was wrong with it before.
type SandboxUnready struct{ Reason SandboxReason }

// SandboxChanged is the event "Pod sandbox changed, it will be killed and re-created."
type SandboxChanged struct {
	Count int
	First time.Time
}

// KubeletStarted is the start of a kubelet process. Version is empty and PID 0 where the source has none (an event).
type KubeletStarted struct {
	Version string
	PID     int
	Beside  bool // the process before it kept logging: the node has two kubelets
}

// PodConfig is a change that the kubelet's sync loop received for a pod.
type PodConfig struct {
	Op     string // ADD, UPDATE, DELETE, REMOVE
	Origin string // api, file, http
	// Others is how many more pods the same line names: a starting kubelet gets all pods of its node at once. -1: the
	// line names none, because there were none yet.
	Others int
}

// MissingActuatedRecord is "Missing actuated resource record" (kubelet 1.33+).
type MissingActuatedRecord struct{}

// PodRejected is the kubelet refusing to run a pod, even one that was running.
type PodRejected struct {
	Reason  string
	Message safetext.Text
	// Soft: the pod is not Failed. Its containers are stopped, and it may come back (kubelet ≤v1.30 kubelet.go canRunPod).
	Soft bool
}

// PodEvicted is the kubelet or the API ending a pod: eviction, preemption, deadline, shutdown.
type PodEvicted struct {
	Reason  string
	Message safetext.Text
	// Resource is what the kubelet had to reclaim at that time, where the line itself does not say.
	Resource string
	// Announced: this is the pod's condition DisruptionTarget, which is set right before the pod is deleted.
	Announced bool
}

// ImageSeen is an image that a container used, from a Pulled or Pulling event or an API status.
type ImageSeen struct{ Image string }

// APIEvent is an event without a fact type for it.
type APIEvent struct {
	Reason  string
	Message safetext.Text
	Count   int
	First   time.Time
}

// NodeRebooted is the node's Rebooted event, or a change of its boot id.
type NodeRebooted struct{ BootID string }

// NodeCordoned is the node's event that it was cordoned: someone is about to drain it.
type NodeCordoned struct{}

// SystemOOM is the node's SystemOOM event.
type SystemOOM struct{ Message safetext.Text }

// Statement implements Fact.
func (KillDecided) Statement() string           { return "kubelet.kill-decided" }
func (KillStarted) Statement() string           { return "kubelet.kill-started" }
func (ContainerStarted) Statement() string      { return "kubelet.container-started" }
func (ContainerDied) Statement() string         { return "kubelet.container-died" }
func (ContainerFinished) Statement() string     { return "kubelet.container-finished" }
func (ProbeFailed) Statement() string           { return "kubelet.probe-failed" }
func (HookFailed) Statement() string            { return "kubelet.hook-failed" }
func (BackedOff) Statement() string             { return "kubelet.backed-off" }
func (ContainerRemoved) Statement() string      { return "kubelet.container-removed" }
func (LogFileRead) Statement() string           { return "kubelet.log-file-read" }
func (NameTold) Statement() string              { return "log.name-told" }
func (SandboxJudged) Statement() string         { return "kubelet.sandbox-judged" }
func (SandboxUnready) Statement() string        { return "pod.sandbox-unready" }
func (SandboxChanged) Statement() string        { return "kubelet.sandbox-changed" }
func (KubeletStarted) Statement() string        { return "kubelet.started" }
func (PodConfig) Statement() string             { return "kubelet.pod-config" }
func (MissingActuatedRecord) Statement() string { return "kubelet.missing-actuated-record" }
func (PodRejected) Statement() string           { return "kubelet.pod-rejected" }
func (PodEvicted) Statement() string            { return "kubelet.pod-evicted" }
func (ImageSeen) Statement() string             { return "kubelet.image-seen" }
func (APIEvent) Statement() string              { return "api.event" }
func (NodeRebooted) Statement() string          { return "node.rebooted" }
func (NodeCordoned) Statement() string          { return "node.cordoned" }
func (SystemOOM) Statement() string             { return "node.system-oom" }
