// Package basis holds what every fact about one end of a container rests on: which end it is, its time and exit code,
// which logs are evidence by silence, and what weakens a proof. The packages next to this one and package finding
// derive families of facts from it.
//
// It may import timeline and evidence. Who requested the end does not belong here.
package basis

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
)

// Basis is what every fact about one end rests on: which end it is, its time and exit code, which logs are evidence by
// silence, and what weakens a proof.
type Basis struct {
	R     *timeline.Restart
	T     *timeline.History
	Node  *timeline.NodeStory
	specs specs // of large pods, reused for the next restart
	Exit  Exit
	// KubeletLog, RuntimeLog and KernelLog report whether that log covers the end, and would have a kill, a stop
	// request, an out-of-memory kill.
	KubeletLog, RuntimeLog, KernelLog bool
	// RuntimeStarts: the runtime's log covers the end and would have a start of the runtime; Docker's has no stop
	// requests.
	RuntimeStarts bool
	// Events reports whether the API's events reach back to before the end, and none that the kubelet must have sent is
	// missing.
	Events bool
	// Throttled: there are events of this container, but not the one of this instance's own start, so that others may
	// be missing too.
	Throttled bool
	// Doubts are what does not fit with the rest: none of them is an answer, and nothing is proven while there is one.
	Doubts  []Doubt
	Witness Witness
	// end and exact cache ExactEnd.
	end          time.Time
	exact, dated bool
	both         []string // caches BothRecords
}

// Begin resets the basis to another restart.
func (f *Basis) Begin(t *timeline.History, r *timeline.Restart) {
	*f = Basis{R: r, T: t, Node: t.Nodes[r.Node], specs: f.specs}
}

// Find derives when it ended and how, and which logs cover that.
func (f *Basis) Find() {
	f.coverage()
	if f.R.From.Guessed {
		f.Doubt("no line names the container; its name is inferred from the lines around it")
	}
	if f.Node.Doubled() {
		f.Doubt("two machines had the name " + f.R.Node + ", so what is known of it may be of another cluster; " +
			"read the evidence of one cluster at a time")
	}
	for _, s := range f.T.Skews(f.R.Node) {
		if s.Guessed {
			f.Doubt("the zone of the "+string(s.Source)+" of "+f.R.Node+" is guessed from only a few exits", s.Evidence...)
		}
		if ids := f.carried(s); len(ids) > 0 {
			way := " later"
			if s.Offset < 0 {
				way = " earlier"
			}
			f.Doubt("the "+string(s.Source)+" of "+f.R.Node+" is dated "+s.Offset.Abs().Round(time.Second).String()+way+
				" than the records, which no time zone explains: lines that came after the end may not belong before it", ids...)
		}
	}
	f.exit()
	f.fault()
}
