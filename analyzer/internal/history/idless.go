package history

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// placeIDless assigns state records without an id to the instance whose end they match, or else whose start, and makes
// an instance for each of the others. kubectl describe prints the last state without its id; logs, tables and what was
// printed while it ran have the id.
func (t *builder) placeIDless(g *group) {
	known := g.instances
	for _, o := range g.idless {
		rec := o.Fact.(evidence.ContainerRecord)
		in := onlyOne(known, func(in *timeline.Instance) bool { return in.EndsAs(&rec) })
		if in == nil {
			in = onlyOne(known, func(in *timeline.Instance) bool { return in.RanAs(&rec) })
		}
		if in == nil {
			in = &timeline.Instance{Attempt: -1, Lost: true, Present: !rec.Last}
			g.instances = append(g.instances, in)
		}
		t.Fold(in, o.Observation, o.Subject.Node)
	}
}

// onlyOne returns the instance that fits, nil if none or several do.
func onlyOne(known []*timeline.Instance, fits func(*timeline.Instance) bool) *timeline.Instance {
	var one *timeline.Instance
	for _, in := range known {
		switch {
		case !fits(in):
		case one != nil:
			return nil
		default:
			one = in
		}
	}
	return one
}
