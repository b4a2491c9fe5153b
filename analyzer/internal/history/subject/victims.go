package subject

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// nameVictims names the remaining victims by their ids: a pod that was deleted since is in no list, and its container
// ended all the same.
func (t *Resolver) nameVictims() {
	for _, e := range t.IDs.All {
		if !e.named || !e.Killed || e.IsSandbox || e.Container != "" || e.PodUID == "" {
			continue
		}
		if e.Own().Container = t.OnlyContainer(e.Owner); e.Container != "" {
			e.Guessed = true
		} else {
			e.Own().Container = e.ID[:min(len(e.ID), ShortID)]
		}
		fill(&e.Pod, e.PodUID)
	}
	for i := range t.Obs {
		o := &t.Obs[i]
		switch k := o.Fact.(type) {
		case evidence.OOMKill:
			if o.Who == nil && inCgroup(&k) || // CountStrays and the gap in its own log report those
				o.Who != nil && o.Who.Container != "" {
				continue
			}
		case evidence.UserspaceOOMKill: // earlyoom names a process and no cgroup
			if k.Cgroup != "" {
				continue
			}
		default:
			continue
		}
		t.CountKill(NodeOf(o.Observation))
	}
}

// OnlyContainer returns the only container of a pod that any line names, where no pod objects were read, "" for none or
// several. That a bare id is this container is a guess. In a log of one pod it is also the container in lines without a
// pod.
func (t *Resolver) OnlyContainer(p *Pod) string {
	if t.containers == nil {
		t.containers = map[*Pod]string{}
		var one *Pod
		alone := true
		for i := range t.Obs {
			o := &t.Obs[i]
			if one == nil {
				one = o.Pod
			}
			alone = alone && (o.Pod == nil || o.Pod == one)
			c := o.Subject.Container
			if c == "" || c == evidence.Unnamed || o.Pod == nil && (o.Subject.Pod != "" || o.Who != nil) {
				continue
			}
			if have, ok := t.containers[o.Pod]; ok && have != c {
				c = evidence.Unnamed
			}
			t.containers[o.Pod] = c
		}
		if _, named := t.containers[one]; alone && one != nil && !named {
			t.containers[one] = t.containers[nil]
		}
	}
	if c := t.containers[p]; p != nil && c != evidence.Unnamed && !t.Listed() {
		return c
	}
	return ""
}

// MainVictim reports whether the victim may have been the container's main process: neither the pause process of a
// sandbox, nor one created after another process of the same cgroup.
func MainVictim(k *evidence.OOMKill) bool {
	switch {
	case k.Group:
		return true
	case k.Task == "pause":
		return false
	}
	return k.PID == 0 || k.First == 0 || k.First >= k.PID || k.OOMMemcg != k.TaskMemcg
}

// ShortID is the length of the id prefixes that people use (crictl ps, docker ps).
const ShortID = 12
