package history

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file makes ends from messages that need an explanation but have no instance: where no pod objects were read, a
// few lines are all that there is.

// unmade adds each pod of the API or in a text's words that never had a container, if its last message is that it
// cannot be created. ContainerCreating alone is the state of every new pod.
func (t *builder) unmade(told map[*subject.Pod]bool) {
	last, _ := t.lastWords(told)
	ran := map[any]bool{} // pods, and their names
	for _, g := range t.groups {
		if max(len(g.instances), g.restarts) > 0 {
			ran[g.in.Pod], ran[timeline.PodName{Namespace: g.Namespace, Pod: g.Pod}] = true, true
		}
	}
	for i := range t.Obs {
		o := &t.Obs[i]
		if o.Pod == nil || last[o.Pod] != o || ran[o.Pod] || ran[o.Pod.Name] {
			continue
		}
		given, named := o.Pod.Given, strings.HasPrefix(o.Pod.UID, evidence.Mentioned)
		if _, failed := o.NotMade(); failed && (named || given != nil && given.Phase != "Succeeded") {
			t.wordsOfPod(o)
		}
	}
}

// worded adds an end for each pod that is known only from an unhealthy probe result or a failed kill, for each pod
// whose last message is that it cannot be created, and for each container that is known only as found dead.
func (t *builder) worded(told map[*subject.Pod]bool) {
	ofPods, dead := t.lastWords(told)
	for i := range t.Obs {
		switch o := &t.Obs[i]; {
		case o.Pod != nil && ofPods[o.Pod] == o:
			told[o.Pod] = t.wordsOfPod(o) || told[o.Pod]
		case dead[o.Subject.Container] == o:
			in := &timeline.Instance{Attempt: -1, Spoken: o.Time, State: evidence.StateExited}
			r := &timeline.Restart{Kind: timeline.KindDeath, Node: o.Source.Node, Container: o.Subject.Container,
				From: in.Marked([]timeline.Occurrence{{At: o.Time, Obs: o.Observation}})}
			t.withoutPod(r)
			t.Restarts = append(t.Restarts, r)
		}
	}
}

// lastWords returns the messages to make ends from: for each pod the last one that needs an explanation, else the last
// one of all from the first failed creation on; and for dead containers, by name, where the line omits the pod.
func (t *builder) lastWords(told map[*subject.Pod]bool) (ofPods map[*subject.Pod]*subject.Seen,
	dead map[string]*subject.Seen) {
	ofPods, dead = map[*subject.Pod]*subject.Seen{}, map[string]*subject.Seen{}
	failing, began := t.failing(), map[*subject.Pod]bool{}
	for i := range t.Obs {
		o := &t.Obs[i]
		_, found := o.Fact.(evidence.RestartDecided)
		f, failed := o.NotMade()
		failed = failed && (f.Reason != evidence.NetworkNotReady || !began[o.Pod]) // what runs goes on without it
		began[o.Pod] = began[o.Pod] || o.Began() || o.Runs()
		before := ofPods[o.Pod]
		switch {
		case found && o.Subject.Pod == "" && o.Subject.Container != "" && o.Who == nil:
			dead[o.Subject.Container] = o
		case o.Pod == nil || told[o.Pod]:
		case subject.AsksWhy(o.Fact), failed && before == nil:
			ofPods[o.Pod] = o
		case before != nil && !subject.AsksWhy(before.Fact) && !failing[o.Pod].Before(o) &&
			(failed || o.Began() || o.Attached() ||
				o.Tells&(timeline.ToldLife|timeline.ToldRuntime|timeline.ToldBox|timeline.ToldOfEnd) != 0): // goes on
			ofPods[o.Pod] = o
		}
	}
	for _, g := range t.groups {
		delete(dead, g.Container)
	}
	return ofPods, dead
}

// failing returns the pods whose sandbox could not be created, and since when.
func (t *builder) failing() map[*subject.Pod]subject.Failure {
	if t.unmadeSince == nil {
		t.unmadeSince = map[*subject.Pod]subject.Failure{}
		for i := range t.Obs {
			o := &t.Obs[i]
			if f, failed := o.NoSandbox(); failed && o.Pod != nil {
				t.unmadeSince[o.Pod] = t.unmadeSince[o.Pod].And(o, f)
			}
		}
		for i := range t.Obs {
			o := &t.Obs[i]
			if f, ok := t.unmadeSince[o.Pod]; ok && o.Began() {
				t.unmadeSince[o.Pod] = f.Until(o)
			}
		}
	}
	return t.unmadeSince
}

