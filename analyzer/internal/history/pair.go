package history

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/told"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// pair makes restarts from neighbouring instances, and deaths from those that ended without a successor.
func (t *builder) pair() {
	for _, g := range t.groups {
		g.node = t.Nodes[g.Node]
		mentioned := strings.HasPrefix(g.PodUID, evidence.Mentioned)
		if in := g.killedUnseen(mentioned || !t.Listed() || t.gaveItsName(g)); in != nil &&
			(g.restarts <= 0 && !told.CannotStart(g.waiting.Reason) || g.waiting.Reason == "") {
			if t.toldEnds(g, in) {
				continue
			}
			g.instances = append(g.instances, in)
			to := t.startedSince(g)
			if to == nil && g.restarts > 0 && g.up != "" {
				to = &timeline.Instance{Attempt: g.restarts, State: evidence.StateRunning, Records: []string{g.up}}
			}
			t.add(g, in, to)
			continue
		}
		if len(g.instances) == 0 {
			switch {
			case g.restarts <= 0 && blank(g.pod) && g.named.StartedAgain() != nil && t.toldEnds(g, nil):
			case g.restarts <= 0 && blank(g.pod) && g.named.StartedAgain() != nil:
				t.add(g, (&timeline.Instance{Attempt: -1}).Marked(g.named), g.named.StartedAgain())
			case g.restarts > 0: // the count says that there was one, but no record is left of any
				from := (&timeline.Instance{Attempt: g.restarts - 1}).Marked(slices.Clone(g.named)).DatedByWords()
				t.add(g, from, t.startedLast(g, from.Spoken))
			case told.Refused(g.waiting.Reason), told.Ran(g.waiting.Reason), g.stuck():
				t.add(g, (&timeline.Instance{Attempt: -1}).Marked(g.named), nil)
			case g.pod == nil && !t.Listed():
				if in := g.failedToStart(); in != nil {
					t.add(g, in, nil)
				}
			}
			continue
		}
		g.joinLost()
		oldest := g.instances[0]
		if len(g.instances) == 1 && g.hadAnother(oldest) {
			// The count says that there was one before, but no record is left of it.
			g.instances = slices.Insert(g.instances, 0, &timeline.Instance{Attempt: oldest.Attempt - 1})
			g.instances[0].Marked(g.named.BeforeFirst(oldest, mentioned))
		}
		if g.ranAgain() {
			g.instances = slices.Insert(g.instances, 0, &timeline.Instance{Attempt: -1})
		}
		begin := len(t.Restarts)
		for i, in := range g.instances {
			var next *timeline.Instance
			if i+1 < len(g.instances) {
				next = g.instances[i+1]
			}
			if next == nil && !in.Exited() {
				if t.outlasted(g, in) || g.stopping(in) || t.killedLast(in, g.Node) {
					t.add(g, in, nil)
				}
				continue
			}
			if next != nil && in.OnlyKilled && in.Finished.IsZero() {
				next = &timeline.Instance{Attempt: -1} // neither its end nor what followed is known
			}
			if next != nil && !adjacent(in, next) {
				// Instances in between left no trace: this one's end is known, but its successor is not the next known
				// one.
				next = nil
				if !in.Exited() {
					continue
				}
				t.add(g, in, &timeline.Instance{Attempt: in.Attempt + 1})
				continue
			}
			t.add(g, in, next)
		}
		if begin < len(t.Restarts) && t.Restarts[begin].From == oldest {
			t.Restarts[begin].Forgotten = g.named.Forgotten(oldest)
		}
		t.chain(begin)
	}
}

// chain links the restarts of one container, which are the last ones from an index on.
func (t *builder) chain(begin int) {
	for i := begin + 1; i < len(t.Restarts); i++ {
		t.Restarts[i].Prev, t.Restarts[i-1].Next = t.Restarts[i-1], t.Restarts[i]
	}
}

// joinLost assigns ends without an id to the instances that they are about: the present one, or the one before, if a
// log knows it but not its end. A kubelet that lost a container does not know its id. The API's last instance before
// the present one is another one. Where a container was described several times, there are several such ends.
func (g *group) joinLost() {
	if !slices.ContainsFunc(g.instances, func(in *timeline.Instance) bool { return in.Lost }) {
		return
	}
	g.joinLosses()
	for _, present := range []bool{true, false} {
		known := slices.DeleteFunc(slices.Clone(g.instances), func(in *timeline.Instance) bool { return in.Lost })
		at := len(known) - 1
		if !present && !slices.ContainsFunc(g.instances, func(in *timeline.Instance) bool { return in.Lost && in.Present }) {
			at-- // the newest known one is the present one
		}
		if at < 0 || known[at].Before {
			continue
		}
		from := slices.IndexFunc(g.instances, func(in *timeline.Instance) bool {
			return in.Lost && in.Present == present && known[at].MayEnd(in) &&
				(!known[at].Exited() || present && in.State != evidence.StateRunning)
		})
		if from >= 0 {
			known[at].Take(g.instances[from])
			g.instances = slices.Delete(g.instances, from, from+1)
		}
	}
}

