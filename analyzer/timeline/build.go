package timeline

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Timeline is the ordered story of a snapshot.
type Timeline struct {
	Snapshot  *evidence.Snapshot
	Restarts  []*Restart // by end, oldest first
	Nodes     map[string]*NodeStory
	Sandboxes map[string]*Sandbox
	EventsFor evidence.Coverage // how far back the API's events reach
	pods      map[string]*evidence.Pod
	ends      map[string][]Mark          // what is said of a pod's end, by pod UID
	named     map[string][]*evidence.Pod // by namespace/name
	obs       []evidence.Observation     // the snapshot's, with pod UIDs filled in
	lives     map[string][]Life          // by pod UID, in order of the containers' names
}

// Life is every known instance of one container of a pod, the oldest first.
type Life struct {
	Container string
	Instances []*Instance
}

// Build reads a snapshot into a timeline. It keeps pointers into the snapshot,
// which must not change afterwards.
func Build(s *evidence.Snapshot) *Timeline {
	t := &Timeline{Snapshot: s, Nodes: map[string]*NodeStory{}, Sandboxes: map[string]*Sandbox{}, pods: map[string]*evidence.Pod{}, ends: map[string][]Mark{}, named: map[string][]*evidence.Pod{}}
	for i := range s.Pods {
		t.pods[s.Pods[i].UID] = &s.Pods[i]
		t.pods[s.Pods[i].RuntimeUID()] = &s.Pods[i]
		name := s.Pods[i].Namespace + "/" + s.Pods[i].Name
		t.named[name] = append(t.named[name], &s.Pods[i])
	}
	for i := range s.Nodes {
		t.node(s.Nodes[i].Name).Info = s.Nodes[i]
	}
	t.obs = t.withUIDs(s.Observations)
	t.coverage()
	t.nodeStories()
	ids := identify(t)
	groups := collect(t, ids)
	t.attachByName(groups)
	t.pair(groups)
	t.keepLives(groups)
	slices.SortStableFunc(t.Restarts, func(a, b *Restart) int {
		if c := a.End().Compare(b.End()); c != 0 {
			return c
		}
		return compareNames(a, b)
	})
	t.attachPods()
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
// time.
func (t *Timeline) Ends(uid string) []Mark { return t.ends[uid] }

// Successor returns another pod of the same name that was created at or after the
// time, or nil: to those who look at names it is the same pod, restarted.
func (t *Timeline) Successor(namespace, name, uid string, at time.Time) *evidence.Pod {
	for _, p := range t.named[namespace+"/"+name] {
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
	for _, c := range story.Coverage {
		if c.Source == kind && c.Covers(from, until) {
			ok, verbosity = true, max(verbosity, c.Verbosity)
		}
	}
	return ok, verbosity
}

// EventsCovered tells whether the API's events reach back to from.
func (t *Timeline) EventsCovered(from time.Time) bool {
	return !from.IsZero() && !t.EventsFor.From.IsZero() && !from.Before(t.EventsFor.From)
}

func (t *Timeline) coverage() {
	for _, c := range t.Snapshot.Coverage {
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

func compareNames(a, b *Restart) int {
	for _, p := range [][2]string{{a.Namespace, b.Namespace}, {a.PodName, b.PodName}, {a.PodUID, b.PodUID}, {a.Container, b.Container}, {a.From.ID, b.From.ID}} {
		if p[0] != p[1] {
			if p[0] < p[1] {
				return -1
			}
			return 1
		}
	}
	return 0
}
