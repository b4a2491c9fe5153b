package analyzer

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// nameVictims makes one end of a pod that a table or a text calls OOM-killed and of the only pod of which the kernel
// tells, by its UID alone, that it killed a process of it. That is a guess, and nothing that rests on it is proven.
func nameVictims(t *timeline.History) {
	var victims, told []*timeline.Restart
	for _, r := range t.Restarts {
		switch {
		case r.From.OnlyKilled && r.PodName == r.PodUID:
			victims = append(victims, r)
		case r.From.Reason == "OOMKilled":
			told = append(told, r)
		}
	}
	ofOne := func(r *timeline.Restart) bool { return r.PodUID == victims[0].PodUID }
	if len(told) != 1 || len(victims) == 0 || !strings.HasPrefix(told[0].PodUID, evidence.Described) ||
		slices.ContainsFunc(victims, func(r *timeline.Restart) bool { return !ofOne(r) }) {
		return
	}
	named, last := told[0], victims[0]
	for _, r := range victims {
		if r.From.Finished.After(last.From.Finished) {
			last = r
		}
	}
	if ended := named.From.Finished; !ended.IsZero() && !named.From.Coarse &&
		last.From.Finished.Sub(ended).Abs() > tolerance.Slack {
		return
	}
	for _, r := range victims {
		r.Namespace, r.PodName, r.Container, r.From.Guessed = named.Namespace, named.PodName, named.Container, true
	}
	last.Kind, last.To, last.Waiting, last.Restarts = named.Kind, named.To, named.Waiting, named.Restarts
	last.From.Reason, last.From.ExitCode = named.From.Reason, named.From.ExitCode
	t.Restarts = slices.DeleteFunc(t.Restarts, func(r *timeline.Restart) bool { return r == named })
}