// joinLosses merges two ends without an id, time or reason. When a pod ends, a kubelet that lost the container invents
// its end twice: as the one before, counted as a restart (kubelet_pods.go convertToAPIContainerStatuses), and then as
// its own, so that all have ended (status_manager.go TerminatePod).
func (g *group) joinLosses() {
	invented := slices.DeleteFunc(slices.Clone(g.instances), func(in *timeline.Instance) bool {
		return !in.Lost || in.Reason != "ContainerStatusUnknown" || !in.Finished.IsZero()
	})
	if len(invented) == 2 && !invented[0].Present && invented[1].Present {
		invented[1].Records = append(invented[1].Records, invented[0].Records...)
		g.instances = slices.DeleteFunc(g.instances, func(in *timeline.Instance) bool { return in == invented[0] })
		g.restarts--
	}
}

// adjacent reports whether no lost instance is known to have been between two.
func adjacent(a, b *timeline.Instance) bool { return a.Attempt < 0 || b.Attempt <= a.Attempt+1 }

func (t *builder) add(g *group, from, to *timeline.Instance) {
	r := t.restarts.New()
	*r = timeline.Restart{
		Kind: timeline.KindRestart, Node: g.Node, Namespace: g.Namespace, PodName: g.Pod, PodUID: g.PodUID,
		Container: g.Container, ContainerKind: g.kind, Pod: g.pod, Spec: g.spec(), From: from, To: to, Story: g.in.PodStory,
		Restarts: g.restarts, Measured: g.measured,
	}
	if to != nil && from.Runtime != "" && to.Runtime != "" && from.Runtime != to.Runtime && g.Node != "" {
		n := t.Node(g.Node)
		n.Switched = append(n.Switched, timeline.Switched{At: to.Started, From: from.Runtime, To: to.Runtime,
			Evidence: slices.Concat(from.Records, to.Records)})
	}
	if to == nil {
		r.Kind, r.Waiting = timeline.KindDeath, g.waiting
		if w := g.named.FailedSince(from.Finished); r.Waiting.Reason == "" && g.pod == nil && told.Refused(w.Reason) {
			r.Waiting = w
		}
		switch {
		case len(g.instances) == 0 && g.restarts <= 0 && !told.Ran(g.waiting.Reason):
			r.Kind = timeline.KindRefused
		case !g.finishedAsMeant(from):
		case g.waiting.Reason == "":
			return
		case told.CannotStart(g.waiting.Reason): // it should run again, and something prevents it
			r.Kind, r.From = timeline.KindRefused, &timeline.Instance{Attempt: -1}
		}
	}
	t.Restarts = append(t.Restarts, r)
}

// spec returns the container's spec, nil if unknown.
func (g *group) spec() *evidence.Container {
	if g.pod == nil {
		return nil
	}
	return g.in.Spec(g.Container)
}

// stuck reports whether a text says of a container that it is never made. Only words say so: ContainerCreating alone is
// the state of every new pod.
func (g *group) stuck() bool {
	return g.waiting.Reason == "ContainerCreating" && g.pod != nil && g.pod.Mentioned()
}

// finishedAsMeant reports whether an end needs no explanation: an init container or a job's container that completed.
// What was killed for memory, or went down with a pod that failed, did not complete, whatever its exit code.
func (g *group) finishedAsMeant(in *timeline.Instance) bool {
	done := in.ExitCode != nil && *in.ExitCode == 0 && in.Reason != "OOMKilled" && !g.cutOff(in)
	switch {
	case g.kind != evidence.KindInit && g.pod != nil && g.pod.Phase == "Failed" && g.pod.Reason != "" && !g.outlived(in):
		return false
	case g.kind == evidence.KindInit, g.kind == evidence.KindEphemeral:
		return done
	case g.pod == nil:
		return false
	case g.kind == evidence.KindSidecar, g.pod.RestartPolicy == "" && g.pod.DeletedAt.IsZero(): // or no policy is known
		return done && (g.pod.Ended() || g.kind == evidence.KindApp && g.pod.Owner.Kind == "Job")
	}
	return done && g.pod.RestartPolicy != "Always" && g.pod.RestartPolicy != ""
}

// cutOff reports whether the node booted or came back around the end of a container of an ended pod: what obeys the
// SIGTERM of a shutdown ends with 0, and dockerd dates what it lost in a boot by the boot and reports it as completed.
func (g *group) cutOff(in *timeline.Instance) bool {
	if g.pod == nil || g.kind != evidence.KindApp || in.Finished.IsZero() || g.node == nil {
		return false
	}
	near := func(at time.Time) bool {
		since := at.Sub(in.Finished)
		return since > -tolerance.CameBack && since < tolerance.CameBack &&
			at.Sub(g.node.Info.CreatedAt) > tolerance.Registered
	}
	for _, c := range g.node.Info.Conditions {
		if c.Type == "Ready" && c.Status == "True" && near(c.Since) {
			return true
		}
	}
	return slices.ContainsFunc(g.node.Boots, func(m timeline.Occurrence) bool { return near(m.At) })
}

// outlived reports whether another container of the pod ran longer than the end of a pod takes.
func (g *group) outlived(in *timeline.Instance) bool {
	return slices.ContainsFunc(g.in.groups, func(o *group) bool {
		return o != g && slices.ContainsFunc(o.instances, func(other *timeline.Instance) bool {
			return other.Finished.Sub(in.Finished) > tolerance.Together
		})
	})
}
