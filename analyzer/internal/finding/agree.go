package finding

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/ending"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file compares what two authorities say, and what one says with the times and the spec that it refers to. A
// contradiction is a doubt.

func (f *Findings) agree() {
	if f.Kill.Answer == Yes {
		f.killFits()
		f.killConfirmed()
	} else if end, exact := f.ExactEnd(); exact && !end.IsZero() {
		f.stopFits(end)
	}
	if f.Kill.Answer == Yes && f.OOM.Answer == Yes && f.Kill.At.Before(f.OOM.At) {
		f.Doubt("the kubelet had already begun to kill it when memory ran out", f.Kill.Evidence...)
	}
	if f.Stop.Answer == Yes && f.R.From.Finished.Sub(f.Stop.At) > max(f.Longest(), evidence.Seconds(f.StopGrace))+
		tolerance.StopLag {
		f.Doubt("it ended long after the request to the runtime to stop it", f.Stop.Evidence...)
	}
	if to := f.R.To; to != nil && !to.Started.IsZero() && f.R.From.Finished.Sub(to.Started) > time.Second {
		f.Doubt("the next container has a start time before this one's end: the clock was set back",
			f.Exit.Evidence...)
	}
	if f.Node != nil {
		for _, m := range f.Node.Besides {
			if m.At.Before(f.R.End().Add(tolerance.Slack)) && f.Node.Binds(m.Obs.Source.Origin) {
				f.Doubt("another process may be writing as the node's kubelet, and nothing shows which lines are "+
					"the kubelet's own",
					m.Obs.ID)
			}
		}
	}
	f.codes()
	f.ofTheNode()
	f.podsEnd()
	f.dying()
	f.hadReason()
	f.lastWords()
	f.started()
	f.unnoticed()
	f.unheard()
	f.unconfirmed(f.Kill.Point, cmp.Or(f.KillFirst, f.Kill.At), f.Witness.Kubelet)
	f.unconfirmed(f.Stop, f.Stop.At, f.Witness.Runtime)
	f.contradicted(f.Kill.Point, evidence.SourceKubeletLog, 2)
	f.contradicted(f.Stop, evidence.SourceRuntimeLog, evidence.RuntimeTellsStops)
	f.overtaken()
	f.goingDown()
	f.beforeBoot()
	f.twice()
	f.overlap()
	f.replaced()
	if f.OOM.Answer != Yes {
		f.Weaken(&f.Basis, f.stopped())
	}
	if set := f.ClockSet(); set != nil {
		why := "the node's clock was set around the end"
		if set.Fact.(evidence.ClockSet).Disorder {
			why = "the times of the log go back around the end: the node's clock was set, or its lines are not in order"
		}
		f.Doubt(why, set.ID)
	}
	if found := f.Node.Strangers(f.NodeEvents.Boot.Evidence, f.NodeEvents.Runtime.Evidence,
		f.NodeEvents.Kubelet.Evidence, f.NodeEvents.Down.Evidence, f.NodeEvents.Between.Evidence,
		f.Versions.Evidence, f.Switch.Evidence, f.Switch.Left.Evidence, f.OOM.Shortage.Evidence, f.OOM.Unplaced.Evidence,
		f.Cgroup.Told.Evidence, f.Cgroup.Outside.Evidence); len(found) > 0 {
		f.Doubt(unbound("a log of the node"), found...)
	}
}

// unbound says what is lacking in a log that may be another machine's: names of nodes are given twice.
func unbound(log string) string {
	return log + " may be another machine's: it has neither the machine id nor the boot id of the pod's node, and names " +
		"none of its containers"
}

// codes compares the exit code that counts with that of every other source.
func (f *Findings) codes() {
	if !f.Exit.OfProcess() {
		return
	}
	for _, m := range f.R.From.Marks {
		var code *int32
		switch e := m.Obs.Fact.(type) {
		case evidence.TaskExited:
			code = e.ExitCode
		case evidence.ContainerRecord:
			if !e.Coarse && !e.Finished.IsZero() && e.Finished.Sub(f.R.From.Finished).Abs() > tolerance.Slack {
				f.Doubt("the sources give different times for the end", m.Obs.ID)
			}
			if code = e.ExitCode; code != nil && e.Reason != "" && e.Reason != f.Exit.Reason && f.Kill.Answer != Yes {
				f.Doubt("the sources give different reasons for the end", m.Obs.ID)
			}
		case evidence.ContainerFinished:
			code = &e.ExitCode
		}
		if code != nil && *code != f.Exit.Code {
			f.Doubt("the sources give different exit codes", m.Obs.ID)
		}
	}
}

