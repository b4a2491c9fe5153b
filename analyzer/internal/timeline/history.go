package timeline

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// History is the past of a snapshot in order.
type History struct {
	Snapshot       *evidence.Snapshot
	Restarts       []*Restart // by end, oldest first
	FalsePositives []*Restart // what looked like a restart but was none, oldest first
	Nodes          map[string]*NodeStory
	Sandboxes      map[string]*Sandbox
	// Unnamed counts, by node, the ends of containers that nothing names: they have no Restart.
	Unnamed map[string]int
	// UnnamedKills counts, by node, the kernel's out-of-memory kills that match no known container, or that may have
	// left their container running.
	UnnamedKills map[string]int
	// Strays are the kernel's out-of-memory kills of programs whose container is unknown, the last of each program.
	Strays    []Occurrence
	EventsFor evidence.Coverage // how far back the API's events reach
	// Observations are those of the snapshot by time. Those that name only a pod have its UID filled in. They must not
	// be changed.
	Observations []*evidence.Observation

	Stories     map[string]*PodStory // by UID, static pods under both of theirs
	Clocks      map[Clock]Skew
	Bearers     map[PodName][]*evidence.Pod
	Configured  map[PodName][]Occurrence // pods added to or removed from a config source, by name
	ManifestsOf map[PodName][]Occurrence // manifests of static pods, by name
	TakenDown   map[string][]Occurrence  // why a kubelet took a pod down, by pod UID
	boxes       map[string][]*Sandbox    // by pod UID
	starved     map[string]*ends         // by node, restarts that the runtime reported as OOMKilled
	OfFewPods   bool                     // all evidence is about a few pods
	Said        map[PodName]string       // what texts say of ends; who names no namespace means the usual one
	counted     map[string]bool          // the secondhand observations, by id
	once        sync.Once
	listed      bool // once it was computed
}

// Begin starts the timeline of a snapshot.
func Begin(s *evidence.Snapshot) *History {
	h := &History{
		Snapshot: s, Nodes: map[string]*NodeStory{}, Sandboxes: map[string]*Sandbox{},
		Configured: map[PodName][]Occurrence{}, ManifestsOf: map[PodName][]Occurrence{}, TakenDown: map[string][]Occurrence{},
	}
	h.remember(s.Observations)
	h.bind(s)
	h.namesakes(s)
	return h
}

// Lineage holds all known instances of one container of a pod, the oldest first.
type Lineage struct {
	Container string
	Kind      evidence.ContainerKind
	Instances []*Instance
}

// Lives returns the containers of a pod, including those that never restarted.
func (t *History) Lives(uid string) []Lineage {
	if p := t.Stories[uid]; p != nil && p.UID == uid {
		return p.Lives
	}
	return nil
}

// Inits returns the pod's ordinary init containers.
func (r *Restart) Inits() []Lineage {
	if r.Story == nil {
		return nil
	}
	return r.Story.Inits
}

// Lives returns the containers of the pod.
func (r *Restart) Lives() []Lineage {
	if r.Story == nil {
		return nil
	}
	return r.Story.Lives
}

// PodBetween returns the observations about the pod and its sandboxes in [begin, end).
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

// Ends returns the evidence of the end of the pod: that it was evicted, rejected, deleted, removed from the kubelet's
// config. Those of the API may have no time, and come first; the others are in order of time.
func (r *Restart) Ends() []Occurrence {
	if r.Story == nil {
		return nil
	}
	return r.Story.Ends
}

// Successor returns another pod with the name of the restart's pod that was created at or after the time, or nil: by
// name it looks like the same pod, restarted.
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

// Covered reports whether a source was read for the node over all of [from, until], in logs whose origin counts
// accepts, and at which verbosity (kubelet log).
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

// lost returns the losses by node, from all sources. Where a clock was set after a loss whose time was counted from the
// boot, the loss may have been at any time.
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

