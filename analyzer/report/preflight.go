package report

import "time"

// PreflightKind is the kind of a Preflight document.
const PreflightKind = "PreflightReport"

// Prediction is what happens to a container when its node's kubelet is changed in place.
type Prediction string

// The predictions.
const (
	Restarts     Prediction = "restarts"
	MayRestart   Prediction = "may"     // depends on what cannot be known beforehand; Because says on what
	Stays        Prediction = "stays"   // keeps running, or is not running and not touched
	Undetermined Prediction = "unknown" // the evidence is not sufficient; Because says what is missing
)

// Predictions lists them, worst first.
func Predictions() []Prediction { return []Prediction{Restarts, MayRestart, Undetermined, Stays} }

// Preflight is what a change of kubelets in place would do. Lists are never null.
type Preflight struct {
	APIVersion  string    `json:"apiVersion"`
	Kind        string    `json:"kind"` // PreflightReport
	GeneratedAt time.Time `json:"generatedAt"`
	Tool        Tool      `json:"tool"`
	Scope       Scope     `json:"scope"`
	// To is the requested version, or "same": each node's own kubelet, restarted.
	To string `json:"to"`
	// ModelledAs is the minor whose behaviour is assumed for To, absent with "same"; Extrapolated when it is older than
	// To.
	ModelledAs   string `json:"modelledAs,omitempty"`
	Extrapolated bool   `json:"extrapolated,omitempty"`
	// Assumed are the assumptions that hold for all predictions.
	Assumed []string       `json:"assumed"`
	Summary PreflightCount `json:"summary"`
	// Nodes are ordered by severity, the worst first.
	Nodes []PreflightNode `json:"nodes"`
	// Groups are the reasons, worst first, with what to do about each.
	Groups []PreflightGroup `json:"groups"`
	// Items are one per container, by node, namespace, pod and the order of the spec.
	Items []PreflightItem `json:"items"`
	Gaps  []Gap           `json:"gaps"`
}

// PreflightCount counts containers by prediction.
type PreflightCount struct {
	Restarts int `json:"restarts"`
	May      int `json:"may"`
	Unknown  int `json:"unknown"`
	Stays    int `json:"stays"`
	// BlockedNodes are those whose new kubelet would not start; absent at a node.
	BlockedNodes int `json:"blockedNodes,omitempty"`
}

// Add counts one container.
func (c *PreflightCount) Add(p Prediction) {
	switch p {
	case Restarts:
		c.Restarts++
	case MayRestart:
		c.May++
	case Stays:
		c.Stays++
	default:
		c.Unknown++
	}
}

// Total is the number of containers.
func (c PreflightCount) Total() int { return c.Restarts + c.May + c.Unknown + c.Stays }

// PreflightNode is one node and its kubelet.
type PreflightNode struct {
	Node string `json:"node"`
	// From is the kubelet's present version, "" when unknown; To the version that replaces it.
	From    string         `json:"from"`
	To      string         `json:"to"`
	Runtime string         `json:"runtime,omitempty"`
	OS      string         `json:"os,omitempty"`
	Count   PreflightCount `json:"count"`
	// Blocked: the new kubelet would not start; the containers keep running without one. The predictions hold for when
	// that is fixed.
	Blocked bool `json:"blocked"`
	// Extrapolated: one of the two kubelets is newer than the newest modelled one. Then Blocked false does not mean
	// that the new one starts, and the predictions rest on what the newest known one does.
	Extrapolated bool      `json:"extrapolated,omitempty"`
	Findings     []Finding `json:"findings"`
}

// FindingLevel is the severity of a finding about a node.
type FindingLevel string

// The levels.
const (
	FindingBlocker FindingLevel = "blocker" // the kubelet will not start
	FindingRisk    FindingLevel = "risk"    // not supported, or dangerous
	FindingCheck   FindingLevel = "check"   // it could not be read: check it
	FindingNote    FindingLevel = "note"    // it happens, and no container ends
)

// FindingLevels lists them, worst first.
func FindingLevels() []FindingLevel {
	return []FindingLevel{FindingBlocker, FindingRisk, FindingCheck, FindingNote}
}

// Finding is something at a node that speaks against the change.
type Finding struct {
	Level FindingLevel `json:"level"`
	// Rule identifies the finding for programs.
	Rule string `json:"rule"`
	Text string `json:"text"`
	Do   string `json:"do,omitempty"`
}

// PreflightGroup is one reason with the containers that it concerns.
type PreflightGroup struct {
	Prediction Prediction `json:"prediction"`
	Rule       string     `json:"rule"`
	Because    string     `json:"because"`
	Containers int        `json:"containers"`
	Pods       int        `json:"pods"`
	Nodes      int        `json:"nodes"`
	Do         string     `json:"do,omitempty"`
}

// PreflightItem is the prediction for one container.
type PreflightItem struct {
	Node       string     `json:"node"`
	Namespace  string     `json:"namespace"`
	Pod        string     `json:"pod"`
	PodUID     string     `json:"podUID"`
	Container  string     `json:"container"`
	Kind       string     `json:"kind"` // app, init, sidecar, ephemeral
	Prediction Prediction `json:"prediction"`
	// Rule identifies the reason for programs: a cause of the catalogue where there is one.
	Rule    string `json:"rule"`
	Because string `json:"because"`
	// Proof is what proves it for this container, absent where it follows from the rule alone.
	Proof string `json:"proof,omitempty"`
	// Function is the kubelet function that decides it.
	Function string   `json:"function,omitempty"`
	Assumed  []string `json:"assumed"`
}

// Normalise makes nil lists empty, so that no list is null.
func (r *Preflight) Normalise() {
	r.APIVersion, r.Kind = APIVersion, PreflightKind
	r.Assumed, r.Nodes, r.Groups, r.Items, r.Gaps = list(r.Assumed), list(r.Nodes),
		list(r.Groups), list(r.Items), list(r.Gaps)
	for i := range r.Nodes {
		r.Nodes[i].Findings = list(r.Nodes[i].Findings)
	}
	for i := range r.Items {
		r.Items[i].Assumed = list(r.Items[i].Assumed)
	}
}
