package history

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file adds the instances that only a monitoring system knows: each increase of a restart count is the end of one
// and the start of the next. What the API, the runtime or a log knows stays as it is.

// recount processes the counts of every container, after all other instances are known.
func (t *builder) recount() {
	for _, g := range t.groups {
		if len(g.counts) == 0 {
			continue
		}
		slices.SortStableFunc(g.counts, timeline.ByTime)
		slices.SortStableFunc(g.measured, timeline.ByTime)
		var newest *timeline.Instance // the one that the last increase started
		for _, m := range g.counts {
			newest = g.rose(m, newest)
		}
		slices.SortStableFunc(g.instances, timeline.ByBegin)
	}
}

// rose finds or makes the two instances of one increase, and returns the later one. If the known instance with that
// count began at another time, the count is about other instances (it was reset, or a clock is wrong), and nothing is
// made.
func (g *group) rose(m timeline.Occurrence, before *timeline.Instance) *timeline.Instance {
	f := m.Obs.Fact.(evidence.RestartCounted)
	to := g.startedBy(f, m.At)
	if to == nil &&
		slices.ContainsFunc(g.instances, func(in *timeline.Instance) bool { return in.Attempt == f.Count && !in.Counted }) {
		return nil
	}
	from := g.endedBy(f, before, to)
	if to == nil {
		to = &timeline.Instance{Attempt: f.Count, State: evidence.StateRunning, Counted: true}
		to.SetTime(timeline.OfStarted, &to.Started, f.Started, timeline.FromMetrics)
		to.SetTime(timeline.OfStarted, &to.Started, m.At, timeline.FromMetrics)
		to.Coarse = f.Started.IsZero()
		to.Records = []string{m.Obs.ID}
		g.instances = append(g.instances, to)
	}
	if last := g.lastState(f, to); last != nil && from != last && (from == nil || from.Counted) {
		g.instances = slices.DeleteFunc(g.instances,
			func(in *timeline.Instance) bool { return in == from }) // the API has the same one
		from = last
	}
	if from == nil {
		from = &timeline.Instance{Attempt: f.Count - 1, Counted: true}
		g.instances = append(g.instances, from)
	}
	from.Mark(m)
	if !from.Counted {
		return to
	}
	from.State = evidence.StateExited
	from.Records = append(from.Records, m.Obs.ID)
	if !f.Began.After(f.Finished) || f.Finished.IsZero() {
		from.SetTime(timeline.OfStarted, &from.Started, f.Began, timeline.FromMetrics)
	}
	from.SetTime(timeline.OfFinished, &from.Finished, f.Finished, timeline.FromMetrics)
	if f.ExitCode != nil && from.Better(timeline.OfExit, timeline.FromMetrics) {
		from.ExitCode, from.Reason = f.ExitCode, f.Reason
	}
	return to
}

// startedBy returns the instance that is known to have started with the increase: by the time in the reading, else by
// its attempt or between the two readings.
func (g *group) startedBy(f evidence.RestartCounted, at time.Time) *timeline.Instance {
	var between *timeline.Instance
	for _, in := range g.instances {
		start := in.Begin()
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

// endedBy returns the instance that is known to have ended before the increase: the one that the previous increase
// started, or one by its end or its attempt.
func (g *group) endedBy(f evidence.RestartCounted, before, to *timeline.Instance) *timeline.Instance {
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

// lastState returns the API's last instance before the present one, if the increase started the present one.
func (g *group) lastState(f evidence.RestartCounted, to *timeline.Instance) *timeline.Instance {
	if to.Counted || to.Attempt != f.Count {
		return nil
	}
	if i := slices.IndexFunc(g.instances, func(in *timeline.Instance) bool { return in.Before && in != to }); i >= 0 {
		return g.instances[i]
	}
	return nil
}
