package evidence

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// ContainerState is the state of a container according to the runtime or the API.
type ContainerState string

// The states.
const (
	StateRunning ContainerState = "running"
	StateExited  ContainerState = "exited"
	StateCreated ContainerState = "created"
	StateUnknown ContainerState = "unknown"
	StateWaiting ContainerState = "waiting" // API only: no container at present
)

// ContainerRecord is what one source says about one container instance: the API's state or lastState, or the runtime's
// record. Times are zero, texts empty and Attempt -1 where the source has none.
type ContainerRecord struct {
	Kind     ContainerKind
	State    ContainerState
	Attempt  int // CRI metadata attempt = restart count at creation; API: restartCount for state, -1 for lastState
	Created  time.Time
	Started  time.Time
	Finished time.Time
	ExitCode *int32
	Reason   string // OOMKilled, Error, Completed, ContainerStatusUnknown … or the waiting reason
	Message  safetext.Text
	Image    string // as requested
	// Hash is the annotation io.kubernetes.container.hash: hex, no padding.
	Hash string
	// HashWithoutResources is the annotation of kubelets 1.27–1.30 with in-place resize.
	HashWithoutResources string
	// RestartCount is the API's restartCount or the CRI annotation; -1 when unknown.
	RestartCount int
	// CgroupsPath is linux.cgroupsPath of the OCI spec.
	CgroupsPath string
	// PID is the first process's id on the node; 0 when unknown.
	PID int
	// MemoryLimit is the limit that the runtime gave its cgroup, in bytes; 0 for none, or unknown.
	MemoryLimit int64
	// Runtime is the runtime named in the API's container id: docker, containerd, cri-o; "" from other sources.
	Runtime string
	Signal  int32
	Last    bool // the API's lastState (the instance before the current one)
	Coarse  bool // its times were computed from the ages in a table
}

// SandboxRecord is the runtime's record of a pod sandbox.
type SandboxRecord struct {
	Attempt     int
	Ready       bool
	Created     time.Time
	IP          string
	HostNetwork bool
	// CgroupParent is the pod's cgroup that the kubelet requested when it made the sandbox: its driver, root and QoS
	// class at that time.
	CgroupParent string
	// ConfigSource and ConfigHash are the annotations kubernetes.io/config.source (file, http, api) and config.hash (a
	// static pod's UID); ConfigSeen is when that kubelet process first saw the pod.
	ConfigSource string
	// Coarse: its time was computed from the age in a table.
	Coarse bool
}

// RestartCount is the API's count for a container. The text has its current state.
type RestartCount struct {
	Count int
}

// RuntimeStarted is the start of the container runtime's daemon.
type RuntimeStarted struct{ Version string }

// RuntimeCreated is the runtime's line that it created a container: it links container id, name, attempt and sandbox.
// Attempt is -1 when the line has none (CRI-O).
type RuntimeCreated struct{ Attempt int }

// SandboxCreated is the runtime's line that it made a sandbox for a pod. Attempt is -1 when the line has none (CRI-O).
type SandboxCreated struct{ Attempt int }

// StopRequested is a CRI StopContainer call that reached the runtime, whoever made it.
type StopRequested struct {
	TimeoutSeconds int    // -1 when the line has none
	Signal         string // "terminated", "killed" when the line has it
}

// RemovalRequested is a CRI RemoveContainer call. It stops a container that runs; the kubelet removes those that ended.
type RemovalRequested struct{}

// SandboxStopRequested is a CRI StopPodSandbox call.
type SandboxStopRequested struct{}

// TaskExited is the runtime's notice that a task (container or sandbox) ended.
type TaskExited struct {
	ExitCode *int32 // nil when the line has none
	PID      int    // of the main process, in the runtime's PID namespace; 0 when the line has none
	// Ended is the time of exit that the line itself gives; zero where it gives none. A busy runtime writes the line late.
	Ended time.Time
}

// TaskOOM is the runtime's notice of an out-of-memory event in a container's
// cgroup. It is raised for child processes too.
type TaskOOM struct{}

