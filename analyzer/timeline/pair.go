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
func (t *Timeline) attachByName() {
	for _, g := range t.groups {
		for _, m := range g.named {
			if in := g.at(m); in != nil {
				in.mark(m)
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
		whole := second(start)
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

// second is the whole second that a time lies in: what Truncate gives, without its long division.
func second(t time.Time) time.Time { return t.Add(-time.Duration(t.Nanosecond())) }

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
func (t *Timeline) pair() {
	for _, g := range t.groups {
		g.node = t.Nodes[g.Node]
		if in := g.killedUnseen(len(t.Snapshot.Pods) == 0 || t.gaveItsName(g)); in != nil && g.restarts <= 0 && !cannotStart(g.waiting.Reason) {
			g.instances = append(g.instances, in)
			t.add(g, in, nil)
			continue
		}
		if len(g.instances) == 0 {
			switch {
			case g.restarts <= 0 && g.pod == nil && g.startedAgain() != nil:
				t.add(g, (&Instance{Attempt: -1}).marked(g.named), g.startedAgain())
			case g.restarts > 0: // the count says that there was one, though no record is left of any
				t.add(g, (&Instance{Attempt: g.restarts - 1}).marked(g.named), nil)
			case refused(g.waiting.Reason), ran(g.waiting.Reason):
				t.add(g, (&Instance{Attempt: -1}).marked(g.named), nil)
			}
			continue
		}
		g.joinLost()
		oldest := g.instances[0]
		if len(g.instances) == 1 && g.hadAnother(oldest) {
			// The count says that there was one before, though no record is left of it.
			g.instances = slices.Insert(g.instances, 0, &Instance{Attempt: oldest.Attempt - 1})
			g.instances[0].marked(g.beforeFirst(oldest))
		}
		if g.ranAgain() {
			g.instances = slices.Insert(g.instances, 0, &Instance{Attempt: -1})
		}
		begin := len(t.Restarts)
		for i, in := range g.instances {
			var next *Instance
			if i+1 < len(g.instances) {
				next = g.instances[i+1]
			}
			if next == nil && !in.Exited() {
				if t.outlasted(g, in) || g.stopping(in) {
					t.add(g, in, nil)
				}
				continue
			}
			if next != nil && in.onlyKilled && in.Finished.IsZero() {
				next = &Instance{Attempt: -1} // when it ended is not known, nor what came then
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

// hadAnother tells that there was an instance before the only one that is known: the API counts it, or, of a pod that
// the API does not have, the runtime's record of one that runs.
func (g *group) hadAnother(only *Instance) bool {
	switch {
	case g.restarts > 0:
		return only.Attempt > 0 && !(only.coarse && only.Exited()) || only.Attempt < 0 && !only.Exited()
	case g.pod == nil && g.restarts < 0:
		return only.Attempt > 0 && len(only.Records) > 0 && !only.Exited()
	}
	return false
}

// startedAgain is the newest start of a container that nothing but events know, if they count more than one; nil
// otherwise.
func (g *group) startedAgain() *Instance {
	starts, last := 0, Mark{}
	for _, m := range g.named {
		e, ok := m.Obs.Fact.(evidence.APIEvent)
		if !ok || e.Reason != "Started" || m.At.IsZero() {
			continue
		}
		starts += max(1, e.Count)
		if m.At.After(last.At) {
			last = m
		}
	}
	if starts < 2 {
		return nil
	}
	return &Instance{Attempt: starts - 1, State: evidence.StateRunning, Started: last.At, Records: []string{last.Obs.ID}}
}

// stopping tells an instance that the kubelet stops with its pod, which is being deleted: what ran of it may
// not have ended yet when the pod was read.
func (g *group) stopping(in *Instance) bool {
	if g.pod == nil || g.pod.DeletedAt.IsZero() {
		return false
	}
	for _, m := range in.Marks {
		if k, ok := m.Obs.Fact.(evidence.KillDecided); ok && k.Reason == evidence.KillPod {
			in.spoken = m.At
			return true
		}
	}
	return false
}

// gaveItsName tells a pod that is gone, and whose name another one has: who looks at names takes its end for a restart.
func (t *Timeline) gaveItsName(g *group) bool {
	if g.pod != nil {
		return false
	}
	return slices.ContainsFunc(t.named[podName{g.Namespace, g.Pod}], func(p *evidence.Pod) bool {
		return p.UID != g.PodUID && p.RuntimeUID() != g.PodUID && slices.ContainsFunc(g.named, func(m Mark) bool { return !m.At.IsZero() && !p.CreatedAt.Before(m.At.Add(-slack)) })
	})
}

// outlasted tells an instance that ran when its pod was read, and whose pod's name went to another one since: two
// objects of one name are of two times. A static pod's mirror may be made anew and stand for the same pod.
func (t *Timeline) outlasted(g *group, in *Instance) bool {
	if g.pod == nil || g.in.alone {
		return false
	}
	for _, other := range t.named[podName{g.pod.Namespace, g.pod.Name}] {
		if other.CreatedAt.After(g.pod.CreatedAt) && other.RuntimeUID() != g.pod.RuntimeUID() {
			in.spoken = other.CreatedAt
			return true
		}
	}
	return false
}

// joinLost gives ends without an id to the instances that they are about: the
// present one, or the one before, if a log knows it and not how it ended. The
// kubelet that lost a container no longer knows its id. What the API has as the one
// before the present one is another instance.
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
		if at < 0 || known[at].Exited() && !present || known[at].before {
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
	for _, m := range end.Marks {
		i.mark(m)
	}
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
		if start := oldest.begin(); !m.At.IsZero() && m.At.Before(second(start)) && start.Sub(m.At) < 10*time.Minute {
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
	r := t.made.restarts.New()
	*r = Restart{
		Kind: KindRestart, Node: g.Node, Namespace: g.Namespace, PodName: g.Pod, PodUID: g.PodUID,
		Container: g.Container, ContainerKind: g.kind, Pod: g.pod, Spec: g.spec(), From: from, To: to, pod: g.in,
	}
	if to != nil && from.Runtime != "" && to.Runtime != "" && from.Runtime != to.Runtime && g.Node != "" {
		n := t.node(g.Node)
		n.Switched = append(n.Switched, Switched{to.Started, from.Runtime, to.Runtime, slices.Concat(from.Records, to.Records)})
	}
	if to == nil {
		r.Kind, r.Waiting = KindDeath, g.waiting
		switch {
		case len(g.instances) == 0 && g.restarts <= 0 && !ran(g.waiting.Reason):
			r.Kind = KindRefused
		case !g.finishedAsMeant(from):
		case g.waiting.Reason == "":
			return
		case cannotStart(g.waiting.Reason): // it is to run once more, and something keeps it from that
			r.Kind, r.From = KindRefused, &Instance{Attempt: -1}
		}
	}
	t.Restarts = append(t.Restarts, r)
}

// spec is the container's spec, nil if it is not known.
func (g *group) spec() *evidence.Container {
	if g.pod == nil {
		return nil
	}
	return g.in.spec(g.Container)
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

// ran tells waiting reasons of a container whose process did run: it ended, or its hook failed
// behind its start, though no record may be left of it.
func ran(reason string) bool { return reason == "CrashLoopBackOff" || reason == "PostStartHookError" }

// cannotStart tells waiting reasons of a container that something keeps from running.
func cannotStart(reason string) bool { return refused(reason) && !ran(reason) }

// finishedAsMeant tells an end that nobody has to explain: an init container or
// a job's container that completed. What was killed for memory, or went down with a pod
// that failed, did not complete, whatever code it left.
func (g *group) finishedAsMeant(in *Instance) bool {
	done := in.ExitCode != nil && *in.ExitCode == 0 && in.Reason != "OOMKilled" && !g.cutOff(in)
	switch {
	case g.kind != evidence.KindInit && g.pod != nil && g.pod.Phase == "Failed" && g.pod.Reason != "" && !g.outlived(in):
		return false
	case g.kind == evidence.KindInit, g.kind == evidence.KindEphemeral:
		return done
	case g.pod == nil:
		return false
	case g.kind == evidence.KindSidecar:
		return done && (g.pod.Phase == "Succeeded" || g.pod.Phase == "Failed")
	}
	return done && g.pod.RestartPolicy != "Always" && g.pod.RestartPolicy != ""
}

// cutOff tells that the node came back around the end of a container of a pod that has come to its end: dockerd dates what
// it lost in a boot then, and calls it completed.
func (g *group) cutOff(in *Instance) bool {
	if g.pod == nil || g.kind != evidence.KindApp || in.Finished.IsZero() || g.node == nil {
		return false
	}
	for _, c := range g.node.Info.Conditions {
		if since := c.Since.Sub(in.Finished); c.Type == "Ready" && c.Status == "True" && since > -cameBack && since < cameBack && c.Since.Sub(g.node.Info.CreatedAt) > registered {
			return true
		}
	}
	return false
}

// cameBack is how long before or after the end that its runtime dates a node that boots may be ready.
const cameBack = 2 * time.Minute

// outlived tells that another container of the pod went on for longer than the end of a pod
// takes.
func (g *group) outlived(in *Instance) bool {
	return slices.ContainsFunc(g.in.groups, func(o *group) bool {
		return o != g && slices.ContainsFunc(o.instances, func(other *Instance) bool { return other.Finished.Sub(in.Finished) > together })
	})
}

// attachPods gives each restart what happened to its pod and its sandboxes
// around it, and its siblings.
func (t *Timeline) attachPods() {
	// Marks are counted first: pods have from none to hundreds, and lists that grow
	// are copied twice as often as needed.
	for i := range t.obs {
		if o := &t.obs[i]; o.ofPod() {
			if o.pod.expected++; o.tells&(ToldKill|ToldProbe|ToldSandbox) != 0 {
				o.pod.expected++ // it may tell of a first occurrence
			}
		}
	}
	for i := range t.obs {
		o := &t.obs[i]
		if !o.ofPod() {
			continue
		}
		p := o.pod
		m := Mark{o.Time, o.Observation}
		if o.tells&toldOfEnd != 0 && endsPod(o.Fact) {
			p.ends = append(p.ends, m)
		}
		if p.marks == nil {
			p.marks = t.made.marks.Take(p.expected)[:0]
		}
		p.marks = append(p.marks, m)
		if at, ok := firstOf(o.Observation); ok {
			p.marks = append(p.marks, Mark{at, o.Observation})
		}
		p.tells |= o.tells
	}
	for _, p := range t.pods {
		if !slices.IsSortedFunc(p.marks, byTime) {
			slices.SortStableFunc(p.marks, byTime)
		}
	}
	for _, r := range t.Restarts { // sorted by end
		r.pod.restarts = append(r.pod.restarts, r)
		end := r.End()
		if end.IsZero() || len(r.pod.marks) == 0 {
			continue
		}
		until, before := end, around
		if r.To != nil && !r.To.begin().IsZero() {
			until = r.To.begin()
		}
		if r.Pod != nil && r.Pod.GraceSeconds > 0 {
			before += evidence.Seconds(r.Pod.GraceSeconds)
		}
		r.PodMarks = within(r.pod.marks, end.Add(-before), until.Add(slack))
	}
	for _, p := range t.pods {
		siblings(p.restarts)
		p.restarts = nil
	}
}

// ofPod tells what is about a pod or its sandboxes, and not about one of its containers.
func (o *seen) ofPod() bool {
	return o.pod != nil && o.tells&(toldContainer|toldLife|toldCgroupState) == 0 && o.Subject.Container == ""
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

func byTime(a, b Mark) int { return a.At.Compare(b.At) }
