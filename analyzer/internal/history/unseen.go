package history

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// hadAnother reports whether there was an instance before the only known one: by the API's count, or, for a pod that
// the API does not have, by the runtime's record of a running one.
func (g *group) hadAnother(only *timeline.Instance) bool {
	switch {
	case strings.HasPrefix(g.PodUID, evidence.Row) && only.Exited():
		return false // a row tells of one end
	case g.restarts > 0:
		return only.Attempt > 0 && !(only.Coarse && only.Exited()) || only.Attempt < 0 && !only.Exited()
	case g.pod == nil && g.restarts < 0:
		return only.Attempt > 0 && len(only.Records) > 0 && !only.Exited()
	case g.pod != nil && g.restarts == 0 && !only.Exited():
		return g.named.StartedBefore(only, g.pod)
	}
	return false
}

// startedSince returns the start, known only from events, of a container after its last kill: its pod continues. It is
// nil where there is none, and where the name may have gone to another pod, as with a StatefulSet: what is scheduled
// after that kill is another pod.
func (t *builder) startedSince(g *group) *timeline.Instance {
	var killed time.Time
	for _, m := range g.named {
		if _, kill := m.Obs.Fact.(evidence.KillDecided); kill && m.At.After(killed) {
			killed = m.At
		}
	}
	if killed.IsZero() {
		return nil
	}
	wentOn := t.outlived(g, killed)
	if len(wentOn) == 0 && strings.HasPrefix(g.PodUID, timeline.UnknownUID) && ordinal(g.Pod) {
		return nil
	}
	for _, m := range slices.Backward(g.named) {
		e, ok := m.Obs.Fact.(evidence.APIEvent)
		if ok && e.Reason == "Started" && m.At.After(killed) && !t.scheduledWithin(g, killed, m.At) {
			return &timeline.Instance{Attempt: -1, State: evidence.StateRunning, Started: m.At, Records: []string{m.Obs.ID}}
		}
	}
	if len(wentOn) > 0 {
		return &timeline.Instance{Attempt: -1, Records: wentOn}
	}
	return nil
}

// startedLast returns the newest start of a container, if it does not wait, and it may not have been its first one.
func (t *builder) startedLast(g *group, said time.Time) *timeline.Instance {
	var remade time.Time
	if all := t.remakes(g.in.Pod); len(all) > 0 {
		remade = all[0].Time
	}
	if g.waiting.Reason != "" {
		return nil
	}
	return g.named.StartedLast(g.restarts, said, remade)
}

// scheduledWithin reports whether a pod of the group's name was scheduled in that period: every pod is scheduled once.
func (t *builder) scheduledWithin(g *group, after, until time.Time) bool {
	if t.scheduled == nil {
		t.scheduled = map[timeline.PodName][]time.Time{}
		for i := range t.Obs {
			o := &t.Obs[i]
			if e, ok := o.Fact.(evidence.APIEvent); ok && e.Reason == "Scheduled" {
				name := timeline.PodName{Namespace: o.Subject.Namespace, Pod: o.Subject.Pod}
				t.scheduled[name] = append(t.scheduled[name], o.Time)
			}
		}
	}
	return slices.ContainsFunc(t.scheduled[timeline.PodName{Namespace: g.Namespace, Pod: g.Pod}], func(at time.Time) bool {
		return at.After(after) && !at.After(until)
	})
}

// ordinal reports whether the name is one of a StatefulSet's pod: web-0.
func ordinal(name string) bool {
	number := name[strings.LastIndexByte(name, '-')+1:]
	return number != "" && len(number) < 5 && strings.Trim(number, "0123456789") == ""
}

// stopping reports whether the kubelet stops an instance with its pod, which is being deleted: it may not have ended
// yet when the pod was read.
func (g *group) stopping(in *timeline.Instance) bool {
	if g.pod == nil || g.pod.DeletedAt.IsZero() {
		return false
	}
	for _, m := range in.Marks {
		if k, ok := m.Obs.Fact.(evidence.KillDecided); ok && k.Reason == evidence.KillPod {
			in.Spoken = m.At
			return true
		}
	}
	return false
}

// gaveItsName reports whether the pod is gone and another one has its name: by name, its end looks like a restart.
func (t *builder) gaveItsName(g *group) bool {
	if g.pod != nil {
		return false
	}
	var first time.Time
	for _, m := range g.named {
		if !m.At.IsZero() && (first.IsZero() || m.At.Before(first)) {
			first = m.At
		}
	}
	return !first.IsZero() && slices.ContainsFunc(
		timeline.CreatedFrom(t.Bearers[timeline.PodName{Namespace: g.Namespace, Pod: g.Pod}], first.Add(-tolerance.Slack)),
		func(p *evidence.Pod) bool { return p.UID != g.PodUID && p.RuntimeUID() != g.PodUID })
}

// outlasted reports whether an instance ran when its pod was read, and another pod has its name since: two objects of
// one name are from two times. A static pod's mirror may be recreated and represent the same pod.
func (t *builder) outlasted(g *group, in *timeline.Instance) bool {
	if g.pod == nil || g.in.Alone {
		return false
	}
	later := timeline.CreatedFrom(t.Bearers[timeline.PodName{Namespace: g.pod.Namespace, Pod: g.pod.Name}],
		g.pod.CreatedAt.Add(1))
	for _, other := range later {
		if other.RuntimeUID() != g.pod.RuntimeUID() {
			in.Spoken = other.CreatedAt
			return true
		}
	}
	return false
}
