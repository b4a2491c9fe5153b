package finding

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const (
	// slack is how much two sources may disagree about one moment.
	slack = 2 * time.Second
	// oomLag is the time between the kernel's kill and the end of the container
	// as others see it; clocks of kernel log and runtime differ by up to a second.
	oomLag = 5 * time.Second
	// settle is how long a new kubelet may take to act on what it finds.
	settle = 10 * time.Minute
)

// Find works out the findings for one restart.
func Find(t *timeline.Timeline, r *timeline.Restart) *Findings {
	f := &Findings{}
	f.Find(t, r)
	return f
}

// Find works out the findings for one restart in the place of what was there.
func (f *Findings) Find(t *timeline.Timeline, r *timeline.Restart) {
	*f = Findings{R: r, T: t, Node: t.Nodes[r.Node]}
	if r.Kind == timeline.KindNone { // nothing ended: there is nothing else to find
		f.Events = t.EventsCovered(r.Seen)
		f.versions()
		f.around()
		return
	}
	f.coverage()
	f.exit()
	f.kill()
	f.stop()
	f.oom()
	f.sandbox()
	f.versions()
	f.images()
	f.hashes()
	f.staticPod()
	f.ended()
	f.staticEnd()
	f.around()
	f.repeats()
	f.records()
	f.policy()
	f.initAgain()
	f.cgroup()
	f.runtimeSwitch()
}

// coverage settles which logs can answer by silence: they have to reach over
// the time in which a kill of this instance could have begun.
func (f *Findings) coverage() {
	r := f.R
	end := r.From.Finished
	if end.IsZero() {
		return
	}
	grace := 30 * time.Second
	if r.Pod != nil && r.Pod.GraceSeconds > 0 {
		grace = time.Duration(r.Pod.GraceSeconds) * time.Second
	}
	begin := end.Add(-grace - 30*time.Second)
	for _, t := range []time.Time{r.From.Started, r.From.Created} {
		if !t.IsZero() && t.After(begin) {
			begin = t
		}
	}
	ok, verbosity := f.Node.Covered(evidence.SourceKubeletLog, begin, end.Add(time.Second))
	f.KubeletLog = ok && verbosity >= 2
	f.RuntimeLog, _ = f.Node.Covered(evidence.SourceRuntimeLog, begin, end)
	f.KernelLog, _ = f.Node.Covered(evidence.SourceKernelLog, end.Add(-oomLag), end)
	f.throttled()
	f.Events = f.T.EventsCovered(begin) && !f.Throttled
}

// silence is the answer when nothing was found in the kubelet's log or events.
func (f *Findings) silence() Answer {
	switch {
	case f.KubeletLog:
		return No
	case f.Events:
		return NoTrace
	}
	return Unknown
}

func (f *Findings) exit() {
	in := f.R.From
	if in.ExitCode == nil {
		return
	}
	f.Exit = Exit{
		Known: true, Code: *in.ExitCode, Reason: in.Reason, Evidence: in.Records,
		Invented:   in.Reason == "ContainerStatusUnknown" || in.Reason == "RestartingAllContainers",
		Lost:       *in.ExitCode == 255 && in.Reason == "Unknown",
		NotStarted: notStarted(in.Reason),
	}
}

// notStarted tells the reasons of ends that no process had.
func notStarted(reason string) bool {
	switch reason {
	case "StartError", "ContainerCannotRun", "CreateContainerError", "RunContainerError":
		return true
	}
	return false
}

// told are the marks of an instance, if one of the kinds is among them at all: most instances
// have none of what is looked for (3 µs less for each restart).
func told(in *timeline.Instance, kinds timeline.Told) []timeline.Mark {
	if in.Tells(kinds) {
		return in.Marks
	}
	return nil
}

// toldOfPod are the marks of the pod around a restart, if its pod has one of the kinds at all.
func toldOfPod(r *timeline.Restart, kinds timeline.Told) []timeline.Mark {
	if r.PodTells(kinds) {
		return r.PodMarks
	}
	return nil
}

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
			if k.Reason == "" || k.Reason == evidence.KillPod && fact.Reason != evidence.KillPod {
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
	f.Kill = k
}