// ofTheNode doubts an instance of an API pod that is known only from logs and records that nothing links to the node:
// two clusters have static pods with the same UID if a node's name and a manifest are the same.
func (f *Findings) ofTheNode() {
	marks := f.R.From.Marks
	if f.R.Pod == nil || f.Node == nil || len(marks) == 0 ||
		slices.ContainsFunc(marks, func(m timeline.Occurrence) bool { return !f.Node.Strange(m.Obs) }) {
		return
	}
	f.Doubt(unbound("the log about it"), marks[0].Obs.ID)
}

// hadReason doubts that someone else requested a stop where, by its own log, the kubelet was about to kill: a line of
// the log may be missing.
func (f *Findings) hadReason() {
	if f.Kill.Answer == Yes || f.Stop.Answer != Yes {
		return
	}
	silent := f.Kill.Answer == No
	// Of what does not run for certain, the kubelet stops only the sandbox, and names no container (v1.20 and v1.37
	// container/helpers.go ConvertPodStatusToRunningPod, kuberuntime_manager.go killPodWithSyncResult).
	mayStopBox := func(why Point, before time.Time) {
		if f.StopBox && why.Answer == Yes && !why.At.IsZero() && why.At.Before(before) {
			f.Kill.Answer, f.StopForeign = Unknown, false
			f.Doubt("the kubelet had to end the pod, or to replace its sandbox, when the runtime was asked to stop that",
				why.Evidence...)
		}
	}
	mayStopBox(f.End.Point, f.Stop.At)
	mayStopBox(f.Sandbox.Changed, f.Stop.At.Truncate(time.Second)) // an event may be earlier than what led to it
	if !silent {
		return
	}
	if f.Hook.Answer == Yes {
		f.Doubt("its postStart hook had failed, for which the kubelet kills a container, but the kubelet's log "+
			"does not show that kill",
			f.Hook.Evidence...)
	}
	for _, kind := range []ProbeKind{Liveness, Startup} {
		failed := f.FailedRuns(kind)
		spec, last := f.ProbeOf(kind), len(failed)-1
		if last < 0 || spec != nil && last+1 < int(max(spec.FailureThreshold, 1)) {
			continue
		}
		if before := f.Stop.At.Sub(failed[last].At); before > -time.Second && before < tolerance.Slack {
			f.Doubt("its "+string(kind)+" probe had failed often enough for a kill right before the request to stop it, and "+
				"the kubelet's log does not have that kill", failed[last].Obs.ID)
		}
	}
}

// podsEnd checks the second authority for a pod end that the kubelet decides: the kubelet writes the reason into the
// pod's status, and into its log with the pod's name.
func (f *Findings) podsEnd() {
	e, p := &f.End, f.R.Pod
	if e.Answer != Yes {
		return
	}
	switch {
	case f.onlyTold(func(src *evidence.Source) bool { return src.Kind == evidence.SourceAPI && src.Origin != nil }):
		f.Doubt("only a controller's log gives the reason for the pod's end, and it identifies the pod only by "+
			"name", e.Evidence...)
	case e.How != evidence.EndDeleted && f.onlyTold((*evidence.Source).Event):
		f.Doubt("only an event gives the reason for the pod's end, and anyone who may create events could have "+
			"written it: neither the pod's status and conditions nor a log gives that reason", e.Evidence...)
	}
	switch e.How {
	case evidence.EndEvicted, evidence.EndPreempted, evidence.EndShutdown, evidence.EndDeadline:
		told, logged, other := false, false, false
		_, dated := f.endings()
		for _, m := range dated { // from the log, from events
			how, low, _, _ := ending.Of(m.Obs.Fact)
			if a, b := ending.Scarce(low), ending.Scarce(e.Resource); how == e.How && a != "" && b != "" && a != b {
				f.Doubt("the sources name different resources that the node was low on", m.Obs.ID)
			}
			told = told || how == e.How
			logged = logged || how == e.How && m.Obs.Source.Kind == evidence.SourceKubeletLog
			other = other || how != "" && how != e.How && !f.tooLate(m)
		}
		if p == nil {
			f.Doubt("the kubelet's message about the pod's end identifies the pod only by name, and the pod's "+
				"status, which would confirm it, was not read",
				e.Evidence...)
		}
		if other && !told {
			f.Doubt("the log or the events show another end of the pod than its status does", e.Evidence...)
		}
		if logged && p != nil && p.Object != nil && !p.DeletedAt.IsZero() && p.Reason == "" {
			f.Doubt("the kubelet's log gives a reason for the pod's end that its status does not give", e.Evidence...)
		}
		if o := f.PodObject(); e.How == evidence.EndDeadline && f.WholeSpec() && o.Spec.ActiveDeadlineSeconds == nil {
			f.Doubt("the pod's status says that its deadline was exceeded, but its spec has no deadline", e.Evidence...)
		} else if e.How == evidence.EndDeadline && f.WholeSpec() && f.youngerThan(*o.Spec.ActiveDeadlineSeconds) {
			f.Doubt("the pod's status says that its deadline was exceeded, but the deadline in its spec is longer than "+
				"the pod was there", e.Evidence...)
		}
	case evidence.EndTaint:
		if e.Reason == evidence.NodeLost && release.Known(f.Versions.At) >= taintsFrom {
			f.Doubt("the pod's status gives a reason that no controller of this version writes", e.Evidence...)
		}
	}
}

