package finding

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// YesNo is what the evidence says about a question.
type YesNo int

// The answers. NoTrace means: no event tells of it although events reach back.
const (
	Unknown YesNo = iota
	NoTrace
	No
	Yes
)

// Point is one point in question: an answer with its time and the ids of the observations behind it.
type Point struct {
	Answer   YesNo
	At       time.Time
	Evidence []string
}

// KubeletKill is what is known of the kubelet killing the old instance.
type KubeletKill struct {
	Point
	Reason  evidence.KillReason // "" when only the kill itself was seen
	Message string
	// Grace is the grace period in seconds, -1 when unknown.
	Grace int
	// DecidedAt is when the kubelet gave the reason; zero when it gave none.
	DecidedAt time.Time
	// Twice: a kill had begun well before the reason was given, so there was
	// another reason first (a kubelet was replaced in the middle of a kill).
	Twice bool
	// Late: the process ended with a code of its own, and the first word of the kill came
	// after that. Close: it came so near that it may have. A container that ends by
	// itself while the kubelet decides is killed all the same.
	Late, Close bool
	// Unlogged: only events tell of it, and the kubelet's log, which covers the time, has
	// no kill of this container at any time: the event is another's, or not a kubelet's.
	Unlogged bool
	// GraceOver is true when the container outlived the grace period and had to
	// be killed with SIGKILL.
	GraceOver bool
}

// OOMLevel is whose limit the out-of-memory killer enforced.
type OOMLevel string

// The levels.
const (
	OOMContainer OOMLevel = "container"
	OOMPod       OOMLevel = "pod"
	OOMNode      OOMLevel = "node"
)

// OOM is what the kernel and the runtime say about memory.
type OOM struct {
	Point  // the kernel's record at the end of the instance
	Level  OOMLevel
	Victim string // name of the killed process
	// ByPod: the cgroup that was full is the pod's, but its limit is nothing but
	// that of its only container. The pause process counts there too, so the
	// pod's cgroup is full a moment earlier.
	ByPod bool
	// Unsure: the pod's cgroup was full, and the spec that would tell whether its
	// limit is a single container's is not known.
	Unsure bool
	// Lone: nothing tells of another container that the pod had then, so that its limit is this one's as a rule.
	Lone bool
	// Earlier is a kernel record of this container from before its end: a child
	// was killed and the container went on.
	Earlier Point
	// Asked: the kernel killed a process of it at its end because somebody asked for a kill (SysRq f).
	Asked Point
	// Shortage is the kubelet's word that the node ran out of memory at the end. It
	// names a process and no container.
	Shortage Point
	// Killer is a daemon of the node that kills when memory runs short, where the
	// shortage is its word: systemd-oomd, earlyoom. Named: it names this container.
	// Told: it names this container or its pod, and nothing vouches for its words.
	Killer      string
	Named, Told bool
	// Elsewhere: at that moment another container of the node was killed for memory, so
	// that the kubelet's word may be about its process.
	Elsewhere bool
	// Unplaced is a kill for a cgroup's limit at the end, of which the kernel's line does not tell the cgroup.
	Unplaced Point
	// Notice is the runtime's TaskOOM at the end. It is raised for an ancestor's
	// limit and for child processes too.
	Notice Point
	// Label is true when the runtime reports the reason OOMKilled.
	Label bool
}

// SandboxFate is what happened to the pod's sandbox.
type SandboxFate struct {
	// Changed: the pod got a new sandbox in this restart.
	Changed Point
	// DiedFirst: the sandbox ended before the kubelet or anybody asked for it.
	DiedFirst Point
	// Certain is false when the id was only inferred to be a sandbox's.
	Certain bool
	Reason  evidence.SandboxReason
	ID      string
	// Unready is what the pod's condition says is wrong with its sandbox since this end, where nothing runs again; Wrong
	// the kubelet's last word on it.
	Unready Point
	Wrong   evidence.SandboxReason
	// Together: it ended at the old instance's own moment, and no kill by the kubelet fits that: one thing ended both.
	Together bool
	// KilledFirst: the kubelet stopped the pod's containers before it looked at the
	// sandbox, so the sandbox is not why. No: it looked first.
	KilledFirst Point
}

// Cgroup is what is known of the pod's cgroup: where the kubelet had it, and where it
// looks for it.
type Cgroup struct {
	// Missing is the kubelet's line that it did not find it, right before a kill.
	Missing Point
	// Moved: the kubelet that made the new sandbox asked for another cgroup than the
	// one that had made the old. Old and New are the two.
	Moved    Point
	Old, New string
	// Drivers: the two are named by different cgroup drivers.
	Drivers bool
	// Told: the kubelet was started with another cgroup setting than the one that made
	// the old instance. Setting is its name, Old and New its values where no record
	// tells more.
	Told    Point
	Setting string
	// Outside: processes of the pod run outside of it. Certain is false where the
	// kubelet's driver is only what it was told.
	Outside Point
	Certain bool
	// SpecForm: the runtime takes systemd's names of cgroups for directories.
	SpecForm bool
}

