package timeline

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
)

// This file finds the containers of a pod that ended around the same time.

// siblings gives each restart of a pod those that ended around the same time. The lists
// are parts of the one that is given, and bounded: nobody has to go through thousands of
// containers for each of thousands.
func siblings(all []*Restart) {
	from, until := 0, 0
	for i, r := range all {
		for r.End().Sub(all[from].End()) >= tolerance.Together {
			from++
		}
		for until < len(all) && all[until].End().Sub(r.End()) < tolerance.Together {
			until++
		}
		a, b := max(from, i-Crowd/2), min(until, i+Crowd/2)
		r.Siblings, r.Crowded = all[a:b:b], a > from || b < until
	}
}

// Crowd is how many containers of a pod are compared with each other. Each comparison is
// with all others, so what they cost together grows with the square.
const Crowd = 256

// Lone tells that nothing shows another container of the pod at this restart's end or later: one that ended before is
// an init container.
func (r *Restart) Lone() bool {
	if r.pod == nil {
		return false
	}
	at := r.End()
	return !slices.ContainsFunc(r.pod.groups, func(g *group) bool {
		return g.Container != r.Container && slices.ContainsFunc(g.instances, func(in *Instance) bool {
			return !in.Exited() || in.Finished.After(at.Add(-tolerance.Slack))
		})
	})
}
