package probe

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// asBefore reports whether it is a round of a loop whose events are missing: the kubelet killed this container for the
// same probe before, the events of this instance were dropped, its exit looks like that of a stopped container, and it
// lived long enough for the probe to fail again.
func (k *kind) asBefore(f *finding.Findings) bool {
	if f.Kill.Answer == finding.Yes || f.Kill.Answer == finding.No || !f.Throttled ||
		f.KilledBefore.Reason != k.reason || !causes.StoppedLike(f) || f.R.Spec == nil {
		return false
	}
	p, in := k.spec(f.R.Spec), f.R.From
	if p == nil || in.Started.IsZero() || in.Finished.IsZero() {
		return false
	}
	// The first run comes right after the delay, and the times are whole seconds.
	quickest := evidence.Seconds(int64(p.InitialDelay)+(int64(max(1, p.FailureThreshold))-1)*int64(p.Period)) - time.Second
	return in.Finished.Sub(in.Started) >= quickest
}

// again claims what asBefore found, from the message about the earlier kill.
func (k *kind) again(f *finding.Findings) *causes.Claim {
	b := f.KilledBefore
	what := fmt.Sprintf("its %s probe failed, as it had before", k.name)
	return &causes.Claim{
		Strength: causes.Strong, Needs: causes.NeedKubeletLog(f),
		Chain: []causes.Link{
			{Cause: k.id, Text: what, At: f.R.From.Finished, Evidence: f.Exit.Evidence},
			{Text: "the kubelet killed an earlier container for this, but there are no events about this one: " + b.Message,
				At: b.At, Evidence: b.Evidence},
			causes.EndStep(f), causes.Then(f),
		},
		Summary: fmt.Sprintf("%s: the kubelet killed an earlier container because its %s probe failed%s; this one ended "+
			"the same way, and the kubelet no longer sends events about it", causes.Who(f), k.name, schedule(f, k)),
	}
}