// ranOn doubts that the running instance existed before an apparent restart, where the node's clock was set back: what
// began after that has an earlier time.
func (f *Findings) ranOn() {
	if f.Node == nil {
		return
	}
	began := f.R.From.Started
	for _, m := range f.Node.ClockSets {
		from := m.Obs.Fact.(evidence.ClockSet).From
		if !began.Before(m.At.Add(-tolerance.Slack)) && began.Before(from) && f.Node.Binds(m.Obs.Source.Origin) {
			f.Doubt("the node's clock was set back, and the running container may have started after that", m.Obs.ID)
		}
	}
}

// killFits compares the kubelet's kill with the end.
func (f *Findings) killFits() {
	k := &f.Kill
	earliest, latest := f.R.From.EndWithin()
	end, exact := f.ExactEnd()
	if exact && !end.IsZero() {
		earliest, latest = end, end
	}
	if latest.IsZero() {
		return
	}
	if k.Late || f.wordAfter(earliest) || exact && !f.Hooked() && f.KillFirst.After(end) {
		f.Doubt("nothing shows that the kubelet's kill came before the end", k.Evidence...)
	}
	grace, began := f.Longest(), k.At
	if k.Grace >= 0 {
		grace, began = evidence.Seconds(k.Grace), f.KillBegan
	}
	if latest.Sub(began) > grace+tolerance.StopLag {
		f.Doubt("it ended long after the kill's grace period", k.Evidence...)
	}
	// The kubelet's kill uses SIGKILL only after the grace period. An event is dated up to a second too early.
	first := f.reasoned(began)
	least, most := earliest.Sub(first), latest.Sub(first)
	if k.Grace < 0 {
		least -= time.Second
	}
	if f.Exit.Known && f.Exit.Code == 137 && !f.Exit.Invented && f.OOM.Answer != Yes {
		switch grace := f.shortest() - tolerance.Jitter; {
		case most < grace:
			f.Doubt("it got SIGKILL before the grace period of the kubelet's kill was over", k.Evidence...)
		case least < grace:
			f.Doubt("it may have got SIGKILL before the grace period of the kubelet's kill was over: "+
				"the times are only exact to a second", k.Evidence...)
		}
	}
	f.stopFits(earliest)
}

// reasoned returns when the kill for the given reason began: the first one. When the pod is torn down, the last one
// counts, which may have a shorter grace period.
func (f *Findings) reasoned(last time.Time) time.Time {
	if k := &f.Kill; k.Grace >= 0 && !vague(k.Reason) {
		return f.KillFirst
	}
	return last
}

// shortest returns the shortest grace period that the kubelet's kill gave: from the log, else from the spec for this
// reason. For a pod teardown it may be anything.
func (f *Findings) shortest() time.Duration {
	k, p, spec := &f.Kill, f.R.Pod, f.R.Spec
	switch {
	case k.Grace >= 0 && !vague(k.Reason):
		return f.KillGrace // a later kill for another reason may have given less
	case k.Grace >= 0:
		return evidence.Seconds(k.Grace)
	case p == nil || spec == nil || vague(k.Reason):
		return 0
	}
	for reason, probe := range map[evidence.KillReason]*evidence.Probe{evidence.KillLiveness: spec.Liveness,
		evidence.KillStartup: spec.Startup} {
		if reason == k.Reason && probe != nil && probe.GracePause > 0 {
			return evidence.Seconds(probe.GracePause)
		}
	}
	return evidence.Seconds(p.GraceSeconds)
}

