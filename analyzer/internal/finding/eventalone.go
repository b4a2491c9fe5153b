package finding

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file checks an event that is the only source of a kill's reason.

// eventFits doubts an event that is the only source of a kill's reason: anyone with the right to write events may have
// written it.
func (f *Findings) eventFits(o *evidence.Observation) {
	p, said := f.R.Pod, o.Fact.(evidence.KillDecided)
	switch {
	case p == nil || f.R.Spec == nil:
		f.Doubt("only an event gives the reason for the kill, and the pod's spec was not read", o.ID)
	case !o.Source.Vouched || o.Subject.PodUID == "" || o.Subject.Node != f.R.Node:
		f.Doubt("only an event gives the reason for the kill, and nothing confirms that this node's kubelet "+
			"wrote it about this container",
			o.ID)
	case o.Time.Before(p.CreatedAt.Add(-tolerance.Slack)) || !said.First.IsZero() &&
		said.First.Before(p.CreatedAt.Add(-tolerance.Slack)):
		f.Doubt("only an event gives the reason for the kill, and the event is older than the pod", o.ID)
	case f.LacksProbe(said.Reason):
		f.Doubt("only an event gives the reason for the kill, and the pod's spec has no such probe", o.ID)
	case f.noFailure(said.Reason):
		f.Doubt("only an event gives the reason for the kill, and no event of the probe's failures is left", o.ID)
	case f.tooEarly(o.Time, said.Reason):
		f.Doubt("only an event gives the reason for the kill, and the kill came too soon for the probe to have "+
			"failed often enough", o.ID)
	case !f.Kill.GraceOver && f.R.From.Finished.Sub(o.Time) > tolerance.Slack:
		f.Doubt("only an event gives the reason for the kill, and no log shows what else the node did until the "+
			"end", o.ID)
	case said.Reason == evidence.KillRestartAll && !p.RestartsAll:
		f.Doubt("only an event gives the reason for the kill, and no container of the pod has a rule for it", o.ID)
	}
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

// noFailure reports whether no failure of a probe is known: the kubelet sends an event about each, and events are kept
// for an hour.
func (f *Findings) noFailure(reason evidence.KillReason) bool {
	_, failed, is := f.probeOf(reason)
	return is && len(failed) == 0
}

// tooEarly reports whether a probe had no time to fail as often as the spec requires before its kill.
func (f *Findings) tooEarly(at time.Time, reason evidence.KillReason) bool {
	probe, _, is := f.probeOf(reason)
	if !is {
		return false
	}
	least := time.Duration(probe.InitialDelay)*time.Second +
		time.Duration(max(probe.FailureThreshold, 1)-1)*time.Duration(max(probe.Period, 1))*time.Second
	return !f.R.From.Started.IsZero() && at.Add(time.Second).Before(f.R.From.Started.Add(least))
}
