package evidence

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// This file holds what kubelets say about themselves, the runtime, and single
// containers beyond the decisions of facts.go.

// KubeletSetting is one setting that a kubelet printed while it started. Two
// starts with different values are a change of configuration.
type KubeletSetting struct {
	// Name is one of the Setting constants.
	Name string
	// Value is as the kubelet prints it; never a secret: only the settings below
	// are read.
	Value safetext.Text
}

// part: one line of the kubelet has several settings.
func (s KubeletSetting) part() string { return s.Name }

// The settings that bear on restarts.
const (
	SettingCgroupDriver    = "cgroup-driver"              // "cgroupfs", "systemd"
	SettingCgroupRoot      = "cgroup-root"                // "" stands for "/"
	SettingCgroupsPerQOS   = "cgroups-per-qos"            // "true", "false"
	SettingRuntime         = "container-runtime"          // ≤v1.26: "docker", "remote"
	SettingRuntimeEndpoint = "container-runtime-endpoint" // "unix:///run/containerd/containerd.sock"
	SettingRuntimeVersion  = "container-runtime-version"  // "containerd 1.6.20"
	SettingManifestPath    = "pod-manifest-path"
	SettingManifestURL     = "manifest-url"
	SettingFeatureGates    = "feature-gates" // "map[A:true B:false]" or "A=true,B=false"
	SettingConfigFile      = "config"
	// SettingFlag begins the names of flags that later kubelets no longer have, where
	// one was given another value than its default: "--cloud-config".
	SettingFlag = "--"
)

// KubeletExited is the last word of a kubelet that ends by itself: a fatal line,
// a start that failed, a certificate that expired, a new dynamic configuration.
// A kubelet that is stopped by systemd says nothing.
type KubeletExited struct{ Message safetext.Text }

// RuntimeState is what a kubelet holds of its container runtime.
type RuntimeState string

// The states (kubelet.go syncLoop, updateRuntimeUp).
const (
	// RuntimeSyncSkipped: no pod is synced, because the runtime or PLEG is down.
	// Probes go on, kills wait.
	RuntimeSyncSkipped RuntimeState = "sync-skipped"
	RuntimeNoNetwork   RuntimeState = "network-not-ready"
	RuntimeNotReady    RuntimeState = "not-ready"
	RuntimeNoAnswer    RuntimeState = "no-answer" // the status call itself failed
)

// RuntimeTrouble is the kubelet's line that the container runtime does not work.
// In the first seconds of a kubelet it is ordinary. A runtime that gives no answer is
// one that was down: with a container that it lost, that tells its restart from a boot
// of the node. The other states decide nothing: they tell why a restart was late, and
// a story shows them for that.
type RuntimeTrouble struct {
	State   RuntimeState
	Message safetext.Text
}

// ProbeResultChanged is the sync loop's line that a probe's result changed (kubelet.go
// syncLoopIteration). The subject is the pod: the line names no container.
// "unhealthy" alone is no proof of a failed probe: a container that crashed and,
// for startup, one that was never probed give the same line.
type ProbeResultChanged struct {
	Probe ProbeType
	// Status is "unhealthy", "started", "ready", or "" for not ready.
	Status string
}

// RestartDecided is the line that a container does not run and is to be started
// (again): the kubelet found it dead and did not kill it (kuberuntime_manager.go
// computePodActions; at -v=3 since v1.12).
type RestartDecided struct{}

// StartFailed is a start that did not succeed: of a container, or, without one in the subject, of the pod's sandbox.
// Count and First are of an event that a kubelet added up.
type StartFailed struct {
	Reason  string // the kubelet's: CreateContainerError, RunContainerError, ErrImagePull, CreatePodSandboxError …
	Message safetext.Text
	Count   int
	First   time.Time
}

// KillFinished is "Container exited normally": the runtime's StopContainer came
// back (at -v=3). A SIGKILL after the grace period gives the same line.
type KillFinished struct{}

// KillFailed is a kill that did not succeed, of a container or a whole pod.
type KillFailed struct{ Message safetext.Text }

// OOMSeen is the kubelet's line that the kernel killed for want of memory of the
// whole machine (oom/oom_watcher_linux.go, ≤v1.14 oom_watcher.go; at -v=1). A
// kubelet that starts reads the kernel's buffer once more and tells old kills
// again: the observation has the kernel's time, not the line's.
type OOMSeen struct {
	Process string
	PID     int
}

// Statement implements Fact.
func (OOMSeen) Statement() string            { return "kubelet.oom-seen" }
func (KubeletSetting) Statement() string     { return "kubelet.setting" }
func (KubeletExited) Statement() string      { return "kubelet.exited" }
func (RuntimeTrouble) Statement() string     { return "kubelet.runtime-trouble" }
func (ProbeResultChanged) Statement() string { return "kubelet.probe-result" }
func (RestartDecided) Statement() string     { return "kubelet.restart-decided" }
func (StartFailed) Statement() string        { return "kubelet.start-failed" }
func (KillFinished) Statement() string       { return "kubelet.kill-finished" }
func (KillFailed) Statement() string         { return "kubelet.kill-failed" }