// Switch is a change of the container runtime that the kubelet uses, in the life of
// the old instance. From and To are names or endpoints.
type Switch struct {
	Point
	From, To string
	// Inferred: it is other containers of the node that name the two.
	Inferred bool
	// Left is another runtime that still had pods when the node was looked at, or still has
	// a sandbox of this one written down.
	Left Point
}

// Versions is the kubelet's version around the restart.
type Versions struct {
	At      string // of the kubelet that decided; "" when unknown
	Certain bool   // its own log says so
	// of the last process before it with another version in the old instance's life; "" when none is known
	Before     string
	UpgradedAt time.Time
	// Seen: log or events cover the time from the start of that process to the decision, so
	// no start of a kubelet in between is missing.
	Seen bool
	// SameVersion: all processes from the one that made the old instance to the one that
	// decided were of one version.
	SameVersion bool
	// SameProcess: one kubelet process made the old instance and saw it end.
	SameProcess bool
	// Extrapolated is At or Before where that one is not modelled: what follows from its rules is assumed, not known. ""
	// where both are.
	Extrapolated string
	Evidence     []string
}

// Identity is a stored hash that equals a hash of the present spec.
type Identity struct {
	FromMinor, ToMinor int
	Algorithm          string
	Hex                string
	Image              string
	SpecImage          bool // the image is the present spec's
	// Without and With name the field that the spec lacked, or had, when the hash was
	// made (evidence.SpecHash); empty for the spec as it is.
	Without, With string
	Evidence      []string
}

// Covers tells whether kubelets of this minor compute the identity's hash.
func (i Identity) Covers(minor int) bool { return minor >= i.FromMinor && minor <= i.ToMinor }

// Hashes is what the stored hashes prove.
type Hashes struct {
	Old, New string // stored hashes of the old and the new instance
	// OldMade and NewMade are what could have made them; empty when nothing known matches.
	OldMade, NewMade []Identity
	// OldVaried are the hashes of the spec with one defaulted field less, or more,
	// that the old one equals.
	OldVaried []Identity
	// Expected is the hash that the kubelet itself said it expected (≤1.13), in hex.
	Expected string
	Evidence []string
}

// Images is which image the old and the new instance were made from.
type Images struct {
	Old, New string
	Differ   YesNo
	// Aliased: the runtime calls the new instance's image by another name than its spec
	// does, so its names tell nothing of an edit.
	Aliased bool
	// OneName: the runtime calls both images by one name, and the hashes differ that are made of nothing but the
	// container's name and image.
	OneName bool
	// Write is the last write to the spec's images that left a trace, and who made it.
	Write    time.Time
	Manager  string
	Evidence []string
}

// Probes counts failed probe runs of the old instance.
type Probes struct {
	Liveness, Startup []timeline.Occurrence
}

// Disturbance is an event of the whole node near the end of the instance.
type Disturbance struct {
	Boot, Runtime, Kubelet Point
	// Between is a start of the kubelet after the end and before the new instance's
	// start: what went on in the meantime is not known from it.
	Between Point
	// Down is a daemon that takes its containers along and went down right before the
	// end.
	Down Point
}

// WentDown tells whether the runtime came back after the container's end: a daemon
// that takes its containers along when it stops (dockerd without live-restore) asks
// them to end, so that they leave whatever code they choose.
func (f *Findings) WentDown() bool {
	start, end := f.NodeEvents.Runtime, f.R.From.Finished
	return f.NodeEvents.Down.Answer == Yes || start.Answer == Yes && !end.IsZero() && start.At.After(end.Add(-time.Second))
}

// TakenAlong tells an end that a daemon going down explains: it said so, or others
// ended with this one.
func (f *Findings) TakenAlong() bool {
	return f.WentDown() && (f.NodeEvents.Down.Answer == Yes || f.Together > 0)
}

// OfDocker tells a container of dockerd, which takes all of them along when it is
// restarted without live-restore.
func (f *Findings) OfDocker() bool {
	return f.R.From.Runtime == "docker" || f.NodeEvents.Down.Answer == Yes ||
		f.Node != nil && strings.HasPrefix(f.Node.Info.Runtime, "docker://")
}

