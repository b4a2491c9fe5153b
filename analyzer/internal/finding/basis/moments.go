package basis

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ExactEnd returns the old instance's end, and whether it is known better than to the API's whole second. The runtime's
// own line about it has its time, or follows it immediately.
func (f *Basis) ExactEnd() (end time.Time, exact bool) {
	if !f.dated {
		f.dated = true
		f.end, f.exact = f.dateEnd()
	}
	return f.end, f.exact
}

// dateEnd computes ExactEnd, which is cached: there may be many marks, and each is compared with the end.
func (f *Basis) dateEnd() (end time.Time, exact bool) {
	in := f.R.From
	if in.Finished.IsZero() || in.Finished.Nanosecond() != 0 {
		return in.Finished, true
	}
	for _, m := range in.Marks {
		if exited, ok := m.Obs.Fact.(evidence.TaskExited); ok {
			at := timeline.TaskEnd(exited, m.At)
			if at.Nanosecond() != 0 && !at.Before(in.Finished) && at.Before(in.Finished.Add(time.Second)) {
				return at, true
			}
		}
	}
	return in.Finished, false
}

// Within reports whether a time is between two; an unknown beginning is before everything.
func Within(at, from, until time.Time) bool {
	return !at.IsZero() && (from.IsZero() || !at.Before(from.Truncate(time.Second))) && !at.After(until)
}

// MayLive reports whether an instance may have run at a moment: where only a look of the kubelet shows its start, it
// may have run long before. What speaks against a proof counts then.
func (f *Basis) MayLive(in *timeline.Instance, at time.Time) bool {
	end := in.Finished
	if exact, ok := f.ExactEnd(); ok && in == f.R.From {
		end = exact
	}
	return !at.IsZero() && at.Before(end) && !at.Before(in.NotBefore())
}

// InLife reports whether an instance certainly ran at a moment. The exact end matters: a container's end also stops its
// unit, right afterwards.
func (f *Basis) InLife(in *timeline.Instance, at time.Time) bool {
	end := in.Finished
	if exact, ok := f.ExactEnd(); ok && in == f.R.From {
		end = exact
	}
	return !at.IsZero() && at.Before(end) && !at.Before(f.BeganBy(in))
}

// PerhapsInLife reports whether a moment is within the second in which the old instance ended, where nothing dates the
// end better and neither the runtime nor the kubelet had reported it yet.
func (f *Basis) PerhapsInLife(in *timeline.Instance, at time.Time) bool {
	end, exact := f.ExactEnd()
	if exact || in != f.R.From || !at.Before(end.Add(time.Second)) {
		return false
	}
	return !slices.ContainsFunc(in.Marks, func(m timeline.Occurrence) bool {
		switch m.Obs.Fact.(type) {
		case evidence.TaskExited, evidence.ContainerDied, evidence.ContainerFinished:
			return !m.At.After(at)
		}
		return false
	})
}

// BeganBy returns since when an instance certainly ran: its start, or, if unknown, as long before its end as a stop
// takes.
func (f *Basis) BeganBy(in *timeline.Instance) time.Time {
	if began := cmp.Or(in.NotBefore(), in.Begun()); !began.IsZero() {
		return began
	}
	return in.Finished.Add(-f.Longest() - tolerance.StopLag)
}

// Lived returns how long the old instance lived, -1 when unknown.
func (f *Basis) Lived() time.Duration { return Lifetime(f.R.From) }

// Lifetime returns how long an instance lived, -1 when unknown. Its creation is the better start: PLEG reports a start
// up to a second late, and a short life only after its end.
func Lifetime(in *timeline.Instance) time.Duration {
	begin := in.Made()
	if begin.IsZero() || in.Finished.Before(begin) {
		return -1
	}
	return in.Finished.Sub(begin)
}

// StartupPassed returns the kubelet's line that a startup probe passed during the life of the old instance, before a
// time. The line names only the pod (kubelet v1.21 kubelet.go handleProbeSync), so no other container may have such a
// probe.
func (f *Basis) StartupPassed(before time.Time) (timeline.Occurrence, bool) {
	if p := f.R.Pod; p == nil || slices.ContainsFunc(p.Containers, func(c evidence.Container) bool {
		return c.Startup != nil && c.Name != f.R.Container
	}) {
		return timeline.Occurrence{}, false
	}
	for _, m := range f.R.PodBetween(f.R.From.Started, before) {
		r, ok := m.Obs.Fact.(evidence.ProbeResultChanged)
		if ok && r.Probe == evidence.ProbeStartup && r.Status == "started" && f.InLife(f.R.From, m.At) {
			return m, true
		}
	}
	return timeline.Occurrence{}, false
}

// ClockSet returns an observation of a clock set between what led to the end and what followed, nil if there is none.
func (f *Basis) ClockSet() *evidence.Observation {
	end := f.R.From.Finished
	if f.Node == nil || end.IsZero() {
		return nil
	}
	near := func(at time.Time) bool { return !at.IsZero() && at.Sub(end).Abs() < tolerance.AroundEnd }
	for _, m := range f.Node.ClockSets {
		if from := m.Obs.Fact.(evidence.ClockSet).From; f.Node.Binds(m.Obs.Source.Origin) && (near(m.At) || near(from)) {
			return m.Obs
		}
	}
	return nil
}
