package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

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
func (t *History) nameVictims() {
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
		t.UnnamedKills[cmp.Or(o.Subject.Node, o.Source.Node)]++
	}
}

// endOfVictims ends the instances of which nothing but the kernel's record is known. A container that dies has one
// end: of several kills the last one is it.
func (t *History) endOfVictims() {
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

// servants are processes that run on every node and in no container of a pod.
var servants = []string{"kubelet", "dockerd", "containerd", "systemd", "sshd", "pause", "runc", "crun", "conmon",
	"crio", "journald", "k3s", "rke2", "snapd", "agetty", "login", "docker-containe"}

// nobodys adds an end for each program of which nothing is known but that the kernel killed it because memory was low,
// where nothing else was handed over that ended: whoever shows these lines asks about that kill.
func (t *History) nobodys() {
	if len(t.Restarts) > 0 || t.Listed() {
		return
	}
	last := map[string]*evidence.Observation{}
	var order []string
	for i := range t.obs {
		o := t.obs[i].Observation
		k, ok := o.Fact.(evidence.OOMKill)
		if seen, is := o.Fact.(evidence.OOMSeen); is { // the kubelet's words for a kill of the whole machine
			k, ok = evidence.OOMKill{Task: seen.Process, PID: seen.PID, Global: true}, true
			o = new(*o)
			o.Fact = k
		}
		if !ok || k.Task == "" || slices.ContainsFunc(servants, func(s string) bool { return strings.HasPrefix(k.Task, s) }) {
			continue
		}
		key := cmp.Or(o.Subject.Node, o.Source.Node) + " " + k.Task
		if last[key] == nil {
			order = append(order, key)
		}
		last[key] = o
	}
	for _, key := range order[:min(len(order), maxNobodys)] {
		o := last[key]
		in := (&Instance{ID: cmp.Or(o.Subject.ContainerID, key), Attempt: -1, State: evidence.StateExited, spoken: o.Time,
			onlyKilled: true, Finished: o.Time}).marked([]Occurrence{{o.Time, o}})
		r := &Restart{Kind: KindDeath, Node: cmp.Or(o.Subject.Node, o.Source.Node), Container: evidence.Unnamed, From: in}
		t.withoutPod(r) // by its id, or apart from the others
		in.ID = o.Subject.ContainerID
		t.Restarts = append(t.Restarts, r)
	}
}

// maxNobodys is how many such programs are ends: of more than that the log is not about one.
const maxNobodys = 10