// records looks for words about the container that are no kill: a missing record
// of its resources, a state that the runtime did not know. Both are said at any
// verbosity.
func (f *Findings) records() {
	r := f.R
	for _, marks := range [...][]timeline.Mark{told(r.From, timeline.ToldRecord), toldOfPod(r, timeline.ToldRecord)} {
		for _, m := range marks {
			_, missing := m.Obs.Fact.(evidence.MissingActuatedRecord)
			if missing && (m.Obs.Subject.Container == "" || m.Obs.Subject.Container == r.Container) {
				f.Record = Fact{Yes, m.At, append(f.Record.Evidence, m.Obs.ID)}
			}
		}
	}
	end := r.End()
	if end.IsZero() {
		return
	}
	covered, _ := f.Node.Covered(evidence.SourceKubeletLog, end.Add(-time.Minute), end)
	for _, fact := range [...]*Fact{&f.Record, &f.UnknownState} {
		if fact.Answer != Yes && covered {
			fact.Answer = No
		}
	}
}

func (f *Findings) stop() {
	in := f.R.From
	if f.RuntimeLog {
		f.Stop.Answer = No
	}
	marks := told(in, timeline.ToldStop)
	if len(marks) == 0 {
		return
	}
	latest := in.Finished.Add(slack / 4)
	if in.Finished.Nanosecond() == 0 {
		latest = latest.Add(time.Second) // the API's whole second: it ended any time within
	}
	for _, m := range marks {
		if _, ok := m.Obs.Fact.(evidence.StopRequested); !ok || !in.Finished.IsZero() && m.At.After(latest) {
			continue
		}
		if f.Stop.Answer != Yes {
			f.Stop = Fact{Answer: Yes, At: m.At}
		}
		f.Stop.Evidence = append(f.Stop.Evidence, m.Obs.ID)
	}
}

func (f *Findings) around() {
	r := f.R
	end := r.End()
	if end.IsZero() || f.Node == nil {
		return
	}
	// A runtime that started before the container was made did not lose it.
	before := time.Minute
	if made := r.From.Created; !made.IsZero() && end.Sub(made) < before {
		before = end.Sub(made)
	} else if made := r.From.Started; !made.IsZero() && end.Sub(made) < before {
		before = end.Sub(made)
	}
	if m := timeline.Near(f.Node.Runtime, end, before, time.Minute); m != nil {
		f.Around.Runtime = Fact{Yes, m.At, ids(m.Obs)}
	}
	since := f.Node.RuntimeSince
	if f.Around.Runtime.Answer != Yes && (f.RuntimeLog || !since.IsZero() && since.Before(end.Add(-before))) {
		f.Around.Runtime.Answer = No
	}
	f.Around.Boot = f.boot()
	f.together()
	if m := timeline.Near(f.Node.Shortages, end, oomLag, oomLag); m != nil {
		f.OOM.Shortage = Fact{Yes, m.At, ids(m.Obs)}
		f.OOM.Elsewhere = slices.ContainsFunc(f.T.Around(r.Node, m.At, oomLag), func(o *timeline.Restart) bool {
			return o != r && o.From.Reason == "OOMKilled"
		})
	}
	if run, _ := f.Node.KubeletAt(end.Add(slack)); run != nil && end.Sub(run.Start) < settle {
		f.Around.Kubelet = Fact{Yes, run.Start, ids(run.Obs)}
	} else if f.KubeletLog {
		f.Around.Kubelet.Answer = No
	}
}

