package detail

import (
	"maps"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// scene is what a detail is made from: the observations about one pod, and about its node, in one window.
type scene struct {
	ix   *index
	r    *timeline.Restart
	node *timeline.NodeStory // nil where the node is not known
	w    window
	names
	uids []string // the pod's, in the API and in the runtime
	// seen are the positions of what happened in the window; records those of the pod's records, at any time.
	seen, records []int32
}

// sceneOf collects what belongs to a restart. It walks over the observations of the pod and its node, not over the
// snapshot.
func (t *Provider) sceneOf(r *timeline.Restart) *scene {
	c := &scene{ix: t.index(), r: r, node: t.t.Nodes[r.Node], uids: []string{r.PodUID},
		names: names{byID: map[string]who{}, boxes: t.t.Sandboxes}}
	if r.Pod != nil && r.Pod.RuntimeUID() != r.PodUID {
		c.uids = append(c.uids, r.Pod.RuntimeUID())
	}
	var last time.Time
	if r.End().IsZero() {
		last = c.last()
	}
	c.w = windowOf(r, last)
	for _, other := range c.ix.restarts[r.PodUID] {
		if c.w.meets(other.From.Begun(), end(other.To)) {
			c.learn(other)
		}
	}
	c.learn(r)
	positions := map[int32]bool{}
	for _, uid := range c.uids {
		for _, b := range t.t.SandboxesOf(uid) {
			c.byID[b.ID] = c.box(b.ID)
		}
		for _, at := range c.ix.pod.of(uid) {
			o := c.ix.obs[at]
			switch o.Fact.(type) {
			case evidence.ContainerRecord, evidence.SandboxRecord, evidence.SandboxCreated:
				c.records = append(c.records, at)
			}
			if c.happened(o) {
				c.meet(o)
				positions[at] = true
			}
		}
	}
	c.follow(positions)
	for _, at := range c.ix.node.of(r.Node) {
		if o := c.ix.obs[at]; bearsOnAll(o) && c.happened(o) {
			positions[at] = true
		}
	}
	c.seen = slices.Sorted(maps.Keys(positions))
	return c
}

// follow adds observations that have an id of the pod but not the pod itself, such as the runtime's lines. A line with
// a sandbox and a container connects the two.
func (c *scene) follow(positions map[int32]bool) {
	for queue := c.ids(); len(queue) > 0; queue = queue[1:] {
		for _, list := range []postings{c.ix.container, c.ix.sandbox} {
			for _, at := range list.of(queue[0]) {
				if o := c.ix.obs[at]; !positions[at] && c.happened(o) {
					positions[at] = true
					queue = append(queue, c.meet(o)...)
				}
			}
		}
	}
}

// happened reports whether an observation, or the first occurrence of an aggregated
// one, is in the window.
func (c *scene) happened(o *evidence.Observation) bool {
	if c.w.holds(o.Time) {
		return true
	}
	switch f := o.Fact.(type) {
	case evidence.UnitState:
		return c.w.holds(f.ActiveEnterTime) || c.w.holds(f.ExitTime)
	case evidence.KillDecided, evidence.ProbeFailed, evidence.SandboxChanged, evidence.APIEvent:
		count, first := timeline.Repeated(o)
		return count > 1 && c.w.holds(first)
	}
	return false
}

// last returns the time of the pod's last observation.
func (c *scene) last() (at time.Time) {
	for _, uid := range c.uids {
		for _, i := range c.ix.pod.of(uid) {
			if o := c.ix.obs[i]; o.Time.After(at) {
				at = o.Time
			}
		}
	}
	return at
}

// bearsOnAll reports whether it happened to a node as a whole, rather than to one process on it, which may be of any
// pod.
func bearsOnAll(o *evidence.Observation) bool {
	switch f := o.Fact.(type) {
	case evidence.Segfault, evidence.ManifestRead, evidence.KubeletSetting:
		return false
	case evidence.OOMKill:
		return f.Global
	case evidence.APIEvent:
		return !slices.Contains(ordinary, f.Reason)
	}
	return true
}

// ordinary are the events that a kubelet sends at each of its starts.
var ordinary = []string{
	"NodeHasSufficientMemory", "NodeHasSufficientPID", "NodeHasNoDiskPressure",
	"NodeHasSufficientDisk", "NodeAllocatableEnforced",
	"InvalidDiskCapacity", "CgroupV1", "RegisteredNode",
}

// end returns when an instance ended; zero when it did not, or when that is unknown.
func end(in *timeline.Instance) time.Time {
	if in == nil {
		return time.Time{}
	}
	return in.Finished
}
