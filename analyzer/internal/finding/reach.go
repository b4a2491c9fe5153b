package finding

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file settles over which time logs have to reach before their silence says
// anything: a kill begins up to a grace period before the end.

// coverage settles which logs can answer by silence: they have to reach over
// the time in which a kill of this instance could have begun.
func (f *Findings) coverage() {
	r := f.R
	end := r.From.Finished
	if end.IsZero() {
		return
	}
	begin := end.Add(-f.longest() - tolerance.DecidedBefore)
	for _, t := range []time.Time{r.From.Started, r.From.Created} {
		if !t.IsZero() && t.After(begin) {
			begin = t
		}
	}
	until := end.Add(time.Second)
	if f.hooked() {
		until = end.Add(f.longest()) // the kill is told when the hook is over
	}
	f.witnesses()
	ok, verbosity := f.KubeletLogCovers(begin, until)
	f.KubeletLog = ok && verbosity >= 2
	ok, verbosity = f.Node.Covered(evidence.SourceRuntimeLog, begin, end, f.testifies(evidence.SourceRuntimeLog))
	f.RuntimeLog, f.runtimeStarts = ok && verbosity >= evidence.RuntimeTellsStops, ok &&
		verbosity >= evidence.RuntimeTellsStarts
	w := &f.witness
	w.kubeletText = f.texts(evidence.SourceKubeletLog, w.kubelet, f.KubeletLog, begin, until)
	w.runtimeText = f.texts(evidence.SourceRuntimeLog, w.runtime, f.RuntimeLog, begin, end)
	ok, _ = f.Node.Covered(evidence.SourceKernelLog, end.Add(-tolerance.OOMLag),
		end, f.testifies(evidence.SourceKernelLog))
	f.KernelLog = ok && f.onNodesKernel()
	f.throttled()
	f.Events = f.T.EventsCovered(begin) && !f.Throttled
}

// hooked tells a container with a preStop hook.
func (f *Findings) hooked() bool { return f.R.Spec != nil && f.R.Spec.PreStop }

// longest is the longest grace period that a kill of the old instance may have had:
// the pod's, that of one of its probes, that of the pod's deletion.
func (f *Findings) longest() time.Duration {
	p := f.R.Pod
	if p == nil {
		return tolerance.LongestGrace
	}
	grace := tolerance.DefaultGrace
	if p.GraceSeconds > 0 {
		grace = evidence.Seconds(p.GraceSeconds)
	}
	if s := f.R.Spec; s != nil {
		for _, probe := range []*evidence.Probe{s.Liveness, s.Startup} {
			if probe != nil {
				grace = max(grace, evidence.Seconds(probe.GracePause))
			}
		}
	}
	switch {
	case p.DeletedAt.IsZero():
	case p.Object != nil && p.Object.DeletionGracePeriodSeconds != nil:
		grace = max(grace, evidence.Seconds(*p.Object.DeletionGracePeriodSeconds))
	default:
		grace = max(grace, tolerance.LongestGrace) // kubectl delete --grace-period may ask for any
	}
	return grace
}

// onNodesKernel tells whether the node's kernel would tell of an out-of-memory kill in
// the container.
func (f *Findings) onNodesKernel() bool {
	o := f.PodObject()
	if o == nil || o.Spec.RuntimeClassName == nil {
		return true
	}
	return slices.Contains(sharing, *o.Spec.RuntimeClassName)
}

// silence is the answer when nothing was found in the kubelet's log or events.
func (f *Findings) silence() YesNo {
	switch {
	case f.KubeletLog:
		return No
	case f.Events:
		return NoTrace
	}
	return Unknown
}
