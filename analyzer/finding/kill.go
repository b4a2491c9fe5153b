package finding

import (
	"slices"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file settles what is known of the kubelet killing the old instance: the reason
// that it gave first, and whether the kill came before the end at all.

// kill looks for the kubelet's own words about this instance: why it decides to
// kill, and that it does. What comes after the end is about a dead container.
func (f *Findings) kill() {
	in := f.R.From
	k := Kill{Fact: Fact{Answer: f.silence()}, Grace: -1}
	var begun, started time.Time // the first and the last kill
	for _, m := range told(in, timeline.ToldKill|timeline.ToldHook|timeline.ToldProbe) {
		if !in.Finished.IsZero() && m.At.After(in.Finished.Add(slack)) {
			continue
		}
		switch fact := m.Obs.Fact.(type) {
		case evidence.KillDecided:
			if fact.Reason == evidence.KillUnknownState {
				f.UnknownState = Fact{Yes, m.At, append(f.UnknownState.Evidence, m.Obs.ID)}
				continue // said of a container whose end was not seen: no cause of it
			}
			k.Answer = Yes
			k.Evidence = append(k.Evidence, m.Obs.ID)
			// Of a pod that is taken down probes may still fail; that it was taken down came first.
			more := k.Reason == evidence.KillPod && fact.Reason != evidence.KillPod && m.At.Sub(k.DecidedAt) <= slack
			if k.Reason == "" || more {
				k.Reason, k.Message, k.DecidedAt = fact.Reason, fact.Message.String(), m.At
			}
			if k.At.IsZero() || m.At.Before(k.At) {
				k.At = m.At
			}
		case evidence.KillStarted:
			k.Answer = Yes
			k.Evidence = append(k.Evidence, m.Obs.ID)
			k.Grace, started = fact.GraceSeconds, m.At
			if begun.IsZero() {
				begun = m.At
			}
			if k.At.IsZero() {
				k.At = m.At
			}
		case evidence.HookFailed:
			if fact.Hook == "PostStart" {
				f.Hook = Fact{Yes, m.At, append(f.Hook.Evidence, m.Obs.ID)}
			}
		case evidence.ProbeFailed:
			if fact.Errored {
				continue // the kubelet ignores probes that errored
			}
			switch fact.Probe {
			case evidence.ProbeLiveness:
				f.Probes.Liveness = append(f.Probes.Liveness, m)
			case evidence.ProbeStartup:
				f.Probes.Startup = append(f.Probes.Startup, m)
			}
		}
	}
	if f.Hook.Answer != Yes {
		f.Hook.Answer = f.silence()
	}
	if k.Grace >= 0 && f.R.From.ExitCode != nil && *f.R.From.ExitCode == 137 && !in.Finished.IsZero() {
		k.GraceOver = in.Finished.Sub(started) >= time.Duration(k.Grace)*time.Second-slack/2
	}
	k.Twice = !begun.IsZero() && k.DecidedAt.Sub(begun) > slack/2
	k.Unlogged = f.KubeletLog && k.Answer == Yes && !slices.ContainsFunc(told(in, timeline.ToldKill|timeline.ToldHook), killInLog)
	f.Kill = k
	f.lateKill()
}

// faults are the signals of a process's own faults.
var faults = map[syscall.Signal]bool{
	syscall.SIGSEGV: true, syscall.SIGABRT: true, syscall.SIGBUS: true, syscall.SIGILL: true, syscall.SIGFPE: true, syscall.SIGTRAP: true,
}

// killInLog tells a kill of which the kubelet's log itself tells.
func killInLog(m timeline.Mark) bool {
	switch m.Obs.Fact.(type) {
	case evidence.KillDecided, evidence.KillStarted, evidence.HookFailed:
		return m.Obs.Source.Kind != evidence.SourceAPI
	}
	return false
}

// lateKill compares the kill with the end, where the code is one that a process
// chooses: to obey a SIGTERM with 0 is ordinary.
func (f *Findings) lateKill() {
	e, k := &f.Exit, &f.Kill
	if k.Answer != Yes || !e.Known || e.Invented || e.Lost || e.NotStarted || e.Code < 0 || e.Code > 125 && !faults[syscall.Signal(e.Signal())] {
		return
	}
	earliest, latest := f.R.From.EndWithin()
	if earliest.IsZero() {
		return
	}
	var line, event time.Time // when log and events first spoke of it
	for _, m := range told(f.R.From, timeline.ToldKill) {
		switch m.Obs.Fact.(type) {
		case evidence.KillDecided, evidence.KillStarted:
			first := &line
			if m.Obs.Source.Kind == evidence.SourceAPI {
				first = &event
			}
			if first.IsZero() || m.At.Before(*first) {
				*first = m.At
			}
		}
	}
	// The log is the better clock, unless it is wrong; events have whole seconds.
	agree := line.IsZero() || event.IsZero() || line.Sub(event).Abs() <= slack
	byEvent := !event.IsZero() && (line.IsZero() || !agree) && event.Add(time.Second).After(earliest)
	k.Late = agree && !line.IsZero() && line.Sub(latest) > lineLag
	k.Close = !k.Late && e.Code != 0 && (line.After(earliest) || byEvent)
}

// lineLag is how much later than it was written the journal may date a line.
const lineLag = 200 * time.Millisecond

// records looks for words about the container that are no kill: a missing record
// of its resources, a state that the runtime did not know. Both are said at any
// verbosity.
func (f *Findings) records() {
	r := f.R
	for _, marks := range [...][]timeline.Mark{told(r.From, timeline.ToldRecord), toldOfPod(r, timeline.ToldRecord)} {
		for _, m := range marks {
			_, missing := m.Obs.Fact.(evidence.MissingActuatedRecord)
			if missing && f.atKill(m) && (m.Obs.Subject.Container == "" || m.Obs.Subject.Container == r.Container) {
				f.Record = Fact{Yes, m.At, append(f.Record.Evidence, m.Obs.ID)}
			}
		}
	}
	end := r.End()
	if end.IsZero() {
		return
	}
	begin := end.Add(-time.Minute)
	if k := f.Kill.At; !k.IsZero() && k.Before(end) {
		begin = k.Add(-killLag) // before that, a line would not count
	}
	covered, _ := f.Node.Covered(evidence.SourceKubeletLog, begin, end)
	for _, fact := range [...]*Fact{&f.Record, &f.UnknownState} {
		if fact.Answer != Yes && covered {
			fact.Answer = No
		}
	}
}

// atKill tells whether something that the kubelet says while it decides is of the
// decision to kill. The containers that it kills in one sync go one after the other.
// Its log is compared with itself where it tells of the kill, too.
func (f *Findings) atKill(m timeline.Mark) bool {
	near := func(any bool) (near, told bool) {
		for _, k := range f.R.From.Marks {
			switch k.Obs.Fact.(type) {
			case evidence.KillDecided, evidence.KillStarted:
				if any || k.Obs.Source.Kind == m.Obs.Source.Kind {
					near, told = near || !m.At.Before(k.At.Add(-killLag)) && !m.At.After(k.At.Add(slack)), true
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

// killLag is how long the kubelet may take from a decision to the kill, while it waits
// for other containers of the pod.
const killLag = 2 * time.Minute
