package evidence

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// HungTask is the kernel's warning about a task that made no progress.
type HungTask struct {
	Kind    string // blocked, soft-lockup
	Task    string
	PID     int
	Seconds int
}

// UserspaceOOMKill is a kill for lack of memory by a daemon on the node, before the kernel did it: systemd-oomd and
// Talos kill a whole cgroup, earlyoom one process. The kernel's log does not show it.
type UserspaceOOMKill struct {
	Killer string // systemd-oomd, earlyoom, Talos
	Cgroup string // from systemd-oomd, Talos
	Task   string // from earlyoom
	PID    int    // from earlyoom
	Asks   bool   // with SIGTERM, so that the process chooses its exit code
	Own    bool   // the memory pressure was in the cgroup that was killed, or in its pod's
}

// PackageChanged is a package manager's record about the kubelet, the runtime, runc, systemd or the kernel.
type PackageChanged struct {
	Manager string // dpkg, rpm, snap
	Action  string // install, upgrade, remove
	Package string
	From    string // "" when the record does not say
	To      string
	By      string // unattended-upgrade; "" for a person, or when not known
}

// RestartAsked is a tool's record that it restarted units: needrestart after an update of a library that they use.
type RestartAsked struct {
	By    string
	Units []string
}

// PowerChange is a line of logind or Talos that a shutdown or reboot was requested.
type PowerChange struct {
	Change string // shutdown, reboot
}

// CgroupPlacement says where the processes of one container are, and where its pod's cgroup should be for the kubelet
// that now runs there. The kubelet looks for the pod's cgroup by its own driver, root and QoS naming, and kills a pod
// that runs without it (kubelet v1.6–v1.36 cm/pod_container_manager_linux.go Exists, kubelet.go syncPod).
type CgroupPlacement struct {
	Version int // 1 or 2
	// Path is the memory controller's cgroup of the processes, below the mount.
	Path string
	// Expected is the pod's cgroup that the kubelet computes, for the QoS class that Path shows.
	Expected string
	// Exists says that Expected is there in the memory controller's tree; Lacking names the other controllers where it
	// is not (cgroup v1).
	Exists  bool
	Lacking []string
	// Outside: Path is not below Expected. Limits and counters of the pod's cgroup do not count these processes, and a
	// cleanup of that cgroup misses them.
	Outside bool
	// SpecForm: Path is systemd's notation, slice:prefix:id, used as a directory name. The runtime works without
	// SystemdCgroup under a kubelet that uses the systemd driver.
	SpecForm bool
	// KubeletDriver is the driver that Expected was computed for. DriverFrom is "tree" where there is only one kubepods
	// cgroup, which is proof, or "told" where there is one of each kind and only the configuration says: a kubelet
	// ≥1.31 follows the runtime's answer instead. PathDriver is the driver whose naming Path follows.
	KubeletDriver, DriverFrom string
	PathDriver                string
	Processes                 int
	PID                       int // the lowest process id among them
}

// CgroupControllers says which controllers a node offers to pods, and which of those that the kubelet wants are missing
// (kubelet v1.36 cm/cgroup_manager_linux.go).
type CgroupControllers struct {
	Version   int
	Available []string
	Lacking   []string
}

// KubeletSettings is the running kubelet's configuration, from flags and file, as far as restarts depend on it. An
// unset setting is empty: the default of the kubelet's version applies.
type KubeletSettings struct {
	CgroupDriver    string
	CgroupRoot      string
	CgroupsPerQOS   *bool
	RuntimeEndpoint string
	RootDir         string
	StaticPodPath   string
	// CPUManagerPolicy, MemoryManagerPolicy and TopologyManagerPolicy as the configuration spells them.
	CPUManagerPolicy, MemoryManagerPolicy, TopologyManagerPolicy string
	SingleProcessOOMKill                                         *bool
	FailCgroupV1                                                 *bool
	// ShutdownGrace is shutdownGracePeriod; zero when not set.
	ShutdownGrace time.Duration
	FeatureGates  map[string]bool
	// Flags are the names of the flags on its command line, sorted, without their
	// values; nil when the command line was not read.
	Flags []string
	// Eviction holds the hard thresholds that were set: signal → quantity.
	Eviction map[string]string
	// MemoryThrottlingFactor and EventRecordQPS; nil when not set.
	MemoryThrottlingFactor *float64
	EventRecordQPS         *int32
	// UnsafeSysctls is allowedUnsafeSysctls; DefaultPodSysctls: the setting of that name was made.
	UnsafeSysctls     []string
	DefaultPodSysctls bool
}