// wordsOfPod makes an end from the last messages about a pod, if they are about one.
func (t *builder) wordsOfPod(o *subject.Seen) bool {
	in := &timeline.Instance{Attempt: -1, Spoken: o.Time}
	if f, unmade := o.NotMade(); unmade {
		t.Restarts = append(t.Restarts, &timeline.Restart{Kind: timeline.KindRefused,
			Node: cmp.Or(o.Subject.Node, o.Source.Node),
			Pod:  o.Pod.Given, PodUID: o.Pod.UID, Story: o.Pod.PodStory, Namespace: o.Pod.Name.Namespace,
			PodName: cmp.Or(o.Pod.Name.Pod, o.Pod.UID), From: in,
			Waiting: timeline.Waiting{Reason: f.Reason, Message: f.Message.String(), Evidence: []string{o.ID}}})
		return true
	}
	_, failed := o.Fact.(evidence.KillFailed)
	if !subject.AsksWhy(o.Fact) || failed && t.LivedOn(cmp.Or(o.Subject.Node, o.Source.Node), o.Time, 0) {
		return false
	}
	g := t.probedGroup(o)
	in.Marked(slices.Clone(g.named)).Mark(timeline.Once(o.Observation))
	g.instances = append(g.instances, in)
	t.add(g, in, nil)
	return true
}

// probedGroup returns the container of a pod whose probe is known to have failed, or an unnamed one if it is none or
// several.
func (t *builder) probedGroup(o *subject.Seen) *group {
	passed := func(g *group) bool {
		return !timeline.Has(g.named, func(p evidence.ProbeFailed) bool { return p.Probe != evidence.ProbeReadiness })
	}
	if found := slices.DeleteFunc(slices.Clone(t.life(o.Pod).groups), passed); len(found) == 1 {
		return found[0]
	}
	s := o.Subject
	s.Container = cmp.Or(s.Container, evidence.Unnamed)
	return t.group(o.Pod, &s, "")
}

// outlived returns the evidence that a pod continued after its container was killed at a time: the kill is one of
// several of the same pod, or the pod's sandbox was recreated since, or the kubelet waits before it restarts the
// container.
func (t *builder) outlived(g *group, killed time.Time) []string {
	for _, m := range g.named {
		switch f := m.Obs.Fact.(type) {
		case evidence.KillDecided:
			if f.Count > 1 && m.At.Equal(killed) && g.named.KilledAnew(f, m) {
				return []string{m.Obs.ID}
			}
		case evidence.BackedOff:
			if m.At.After(killed) {
				return []string{m.Obs.ID}
			}
		}
	}
	for _, o := range slices.Backward(t.remakes(g.in.Pod)) {
		if o.Time.After(killed) {
			return []string{o.ID}
		}
	}
	return nil
}

// remakes returns the reports that a pod's sandbox changed, by time.
func (t *builder) remakes(p *subject.Pod) []*subject.Seen {
	if t.remadeOf == nil {
		t.remadeOf = map[*subject.Pod][]*subject.Seen{}
		for i := range t.Obs {
			o := &t.Obs[i]
			if _, changed := o.Fact.(evidence.SandboxChanged); changed && o.Pod != nil {
				t.remadeOf[o.Pod] = append(t.remadeOf[o.Pod], o)
			}
		}
	}
	return t.remadeOf[p]
}

// remade returns how many times the pod's sandbox was recreated, 0 unless it repeated like in a pod that never becomes
// stable.
func (p *life) remade() int {
	if p.anew != nil {
		return *p.anew
	}
	p.anew = new(int)
	if p.Kinds&timeline.HasSandbox == 0 {
		return 0
	}
	var first, last, begin, since, until time.Time
	judged, changed := 0, 0
	for _, m := range p.Marks {
		switch f := m.Obs.Fact.(type) {
		case evidence.SandboxChanged:
			if m.At.Equal(m.Obs.Time) && !timeline.Retried(f, m.Obs.Time) {
				changed += max(f.Count, 1)
				if begin = f.First; f.Count < 2 || begin.IsZero() {
					begin = m.At
				}
				if since.IsZero() || begin.Before(since) {
					since = begin
				}
				until = m.At
			}
		case evidence.SandboxJudged:
			if judged++; first.IsZero() {
				first = m.At
			}
			last = m.At
		}
	}
	if changed > 1 && until.Sub(since) <= time.Duration(changed-1)*tolerance.MadeAnew {
		*p.anew = changed
	}
	if judged > 1 && last.Sub(first) <= time.Duration(judged-1)*tolerance.MadeAnew {
		*p.anew = max(*p.anew, judged)
	}
	return *p.anew
}

// anewBefore returns the last time before another one that the pod's sandbox was reported as changed.
func (p *life) anewBefore(at time.Time) time.Time {
	if p.Kinds&timeline.HasSandbox == 0 {
		return time.Time{}
	}
	for _, m := range slices.Backward(p.Marks[:timeline.IndexAt(p.Marks, at)]) {
		if _, changed := m.Obs.Fact.(evidence.SandboxChanged); changed {
			return m.At
		}
	}
	return time.Time{}
}
