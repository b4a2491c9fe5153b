package evidence

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// HungTask is the kernel's complaint about a task that made no progress.
type HungTask struct {
	Kind    string // blocked, soft-lockup
	Task    string
	PID     int
	Seconds int
}

// UserspaceOOMKill is a daemon on the node killing for want of memory, before
// the kernel did: systemd-oomd and Talos kill a whole cgroup, earlyoom one process. The
// kernel's log knows nothing of it.
type UserspaceOOMKill struct {
	Killer string // systemd-oomd, earlyoom, Talos
	Cgroup string // of systemd-oomd, Talos
	Task   string // of earlyoom
	PID    int    // of earlyoom
}

// PackageChanged is a package manager's record about a package that a node's
// containers depend on: the kubelet, the runtime, runc, systemd, the kernel.
type PackageChanged struct {
	Manager string // dpkg, rpm, snap
	Action  string // install, upgrade, remove
	Package string
	From    string // "" when the record does not tell
	To      string
	By      string // unattended-upgrade; "" for a person, or when not known
}

// RestartAsked is a tool's record that it restarted units: needrestart after an update of a library that they use.
type RestartAsked struct {
	By    string
	Units []string
}

// PowerChange is logind's line that someone asked for the machine to go down.
type PowerChange struct {
	Change string // shutdown, reboot
}

// CgroupPlacement says where the processes of one container are, and where its
// pod's cgroup should be for the kubelet that runs there now. The kubelet looks
// for the pod's cgroup by its own driver, root and QoS naming, and kills a pod
// that runs without it (kubelet v1.6–v1.36 cm/pod_container_manager_linux.go
// Exists, kubelet.go syncPod).
type CgroupPlacement struct {
	Version int // 1 or 2
	// Path is the memory controller's cgroup of the processes, below the mount.
	Path string
	// Expected is the pod's cgroup that the kubelet computes, for the QoS class
	// that Path shows.
	Expected string
	// Exists tells that Expected is there in the memory controller's tree, Lacking
	// in which other controllers it is not (cgroup v1).
	Exists  bool
	Lacking []string
	// Outside tells that Path is not below Expected: limits and counters of the
	// pod's cgroup do not count these processes, and whoever tidies up that cgroup
	// does not see them.
	Outside bool
	// SpecForm tells that Path is systemd's spelling, slice:prefix:id, taken for a
	// directory: the runtime works without SystemdCgroup under a kubelet that uses
	// the systemd driver.
	SpecForm bool
	// KubeletDriver is the driver that Expected was computed for. DriverFrom is
	// "tree" where the only kubepods cgroup tells it, which is proof, or "told" where
	// there is one of each kind and only the configuration tells: a kubelet ≥1.31
	// follows the runtime's answer instead. PathDriver is whose naming Path follows.
	KubeletDriver, DriverFrom string
	PathDriver                string
	Processes                 int
	PID                       int // the lowest process id among them
}

// CgroupControllers says which controllers a node offers to pods, and which of
// those that the kubelet wants are missing (kubelet v1.36
// cm/cgroup_manager_linux.go).
type CgroupControllers struct {
	Version   int
	Available []string
	Lacking   []string
}

// KubeletSettings is what the running kubelet was told, by flag or file, as far
// as restarts depend on it. A setting that nobody made is empty: the default of
// the kubelet's version applies.
type KubeletSettings struct {
	CgroupDriver    string
	CgroupRoot      string
	CgroupsPerQOS   *bool
	RuntimeEndpoint string
	RootDir         string
	StaticPodPath   string
	// CPUManagerPolicy, MemoryManagerPolicy and TopologyManagerPolicy as the
	// configuration spells them.
	CPUManagerPolicy, MemoryManagerPolicy, TopologyManagerPolicy string
	SingleProcessOOMKill                                         *bool
	FailCgroupV1                                                 *bool
	// ShutdownGrace is shutdownGracePeriod; zero when not set.
	ShutdownGrace time.Duration
	FeatureGates  map[string]bool
	// Flags are the names of the flags on its command line, sorted, without their
	// values; nil when the command line was not read.
	Flags []string
	// Eviction are the hard thresholds that were set: signal → quantity.
	Eviction map[string]string
	// MemoryThrottlingFactor and EventRecordQPS; nil when not set.
	MemoryThrottlingFactor *float64
	EventRecordQPS         *int32
	// UnsafeSysctls is allowedUnsafeSysctls; DefaultPodSysctls: the setting of that name was made.
	UnsafeSysctls     []string
	DefaultPodSysctls bool
}

// CheckpointState says what the kubelet keeps in one of its state files.
type CheckpointState struct {
	// Name is the file's name: actuated_pods_state, allocated_pods_state,
	// cpu_manager_state, memory_manager_state, kubelet_internal_checkpoint …
	Name   string
	Exists bool
	// Checksum is ok, bad, or "" when it is not one that can be checked.
	Checksum string
	// DataChecksum is that of the cpu and memory managers' inner data, which kubelets from 1.37 on go by instead: ok, bad,
	// or "" where the file has none.
	DataChecksum string
	Pods         int
	Containers   int
	// Problem tells why an existing file could not be read: a kubelet stops at
	// such a file.
	Problem safetext.Text
}

// ResourceRecord is one container's entry in the kubelet's checkpoint of
// resources. A kubelet ≥1.33 takes a container without an actuated record for one
// that was given nothing (kubelet v1.33 kuberuntime_manager.go
// computePodResizeAction). What it holds is in the text.
type ResourceRecord struct{}

// StaticManifest is a file of static pods as it is now. Its content stays on the node.
type StaticManifest struct {
	Path    string
	Changed time.Time // modification time
	UID     string    // metadata.uid, where the manifest sets one
	Images  []string
	Problem safetext.Text // why the kubelet could not read it either
}

// ContainerLogs is what a container's log directory remembers: one file per
// instance, named by its restart count, which outlives the runtime's records
// (kubelet v1.21+ kuberuntime_container.go calcRestartCountByLogDir).
type ContainerLogs struct{ Attempts []LoggedAttempt }

// LoggedAttempt is one instance of a container as its log file tells.
type LoggedAttempt struct {
	Number  int
	Begun   time.Time // birth of the file; zero when it was rotated, or the file system does not tell
	Changed time.Time // the last line was written then
	// ContainerID is known where the log is a link to Docker's own.
	ContainerID string
}

// SandboxCheckpoint is a sandbox that dockershim or cri-dockerd wrote down. It
// stays when the kubelet is told to use another runtime, and tells then under which
// one a pod ran before. It names no UID: another pod of the name may have left it.
type SandboxCheckpoint struct {
	Changed time.Time
}

// ClockSet is that a machine's wall clock was set, as a second clock shows or systemd tells: what was dated by
// counting from the boot is right from then on only.
type ClockSet struct {
	From time.Time // the last time before, by the clock as it was
	// Disorder: only the order of a text's lines tells. Whoever puts lines together may have put them so.
	Disorder bool
}

// Statement implements Fact.
func (ClockSet) Statement() string          { return "node.clock-set" }
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
