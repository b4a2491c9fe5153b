package evidence

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// This file holds what kubelets say about themselves, the runtime and single containers, apart from the decisions in
// facts.go.

// KubeletSetting is one setting that a kubelet printed while it started. Two starts with different values mean that the
// configuration changed.
type KubeletSetting struct {
	// Name is one of the Setting constants.
	Name string
	// Value is as the kubelet prints it. It is never a secret: only the settings below are read.
	Value safetext.Text
}

// part: one line of the kubelet holds several settings.
func (s KubeletSetting) part() string { return s.Name }

// The settings that affect restarts.
const (
	SettingCgroupDriver    = "cgroup-driver"              // "cgroupfs", "systemd"
	SettingCgroupRoot      = "cgroup-root"                // "" means "/"
	SettingCgroupsPerQOS   = "cgroups-per-qos"            // "true", "false"
	SettingRuntime         = "container-runtime"          // ≤v1.26: "docker", "remote"
	SettingRuntimeEndpoint = "container-runtime-endpoint" // "unix:///run/containerd/containerd.sock"
	SettingRuntimeVersion  = "container-runtime-version"  // "containerd 1.6.20"
	SettingManifestPath    = "pod-manifest-path"
	SettingManifestURL     = "manifest-url"
	SettingFeatureGates    = "feature-gates" // "map[A:true B:false]" or "A=true,B=false"
	SettingConfigFile      = "config"
	// SettingFlag is the name prefix for flags that later kubelets no longer have, where the value was not the default:
	// "--cloud-config".
	SettingFlag = "--"
)

// KubeletExited is the last line of a kubelet that exits by itself: a fatal error, a failed start, an expired
// certificate, a new dynamic configuration. A kubelet stopped by systemd logs nothing.
type KubeletExited struct{ Message safetext.Text }

// RuntimeState is the kubelet's view of its container runtime.
type RuntimeState string

// The states (kubelet.go syncLoop, updateRuntimeUp).
const (
	// RuntimeSyncSkipped: no pod is synced, because the runtime or PLEG is down. Probes go on, kills wait.
	RuntimeSyncSkipped RuntimeState = "sync-skipped"
	RuntimeNoNetwork   RuntimeState = "network-not-ready"
	RuntimeNotReady    RuntimeState = "not-ready"
	RuntimeNoAnswer    RuntimeState = "no-answer" // the status call itself failed
	RuntimeEmptied     RuntimeState = "emptied"   // by its own log its files are gone from /run, which a boot empties
)

// RuntimeTrouble is the kubelet's line that the container runtime does not work. It is normal in a kubelet's first
// seconds. A runtime that gives no answer was down: together with a container that it lost, that distinguishes its
// restart from a boot of the node. Most other states decide nothing: they explain why a restart was late.
type RuntimeTrouble struct {
	State   RuntimeState
	Message safetext.Text
}

// ProbeResultChanged is the sync loop's line that a probe's result changed (kubelet.go syncLoopIteration). The subject
// is the pod: the line names no container. "unhealthy" alone does not prove a failed probe: a container that crashed
// gives the same line, and for startup so does one that was never probed.
type ProbeResultChanged struct {
	Probe ProbeType
	// Status is "unhealthy", "started", "ready", or "" for not ready.
	Status string
}

// RestartDecided is the line that a container is not running and is to be started (again): the kubelet found it dead
// and did not kill it (kuberuntime_manager.go computePodActions; at -v=3 since v1.12).
type RestartDecided struct{}

// StartFailed is a failed start of a container or, without one in the subject, of the pod's sandbox. Count and First
// are from an event that a kubelet aggregated; Similar: it stands for earlier ones with other messages, too, so that
// the first failure was before First. CalledOff: perhaps nothing failed, and the kubelet cancelled it to end the pod.
type StartFailed struct {
	Reason             string // the kubelet's: CreateContainerError, RunContainerError, ErrImagePull …
	Message            safetext.Text
	Count              int
	First              time.Time
	Similar, CalledOff bool
}

// KillFinished is "Container exited normally": the runtime's StopContainer returned (at -v=3). A SIGKILL after the
// grace period gives the same line.
type KillFinished struct{}

// KillFailed is a failed kill of a container or a whole pod.
type KillFailed struct{ Message safetext.Text }

// OOMSeen is the kubelet's line that the kernel killed because the whole machine was out of memory
// (oom/oom_watcher_linux.go, ≤v1.14 oom_watcher.go; at -v=1). A starting kubelet reads the kernel's buffer again and
// reports old kills again: the observation has the kernel's time, not the line's.
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
