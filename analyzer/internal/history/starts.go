package history

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file makes the ends of a container that is known only from events: each start in a pod that is not the first one
// followed an end. What is told between two starts is about the end between them.

// toldEnds makes the ends of a container that has several starts in events and no record of an instance, and reports
// whether it did. Its last run is an end, too, if it was killed.
func (t *builder) toldEnds(g *group, killed *timeline.Instance) bool {
	for _, kind := range []string{timeline.UnknownUID, evidence.Described, evidence.Row, evidence.Mentioned} {
		if strings.HasPrefix(g.PodUID, kind) {
			return false // by name it may be another pod, and ages are too coarse
		}
	}
	starts, all := g.named.Starts()
	if len(starts) == 0 {
		return false
	}
	ended, goes := g.named.EndedBefore(starts[0].At), killed != nil && killed.Spoken.After(starts[len(starts)-1].At)
	if len(starts) < 2 && !(ended && goes) {
		return false // at most one end
	}
	run := func(i int) *timeline.Instance {
		in := &timeline.Instance{Attempt: -1, State: evidence.StateRunning, Started: starts[i].At,
			Records: []string{starts[i].Obs.ID}, Image: g.named.PulledFor(starts, i)}
		if i == len(starts)-1 {
			in.Attempt = all - 1
		}
		return in
	}
	begin, from := len(t.Restarts), &timeline.Instance{Attempt: -1}
	for i := range starts {
		to := run(i)
		if i > 0 || ended {
			from.State = ""
			from.Marked(g.named.Between(from.Started, to.Started)).DatedByWords()
			if from.Spoken.IsZero() {
				from.Spoken = t.remadeWithin(g, from.Started, to.Started)
			}
			t.add(g, from, to)
		}
		from = to
	}
	if goes {
		from.Marked(g.named.Between(from.Started, time.Time{})).DatedByWords()
		g.instances = append(g.instances, from)
		t.add(g, from, t.startedSince(g))
	}
	t.chain(begin)
	return true
}

// remadeWithin returns when the pod's sandbox was first reported as changed between two starts of a container: this
// ends what runs in it, however long the pod then pulls its images.
func (t *builder) remadeWithin(g *group, after, until time.Time) time.Time {
	for _, o := range t.remakes(g.in.Pod) {
		for _, at := range []time.Time{o.First(), o.Time} {
			if at.After(after) && at.Before(until) {
				return at
			}
		}
	}
	return time.Time{}
}
