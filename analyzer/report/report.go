// Package report holds the result of an analysis: the types behind tables, JSON and the TUI, with the names that
// docs/REPORT.md promises.
//
// It holds data and its invariants (lists are never null, absent times are absent). It imports nothing of the project:
// every string in it is safe text already. It never computes a verdict.
package report

import "time"

// The identity of the report format.
const (
	APIVersion = "restartwhy.dev/v1alpha1"
	Kind       = "RestartReport"
)

// Report is the answer to "why did it restart?" for one scope.
type Report struct {
	APIVersion  string     `json:"apiVersion"`
	Kind        string     `json:"kind"`
	GeneratedAt time.Time  `json:"generatedAt"`
	Tool        Tool       `json:"tool"`
	Scope       Scope      `json:"scope"`
	Profile     []Profile  `json:"profile"`
	Items       []Item     `json:"items"`
	Incidents   []Incident `json:"incidents"`
	Evidence    []Evidence `json:"evidence"`
	Gaps        []Gap      `json:"gaps"`
	// Extrapolated lists the verdicts that rest on kubelets modelled as a neighbouring version; none of them is proven.
	Extrapolated []Extrapolation `json:"extrapolated"`
	// NodeNotes are present only for nodes with a problem.
	NodeNotes []NodeNote `json:"nodeNotes,omitempty"`
}

// Tool is the program that made the report.
type Tool struct {
	Version string `json:"version"`
}

// Scope is what was asked for.
type Scope struct {
	Namespace     string   `json:"namespace,omitempty"`
	AllNamespaces bool     `json:"allNamespaces,omitempty"`
	Selector      string   `json:"selector,omitempty"`
	Targets       []string `json:"targets,omitempty"`
	Nodes         []string `json:"nodes,omitempty"`
	Container     string   `json:"container,omitempty"`
	Since         string   `json:"since,omitempty"`
	Cause         string   `json:"cause,omitempty"`
	// From names the bundles or files that were read instead of a cluster.
	From []string `json:"from,omitempty"`
}

// Profile says which kubelet a node was modelled as.
type Profile struct {
	Node           string `json:"node"`
	KubeletVersion string `json:"kubeletVersion"`
	ModelledAs     string `json:"modelledAs"`
	// ClockSkew lists the sources whose clock differs from the one that dates the node's containers. Verdicts correct
	// for it; evidence[] shows the times as recorded.
	ClockSkew []ClockSkew `json:"clockSkew,omitempty"`
}

// Extrapolation is a kubelet that is not modelled, and the items that rest on treating it as another one.
type Extrapolation struct {
	Node           string `json:"node"`
	KubeletVersion string `json:"kubeletVersion"`
	// ModelledAs is the minor that it is treated as; "unknown" where there is none.
	ModelledAs string `json:"modelledAs"`
	// Items are the ids of the restarts in which this kubelet took part.
	Items []string `json:"items"`
	Text  string   `json:"text"`
}

// ClockSkew is a difference between two clocks, in seconds.
type ClockSkew struct {
	Source  string `json:"source"`  // whose clock differs
	Against string `json:"against"` // what it was compared with
	// Seconds is how far the source is ahead, negative when behind; Least and Most bound the differences of all pairs
	// of observations that agree.
	Seconds  float64  `json:"seconds"`
	Least    float64  `json:"least"`
	Most     float64  `json:"most"`
	Pairs    int      `json:"pairs"`
	Evidence []string `json:"evidence"`
}

// ItemKind is the kind of an item.
type ItemKind string

// The kinds of items.
const (
	Restart ItemKind = "Restart" // an instance ended and another started
	Death   ItemKind = "Death"   // an instance ended, none has started since
	Refused ItemKind = "Refused" // it never started
	None    ItemKind = "None"    // it looked like a restart but was none
)