// OOMKill is the kernel's record of one victim of the out-of-memory killer.
type OOMKill struct {
	// Constraint is CONSTRAINT_MEMCG (a cgroup's limit), CONSTRAINT_NONE (the whole machine), "" before kernel 4.19.
	Constraint string
	OOMMemcg   string // the cgroup whose limit was hit
	TaskMemcg  string // the victim's cgroup
	Task       string
	PID        int
	Global     bool
	// Group: the whole cgroup was killed, because of memory.oom.group.
	Group bool
	// Asked: the kill was requested (SysRq f), however much memory there was.
	Asked bool
	// Unscored: its oom_score_adj was 0, which the kubelet gives to no container's process (kubelet qos/policy.go).
	Unscored bool
	Limit    int64 // of OOMMemcg in bytes; 0 when unknown
	// Processes are the largest tasks in the report's table, largest first.
	Processes []OOMProcess
	// Tasks is the number of tasks in the table, First and Last its lowest and highest PID; 0 without a table.
	Tasks, First, Last int
}

// OOMProcess is a row of the table in an out-of-memory report. RSS is in bytes, assuming pages of 4 KiB.
type OOMProcess struct {
	PID int
	RSS int64
}

// Segfault is the kernel's record of a process that died of its own fault.
type Segfault struct {
	Task string
	PID  int
	Kind string // segfault, general protection fault, invalid opcode, Corruption …
}

// Corruption is the kind of fault caused by the memory rather than the process.
const Corruption = "hardware memory corruption"

// KernelBooted is the first line of a boot, or a boot id seen in the journal.
type KernelBooted struct {
	BootID string
	// Reckoned: counted back by the clock since the boot, which stops in suspend: the boot may have been earlier.
	Reckoned bool
}

// UnitChanged is systemd's own line about a unit. For a scope or slice that holds containers, only "stopping" is
// recorded; the subject then has the container or the pod.
type UnitChanged struct {
	Unit string
	// Change is starting, started, stopping, stopped, reloading, failed, exited, restart-scheduled, oom-killed (a
	// process of the unit was), watchdog, stop-timeout, process-killed (one that was left when the unit stopped), or
	// start-limit (systemd gave up).
	Change string
	// Result is systemd's term for a failure: exit-code, signal, core-dump, watchdog, oom-kill, timeout, start-limit-hit …
	Result string
	// Code and Status belong to "exited": exited 1, killed 9, dumped 6.
	Code   string
	Status int
	// Restarts is the counter of "restart-scheduled"; 0 when the line has none.
	Restarts int
	// Process and PID belong to "process-killed". Stopping a runtime's unit without KillMode=process kills the shims of
	// all containers too.
	Process string
	PID     int
}

// UnitState is a unit's state over D-Bus.
type UnitState struct {
	Unit            string
	Active, Sub     string
	Result          string
	NRestarts       int
	MainPID         int
	ActiveEnterTime time.Time
	// ExitTime, ExitCode (exited, killed, dumped) and ExitStatus (its code or signal) say how the main process ended;
	// they are empty while it runs, since systemd forgets the previous one.
	ExitTime   time.Time
	ExitCode   string
	ExitStatus int
	// KillMode is what stopping the unit kills: process, or control-group and mixed, which include a runtime's shims,
	// and so its containers.
	KillMode string
}

// CgroupState is the current state of a container's or pod's cgroup: its text has the counters, from which nothing is
// concluded.
type CgroupState struct{}

// Statement implements Fact.
func (ContainerRecord) Statement() string      { return "container.record" }
func (SandboxRecord) Statement() string        { return "sandbox.record" }
func (RestartCount) Statement() string         { return "container.restart-count" }
func (RuntimeStarted) Statement() string       { return "runtime.started" }
func (RuntimeCreated) Statement() string       { return "runtime.container-created" }
func (SandboxCreated) Statement() string       { return "runtime.sandbox-created" }
func (StopRequested) Statement() string        { return "runtime.stop-requested" }
func (RemovalRequested) Statement() string     { return "runtime.removal-requested" }
func (SandboxStopRequested) Statement() string { return "runtime.sandbox-stop-requested" }
func (TaskExited) Statement() string           { return "runtime.task-exited" }
func (TaskOOM) Statement() string              { return "runtime.task-oom" }
func (OOMKill) Statement() string              { return "kernel.oom-kill" }
func (Segfault) Statement() string             { return "kernel.segfault" }
func (KernelBooted) Statement() string         { return "kernel.booted" }
func (UnitChanged) Statement() string          { return "systemd.unit-changed" }
func (UnitState) Statement() string            { return "systemd.unit-state" }
func (CgroupState) Statement() string          { return "cgroup.state" }
