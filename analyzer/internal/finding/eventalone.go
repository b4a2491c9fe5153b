package finding

import (
	"time"

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
		f.Doubt("only an event gives the reason for the kill, and the pod that it is about is not known", o.ID)
	case !o.Source.Vouched || o.Subject.PodUID == "" || o.Subject.Node != f.R.Node:
		f.Doubt("only an event gives the reason for the kill, and it is not from this node's kubelet about this container",
			o.ID)
	case o.Time.Before(p.CreatedAt.Add(-tolerance.Slack)) || !said.First.IsZero() &&
		said.First.Before(p.CreatedAt.Add(-tolerance.Slack)):
		f.Doubt("only an event gives the reason for the kill, and it is older than the pod", o.ID)
	case f.tooEarly(o.Time, said.Reason):
		f.Doubt("only an event gives the reason for the kill, and by then no probe had failed, or could have failed, often "+
			"enough", o.ID)
	case !f.Kill.GraceOver && f.R.From.Finished.Sub(o.Time) > tolerance.Slack:
		f.Doubt("only an event gives the reason for the kill, and what else the node did until the end is in no log", o.ID)
	case said.Reason == evidence.KillRestartAll && !p.RestartsAll:
		f.Doubt("only an event gives the reason for the kill, and no container of the pod has a rule for it", o.ID)
	}
}

// tooEarly reports whether a probe had no time to fail as often as the spec requires before its kill, or whether the
// kubelet, which sends an event about each failure, sent none.
func (f *Findings) tooEarly(at time.Time, reason evidence.KillReason) bool {
	probe, failed := f.R.Spec.Liveness, f.Probes.Liveness
	switch reason {
	case evidence.KillLiveness:
	case evidence.KillStartup:
		probe, failed = f.R.Spec.Startup, f.Probes.Startup
	default:
		return false
	}
	if probe == nil || len(failed) == 0 {
		return true
	}
	least := time.Duration(probe.InitialDelay)*time.Second +
		time.Duration(max(probe.FailureThreshold, 1)-1)*time.Duration(max(probe.Period, 1))*time.Second
	return !f.R.From.Started.IsZero() && at.Add(time.Second).Before(f.R.From.Started.Add(least))
}
