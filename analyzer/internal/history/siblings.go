package history

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
)

// This file finds the containers of a pod that ended around the same time.

// siblings sets for each restart of a pod those that ended around the same time. The lists are slices of all, with a
// limit: with thousands of containers, nobody compares each with all others.
func siblings(all []*timeline.Restart) {
	from, until := 0, 0
	for i, r := range all {
		for r.End().Sub(all[from].End()) >= tolerance.Together {
			from++
		}
		for until < len(all) && all[until].End().Sub(r.End()) < tolerance.Together {
			until++
		}
		a, b := max(from, i-timeline.Crowd/2), min(until, i+timeline.Crowd/2)
		r.Siblings, r.Crowded = all[a:b:b], a > from || b < until
	}
}
