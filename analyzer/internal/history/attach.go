package history

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// attachByName assigns marks that name a container, but no id, to the instance that ran at their time.
func (t *builder) attachByName() {
	for _, g := range t.groups {
		for _, m := range g.named {
			if in := g.at(m); in != nil {
				in.Mark(m)
			}
		}
		for _, in := range g.instances {
			if !slices.IsSortedFunc(in.Marks, timeline.ByTime) {
				slices.SortStableFunc(in.Marks, timeline.ByTime)
			}
		}
	}
}

// at returns the instance that a mark is about. Most marks are about the one that ran then; a pulled image is about the
// one that is started next.
func (g *group) at(m timeline.Occurrence) *timeline.Instance {
	if m.At.IsZero() {
		return nil
	}
	if _, pulled := m.Obs.Fact.(evidence.ImageSeen); pulled {
		return g.startedAfter(m.At)
	}
	_, kill := m.Obs.Fact.(evidence.KillDecided)
	for i := len(g.instances) - 1; i >= 0; i-- {
		in := g.instances[i]
		start := in.Begin()
		if in.Finished.Equal(start) && in.Started.IsZero() {
			start = time.Time{} // only its end is known: it may have begun at any time before
		}
		// Events have whole seconds: one at 10:00:05 may be of 10:00:05.9.
		whole := second(start)
		if !start.IsZero() && m.At.Before(whole) {
			continue
		}
		// The old instance ended and this one began within that second: a kill comes before the end.
		switch second := kill && m.At.Equal(whole); {
		case second && i > 0 && !g.instances[i-1].Finished.Before(whole):
			return g.instances[i-1]
		case second && i == 0 && (in.Attempt > 0 || in.Attempt < 0 && len(g.instances) <= g.restarts):
			return nil // about the one before, of which nothing is known
		}
		if kill && !in.Finished.IsZero() && m.At.After(in.Finished.Add(tolerance.Slack)) {
			return nil // nobody kills the dead; it was about an unknown instance
		}
		return in
	}
	return nil
}

// second truncates a time to the second, as Truncate does, but without its long division.
func second(t time.Time) time.Time { return t.Add(-time.Duration(t.Nanosecond())) }

// startedAfter returns the first instance that was started at or after the time.
func (g *group) startedAfter(at time.Time) *timeline.Instance {
	for _, in := range g.instances {
		if start := in.Begin(); !start.IsZero() && !start.Before(at) {
			return in
		}
	}
	return nil
}

// attachPods assigns to each restart what happened to its pod and its sandboxes around it, and its siblings.
func (t *builder) attachPods() {
	// Count the marks first: pods have from none to hundreds, and lists that grow are copied twice as often as needed.
	for i := range t.Obs {
		if o := &t.Obs[i]; ofPod(o) {
			p := t.life(o.Pod)
			if p.expected++; o.Tells&(timeline.HasKill|timeline.HasProbe|timeline.HasSandbox) != 0 {
				p.expected++ // it may include a first occurrence
			}
		}
	}
	for i := range t.Obs {
		o := &t.Obs[i]
		if !ofPod(o) {
			continue
		}
		p := t.life(o.Pod)
		m := timeline.Once(o.Observation)
		if o.Tells&timeline.ToldOfEnd != 0 && endsPod(o.Fact) {
			p.Ends = append(p.Ends, m)
		}
		if p.Marks == nil {
			p.Marks = t.marks.Take(p.expected)[:0]
		}
		p.Marks = append(p.Marks, m)
		if at, ok := timeline.FirstOf(o.Observation); ok {
			p.Marks = append(p.Marks, timeline.Occurrence{At: at, Obs: o.Observation})
		}
		p.Kinds |= o.Tells
	}
	for _, p := range t.All {
		if !slices.IsSortedFunc(p.Marks, timeline.ByTime) {
			slices.SortStableFunc(p.Marks, timeline.ByTime)
		}
	}
	for _, r := range t.Restarts { // sorted by end
		p := t.life(t.Of(r.Story))
		p.restarts = append(p.restarts, r)
		end := r.End()
		if end.IsZero() || len(r.Story.Marks) == 0 {
			continue
		}
		until, before := end, tolerance.AroundRestart
		if r.To != nil && !r.To.Begin().IsZero() {
			until = r.To.Begin()
		}
		if r.Pod != nil && r.Pod.GraceSeconds > 0 {
			before += evidence.Seconds(r.Pod.GraceSeconds)
		}
		since := end
		if said := r.From.Spoken; r.To != nil && !said.IsZero() && said.Before(end) {
			since = said // it ended no later than that, and the next one took long to start: an image was pulled
		}
		r.PodMarks = timeline.Within(r.Story.Marks, since.Add(-before), until.Add(tolerance.Slack))
		r.Remade, r.Anew = p.remade(), p.anewBefore(end.Add(tolerance.Slack))
	}
	for _, p := range t.lifes {
		if p != nil {
			siblings(p.restarts)
		}
	}
}

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

// ofPod reports whether it is about a pod or its sandboxes, and not about one of its containers.
func ofPod(o *subject.Seen) bool {
	return o.Pod != nil && o.Tells&(timeline.ToldContainer|timeline.ToldLife|timeline.ToldCgroupState) == 0 &&
		o.Subject.Container == ""
}

// endsPod reports whether a fact is about the end of a whole pod.
func endsPod(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.PodEvicted, evidence.PodRejected, evidence.PodDeleted:
		return true
	case evidence.PodTeardown:
		return f.Reason != evidence.TeardownTerminal && f.Reason != evidence.TeardownCompleted &&
			f.Reason != evidence.TeardownEvicted
	case evidence.PodConfig:
		return f.Op == "DELETE" || f.Op == "REMOVE"
	}
	return false
}
