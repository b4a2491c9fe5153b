package history

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/slab"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// builder builds a timeline.
type builder struct {
	*subject.Resolver
	groups []*group
	lifes  []*life                // by the numbers of their pods
	given  map[string][]time.Time // by node, when its kubelet got pods from the API server
	// remadeOf is what reports that a pod's sandbox changed, scheduled when pods of a name were assigned to nodes; nil
	// until computed.
	remadeOf    map[*subject.Pod][]*subject.Seen
	unmadeSince map[*subject.Pod]subject.Failure // set by the first call of failing
	ranSince    map[*subject.Pod]time.Time       // set by the first call of ran
	scheduled   map[timeline.PodName][]time.Time
	nothing     rare // of most groups
	made
}

// made holds the blocks that parts of a timeline are allocated from: there are many of each.
type made struct {
	instances slab.Of[timeline.Instance]
	groupsOf  slab.Of[group]
	restarts  slab.Of[timeline.Restart]
	lives     slab.Of[life]
	marks     slab.Of[timeline.Occurrence]
	records   slab.Of[string]
}

// Build reads a snapshot into a timeline. It keeps pointers into the snapshot, which must not change afterwards.
func Build(s *evidence.Snapshot) *timeline.History {
	t := &builder{Resolver: subject.Resolved(s), given: map[string][]time.Time{}}
	t.configs()
	t.collect()
	t.recount()
	t.attachByName()
	t.pair()
	t.succeed()
	t.wholePods()
	t.alone()
	t.keepLives()
	t.Sort()
	t.attachPods()
	t.apparent()
	t.Index()
	return t.History
}

func (t *builder) keepLives() {
	var lists slab.Of[timeline.Lineage]
	for _, g := range t.groups {
		p := g.in
		if n := len(g.instances); n > 0 && g.Node != "" {
			t.Node(g.Node).Runs(g.instances[n-1])
		}
		if p.Lives != nil {
			continue // of another container of the pod
		}
		p.Lives = lists.Take(len(p.groups))[:0]
		for _, g := range p.groups {
			if len(g.instances) > 0 {
				p.Lives = append(p.Lives, timeline.Lineage{Container: g.Container, Kind: g.kind, Instances: g.instances})
				if g.kind == evidence.KindInit {
					p.Inits = append(p.Inits, timeline.Lineage{Container: g.Container, Kind: g.kind, Instances: g.instances})
				}
			}
		}
		if len(p.Lives) > 1 {
			byName := func(a, b timeline.Lineage) int { return strings.Compare(a.Container, b.Container) }
			slices.SortFunc(p.Lives, byName)
			slices.SortFunc(p.Inits, byName)
		}
	}
}
