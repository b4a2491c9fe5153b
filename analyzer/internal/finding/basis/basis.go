// Package basis holds what every fact about one end of a container rests on: whose end it is, when it came and with
// which code, which logs may answer by silence, and what shakes a proof. Families of facts are found on it, in the
// packages beside this one and in package finding.
//
// It may import timeline and evidence. What never enters: who asked for the end.
package basis

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
)

// Basis is what every fact about one end rests on: whose it is, when it came and with which code, which logs may answer
// by silence, and what shakes a proof.
type Basis struct {
	R     *timeline.Restart
	T     *timeline.History
	Node  *timeline.NodeStory
	specs specs // of large pods, kept from restart to restart
	Exit  Exit
	// KubeletLog, RuntimeLog, KernelLog tell whether that log covers the end, and
	// would tell of a kill, a request to stop it, an out-of-memory kill.
	KubeletLog, RuntimeLog, KernelLog bool
	// runtimeStarts: the runtime's log covers the end and would tell of a start of the
	// runtime; Docker's tells of no request to stop.
	RuntimeStarts bool
	// Events tells whether the API's events reach back to before the end, and none that
	// the kubelet must have sent is missing.
	Events bool
	// Throttled: events of this container are there, and the one of this instance's own
	// start is not, so that others may be missing too.
	Throttled bool
	// Doubts are what does not fit with the rest: none of it is an answer, and nothing is
	// proven beside it.
	Doubts  []Doubt
	Witness Witness
	// end and exact are what ExactEnd says, once it was asked.
	end          time.Time
	exact, dated bool
	both         []string // the ids of the records of both instances, once they were asked for
}

// Begin starts with another restart.
func (f *Basis) Begin(t *timeline.History, r *timeline.Restart) {
	*f = Basis{R: r, T: t, Node: t.Nodes[r.Node], specs: f.specs}
}

// Find settles when it ended and how, and which logs cover that.
func (f *Basis) Find() {
	f.coverage()
	if f.R.From.Guessed {
		f.Doubt("no line names the container; its name is inferred from the lines around it")
	}
	for _, s := range f.T.Skews(f.R.Node) {
		if s.Guessed {
			f.Doubt("the zone of the "+string(s.Source)+" of "+f.R.Node+" is guessed from only a few exits", s.Evidence...)
		}
	}
	f.exit()
	f.fault()
}
