package timeline

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// History is the ordered story of a snapshot.
type History struct {
	Snapshot       *evidence.Snapshot
	Restarts       []*Restart // by end, oldest first
	FalsePositives []*Restart // what looked like a restart and was none, oldest first
	Nodes          map[string]*NodeStory
	Sandboxes      map[string]*Sandbox
	// Unnamed counts, by node, the ends of containers that nothing names: they have no Restart.
	Unnamed map[string]int
	// UnnamedKills counts, by node, the kernel's kills for memory that no container is known by, or that may have left
	// their container running.
	UnnamedKills map[string]int
	EventsFor    evidence.Coverage // how far back the API's events reach
	// Observations are those of the snapshot by time, with pod UIDs filled in where a line names a pod and nothing else.
	// They must not be changed.
	Observations []*evidence.Observation

	Stories     map[string]*PodStory // by UID, static pods by two
	Clocks      map[Clock]Skew
	Bearers     map[PodName][]*evidence.Pod
	Configured  map[PodName][]Occurrence // pods taken into or from a config source, by name
	ManifestsOf map[PodName][]Occurrence // manifests of static pods, by name
	TakenDown   map[string][]Occurrence  // why a kubelet took a pod down, by pod UID
	boxes       map[string][]*Sandbox    // by pod UID
	starved     map[string]*ends         // of the restarts on a node that the runtime called OOMKilled
	OfFewPods   bool                     // all evidence is of a few pods
	counted     map[string]bool          // the observations of monitoring systems
	once        sync.Once
	listed      bool // once it was asked for
}

// Begin begins the timeline of a snapshot.
func Begin(s *evidence.Snapshot) *History {
	h := &History{
		Snapshot: s, Nodes: map[string]*NodeStory{}, Sandboxes: map[string]*Sandbox{},
		Configured: map[PodName][]Occurrence{}, ManifestsOf: map[PodName][]Occurrence{}, TakenDown: map[string][]Occurrence{},
	}
	h.remember(s.Observations)
	h.bind(s)
	return h
}

// Lineage is every known instance of one container of a pod, the oldest first.
type Lineage struct {
	Container string
	Kind      evidence.ContainerKind
	Instances []*Instance
}

// Lives returns what is known of the containers of a pod, also of those that never restarted.
func (t *History) Lives(uid string) []Lineage {
	if p := t.Stories[uid]; p != nil && p.UID == uid {
		return p.Lives
	}
	return nil
}

// Inits returns what is known of the pod's ordinary init containers.
func (r *Restart) Inits() []Lineage {
	if r.Story == nil {
		return nil
	}
	return r.Story.Inits
}

// Lives returns what is known of the containers of the pod.
func (r *Restart) Lives() []Lineage {
	if r.Story == nil {
		return nil
	}
	return r.Story.Lives
}

// PodBetween returns the observations about the pod and its sandboxes from begin on and before end.
func (r *Restart) PodBetween(begin, end time.Time) []Occurrence {
	if r.Story == nil || begin.IsZero() {
		return nil
	}
	return Within(r.Story.Marks, begin, end)
}

// Pod returns the pod that the API or the runtime knows under this UID, or nil.
func (t *History) Pod(uid string) *evidence.Pod {
	if p := t.Stories[uid]; p != nil {
		return p.Given
	}
	return nil
}

// Ends returns what the evidence says of the end of the pod: that it was evicted,
// rejected, deleted, taken from the kubelet's config. Those of the API may have no
// time, and come first; the others are in order of their times.
func (r *Restart) Ends() []Occurrence {
	if r.Story == nil {
		return nil
	}
	return r.Story.Ends
}

// Successor returns another pod of the restart's pod's name that was created at or after
// the time, or nil: to those who look at names it is the same pod, restarted.
func (t *History) Successor(r *Restart, at time.Time) *evidence.Pod {
	if r.Story != nil && r.Story.Alone {
		return nil
	}
	for _, p := range CreatedFrom(t.Bearers[PodName{r.Namespace, r.PodName}], at.Truncate(time.Second)) {
		if p.UID != r.PodUID && p.RuntimeUID() != r.PodUID {
			return p
		}
	}
	return nil
}

// SandboxOf returns the sandbox that an instance ran in, or nil.
func (t *History) SandboxOf(in *Instance) *Sandbox {
	if in.Sandbox != nil {
		return in.Sandbox
	}
	return t.Sandboxes[in.SandboxID]
}

// Has reports whether a source of the node was read at all, whatever it covers.
func (n *NodeStory) Has(kind evidence.SourceKind) bool {
	return n != nil && slices.ContainsFunc(n.reach, func(r sourceCoverage) bool { return r.source == kind })
}

// Covered reports whether a source was read for the node over [from, until] in logs of an origin that
// counts, and at which verbosity (kubelet log). Nobody's silence counts by itself.
func (n *NodeStory) Covered(kind evidence.SourceKind, from, until time.Time,
	counts func(*evidence.Origin) bool) (ok bool, verbosity int) {
	if n == nil {
		return false, 0
	}
	for i := range n.reach {
		if r := &n.reach[i]; r.source == kind {
			return r.covers(from, until, counts)
		}
	}
	return false, 0
}

// EventsCovered reports whether the API's events reach back to from.
func (t *History) EventsCovered(from time.Time) bool {
	return !from.IsZero() && !t.EventsFor.From.IsZero() && !from.Before(t.EventsFor.From)
}

