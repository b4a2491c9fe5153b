package analyzer

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// nameVictims makes one end of that of a pod without a UID (kubectl describe, a table, a text), which memory may have
// ended, and of the only pod of which the kernel tells, by its UID alone, that it killed a process of it. That is a
// guess, and nothing that rests on it is proven.
func nameVictims(t *timeline.History) {
	var victims, told []*timeline.Restart
	for _, r := range t.Restarts {
		if r.From.OnlyKilled && r.PodName == r.PodUID {
			victims = append(victims, r)
		}
	}
	if len(victims) == 0 || slices.ContainsFunc(victims, func(r *timeline.Restart) bool {
		return r.PodUID != victims[0].PodUID
	}) {
		return
	}
	last := slices.MaxFunc(victims, func(a, b *timeline.Restart) int { return a.From.Finished.Compare(b.From.Finished) })
	for _, r := range t.Restarts {
		if mayBeOf(r, last.From.Finished) {
			told = append(told, r)
		}
	}
	if len(told) != 1 || !strings.HasPrefix(told[0].PodUID, evidence.Described) || apart(told[0].Node, last.Node) {
		return
	}
	named := told[0]
	if program(last, named.PodName) {
		t.Restarts = slices.DeleteFunc(t.Restarts, func(r *timeline.Restart) bool { return r == named })
		return
	}
	for _, r := range victims {
		r.Namespace, r.PodName, r.Container = named.Namespace, named.PodName, named.Container
		r.Pod, r.Spec, r.From.Guessed = named.Pod, named.Spec, true
	}
	last.Kind, last.To, last.Waiting, last.Restarts = named.Kind, named.To, named.Waiting, named.Restarts
	last.From.Started, last.From.Reason, last.From.ExitCode = named.From.Started, named.From.Reason, named.From.ExitCode
	last.From.Records, last.PodMarks = named.From.Records, named.PodMarks
	for _, m := range named.From.Marks {
		last.From.Mark(m) // a kill that the description's events tell of
	}
	slices.SortStableFunc(last.From.Marks, timeline.ByTime)
	t.Restarts = slices.DeleteFunc(t.Restarts, func(r *timeline.Restart) bool { return r == named })
}

// mayBeOf reports whether an end may be that of a kill at a time, zero if unknown: it is called OOMKilled, or its code
// is that of SIGKILL, its time the kill's, and the kubelet does not say why it stopped it. So may what a table counts.
func mayBeOf(r *timeline.Restart, killed time.Time) bool {
	ended, code := r.From.Finished, r.From.ExitCode
	dated := !ended.IsZero() && !r.From.Coarse && !killed.IsZero()
	near := dated && killed.Sub(ended).Abs() <= tolerance.Slack
	switch {
	case r.From.OnlyKilled:
		return false
	case r.From.Reason == "OOMKilled":
		return near || !dated
	case r.From.Reason == "" && code == nil && strings.HasPrefix(r.PodUID, evidence.Row):
		return r.Restarts > 0 // a table counts restarts, and says nothing of how they came about
	}
	stated := timeline.Has(r.From.Marks, func(k evidence.KillDecided) bool { return k.Reason != "" })
	return near && code != nil && *code == 137 && !stated
}

// apart reports whether two names are of different nodes. One of the two may be a host's name with its domain.
func apart(a, b string) bool {
	a, _, _ = strings.Cut(a, ".")
	b, _, _ = strings.Cut(b, ".")
	return a != "" && b != "" && a != b
}
