package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// The quality of a source for times and codes: the runtime's own record beats the API's (whole seconds), which beats
// the logs (PLEG lags up to a second), which beat the ages in a table and periodic readings.
const (
	FromMetrics int8 = iota + 1
	fromAge
	FromKubeletLog
	fromRuntimeLog
	fromAPI
	fromCRI
)

// The fields of an instance that several sources may give.
const (
	OfCreated = iota
	OfStarted
	OfFinished
	OfExit
	ofImage
	fields
)

// Fold applies an observation to the instance; a better source overwrites a worse one, never the other way round.
func (t *History) Fold(in *Instance, o *evidence.Observation, node string) {
	in.Mark(Occurrence{o.Time, o})
	switch f := o.Fact.(type) {
	case evidence.ContainerRecord:
		q := fromAPI
		if o.Source.Kind == evidence.SourceCRI {
			q = fromCRI
		}
		if f.Coarse {
			q = fromAge
			in.Coarse = true
		}
		in.Before = in.Before || f.Last
		in.InStatus = in.InStatus || o.Source.Kind == evidence.SourceAPI && f.State == evidence.StateExited
		in.Records = append(in.Records, o.ID)
		in.SetTime(OfCreated, &in.Created, f.Created, q)
		in.SetTime(OfStarted, &in.Started, f.Started, q)
		in.SetTime(OfFinished, &in.Finished, f.Finished, q)
		switch {
		case f.ExitCode != nil && in.Better(OfExit, q):
			in.ExitCode, in.Signal, in.Reason = f.ExitCode, f.Signal, f.Reason
		case f.ExitCode == nil && f.State == evidence.StateExited && in.Reason == "":
			in.Reason = f.Reason // an excerpt that omits the exit code
		}
		if !f.Message.Empty() {
			in.Message = f.Message
		}
		if f.Image != "" && in.Better(ofImage, q) {
			in.Image = f.Image
		}
		in.Hash = cmp.Or(in.Hash, f.Hash)
		in.Runtime = cmp.Or(in.Runtime, f.Runtime)
		in.CgroupsPath = cmp.Or(in.CgroupsPath, f.CgroupsPath)
		in.MemoryLimit = cmp.Or(in.MemoryLimit, f.MemoryLimit)
		if f.Attempt >= 0 {
			in.Attempt = f.Attempt
		}
		if f.PID > 0 {
			in.PID = f.PID
		}
		if f.State == evidence.StateExited || in.State == "" {
			in.State = f.State
		}
	case evidence.TaskStarted:
		in.PID = cmp.Or(in.PID, f.PID)
	case evidence.RuntimeCreated:
		in.SetTime(OfCreated, &in.Created, o.Time, fromRuntimeLog)
	case evidence.ContainerStarted:
		if !t.FirstRelist(node, o.Time) {
			in.SetTime(OfStarted, &in.Started, o.Time, FromKubeletLog)
		}
	case evidence.ContainerDied:
		in.State = evidence.StateExited
		if !t.diedBefore(in, node, o.Time) {
			in.SetTime(OfFinished, &in.Finished, o.Time, FromKubeletLog)
		}
	case evidence.ContainerFinished:
		in.State = evidence.StateExited
		if in.Better(OfExit, FromKubeletLog) {
			in.ExitCode = new(f.ExitCode)
		}
		in.Records = append(in.Records, o.ID)
		if !t.diedBefore(in, node, o.Time) {
			in.SetTime(OfFinished, &in.Finished, o.Time, FromKubeletLog)
		}
	case evidence.TaskExited:
		in.State = evidence.StateExited
		in.SetTime(OfFinished, &in.Finished, o.Time, fromRuntimeLog)
		in.PID = cmp.Or(in.PID, f.PID)
		if f.ExitCode != nil && in.Better(OfExit, fromRuntimeLog) {
			in.ExitCode = f.ExitCode
		}
	}
}

// FirstRelist reports whether the time is right after a start of the kubelet. Its first relist reports every running
// container as just started and every dead one as just died, so the times of these lines are not those of start and
// death (kubelet pleg/generic.go).
func (t *History) FirstRelist(node string, at time.Time) bool {
	run, _ := t.Node(node).KubeletAt(at)
	return run != nil && at.Sub(run.Start) < tolerance.FirstRelist
}

// Better records the quality of a field's source, and reports whether no better source has set the field.
func (i *Instance) Better(field int, q int8) bool {
	if q < i.Quality[field] {
		return false
	}
	i.Quality[field] = q
	return true
}

