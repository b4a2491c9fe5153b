package timeline

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// slack is how much two sources may disagree about one moment: events have
// whole seconds, PLEG looks once a second.
const slack = 2 * time.Second

// around is how long before the end of an instance, and after the start of the
// next one, something about its pod still belongs to the restart.
const around = 90 * time.Second

// attachByName gives marks that name a container, but no id, to the instance
// that lived at their time.
func (t *Timeline) attachByName(groups map[groupKey]*group) {
	for _, g := range groups {
		for _, m := range g.named {
			if in := g.at(m); in != nil {
				in.Marks = append(in.Marks, m)
			}
		}
		for _, in := range g.instances {
			if !slices.IsSortedFunc(in.Marks, byTime) {
				slices.SortStableFunc(in.Marks, byTime)
			}
		}
	}
}

// at finds the instance that a mark is about. Most marks are about the one that
// lived then; a pulled image is about the one that is started next.
func (g *group) at(m Mark) *Instance {
	if m.At.IsZero() {
		return nil
	}
	if _, pulled := m.Obs.Fact.(evidence.ImageSeen); pulled {
		return g.startedAfter(m.At)
	}
	_, kill := m.Obs.Fact.(evidence.KillDecided)
	for i := len(g.instances) - 1; i >= 0; i-- {
		in := g.instances[i]
		start := in.begin()
		if in.Finished.Equal(start) && in.Started.IsZero() {
			start = time.Time{} // only its end is known: it may have begun any time before
		}
		// Events carry whole seconds: one at 10:00:05 may be of 10:00:05.9.
		whole := start.Truncate(time.Second)
		if !start.IsZero() && m.At.Before(whole) {
			continue
		}
		if kill && i > 0 && m.At.Equal(whole) && !g.instances[i-1].Finished.Before(whole) {
			// The old instance ended and this one began within that second: a kill
			// comes before the end.
			return g.instances[i-1]
		}
		if kill && !in.Finished.IsZero() && m.At.After(in.Finished.Add(slack)) {
			return nil // nobody kills the dead; the instance it was about is unknown
		}
		return in
	}
	return nil
}

// startedAfter returns the first instance that was started at or after the time.
func (g *group) startedAfter(at time.Time) *Instance {
	for _, in := range g.instances {
		if start := in.begin(); !start.IsZero() && !start.Before(at) {
			return in
		}
	}
	return nil
}

// pair makes restarts of neighbours, and deaths of what ended without a successor.
func (t *Timeline) pair(groups map[groupKey]*group) {
	for _, g := range groups {
		if in := g.killedUnseen(); in != nil && len(g.instances) == 0 {
			g.instances = append(g.instances, in)
			t.add(g, in, nil)
			continue
		}
		if len(g.instances) == 0 {
			if refused(g.waiting.Reason) && g.restarts <= 0 {
				t.add(g, &Instance{Attempt: -1, Marks: g.named}, nil)
			}
			continue
		}
		g.joinLost()
		oldest := g.instances[0]
		if g.restarts > 0 && len(g.instances) == 1 && (oldest.Attempt > 0 || oldest.Attempt < 0 && !oldest.Exited()) {
			// The count says that there was one before, though no record is left of it.
			g.instances = slices.Insert(g.instances, 0, &Instance{Attempt: oldest.Attempt - 1})
			g.instances[0].Marks = g.beforeFirst(oldest)
		}
		begin := len(t.Restarts)
		for i, in := range g.instances {
			var next *Instance
			if i+1 < len(g.instances) {
				next = g.instances[i+1]
			}
			if next == nil && !in.Exited() {
				continue
			}
			if next != nil && adjacent(in, next) == missing {
				// Instances in between left no trace: the end of this one is
				// known, its successor is not the next one we know.
				next = nil
				if !in.Exited() {
					continue
				}
				t.add(g, in, &Instance{Attempt: in.Attempt + 1})
				continue
			}
			t.add(g, in, next)
		}
		if begin < len(t.Restarts) && t.Restarts[begin].From == oldest {
			t.Restarts[begin].Forgotten = g.forgotten(oldest)
		}
		for i := begin + 1; i < len(t.Restarts); i++ {
			t.Restarts[i].Prev, t.Restarts[i-1].Next = t.Restarts[i-1], t.Restarts[i]
		}
	}
}

