package evidence

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Snapshot is all evidence of one collection, sorted: nodes by name, pods by
// namespace, name and UID, observations by time (those without a time first).
type Snapshot struct {
	// CollectedAt is when the collection ended. It comes from the collector (or the bundle), never from the clock of
	// the analysis.
	CollectedAt  time.Time
	Nodes        []Node
	Pods         []Pod
	Observations []Observation
	Coverage     []Coverage
	// Read are the logs that were read, also those of which nothing is claimed: who found nothing is told of them, and a
	// kubelet that had logged before was running.
	Read   []Span
	Losses []Loss
	Gaps   []Gap
	// Mentioned holds pods and observations from unverified free text; nil for none (Builder.Mention).
	Mentioned *Snapshot
	// Quiet is how many more pods were looked at in which nothing ended.
	Quiet int
}

// Node is the current state of one node. Strings are empty when unknown.
type Node struct {
	Name string
	// Aliases are the other names that its host has in the API: of its hostname label and its addresses.
	Aliases        []string
	KubeletVersion string // as the node reports it, "v1.30.14"
	Runtime        string // "containerd://1.6.20~ds1"
	BootID         string
	// Machine is the machine id in the API (redact.Machine), HostBoot the boot id read on the node itself.
	Machine, HostBoot string
	KernelVersion     string
	OSImage           string
	OS                string // "linux", "windows"
	CreatedAt         time.Time
	// Twice: objects of two machines have this name.
	Twice bool
	// Inside: the node is itself a container (kind, k3d), and its runtime's PIDs differ from the kernel's.
	Inside bool
	// Ready is the node's Ready condition: "True", "False", "Unknown" or "".
	Ready string
	// Conditions are the node's own: Ready, MemoryPressure, DiskPressure, PIDPressure and others, with the time of the
	// last change.
	Conditions []NodeCondition
	// Allocatable is what the node has for pods; nil when unknown.
	Allocatable *Allocatable
}

// NodeCondition is one condition of a node.
type NodeCondition struct {
	Type, Status string
	Since        time.Time // lastTransitionTime; zero when absent
}

// Allocatable is status.allocatable of a node: CPU in thousandths, memory and ephemeral storage in bytes, and the
// number of pods. EphemeralStorage is 0 on nodes that do not report it; Hugepages is the sum over all page sizes, in
// bytes.
type Allocatable struct{ MilliCPU, Memory, EphemeralStorage, Pods, Hugepages int64 }

// SourceKind names a place that evidence comes from.
type SourceKind string

// The sources, by the name that reports show.
const (
	SourceAPI        SourceKind = "api"         // objects and events of the API server
	SourceKubeletLog SourceKind = "kubelet-log" // lines of the kubelet
	SourceRuntimeLog SourceKind = "runtime-log" // lines of the container runtime
	SourceKernelLog  SourceKind = "kernel-log"  // kernel messages
	SourceSystemd    SourceKind = "systemd"     // unit states and systemd's own lines
	SourceHostLog    SourceKind = "host-log"    // lines of the node's other daemons
	SourceCRI        SourceKind = "cri"         // records of the container runtime
	SourceCgroup     SourceKind = "cgroup"      // the cgroup tree
	SourceSpecHash   SourceKind = "spec-hash"   // container hashes computed from the present spec
)

// Source says where an observation comes from.
type Source struct {
	Kind SourceKind `json:"kind"`
	Node string     `json:"node,omitempty"`
	// Where is a place that a person can look up: a bundle path, a unit, an object.
	Where string `json:"where,omitempty"`
	// Origin is the log that it was read from; nil for what is not a log line.
	Origin *Origin `json:"-"`
	// Vouched: fields that no container can write confirm the writer.
	Vouched bool `json:"-"`
	// Inside: it is in the middle of another message, in a log where nothing confirms the writers.
	Inside bool `json:"-"`
	// Dated: its time is when it was sent, not when a possibly stalled log received it.
	Dated bool `json:"-"`
}

// Event reports whether the observation is an event of the API: anybody with the right to create events may have
// written it, in any component's name.
func (s *Source) Event() bool { return s.Kind == SourceAPI && strings.HasPrefix(s.Where, EventPrefix) }

// EventPrefix precedes an event's name in Source.Where.
const EventPrefix = "event "

// Gap is evidence that could not be collected, and why. A gap is itself evidence: it appears in a verdict's list of
// what is missing, never as silence.
type Gap struct {
	Source SourceKind `json:"source"`
	Node   string     `json:"node,omitempty"`
	Why    string     `json:"why"`
	Hint   string     `json:"hint,omitempty"`
	// Minor: it says what was assumed or left alone, rather than what could not be read.
	Minor bool `json:"minor,omitempty"`
}

// Coverage says that one source was read for one node from From to Until without a known gap. Only inside a coverage
// does the absence of a fact mean that it did not happen.
type Coverage struct {
	Source SourceKind
	Node   string
	From   time.Time
	Until  time.Time
	// Verbosity is how much the writer demonstrably logs. SourceKubeletLog: the klog level, 0 when no line above level 0
	// was seen. SourceRuntimeLog: one of the Runtime constants. SourceMetrics: MetricsTellProbes, or 0. 0 for all others.
	Verbosity int
	// Origin is the boot of the machine that the log is from; nil when nothing is known.
	Origin *Origin
	// Counted: its times were computed from the boot, by the wall clock at the time of reading.
	Counted bool
}

// What the absence of a line from a runtime's log means.
const (
	// RuntimeTellsStarts: lines of level info were seen, so starts of the daemon are logged.
	RuntimeTellsStarts = 1
	// RuntimeTellsStops: lines about the calls of a kubelet were seen, so requests to stop a container are logged, too.
	// Docker never logs one that succeeds.
	RuntimeTellsStops = 2
)

// Covers reports whether the coverage includes all of [from, until].
func (c Coverage) Covers(from, until time.Time) bool {
	return !c.From.IsZero() && !from.Before(c.From) && !until.After(c.Until)
}

// Subject says what an observation is about. Fields that are not known are
// empty; a log line often knows a container id and nothing else.
type Subject struct {
	Node        string `json:"node,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Pod         string `json:"pod,omitempty"`
	PodUID      string `json:"podUID,omitempty"`
	Container   string `json:"container,omitempty"`
	ContainerID string `json:"containerID,omitempty"` // bare id, without the runtime's scheme
	SandboxID   string `json:"sandboxID,omitempty"`
}

// Observation is one fact with a time, a subject and a source.
type Observation struct {
	// ID is stable for the same observation in any collection: a short hash of its content. Builder.Build assigns it.
	ID      string
	Time    time.Time // zero when the source gives none
	Subject Subject
	Source  Source
	Fact    Fact
	// Text is the line or record as a person would quote it.
	Text safetext.Text
}
