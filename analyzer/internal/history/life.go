package history

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// life is what happened to the containers of a pod.
type life struct {
	*subject.Pod
	groups   []*group
	more     map[string]*group   // for a pod with too many containers for a linear search
	expected int                 // how many marks there will be
	anew     *int                // how often its sandbox was recreated; nil before that was counted
	restarts []*timeline.Restart // by end
}

// life returns that of a pod, which may still be empty.
func (t *builder) life(p *subject.Pod) *life {
	for len(t.lifes) <= p.Number {
		t.lifes = append(t.lifes, nil)
	}
	if t.lifes[p.Number] == nil {
		t.lifes[p.Number] = t.lives.New()
		t.lifes[p.Number].Pod = p
	}
	return t.lifes[p.Number]
}

// lineages returns the pod's containers with what is known of them so far.
func (p *life) lineages() (all []timeline.Lineage) {
	for _, g := range p.groups {
		all = append(all, timeline.Lineage{Container: g.Container, Kind: g.kind, Instances: g.instances})
	}
	return all
}

func (p *life) group(container string) *group {
	if p.more != nil {
		return p.more[container]
	}
	for _, g := range p.groups {
		if g.Container == container {
			return g
		}
	}
	return nil
}

func (p *life) add(g *group) {
	p.groups = append(p.groups, g)
	if p.more == nil && len(p.groups) > subject.FewGroups {
		p.more = make(map[string]*group, 2*len(p.groups))
		for _, g := range p.groups {
			p.more[g.Container] = g
		}
	} else if p.more != nil {
		p.more[g.Container] = g
	}
}

// ranAgain reports whether an init container's only known run began while a container of the pod ran: it had succeeded
// before.
func (g *group) ranAgain() bool {
	return g.kind == evidence.KindInit && len(g.instances) == 1 && timeline.RanAt(g.in.lineages(), g.instances[0].Started)
}
