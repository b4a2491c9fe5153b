package timeline

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Occurrence is one occurrence of an observation. An aggregated event stands for
// several occurrences: its first and its last one each get an Occurrence.
type Occurrence struct {
	At  time.Time
	Obs *evidence.Observation
}

// Once is the occurrence of an observation at its time.
func Once(o *evidence.Observation) Occurrence { return Occurrence{At: o.Time, Obs: o} }

// Instance is one container as the runtime knew it: one id, one attempt. What
// no source tells is zero, Attempt -1.
type Instance struct {
	ID        string
	SandboxID string
	Attempt   int
	State     evidence.ContainerState
	Created   time.Time
	Started   time.Time
	Finished  time.Time
	ExitCode  *int32
	Signal    int32
	Reason    string
	Message   safetext.Text
	Image     string
	ImageID   string
	Hash      string
	Runtime   string // that the API's id names: docker, containerd, cri-o
	PID       int
	// CgroupsPath is linux.cgroupsPath of its OCI spec.
	CgroupsPath string
	// Guessed: nothing names the container; its name follows from lines around it.
	Guessed bool
	// InStatus: the API's status of the pod has its end.
	InStatus bool
	// Marks are the observations about this instance, by time.
	Marks []Occurrence
	// Logged is its file in the container's log directory, where nothing else knows the
	// instance; LogBy names the observation.
	Logged *evidence.LoggedAttempt
	LogBy  string
	// Records are the ids of the observations that the fields above come from.
	Records []string

	Spoken  time.Time    // when its end was told of, where nothing dates it
	Quality [fields]int8 // which source a field came from, best wins
	Sandbox *Sandbox     // of SandboxID, where that was looked up already
	Told    FactMask     // what kinds of facts the marks are
	Coarse  bool         // some of its times are counted back from ages
	// onlyKilled: nothing but the kernel's record of its end is known, by its id.
	OnlyKilled bool
	// lost: an end without an id, of the present instance or of the one before.
	Lost, Present bool
	// before: the API has its end as the last one before the present instance.
	Before bool
	// counted: only a monitoring system remembers it.
	Counted bool
}

// Exited reports whether the instance is known to have ended.
func (i *Instance) Exited() bool {
	return i != nil && (i.State == evidence.StateExited || !i.Finished.IsZero() || i.ExitCode != nil)
}

// EndWithin returns the two moments between which the instance ended, by what its end
// was dated from: the runtime tells it to the microsecond, the API the second, and the
// kubelet's log has it when PLEG looked, up to a second later. Zero where the end is
// not known.
func (i *Instance) EndWithin() (earliest, latest time.Time) {
	at := i.Finished
	switch {
	case at.IsZero():
		return at, at
	case i.Coarse && i.Quality[OfFinished] == FromKubeletLog:
		return at.Add(-tolerance.Age), at
	case i.Quality[OfFinished] == FromKubeletLog:
		return at.Add(-time.Second), at
	case at.Nanosecond() == 0:
		return at, at.Add(time.Second)
	}
	return at, at
}

// StartByPLEG reports whether only the kubelet's log has the start: PLEG looks once a second,
// and on a busy node much later.
func (i *Instance) StartByPLEG() bool { return i.Quality[OfStarted] == FromKubeletLog }

// OnlyCounted tells an instance of which nothing but a monitoring system knows.
func (i *Instance) OnlyCounted() bool { return i.Counted }

