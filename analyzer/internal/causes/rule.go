// Package causes is the catalogue: what can end a container, by the ids of the contract. Each cause is a rule in its
// own directory (a family shares one): what it claims when its evidence is there, and what contradicts it.
//
// This package holds the types that rules are written with. It may import finding, report, sim, timeline and evidence.
// Rules see findings, never raw text, do no I/O, and make no claim without evidence to cite. Which claim wins, and with
// which confidence, is decided in package verdict.
package causes

import (
	"embed"
	"io/fs"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/pool"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
)

// ID is a cause's name, which readers of reports rely on.
type ID string

// The causes that have a rule.
const (
	AppExitError        ID = "app-exit-error"
	AppExitZero         ID = "app-exit-zero"
	AppSignal           ID = "app-signal"
	InitContainerFailed ID = "init-container-failed"
	PostStartHookFailed ID = "post-start-hook-failed"
	OOMContainerLimit   ID = "oom-container-limit"
	OOMPodLimit         ID = "oom-pod-limit"
	OOMNode             ID = "oom-node"
	OOMChildProcess     ID = "oom-child-process"
	LivenessProbeFailed ID = "liveness-probe-failed"
	StartupProbeFailed  ID = "startup-probe-failed"

	ProbeTimeoutEnforced     ID = "probe-timeout-enforced"
	StartupProbeRerun        ID = "startup-probe-rerun"
	ProbeFailuresCarriedOver ID = "probe-failures-carried-over"

	SpecImageChanged    ID = "spec-image-changed"
	SpecChanged         ID = "spec-changed"
	HashKubeletUpgrade  ID = "hash-kubelet-upgrade"
	HashAPIServerChange ID = "hash-apiserver-change"
	SandboxDied         ID = "sandbox-died"
	NodeReboot          ID = "node-reboot"
	RuntimeRestarted    ID = "runtime-restarted"
	KilledExternally    ID = "killed-externally"

	EvictedMemory        ID = "evicted-memory"
	EvictedDisk          ID = "evicted-disk"
	EvictedPID           ID = "evicted-pid"
	PreemptedByKubelet   ID = "preempted-by-kubelet"
	AdmissionRejected    ID = "admission-rejected"
	DeadlineExceeded     ID = "deadline-exceeded"
	NodeShutdown         ID = "node-shutdown"
	APIEvicted           ID = "api-evicted"
	TaintEvicted         ID = "taint-evicted"
	PreemptedByScheduler ID = "preempted-by-scheduler"
	PodOrphaned          ID = "pod-orphaned"
	PodDeleted           ID = "pod-deleted"
	PodReplaced          ID = "pod-replaced"

	StaticPodChanged        ID = "static-pod-changed"
	StaticPodKubeletUpgrade ID = "static-pod-kubelet-upgrade"
	StaticPodRemoved        ID = "static-pod-removed"

	SandboxMissing        ID = "sandbox-missing"
	SandboxMultipleReady  ID = "sandbox-multiple-ready"
	SandboxNetworkChanged ID = "sandbox-network-changed"
	SandboxNoIP           ID = "sandbox-no-ip"

	ResizeRestart        ID = "resize-restart"
	ResizeRecordMissing  ID = "resize-record-missing"
	RestartRule          ID = "restart-rule"
	RestartAllContainers ID = "restart-all-containers"

	ContainerStatusUnknown ID = "container-status-unknown"
	ContainerUnknownState  ID = "container-unknown-state"
	OOMLabelStale          ID = "oom-label-stale"
	BackoffWaiting         ID = "backoff-waiting"

	RuntimeSwitched      ID = "runtime-switched"
	KubeletRestarted     ID = "kubelet-restarted"
	PodCgroupMissing     ID = "pod-cgroup-missing"
	CgroupDriverMismatch ID = "cgroup-driver-mismatch"
	ReadinessFlip        ID = "readiness-flip"
	MirrorPodDeleted     ID = "mirror-pod-deleted"

	StartError  ID = "start-error"
	CreateError ID = "create-error"
	InitRerun   ID = "init-rerun"

	Unknown ID = "unknown"
)

// SandboxChanged is a mechanism and never a root: it has a page and no rule.
const SandboxChanged ID = "sandbox-changed"

// Strength is how well the evidence supports a claim, regardless of rivals.
type Strength int

// The strengths.
const (
	// Weak: it fits, and so do others.
	Weak Strength = iota + 1
	// Strong: the evidence fits this cause well, but the piece that would decide
	// is missing.
	Strong
	// Decisive: a piece of evidence names this instance and this moment, and only
	// this cause leaves it.
	Decisive
)

// Claim is the result of a rule that has evidence.
type Claim struct {
	Mechanism ID // what the kubelet or the kernel did last; empty means the cause itself
	Strength  Strength
	Summary   string // one plain sentence
	// Hedged: the summary itself says that it is uncertain ("it may have").
	Hedged bool
	Chain  []Link // root first
	Needs  []Need // what would make it stronger
	// Actions is what to do; empty: what the rule says for every such end (Rule.Do).
	Actions []string
	Root    *Root // what other restarts may share
	// Kind is set where the item is no restart or death after all.
	Kind report.ItemKind
}

