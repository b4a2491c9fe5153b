package timeline

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/slab"
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
	pods         map[string]*pod   // by UID, static pods by two
	skews        map[clock]Skew
	named        map[podName][]*evidence.Pod
	config       map[podName][]Occurrence // pods taken into or from a config source, by name
	manifests    map[podName][]Occurrence // manifests of static pods, by name
	teardowns    map[string][]Occurrence  // why a kubelet took a pod down, by pod UID
	boxes        map[string][]*Sandbox    // by pod UID
	starved      map[string]*ends         // of the restarts on a node that the runtime called OOMKilled
	obs          []seen                   // the snapshot's, with pod UIDs filled in
	*draft                                // nil once the timeline is built
	counted      map[string]bool          // the observations of monitoring systems
	scheduled    map[podName][]time.Time  // when pods of a name were given to nodes; nil until asked for
	remadeLast   map[*pod]Occurrence      // when a pod's sandbox was last said to have changed; nil until asked for
	made         made
}

// draft is what a timeline needs while it is built.
type draft struct {
	ids    identities
	groups []*group
	claims []nameClaim
	second map[nameAndUID]*uidClaim // the second name of a UID, and all further ones
}

// made is where the parts of a timeline are made: there are many of each.
type made struct {
	boxes     slab.Of[Sandbox]
	instances slab.Of[Instance]
	groups    slab.Of[group]
	restarts  slab.Of[Restart]
	pods      slab.Of[pod]
	obs       slab.Of[evidence.Observation]
	marks     slab.Of[Occurrence]
	records   slab.Of[string]
}

// Lineage is every known instance of one container of a pod, the oldest first.
type Lineage struct {
	Container string
	Instances []*Instance
}

// Build reads a snapshot into a timeline. It keeps pointers into the snapshot, which must not change afterwards.
func Build(s *evidence.Snapshot) *History {
	t := &History{
		Snapshot: s, Nodes: map[string]*NodeStory{}, Sandboxes: map[string]*Sandbox{},
		config: map[podName][]Occurrence{}, manifests: map[podName][]Occurrence{},
		teardowns: map[string][]Occurrence{}, draft: &draft{},
	}
	t.remember(s.Observations)
	t.resolve(s.Observations)
	t.bind(s)
	pods, coverage := t.onOneClock(s)
	t.know(t.withoutRows(pods))
	for i := range s.Nodes {
		t.node(s.Nodes[i].Name).Info = s.Nodes[i]
	}
	t.withUIDs()
	t.nodeStories()
	t.coverage(coverage)
	t.configs()
	t.identify()
	t.collect()
	t.recount()
	t.attachByName()
	t.pair()
	t.succeed()
	t.wholePods()
	t.alone()
	t.keepLives()
	t.sort()
	t.attachPods()
	t.apparent()
	t.index()
	t.draft, t.made, t.remadeLast = nil, made{}, nil
	return t
}

// Lives returns what is known of the containers of a pod, also of those that never restarted.
func (t *History) Lives(uid string) []Lineage {
	if p := t.canonical(uid); p != nil {
		return p.lives
	}
	return nil
}

// Inits returns what is known of the pod's ordinary init containers.
func (r *Restart) Inits() []Lineage {
	if r.pod == nil {
		return nil
	}
	return r.pod.inits
}

// Lives returns what is known of the containers of the pod.
func (r *Restart) Lives() []Lineage {
	if r.pod == nil {
		return nil
	}
	return r.pod.lives
}

// PodBetween returns the observations about the pod and its sandboxes from begin on and before end.
func (r *Restart) PodBetween(begin, end time.Time) []Occurrence {
	if r.pod == nil || begin.IsZero() {
		return nil
	}
	return within(r.pod.marks, begin, end)
}

