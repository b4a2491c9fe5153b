package report

import "time"

// PreflightOutcomeKind is the kind of a PreflightOutcome document.
const PreflightOutcomeKind = "PreflightOutcome"

// ExchangeSeen says how a kubelet's exchange or restart was noticed.
type ExchangeSeen string

// The ways.
const (
	SeenVersion    ExchangeSeen = "version"    // the node reports another kubelet version
	SeenStart      ExchangeSeen = "start"      // the kubelet's own event about its start
	SeenContainers ExchangeSeen = "containers" // only containers changed: the kubelet need not be the reason
)

// Became is what happened to a container.
type Became string

// The values of Became.
const (
	BecameRestarted Became = "restarted" // another instance took its place
	BecameEnded     Became = "ended"     // it no longer runs, and no other instance was created yet
	BecameStayed    Became = "stayed"    // the same instance runs
	BecameMoved     Became = "moved"     // its pod was deleted or drained: no restart
)

// OutcomeVerdict judges one prediction by what happened.
type OutcomeVerdict string

// The verdicts.
const (
	VerdictRight   OutcomeVerdict = "right"
	VerdictWrong   OutcomeVerdict = "wrong"
	VerdictWaiting OutcomeVerdict = "waiting" // predicted to restart and has not yet
	VerdictOpen    OutcomeVerdict = "open"    // may or unknown: cannot be wrong
	VerdictNeither OutcomeVerdict = "neither" // its pod moved or its work was done
)

// PreflightOutcome is what happened to the predictions for one node while its kubelet was exchanged. Lists are never
// null.
type PreflightOutcome struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"` // PreflightOutcome
	ObservedAt time.Time `json:"observedAt"`
	Node       string    `json:"node"`
	// From is the kubelet's version before and Now the one after; To is the requested version, or "same".
	From string       `json:"from"`
	Now  string       `json:"now"`
	To   string       `json:"to"`
	Seen ExchangeSeen `json:"seen"`
	// OtherVersion: the new kubelet's minor is not the requested one, so that the prediction does not apply.
	OtherVersion bool `json:"otherVersion"`
	// Settled: enough time has passed, and what has not happened counts as not happening. No more outcomes follow for
	// the node.
	Settled bool                  `json:"settled"`
	Count   PreflightOutcomeCount `json:"count"`
	// Items are the containers worth reporting: all but those that stayed as predicted or did not run.
	Items []PreflightOutcomeItem `json:"items"`
}

// PreflightOutcomeCount counts the containers of a node by what was predicted and what they became.
type PreflightOutcomeCount struct {
	// Restarted were predicted to restart and did; Waiting have not yet; Missed did not, and the node has settled.
	Restarted int `json:"restarted"`
	Waiting   int `json:"waiting"`
	Missed    int `json:"missed"`
	// Stayed as predicted; Unforeseen restarted or ended although they were predicted to stay.
	Stayed     int `json:"stayed"`
	Unforeseen int `json:"unforeseen"`
	// The outcomes of containers whose prediction was may or unknown.
	MayRestarted     int `json:"mayRestarted"`
	MayStayed        int `json:"mayStayed"`
	UnknownRestarted int `json:"unknownRestarted"`
	UnknownStayed    int `json:"unknownStayed"`
	// Moved left with their pods, or their work was done.
	Moved int `json:"moved"`
	// NotRunning did not run just before, so there was nothing to restart.
	NotRunning int `json:"notRunning"`
	// Unpredicted were created after the prediction and before the exchange.
	Unpredicted int `json:"unpredicted"`
}

// PreflightOutcomeItem is one container's prediction and its outcome.
type PreflightOutcomeItem struct {
	Namespace  string         `json:"namespace"`
	Pod        string         `json:"pod"`
	Container  string         `json:"container"`
	Prediction Prediction     `json:"prediction"`
	Rule       string         `json:"rule"`
	Became     Became         `json:"became"`
	Verdict    OutcomeVerdict `json:"verdict"`
}

// Add counts one container.
func (c *PreflightOutcomeCount) Add(it *PreflightOutcomeItem) {
	stayed := it.Became == BecameStayed
	switch {
	case it.Verdict == VerdictNeither:
		c.Moved++
	case it.Verdict == VerdictWaiting:
		c.Waiting++
	case it.Prediction == Restarts && it.Verdict == VerdictRight:
		c.Restarted++
	case it.Prediction == Restarts:
		c.Missed++
	case it.Prediction == Stays && it.Verdict == VerdictRight:
		c.Stayed++
	case it.Prediction == Stays:
		c.Unforeseen++
	case it.Prediction == MayRestart && stayed:
		c.MayStayed++
	case it.Prediction == MayRestart:
		c.MayRestarted++
	case stayed:
		c.UnknownStayed++
	default:
		c.UnknownRestarted++
	}
}

// Sum adds the counts of another node.
func (c *PreflightOutcomeCount) Sum(o PreflightOutcomeCount) {
	c.Restarted += o.Restarted
	c.Waiting += o.Waiting
	c.Missed += o.Missed
	c.Stayed += o.Stayed
	c.Unforeseen += o.Unforeseen
	c.MayRestarted += o.MayRestarted
	c.MayStayed += o.MayStayed
	c.UnknownRestarted += o.UnknownRestarted
	c.UnknownStayed += o.UnknownStayed
	c.Moved += o.Moved
	c.NotRunning += o.NotRunning
	c.Unpredicted += o.Unpredicted
}

// Settle declares that what has not happened by now does not happen.
func (o *PreflightOutcome) Settle() {
	o.Settled = true
	o.Count.Missed, o.Count.Waiting = o.Count.Missed+o.Count.Waiting, 0
	for i := range o.Items {
		if o.Items[i].Verdict == VerdictWaiting {
			o.Items[i].Verdict = VerdictWrong
		}
	}
}

// Normalise makes a nil list empty, so that no list is null.
func (o *PreflightOutcome) Normalise() {
	o.APIVersion, o.Kind, o.Items = APIVersion, PreflightOutcomeKind, list(o.Items)
}

// PreflightWatched sums up what was watched.
type PreflightWatched struct {
	// Nodes have a prediction. Exchanged are those with a new kubelet or one seen to start, Settled those of them with
	// enough time since. Changed are nodes where only containers changed.
	Nodes, Exchanged, Settled, Changed int
	For                                time.Duration
	// Count is the sum over the exchanged nodes.
	Count PreflightOutcomeCount
}