// joinLost gives ends without an id to the instances that they are about: the
// present one, or the one before, if a log knows it and not how it ended. The
// kubelet that lost a container no longer knows its id.
func (g *group) joinLost() {
	for _, present := range []bool{true, false} {
		from := slices.IndexFunc(g.instances, func(in *Instance) bool { return in.lost && in.present == present })
		if from < 0 {
			continue
		}
		known := slices.DeleteFunc(slices.Clone(g.instances), func(in *Instance) bool { return in.lost })
		at := len(known) - 1
		if !present && !slices.ContainsFunc(g.instances, func(in *Instance) bool { return in.lost && in.present }) {
			at-- // the newest one that is known is the present one
		}
		if at < 0 || known[at].Exited() && !present {
			continue
		}
		known[at].take(g.instances[from])
		g.instances = slices.Delete(g.instances, from, from+1)
	}
}

// take folds what was said of an end without an id into the instance. What a log
// knows of the end is better than what the kubelet made up later.
func (i *Instance) take(end *Instance) {
	i.Records = append(i.Records, end.Records...)
	i.Marks = append(i.Marks, end.Marks...)
	if i.ExitCode != nil {
		return
	}
	i.ExitCode, i.Signal, i.Reason, i.Message, i.State = end.ExitCode, end.Signal, end.Reason, end.Message, end.State
	i.setTime(ofFinished, &i.Finished, end.Finished, fromAPI)
}

type adjacency int

const (
	neighbours adjacency = iota
	missing
)

func adjacent(a, b *Instance) adjacency {
	if a.Attempt >= 0 && b.Attempt > a.Attempt+1 {
		return missing
	}
	return neighbours
}

// beforeFirst collects the marks by name from before the oldest known instance.
func (g *group) beforeFirst(oldest *Instance) []Mark {
	var marks []Mark
	for _, m := range g.named {
		if start := oldest.begin(); !m.At.IsZero() && m.At.Before(start.Truncate(time.Second)) && start.Sub(m.At) < 10*time.Minute {
			marks = append(marks, m)
		}
	}
	slices.SortStableFunc(marks, byTime)
	return marks
}

// forgotten collects the kills and starts that events tell of from before the
// oldest known instance. A kubelet aggregates such events and then throttles them (25
// of one pod, then one in five minutes: client-go EventSourceObjectSpamFilter), so what
// they tell of a loop's earlier rounds may be all that is left.
func (g *group) forgotten(oldest *Instance) []Mark {
	start := oldest.begin()
	if start.IsZero() {
		return nil
	}
	var marks []Mark
	for _, m := range g.named {
		if m.At.IsZero() || !m.At.Before(start.Truncate(time.Second)) {
			continue
		}
		switch fact := m.Obs.Fact.(type) {
		case evidence.KillDecided:
			marks = append(marks, m)
		case evidence.APIEvent:
			if fact.Reason == "Started" {
				marks = append(marks, m)
			}
		}
	}
	slices.SortStableFunc(marks, byTime)
	return marks
}

func (t *Timeline) add(g *group, from, to *Instance) {
	r := &Restart{
		Kind: KindRestart, Node: g.Node, Namespace: g.Namespace, PodName: g.Pod, PodUID: g.PodUID,
		Container: g.Container, ContainerKind: g.kind, Pod: g.pod, Spec: g.spec(), From: from, To: to,
	}
	if to == nil {
		r.Kind, r.Waiting = KindDeath, g.waiting
		switch {
		case len(g.instances) == 0:
			r.Kind = KindRefused
		case g.finishedAsMeant(from):
			return
		}
	}
	t.Restarts = append(t.Restarts, r)
}

