package subject

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file asks of what was killed whether its end is in a log that would have it, and of which container it was.

// LivedOn reports whether the log of the node's kubelet, which tells of every end, runs on for long enough behind a
// kill to have the end of what was killed. Whoever asks knows that it does not have that.
func (t *Resolver) LivedOn(node string, kill time.Time, grace time.Duration) bool {
	n := t.Nodes[node]
	if n == nil || kill.IsZero() {
		return false
	}
	ok, verbosity := n.Covered(evidence.SourceKubeletLog, kill, kill.Add(grace+tolerance.KillTakes), n.Binds)
	return ok && verbosity >= 2
}

// Unknown reports whether a victim that the log of its node's kubelet does not know, although that has every container
// since the kubelet's start, or runs on for long behind the kill, did not end on this node.
func (t *Resolver) Unknown(node string, kill time.Time) bool {
	n := t.Nodes[node]
	if n == nil || kill.IsZero() {
		return false
	}
	if run, _ := n.KubeletAt(kill); run != nil {
		ok, verbosity := n.Covered(evidence.SourceKubeletLog, run.Start.Add(tolerance.Slack),
			kill.Add(tolerance.SeesAnother), n.Binds)
		if ok && verbosity >= 2 {
			return true
		}
	}
	return t.LivedOn(node, kill, 0)
}

// servants are processes that run on every node outside the containers of pods.
var servants = []string{"kubelet", "dockerd", "containerd", "systemd", "sshd", "pause", "runc", "crun", "conmon",
	"crio", "journald", "k3s", "rke2", "snapd", "agetty", "login", "docker-containe"}

// ofHost reports whether a cgroup is that of a service or a session of the machine itself, not of a container.
func ofHost(cgroup string) bool { return hosts.MatchString(cgroup) && !contained.MatchString(cgroup) }

var (
	// systemd's, and those of Talos
	hosts = regexp.MustCompile(`^/(?:system\.slice/|user\.slice/|init\.scope$|system/|podruntime/)`)
	// the path has a container's id, a pod, or a slice that was made for some
	contained = regexp.MustCompile(`[0-9a-f]{12}|kubepods|docker/|crio|libpod|lxc`)
)

// KilledStrays returns the kernel's out-of-memory kills of programs whose container is unknown, the last of each.
func (t *Resolver) KilledStrays() (kills []timeline.Occurrence) {
	at := map[string]int{}
	for i := range t.Obs {
		o := t.Obs[i].Observation
		k, ok := o.Fact.(evidence.OOMKill)
		if seen, is := o.Fact.(evidence.OOMSeen); is { // the kubelet's message about a kill for the whole machine
			k, ok = evidence.OOMKill{Task: seen.Process, PID: seen.PID, Global: true}, true
			o = new(*o)
			o.Fact = k
		}
		if !ok || k.Task == "" || ofHost(k.TaskMemcg) || t.Obs[i].Who != nil && t.Obs[i].Who.Container != "" ||
			slices.ContainsFunc(servants, func(s string) bool { return strings.HasPrefix(k.Task, s) }) {
			continue
		}
		key := NodeOf(o) + " " + k.Task
		if _, seen := at[key]; !seen {
			at[key], kills = len(kills), append(kills, timeline.Occurrence{})
		}
		kills[at[key]] = timeline.Occurrence{At: o.Time, Obs: o}
	}
	return kills
}

// CountStrays counts those kills, except what nameVictims has counted, where pods were read and no end is known.
func (t *Resolver) CountStrays() {
	if len(t.Restarts) > 0 {
		return
	}
	for _, m := range t.KilledStrays() {
		if k, ok := m.Obs.Fact.(evidence.OOMKill); ok && m.Obs.Subject.ContainerID == "" && inCgroup(&k) {
			t.CountKill(NodeOf(m.Obs))
		}
	}
}

// inCgroup reports whether a cgroup ran out of memory, and not the machine.
func inCgroup(k *evidence.OOMKill) bool { return k.TaskMemcg != "" || !k.Global }

// CountKill counts a kill that belongs to no end.
func (t *Resolver) CountKill(node string) {
	if t.UnnamedKills == nil {
		t.UnnamedKills = map[string]int{}
	}
	t.UnnamedKills[node]++
}

// NodeOf returns the node whose kernel reported a kill.
func NodeOf(o *evidence.Observation) string { return cmp.Or(o.Subject.Node, o.Source.Node) }
