package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file makes ends of words that ask why and have no instance: where no objects of pods were handed over, a few
// lines are all that there is.

// asksWhy tells words about a pod that only an end leaves: the result of a probe for which a kubelet replaces a
// container, which one that ended by itself leaves too, and a kill of the whole pod that did not succeed.
func asksWhy(f evidence.Fact) bool {
	result, _ := f.(evidence.ProbeResultChanged)
	_, kill := f.(evidence.KillFailed)
	return kill || result.Status == "unhealthy"
}

// notMade tells words that nothing of a pod can be made: its sandbox or its cgroup.
func notMade(o *seen) (evidence.StartFailed, bool) {
	f, failed := o.Fact.(evidence.StartFailed)
	return f, failed && o.Subject.Container == ""
}

// worded adds an end for each pod of which nothing tells but that a probe's result was unhealthy or a kill failed, for
// each pod of which the last word is that it cannot be made, and for each container of which nothing tells but that it
// was found dead.
func (t *History) worded(told map[*pod]bool) {
	ofPods, dead := t.lastWords(told)
	for i := range t.obs {
		switch o := &t.obs[i]; {
		case o.pod != nil && ofPods[o.pod] == o:
			told[o.pod] = t.wordsOfPod(o) || told[o.pod]
		case dead[o.Subject.Container] == o:
			in := &Instance{Attempt: -1, spoken: o.Time, State: evidence.StateExited}
			r := &Restart{Kind: KindDeath, Node: o.Source.Node, Container: o.Subject.Container,
				From: in.marked([]Occurrence{{o.Time, o.Observation}})}
			t.withoutPod(r)
			t.Restarts = append(t.Restarts, r)
		}
	}
}

// lastWords are those to make ends of: of each pod the last that ask why, or else the last of all, from the first on
// that it cannot be made; and of dead containers, by their names, where the line leaves out whose they are.
func (t *History) lastWords(told map[*pod]bool) (ofPods map[*pod]*seen, dead map[string]*seen) {
	ofPods, dead = map[*pod]*seen{}, map[string]*seen{}
	for i := range t.obs {
		o := &t.obs[i]
		_, found := o.Fact.(evidence.RestartDecided)
		_, failed := notMade(o)
		before := ofPods[o.pod]
		switch {
		case found && o.Subject.Pod == "" && o.Subject.Container != "" && o.id == nil:
			dead[o.Subject.Container] = o
		case o.pod == nil || told[o.pod]:
		case asksWhy(o.Fact), failed && before == nil:
			ofPods[o.pod] = o
		case before != nil && !asksWhy(before.Fact) &&
			(failed || o.tells&(toldLife|toldRuntime|toldBox|toldOfEnd) != 0): // it goes on
			ofPods[o.pod] = o
		}
	}
	for _, g := range t.groups {
		delete(dead, g.Container)
	}
	return ofPods, dead
}

// wordsOfPod makes an end of the last words about a pod, if they tell of one.
func (t *History) wordsOfPod(o *seen) bool {
	in := &Instance{Attempt: -1, spoken: o.Time}
	if f, failed := notMade(o); failed {
		t.Restarts = append(t.Restarts, &Restart{Kind: KindRefused, Node: cmp.Or(o.Subject.Node, o.Source.Node),
			PodUID: o.pod.uid, pod: o.pod, Namespace: o.pod.name.namespace, PodName: o.pod.name.pod, From: in,
			Waiting: Waiting{f.Reason, f.Message.String(), []string{o.ID}}})
		return true
	}
	if !asksWhy(o.Fact) {
		return false
	}
	g := t.probedGroup(o)
	in.marked(slices.Clone(g.named)).mark(Occurrence{o.Time, o.Observation})
	g.instances = append(g.instances, in)
	t.add(g, in, nil)
	return true
}

// probedGroup is the container of a pod whose probe was seen to fail, one that nothing names where that is of none or
// of several.
func (t *History) probedGroup(o *seen) *group {
	passed := func(g *group) bool {
		return !slices.ContainsFunc(g.named, func(m Occurrence) bool {
			p, failed := m.Obs.Fact.(evidence.ProbeFailed)
			return failed && p.Probe != evidence.ProbeReadiness
		})
	}
	if found := slices.DeleteFunc(slices.Clone(o.pod.groups), passed); len(found) == 1 {
		return found[0]
	}
	s := o.Subject
	s.Container = cmp.Or(s.Container, evidence.Unnamed)
	return t.group(o.pod, &s, "")
}

// outlived tells a pod that went on after its container was killed at a time: that kill is one of several of the same
// pod, or the pod's sandbox was made anew since, or the kubelet waits until it starts the container again.
func (t *History) outlived(g *group, killed time.Time) []string {
	for _, m := range g.named {
		switch f := m.Obs.Fact.(type) {
		case evidence.KillDecided:
			if f.Count > 1 && m.At.Equal(killed) {
				return []string{m.Obs.ID}
			}
		case evidence.BackedOff:
			if m.At.After(killed) {
				return []string{m.Obs.ID}
			}
		}
	}
	if t.remadeLast == nil {
		t.remadeLast = map[*pod]Occurrence{}
		for i := range t.obs {
			o := &t.obs[i]
			if _, changed := o.Fact.(evidence.SandboxChanged); changed && o.pod != nil && o.Time.After(t.remadeLast[o.pod].At) {
				t.remadeLast[o.pod] = Occurrence{o.Time, o.Observation}
			}
		}
	}
	if m := t.remadeLast[g.in]; m.Obs != nil && m.At.After(killed) {
		return []string{m.Obs.ID}
	}
	return nil
}

// remade is how many times the pod's sandbox was made anew, 0 where that was not again and again: as often as a pod
// that never settles is made anew.
func (p *pod) remade() int {
	if p.anew != nil {
		return *p.anew
	}
	p.anew = new(int)
	if p.tells&HasSandbox == 0 {
		return 0
	}
	var first, last, begin, since, until time.Time
	judged, changed := 0, 0
	for _, m := range p.marks {
		switch f := m.Obs.Fact.(type) {
		case evidence.SandboxChanged:
			if m.At.Equal(m.Obs.Time) && !Retried(f, m.Obs.Time) {
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

// anewBefore is the last time before one that the pod's sandbox was said to have changed.
func (p *pod) anewBefore(at time.Time) time.Time {
	if p.tells&HasSandbox == 0 {
		return time.Time{}
	}
	for _, m := range slices.Backward(p.marks[:from(p.marks, at)]) {
		if _, changed := m.Obs.Fact.(evidence.SandboxChanged); changed {
			return m.At
		}
	}
	return time.Time{}
}

// Retried tells an event of a sandbox that is tried again and again within seconds, because none can be made.
func Retried(f evidence.SandboxChanged, last time.Time) bool {
	return f.Count > 1 && !f.First.IsZero() && last.Sub(f.First) < time.Duration(f.Count-1)*tolerance.Retried
}
