package told

import "github.com/restartwhy/kubectl-restartwhy/diag/evidence"

// EndsForGood reports whether a fact is the end of a pod, and not just of its object.
func EndsForGood(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.PodEvicted:
		return f.Reason != "TerminationByKubelet"
	case evidence.PodRejected:
		return true
	case evidence.PodDeleted:
		return !f.By.Empty() // the API server granted it
	}
	return false
}

// Refusal reports whether the pod was not admitted, or its node was about to shut down: its containers need not have
// run.
func Refusal(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.PodEvicted:
		return evidence.EndingOf(f.Reason) == evidence.EndShutdown
	case evidence.PodRejected:
		return true
	}
	return false
}