// Cover records which times the sources cover, and when they lost lines.
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
		if n := t.Node(c.Node); !c.From.IsZero() { // without a beginning it covers nothing
			since(c, n.ClockSets).Without(lost[c.Node], n.reachOf(c.Source).add)
		}
	}
	for _, n := range t.Nodes {
		for i := range n.reach {
			n.reach[i].order()
		}
	}
}

// since cuts a coverage whose times were counted from the boot to the time after the clock was last set: earlier times
// are by another clock.
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

// Node returns the story of a node, creating it if needed.
func (t *History) Node(name string) *NodeStory {
	n := t.Nodes[name]
	if n == nil {
		n = &NodeStory{Name: name}
		t.Nodes[name] = n
	}
	return n
}

// Listed reports whether pod objects were read. Table rows and words do not count: they may have left out any pod, and
// have no UIDs.
func (t *History) Listed() bool {
	t.once.Do(func() {
		t.listed = slices.ContainsFunc(t.Snapshot.Pods, func(p evidence.Pod) bool { return !p.Row() && !p.Mentioned() })
	})
	return t.listed
}

// Cut reports whether all evidence is about a few pods, and no pod objects were read: someone selected these lines from
// a node's log, so that every end in them is what was asked about.
func (t *History) Cut() bool { return t.OfFewPods }

// Skew is the difference between a clock and the one that dates a node's containers.
type Skew struct {
	// Source is a log of the node, or the API server.
	Source evidence.SourceKind
	// Against is what it was compared with: the runtime's or the API's records of containers, which both have the
	// node's time; for the API server the kubelet's events.
	Against evidence.SourceKind
	// Offset is how far Source is ahead, negative when it is behind; Least and Most bound the differences of all pairs
	// of observations that agree.
	Offset, Least, Most time.Duration
	Pairs               int
	// Guessed: a time zone that too few pairs confirm.
	Guessed bool
	// Loose: the difference is no time zone, and how late the lines are may be part of it. So its lines after an end may
	// not belong before it.
	Loose bool
	// Evidence are some of the observations that were compared.
	Evidence []string
}

// Clock identifies the clock that dates the observations of one source on one node.
type Clock struct {
	Node   string
	Source evidence.SourceKind
}

// Skews returns the clocks that differ from a node's, by source. All other times in the timeline are already by the
// node's clock.
func (t *History) Skews(node string) (all []Skew) {
	for k, s := range t.Clocks {
		if k.Node == node {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b Skew) int { return cmp.Compare(a.Source, b.Source) })
	return all
}

// Retried reports whether an aggregated event is of a sandbox that is tried again within seconds, over and over,
// because it cannot be created.
func Retried(f evidence.SandboxChanged, last time.Time) bool {
	return f.Count > 1 && !f.First.IsZero() && last.Sub(f.First) < time.Duration(f.Count-1)*tolerance.Retried
}

// Sort orders the restarts by end, and those with the same end by name. Restarts of one container keep their order.
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
		if a.sec != b.sec || a.nsec != b.nsec {
			return cmp.Or(cmp.Compare(a.sec, b.sec), cmp.Compare(a.nsec, b.nsec))
		}
		return cmp.Or(CompareNames(a.r, b.r), cmp.Compare(a.place, b.place))
	})
	for i := range keys {
		t.Restarts[i] = keys[i].r
	}
}

// CompareNames orders restarts by namespace, pod, UID, container and container id.
func CompareNames(a, b *Restart) int {
	if a.PodName != b.PodName { // as most do: the rest need not be compared
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.PodName, b.PodName))
	}
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.PodUID, b.PodUID),
		cmp.Compare(a.Container, b.Container), cmp.Compare(a.From.ID, b.From.ID))
}

// CreatedFrom returns the pods that were created at a time or later, of a list sorted by that.
func CreatedFrom(pods []*evidence.Pod, at time.Time) []*evidence.Pod {
	i, _ := slices.BinarySearchFunc(pods, at, func(p *evidence.Pod, at time.Time) int { return p.CreatedAt.Compare(at) })
	return pods[i:]
}
