// Package told reads what is told of a container by its name, without the id of an instance (kills, starts and other
// events, what it waits for), and of the end of a pod.
package told

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Events are what is told of one container by its name.
type Events []timeline.Occurrence

// Starts returns the starts of a container that events date, in order, and how many there were in all. An event
// that was counted up has the times of the first and the last.
func (all Events) Starts() (starts []timeline.Occurrence, count int) {
	for _, m := range all {
		e, ok := m.Obs.Fact.(evidence.APIEvent)
		if !ok || e.Reason != "Started" || m.At.IsZero() {
			continue
		}
		count += max(1, e.Count)
		if e.Count > 1 && !e.First.IsZero() && e.First.Before(m.At) {
			starts = append(starts, timeline.Occurrence{At: e.First, Obs: m.Obs})
		}
		starts = append(starts, timeline.Once(m.Obs))
	}
	slices.SortStableFunc(starts, timeline.ByTime)
	return slices.CompactFunc(starts, func(a, b timeline.Occurrence) bool { return a.At.Equal(b.At) }), count
}

// PulledFor returns the image that was pulled, or was there, before a start and after the one before it.
func (all Events) PulledFor(starts []timeline.Occurrence, i int) (image string) {
	for _, m := range all {
		if seen, ok := m.Obs.Fact.(evidence.ImageSeen); ok && !m.At.IsZero() && !m.At.After(starts[i].At) &&
			(i == 0 || m.At.After(starts[i-1].At)) {
			image = seen.Image
		}
	}
	return image
}

// EndedBefore reports whether an end is told of before a time.
func (all Events) EndedBefore(at time.Time) bool {
	return slices.ContainsFunc(all, func(m timeline.Occurrence) bool {
		return !m.At.IsZero() && m.At.Before(at) && timeline.TellsOfEnd(m.Obs.Fact, true)
	})
}

// Between returns what is told of a container after a time and up to another; a zero time is no limit. A kill in the
// second of a start was before it.
func (all Events) Between(after, until time.Time) (marks []timeline.Occurrence) {
	for _, m := range all {
		if m.At.After(after) && (until.IsZero() || !m.At.After(until)) {
			marks = append(marks, m)
		}
	}
	return marks
}

// KilledAnew reports whether counted kills are several ends: with a start between them, or, where no event tells of
// any start, with time for one. A kubelet tries again to stop what it has to stop.
func (all Events) KilledAnew(k evidence.KillDecided, last timeline.Occurrence) bool {
	if k.First.IsZero() {
		return true
	}
	told := false
	for _, m := range all {
		if e, ok := m.Obs.Fact.(evidence.APIEvent); ok && e.Reason == "Started" && !m.At.IsZero() {
			if told = true; m.At.After(k.First) {
				return true
			}
		}
	}
	return !told && last.At.Sub(k.First) > tolerance.Together
}

// StartedAgain returns the newest start of a container that is known only from events, if they count more than one;
// else nil.
func (all Events) StartedAgain() *timeline.Instance {
	starts, last := 0, timeline.Occurrence{}
	for _, m := range all {
		e, ok := m.Obs.Fact.(evidence.APIEvent)
		if !ok || e.Reason != "Started" || m.At.IsZero() {
			continue
		}
		starts += max(1, e.Count)
		if m.At.After(last.At) {
			last = m
		}
	}
	if starts < 2 {
		return nil
	}
	return &timeline.Instance{Attempt: starts - 1, State: evidence.StateRunning, Started: last.At,
		Records: []string{last.Obs.ID}}
}

// StartedLast returns the newest start of a container that was restarted so many times and that only events date, nil
// if it may have been its first one: they have no other, and the pod's sandbox was not remade before it; or if the
// container is said to have ended since.
func (all Events) StartedLast(restarts int, said, remade time.Time) *timeline.Instance {
	starts, count := all.Starts()
	if len(starts) == 0 {
		return nil
	}
	last := starts[len(starts)-1]
	if last.At.Before(said) || count < 2 && (remade.IsZero() || remade.After(last.At)) {
		return nil
	}
	return &timeline.Instance{Attempt: restarts, State: evidence.StateRunning, Started: last.At,
		Records: []string{last.Obs.ID}}
}