// lost are losses by node, whatever tells of them. Where a clock was set behind one that was counted from the boot, it
// may have been at any time.
func (t *History) lost(losses []evidence.Loss) map[string][]evidence.Loss {
	of := map[string][]evidence.Loss{}
	for _, l := range losses {
		if l.Counted && len(Since(t.Node(l.Node).ClockSets, l.From)) > 0 {
			l = l.Anywhere()
		}
		of[l.Node] = append(of[l.Node], evidence.Loss{From: l.From, Until: l.Until})
	}
	for node := range of {
		of[node] = evidence.Joined(of[node])
	}
	return of
}

// Cover takes what the sources were read over, and when what they read lost lines.
func (t *History) Cover(all []evidence.Coverage, losses []evidence.Loss) {
	lost := t.lost(losses)
	for i := range all {
		c := &all[i]
		if c.Source == evidence.SourceAPI {
			if t.EventsFor.From.IsZero() || c.From.Before(t.EventsFor.From) {
				t.EventsFor = *c
			}
			continue
		}
		if n := t.Node(c.Node); !c.From.IsZero() { // without a beginning it holds over nothing
			since(c, n.ClockSets).Without(lost[c.Node], n.reachOf(c.Source).add)
		}
	}
	for _, n := range t.Nodes {
		for i := range n.reach {
			n.reach[i].order()
		}
	}
}

// since is a coverage whose times were counted from the boot, from when the clock was last set: times before
// that are of another clock.
func since(c *evidence.Coverage, set []Occurrence) *evidence.Coverage {
	if !c.Counted {
		return c
	}
	right := *c
	for _, m := range set {
		if c.Origin.Same(m.Obs.Source.Origin) && m.At.After(right.From) {
			right.From = m.At
		}
	}
	return &right
}

// Node returns the story of a node, a new one if there is none yet.
func (t *History) Node(name string) *NodeStory {
	n := t.Nodes[name]
	if n == nil {
		n = &NodeStory{Name: name}
		t.Nodes[name] = n
	}
	return n
}

// Listed reports whether objects of pods were read. Rows of a table are none: it may have left out any pod, and has no
// UIDs.
func (t *History) Listed() bool {
	t.once.Do(func() {
		t.listed = slices.ContainsFunc(t.Snapshot.Pods, func(p evidence.Pod) bool { return !p.Row() })
	})
	return t.listed
}

// Cut reports whether all evidence is of a few pods, and no objects of pods were read: of a node's whole log somebody
// chose these lines, and whatever ended in them is what was asked about.
func (t *History) Cut() bool { return t.OfFewPods }

// Skew is a clock that differs from the one that a node's containers are dated by.
type Skew struct {
	// Source is a log of the node, or the API server.
	Source evidence.SourceKind
	// Against is what it was compared with: the runtime's or the API's records of
	// containers, which both carry the node's time; the kubelet's events for the API
	// server.
	Against evidence.SourceKind
	// Offset is what Source is ahead, negative when it is behind; Least and Most bound
	// the pairs of observations that agree.
	Offset, Least, Most time.Duration
	Pairs               int
	// Guessed: a zone that too few pairs tell to be sure of it.
	Guessed bool
	// Evidence are some of the observations that were compared.
	Evidence []string
}

// Clock is what dates the observations of one source on one node.
type Clock struct {
	Node   string
	Source evidence.SourceKind
}

// Skews returns the clocks that differ from a node's, by source. Everything else in
// the timeline is on the node's clock already.
func (t *History) Skews(node string) (all []Skew) {
	for k, s := range t.Clocks {
		if k.Node == node {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Skew) int { return cmp.Compare(a.Source, b.Source) })
	return all
}

// Retried tells an event of a sandbox that is tried again and again within seconds, because none can be made.
func Retried(f evidence.SandboxChanged, last time.Time) bool {
	return f.Count > 1 && !f.First.IsZero() && last.Sub(f.First) < time.Duration(f.Count-1)*tolerance.Retried
}

// Sort brings the restarts in order of their ends; what ended together, in order of
// names, and the restarts of one container as they are.
func (t *History) Sort() {
	type key struct {
		sec         int64
		nsec, place int32
		r           *Restart
	}
	keys := make([]key, len(t.Restarts))
	for i, r := range t.Restarts {
		end := r.End()
		r.end, r.ended = end, true
		keys[i] = key{end.Unix(), int32(end.Nanosecond()), int32(i), r}
	}
	slices.SortFunc(keys, func(a, b key) int {
		switch {
		case a.sec != b.sec:
			return cmp.Compare(a.sec, b.sec)
		case a.nsec != b.nsec:
			return cmp.Compare(a.nsec, b.nsec)
		}
		return cmp.Or(CompareNames(a.r, b.r), cmp.Compare(a.place, b.place))
	})
	for i := range keys {
		t.Restarts[i] = keys[i].r
	}
}

// CompareNames orders restarts by whom they are about.
func CompareNames(a, b *Restart) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.PodName, b.PodName),
		cmp.Compare(a.PodUID, b.PodUID), cmp.Compare(a.Container, b.Container), cmp.Compare(a.From.ID, b.From.ID))
}

// CreatedFrom are the pods of a list, the oldest first, that were created at a time or later.
func CreatedFrom(pods []*evidence.Pod, at time.Time) []*evidence.Pod {
	i, _ := slices.BinarySearchFunc(pods, at, func(p *evidence.Pod, at time.Time) int { return p.CreatedAt.Compare(at) })
	return pods[i:]
}
