package timeline

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Timeline is the ordered story of a snapshot.
type Timeline struct {
	Snapshot  *evidence.Snapshot
	Restarts  []*Restart // by end, oldest first
	Apparent  []*Restart // what looked like a restart and was none, oldest first
	Nodes     map[string]*NodeStory
	Sandboxes map[string]*Sandbox
	EventsFor evidence.Coverage // how far back the API's events reach
	pods      map[string]*evidence.Pod
	ends      map[string][]Mark // what is said of a pod's end, by pod UID
	skews     map[clock]Skew
	named     map[podName][]*evidence.Pod
	config    map[podName][]Mark     // pods taken into or from a config source, by name
	manifests map[podName][]Mark     // manifests of static pods, by name
	teardowns map[string][]Mark      // why a kubelet took a pod down, by pod UID
	origins   map[string]*Origin     // where pods come from, by pod UID
	boxes     map[string][]*Sandbox  // by pod UID
	onNode    map[string]*ends       // of the restarts on a node
	obs       []evidence.Observation // the snapshot's, with pod UIDs filled in
	lives     map[string][]Life      // by pod UID, in order of the containers' names
}

// Life is every known instance of one container of a pod, the oldest first.
type Life struct {
	Container string
	Instances []*Instance
}

// Build reads a snapshot into a timeline. It keeps pointers into the snapshot,
// which must not change afterwards.
func Build(s *evidence.Snapshot) *Timeline {
	t := &Timeline{
		Snapshot: s, Nodes: map[string]*NodeStory{}, Sandboxes: map[string]*Sandbox{}, pods: map[string]*evidence.Pod{}, ends: map[string][]Mark{},
		named: map[podName][]*evidence.Pod{}, config: map[podName][]Mark{}, manifests: map[podName][]Mark{}, teardowns: map[string][]Mark{}, origins: map[string]*Origin{},
	}
	obs, pods, coverage := t.onOneClock(s)
	for i := range pods {
		p := &pods[i]
		t.pods[p.UID] = p
		t.pods[p.RuntimeUID()] = p
		name := podName{p.Namespace, p.Name}
		t.named[name] = append(t.named[name], p)
	}
	for i := range s.Nodes {
		t.node(s.Nodes[i].Name).Info = s.Nodes[i]
	}
	t.obs = t.withUIDs(obs, pods)
	t.coverage(coverage)
	t.nodeStories()
	t.configs()
	groups := collect(t, identify(t))
	t.attachByName(groups)
	t.pair(groups)
	t.succeed(groups)
	t.keepLives(groups)
	t.sort()
	marks := t.attachPods()
	t.apparent(groups, marks)
	t.index()
	return t
}

// Lives returns what is known of the containers of a pod, also of those that never
// restarted.
func (t *Timeline) Lives(uid string) []Life { return t.lives[uid] }

func (t *Timeline) keepLives(groups map[groupKey]*group) {
	t.lives = make(map[string][]Life, len(t.pods))
	for k, g := range groups {
		if len(g.instances) > 0 {
			t.lives[k.uid] = append(t.lives[k.uid], Life{k.container, g.instances})
		}
	}
	for _, all := range t.lives {
		slices.SortFunc(all, func(a, b Life) int { return strings.Compare(a.Container, b.Container) })
	}
}

// Pod returns the pod that the API or the runtime knows under this UID, or nil.
func (t *Timeline) Pod(uid string) *evidence.Pod { return t.pods[uid] }

// Observations are those of the snapshot, in its order, with pod UIDs filled in
// where a line names a pod and nothing else. They must not be changed.
func (t *Timeline) Observations() []evidence.Observation { return t.obs }

// Ends returns what the evidence says of the end of a pod: that it was evicted,
// rejected, deleted, taken from the kubelet's config. Those of the API may have no
// time, and come first; the others are in order of their times.
func (t *Timeline) Ends(uid string) []Mark { return t.ends[uid] }

// Successor returns another pod of the same name that was created at or after the
// time, or nil: to those who look at names it is the same pod, restarted.
func (t *Timeline) Successor(namespace, name, uid string, at time.Time) *evidence.Pod {
	for _, p := range t.named[podName{namespace, name}] {
		if p.UID != uid && p.RuntimeUID() != uid && !p.CreatedAt.Before(at.Truncate(time.Second)) {
			return p
		}
	}
	return nil
}

// Covered tells whether a source was read for the node over [from, until], and
// at which verbosity (kubelet log).
func (t *Timeline) Covered(kind evidence.SourceKind, node string, from, until time.Time) (ok bool, verbosity int) {
	story := t.Nodes[node]
	if story == nil {
		return false, 0
	}
	if r := story.reach[kind]; r != nil {
		return r.covers(from, until)
	}
	return false, 0
}

// EventsCovered tells whether the API's events reach back to from.
func (t *Timeline) EventsCovered(from time.Time) bool {
	return !from.IsZero() && !t.EventsFor.From.IsZero() && !from.Before(t.EventsFor.From)
}

func (t *Timeline) coverage(all []evidence.Coverage) {
	for _, c := range all {
		if c.Source == evidence.SourceAPI {
			if t.EventsFor.From.IsZero() || c.From.Before(t.EventsFor.From) {
				t.EventsFor = c
			}
			continue
		}
		n := t.node(c.Node)
		n.Coverage = append(n.Coverage, c)
	}
}

func (t *Timeline) node(name string) *NodeStory {
	n := t.Nodes[name]
	if n == nil {
		n = &NodeStory{Name: name}
		t.Nodes[name] = n
	}
	return n
}

// sort brings the restarts in order of their ends; what ended together, in order of
// names, and the restarts of one container as they are.
func (t *Timeline) sort() {
	type key struct {
		end   time.Time
		place int
		r     *Restart
	}
	keys := make([]key, len(t.Restarts))
	for i, r := range t.Restarts {
		keys[i] = key{r.End(), i, r}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if c := a.end.Compare(b.end); c != 0 {
			return c
		}
		return cmp.Or(compareNames(a.r, b.r), cmp.Compare(a.place, b.place))
	})
	for i := range keys {
		t.Restarts[i] = keys[i].r
	}
}

func compareNames(a, b *Restart) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.PodName, b.PodName), cmp.Compare(a.PodUID, b.PodUID), cmp.Compare(a.Container, b.Container), cmp.Compare(a.From.ID, b.From.ID))
}
