package subject

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file asks of ends that nothing names whether they need an explanation.

// LeavesAnEnd reports whether a fact about an id is its end, or its failed start.
func LeavesAnEnd(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.ContainerDied, evidence.ContainerFinished, evidence.TaskExited, evidence.TaskOOM, evidence.ShimLost,
		evidence.StopRequested, evidence.KillStarted, evidence.KillDecided, evidence.KillFailed,
		evidence.SandboxStopRequested, evidence.SandboxStopped, evidence.StateLost:
		return true
	case evidence.UnitChanged: // the scope of a container
		return f.Change == "stopping"
	case evidence.RuntimeFailed:
		return f.Op == "StartContainer"
	case evidence.ContainerRecord:
		return f.State == evidence.StateExited
	}
	return false
}

// judgeEnd notes of an id what a line about it says of its end.
func (e *Entity) judgeEnd(f evidence.Fact) {
	switch f := f.(type) {
	case evidence.ContainerFinished:
		e.fails = e.fails || f.ExitCode != 0
	case evidence.TaskExited:
		e.fails = e.fails || f.ExitCode != nil && *f.ExitCode != 0
	case evidence.TaskOOM:
		e.fails = true
	case evidence.KillDecided, evidence.KillStarted, evidence.StopRequested, evidence.RemovalRequested:
		e.asked = true
	}
}

// judgeEnd notes that a line tells of a pod that it was deleted, or ended as a whole.
func (p *Pod) judgeEnd(o *Seen) {
	c, config := o.Fact.(evidence.PodConfig)
	if config && c.Op != "DELETE" && c.Op != "REMOVE" {
		return
	}
	at := o.Time
	if d, ok := o.Fact.(evidence.PodDeleted); ok && d.GraceSeconds < 0 && o.Time.Equal(d.Until) {
		at = time.Time{} // when it is over
	}
	if !p.left || at.Before(p.leaves) {
		p.left, p.leaves = true, at
	}
}

// callOff takes what the kubelet cancelled to end a pod for no failed start: only the last one of a pod, and only if
// the pod is known to have ended then. Errors with the same words may be a runtime's.
func (t *Resolver) callOff() {
	last := map[*Pod]time.Time{}
	for i := range t.Obs {
		o := &t.Obs[i]
		if f, ok := o.Fact.(evidence.StartFailed); ok && f.CalledOff && o.Pod != nil && o.Pod.left &&
			!o.Time.Before(last[o.Pod]) {
			last[o.Pod] = o.Time
		}
	}
	if len(last) == 0 {
		return
	}
	for i := range t.Obs {
		o := &t.Obs[i]
		f, ok := o.Fact.(evidence.StartFailed)
		at, found := last[o.Pod]
		if !ok || !f.CalledOff || !found || f.Count > 1 || at.Sub(o.Time) > tolerance.Slack ||
			!o.Time.IsZero() && o.Pod.leaves.Sub(o.Time) > tolerance.Slack {
			continue
		}
		told := t.copies.New() // the snapshot stays unchanged
		*told = *o.Observation
		told.Fact = evidence.APIEvent{Reason: f.Reason, Message: f.Message, Count: f.Count, First: f.First}
		o.Observation, o.Tells = told, timeline.ToldBy(told.Fact)
	}
}

// Gone reports whether the id is of no pod that the API has.
func (e *Entity) Gone() bool { return e.Owner == nil || e.Owner.Given == nil }

// Fails reports whether an end needs an explanation, whatever became of its pod: it has a code other than 0, or ran
// into its memory limit, and nothing asked for it.
func (e *Entity) Fails() bool { return e.fails && !e.asked }

// Uncounted reports whether a fact is the end of an id that nothing explains, and that is not in Unnamed: no request,
// and no deletion of its pod. A kubelet that starts also tells of what had ended before.
func (t *Resolver) Uncounted(e *Entity, o *Seen) bool {
	switch o.Fact.(type) {
	case evidence.ContainerFinished, evidence.TaskExited, evidence.TaskOOM:
	case evidence.ContainerDied:
		if t.FirstRelist(NodeOf(o.Observation), o.Time) {
			return false
		}
	default:
		return false
	}
	return !e.asked && (e.Owner == nil || !e.Owner.left && !e.OfContainer())
}

// CountUnnamed counts an end that stays without a name.
func (t *Resolver) CountUnnamed(node string) {
	if t.Unnamed == nil {
		t.Unnamed = map[string]int{}
	}
	t.Unnamed[node]++
}

// RowOfNew reports whether a fact is a table's row of a sandbox that is not its pod's first. It is only used where a
// log tells nothing, for its time is coarse. A runtime's own list has the containers of the sandbox before, too.
func RowOfNew(f evidence.Fact) bool {
	box, ok := f.(evidence.SandboxRecord)
	return ok && box.Attempt > 0 && box.Ready && box.Coarse
}
