package evidence

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// RuntimeStopping is the container runtime's daemon logging an orderly shutdown: containerd "Stop CRI service", dockerd
// "Processing signal 'terminated'". A crash leaves no such line.
type RuntimeStopping struct {
	Signal string // "terminated" …; "" when the line has none
}

// TaskStarted is the runtime's line that the container's process runs: the CRI call StartContainer succeeded. PID is
// the process id on the node; 0 where the line has none (containerd).
type TaskStarted struct{ PID int }

// SandboxStopped is the runtime's line that a sandbox was stopped on request.
type SandboxStopped struct{}

// RuntimeFailed is a call that the runtime answered with an error: the reason why a container could not be made or
// started. The subject has what the line names: a container id for StartContainer, a sandbox id and a container name
// for CreateContainer, a pod for RunPodSandbox.
type RuntimeFailed struct {
	// Op is the call as the CRI spells it: RunPodSandbox, CreateContainer, StartContainer, StopContainer, StopPodSandbox,
	// ExecSync, UpdateContainerResources.
	Op      string
	Attempt int // of RunPodSandbox: 0 for the pod's first sandbox
	Message safetext.Text
}

// ShimLost is containerd losing the shim of a task that it waits for ("failed to get task exit status", containerd
// pkg/cri/server/events.go, internal/cri in 2.x). The container ended with its shim; the exit code that follows (255,
// or 137 from cleaning up) did not come from the process.
type ShimLost struct{ Message safetext.Text }

// ExecStarted is a CRI Exec call, or the request for one: kubectl exec, crictl exec; kubectl debug in an audit log. The
// command is left out. Probes and hooks use ExecSync calls, so they are not among these.
type ExecStarted struct {
	// Attached: kubectl attach to the container's own process instead.
	Attached bool
	Lasted   time.Duration // up to the line, which is that of its end; 0 for a line of its start
}

// ExecExited is the exit of an extra process that a runtime had started in a container: a command of kubectl exec, of a
// probe or of a hook. It is all that containerd reports of kubectl exec since it logs the call at level debug.
type ExecExited struct{}

// StateLost is the runtime not knowing, after its own start, what happened to a container or sandbox: the CRI then says
// CONTAINER_UNKNOWN, and the kubelet kills it before it starts it again (containerd "Failed to load container status",
// restart.go).
type StateLost struct{ Message safetext.Text }

// RuntimeEndpoint is one container runtime that answers on the node. A second one that still has containers is left
// over from a switch of runtimes.
type RuntimeEndpoint struct {
	Endpoint      string // unix:///run/containerd/containerd.sock
	Name, Version string
	Sandboxes     int
	Containers    int
	Used          bool // its records were read, as the ones of the kubelet's runtime
	Configured    bool // the kubelet is configured to use it
}

// RuntimeSettings is the runtime's configuration, by its own account.
type RuntimeSettings struct {
	// CgroupDriver is systemd or cgroupfs, "" when the runtime does not report it (CRI RuntimeConfig since 1.28;
	// containerd's verbose status before).
	CgroupDriver string
}

// RunsSince is a running container whose pod is unknown: its time is when it was started. Since then, neither the
// machine nor a runtime that kills its containers on exit has gone down.
type RunsSince struct{}

// Statement implements Fact.
func (RuntimeStopping) Statement() string { return "runtime.stopping" }
func (TaskStarted) Statement() string     { return "runtime.task-started" }
func (SandboxStopped) Statement() string  { return "runtime.sandbox-stopped" }
func (RuntimeFailed) Statement() string   { return "runtime.failed" }
func (ShimLost) Statement() string        { return "runtime.shim-lost" }
func (ExecStarted) Statement() string     { return "runtime.exec-started" }
func (ExecExited) Statement() string      { return "runtime.exec-exited" }
func (StateLost) Statement() string       { return "runtime.state-lost" }
func (RuntimeEndpoint) Statement() string { return "runtime.endpoint" }
func (RuntimeSettings) Statement() string { return "runtime.settings" }
func (RunsSince) Statement() string       { return "runtime.runs-since" }