// Item is one restart (or death).
type Item struct {
	ID            string `json:"id"`
	Node          string `json:"node"`
	Namespace     string `json:"namespace"`
	Pod           string `json:"pod"`
	PodUID        string `json:"podUID"`
	Container     string `json:"container"`
	ContainerKind string `json:"containerKind"`
	// Workload is what the pod belongs to, as kubectl names it: deployment/web. A pod without a controller is its own:
	// pod/web-0. For a pod known only from logs it is a name without a kind, or absent.
	Workload string `json:"workload,omitempty"`
	// WorkloadFrom says how that is known: owners (the controllers that the API server names), label (the pod's label
	// with its ReplicaSet's hash) or name (a guess from how controllers name their pods).
	WorkloadFrom string     `json:"workloadFrom,omitempty"`
	Kind         ItemKind   `json:"kind"`
	Time         *time.Time `json:"time,omitempty"`
	From         *Instance  `json:"from"`
	To           *Instance  `json:"to"`
	Verdict      Verdict    `json:"verdict"`
	Incident     string     `json:"incident"`
	// LogCommand shows the container's last output. It is set only for the last end of a container, the one whose log
	// the API server keeps.
	LogCommand string `json:"logCommand,omitempty"`
	// PreviousLog is set where it was requested (--previous-logs) and available.
	PreviousLog *PreviousLog `json:"previousLog,omitempty"`
}

// PreviousLog holds the last log lines of the instance that ended. They are the application's own output, which may be
// anything: no verdict rests on them, and no bundle holds them.
type PreviousLog struct {
	// ContainerID is that of From: the API server named it before and after the lines were read.
	ContainerID string    `json:"containerID"`
	Lines       []LogLine `json:"lines"`
	// Earlier reports whether it wrote more before these lines.
	Earlier bool `json:"earlier,omitempty"`
	// Hint is what to look at first, by the last of the lines that is known; "" if none is.
	Hint string `json:"hint,omitempty"`
}

// LogLine is one line, with the time at which the runtime received it.
type LogLine struct {
	At   *time.Time `json:"at,omitempty"`
	Text string     `json:"text"`
}

// Instance is one container instance, as far as it is known.
type Instance struct {
	ContainerID string     `json:"containerID,omitempty"`
	Attempt     *int       `json:"attempt,omitempty"`
	StartedAt   *time.Time `json:"startedAt,omitempty"`
	FinishedAt  *time.Time `json:"finishedAt,omitempty"`
	ExitCode    *int32     `json:"exitCode,omitempty"`
	Signal      int32      `json:"signal,omitempty"`
	Reason      string     `json:"reason,omitempty"`
	Image       string     `json:"image,omitempty"`
	Hash        string     `json:"hash,omitempty"`
}

// Confidence is one of four words, each with a rule (package verdict).
type Confidence string

// The confidences, strongest first.
const (
	Proven   Confidence = "proven"
	Likely   Confidence = "likely"
	Possible Confidence = "possible"
	Unknown  Confidence = "unknown"
)

// Rank orders confidences: proven is 3, unknown 0.
func (c Confidence) Rank() int {
	switch c {
	case Proven:
		return 3
	case Likely:
		return 2
	case Possible:
		return 1
	}
	return 0
}

// Verdict is the answer for one item.
type Verdict struct {
	Cause        string        `json:"cause"`
	Mechanism    string        `json:"mechanism"`
	Confidence   Confidence    `json:"confidence"`
	Summary      string        `json:"summary"`
	Chain        []Link        `json:"chain"`
	Alternatives []Alternative `json:"alternatives"`
	Eliminated   Eliminations  `json:"eliminated"`
	// Decide lists what would distinguish a likely or possible verdict from its alternatives.
	Decide  []Decide  `json:"decide"`
	Missing []Missing `json:"missing"`
	Actions []string  `json:"actions"`
}

// Role is the part that a link plays in the chain.
type Role string

// The roles. A chain begins with the root, or with what caused it, and ends with the effect.
const (
	// RoleBehind is the cause of the root, where known: the package that was updated before the daemon was restarted.
	RoleBehind    Role = "behind"
	RoleRoot      Role = "root"
	RoleMechanism Role = "mechanism" // what the kubelet or the kernel did last
	RoleDecision  Role = "decision"  // the kubelet's own decision, by its function
	RoleThen      Role = "then"
	RoleEffect    Role = "effect"
)

