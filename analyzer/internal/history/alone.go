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

// This file makes deaths of ends without a name. A few log lines show that something ended, by its id or its pod,
// without the lines that have the name: whoever provides these asks about that end.

// alone adds the ends of containers that nothing names: for each pod without another end, and, if there is no other end
// at all, for ids without a known pod. Beside pod objects there may be a node's whole log, in which pods come and go:
// then only ends of gone pods that no deletion explains are added, and those of which nothing tells more are counted.
func (t *builder) alone() {
	told := map[*subject.Pod]bool{}
	for _, r := range t.Restarts {
		told[t.Of(r.Story)] = true
	}
	listed, nothing := t.Listed(), len(t.Restarts) == 0
	uncounted, counted := map[*subject.Entity]bool{}, map[*subject.Pod]bool{}
	ends := map[*subject.Entity]*timeline.Restart{}
	var order []*subject.Entity
	before := map[*subject.Entity][]*subject.Seen{} // what was told of an id before its end
	for i := range t.Obs {
		o := &t.Obs[i]
		e := o.Who
		if box := o.Subject.SandboxID; e == nil && nothing && !listed && box != "" && o.Pod == nil &&
			subject.LeavesAnEnd(o.Fact) {
			if e = t.IDs.Of(box); e.Container == "" { // only the end of the sandbox is known
				e.IsSandbox = true
			}
		}
		if e == nil || e.Instance != nil || e.Container != "" && e.Owner != nil || e.Owner != nil && told[e.Owner] ||
			e.IsSandbox && e.Box != nil && e.Box.Known {
			continue
		}
		if asks := e.Owner != nil || nothing; listed && !(asks && e.Fails() && e.Gone()) {
			if e.Gone() {
				uncounted[e] = uncounted[e] || t.Uncounted(e, o)
				counted[e.Owner] = counted[e.Owner] || e.OfContainer()
			}
			continue
		} else if !asks { // another end is known, and whose this is nothing tells
			continue
		}
		r := ends[e]
		if r == nil {
			if !subject.LeavesAnEnd(o.Fact) {
				before[e] = append(before[e], o)
				continue
			}
			r = t.restarts.New()
			in := t.instances.New()
			in.ID, in.SandboxID, in.Attempt = e.ID, e.SandboxID, -1
			*r = timeline.Restart{Kind: timeline.KindDeath, Node: cmp.Or(e.Node, o.Subject.Node, o.Source.Node),
				From: in}
			ends[e] = r
			order = append(order, e)
			for _, o := range before[e] {
				t.Fold(in, o.Observation, r.Node)
			}
			delete(before, e)
		}
		if subject.LeavesAnEnd(o.Fact) {
			r.From.Spoken = o.Time
		}
		if _, lost := o.Fact.(evidence.StateLost); lost && e.IsSandbox {
			r.Kind = timeline.KindRestart // its pod gets a new one
		}
		t.Fold(r.From, o.Observation, r.Node)
		if _, oom := o.Fact.(evidence.TaskOOM); oom && r.From.Finished.IsZero() {
			r.From.Quality[timeline.OfFinished], r.From.Finished = timeline.FromKubeletLog, o.Time
		}
	}
	one, only := map[*subject.Pod]*timeline.Restart{}, t.onlyPod()
	main := map[*subject.Pod]*subject.Entity{} // whose end that is
	for _, e := range order {
		r := ends[e]
		if e.Owner == nil && only != nil && !e.IsSandbox { // in lines that were cut to one pod it can be no other's
			e.Owner, e.Own().Namespace, e.Own().Pod = only, only.Name.Namespace, only.Name.Pod
		}
		switch {
		case e.Owner == nil:
			t.withoutPod(r)
			if !e.IsSandbox {
				r.Container = cmp.Or(e.Container, evidence.Unnamed)
			}
		case one[e.Owner] != nil && main[e.Owner].BoxOf(e): // its sandbox ended with it
			continue
		case one[e.Owner] != nil: // a container and its sandbox, or several containers: the end is the pod's
			one[e.Owner].Container = ""
			continue
		default:
			r.Story, one[e.Owner], main[e.Owner] = e.Owner.PodStory, r, e
			r.Container = cmp.Or(t.OnlyContainer(e.Owner), evidence.Unnamed)
			r.From.Guessed = r.Container != evidence.Unnamed
			if e.IsSandbox {
				r.Container = ""
			}
			r.PodUID, r.Namespace, r.PodName = e.Owner.UID, e.Namespace, cmp.Or(e.Pod, e.PodUID)
		}
		if !e.IsSandbox && e.OfContainer() && t.Unnamed[r.Node] > 0 {
			t.Unnamed[r.Node]--
		}
		t.Restarts = append(t.Restarts, r)
		told[e.Owner] = true
	}
	for e, is := range uncounted { // of a pod that ends as a whole, ids of its sandbox and its containers
		if is && (e.Owner == nil || !told[e.Owner] && !counted[e.Owner]) {
			counted[e.Owner] = true
			t.CountUnnamed(e.Node)
		}
	}
	if listed {
		t.unmade(told)
		t.CountStrays()
		return
	}
	t.worded(told)
	t.nobodys()
}

