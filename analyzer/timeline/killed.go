package timeline

import "github.com/restartwhy/kubectl-restartwhy/diag/evidence"

// This file makes ends of containers that nothing but the kernel's records of out-of-memory kills knows: the
// victim's cgroup names the pod by its UID and the container by its id.

// shortID is how much of an id people use for a name (crictl ps, docker ps).
const shortID = 12

// mainVictim tells a record whose victim may have been the container's main process: not the pause process of
// a sandbox, nor one that was made after another process of the same cgroup.
func mainVictim(k *evidence.OOMKill) bool {
	switch {
	case k.Group:
		return true
	case k.Task == "pause":
		return false
	}
	return k.PID == 0 || k.First == 0 || k.First >= k.PID || k.OOMMemcg != k.TaskMemcg
}

// nameVictims names the victims that are left by their ids. Beside objects of the API, or a log of a kubelet,
// only those in pods that these know: machines that share a kernel share its log, and the others may be theirs.
func (t *Timeline) nameVictims() {
	alone := !t.Listed()
	for _, e := range t.ids.all {
		if !e.named || !e.killed || e.sandbox || e.Container != "" || e.PodUID == "" || e.Pod == "" && !alone {
			continue
		}
		e.Container = e.id[:min(len(e.id), shortID)]
		fill(&e.Pod, e.PodUID)
	}
	for i := range t.obs {
		o := &t.obs[i]
		switch k := o.Fact.(type) {
		case evidence.OOMKill:
			if o.id == nil && (k.TaskMemcg != "" || !k.Global) || // of the latter its own log's gap tells
				o.id != nil && o.id.Container != "" {
				continue
			}
		case evidence.UserspaceOOMKill: // earlyoom names a process and no cgroup
			if k.Cgroup != "" {
				continue
			}
		default:
			continue
		}
		if t.UnnamedKills == nil {
			t.UnnamedKills = map[string]int{}
		}
		t.UnnamedKills[first(o.Subject.Node, o.Source.Node)]++
	}
}

// endOfVictims ends the instances of which nothing but the kernel's record is known. A container that dies has one
// end: of several kills the last one is it.
func (t *Timeline) endOfVictims() {
	for _, e := range t.ids.all {
		in := e.instance
		if in == nil || !e.killed || in.told&^(HasMemory|toldNode|toldAnything) != 0 {
			continue
		}
		in.State, in.onlyKilled = evidence.StateExited, true
		for _, m := range in.Marks {
			k, kernel := m.Obs.Fact.(evidence.OOMKill)
			_, daemon := m.Obs.Fact.(evidence.UserspaceOOMKill)
			if (daemon || kernel && mainVictim(&k)) && m.At.After(in.Finished) {
				in.quality[ofFinished], in.Finished = fromKubeletLog, m.At
			}
		}
	}
}