func (t *History) keepLives() {
	var lists slab.Of[Lineage]
	for _, g := range t.groups {
		p := g.in
		if n := len(g.instances); n > 0 && g.Node != "" {
			t.node(g.Node).runs(g.instances[n-1])
		}
		if p.lives != nil {
			continue // of another container of the pod
		}
		p.lives = lists.Take(len(p.groups))[:0]
		for _, g := range p.groups {
			if len(g.instances) > 0 {
				p.lives = append(p.lives, Lineage{g.Container, g.instances})
				if g.kind == evidence.KindInit {
					p.inits = append(p.inits, Lineage{g.Container, g.instances})
				}
			}
		}
		if len(p.lives) > 1 {
			byName := func(a, b Lineage) int { return strings.Compare(a.Container, b.Container) }
			slices.SortFunc(p.lives, byName)
			slices.SortFunc(p.inits, byName)
		}
	}
}

// Pod returns the pod that the API or the runtime knows under this UID, or nil.
func (t *History) Pod(uid string) *evidence.Pod { return apiOf(t.pods[uid]) }

// Observations are those of the snapshot, in its order, with pod UIDs filled in
// where a line names a pod and nothing else. They must not be changed.
func (t *History) Observations() []*evidence.Observation {
	out := make([]*evidence.Observation, len(t.obs))
	for i := range t.obs {
		out[i] = t.obs[i].Observation
	}
	return out
}

// Ends returns what the evidence says of the end of the pod: that it was evicted,
// rejected, deleted, taken from the kubelet's config. Those of the API may have no
// time, and come first; the others are in order of their times.
func (r *Restart) Ends() []Occurrence {
	if r.pod == nil {
		return nil
	}
	return r.pod.ends
}

// Successor returns another pod of the restart's pod's name that was created at or after
// the time, or nil: to those who look at names it is the same pod, restarted.
func (t *History) Successor(r *Restart, at time.Time) *evidence.Pod {
	if r.pod != nil && r.pod.alone {
		return nil
	}
	for _, p := range createdFrom(t.named[podName{r.Namespace, r.PodName}], at.Truncate(time.Second)) {
		if p.UID != r.PodUID && p.RuntimeUID() != r.PodUID {
			return p
		}
	}
	return nil
}

// SandboxOf returns the sandbox that an instance ran in, or nil.
func (t *History) SandboxOf(in *Instance) *Sandbox {
	if in.sandbox != nil {
		return in.sandbox
	}
	return t.Sandboxes[in.SandboxID]
}

// Has tells whether a source of the node was read at all, whatever it covers.
func (n *NodeStory) Has(kind evidence.SourceKind) bool {
	return n != nil && slices.ContainsFunc(n.reach, func(r sourceCoverage) bool { return r.source == kind })
}

// Covered tells whether a source was read for the node over [from, until] in logs of an origin that
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

// EventsCovered tells whether the API's events reach back to from.
func (t *History) EventsCovered(from time.Time) bool {
	return !from.IsZero() && !t.EventsFor.From.IsZero() && !from.Before(t.EventsFor.From)
}

func (t *History) coverage(all []evidence.Coverage) {
	for i := range all {
		c := &all[i]
		if c.Source == evidence.SourceAPI {
			if t.EventsFor.From.IsZero() || c.From.Before(t.EventsFor.From) {
				t.EventsFor = *c
			}
			continue
		}
		if n := t.node(c.Node); !c.From.IsZero() { // without a beginning it holds over nothing
			n.reachOf(c.Source).add(since(c, n.ClockSets))
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

func (t *History) node(name string) *NodeStory {
	n := t.Nodes[name]
	if n == nil {
		n = &NodeStory{Name: name}
		t.Nodes[name] = n
	}
	return n
}

// sort brings the restarts in order of their ends; what ended together, in order of
// names, and the restarts of one container as they are.
func (t *History) sort() {
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
		return cmp.Or(compareNames(a.r, b.r), cmp.Compare(a.place, b.place))
	})
	for i := range keys {
		t.Restarts[i] = keys[i].r
	}
}

func compareNames(a, b *Restart) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.PodName, b.PodName),
		cmp.Compare(a.PodUID, b.PodUID), cmp.Compare(a.Container, b.Container), cmp.Compare(a.From.ID, b.From.ID))
}
