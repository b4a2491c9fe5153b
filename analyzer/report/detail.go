package report

import "time"

// ItemDetail holds what is known about one item besides its verdict: what happened around it, the kubelet's decision
// branch by branch, and where its hashes come from. It is not part of a report: a viewer asks for it on demand
// (DetailProvider).
type ItemDetail struct {
	// Item is the id of the item.
	Item string `json:"item"`
	Activity
	// Decision is absent where the pod's spec or the kubelet's version is unknown.
	Decision *Decision `json:"decision,omitempty"`
	// Hashes is absent where no stored hash is known.
	Hashes *HashListing `json:"hashes,omitempty"`
}

// Activity is what happened around an item or on a node.
type Activity struct {
	// Start and End bound what is worth showing; absent where no time is known.
	Start *time.Time `json:"start,omitempty"`
	End   *time.Time `json:"end,omitempty"`
	Lanes []Lane     `json:"lanes"`
	// Evidence holds the observations that are cited with it and that the report does not contain.
	Evidence []Evidence `json:"evidence"`
}

// LaneKind is the kind of thing that a lane shows.
type LaneKind string

// The lanes, in the order in which they are shown.
const (
	LaneInstance LaneKind = "instance" // the container's instances; spans
	LaneSandbox  LaneKind = "sandbox"  // the pod's sandboxes; spans
	LaneProbe    LaneKind = "probe"
	LaneKubelet  LaneKind = "kubelet"
	LaneRuntime  LaneKind = "runtime"
	LaneKernel   LaneKind = "kernel"
	LaneSystemd  LaneKind = "systemd"
	LaneAPI      LaneKind = "api"
)

// Lane is one row of a timeline. Spans and marks are in order of their times.
type Lane struct {
	Kind  LaneKind `json:"kind"`
	Name  string   `json:"name"`
	Spans []Span   `json:"spans"`
	Marks []Mark   `json:"marks"`
}

// Span is something that lasts. Without From it began before the evidence begins; without an end it still lasts.
type Span struct {
	From *time.Time `json:"from,omitempty"`
	To   *time.Time `json:"to,omitempty"`
	Text string     `json:"text"`
	// Bad marks a span that ended badly: another exit code than 0, a dead sandbox.
	Bad      bool     `json:"bad,omitempty"`
	Evidence []string `json:"evidence"`
}

// Mark is something that happened at one moment.
type Mark struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
	// Decisive marks what the verdict's chain cites.
	Decisive bool     `json:"decisive,omitempty"`
	Evidence []string `json:"evidence"`
}

// Decision is a replay of the kubelet's decision about the item's pod.
type Decision struct {
	// Kubelet is the version that decided, ModelledAs the minor version whose rules were used.
	Kubelet    string `json:"kubelet"`
	ModelledAs string `json:"modelledAs"`
	// Supposed are the facts that the verdict implies, Assumed those that the evidence does not contain.
	Supposed []string `json:"supposed"`
	Assumed  []string `json:"assumed"`
	// Branches are the conditions that the kubelet checks, in its order.
	Branches []Branch `json:"branches"`
	// Outcome is what it then does, in one line.
	Outcome string `json:"outcome"`
	// Agrees reports whether the outcome is what happened; Differs lists the differences.
	Agrees  bool     `json:"agrees"`
	Differs []string `json:"differs"`
}

// Branch is one condition of the kubelet's decision.
type Branch struct {
	// Depth is 0 for a function that the pod worker calls, and higher for what that function calls.
	Depth int `json:"depth"`
	// Function is the kubelet's function, File the file that it is in.
	Function  string `json:"function"`
	File      string `json:"file"`
	Container string `json:"container,omitempty"`
	// Question is the condition, Answer its value for this state, Fact the reason.
	Question string `json:"question"`
	Answer   bool   `json:"answer"`
	Fact     string `json:"fact,omitempty"`
	// Then is what follows from this answer; empty where the next branch follows.
	Then string `json:"then,omitempty"`
}

// NodeDetail is what happened on one node.
type NodeDetail struct {
	Node           string `json:"node"`
	KubeletVersion string `json:"kubeletVersion,omitempty"`
	Runtime        string `json:"runtime,omitempty"`
	Kernel         string `json:"kernel,omitempty"`
	OS             string `json:"os,omitempty"`
	Activity
	// Settings are the kubelet settings that restarts depend on, as name: value.
	Settings []string   `json:"settings"`
	Notes    []NodeNote `json:"notes"`
}

// DetailProvider computes more about what is in a report. It may be slow: a viewer calls it in the background, never
// while it draws. Errors name the unknown object.
type DetailProvider interface {
	// ItemDetail returns the details of one item.
	ItemDetail(itemID string) (*ItemDetail, error)
	// NodeDetail returns the details of one node.
	NodeDetail(name string) (*NodeDetail, error)
	// Neighbors returns the evidence with this id and up to n pieces of evidence before and after it, in order, from
	// the same place of the same source.
	Neighbors(evidenceID string, n int) ([]Evidence, error)
}