// NodeWentDown tells whether the machine may have ended it while it went down: systemd
// stops the units of CRI-O's containers, dockerd its own, and what a process returns then
// is its choice. What the kubelet did about the end before the boot shows that it was
// not so.
func (f *Findings) NodeWentDown() bool {
	boot, end := f.NodeEvents.Boot, f.R.From.Finished
	if boot.Answer != Yes || end.IsZero() || boot.At.Before(end) || f.R.To == nil && boot.At.Sub(end) > tolerance.Settle {
		return false
	}
	for _, m := range f.R.From.Marks {
		if !m.At.After(end) || m.At.After(boot.At) {
			continue
		}
		switch m.Obs.Fact.(type) {
		case evidence.BackedOff, evidence.RestartDecided, evidence.StartFailed:
			return false
		}
	}
	return true
}

// Trigger is what another container of the pod did.
type Trigger struct {
	Point
	Container string
}

// Findings are all facts about one restart.
type Findings struct {
	R     *timeline.Restart
	T     *timeline.History
	Node  *timeline.NodeStory
	specs specs // of large pods, kept from restart to restart
	Exit  Exit
	Kill  KubeletKill
	Hook  Point // a failed postStart hook of the old instance
	Stop  Point // a CRI StopContainer for it, whoever asked
	// StopDated: the log that tells of it is on the node's clock, as far as is known.
	StopDated bool
	// StopBox: the request was to stop its sandbox with all that ran in it.
	StopBox bool
	// UnitStop: systemd was asked to stop the unit that its processes were in.
	UnitStop   Point
	OOM        OOM
	Sandbox    SandboxFate
	Versions   Versions
	Hashes     Hashes
	Images     Images
	Probes     Probes
	NodeEvents Disturbance
	Cgroup     Cgroup
	Switch     Switch
	Metrics    Metrics
	// RuntimeDown is the kubelet's line that the runtime did not answer it around the end,
	// which is ordinary only while a kubelet starts.
	RuntimeDown Point
	// EarlyReadiness is the kubelet's line that a readiness result came before it had
	// synced the pod once.
	EarlyReadiness Point
	// Record is the kubelet's complaint that it has no record of the container's
	// resources; No where its log covers the time without it.
	Record Point
	// Resized is the kubelet's word that it took up a resize of the container's resources right before it killed it.
	Resized Point
	// UnknownState is the kubelet's word that the runtime did not know the state of
	// the old instance.
	UnknownState Point
	// InitAgain: an ordinary init container of the pod ran again before the new
	// instance was started.
	InitAgain Point
	// RestartedAll: another container's end, right before an init container ran again, is one
	// for which its rule restarts all containers.
	RestartedAll Trigger
	// RuleDecided: a restart rule of the container started it again, which its
	// restart policy would not have done.
	RuleDecided bool
	// End is the end of the whole pod.
	End PodEnd
	// Static is what is known of it as a static pod.
	Static Static
	// Repeats is how many neighbouring ends of this container look the same: same
	// exit code, same lifetime, no kill by the kubelet.
	Repeats int
	SameAge int // of them lived as long, to the second
	// Clockwork: they ended at the same second of a minute. Whoever keeps time outside,
	// such as a cron job, makes equal lives, too.
	Clockwork bool
	// Alike counts also neighbours whose exit code is not known (kubelets before
	// 1.22 do not log it) but which lived as long and were not killed either.
	Alike int
	// Together counts the other pods of the node of which a container ended within
	// the same moment.
	Together int
	// Kin is what is found of the end of a pod of the same controller, where nothing is told of this one; nil for none.
	Kin *Findings
	// KubeletLog, RuntimeLog, KernelLog tell whether that log covers the end, and
	// would tell of a kill, a request to stop it, an out-of-memory kill.
	KubeletLog, RuntimeLog, KernelLog bool
	// runtimeStarts: the runtime's log covers the end and would tell of a start of the
	// runtime; Docker's tells of no request to stop.
	runtimeStarts bool
	// Events tells whether the API's events reach back to before the end, and none that
	// the kubelet must have sent is missing.
	Events bool
	// Throttled: events of this container are there, and the one of this instance's own
	// start is not, so that others may be missing too.
	Throttled bool
	// KilledBefore is the newest kill of an earlier instance of which only an event is
	// left.
	KilledBefore KubeletKill

	// Doubts are what does not fit with the rest: none of it is an answer, and nothing is
	// proven beside it.
	Doubts  []Doubt
	witness witness
	// killBegan is the kubelet's last kill of it, stopGrace the grace period of a request to stop it, in seconds.
	killBegan time.Time
	// killFirst is the first, killGrace its grace period.
	killFirst time.Time
	killGrace time.Duration
	stopGrace int

	// end and exact are what exactEnd says, once it was asked.
	end          time.Time
	exact, dated bool
	both         []string // the ids of the records of both instances, once they were asked for
}

// bothRecords are the ids of the records of the old and the new instance, which there
// is.
func (f *Findings) bothRecords() []string {
	if f.both == nil {
		f.both = slices.Clip(slices.Concat(f.R.From.Records, f.R.To.Records))
	}
	return f.both
}