// boot tells whether the node booted between the start of the old instance and
// the start of the next one.
func (f *Findings) boot() Fact {
	r := f.R
	from, until := r.From.Started, f.T.Snapshot.CollectedAt
	if from.IsZero() {
		from = r.From.Created
	}
	if from.IsZero() && !r.End().IsZero() {
		from = r.End().Add(-settle) // nothing tells when it began: look around its end
	}
	switch {
	case r.To != nil && !r.To.Started.IsZero():
		until = r.To.Started
	case r.To == nil && f.End.Answer == Yes && !f.End.At.IsZero():
		until = f.End.At.Add(rebootLag) // what came later found nothing of the pod
	}
	for _, m := range f.Node.BootsAfter(from) {
		if from.IsZero() || !m.At.Before(until.Add(rebootLag)) {
			break
		}
		late := slack
		if _, event := m.Obs.Fact.(evidence.NodeRebooted); event && r.To != nil && r.Next == nil && !r.To.Exited() {
			late = rebootLag // had the node booted after the new instance's start, that one would be gone
		}
		if m.At.Before(until.Add(late)) {
			return Fact{Yes, m.At, ids(m.Obs)}
		}
	}
	if f.Versions.SameProcess || !from.IsZero() && f.upSince(from, until) {
		return Fact{Answer: No}
	}
	return Fact{}
}

// rebootLag is how long after its first containers a kubelet may say that its node
// was rebooted: it does with a status of the node.
const rebootLag = 2 * time.Minute

// upSince tells whether the node demonstrably did not boot in the time: its kernel's
// log covers all of it, or the last boot that the node itself remembers was before.
func (f *Findings) upSince(from, until time.Time) bool {
	if ok, _ := f.Node.Covered(evidence.SourceKernelLog, from, until); ok {
		return true
	}
	last := f.Node.LastBoot()
	return !last.IsZero() && !last.After(from)
}

func ids(obs ...*evidence.Observation) []string {
	out := make([]string, 0, len(obs))
	for _, o := range obs {
		if o != nil {
			out = append(out, o.ID)
		}
	}
	return out
}

// together counts the other pods of the node that lost a container in the same
// moment.
func (f *Findings) together() {
	all := f.T.Around(f.R.Node, f.R.End(), slack)
	if len(all) < 2 {
		return // itself
	}
	seen := map[string]bool{f.R.PodUID: true}
	for _, o := range all {
		if !seen[o.PodUID] {
			seen[o.PodUID] = true
			f.Together++
		}
	}
}

// repeats counts the neighbours that ended in the same way. What ends a
// container at the same age with the same code again and again is inside it.
func (f *Findings) repeats() {
	f.repeated(func(r *timeline.Restart) *timeline.Restart { return r.Prev })
	f.repeated(func(r *timeline.Restart) *timeline.Restart { return r.Next })
}

// repeated counts those in one direction, five at most.
func (f *Findings) repeated(next func(*timeline.Restart) *timeline.Restart) {
	strict := true
	for o, n := next(f.R), 0; o != nil && n < 5 && f.alike(o); o, n = next(o), n+1 {
		f.Alike++
		if strict = strict && o.From.ExitCode != nil; strict {
			f.Repeats++
		}
	}
}

// alike tells whether another restart of the container ended in the same way, as
// far as that is known.
func (f *Findings) alike(o *timeline.Restart) bool {
	if f.R.From.ExitCode == nil || o.From.ExitCode != nil && *o.From.ExitCode != *f.R.From.ExitCode {
		return false
	}
	for _, m := range told(o.From, timeline.ToldKill|timeline.ToldStop|timeline.ToldMemory) {
		switch m.Obs.Fact.(type) {
		case evidence.KillStarted, evidence.StopRequested, evidence.OOMKill, evidence.TaskOOM:
			return false
		}
	}
	mine, other := lifetime(f.R.From), lifetime(o.From)
	return mine >= 0 && other >= 0 && (mine-other).Abs() <= max(2*time.Second, max(mine, other)/5)
}

// lifetime is how long an instance lived, -1 when unknown. Its creation is the
// better beginning: PLEG tells of a start up to a second late, after a short life
// only when it is over.
func lifetime(in *timeline.Instance) time.Duration {
	begin := in.Created
	if begin.IsZero() {
		begin = in.Started
	}
	if begin.IsZero() || in.Finished.Before(begin) {
		return -1
	}
	return in.Finished.Sub(begin)
}

// EditLag is how long after an edit the kubelet may act on it: it gets the new
// spec through a watch, at the latest with its next sync.
const EditLag = 3 * time.Minute