// Link is one link of a chain.
type Link struct {
	// Role may be empty where the position in the chain determines it.
	Role     report.Role
	Cause    ID
	Text     string
	At       time.Time
	Evidence []string
}

// Need is a piece of missing evidence. Common ones get their text late: the claims of most causes are only weighed.
type Need struct {
	What, Consequence, Command string
	Node                       string // where to run Command, as root; empty: where kubectl is
	// Words returns the need for an end; nil where the text is set already.
	Words func(*finding.Findings) Need
}

// Root is a root that several restarts may share: same cause, node and key.
type Root struct {
	Key     string
	At      time.Time
	Summary string // what happened, without the count of containers
	// Kind is what happened without the place, as text that fits before "on 3 nodes". Roots of one kind on several
	// nodes, each within Apart (15 minutes if zero) of the one before, become one incident. Empty: it concerns only its
	// node.
	Kind  string
	Apart time.Duration
	// Hedged: Summary and Kind say "may", so that ends share the root where it is only possible.
	Hedged bool
}

// Against is the contradiction of a cause by a fact; the zero value contradicts nothing. It is a value because there
// are dozens for every restart.
type Against struct {
	Because  string
	Evidence []string
}

// Holds reports whether there is a contradiction.
func (a Against) Holds() bool { return a.Because != "" }

// Rule is one cause.
type Rule struct {
	ID    ID
	Title string
	// NeverRan: the cause can explain a container whose process never ran, which contradicts every other cause.
	NeverRan bool
	// WholePod: the cause can explain the end of a pod without a known container, which contradicts every other cause.
	WholePod bool
	// Linux: the cause needs what Windows does not have: signals, cgroups or the OOM killer.
	Linux bool
	// NothingEnded: the cause explains an apparent restart, which contradicts every other cause. A real end contradicts
	// this one.
	NothingEnded bool
	// Hypothesis is what the cause changes in the state that the kubelet sees; sim.None where the decision does not
	// depend on it. HypothesisOf takes precedence, if set: it depends on the item.
	Hypothesis   sim.Hypothesis
	HypothesisOf func(*finding.Findings) sim.Hypothesis
	// Claim returns nil when there is no evidence for the cause.
	Claim func(*finding.Findings) *Claim
	// Against returns the zero value when nothing contradicts the cause.
	Against func(*finding.Findings) Against
	// Do returns what to do if this is the cause, where a claim has no actions of its own: also for a cause that only
	// the form of an end suggests.
	Do func(*finding.Findings) []string
	// Messages are what runtimes, kubelets and programs say of such an end, in the order in which they are tried.
	Messages []KnownMessage
}

// Advise returns what to do about an end that a claim explains, or that only its form suggests.
func (r *Rule) Advise(f *finding.Findings, c *Claim) []string {
	if len(c.Actions) > 0 || r.Do == nil {
		return c.Actions
	}
	return r.Do(f)
}

// Always returns the advice that is the same for every end, but for the names in it (Named).
func Always(advice ...string) func(*finding.Findings) []string {
	return func(f *finding.Findings) []string {
		out := make([]string, len(advice))
		for n, text := range advice {
			out[n] = Named(f, text)
		}
		return out
	}
}

// Named writes the names of an end into a text: {pod} is InPod, {node} Node, {the node} TheNode, {NODE} OnNode, {logs}
// Logs, {code} Code.
func Named(f *finding.Findings, text string) string {
	before, rest, _ := strings.Cut(text, "{")
	name, after, named := strings.Cut(rest, "}")
	if !named {
		return text
	}
	switch name {
	case "pod":
		name = InPod(f)
	case "node":
		name = Node(f)
	case "the node":
		name = TheNode(f)
	case "NODE":
		name = OnNode(f)
	case "logs":
		name = Logs(f)
	case "code":
		name = Code(f.Exit.Code)
	default:
		name = "{" + name + "}"
	}
	return before + name + Named(f, after)
}

// Every cause's page is next to its rule, named by its id.
//
//go:embed */*.md
var pages embed.FS

// Page returns the cause's page, in Markdown, and the files of its worked example, a txtar archive for those who want
// to run it; both "" for none.
func (r *Rule) Page() (text, example string) {
	names, _ := fs.Glob(pages, "*/"+string(r.ID)+".md")
	if len(names) != 1 {
		return "", "" // the catalogue's test reports it
	}
	page, _ := pages.ReadFile(names[0])
	text, rest, ok := strings.Cut(string(page), "\n## Worked example\n```txtar\n")
	if ok {
		example, _, _ = strings.Cut(rest, "\n```")
		example += "\n"
	}
	return strings.TrimRight(text, "\n"), example
}

// Supposes returns the rule's hypothesis for an item.
func (r *Rule) Supposes(f *finding.Findings) sim.Hypothesis {
	if r.HypothesisOf != nil {
		return r.HypothesisOf(f)
	}
	return r.Hypothesis
}

// Contradict returns an Against.
func Contradict(because string, evidence ...string) Against {
	return Against{Because: because, Evidence: evidence}
}

// Link converts a link to the report's form, with its time from the pool.
func (s *Link) Link(p *pool.Pool) report.Link {
	return report.Link{Role: s.Role, Cause: string(s.Cause), Text: s.Text, At: p.Time(s.At), Evidence: s.Evidence}
}
