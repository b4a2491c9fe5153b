package timeline

import (
	"cmp"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Occurrence is one occurrence of an observation. An aggregated event covers several occurrences: its first and its
// last one each get an Occurrence.
type Occurrence struct {
	At  time.Time
	Obs *evidence.Observation
}

// Once returns the occurrence of an observation at its time.
func Once(o *evidence.Observation) Occurrence { return Occurrence{At: o.Time, Obs: o} }

// Instance is one container as the runtime knew it: one id, one attempt. What no source gives is zero, Attempt -1.
type Instance struct {
	ID        string
	SandboxID string
	Attempt   int
	State     evidence.ContainerState
	Created   time.Time
	Started   time.Time
	Finished  time.Time
	ExitCode  *int32
	Reason    string
	Message   safetext.Text
	Image     string
	Hash      string
	Runtime   string // the runtime in the API's id: docker, containerd, cri-o
	PID       int
	// MemoryLimit is that of its record in the runtime, in bytes, 0 if unknown.
	MemoryLimit int64
	// CgroupsPath is linux.cgroupsPath of its OCI spec.
	CgroupsPath string
	// Marks are the observations about this instance, by time.
	Marks []Occurrence
	// Logged is its file in the container's log directory, where nothing else knows the instance; the first of Records
	// is about it.
	Logged *evidence.LoggedAttempt
	// Records are the ids of the observations that the fields above come from.
	Records []string

	Spoken  time.Time    // when a message mentioned its end, where nothing dates it
	Sandbox *Sandbox     // of SandboxID, if already looked up
	Quality [fields]int8 // the quality of each field's source, best wins
	Told    FactMask     // the kinds of facts in Marks
	Signal  int32
	Coarse  bool // some of its times are computed from ages
	// Guessed: nothing names the container; its name is inferred from nearby lines.
	Guessed bool
	// InStatus: the API's status of the pod contains its end.
	InStatus bool
	// OnlyKilled: only the kernel's record of its end is known, by its id.
	OnlyKilled bool
	// Lost: an end without an id, of the present instance or of the one before.
	Lost, Present bool
	// Before: the API has its end as the last one before the present instance.
	Before bool
	// Counted: only a monitoring system knows it.
	Counted bool
}

// Exited reports whether the instance is known to have ended.
func (i *Instance) Exited() bool {
	return i != nil && (i.State == evidence.StateExited || !i.Finished.IsZero() || i.ExitCode != nil)
}

// EndWithin returns the bounds of the instance's end, which depend on the source: the runtime's record is exact to the
// microsecond, the API's to the second, and the kubelet's log has the time of PLEG's poll, up to a second later. Zero
// where the end is not known.
func (i *Instance) EndWithin() (earliest, latest time.Time) {
	at := i.Finished
	switch {
	case at.IsZero():
		return at, at
	case i.Aged():
		return at.Add(-tolerance.Age), at
	case i.Quality[OfFinished] == FromKubeletLog:
		return at.Add(-time.Second), at
	case at.Nanosecond() == 0:
		return at, at.Add(time.Second)
	}
	return at, at
}

// Aged reports whether the time of the instance's end comes from an age in a table, which is rounded to its unit.
func (i *Instance) Aged() bool { return i.Quality[OfFinished] == fromAge }

// StartByPLEG reports whether no better source than the kubelet's log has the start: PLEG polls once a second, and much
// later on a busy node.
func (i *Instance) StartByPLEG() bool {
	return i.Quality[OfStarted] == FromKubeletLog || i.Quality[OfStarted] == fromAge
}

// NotBefore returns the time before which the instance did not run: that of its start, or else of its creation, by the
// runtime or the API. It is zero where only a look of the kubelet, an age or a count has them: by then it ran, and
// since when is not known.
func (i *Instance) NotBefore() time.Time {
	switch {
	case i.Quality[OfStarted] >= fromRuntimeLog:
		return i.Started
	case i.Quality[OfCreated] >= fromRuntimeLog:
		return i.Created
	}
	return time.Time{}
}

// OnlyCounted reports whether only a monitoring system knows the instance.
func (i *Instance) OnlyCounted() bool { return i.Counted }

// Begin returns the best known time at which the instance existed.
func (i *Instance) Begin() time.Time { return cmp.Or(i.Started, i.Created, i.Finished) }

// Begun returns when the instance was started, or else created; zero when neither is known.
func (i *Instance) Begun() time.Time { return cmp.Or(i.Started, i.Created) }

// Made returns when the instance was created, or else started; zero when neither is known.
func (i *Instance) Made() time.Time { return cmp.Or(i.Created, i.Started) }

// turned reports whether the instance ended before it started by the same clock, which was set back in between.
func (i *Instance) turned() bool {
	return !i.Started.IsZero() && !i.Finished.IsZero() && i.Finished.Before(i.Started.Add(-tolerance.Slack))
}

// Sandbox is one pod sandbox.
type Sandbox struct {
	ID      string
	PodUID  string
	Attempt int
	Created time.Time
	// Coarse: Created is computed from an age.
	Coarse bool
	Ready  bool
	// CgroupParent is the pod's cgroup that the kubelet requested at its creation.
	CgroupParent string
	// Record is the id of the runtime's record of it, "" where only logs know it.
	Record        string
	Known         bool         // the runtime or its log named it as a sandbox; otherwise it is inferred
	Died          []Occurrence // PLEG ContainerDied or the runtime's task exit, earliest first
	StopRequested []Occurrence // CRI StopPodSandbox
}

// Kind is the kind of a transition.
type Kind string

// The kinds of transitions.
const (
	KindRestart Kind = "Restart"
	KindDeath   Kind = "Death"
	KindRefused Kind = "Refused" // it never started
	KindNone    Kind = "None"    // it looked like a restart, but nothing ended
)

// Waiting is why a container waits now according to the API; empty when it does not.
type Waiting struct {
	Reason   string
	Message  string
	Evidence []string
}

// Restart is the end of one instance and the start of the next one for the same container name of the same pod; a death
// is an end without a successor yet.
type Restart struct {
	Kind          Kind
	Node          string
	Namespace     string
	PodName       string
	PodUID        string
	Container     string
	ContainerKind evidence.ContainerKind
	Pod           *evidence.Pod       // nil when the API did not give it
	Spec          *evidence.Container // nil when Pod is nil or has no such container
	From          *Instance           // never nil; may hold only that it existed
	To            *Instance           // nil for a death
	// Restarts is the API's count of the container's restarts, -1 where unknown.
	Restarts int
	// Waiting is why it is not running now, for deaths and for what never started.
	Waiting Waiting
	// PodMarks are the observations about the pod or its sandboxes around this restart, by time.
	PodMarks []Occurrence
	// Remade is how many times the pod got a new sandbox, minutes apart; 0 where that did not repeat.
	Remade int
	// Anew is the last time, before the end or right after it, that the pod's sandbox was reported as changed.
	Anew time.Time
	// Siblings are the restarts of the same pod within a few seconds, by end, including this one. They share memory
	// with those of other restarts and must not be changed.
	Siblings []*Restart
	// Crowded: there are more than in Siblings, which holds the nearest ones.
	Crowded bool
	// Beside is how many other pods of the node lost a container within two seconds of
	// the end, or a minute where a table has all ends by their ages.
	Beside int
	// Mixed: of all that ended then, this one included, some containers have the code that dockerd gives to what it no
	// longer finds, and others have another one.
	Mixed bool
	// Workloads is how many workloads, by name, these pods and this one belong to: a problem of one workload affects
	// all its pods.
	Workloads int
	// Elsewhere is how many other nodes lost a container within half a minute of the end.
	Elsewhere int
	// Kin is the newest end with known details of the same container, or of another pod of the same controller, by
	// name; set where nothing is known of this end but that it happened.
	Kin *Restart
	// Successor is what replaced a dead static pod's instance, under another UID; nil when there is none, and for all
	// other pods.
	Successor *Successor
	// Forgotten are the kills and starts of instances before From that are known only from events; set where From is
	// the oldest known instance.
	Forgotten []Occurrence
	// Measured is what a monitoring system counted and measured of the container, ever, by time.
	Measured []Occurrence
	// Prev and Next are the restarts of the same container before and after this one.
	Prev, Next *Restart
	// Seen is when it looked as if something had restarted, and Signs are the observations that looked so; for KindNone
	// only.
	Seen  time.Time
	Signs []Occurrence

	Story *PodStory // nil in a restart that is in no timeline
	// end caches End once it is final: it is called a dozen times.
	end   time.Time
	ended bool
}

// WholePod reports whether it is the end of a pod without a known container.
func (r *Restart) WholePod() bool { return r.Container == "" }

// Mentioned reports whether the end is known only from a message in some text.
func (r *Restart) Mentioned() bool { return strings.HasPrefix(r.PodUID, evidence.Mentioned) }

// End returns when the old instance ended; if that is unknown, when the new one started. Where nothing ended it is when
// it looked so.
func (r *Restart) End() time.Time {
	if r.ended {
		return r.end
	}
	if r.Kind == KindNone {
		return r.Seen
	}
	if !r.From.Finished.IsZero() {
		return r.From.Finished
	}
	if r.To != nil {
		if begin := r.To.Begin(); !begin.IsZero() {
			return begin
		}
		return r.From.Spoken
	}
	switch next := r.Successor; {
	case next == nil:
		return r.From.Spoken
	case next.Instance != nil:
		return next.Instance.Begin()
	}
	return r.Successor.Came() // the mirror is created right before
}

// KubeletRun is one process of the kubelet on a node.
type KubeletRun struct {
	Start   time.Time
	Version string // "" when the source does not have it
	PID     int
	Obs     *evidence.Observation
	// Remade are the events about sandboxes that it found gone right after its start, one for each pod; Workloads is of
	// how many workloads these pods are.
	Remade    []Occurrence
	Workloads int
}

// Switched is a container that now runs on another runtime.
type Switched struct {
	At       time.Time
	From, To string
	Evidence []string
}

// NodeStory is what happened on one node.
type NodeStory struct {
	Name    string
	Info    evidence.Node
	Kubelet []KubeletRun
	Besides []Occurrence // starts of kubelets while another one kept running
	Runtime []Occurrence // starts of the container runtime
	// RuntimeSince is when the running runtime was started, according to systemd; zero when unknown. There was no later
	// start.
	RuntimeSince time.Time
	Boots        []Occurrence
	OOM          []Occurrence // kernel OOM records
	Faults       []Occurrence // of processes that belong to no known container
	Cordoned     []Occurrence // when it was cordoned
	// SpecForm: processes were seen in directories named like the systemd driver's cgroup specification.
	SpecForm bool
	// Inside: the kernel sees the pods' cgroups below another one, for example where the node is a container.
	Inside bool
	// RuntimeDriver is the cgroup driver of the container runtime, "" where unknown.
	RuntimeDriver string
	// Settings are what kubelets logged of their configuration when they started.
	Settings []Occurrence
	// Runtimes are the container runtimes that answered at collection.
	Runtimes []Occurrence
	// Checkpoints are the sandboxes that dockershim or cri-dockerd stored, without a time; RuntimeErrors are the
	// kubelets' errors about their runtime.
	Checkpoints, RuntimeErrors []Occurrence
	// Placements say where containers' processes are and where the kubelet looks.
	Placements []Occurrence
	// AdminActions are what was done to the node and its daemons, and the daemons' last messages: packages changed,
	// restarts and shutdowns requested, units that failed.
	AdminActions []Occurrence
	// Shortages are messages of kubelets, in events and logs, that the node itself ran out of memory, and of daemons
	// that kill before it does.
	Shortages []Occurrence
	// OOMCounts are the increases of the kernel's own counter of out-of-memory kills, as a monitoring system read it.
	OOMCounts []Occurrence
	// Corruptions are the kernel's records of processes that it killed because of corrupted memory.
	Corruptions []Occurrence
	// Signals are what the node tells of signals to its processes.
	Signals []Occurrence
	// ClockSets are the moments at which the node's clock was set, by the new clock.
	ClockSets []Occurrence
	// Manifests are the kubelet's errors about a static pod's manifest, or their directory, that it could not read.
	Manifests []Occurrence

	// Switched are the changes of runtime that are visible in the ids of a container and of the next one.
	Switched []Switched

	// Oldest is the earliest start among the containers that run on the node; zero when none is known.
	Oldest time.Time

	doubled bool // see Doubled
	// unbound are logs that nothing links to this node's machine; foreign is the same for its records. strange are the
	// ids of their observations about the node.
	unbound map[*evidence.Origin]bool
	foreign bool
	strange map[string]bool
	reach   []sourceCoverage        // of its sources
	set     map[string][]Occurrence // Settings by name
	placed  []placed                // of Placements
	starts  []int64                 // of Kubelet, in microseconds since 1970
	changed []int                   // for each of Kubelet, the index of the previous one with another version, or -1
}