// SetTime sets the time of a field from a source.
func (i *Instance) SetTime(field int, have *time.Time, at time.Time, q int8) {
	// Within one source the first time wins: a line may be repeated later.
	if at.IsZero() || !have.IsZero() && q <= i.Quality[field] {
		return
	}
	i.Quality[field] = q
	*have = at
}

// Take merges an end without an id into the instance. What a log knows of the end is better than what the kubelet made
// up later.
func (i *Instance) Take(end *Instance) {
	i.Records = append(i.Records, end.Records...)
	for _, m := range end.Marks {
		i.Mark(m)
	}
	if i.ExitCode != nil {
		return
	}
	i.ExitCode, i.Signal, i.Reason, i.Message, i.State = end.ExitCode, end.Signal, end.Reason, end.Message, end.State
	i.SetTime(OfFinished, &i.Finished, end.Finished, fromAPI)
}

// TaskEnd returns when a task exited, from the line about it: the exit time in it, unless that is far from the line's
// own time.
func TaskEnd(f evidence.TaskExited, line time.Time) time.Time {
	if lag := line.Sub(f.Ended); !f.Ended.IsZero() && lag > 0 && lag <= tolerance.Outlived {
		return f.Ended
	}
	return line
}

// After reports whether the instance was created only after the last write to a file.
func (i *Instance) After(last time.Time) bool {
	begin := i.Begin()
	return !last.IsZero() && !begin.IsZero() && begin.After(last.Add(tolerance.LastWrite))
}

// DatedByWords dates an end known only from messages by the last of them.
func (i *Instance) DatedByWords() *Instance {
	slices.SortStableFunc(i.Marks, ByTime)
	for _, m := range i.Marks {
		if TellsOfEnd(m.Obs.Fact, true) {
			i.Spoken = m.At
		}
	}
	return i
}

// TellsOfEnd reports whether a message exists only if a container ended, and needs an explanation. The kill of a whole
// pod needs none, unless the pod is static, because nobody deletes one, or only such messages were given (all).
func TellsOfEnd(f evidence.Fact, all bool) bool {
	switch f := f.(type) {
	case evidence.KillDecided:
		return all || f.Reason != "" && f.Reason != evidence.KillPod && f.Reason != evidence.KillOther
	case evidence.HookFailed:
		return !f.CalledOff || f.Hook != "PostStart"
	case evidence.BackedOff:
		return true
	}
	return false
}

// ByBegin orders instances by time, and by attempt where times are missing or equal.
func ByBegin(a, b *Instance) int {
	if a.Present != b.Present { // a lost one may have no time, but is always the newest
		if a.Present {
			return 1
		}
		return -1
	}
	if a.Attempt >= 0 && b.Attempt >= 0 && a.Attempt != b.Attempt {
		// If one ended before it started, the clock was set back: its start is not comparable with those of its neighbours.
		if a.Coarse || b.Coarse || a.turned() || b.turned() {
			return cmp.Compare(a.Attempt, b.Attempt)
		}
		// Attempts restart at 0 when the runtime lost its records: then time decides.
		if x, y := a.Begin(), b.Begin(); x.IsZero() || y.IsZero() || x.Sub(y).Abs() < time.Second {
			return cmp.Compare(a.Attempt, b.Attempt)
		}
	}
	x, y := a.Begin(), b.Begin()
	if x.IsZero() != y.IsZero() { // one without a time is older: its record is incomplete
		if x.IsZero() {
			return -1
		}
		return 1
	}
	return cmp.Or(x.Compare(y), cmp.Compare(a.Attempt, b.Attempt), cmp.Compare(a.ID, b.ID))
}

// ByTime orders occurrences by time.
func ByTime(a, b Occurrence) int { return a.At.Compare(b.At) }

// FirstOf returns the first occurrence of an aggregated event about a container or its pod.
func FirstOf(o *evidence.Observation) (time.Time, bool) {
	if _, other := o.Fact.(evidence.APIEvent); other {
		return time.Time{}, false
	}
	count, at := Repeated(o)
	return at, count > 1 && !at.IsZero() && !at.Equal(o.Time)
}

// Repeated returns how often an aggregated event happened, and when first.
func Repeated(o *evidence.Observation) (count int, first time.Time) {
	switch f := o.Fact.(type) {
	case evidence.KillDecided:
		return f.Count, f.First
	case evidence.ProbeFailed:
		return f.Count, f.First
	case evidence.SandboxChanged:
		return f.Count, f.First
	case evidence.StartFailed:
		return max(f.Count, 1), f.First
	case evidence.APIEvent:
		return f.Count, f.First
	}
	return 1, time.Time{}
}
