package timeline

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file decides which logs and records are from the machine that the API calls a node. A name proves nothing: two
// clusters may have a node n1 each, and a machine may get the name of one that is gone. A log is this node's if it
// names a container or pod that the API has there, if it has the machine id or boot id of such a log, or if it is of
// the boot that the node reports. The others are kept: they may be all that is left of what the API has forgotten. But
// their silence about what the API knows counts for nothing.

// place is what is known of one node while its logs are bound to it.
type place struct {
	info    *evidence.Node
	listed  bool            // the API has containers or pods there,
	ids     map[string]bool // these; empty where no log or record is compared with them
	origins []*evidence.Origin
	tells   map[*evidence.Origin]bool // names one of the ids
	writes  map[*evidence.Origin]bool // has lines of kubelets or runtimes, which name containers
	records bool                      // the runtime's records were read,
	known   bool                      // and contain one of the ids
}

func (p *place) add(o *evidence.Origin) {
	if !slices.Contains(p.origins, o) {
		p.origins = append(p.origins, o)
	}
}

// bind decides it for every node of which the API has containers or pods.
func (t *History) bind(s *evidence.Snapshot) {
	for name, p := range t.places(s) {
		if !p.listed {
			continue // nothing to match against
		}
		n := t.Node(name)
		for _, o := range p.origins {
			if !p.ours(o) {
				if n.unbound == nil {
					n.unbound = map[*evidence.Origin]bool{}
				}
				n.unbound[o] = true
			}
		}
		i := p.info
		n.foreign = !p.known && (p.records || i != nil && i.HostBoot != "" && i.BootID != "" && i.HostBoot != i.BootID)
	}
}

// Binds reports whether a log counts as evidence about the node that the API knows.
func (n *NodeStory) Binds(o *evidence.Origin) bool { return !n.unbound[o] }

// Strange reports whether an observation about the node comes from a log or a record that nothing links to the node's
// machine.
func (n *NodeStory) Strange(o *evidence.Observation) bool {
	switch by := o.Source.Origin; {
	case o.Source.Kind == evidence.SourceAPI:
		return false
	case by != nil:
		return n.unbound[by]
	}
	return n.foreign
}

// lookForStrangers finds the strange observations in the node's story.
func (n *NodeStory) lookForStrangers() {
	if len(n.unbound) == 0 && !n.foreign {
		return
	}
	n.strange = map[string]bool{}
	for _, marks := range [...][]Occurrence{n.Boots, n.Runtime, n.OOM, n.Settings,
		n.Runtimes, n.RuntimeErrors, n.Placements, n.AdminActions, n.Shortages, n.Manifests} {
		for _, m := range marks {
			n.strange[m.Obs.ID] = n.Strange(m.Obs)
		}
	}
	for _, run := range n.Kubelet {
		n.strange[run.Obs.ID] = n.Strange(run.Obs)
	}
}

// Strangers returns those of the ids whose observations come from a strange log or record.
func (n *NodeStory) Strangers(ids ...[]string) (found []string) {
	if n == nil || len(n.strange) == 0 {
		return nil
	}
	for _, list := range ids {
		for _, id := range list {
			if n.strange[id] {
				found = append(found, id)
			}
		}
	}
	return found
}

// places collects, by node, what logs and API say.
func (t *History) places(s *evidence.Snapshot) map[string]*place {
	places := map[string]*place{}
	at := func(node string) *place {
		p := places[node]
		if p == nil {
			p = &place{ids: map[string]bool{}, tells: map[*evidence.Origin]bool{}, writes: map[*evidence.Origin]bool{}}
			places[node] = p
		}
		return p
	}
	for i := range s.Nodes {
		at(s.Nodes[i].Name).info = &s.Nodes[i]
	}
	compared := false // the ids of a cluster are many
	for i := range s.Observations {
		compared = compared || ofMachine(&s.Observations[i].Source)
	}
	list := func(node, id string) {
		p := at(node)
		if p.listed = true; compared {
			p.ids[id] = true
		}
	}
	for i := range s.Pods {
		p := &s.Pods[i]
		if p.Node != "" {
			list(p.Node, p.UID)
		}
	}
	for i := range s.Observations {
		o := &s.Observations[i]
		if o.Source.Kind == evidence.SourceAPI && o.Subject.ContainerID != "" && o.Subject.Node != "" {
			list(o.Subject.Node, o.Subject.ContainerID)
		}
	}
	var last *place
	var node string
	for i := range s.Observations {
		o := &s.Observations[i]
		by := o.Source.Origin
		if !ofMachine(&o.Source) {
			continue
		}
		if last == nil || node != o.Source.Node {
			last, node = at(o.Source.Node), o.Source.Node
		}
		id, uid := o.Subject.ContainerID, o.Subject.PodUID
		tells := id != "" && last.ids[id] || uid != "" && last.ids[uid]
		if by == nil {
			last.records, last.known = true, last.known || tells
			continue
		}
		if !last.writes[by] && !last.tells[by] {
			last.add(by)
		}
		if k := o.Source.Kind; (k == evidence.SourceKubeletLog || k == evidence.SourceRuntimeLog) && (id != "" || uid != "") {
			last.writes[by] = true
		}
		if tells {
			last.tells[by] = true
		}
	}
	for i := range s.Coverage {
		if c := &s.Coverage[i]; c.Origin != nil && c.Node != "" {
			at(c.Node).add(c.Origin)
		}
	}
	return places
}

// ofMachine reports whether a source is a log or a record of a node's machine.
func ofMachine(s *evidence.Source) bool {
	return (s.Origin != nil || s.Kind == evidence.SourceCRI) && s.Node != ""
}

// ours reports whether a log is known to be from the node's machine.
func (p *place) ours(o *evidence.Origin) bool {
	if p.tells[o] {
		return true
	}
	if i := p.info; i != nil && i.Machine != "" && o.Machine != "" {
		return i.Machine == o.Machine
	}
	another := false // a boot id alone is not enough: containers that act as nodes share it
	for other := range p.tells {
		if o.Same(other) {
			return true
		}
		another = another || o.Machine != "" && other.Machine != "" && o.Machine != other.Machine
	}
	return !another && p.info != nil && o.Boot != "" && o.Boot == p.info.BootID && !p.writes[o]
}
