package finding

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// initAgain looks for an ordinary init container that ran again between the end of the old instance and the start of the
// new one. The kubelet does that in a new sandbox, for a rule that restarts all containers, and where it lost the init
// containers' records (kuberuntime_manager.go computePodActions).
func (f *Findings) initAgain() {
	r := f.R
	if r.To == nil || r.Pod == nil || r.ContainerKind == evidence.KindInit || r.From.Finished.IsZero() {
		return
	}
	again := r.To.Created
	if again.IsZero() {
		again = r.To.Started
	}
	for _, l := range r.Lives() {
		if !f.ordinaryInit(l.Container) {
			continue
		}
		for _, in := range l.Instances {
			at := in.Created
			if at.IsZero() {
				at = in.Started
			}
			if at.After(r.From.Finished.Add(slack)) && !at.After(again.Add(slack)) {
				f.InitAgain = Fact{Yes, at, in.Records}
				return
			}
		}
	}
}

func (f *Findings) ordinaryInit(name string) bool {
	for i := range f.R.Pod.Containers {
		if c := &f.R.Pod.Containers[i]; c.Name == name {
			return c.Kind == evidence.KindInit
		}
	}
	return false
}

// AtOnce tells whether the fact's time is within one sync of the end: what the kubelet did then is of one decision.
func (f *Findings) AtOnce(fact Fact) bool {
	return fact.Answer == Yes && !fact.At.IsZero() && !f.R.From.Finished.IsZero() && fact.At.Before(f.R.From.Finished.Add(oneSync))
}

// oneSync is how soon after a kill the kubelet starts what it decided to start in the same call of SyncPod.
const oneSync = 5 * time.Second
