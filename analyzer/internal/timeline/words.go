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
	switch f := f.(type) {
	case evidence.ProbeResultChanged:
		return f.Status == "unhealthy"
	case evidence.KillFailed:
		return true
	}
	return false
}

// worded adds an end for each pod of which nothing tells but that a probe's result was unhealthy or a kill failed, for
// each pod of which the last word is that its sandbox or its cgroup could not be made, so that none of its containers
// can start, and for each container of which nothing tells but that it was found dead.
func (t *History) worded(told map[*pod]bool) {
	last, dead, known := map[*pod]*seen{}, map[string]*seen{}, map[string]bool{}
	for i := range t.obs {
		o := &t.obs[i]
		_, failed := o.Fact.(evidence.StartFailed)
		_, found := o.Fact.(evidence.RestartDecided)
		asks, goesOn := asksWhy(o.Fact), len(last) > 0 && o.tells&(toldLife|toldRuntime|toldBox|toldOfEnd) != 0
		switch failed = failed && o.Subject.Container == ""; {
		case found && o.Subject.Pod == "" && o.Subject.Container != "" && o.id == nil: // whose it is the line leaves out
			dead[o.Subject.Container] = o
		case o.pod == nil || !asks && !failed && !goesOn || told[o.pod]:
		case asks || last[o.pod] == nil && failed || last[o.pod] != nil && !asksWhy(last[o.pod].Fact):
			last[o.pod] = o
		}
	}
	for _, g := range t.groups {
		known[g.Container] = true
	}
	for i := range t.obs {
		o := &t.obs[i]
		nobodys := o.Subject.Pod == "" && dead[o.Subject.Container] == o && !known[o.Subject.Container]
		if !nobodys && (o.pod == nil || last[o.pod] != o) {
			continue
		}
		in := &Instance{Attempt: -1, spoken: o.Time}
		switch f, failed := o.Fact.(evidence.StartFailed); {
		case nobodys:
			r := t.made.restarts.New()
			in.State = evidence.StateExited
			*r = Restart{Kind: KindDeath, Node: o.Source.Node, Container: o.Subject.Container,
				From: in.marked([]Occurrence{{o.Time, o.Observation}})}
			t.withoutPod(r)
			t.Restarts = append(t.Restarts, r)
		case failed:
			r := t.made.restarts.New()
			*r = Restart{Kind: KindRefused, Node: cmp.Or(o.Subject.Node, o.Source.Node), PodUID: o.pod.uid, pod: o.pod,
				Namespace: o.pod.name.namespace, PodName: o.pod.name.pod, From: in,
				Waiting: Waiting{f.Reason, f.Message.String(), []string{o.ID}}}
			t.Restarts = append(t.Restarts, r)
			told[o.pod] = true
		case asksWhy(o.Fact):
			g := t.probedGroup(o)
			in.marked(slices.Clone(g.named)).mark(Occurrence{o.Time, o.Observation})
			g.instances = append(g.instances, in)
			t.add(g, in, nil)
			told[o.pod] = true
		}
	}
}

// probedGroup is the container of a pod whose probe was seen to fail, one that nothing names where that is of none or
// of several.
func (t *History) probedGroup(o *seen) *group {
	var found *group
	for _, g := range o.pod.groups {
		if slices.ContainsFunc(g.named, func(m Occurrence) bool {
			p, failed := m.Obs.Fact.(evidence.ProbeFailed)
			return failed && p.Probe != evidence.ProbeReadiness
		}) {
			if found != nil {
				found = nil
				break
			}
			found = g
		}
	}
	if found != nil {
		return found
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
