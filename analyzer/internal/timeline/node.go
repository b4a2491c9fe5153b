package timeline

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Tell applies an observation to the node; ofContainer is whether its subject is a known container.
func (n *NodeStory) Tell(o *evidence.Observation, ofContainer bool) {
	switch f := o.Fact.(type) {
	case evidence.KubeletStarted:
		if f.Beside {
			mark(&n.Besides, o)
			return
		}
		n.Kubelet = addRun(n.Kubelet, KubeletRun{Start: o.Time, Version: f.Version, PID: f.PID, Obs: o})
	case evidence.RuntimeStarted:
		mark(&n.Runtime, o)
	case evidence.UnitState:
		n.unit(f, o)
	case evidence.KernelBooted, evidence.NodeRebooted:
		mark(&n.Boots, o)
	case evidence.ClockSet:
		mark(&n.ClockSets, o)
	case evidence.SystemOOM, evidence.OOMSeen, evidence.UserspaceOOMKill:
		mark(&n.Shortages, o)
	case evidence.Signalled:
		mark(&n.Signals, o)
	case evidence.HostOOMKills:
		mark(&n.OOMCounts, o)
	case evidence.OOMKill:
		n.OOM = append(n.OOM, Occurrence{o.Time, o})
		n.SpecForm = n.SpecForm || strings.Contains(f.TaskMemcg, ".slice:")
		n.Inside = n.Inside || strings.Index(f.TaskMemcg, "kubepods") > len("/")
	case evidence.Segfault:
		if f.Kind == evidence.Corruption {
			mark(&n.Corruptions, o)
		} else if !ofContainer {
			mark(&n.Faults, o)
		}
	case evidence.NodeCordoned:
		mark(&n.Cordoned, o)
	case evidence.KubeletSetting:
		n.Settings = append(n.Settings, Occurrence{o.Time, o})
		if n.set == nil {
			n.set = map[string][]Occurrence{}
		}
		n.set[f.Name] = append(n.set[f.Name], Occurrence{o.Time, o})
	case evidence.RuntimeSettings:
		n.RuntimeDriver = f.CgroupDriver
	case evidence.RunsSince:
		n.ranSince(o.Time)
	case evidence.RuntimeEndpoint:
		mark(&n.Runtimes, o)
	case evidence.RuntimeTrouble:
		mark(&n.RuntimeErrors, o)
	case evidence.SandboxCheckpoint:
		mark(&n.Checkpoints, o)
	case evidence.CgroupPlacement:
		n.Placements = append(n.Placements, Occurrence{o.Time, o})
		n.SpecForm = n.SpecForm || f.SpecForm
	case evidence.PackageChanged, evidence.RestartAsked, evidence.PowerChange,
		evidence.NodeShutdown, evidence.KubeletExited, evidence.RuntimeStopping, evidence.UnitChanged:
		unit, changed := f.(evidence.UnitChanged)
		if changed && unit.Change == "started" && evidence.UnitOf(unit.Unit).OnlyRuntime() {
			n.Runtime = append(n.Runtime, Occurrence{o.Time, o})
		}
		if changed && !telling[unit.Change] {
			return
		}
		n.AdminActions = append(n.AdminActions, Occurrence{o.Time, o})
	}
}

// Ordered sorts the stories of all nodes after the last observation.
func (t *History) Ordered() {
	for _, n := range t.Nodes {
		n.Boots, n.Kubelet = witnessed(n.Boots), untold(n.Kubelet)
		slices.SortStableFunc(n.Runtime, ByTime) // a unit's state dates starts long before the observation
		n.versions()
	}
}

func mark(marks *[]Occurrence, o *evidence.Observation) {
	*marks = append(*marks, Occurrence{o.Time, o})
}

// versions links each run of the kubelet to the last one before it with another known version.
func (n *NodeStory) versions() {
	n.changed, n.starts = make([]int, len(n.Kubelet)), make([]int64, len(n.Kubelet))
	for i, run := range n.Kubelet {
		n.starts[i] = run.Start.UnixMicro()
		n.changed[i] = -1
		for j := i - 1; j >= 0 && run.Version != ""; j-- {
			if v := n.Kubelet[j].Version; v != "" {
				if n.changed[i] = j; v == run.Version {
					n.changed[i] = n.changed[j]
				}
				break
			}
		}
	}
}

// telling are the changes of a unit that explain why it was started again.
var telling = map[string]bool{"failed": true, "exited": true, "oom-killed": true,
	"watchdog": true, "stop-timeout": true, "stopping": true}

// unit takes the start of the running daemon from its unit's state.
func (n *NodeStory) unit(f evidence.UnitState, o *evidence.Observation) {
	if f.Active != "active" || f.ActiveEnterTime.IsZero() {
		return
	}
	switch {
	case strings.TrimSuffix(f.Unit, ".service") == "kubelet":
		n.Kubelet = addRun(n.Kubelet, KubeletRun{Start: f.ActiveEnterTime, PID: f.MainPID, Obs: o})
	case evidence.UnitOf(f.Unit).OnlyRuntime():
		n.Runtime = append(n.Runtime, Occurrence{f.ActiveEnterTime, o})
		if f.ActiveEnterTime.After(n.RuntimeSince) {
			n.RuntimeSince = f.ActiveEnterTime
		}
	}
}

