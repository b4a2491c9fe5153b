package exchange

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// SettleAfter is how long after the exchange of its kubelet a node has settled: a kubelet that starts decides about all
// of its pods within seconds, and what ends later ends for other reasons.
const SettleAfter = time.Minute

// Watcher compares one prediction with a sequence of states of the cluster. Each node is compared with its state just
// before its kubelet was exchanged, so that crashes before that do not count against the prediction, and for
// SettleAfter from then on.
type Watcher struct {
	r     *report.Preflight
	begun Extract
	last  time.Time
	nodes map[string]*followed
}

// followed is one watched node.
type followed struct {
	// older and previous are the states of the two rounds before this one, base the one to compare with.
	older, previous, base nodeState
	seen                  report.ExchangeSeen
	at                    time.Time
	from, to              string
	outcome               *report.PreflightOutcome
	said                  string
}

// NewWatcher starts with the state that the prediction was made for.
func NewWatcher(r *report.Preflight, first Extract) *Watcher {
	f := &Watcher{r: r, begun: first, last: first.At, nodes: map[string]*followed{}}
	for i := range r.Nodes {
		n := &r.Nodes[i]
		state := first.nodes[n.Node]
		f.nodes[n.Node] = &followed{older: state, previous: state, base: state, from: n.From, to: n.To}
	}
	return f
}

// Round takes the next state, and returns the outcomes that are new or changed.
func (f *Watcher) Round(now Extract) []report.PreflightOutcome {
	f.last = now.At
	base, current := Extract{
		At:    f.begun.At,
		nodes: map[string]nodeState{},
	}, Extract{
		At:    now.At,
		nodes: map[string]nodeState{},
	}
	for name, n := range f.nodes {
		state, there := now.nodes[name]
		// A node that was not read in this round is compared in the next one.
		if !there || state.version == "" && n.previous.version != "" || n.outcome != nil && n.outcome.Settled {
			continue
		}
		if n.seen == "" {
			f.look(n, state, now.At)
		}
		n.older, n.previous = n.previous, state
		// If only a start is expected and none was seen, containers are the only sign.
		if n.seen != "" || n.restartOnly(f.r) {
			base.nodes[name], current.nodes[name] = n.base, state
		}
	}
	var news []report.PreflightOutcome
	for _, o := range Compare(f.r, base, current) {
		n := f.nodes[o.Node]
		switch {
		case n.seen != "":
			o.Seen = n.seen
			if now.At.Sub(n.at) >= SettleAfter {
				o.Settle()
			}
		case n.outcome != nil: // what changed before may be gone by now
			o.Seen = report.SeenContainers
		case o.Seen == "":
			continue
		}
		n.outcome = &o
		said := o
		said.ObservedAt = time.Time{}
		if text := fmt.Sprint(said); text != n.said {
			n.said = text
			news = append(news, o)
		}
	}
	return news
}

// restartOnly reports whether the node's kubelet keeps its version, so that the version cannot show the restart.
func (n *followed) restartOnly(r *report.Preflight) bool {
	return r.To == preflight.Same || n.from == n.to
}

// look checks whether the kubelet was exchanged since the last round.
func (f *Watcher) look(n *followed, state nodeState, at time.Time) {
	switch exchange(n.previous, state, f.begun.At) {
	case report.SeenVersion:
		// Pods are read before nodes, so the previous round was entirely under the old kubelet.
		n.seen, n.at, n.base = report.SeenVersion, at, n.previous
	case report.SeenStart:
		// Events are read along with the pods: the previous round may already contain what the kubelet did.
		if n.restartOnly(f.r) {
			n.seen, n.at, n.base = report.SeenStart, at, n.older
		}
	}
}

// Summary returns the progress.
func (f *Watcher) Summary() report.PreflightWatched {
	w := report.PreflightWatched{Nodes: len(f.nodes), For: f.last.Sub(f.begun.At)}
	for _, n := range f.nodes {
		switch {
		case n.outcome == nil:
			continue
		case n.seen == "":
			w.Changed++
			continue
		}
		w.Exchanged++
		if n.outcome.Settled {
			w.Settled++
		}
		w.Count.Sum(n.outcome.Count)
	}
	return w
}