// CheckpointState describes one of the kubelet's state files.
type CheckpointState struct {
	// Name is the file's name: actuated_pods_state, allocated_pods_state,
	// cpu_manager_state, memory_manager_state, kubelet_internal_checkpoint …
	Name   string
	Exists bool
	// Checksum is ok, bad, or "" when the file has none that can be checked.
	Checksum string
	// DataChecksum is that of the cpu and memory managers' inner data, which kubelets from 1.37 on check instead: ok,
	// bad, or "" where the file has none.
	DataChecksum string
	Pods         int
	Containers   int
	// Problem is why an existing file could not be read: a kubelet stops at such a file.
	Problem safetext.Text
}

// ResourceRecord is one container's entry in the kubelet's checkpoint of resources. A kubelet ≥1.33 treats a container
// without an actuated record as one that was given nothing (kubelet v1.33 kuberuntime_manager.go
// computePodResizeAction). The text has the values.
type ResourceRecord struct{}

// StaticManifest is a file of static pods as it is now. Its content stays on the node.
type StaticManifest struct {
	Path    string
	Changed time.Time // modification time
	UID     string    // metadata.uid, where the manifest sets one
	Images  []string
	Problem safetext.Text // why the kubelet could not read it either
}

// ContainerLogs is what is in a container's log directory: one file per instance, named by its restart count, which
// outlives the runtime's records (kubelet v1.21+ kuberuntime_container.go calcRestartCountByLogDir).
type ContainerLogs struct{ Attempts []LoggedAttempt }

// LoggedAttempt is one instance of a container as its log file shows it.
type LoggedAttempt struct {
	Number  int
	Begun   time.Time // birth of the file; zero when it was rotated, or the file system does not record it
	Changed time.Time // when the last line was written
	// ContainerID is known where the log is a link to Docker's own file.
	ContainerID string
}

// SandboxCheckpoint is a sandbox that dockershim or cri-dockerd recorded. The file stays when the kubelet is switched
// to another runtime, and then shows which one the pod ran under before. It has no UID: an earlier pod of the same name
// may have left it.
type SandboxCheckpoint struct {
	Changed time.Time
}

// ClockSet is a step of a machine's wall clock, shown by a second clock or reported by systemd: times computed from the
// boot are right only after it.
type ClockSet struct {
	From time.Time // the last time before the step, by the old clock
	// Disorder: only the order of a text's lines shows it. A person may have put the lines together in that order.
	Disorder bool
}

// Signalled is a signal to processes from outside of their container, as the node tells it: systemd (systemctl kill),
// the kernel (SysRq e and i; its audit records, also of a mere test whether a process lives), another program.
type Signalled struct {
	By     string // systemd, unit (it stops one), SysRq, audit, sudo or cron; "" for a line that mentions a signal
	Signal string // SIGTERM …; "" where the line has none
	PIDs   []int  // whose numbers the line has; none for every process of the subject, or of the node
}

// Statement implements Fact.
func (ClockSet) Statement() string          { return "node.clock-set" }
func (Signalled) Statement() string         { return "node.signalled" }
func (HungTask) Statement() string          { return "kernel.hung-task" }
func (UserspaceOOMKill) Statement() string  { return "node.userspace-oom-kill" }
func (PackageChanged) Statement() string    { return "node.package-changed" }
func (RestartAsked) Statement() string      { return "node.restart-asked" }
func (PowerChange) Statement() string       { return "node.power-change" }
func (CgroupPlacement) Statement() string   { return "cgroup.placement" }
func (CgroupControllers) Statement() string { return "cgroup.controllers" }
func (KubeletSettings) Statement() string   { return "kubelet.settings" }
func (CheckpointState) Statement() string   { return "kubelet.checkpoint" }
func (ResourceRecord) Statement() string    { return "kubelet.resource-record" }
func (StaticManifest) Statement() string    { return "kubelet.static-manifest" }
func (ContainerLogs) Statement() string     { return "kubelet.container-logs" }
func (SandboxCheckpoint) Statement() string { return "sandbox.checkpoint" }
