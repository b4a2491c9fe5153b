package finding

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file checks an event that is the only source of a kill's reason.

// eventFits doubts an event that is the only source of a kill's reason: anyone with the right to write events may have
// written it, and events are gathered at other times than the pod.
func (f *Findings) eventFits(o *evidence.Observation) {
	p, said := f.R.Pod, o.Fact.(evidence.KillDecided)
	why := ""
	switch {
	case p == nil || f.R.Spec == nil:
		why = "the pod's spec was not read"
	case !o.Source.Vouched || o.Subject.PodUID == "" || o.Subject.Node != f.R.Node:
		why = "nothing confirms that this node's kubelet wrote it about this container"
	case o.Time.Before(p.CreatedAt.Add(-tolerance.Slack)) || !said.First.IsZero() &&
		said.First.Before(p.CreatedAt.Add(-tolerance.Slack)):
		why = "the event is older than the pod"
	case f.LacksProbe(said.Reason):
		why = "the pod's spec has no such probe"
	case f.noFailure(said.Reason):
		why = "no event of the failures is left"
	case f.tooEarly(o.Time, said.Reason):
		why = "the kill came too soon for the probe to have failed often enough"
	case !f.Kill.GraceOver && f.R.From.Finished.Sub(o.Time) > tolerance.Slack:
		why = "no log shows what else the node did until the end"
	case said.Reason == evidence.KillRestartAll && !p.RestartsAll:
		why = "no container of the pod has a rule for it"
	case f.bootedBefore(o.Time):
		why = "the node booted while the container ran, which no container survives"
	case !vague(said.Reason) && (!p.DeletedAt.IsZero() || f.End.Asked.Answer == Yes): // by the API server's clock
		why = "the pod was deleted, perhaps before it: another clock dates that"
	case !vague(said.Reason) && f.wentBefore(o):
		why = "other events show that the whole pod was being stopped at that time"
	}
	if why != "" {
		f.Doubt("only an event gives the reason for the kill, and "+why, o.ID)
	}
}

// bootedBefore reports whether the node booted between the instance's start and a kill.
func (f *Findings) bootedBefore(kill time.Time) bool {
	began := f.R.From.Begun()
	if f.Node == nil || began.IsZero() {
		return false
	}
	boots := f.Node.BootsAfter(began.Add(tolerance.RebootLag)) // the API hears of it late
	return len(boots) > 0 && !boots[0].At.After(kill)
}

// wentBefore reports whether the kubelet had a reason to stop the whole pod by the second of a kill: its sandbox was
// gone, or another event about a kill names none of a container's own. It would have given no other then.
func (f *Findings) wentBefore(kill *evidence.Observation) bool {
	began := f.R.From.Begun().Truncate(time.Second)
	for _, m := range f.R.From.MarksWith(timeline.HasKill) {
		other, ok := m.Obs.Fact.(evidence.KillDecided)
		if ok && other.Reason == evidence.KillPod && m.Obs != kill && m.Obs.Source.Event() && f.MayLive(f.R.From, m.At) {
			return true
		}
	}
	for _, m := range f.R.PodMarksWith(timeline.HasSandbox) {
		_, gone := m.Obs.Fact.(evidence.SandboxChanged)
		if gone && m.Obs.Source.Event() && m.At.After(began.Add(tolerance.Slack)) && !m.At.After(kill.Time) {
			return true
		}
	}
	return false
}

// LacksProbe reports whether the kubelet names a probe that the spec does not have.
func (f *Findings) LacksProbe(reason evidence.KillReason) bool {
	probe, _, is := f.probeOf(reason)
	return is && probe == nil
}

// probeOf returns the probe that a kill is for, and its failures; false for kills that are for none, or without a spec.
func (f *Findings) probeOf(reason evidence.KillReason) (*evidence.Probe, []timeline.Occurrence, bool) {
	switch {
	case f.R.Spec == nil:
	case reason == evidence.KillLiveness:
		return f.R.Spec.Liveness, f.Probes.Liveness, true
	case reason == evidence.KillStartup:
		return f.R.Spec.Startup, f.Probes.Startup, true
	}
	return nil, nil, false
}

// noFailure reports whether no failure of a probe or hook is known: the kubelet sends an event about each, and events
// are kept for an hour.
func (f *Findings) noFailure(reason evidence.KillReason) bool {
	_, failed, is := f.probeOf(reason)
	return is && len(failed) == 0 || reason == evidence.KillPostStart && f.Hook.Answer != Yes
}

// tooEarly reports whether a probe had no time to fail as often as the spec requires before its kill. A kubelet counts
// failures from its own start on.
func (f *Findings) tooEarly(at time.Time, reason evidence.KillReason) bool {
	probe, _, is := f.probeOf(reason)
	if !is {
		return false
	}
	least := time.Duration(max(probe.FailureThreshold, 1)-1) * time.Duration(max(probe.Period, 1)) * time.Second
	if run, _ := f.Node.KubeletAt(at.Add(time.Second)); run != nil && run.Start.After(f.R.From.Started) &&
		at.Add(time.Second).Before(run.Start.Add(least)) {
		return true
	}
	least += time.Duration(probe.InitialDelay) * time.Second
	return !f.R.From.Started.IsZero() && at.Add(time.Second).Before(f.R.From.Started.Add(least))
}
