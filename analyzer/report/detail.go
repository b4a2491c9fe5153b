package report

import "time"

// ItemDetail is what there is to tell about one item beside its verdict: what went on
// around it, the kubelet's decision branch by branch, and where its hashes come
// from. A report holds none: a viewer asks for one when someone looks (DetailProvider).
type ItemDetail struct {
	// Item is the id of the item.
	Item string `json:"item"`
	// Start and End bound what is worth showing; absent where no time is known.
	Start *time.Time `json:"start,omitempty"`
	End   *time.Time `json:"end,omitempty"`
	Lanes []Lane     `json:"lanes"`
	// Decision is absent where the pod's spec or the kubelet's version is unknown.
	Decision *Decision `json:"decision,omitempty"`
	// Hashes is absent where no stored hash is known.
	Hashes *HashListing `json:"hashes,omitempty"`
	// Evidence holds what this story cites and the report does not.
	Evidence []Evidence `json:"evidence"`
}

// LaneKind is whose doings a lane shows.
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

// Span is something that lasts. An absent end is open: it was there before what
// is known begins, or it is there still.
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

// Decision is the kubelet's decision about the item's pod, replayed.
type Decision struct {
	// Kubelet is the version that decided, ModelledAs the minor whose rules were
	// taken.
	Kubelet    string `json:"kubelet"`
	ModelledAs string `json:"modelledAs"`
	// Supposed are the facts that the verdict puts in, Assumed what the evidence
	// does not tell.
	Supposed []string `json:"supposed"`
	Assumed  []string `json:"assumed"`
	// Branches is every question that the kubelet asks, in its order.
	Branches []Branch `json:"branches"`
	// Outcome is what it then does, in one line.
	Outcome string `json:"outcome"`
	// Agrees tells whether that is what happened; Differs says what is not.
	Agrees  bool     `json:"agrees"`
	Differs []string `json:"differs"`
}

// Branch is one question of the kubelet's decision.
type Branch struct {
	// Depth is 0 for a function that the pod worker calls, and more within it.
	Depth int `json:"depth"`
	// Function is the kubelet's, with its file.
	Function  string `json:"function"`
	File      string `json:"file"`
	Container string `json:"container,omitempty"`
	// Question is what is asked, Answer what this state answers, Fact why.
	Question string `json:"question"`
	Answer   bool   `json:"answer"`
	Fact     string `json:"fact,omitempty"`
	// Then is what follows from this answer; empty where the next question does.
	Then string `json:"then,omitempty"`
}

// NodeDetail is what went on at one node.
type NodeDetail struct {
	Node           string     `json:"node"`
	KubeletVersion string     `json:"kubeletVersion,omitempty"`
	Runtime        string     `json:"runtime,omitempty"`
	Kernel         string     `json:"kernel,omitempty"`
	OS             string     `json:"os,omitempty"`
	Start          *time.Time `json:"start,omitempty"`
	End            *time.Time `json:"end,omitempty"`
	Lanes          []Lane     `json:"lanes"`
	// Settings are those of its kubelet on which restarts depend, as name: value.
	Settings []string   `json:"settings"`
	Notes    []NodeNote `json:"notes"`
	Evidence []Evidence `json:"evidence"`
}

// DetailProvider works out more about what is in a report. It may take its time: a viewer calls it beside its
// drawing, never within. Errors say what was asked for and is not known.
type DetailProvider interface {
	// ItemDetail tells about one item.
	ItemDetail(itemID string) (*ItemDetail, error)
	// NodeDetail tells about one node.
	NodeDetail(name string) (*NodeDetail, error)
	// Neighbors returns the evidence with this id between up to n neighbours on each
	// side from the same place of the same source, in order.
	Neighbors(evidenceID string, n int) ([]Evidence, error)
}
