package history

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file makes ends of containers that are known only from the kernel's records of out-of-memory kills: the victim's
// cgroup has the UID of the pod and the id of the container.

// endOfVictims ends the instances that are known only from the kernel's record. A container that dies has one end: the
// last of several kills. One of which the log of its node's kubelet knows nothing did not end there: it is of another
// node with the same kernel, or lost a child only.
func (t *builder) endOfVictims() {
	for _, e := range t.IDs.All {
		in := e.Instance
		if in == nil || !e.Killed || in.Told&^(timeline.HasMemory|timeline.ToldNode|timeline.ToldAnything) != 0 {
			continue
		}
		in.State, in.OnlyKilled = evidence.StateExited, true
		for _, m := range in.Marks {
			k, kernel := m.Obs.Fact.(evidence.OOMKill)
			_, daemon := m.Obs.Fact.(evidence.UserspaceOOMKill)
			if (daemon || kernel && subject.MainVictim(&k)) && m.At.After(in.Finished) {
				in.Quality[timeline.OfFinished], in.Finished = timeline.FromKubeletLog, m.At
			}
		}
		g := t.group(e.Owner, e.Subject, e.Kind)
		if t.Unknown(e.Node, in.Finished) {
			in.State, in.OnlyKilled = "", false
			g.instances = slices.DeleteFunc(g.instances, func(o *timeline.Instance) bool { return o == in })
			t.CountKill(e.Node)
			continue
		}
		if g.ranBeside(in) {
			g.instances = slices.DeleteFunc(g.instances, func(o *timeline.Instance) bool { return o == in })
			s := *e.Subject
			s.Container = in.ID[:min(len(in.ID), subject.ShortID)]
			other := t.group(e.Owner, &s, e.Kind)
			other.instances = append(other.instances, in)
		}
	}
}

// ranBeside reports whether another instance ran when a victim died, or had ended within the last second, in which no
// kubelet starts the next one: then the victim is another container of the pod, of which nothing else is known.
func (g *group) ranBeside(victim *timeline.Instance) bool {
	return !victim.Finished.IsZero() && slices.ContainsFunc(g.instances, func(o *timeline.Instance) bool {
		return o != victim && !o.Started.IsZero() && o.Started.Before(victim.Finished.Add(-tolerance.Slack)) &&
			o.Finished.After(victim.Finished.Add(-time.Second))
	})
}

// nobodys adds an end for each of these programs, where the evidence has no other end: whoever provides these lines
// asks about that kill.
func (t *builder) nobodys() {
	if t.Strays = t.KilledStrays(); len(t.Restarts) > 0 {
		return
	}
	for _, m := range t.Strays[:min(len(t.Strays), maxNobodys)] {
		o := m.Obs
		if o.Subject.ContainerID != "" && t.Unknown(subject.NodeOf(o), o.Time) {
			continue
		}
		key := subject.NodeOf(o) + " " + o.Fact.(evidence.OOMKill).Task
		in := (&timeline.Instance{ID: cmp.Or(o.Subject.ContainerID, key), Attempt: -1, State: evidence.StateExited,
			Spoken:     o.Time,
			OnlyKilled: true, Finished: o.Time}).Marked([]timeline.Occurrence{m})
		r := &timeline.Restart{Kind: timeline.KindDeath, Node: subject.NodeOf(o),
			Container: evidence.Unnamed, From: in}
		t.withoutPod(r) // by its id, or separate from the others
		in.ID = o.Subject.ContainerID
		t.Restarts = append(t.Restarts, r)
	}
}

// maxNobodys limits the ends of such programs.
const maxNobodys = 10