// Killed reports whether one of them says that the kubelet killed the container.
func (all Events) Killed() bool {
	return timeline.Has(all, func(evidence.KillDecided) bool { return true })
}

// FailedSince returns why the container could not be made again after an end, by the kubelet's last message about it.
func (all Events) FailedSince(end time.Time) (w timeline.Waiting) {
	for _, m := range all {
		if f, ok := m.Obs.Fact.(evidence.StartFailed); ok && !end.IsZero() && m.At.After(end) {
			w = timeline.Waiting{Reason: f.Reason, Message: f.Message.String(), Evidence: []string{m.Obs.ID}}
		}
	}
	return w
}

// StartedBefore reports whether the API's events have two starts of the container, the first one of an earlier instance
// in the same pod. Without UIDs they may be of another pod of its name, and a clock that was set turns one start into
// two. A kubelet counts restarts by the runtime's newest record, or by the container's log files: from 0 again where
// garbage collection removed both (kubelet v1.31 kuberuntime_container.go startContainer, calcRestartCountByLogDir),
// and then no status shows that end.
func (all Events) StartedBefore(only *timeline.Instance, pod *evidence.Pod) bool {
	born := pod.CreatedAt
	if only.Started.IsZero() || born.IsZero() || all.StartedAgain() == nil {
		return false
	}
	if pod.Described() && !timeline.Has([]timeline.Occurrence(all), func(e evidence.APIEvent) bool {
		return e.Reason == "Started" && e.Count > 1
	}) {
		return false // two descriptions have one event, its time counted back from the moment of each
	}
	return slices.ContainsFunc(all, func(m timeline.Occurrence) bool {
		e, ok := m.Obs.Fact.(evidence.APIEvent)
		first := m.At
		if e.Count > 1 && !e.First.IsZero() {
			first = e.First
		}
		return ok && e.Reason == "Started" && !first.Before(born) && first.Before(only.Started.Add(-tolerance.Slack))
	})
}

// Forgotten returns the kills and starts in events from before the oldest known instance. A kubelet aggregates such
// events and then throttles them (25 for one pod, then one in five minutes: client-go EventSourceObjectSpamFilter), so
// they may be all that is left of a loop's earlier rounds.
func (all Events) Forgotten(oldest *timeline.Instance) []timeline.Occurrence {
	start := oldest.Begin()
	if start.IsZero() {
		return nil
	}
	var marks []timeline.Occurrence
	for _, m := range all {
		if m.At.IsZero() || !m.At.Before(start.Truncate(time.Second)) {
			continue
		}
		switch fact := m.Obs.Fact.(type) {
		case evidence.KillDecided:
			marks = append(marks, m)
		case evidence.APIEvent:
			if fact.Reason == "Started" {
				marks = append(marks, m)
			}
		}
	}
	slices.SortStableFunc(marks, timeline.ByTime)
	return marks
}

// BeforeFirst returns the marks by name from before the oldest known instance: all of a text, if nothing dates that.
func (all Events) BeforeFirst(oldest *timeline.Instance, mentioned bool) []timeline.Occurrence {
	if oldest.Begin().IsZero() && mentioned {
		return slices.Clone(all)
	}
	var marks []timeline.Occurrence
	for _, m := range all {
		start := oldest.Begin()
		if !m.At.IsZero() && m.At.Before(start.Truncate(time.Second)) && start.Sub(m.At) < tolerance.BeforeFirst {
			marks = append(marks, m)
		}
	}
	slices.SortStableFunc(marks, timeline.ByTime)
	return marks
}
