package stop

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// records looks for messages about the container other than kills: a missing record of its resources, a state that the
// runtime did not know (both are logged at any verbosity), a resize right before the kill.
func (f *finder) records() {
	r := f.R
	for _, marks := range [...][]timeline.Occurrence{r.From.MarksWith(timeline.HasRecord),
		r.PodMarksWith(timeline.HasRecord)} {
		for _, m := range marks {
			if c := m.Obs.Subject.Container; c != "" && c != r.Container {
				continue
			}
			switch e := m.Obs.Fact.(type) {
			case evidence.MissingActuatedRecord:
				if f.atKill(m) {
					f.Record = basis.Found(m.At, append(f.Record.Evidence, m.Obs.ID)...)
				}
			case evidence.PodResize:
				before := f.Kill.At.Sub(m.At)
				if (e.State == evidence.ResizeAllocated || e.State == evidence.ResizeUpdating) && !f.Kill.At.IsZero() &&
					before > -tolerance.Jitter && before < tolerance.OneSync {
					f.Resized = basis.Found(m.At, append(f.Resized.Evidence, m.Obs.ID)...)
				}
			}
		}
	}
	end := r.End()
	if end.IsZero() {
		return
	}
	begin := end.Add(-tolerance.Records)
	if k := f.Kill.At; !k.IsZero() && k.Before(end) {
		begin = k.Add(-tolerance.KillLag) // an earlier line would not count
	}
	covered, verbosity := f.KubeletLogCovers(begin, end)
	for _, fact := range [...]*basis.Point{&f.Record, &f.UnknownState} {
		if fact.Answer != basis.Yes && covered && verbosity > 0 { // 0 for a log that was cut by a search
			fact.Answer = basis.No
		}
	}
}

// atKill reports whether what the kubelet logs while it decides belongs to the decision to kill. The containers that it
// kills in one sync are killed one after the other. If its log has the kill, too, its line is compared with that.
func (f *finder) atKill(m timeline.Occurrence) bool {
	near := func(any bool) (near, told bool) {
		for _, k := range f.R.From.Marks {
			switch k.Obs.Fact.(type) {
			case evidence.KillDecided, evidence.KillStarted:
				if any || k.Obs.Source.Kind == m.Obs.Source.Kind {
					near, told = near || !m.At.Before(k.At.Add(-tolerance.KillLag)) &&
						!m.At.After(k.At.Add(tolerance.Slack)), true
				}
			}
		}
		return near, told
	}
	ok, told := near(false)
	if !told {
		ok, _ = near(true)
	}
	return ok
}

// killedBefore takes the kill of an earlier round of a loop that is known only from an event: it shows how the loop
// works.
func (f *finder) killedBefore() {
	for _, m := range f.R.Forgotten {
		if k, ok := m.Obs.Fact.(evidence.KillDecided); ok {
			f.KilledBefore = KubeletKill{Point: basis.Found(m.At, m.Obs.ID), Reason: k.Reason,
				Message: k.Message.String(), Grace: -1}
		}
	}
}

// unasked takes a kill for late where the runtime was asked only behind the end. The kubelet kills through the runtime,
// which writes down what it is asked before it acts. What a preStop hook ended is dead by then, too.
func (f *finder) unasked() {
	k := &f.Kill
	end, exact := f.ExactEnd()
	if k.Answer != basis.Yes || k.Late || !exact || end.IsZero() || !f.RuntimeLog || f.R.Spec == nil || f.Hooked() ||
		!f.Exit.OfProcess() {
		return
	}
	// The kubelet may have begun before the time in which the silence of a log is asked for.
	covered, _ := f.Node.Covered(evidence.SourceRuntimeLog, k.At, end, f.Testifies(evidence.SourceRuntimeLog))
	if !covered {
		return
	}
	asked := false
	for _, m := range f.R.From.MarksWith(timeline.HasStop) {
		if _, ok := m.Obs.Fact.(evidence.StopRequested); !ok {
			continue
		}
		if asked = m.Obs.Source.Dated && m.At.After(end); !asked {
			return
		}
	}
	if asked && f.ClockSet() == nil {
		k.Late, k.Close = true, false
	}
}

// ending doubts a kill for a probe of which every failure is from the last moments of a process that chose its exit
// code: what is about to exit answers no probe any more.
func (f *finder) ending() {
	k, end := &f.Kill, f.R.From.Finished
	byProbe := k.Reason == evidence.KillLiveness || k.Reason == evidence.KillStartup
	if !byProbe || k.Late || !f.Exit.Chosen() || end.IsZero() {
		return
	}
	failed := f.Probes.Liveness
	if k.Reason == evidence.KillStartup {
		failed = f.Probes.Startup
	}
	var seen []string
	for _, m := range failed {
		if end.Sub(m.At) > tolerance.Slack {
			return
		}
		seen = append(seen, m.Obs.ID)
	}
	if len(seen) > 0 {
		f.Doubt("the probe did not fail before the last moments of the process, which may have been about to exit", seen...)
	}
}