// Link is one step of the chain, root first.
type Link struct {
	Role     Role       `json:"role,omitempty"`
	Cause    string     `json:"cause"`
	Text     string     `json:"text"`
	At       *time.Time `json:"at,omitempty"`
	Evidence []string   `json:"evidence"`
}

// Alternative is another cause that is still possible.
type Alternative struct {
	Cause      string     `json:"cause"`
	Confidence Confidence `json:"confidence"`
	Text       string     `json:"text"`
	// Decides is what would distinguish it from the other causes that fit.
	Decides  string   `json:"decides,omitempty"`
	Evidence []string `json:"evidence"`
}

// Decide is what would distinguish some causes from the others that fit, with the command that gets it where there is
// one.
type Decide struct {
	Cause   []string `json:"cause"`
	What    string   `json:"what"`
	Command string   `json:"command,omitempty"`
}

// Missing is evidence that would have helped, and how to get it.
type Missing struct {
	What        string `json:"what"`
	Consequence string `json:"consequence"`
	Command     string `json:"command,omitempty"`
	// Node is where to run Command, as root, quoted for a shell; empty: where kubectl is.
	Node string `json:"node,omitempty"`
}

// Doubt is the What of a Missing that names no evidence to collect: its Consequence says what does not fit, so that the
// verdict is not certain.
const Doubt = "why this is not certain"

// Incident is a group of items that share one root.
type Incident struct {
	ID    string `json:"id"`
	Cause string `json:"cause"`
	// Node is empty where several nodes are involved.
	Node  string     `json:"node"`
	Start *time.Time `json:"start,omitempty"`
	End   *time.Time `json:"end,omitempty"`
	Items []string   `json:"items"`
	// Summary says what happened and to how many containers, pods and nodes.
	Summary string `json:"summary"`
	// Nodes are all of them, by name; Containers and Pods count each one once, however often it restarted.
	Nodes      []string `json:"nodes"`
	Containers int      `json:"containers"`
	Pods       int      `json:"pods"`
	// Parts are what happened on each node, in order of time; empty for a single node.
	Parts []IncidentPart `json:"parts"`
}

// IncidentPart is an incident's part on one node.
type IncidentPart struct {
	ID         string     `json:"id"`
	Node       string     `json:"node"`
	Start      *time.Time `json:"start,omitempty"`
	End        *time.Time `json:"end,omitempty"`
	Items      []string   `json:"items"`
	Containers int        `json:"containers"`
	Pods       int        `json:"pods"`
	Summary    string     `json:"summary"`
}

// NodeNote is a problem of a node that ends containers, or will.
type NodeNote struct {
	Node     string   `json:"node"`
	Text     string   `json:"text"`
	Hint     string   `json:"hint,omitempty"`
	Evidence []string `json:"evidence"`
	// ContainersEnded: containers of the node ended, and no evidence names them.
	ContainersEnded bool `json:"containersEnded,omitempty"`
}

// Evidence is one observation that a verdict cites.
type Evidence struct {
	ID        string     `json:"id"`
	Source    Source     `json:"source"`
	Time      *time.Time `json:"time,omitempty"`
	Subject   Subject    `json:"subject"`
	Statement string     `json:"statement"`
	Text      string     `json:"text"`
}

// Source is where evidence comes from.
type Source struct {
	Kind  string `json:"kind"`
	Node  string `json:"node,omitempty"`
	Where string `json:"where,omitempty"`
}

// Subject is what evidence is about.
type Subject struct {
	Node        string `json:"node,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Pod         string `json:"pod,omitempty"`
	PodUID      string `json:"podUID,omitempty"`
	Container   string `json:"container,omitempty"`
	ContainerID string `json:"containerID,omitempty"`
	SandboxID   string `json:"sandboxID,omitempty"`
}

// Gap is evidence that could not be collected.
type Gap struct {
	Source string `json:"source"`
	Node   string `json:"node,omitempty"`
	Why    string `json:"why"`
	Hint   string `json:"hint,omitempty"`
}

// Time returns a pointer to t, or nil for the zero time: times that a source does not give are absent.
func Time(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
