package stop

import (
	"slices"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file looks for requests to stop the old instance: the kubelet's own with the reason that it logged first, those
// that reached the runtime, and whether they came before the end at all.

// kill looks for the kubelet's own messages about this instance: why it decides to kill, and that it does. A message
// from after the end is about a dead container, and a kill long before the end did not succeed. One right after the end
// leaves a doubt (Late): a busy journal may date its line too late.
func (f *finder) kill() {
	in := f.R.From
	k := KubeletKill{Point: basis.Point{Answer: f.Silence()}, Grace: -1}
	var begun, started time.Time // the first and the last kill
	var logged time.Time         // the first in the kubelet's log
	var early []string           // events that are older than that
	var misfit misfits
	calledOff := false
	marks := in.MarksWith(timeline.HasKill | timeline.HasHook | timeline.HasProbe)
	for _, m := range marks {
		if in.Finished.IsZero() && earlier(marks, m) {
			continue
		}
		if f.behind(m) {
			k.Late = k.Late || InLog(m) && m.At.Sub(in.Finished) <= tolerance.Slack
			misfit = misfit.of(m)
			continue
		}
		switch fact := m.Obs.Fact.(type) {
		case evidence.KillDecided:
			if f.past(m.At, f.given(m.At)) {
				misfit = misfit.of(m)
				continue
			}
			if fact.Reason == evidence.KillUnknownState {
				f.UnknownState = basis.Found(m.At, append(f.UnknownState.Evidence, m.Obs.ID)...)
				continue // about a container whose end was not observed: not its cause
			}
			k.Answer = basis.Yes
			k.Evidence = append(k.Evidence, m.Obs.ID)
			reason := fact.Reason
			if reason == evidence.KillOther {
				reason, k.Unread = "", true // cut, or of a kubelet that is not known
				f.Doubt("the kubelet gives a reason for its kill that is not known here", m.Obs.ID)
			}
			// While a pod is torn down, probes may still fail; the teardown came first. A hook fails with its container, and
			// within a second no event tells which came first.
			more := k.Reason == evidence.KillPod && reason != "" && reason != evidence.KillPod &&
				reason != evidence.KillPostStart && m.At.Sub(k.DecidedAt) <= tolerance.Slack ||
				k.Reason == evidence.KillPostStart && reason == evidence.KillPod && !InLog(m) && m.At.Equal(k.DecidedAt)
			if k.Reason == "" || more {
				k.Reason, k.Message, k.DecidedAt = reason, fact.Message.String(), m.At
			}
			if k.At.IsZero() || m.At.Before(k.At) {
				k.At = m.At
			}
			switch {
			case !InLog(m):
				early = append(early, m.Obs.ID)
			case logged.IsZero():
				logged = m.At
			}
		case evidence.KillStarted:
			if f.past(m.At, max(evidence.Seconds(fact.GraceSeconds), 0)) {
				if misfit = misfit.of(m); !in.Aged() { // else the time of the end is the rough one
					continue
				}
			}
			k.Answer = basis.Yes
			k.Evidence = append(k.Evidence, m.Obs.ID)
			k.Grace, started = fact.GraceSeconds, m.At
			if begun.IsZero() {
				begun, f.KillGrace = m.At, evidence.Seconds(fact.GraceSeconds)
			}
			if k.At.IsZero() {
				k.At = m.At
			}
		case evidence.HookFailed:
			if fact.Hook == "PostStart" {
				calledOff = calledOff || fact.CalledOff
				f.Hook = basis.Found(m.At, append(f.Hook.Evidence, m.Obs.ID)...)
			}
		case evidence.ProbeFailed:
			f.probe(m, fact)
		}
	}
	f.probesBefore(earliest(begun, logged))
	if f.KubeletLog && !logged.IsZero() && len(early) > 0 && k.At.Before(logged.Add(-tolerance.Slack)) {
		k.At = logged // the log covers this time: its own line dates the kill
		f.Doubt("an event dates the kill earlier than the kubelet's log does, although the log covers this time", early...)
	}
	if calledOff { // to end the pod, whatever else the kubelet then says of the hook
		f.Hook = basis.Point{Answer: basis.No}
		if k.Reason == evidence.KillPostStart {
			k.Reason, k.Message = evidence.KillPod, ""
		}
	}
	if f.Hook.Answer != basis.Yes {
		f.Hook.Answer = f.Silence()
	}
	if k.Grace >= 0 && f.R.From.ExitCode != nil && *f.R.From.ExitCode == 137 && !f.Exit.Windows && !in.Finished.IsZero() {
		k.GraceOver = in.Finished.Sub(started) >= evidence.Seconds(k.Grace)-tolerance.Slack/2
	}
	k.Twice = !begun.IsZero() && k.DecidedAt.Sub(begun) > tolerance.Slack/2
	k.Unlogged = f.KubeletLog && k.Answer == basis.Yes &&
		!slices.ContainsFunc(in.MarksWith(timeline.HasKill|timeline.HasHook), InLog)
	if len(misfit) > 0 {
		if k.Answer != basis.Yes {
			k.Answer = basis.Unknown // there was a kill, or an attempt: only the time does not fit
		}
		f.Doubt("the kubelet's log dates the kill at a time that does not fit the end", misfit...)
	}
	if lost := f.Exit.Shim; lost.Answer == basis.Yes && k.Answer == basis.Yes && k.At.Sub(lost.At) > tolerance.Slack {
		k.Answer, k.Late = basis.Unknown, true // the kubelet killed what the runtime had lost
	}
	f.Kill, f.KillFirst, f.KillBegan = k, begun, started
	f.lateKill()
	if f.Kill.Late && f.Exit.Shim.Answer != basis.Yes && f.ClockSet() != nil { // an order by times alone
		f.Kill.Late, f.Kill.Close = false, true
	}
}

// earlier reports whether an occurrence is the first one of an event that was repeated, and the last one is there, too:
// without a time of the end, the last kill is the one that ended it.
func earlier(marks []timeline.Occurrence, m timeline.Occurrence) bool {
	_, decided := m.Obs.Fact.(evidence.KillDecided)
	return decided && !m.At.Equal(m.Obs.Time) && slices.ContainsFunc(marks, func(other timeline.Occurrence) bool {
		return other.Obs == m.Obs && other.At.Equal(other.Obs.Time)
	})
}

// misfits are lines of the kubelet's log that name this container and a kill, but do not fit its end in time: a clock
// may have been set in between.
type misfits []string

func (all misfits) of(m timeline.Occurrence) misfits {
	if InLog(m) && m.Obs.Subject.ContainerID != "" && m.At.Equal(m.Obs.Time) {
		return append(all, m.Obs.ID)
	}
	return all
}

// InLog reports whether the kill is in the kubelet's log itself.
func InLog(m timeline.Occurrence) bool {
	switch m.Obs.Fact.(type) {
	case evidence.KillDecided, evidence.KillStarted, evidence.HookFailed:
		return m.Obs.Source.Kind != evidence.SourceAPI
	}
	return false
}

// FirstWords returns when the kubelet's log, and when events, first mention a kill of an instance, among the messages
// that counts accepts; zero where there is none.
func FirstWords(in *timeline.Instance, counts func(timeline.Occurrence) bool) (line, event time.Time) {
	for _, m := range in.MarksWith(timeline.HasKill) {
		switch m.Obs.Fact.(type) {
		case evidence.KillDecided, evidence.KillStarted:
			first := &line
			if m.Obs.Source.Kind == evidence.SourceAPI {
				first = &event
			}
			if counts(m) && (first.IsZero() || m.At.Before(*first)) {
				*first = m.At
			}
		}
	}
	return line, event
}

// lateKill compares the kill with the end. Where both are known to better than a second, a kill whose first word is
// from behind the end killed nothing: whoever tells of an end dates it when it is over, and the kubelet writes before
// it kills. Else only a code that a process chooses tells anything: to exit with 0 on SIGTERM is normal.
func (f *finder) lateKill() {
	e, k := &f.Exit, &f.Kill
	if k.Answer != basis.Yes || !e.OfProcess() || e.Code < 0 {
		return
	}
	earliest, latest := f.R.From.EndWithin()
	if earliest.IsZero() {
		return
	}
	line, event := FirstWords(f.R.From, func(timeline.Occurrence) bool { return true })
	// The log is the better clock, unless it is wrong; events have whole seconds.
	agree := line.IsZero() || event.IsZero() || line.Sub(event).Abs() <= tolerance.Slack
	if end, exact := f.ExactEnd(); exact && agree && f.wordBehind(end) {
		k.Late = true
		return
	}
	if e.Code > 125 && !Faults[syscall.Signal(e.Signal())] {
		return
	}
	byEvent := !event.IsZero() && (line.IsZero() || !agree) && event.Add(time.Second).After(earliest)
	k.Late = k.Late || agree && !line.IsZero() && line.Sub(latest) > tolerance.LineLag
	k.Close = !k.Late && e.Code != 0 && (line.After(earliest) || byEvent)
}

// wordBehind reports whether the kubelet's log dates the first word of the kill itself, and behind the end. What it
// writes after a preStop hook is not the first.
func (f *finder) wordBehind(end time.Time) bool {
	hooked := f.R.Spec == nil || f.R.Spec.PreStop
	told := false
	for _, m := range f.R.From.MarksWith(timeline.HasKill) {
		_, begun := m.Obs.Fact.(evidence.KillStarted)
		switch {
		case !InLog(m) || begun && hooked:
		case !m.Obs.Source.Dated || !m.At.After(end):
			return false
		default:
			told = true
		}
	}
	return told
}

// behind reports whether a message is about a container that had ended. A kill comes before the end, and kubelet and
// runtime share a clock; but the line of the kill itself comes after the preStop hook, which may have ended the process
// (kubelet v1.5–v1.36 kuberuntime_container.go killContainer).
func (f *finder) behind(m timeline.Occurrence) bool {
	end, exact := f.ExactEnd()
	_, kill := m.Obs.Fact.(evidence.KillStarted)
	_, probe := m.Obs.Fact.(evidence.ProbeFailed)
	switch spec := f.R.Spec; {
	case end.IsZero():
		return false
	case kill && (spec == nil || spec.PreStop):
		return m.At.After(end.Add(f.Longest()))
	case probe:
		return m.At.After(end.Add(tolerance.Slack)) // it may have begun before
	case m.Obs.Source.Kind == evidence.SourceAPI && !m.Obs.Source.Vouched: // from a table, whose ages are rounded down
		return m.At.After(end.Add(tolerance.Slack))
	case m.Obs.Source.Kind == evidence.SourceAPI: // whole seconds, rounded down
		return m.At.After(end)
	case exact && m.At.Nanosecond() != 0:
		return m.At.After(end.Add(tolerance.Jitter))
	}
	return m.At.After(end.Add(time.Second))
}

// past reports whether a stop was over, one way or the other, long before the end.
func (f *finder) past(at time.Time, grace time.Duration) bool {
	end := f.R.From.Finished
	return !end.IsZero() && end.Sub(at) > grace+tolerance.Outlived
}

// given returns the grace period of the kill that was decided at a time: what the kubelet logged when it began, else
// the longest that the pod may have. The pod's own value may be anything.
func (f *finder) given(decided time.Time) time.Duration {
	for _, m := range f.R.From.MarksWith(timeline.HasKill) {
		if k, ok := m.Obs.Fact.(evidence.KillStarted); ok && m.At.Sub(decided).Abs() <= tolerance.Slack {
			return max(evidence.Seconds(k.GraceSeconds), 0)
		}
	}
	return f.Longest()
}

// probe records a failed run of a probe.
func (f *finder) probe(m timeline.Occurrence, fact evidence.ProbeFailed) {
	switch {
	case fact.Errored: // the kubelet ignores probes that errored
	case fact.Probe == evidence.ProbeLiveness:
		f.Probes.Liveness = append(f.Probes.Liveness, m)
	case fact.Probe == evidence.ProbeStartup:
		f.Probes.Startup = append(f.Probes.Startup, m)
	}
}

// probesBefore leaves out the failed runs that the kubelet logged after the first word of the kill. It probes on while
// it stops a container for another reason than this probe, as a changed definition or, up to v1.21, an eviction
// (kubelet.go StopLivenessAndStartup), and what fails then did not end it.
func (f *finder) probesBefore(kill time.Time) {
	if kill.IsZero() {
		return
	}
	after := func(m timeline.Occurrence) bool {
		return m.Obs.Source.Kind == evidence.SourceKubeletLog && m.At.Sub(kill) > tolerance.Jitter
	}
	f.Probes.Liveness = slices.DeleteFunc(f.Probes.Liveness, after)
	f.Probes.Startup = slices.DeleteFunc(f.Probes.Startup, after)
}

// earliest returns the earlier of two times of which either may be zero.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// stop looks for requests that reached the runtime before the end.
func (f *finder) stop() {
	if f.RuntimeLog {
		f.Stop.Answer = basis.No
	}
	marks := f.R.From.MarksWith(timeline.HasStop | timeline.HasRemoval)
	if len(marks) == 0 {
		return
	}
	end, exact := f.ExactEnd()
	latest := end.Add(tolerance.Jitter) // as narrow as for kills: each is followed by a request
	if !exact {
		latest = end.Add(time.Second) // it ended at some time within the second
	}
	var misfit []string
	for _, m := range marks {
		s, ok := m.Obs.Fact.(evidence.StopRequested)
		if _, removal := m.Obs.Fact.(evidence.RemovalRequested); removal && exact && m.At.Before(end) {
			s, ok = evidence.StopRequested{TimeoutSeconds: -1}, true // it ran still
		}
		if !ok {
			continue
		}
		if !end.IsZero() && m.At.After(latest) {
			misfit = append(misfit, m.Obs.ID) // a dead container is stopped again
			continue
		}
		grace := f.Longest()
		if s.TimeoutSeconds >= 0 {
			grace = evidence.Seconds(s.TimeoutSeconds)
		}
		if f.past(m.At, grace) {
			misfit = append(misfit, m.Obs.ID) // given up, or refused
			continue
		}
		if f.Stop.Answer != basis.Yes {
			f.Stop, f.StopGrace = basis.Point{Answer: basis.Yes, At: m.At}, -1
		}
		f.Stop.Evidence = append(f.Stop.Evidence, m.Obs.ID)
		// A log with a doubtful clock covers nothing.
		f.StopDated, _ = f.Node.Covered(evidence.SourceRuntimeLog, f.Stop.At, end, m.Obs.Source.Origin.Same)
		if s.Signal == "" { // a request, and not what the runtime did about it
			f.StopGrace = s.TimeoutSeconds
		}
	}
	if len(misfit) > 0 && f.Stop.Answer != basis.Yes {
		f.Stop.Answer = basis.Unknown
		f.Doubt("the request to the runtime to stop it has a time that does not fit the end", misfit...)
	}
}

// Faults are the signals of a process's own errors, for which the kernel writes a core.
var Faults = map[syscall.Signal]bool{
	syscall.SIGSEGV: true, syscall.SIGABRT: true, syscall.SIGBUS: true, syscall.SIGILL: true,
	syscall.SIGFPE: true, syscall.SIGTRAP: true, syscall.SIGSYS: true,
}