// onlyPod returns the one pod in the evidence, nil where there is none or several, or pod objects were read.
func (t *builder) onlyPod() (only *subject.Pod) {
	if t.Listed() {
		return nil
	}
	for i := range t.Obs {
		switch p := t.Obs[i].Pod; {
		case p == nil || p == only:
		case only != nil || p.Name.Pod == "":
			return nil
		default:
			only = p
		}
	}
	return only
}

// withoutPod gives an end that is known only by an id a pod of its own.
func (t *builder) withoutPod(r *timeline.Restart) {
	uid := timeline.UnknownUID + evidence.Unnamed + "/" + r.From.ID
	p := t.Under(uid)
	t.Learn(p, timeline.PodName{Namespace: evidence.UsualNamespace(evidence.Unnamed), Pod: evidence.Unnamed},
		time.Time{},
		false)
	r.Story, r.PodUID = p.PodStory, uid
	r.Namespace, r.PodName = evidence.UsualNamespace(evidence.Unnamed), evidence.Unnamed
}

// killedLast reports whether the last message about an instance is its kill, its failed start or the kubelet's waiting
// to start the next one, where no pod objects were read: a log that was cut to the question ends there, and the end
// itself did happen. An instance that a record shows as running did not end, nor one whose kill failed, or whose end a
// log that runs on does not have.
func (t *builder) killedLast(in *timeline.Instance, node string) bool {
	if t.Listed() || in.State == evidence.StateRunning {
		return false
	}
	for _, m := range slices.Backward(in.Marks) {
		grace := tolerance.DefaultGrace
		switch fact := m.Obs.Fact.(type) {
		case evidence.KillFailed:
			return false
		case evidence.KillStarted:
			grace = evidence.Seconds(fact.GraceSeconds)
		case evidence.StopRequested:
			if fact.TimeoutSeconds >= 0 {
				grace = evidence.Seconds(fact.TimeoutSeconds)
			}
		case evidence.StartFailed:
			if grace = 0; fact.CalledOff || !in.Started.IsZero() { // that of another one
				continue
			}
		case evidence.TaskOOM, evidence.BackedOff:
			grace = 0
		case evidence.KillDecided:
		default:
			continue
		}
		if t.LivedOn(node, m.At, grace) {
			return false
		}
		in.Spoken = m.At
		return true
	}
	return false
}

// failedToStart returns an instance for a container that is known only from messages about failed starts. Where the API
// does not say what it waits for, the kubelet's last message does.
func (g *group) failedToStart() *timeline.Instance {
	in, unsaid := &timeline.Instance{Attempt: -1}, g.waiting.Reason == ""
	for _, m := range g.named {
		switch f := m.Obs.Fact.(type) {
		case evidence.StartFailed:
			if unsaid && !m.At.Before(in.Spoken) {
				g.more().waiting = timeline.Waiting{Reason: f.Reason, Message: f.Message.String(),
					Evidence: []string{m.Obs.ID}}
			}
		case evidence.RuntimeFailed:
		case evidence.APIEvent:
			if f.Reason == "Started" && !m.At.Before(in.Spoken) { // one that did not fail
				in.Spoken = time.Time{}
			}
			continue
		default:
			continue
		}
		if !m.At.Before(in.Spoken) {
			in.Spoken = m.At
		}
	}
	if in.Spoken.IsZero() {
		return nil
	}
	return in.Marked(g.named)
}