// Begin is the best time at which the instance is known to have existed.
func (i *Instance) Begin() time.Time {
	for _, t := range []time.Time{i.Started, i.Created, i.Finished} {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// turned tells an instance that ended before it started, by the same clock: that was put back in between.
func (i *Instance) turned() bool {
	return !i.Started.IsZero() && !i.Finished.IsZero() && i.Finished.Before(i.Started.Add(-tolerance.Slack))
}

// Sandbox is one pod sandbox.
type Sandbox struct {
	ID      string
	PodUID  string
	Attempt int
	Created time.Time
	// Coarse: Created is counted back from an age.
	Coarse bool
	Ready  bool
	// CgroupParent is the pod's cgroup that the kubelet asked for when it made it.
	CgroupParent string
	// Record is the id of the runtime's record of it, "" where only logs know it.
	Record        string
	Known         bool         // the runtime or its log named it as a sandbox; otherwise it was inferred
	Died          []Occurrence // PLEG ContainerDied or the runtime's task exit, earliest first
	StopRequested []Occurrence // CRI StopPodSandbox
}

// Kind tells what became of the container.
type Kind string

// The kinds of transitions.
const (
	KindRestart Kind = "Restart"
	KindDeath   Kind = "Death"
	KindRefused Kind = "Refused" // it never started
	KindNone    Kind = "None"    // it looked like a restart, and nothing ended
)

// Waiting is why the API says that a container waits now; empty when it does not.
type Waiting struct {
	Reason   string
	Message  string
	Evidence []string
}

// Restart is the end of one instance and the start of the next one for the same
// container name of the same pod; a death is an end without a successor yet.
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
	From          *Instance           // never nil; may know nothing but that it was there
	To            *Instance           // nil for a death
	// Restarts is the API's count of the container's restarts, -1 where it is not known.
	Restarts int
	// Waiting is why it is not running now, for deaths and for what never started.
	Waiting Waiting
	// PodMarks are the observations about the pod or its sandboxes around this
	// restart, by time.
	PodMarks []Occurrence
	// Remade is how many times the pod got a new sandbox, minutes apart, 0 where that was not again and again.
	Remade int
	// Anew is the last time before the end, or right behind it, that the pod's sandbox was said to have changed.
	Anew time.Time
	// Siblings are the restarts of the same pod within a few seconds, by end; this one is
	// among them. They share memory with those of others and must not be changed.
	Siblings []*Restart
	// Crowded: there are more than Siblings has, which are the nearest ones.
	Crowded bool
	// Beside is how many other pods of the node lost a container within two seconds of
	// the end.
	Beside int
	// Workloads is how many these pods and this one are of, by their names: what goes wrong in one takes all its pods.
	Workloads int
	// Elsewhere is how many other nodes lost a container within half a minute of the end.
	Elsewhere int
	// Kin is the newest end that is told of the same container, or of another pod of the same controller, by its name; set
	// where nothing is told of this end but that it was.
	Kin *Restart
	// Successor is what has the place of a dead static pod's instance, under another
	// UID; nil when there is none, and for all other pods.
	Successor *Successor
	// Forgotten are the kills and starts of instances before From that left nothing but
	// events; set where From is the oldest instance that is known.
	Forgotten []Occurrence
	// Measured is what a monitoring system counted and measured of the container, at any time, by time.
	Measured []Occurrence
	// Prev and Next are the restarts of the same container before and after this one.
	Prev, Next *Restart
	// Seen is when it looked as if something had restarted, and Signs what made it
	// look so; of KindNone only.
	Seen  time.Time
	Signs []Occurrence

	Story *PodStory // nil in a restart that no timeline made
	// end is End, once nothing changes it any more: it is asked for a dozen times.
	end   time.Time
	ended bool
}

// WholePod tells the end of a pod of which no container is known.
func (r *Restart) WholePod() bool { return r.Container == "" }

// Mentioned tells an end of which nothing is known but words in some text.
func (r *Restart) Mentioned() bool { return strings.HasPrefix(r.PodUID, evidence.Mentioned) }

// End is when the old instance ended; if that is unknown, when the new one started.
// Where nothing ended it is when it looked so.
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
	return r.Successor.Came() // the mirror is made right before
}

// KubeletRun is one process of the kubelet on a node.
type KubeletRun struct {
	Start   time.Time
	Version string // "" when the source does not tell
	PID     int
	Obs     *evidence.Observation
}

// Switched is a container that another runtime has had since.
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
	Besides []Occurrence // starts of kubelets beside one that ran on
	Runtime []Occurrence // starts of the container runtime
	// RuntimeSince is when the runtime that runs now was started, as systemd
	// tells; zero when unknown. There was no start after it.
	RuntimeSince time.Time
	Boots        []Occurrence
	OOM          []Occurrence // kernel OOM records
	Faults       []Occurrence // of processes that no container is known by
	Cordoned     []Occurrence // when it was closed to new pods
	// SpecForm: processes were seen in directories that are called as systemd's driver spells a cgroup.
	SpecForm bool
	// Inside: the kernel sees the pods' cgroups below another one, as where the node is a container.
	Inside bool
	// RuntimeDriver is the cgroup driver of the container runtime, "" where nothing tells it.
	RuntimeDriver string
	// Settings are what kubelets printed of their configuration when they started.
	Settings []Occurrence
	// Runtimes are the container runtimes that answered when the node was looked at.
	Runtimes []Occurrence
	// Checkpoints are the sandboxes that dockershim or cri-dockerd wrote down, without a
	// time; RuntimeErrors the kubelets' complaints about their runtime.
	Checkpoints, RuntimeErrors []Occurrence
	// Placements say where containers' processes are and where the kubelet looks.
	Placements []Occurrence
	// AdminActions are what was done to the node and its daemons, and their last words:
	// packages changed, restarts and shutdowns asked for, units that failed.
	AdminActions []Occurrence
	// Shortages are words of kubelets, in events and logs, that the node itself ran
	// out of memory, and of daemons that kill before it does.
	Shortages []Occurrence
	// OOMCounts are the rises of the kernel's own counter of processes killed for memory, as a monitoring system saw it.
	OOMCounts []Occurrence
	// Corruptions are the kernel's records of processes that it killed because the memory that they used is broken.
	Corruptions []Occurrence
	// ClockSets are the moments at which the node's clock was set, by the clock as it was set.
	ClockSets []Occurrence
	// Manifests are the kubelet's words that it could not read a static pod's
	// manifest, or the directory of them.
	Manifests []Occurrence

	// Switched are the changes of runtime that the ids of a container and of the next one show.
	Switched []Switched

	// Oldest is the earliest start among the containers that run on the node; zero when none is known.
	Oldest time.Time

	// unbound are logs of which nothing tells that they are of this node's machine; foreign
	// tells it of its records. strange are their observations about the node.
	unbound map[*evidence.Origin]bool
	foreign bool
	strange map[string]bool
	reach   []sourceCoverage        // of its sources
	set     map[string][]Occurrence // Settings by name
	placed  []placed                // of Placements
	starts  []int64                 // of Kubelet, in microseconds since 1970
	changed []int                   // for each of Kubelet, the place of the one before with another version, -1
}
