package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file makes deaths of what ended and has no name. A few lines of a log tell that something ended, by its id or by
// its pod, and the lines with the names are not among them: whoever hands these over asks about that end.

// alone adds the ends of containers that nothing names, where no objects of pods were handed over: for each pod
// that has no other end, and, where nothing has any end at all, for ids of which not even the pod is known.
func (t *History) alone() {
	if t.Listed() {
		return
	}
	told := map[*pod]bool{}
	for _, r := range t.Restarts {
		told[r.pod] = true
	}
	nothing := len(t.Restarts) == 0
	ends := map[*identity]*Restart{}
	var order []*identity
	for i := range t.obs {
		o := &t.obs[i]
		e := o.id
		if box := o.Subject.SandboxID; e == nil && nothing && box != "" && o.pod == nil && leavesAnEnd(o.Fact) {
			if e = t.ids.of(box); e.Container == "" { // nothing but its end is known of the sandbox
				e.sandbox = true
			}
		}
		if e == nil || e.instance != nil || e.Container != "" && e.pod != nil || told[e.pod] || e.pod == nil && !nothing ||
			e.sandbox && e.box != nil && e.box.Known {
			continue
		}
		r := ends[e]
		if r == nil {
			if !leavesAnEnd(o.Fact) {
				continue
			}
			r = t.made.restarts.New()
			in := t.made.instances.New()
			in.ID, in.SandboxID, in.Attempt = e.id, e.SandboxID, -1
			*r = Restart{Kind: KindDeath, Node: cmp.Or(e.Node, o.Subject.Node, o.Source.Node), From: in}
			ends[e] = r
			order = append(order, e)
		}
		if leavesAnEnd(o.Fact) {
			r.From.spoken = o.Time
		}
		if _, lost := o.Fact.(evidence.StateLost); lost && e.sandbox {
			r.Kind = KindRestart // its pod gets a new one
		}
		t.fold(r.From, o.Observation, r.Node)
		r.From.told |= o.tells | toldAnything
		if _, oom := o.Fact.(evidence.TaskOOM); oom && r.From.Finished.IsZero() {
			r.From.quality[ofFinished], r.From.Finished = fromKubeletLog, o.Time
		}
	}
	one, only := map[*pod]*Restart{}, t.onlyPod()
	for _, e := range order {
		r := ends[e]
		if e.pod == nil && only != nil && !e.sandbox { // of whom else, in lines that were cut to one pod
			e.pod, e.Namespace, e.Pod = only, only.name.namespace, only.name.pod
		}
		switch {
		case e.pod == nil:
			t.withoutPod(r)
			if !e.sandbox {
				r.Container = cmp.Or(e.Container, evidence.Unnamed)
			}
		case one[e.pod] != nil: // a container and its sandbox, or several containers: the end is the pod's
			one[e.pod].Container = ""
			continue
		default:
			r.pod, one[e.pod] = e.pod, r
			r.Container = evidence.Unnamed
			if e.sandbox {
				r.Container = ""
			}
			r.PodUID, r.Namespace, r.PodName = e.pod.uid, e.Namespace, cmp.Or(e.Pod, e.PodUID)
		}
		if !e.sandbox && e.container() && t.Unnamed[r.Node] > 0 {
			t.Unnamed[r.Node]--
		}
		t.Restarts = append(t.Restarts, r)
		told[e.pod] = true
	}
	t.worded(told)
	t.nobodys()
}

// onlyPod is the one pod that anything is told of, nil where that is none or several.
func (t *History) onlyPod() (only *pod) {
	for i := range t.obs {
		switch p := t.obs[i].pod; {
		case p == nil || p == only:
		case only != nil || p.name.pod == "":
			return nil
		default:
			only = p
		}
	}
	return only
}

// withoutPod gives an end of which nothing but an id is known a pod of its own.
func (t *History) withoutPod(r *Restart) {
	uid := unknownUID + evidence.Unnamed + "/" + r.From.ID
	p := t.under(uid)
	t.learn(p, podName{evidence.UsualNamespace(evidence.Unnamed), evidence.Unnamed}, time.Time{}, false)
	r.pod, r.PodUID = p, uid
	r.Namespace, r.PodName = evidence.UsualNamespace(evidence.Unnamed), evidence.Unnamed
}

// leavesAnEnd tells facts about an id that are its end, or its start that failed.
func leavesAnEnd(f evidence.Fact) bool {
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

// killedLast tells an instance of which nothing is left but that it was killed, where no objects of pods were handed
// over: a log that was cut to the question ends there, and what it does not show of the end did happen. In a log that
// has its start too, a kill may go on still.
func (t *History) killedLast(in *Instance) bool {
	if t.Listed() || !in.HasAny(HasKill|HasStop) || !in.begin().IsZero() {
		return false
	}
	for _, m := range slices.Backward(in.Marks) {
		switch m.Obs.Fact.(type) {
		case evidence.KillDecided, evidence.KillStarted, evidence.StopRequested:
			in.spoken = m.At
			return true
		}
	}
	return false
}

// failedToStart tells a container of which nothing is left but words about starts that failed. Where the API does not
// say what it waits for, the kubelet's last word does.
func (g *group) failedToStart() *Instance {
	in, unsaid := &Instance{Attempt: -1}, g.waiting.Reason == ""
	for _, m := range g.named {
		switch f := m.Obs.Fact.(type) {
		case evidence.StartFailed:
			if unsaid && !m.At.Before(in.spoken) {
				g.waiting = Waiting{f.Reason, f.Message.String(), []string{m.Obs.ID}}
			}
		case evidence.RuntimeFailed:
		default:
			continue
		}
		if !m.At.Before(in.spoken) {
			in.spoken = m.At
		}
	}
	if in.spoken.IsZero() {
		return nil
	}
	return in.marked(g.named)
}
