package basis

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file computes which time a log has to cover before its silence counts: a kill begins up to a grace period before
// the end.

// coverage decides which logs are evidence by silence: they must cover the time in which a kill of this instance could
// have begun.
func (f *Basis) coverage() {
	r := f.R
	end := r.From.Finished
	if end.IsZero() {
		return
	}
	begin := end.Add(-f.Longest() - tolerance.DecidedBefore)
	if t := r.From.NotBefore(); t.After(begin) {
		begin = t
	}
	until := end.Add(time.Second)
	if f.Hooked() {
		until = end.Add(f.Longest()) // the kill is logged after the hook
	}
	f.witnesses()
	ok, verbosity := f.KubeletLogCovers(begin, until)
	f.KubeletLog = ok && verbosity >= 2
	ok, verbosity = f.Node.Covered(evidence.SourceRuntimeLog, begin, end, f.Testifies(evidence.SourceRuntimeLog))
	f.RuntimeLog, f.RuntimeStarts = ok && verbosity >= evidence.RuntimeTellsStops, ok &&
		verbosity >= evidence.RuntimeTellsStarts
	w := &f.Witness
	w.KubeletText = f.texts(evidence.SourceKubeletLog, w.Kubelet, f.KubeletLog, begin, until)
	w.RuntimeText = f.texts(evidence.SourceRuntimeLog, w.Runtime, f.RuntimeLog, begin, end)
	ok, _ = f.Node.Covered(evidence.SourceKernelLog, end.Add(-tolerance.OOMLag),
		end, f.Testifies(evidence.SourceKernelLog))
	f.KernelLog = ok && f.OnNodesKernel()
	f.Throttled = f.throttled()
	f.Events = f.T.EventsCovered(begin) && !f.Throttled
}

// Hooked reports whether the container has a preStop hook.
func (f *Basis) Hooked() bool { return f.R.Spec != nil && f.R.Spec.PreStop }

// Longest returns the longest grace period that a kill of the old instance may have had: the pod's, that of one of its
// probes, that of the pod's deletion.
func (f *Basis) Longest() time.Duration {
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
		grace = max(grace, tolerance.LongestGrace) // kubectl delete --grace-period may set any
	}
	return grace
}

// OnNodesKernel reports whether the node's kernel log would have an out-of-memory kill in the container.
func (f *Basis) OnNodesKernel() bool {
	o := f.PodObject()
	if o == nil || o.Spec.RuntimeClassName == nil {
		return true
	}
	return slices.Contains(sharing, *o.Spec.RuntimeClassName)
}

// Silence returns the answer when nothing was found in the kubelet's log or events.
func (f *Basis) Silence() YesNo {
	switch {
	case f.KubeletLog:
		return No
	case f.Events:
		return NoTrace
	}
	return Unknown
}

// sharing are the usual names of runtime classes whose containers run on the node's own kernel. Any other may give the
// pod its own kernel, whose log is not the node's: "kata-qemu-nvidia-gpu" does.
var sharing = []string{"runc", "crun", "youki", "nvidia", "nvidia-cdi", "nvidia-legacy", "nvidia-experimental",
	"sysbox-runc"}

// throttled reports whether events of this container are missing: there are those of earlier rounds of its crash loop,
// but not the one of this instance's own start. The kubelet sends an event for each start and each kill; in a loop its
// client drops them after a while, and then silence about the newest end means nothing.
func (f *Basis) throttled() bool {
	started := func(m timeline.Occurrence) bool {
		e, ok := m.Obs.Fact.(evidence.APIEvent)
		return ok && e.Reason == "Started"
	}
	return !f.R.From.Started.IsZero() && slices.ContainsFunc(f.R.Forgotten, started) &&
		!slices.ContainsFunc(f.R.From.Marks, started)
}
