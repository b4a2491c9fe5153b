package timeline

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file adds the instances that only a monitoring system remembers: each rise of a restart count is the end of one
// and the start of the next. What the API, the runtime or a log knows stays as it is.

// Counted tells whether an observation is a monitoring system's, or a tool's that printed it for people.
func (t *History) Counted(id string) bool { return t.counted[id] }

// secondhand tells what nobody vouches for: readings, a boot whose time was reckoned, and what a tool of the node
// printed of boots and units (last, uptime, systemctl status), of which neither the machine nor, mostly, the zone is
// known.
func secondhand(o *evidence.Observation) bool {
	if boot, ok := o.Fact.(evidence.KernelBooted); ok && boot.Reckoned {
		return true
	}
	switch o.Source.Kind {
	case evidence.SourceMetrics:
		return true
	case evidence.SourceHostLog:
		switch o.Fact.(type) {
		case evidence.KernelBooted, evidence.KubeletStarted, evidence.UnitChanged:
			return true
		}
	}
	return false
}

// remember notes which observations are secondhand; mostly none is.
func (t *History) remember(obs []evidence.Observation) {
	for i := range obs {
		if !secondhand(&obs[i]) {
			continue
		}
		if t.counted == nil {
			t.counted = map[string]bool{}
		}
		t.counted[obs[i].ID] = true
	}
}

// witnessed leaves out secondhand marks that another source has, too: who cites one cites the other's.
func witnessed(marks []Occurrence) []Occurrence {
	counted := func(m Occurrence) bool { return secondhand(m.Obs) }
	if !slices.ContainsFunc(marks, counted) {
		return marks
	}
	all := slices.Clone(marks)
	return slices.DeleteFunc(marks, func(m Occurrence) bool {
		return counted(m) &&
			slices.ContainsFunc(
				all,
				func(o Occurrence) bool { return !counted(o) && o.At.Sub(m.At).Abs() <= tolerance.BootTold },
			)
	})
}

// untold leaves out what a monitoring system has of kubelets from the first start on that another source tells of: what
// that one says of versions is not to be mended by readings, which may be another cluster's.
func untold(runs []KubeletRun) []KubeletRun {
	first := slices.IndexFunc(runs, func(r KubeletRun) bool { return !r.counted() })
	if first < 0 {
		return runs
	}
	return append(
		runs[:first:first],
		slices.DeleteFunc(slices.Clone(runs[first:]), func(r KubeletRun) bool { return r.counted() })...)
}

// recount goes through the counts of every container, once all other instances are known.
func (t *History) recount() {
	for _, g := range t.groups {
		if len(g.counts) == 0 {
			continue
		}
		slices.SortStableFunc(g.counts, byTime)
		slices.SortStableFunc(g.measured, byTime)
		var newest *Instance // what the last rise started
		for _, m := range g.counts {
			newest = g.rose(m, newest)
		}
		slices.SortStableFunc(g.instances, order)
	}
}

// rose finds or makes the two instances of one rise, and returns the later one. Where what is known under its count
// began at another time, the count is of other instances (it was begun again, or a clock is wrong): then nothing is
// made.
func (g *group) rose(m Occurrence, before *Instance) *Instance {
	f := m.Obs.Fact.(evidence.RestartCounted)
	to := g.startedBy(f, m.At)
	if to == nil &&
		slices.ContainsFunc(g.instances, func(in *Instance) bool { return in.Attempt == f.Count && !in.counted }) {
		return nil
	}
	from := g.endedBy(f, before, to)
	if to == nil {
		to = &Instance{Attempt: f.Count, State: evidence.StateRunning, counted: true}
		to.setTime(ofStarted, &to.Started, f.Started, fromMetrics)
		to.setTime(ofStarted, &to.Started, m.At, fromMetrics)
		to.coarse = f.Started.IsZero()
		to.Records = []string{m.Obs.ID}
		g.instances = append(g.instances, to)
	}
	if last := g.lastState(f, to); last != nil && from != last && (from == nil || from.counted) {
		g.instances = slices.DeleteFunc(
			g.instances,
			func(in *Instance) bool { return in == from },
		) // the API has the same one
		from = last
	}
	if from == nil {
		from = &Instance{Attempt: f.Count - 1, counted: true}
		g.instances = append(g.instances, from)
	}
	from.mark(m)
	if !from.counted {
		return to
	}
	from.State = evidence.StateExited
	from.Records = append(from.Records, m.Obs.ID)
	if !f.Began.After(f.Finished) || f.Finished.IsZero() {
		from.setTime(ofStarted, &from.Started, f.Began, fromMetrics)
	}
	from.setTime(ofFinished, &from.Finished, f.Finished, fromMetrics)
	if f.ExitCode != nil && from.better(ofExit, fromMetrics) {
		from.ExitCode, from.Reason = f.ExitCode, f.Reason
	}
	return to
}

// startedBy is the instance that is known to have started with the rise: by the time that a value gives, else by its
// attempt or between the two readings.
func (g *group) startedBy(f evidence.RestartCounted, at time.Time) *Instance {
	var between *Instance
	for _, in := range g.instances {
		start := in.begin()
		switch {
		case in.Started.IsZero() && in.Created.IsZero(): // only its end is known
		case !f.Started.IsZero():
			if start.Sub(f.Started).Abs() <= tolerance.Slack {
				return in
			}
		case f.Since.IsZero() || start.Before(f.Since.Add(-tolerance.AroundRestart)) || start.After(at.Add(tolerance.Slack)):
		case in.Attempt == f.Count:
			return in
		case in.Attempt < 0 && !start.Before(f.Since.Add(-tolerance.Slack)):
			between = in
		}
	}
	return between
}

// endedBy is the instance that is known to have ended before the rise: the one that the rise before started, or one by
// its end or its attempt.
func (g *group) endedBy(f evidence.RestartCounted, before, to *Instance) *Instance {
	if before != nil && (before.Attempt == f.Count-1 || before.Attempt < 0) {
		return before
	}
	for _, in := range g.instances {
		switch {
		case in == to || in == before:
		case !f.Finished.IsZero() && !in.Finished.IsZero() && in.Finished.Sub(f.Finished).Abs() <= tolerance.Slack,
			in.Attempt == f.Count-1:
			return in
		}
	}
	return nil
}

// lastState is what the API has as the instance before the present one, if that is the one that the rise started.
func (g *group) lastState(f evidence.RestartCounted, to *Instance) *Instance {
	if to.counted || to.Attempt != f.Count {
		return nil
	}
	if i := slices.IndexFunc(g.instances, func(in *Instance) bool { return in.before && in != to }); i >= 0 {
		return g.instances[i]
	}
	return nil
}
