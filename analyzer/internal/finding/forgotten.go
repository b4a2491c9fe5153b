package finding

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// throttled reads what events tell of the rounds of a loop that left no record.
//
// The kubelet sends an event for each start, and one for each kill. In a loop its
// client drops them after a while. Then the silence about the newest end means
// nothing, and the kill of an earlier round says how the loop goes.
func (f *Findings) throttled() {
	started := func(m timeline.Occurrence) bool {
		e, ok := m.Obs.Fact.(evidence.APIEvent)
		return ok && e.Reason == "Started"
	}
	for _, m := range f.R.Forgotten {
		if k, ok := m.Obs.Fact.(evidence.KillDecided); ok {
			f.KilledBefore = KubeletKill{Point: Point{Yes, m.At, []string{m.Obs.ID}}, Reason: k.Reason,
				Message: k.Message.String(), Grace: -1}
		}
	}
	f.Throttled = !f.R.From.Started.IsZero() && slices.ContainsFunc(f.R.Forgotten, started) &&
		!slices.ContainsFunc(f.R.From.Marks, started)
}