// spec is the container's spec, nil if it is not known.
func (g *group) spec() *evidence.Container {
	if g.pod == nil {
		return nil
	}
	for i := range g.pod.Containers {
		if g.pod.Containers[i].Name == g.Container {
			return &g.pod.Containers[i]
		}
	}
	return nil
}

// refused tells waiting reasons of a container that something keeps from being
// started, from those of one whose turn has not come (ContainerCreating,
// PodInitializing).
func refused(reason string) bool {
	switch reason {
	case "", "ContainerCreating", "PodInitializing", "CrashLoopBackOff":
		return false
	}
	return true
}

// finishedAsMeant tells an end that nobody has to explain: an init container or
// a job's container that completed.
func (g *group) finishedAsMeant(in *Instance) bool {
	done := in.ExitCode != nil && *in.ExitCode == 0
	switch {
	case g.kind == evidence.KindInit, g.kind == evidence.KindEphemeral:
		return done
	case g.pod == nil:
		return false
	case g.kind == evidence.KindSidecar:
		return done && (g.pod.Phase == "Succeeded" || g.pod.Phase == "Failed")
	}
	return done && g.pod.RestartPolicy != "Always" && g.pod.RestartPolicy != ""
}

// attachPods gives each restart what happened to its pod and its sandboxes
// around it, and its siblings. It returns what was said of each pod, by UID.
func (t *Timeline) attachPods() map[string][]Mark {
	marks := map[string][]Mark{}
	obs := t.obs
	for i := range obs {
		o := &obs[i]
		uid := o.Subject.PodUID
		if uid == "" || o.Subject.Container != "" {
			continue
		}
		switch o.Fact.(type) {
		case evidence.ContainerRecord, evidence.RestartCount, evidence.ContainerFinished, evidence.ContainerStarted, evidence.ContainerDied, evidence.KillStarted, evidence.CgroupState:
			continue
		}
		if p := t.pods[uid]; p != nil {
			uid = p.UID
		}
		if endsPod(o.Fact) {
			t.ends[uid] = append(t.ends[uid], Mark{o.Time, o})
		}
		marks[uid] = append(marks[uid], Mark{o.Time, o})
		if at, ok := firstOf(o); ok {
			marks[uid] = append(marks[uid], Mark{at, o})
		}
	}
	for _, m := range marks {
		slices.SortStableFunc(m, byTime)
	}
	byPod := map[string][]*Restart{}
	for _, r := range t.Restarts { // sorted by end
		byPod[r.PodUID] = append(byPod[r.PodUID], r)
		end := r.End()
		if end.IsZero() {
			continue
		}
		until, before := end, around
		if r.To != nil && !r.To.begin().IsZero() {
			until = r.To.begin()
		}
		if r.Pod != nil && r.Pod.GraceSeconds > 0 {
			before += time.Duration(r.Pod.GraceSeconds) * time.Second
		}
		r.PodMarks = within(marks[r.PodUID], end.Add(-before), until.Add(slack))
	}
	for _, rs := range byPod {
		for i, r := range rs {
			for j := i + 1; j < len(rs) && rs[j].End().Sub(r.End()) < together; j++ {
				r.Siblings, rs[j].Siblings = append(r.Siblings, rs[j]), append(rs[j].Siblings, r)
			}
		}
	}
	return marks
}

// endsPod tells facts that are about the end of a whole pod.
func endsPod(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.PodEvicted, evidence.PodRejected, evidence.PodDeleted:
		return true
	case evidence.PodTeardown:
		return f.Reason != evidence.TeardownTerminal && f.Reason != evidence.TeardownCompleted && f.Reason != evidence.TeardownEvicted
	case evidence.PodConfig:
		return f.Op == "DELETE" || f.Op == "REMOVE"
	}
	return false
}

// together is how far apart two containers of a pod may end when one thing ends
// both: sidecars are stopped after the others, each with its grace period.
const together = 45 * time.Second

func byTime(a, b Mark) int { return a.At.Compare(b.At) }
