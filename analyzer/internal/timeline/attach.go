package timeline

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// attachByName gives marks that name a container, but no id, to the instance that lived at their time.
func (t *History) attachByName() {
	for _, g := range t.groups {
		for _, m := range g.named {
			if in := g.at(m); in != nil {
				in.mark(m)
			}
		}
		for _, in := range g.instances {
			if !slices.IsSortedFunc(in.Marks, byTime) {
				slices.SortStableFunc(in.Marks, byTime)
			}
		}
	}
}

// at finds the instance that a mark is about. Most marks are about the one that
// lived then; a pulled image is about the one that is started next.
func (g *group) at(m Occurrence) *Instance {
	if m.At.IsZero() {
		return nil
	}
	if _, pulled := m.Obs.Fact.(evidence.ImageSeen); pulled {
		return g.startedAfter(m.At)
	}
	_, kill := m.Obs.Fact.(evidence.KillDecided)
	for i := len(g.instances) - 1; i >= 0; i-- {
		in := g.instances[i]
		start := in.begin()
		if in.Finished.Equal(start) && in.Started.IsZero() {
			start = time.Time{} // only its end is known: it may have begun any time before
		}
		// Events carry whole seconds: one at 10:00:05 may be of 10:00:05.9.
		whole := second(start)
		if !start.IsZero() && m.At.Before(whole) {
			continue
		}
		if kill && i > 0 && m.At.Equal(whole) && !g.instances[i-1].Finished.Before(whole) {
			// The old instance ended and this one began within that second: a kill
			// comes before the end.
			return g.instances[i-1]
		}
		if kill && !in.Finished.IsZero() && m.At.After(in.Finished.Add(tolerance.Slack)) {
			return nil // nobody kills the dead; the instance it was about is unknown
		}
		return in
	}
	return nil
}

// second is the whole second that a time lies in: what Truncate gives, without its long division.
func second(t time.Time) time.Time { return t.Add(-time.Duration(t.Nanosecond())) }

// startedAfter returns the first instance that was started at or after the time.
func (g *group) startedAfter(at time.Time) *Instance {
	for _, in := range g.instances {
		if start := in.begin(); !start.IsZero() && !start.Before(at) {
			return in
		}
	}
	return nil
}

// attachPods gives each restart what happened to its pod and its sandboxes around it, and its siblings.
func (t *History) attachPods() {
	// Marks are counted first: pods have from none to hundreds, and lists that grow
	// are copied twice as often as needed.
	for i := range t.obs {
		if o := &t.obs[i]; o.ofPod() {
			if o.pod.expected++; o.tells&(HasKill|HasProbe|HasSandbox) != 0 {
				o.pod.expected++ // it may tell of a first occurrence
			}
		}
	}
	for i := range t.obs {
		o := &t.obs[i]
		if !o.ofPod() {
			continue
		}
		p := o.pod
		m := Occurrence{o.Time, o.Observation}
		if o.tells&toldOfEnd != 0 && endsPod(o.Fact) {
			p.ends = append(p.ends, m)
		}
		if p.marks == nil {
			p.marks = t.made.marks.Take(p.expected)[:0]
		}
		p.marks = append(p.marks, m)
		if at, ok := firstOf(o.Observation); ok {
			p.marks = append(p.marks, Occurrence{at, o.Observation})
		}
		p.tells |= o.tells
	}
	for _, p := range t.pods {
		if !slices.IsSortedFunc(p.marks, byTime) {
			slices.SortStableFunc(p.marks, byTime)
		}
	}
	for _, r := range t.Restarts { // sorted by end
		r.pod.restarts = append(r.pod.restarts, r)
		end := r.End()
		if end.IsZero() || len(r.pod.marks) == 0 {
			continue
		}
		until, before := end, tolerance.AroundRestart
		if r.To != nil && !r.To.begin().IsZero() {
			until = r.To.begin()
		}
		if r.Pod != nil && r.Pod.GraceSeconds > 0 {
			before += evidence.Seconds(r.Pod.GraceSeconds)
		}
		r.PodMarks = within(r.pod.marks, end.Add(-before), until.Add(tolerance.Slack))
		r.Remade, r.Anew = r.pod.remade(), r.pod.anewBefore(end.Add(tolerance.Slack))
	}
	for _, p := range t.pods {
		siblings(p.restarts)
		p.restarts = nil
	}
}

// ofPod tells what is about a pod or its sandboxes, and not about one of its containers.
func (o *seen) ofPod() bool {
	return o.pod != nil && o.tells&(toldContainer|toldLife|toldCgroupState) == 0 && o.Subject.Container == ""
}

// endsPod tells facts that are about the end of a whole pod.
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

func byTime(a, b Occurrence) int { return a.At.Compare(b.At) }