// addRun appends a start of the kubelet unless it is the previous one from another source: same pid within a minute, or
// within a few seconds and without a contradiction.
func addRun(runs []KubeletRun, r KubeletRun) []KubeletRun {
	if r.Start.IsZero() {
		return runs
	}
	if len(runs) > 0 && r.Start.Before(runs[len(runs)-1].Start) {
		return runs // reported late: the runs are already in order
	}
	if len(runs) > 0 {
		last := &runs[len(runs)-1]
		later := r.Start.Sub(last.Start)
		same := r.PID != 0 && r.PID == last.PID && later <= tolerance.SamePID
		near := later <= tolerance.SameStart && (r.PID == 0 || last.PID == 0)
		agrees := r.Version == "" || last.Version == "" || r.Version == last.Version
		if (same || near) && agrees {
			if last.Version == "" && r.Version != "" {
				last.Version, last.Obs = r.Version, r.Obs
			}
			if last.PID == 0 {
				last.PID = r.PID
			}
			if last.Obs != nil && r.Obs != nil && secondhand(last.Obs) && !secondhand(r.Obs) && last.Version == r.Version {
				last.Obs = r.Obs // a log is the better evidence
			}
			return runs
		}
	}
	return append(runs, r)
}

// counted reports whether only a monitoring system knows of the start.
func (r *KubeletRun) counted() bool {
	return r.Obs != nil && r.Obs.Source.Kind == evidence.SourceMetrics
}

// KubeletAt returns the kubelet process that ran on the node at the time, and
// the one before it with another version (nil when none is known).
func (n *NodeStory) KubeletAt(at time.Time) (run, before *KubeletRun) {
	i := n.runAt(at)
	if i < 0 {
		return nil, nil
	}
	if j := n.changed[i]; j >= 0 {
		before = &n.Kubelet[j]
	}
	return &n.Kubelet[i], before
}

// MakerOf returns the kubelet process that created an instance, and the latest time of that. An instance that starts
// right after a new kubelet may have been requested by the previous one just before its exit. Only the runtime's
// creation time decides, because a kubelet logs the start of whatever it finds running.
func (n *NodeStory) MakerOf(in *Instance) (*KubeletRun, time.Time) {
	at, early := in.Made(), tolerance.FirstRelist
	if !in.Created.IsZero() {
		early = tolerance.Slack
	}
	made, _ := n.KubeletAt(at)
	if made != nil && at.Sub(made.Start) < early {
		at = made.Start.Add(-1)
		made, _ = n.KubeletAt(at)
	}
	return made, at
}

// runAt returns the index of the kubelet process that ran at the time, -1 if none is known.
func (n *NodeStory) runAt(at time.Time) int {
	if n == nil {
		return -1
	}
	// Called several times for every restart: searches integers, and compares times only where those are equal.
	i, _ := slices.BinarySearch(n.starts, at.UnixMicro()+1)
	for i > 0 && n.Kubelet[i-1].Start.After(at) {
		i--
	}
	return i - 1
}

// Upgraded returns the first known process of the version that ran on the node at the time, without another version in
// between: the upgrade to it. It is nil where no earlier process is known to have had another version.
func (n *NodeStory) Upgraded(at time.Time) *KubeletRun {
	now := n.runAt(at)
	if now < 0 || n.changed[now] < 0 {
		return nil
	}
	for i := n.changed[now] + 1; i < now; i++ {
		if n.Kubelet[i].Version == n.Kubelet[now].Version {
			return &n.Kubelet[i]
		}
	}
	return &n.Kubelet[now]
}

// OneVersion reports whether all kubelet processes from the one that ran at from to the one that ran at until are known
// to have the same version.
func (n *NodeStory) OneVersion(from, until time.Time) bool {
	first := n.runAt(from)
	if first < 0 || n.Kubelet[first].Version == "" {
		return false
	}
	for i, last := first+1, n.runAt(until); i <= last; i++ {
		if n.Kubelet[i].Version != n.Kubelet[first].Version {
			return false
		}
	}
	return true
}

// VersionAt returns the kubelet's version at the time. Certain is false when it is only the version that the node
// reports now.
func (n *NodeStory) VersionAt(at time.Time) (version string, certain bool) {
	if n == nil {
		return "", false
	}
	run, _ := n.KubeletAt(at)
	if run != nil && run.Version != "" {
		return run.Version, !run.counted()
	}
	if len(n.Kubelet) > 0 && n.Kubelet[len(n.Kubelet)-1].Start.After(at) {
		// A kubelet started later: what the node reports now may be another version.
		return n.Info.KubeletVersion, false
	}
	return n.Info.KubeletVersion, n.Info.KubeletVersion != "" && run != nil
}

// StopsDocker reports whether dockerd is shut down in order. containerd names no signal, and containers outlive it.
func StopsDocker(f evidence.Fact) bool {
	switch f := f.(type) {
	case evidence.RuntimeStopping:
		return f.Signal != ""
	case evidence.UnitChanged:
		return f.Change == "stopping" && strings.TrimSuffix(f.Unit, ".service") == "docker"
	}
	return false
}