// wordAfter reports whether the first message about the kill may be later than the end: no log line precedes the end,
// or there are only events, which have whole seconds. The kubelet logs the kill only after the preStop hook, which may
// have ended the process; the reason and the event come before.
func (f *Findings) wordAfter(end time.Time) bool {
	cites := f.Kill.Cites()
	line, event := stop.FirstWords(f.R.From, func(m timeline.Occurrence) bool {
		_, begun := m.Obs.Fact.(evidence.KillStarted)
		return !(begun && f.Hooked()) && cites(m.Obs.ID)
	})
	if !line.IsZero() {
		return line.After(end)
	}
	return !event.IsZero() && event.Add(time.Second).After(end)
}

// stopFits doubts a stop request to the runtime from before the kubelet logged its kill, which must be someone else's
// because the kubelet logs first; and one from after the end.
func (f *Findings) stopFits(end time.Time) {
	switch {
	case f.Stop.Answer != Yes:
	case f.Stop.At.After(end):
		f.Doubt("nothing shows that the request to the runtime to stop it came before the end", f.Stop.Evidence...)
	case f.KillFirst.IsZero():
	case f.Stop.At.Before(f.KillFirst.Add(-tolerance.StopBefore)):
		f.Doubt("the request to the runtime to stop it came before the kubelet logged its kill", f.Stop.Evidence...)
	case f.Stop.At.After(f.KillFirst.Add(tolerance.Asks)):
		f.Doubt("the request to the runtime to stop it came long after the kubelet logged its kill", f.Stop.Evidence...)
	}
}

// killConfirmed checks the second authority: a kill goes through the runtime, whose log has the stop request, and the
// kubelet sends an event about it.
func (f *Findings) killConfirmed() {
	k := &f.Kill
	logged, reasoned := false, false // the log has the kill, has its reason
	begun := 0
	var events []*evidence.Observation
	cites := k.Cites()
	for _, m := range f.R.From.MarksWith(timeline.HasKill | timeline.HasHook) {
		if !cites(m.Obs.ID) {
			continue
		}
		said, decided := m.Obs.Fact.(evidence.KillDecided)
		if m.Obs.Source.Inside {
			f.Doubt("a line about the kill is inside another message, where a container may have written it", m.Obs.ID)
		}
		switch {
		case stop.InLog(m):
			logged, reasoned = true, reasoned || decided && said.Reason == k.Reason
			if _, ok := m.Obs.Fact.(evidence.KillStarted); ok {
				begun++
			}
		case decided:
			events = append(events, m.Obs)
		}
	}
	switch {
	case f.Stop.Answer == Yes:
		if begun > len(f.Stop.Evidence) {
			f.Doubt("the kubelet logged more kills than the runtime got stop requests", k.Evidence...)
		}
		f.twoStops(begun)
	case f.RuntimeLog:
		f.Doubt("the kubelet says that it killed the container, but the runtime's log shows its end without a stop request",
			k.Evidence...)
	case logged && len(events) == 0 && f.Events && f.R.Pod != nil:
		f.Doubt("the kubelet's log shows the kill, but there is no event about it, and the kubelet sends one at "+
			"once",
			k.Evidence...)
	}
	same := func(e *evidence.Observation) bool { return e.Fact.(evidence.KillDecided).Reason == k.Reason }
	if reasoned && logsReason[k.Reason] && len(events) > 0 && !slices.ContainsFunc(events, same) {
		f.Doubt("the kubelet's log gives a reason for the kill that none of its events gives", k.Evidence...)
	}
	if v := release.Known(f.Versions.At); v > 0 && v < killsFrom[k.Reason] {
		f.Doubt("kubelets of this version do not kill for the reason that is given", k.Evidence...)
	}
	for _, e := range events {
		if other(k.Reason, e.Fact.(evidence.KillDecided).Reason) {
			f.Doubt("the kubelet gives different reasons for the kill", e.ID)
		}
		if !logged || !reasoned && !vague(k.Reason) {
			f.eventFits(e)
		}
		if !reasoned && f.KubeletLog && logsReason[e.Fact.(evidence.KillDecided).Reason] {
			f.Doubt("an event gives a reason for the kill that the kubelet's log does not give, although the log "+
				"covers this time", e.ID)
		}
	}
}

// other reports whether one kill cannot have both reasons.
func other(a, b evidence.KillReason) bool { return a != b && !vague(a) && !vague(b) }

// vague reports whether the reason is compatible with any other.
func vague(r evidence.KillReason) bool {
	return r == "" || r == evidence.KillPod || r == evidence.KillUnknownState
}
