package memory

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// oom reads the kernel's records of this container and the runtime's notices.
func (f *finder) oom() {
	in := f.R.From
	f.OOM.Label = in.Reason == "OOMKilled"
	if f.KernelLog {
		f.OOM.Answer = basis.No
	}
	if f.RuntimeLog {
		f.OOM.Notice.Answer = basis.No
	}
	for _, m := range in.MarksWith(timeline.HasMemory) {
		undated := (m.At.IsZero() || in.Finished.IsZero()) && (!f.Exit.Known || f.Exit.Code == 137) ||
			in.Aged() && f.Exit.Code == 137 && m.At.Before(in.Finished.Add(tolerance.Age))
		atEnd := undated || !in.Finished.IsZero() && m.At.After(in.Finished.Add(-tolerance.OOMLag)) &&
			m.At.Before(in.Finished.Add(tolerance.OOMLag))
		switch fact := m.Obs.Fact.(type) {
		case evidence.OOMKill:
			if !atEnd && !f.ofMain(m, &fact) {
				f.OOM.Earlier = basis.Found(m.At, append(f.OOM.Earlier.Evidence, m.Obs.ID)...)
				if f.OOM.Answer == basis.No {
					f.OOM.Answer = basis.Unknown // it does not fit in time, which is no alibi
				}
				continue
			}
			if fact.Asked {
				f.OOM.Asked = basis.Found(m.At, append(f.OOM.Asked.Evidence, m.Obs.ID)...)
				continue
			}
			if f.Exit.Code == 137 && (Nested(fact.OOMMemcg, in.ID) || f.child(&fact)) {
				f.OOM.Earlier = basis.Found(m.At, append(f.OOM.Earlier.Evidence, m.Obs.ID)...)
				if f.OOM.Answer == basis.No {
					f.OOM.Answer = basis.Unknown // its main process may have ended with that, or not
				}
				continue
			}
			if level := levelOf(fact, in.ID); level == "" {
				if f.OOM.Answer == basis.No {
					f.OOM.Answer = basis.Unknown
				}
				f.OOM.Unplaced = basis.Found(m.At, append(f.OOM.Unplaced.Evidence, m.Obs.ID)...)
				continue
			}
			f.OOM.Point = basis.Found(m.At, append(f.OOM.Evidence, m.Obs.ID)...)
			f.OOM.Level, f.OOM.Victim, f.OOM.PID, f.OOM.Limit = levelOf(fact, in.ID), fact.Task, fact.PID, fact.Limit
			f.OOM.Child = !f.Exit.Known && (Nested(fact.OOMMemcg, in.ID) || f.child(&fact))
			f.onlyContainer(m.Obs.ID, &fact)
			f.limitOfThePod()
			switch {
			case !undated:
			case m.At.IsZero():
				f.Doubt("the kernel's record names this container, but gives its time only since boot, and the "+
					"time of the boot is not known: dmesg -T shows the time of day", m.Obs.ID)
				continue
			default:
				f.Doubt("the kernel's record names this container, but nothing shows exactly when the container "+
					"ended", m.Obs.ID)
				continue
			}
			f.victimFits(m, &fact)
		case evidence.TaskOOM:
			if atEnd {
				f.OOM.Notice = basis.Found(m.At, append(f.OOM.Notice.Evidence, m.Obs.ID)...)
			}
		}
	}
	if f.OOM.Label && f.OOM.Answer == basis.No && f.Exit.Code == 137 {
		// The runtime's counter did increase at some time: the kernel log lost the record, or does not have it yet.
		f.OOM.Answer = basis.Unknown
		f.Doubt("the runtime says OOMKilled, but the kernel's log covers this time and has no record of an OOM "+
			"kill",
			f.Exit.Evidence...)
	}
	if f.OOM.Asked.Answer == basis.Yes && f.OOM.Answer != basis.Yes {
		// The runtime's reports come from that kill, and say nothing about memory.
		f.OOM.Answer, f.OOM.Notice, f.OOM.Label = basis.Unknown, basis.Point{}, false
	}
}

// shortage looks for messages about the node's memory at the end: from its kubelet, from a daemon that kills before the
// kernel does, from a kernel that does not say whom it killed.
func (f *finder) shortage(end time.Time) {
	pid, other := f.MainPID(), false
	for _, m := range timeline.Since(f.shortages(), end.Add(-tolerance.AroundEnd)) {
		kill, daemon := m.Obs.Fact.(evidence.UserspaceOOMKill)
		if m.At.After(end.Add(tolerance.OOMLag)) {
			if m.At.After(end.Add(tolerance.Settle)) {
				break
			}
			if kill.PID != 0 && kill.PID == pid {
				f.Doubt("a message of "+kill.Killer+" that is stored after the end names the container's main process", m.Obs.ID)
			}
			continue
		}
		switch s := m.Obs.Subject; {
		case daemon && (s.ContainerID != "" && s.ContainerID != f.R.From.ID || s.PodUID != "" && !f.IsPod(s.PodUID)):
			continue // another container's
		case m.At.Before(end.Add(-tolerance.AskedToEnd)):
			if daemon {
				f.outlived(m)
			}
			continue
		case daemon:
			f.OOM.Killer, other = kill.Killer, pid != 0 && kill.PID != 0 && kill.PID != pid
			f.OOM.Named, f.OOM.Own = f.namedBy(m, &kill, end), kill.Own
			f.OOM.Told = f.OOM.Told || s.ContainerID != "" || s.PodUID != "" || pid != 0 && kill.PID == pid
			if !f.OOM.Named && !other { // where nothing tells whose process it was, it may have been this one's
				f.Doubt("a message of "+kill.Killer+" may be about it, and it is open whether that ended it", m.Obs.ID)
			}
			if f.OOM.Named && !m.Obs.Source.Dated {
				f.Doubt("only the time of the log entry dates the message of "+kill.Killer+", and a log may store a message late",
					m.Obs.ID)
			}
		case f.OOM.Killer != "" || m.At.Before(end.Add(-tolerance.OOMLag)) || f.replayed(m):
			continue
		default: // the end may be known from nothing else
			f.OOM.Told = f.OOM.Told ||
				slices.ContainsFunc(f.R.From.Marks, func(x timeline.Occurrence) bool { return x.Obs == m.Obs })
		}
		if f.OOM.Shortage.Answer != basis.Yes || daemon {
			f.OOM.Shortage = basis.Found(m.At, m.Obs.ID)
		}
	}
	if f.Node == nil {
		return
	}
	begin := end
	if earliest, _ := f.R.From.EndWithin(); !earliest.IsZero() && earliest.Before(begin) {
		begin = earliest
	}
	f.calledAlike()
	for _, m := range timeline.Since(f.Node.OOM, begin.Add(-tolerance.AroundEnd)) {
		kill, ok := m.Obs.Fact.(evidence.OOMKill)
		if !ok || m.At.After(end.Add(tolerance.OOMLag)) {
			break
		}
		if kill.TaskMemcg != "" || f.OOM.Answer == basis.Yes {
			continue
		}
		if m.At.Before(begin.Add(-tolerance.OOMLag)) {
			if !kill.Unscored {
				f.outlived(m)
			}
			continue
		}
		if !kill.Global {
			f.OOM.Answer = basis.Unknown
			if f.OOM.Unplaced.Answer != basis.Yes {
				f.OOM.Unplaced = basis.Found(m.At, m.Obs.ID)
			}
			continue
		}
		// Kernels before 5.0 do not log the cgroup of the victim of a machine-wide shortage.
		f.OOM.Answer = basis.Unknown
		if kill.Unscored {
			continue // some other program of the node
		}
		if f.OOM.Shortage.Answer != basis.Yes {
			f.OOM.Shortage = basis.Found(m.At, m.Obs.ID)
		}
		f.alike(m, kill)
	}
	f.OOM.Elsewhere = f.OOM.Shortage.Answer == basis.Yes && !f.OOM.Named && (other ||
		slices.ContainsFunc(f.T.Starved(f.R.Node, f.OOM.Shortage.At, tolerance.BackoffMost), func(o *timeline.Restart) bool {
			early := o.End().Sub(f.OOM.Shortage.At) // in a loop only the last end may have a reason
			return o != f.R && (early.Abs() < tolerance.OOMLag || early > 0 && o.Restarts > 1)
		}))
}

// outlived leaves open whether memory ran out in the container where a process was killed for memory well before its
// end, and nothing tells whose it was: its main process may have ended for want of a child.
func (f *finder) outlived(m timeline.Occurrence) {
	if f.OOM.Answer == basis.No && f.Exit.Code != 137 && f.MayLive(f.R.From, m.At) {
		f.OOM.Answer = basis.Unknown
	}
}

// replayed reports whether an event of a shortage is of a kubelet that has just started: it reads the kernel's buffer
// from its beginning, and tells of each old kill as of a new one (cadvisor v0.38 and v0.49 utils/oomparser New).
func (f *finder) replayed(m timeline.Occurrence) bool {
	_, event := m.Obs.Fact.(evidence.SystemOOM)
	if !event || f.Node == nil {
		return false
	}
	run, _ := f.Node.KubeletAt(m.At.Add(time.Second))
	return run != nil && m.At.Sub(run.Start) < tolerance.FirstRelist
}

// shortages returns those messages of the node: of one whose name is not known, those that name the container or pod.
func (f *finder) shortages() []timeline.Occurrence {
	if f.Node != nil {
		return f.Node.Shortages
	}
	return slices.DeleteFunc(slices.Concat(f.R.From.Marks, f.R.PodMarks), func(m timeline.Occurrence) bool {
		_, daemon := m.Obs.Fact.(evidence.UserspaceOOMKill)
		return !daemon
	})
}

// maxUndated is how many kills without a time are compared: a kernel keeps no more of them in its buffer.
const maxUndated = 256

// calledAlike looks for kills without a time, of a kernel that names no cgroup (before 5.0), which may be of this end.
func (f *finder) calledAlike() {
	if f.Exit.Known && f.Exit.Code != 137 || f.OOM.Answer == basis.Yes || f.OOM.Shortage.Answer == basis.Yes {
		return
	}
	for _, m := range f.Node.OOM[:min(len(f.Node.OOM), maxUndated)] {
		if kill, ok := m.Obs.Fact.(evidence.OOMKill); ok && m.At.IsZero() && kill.Global && kill.TaskMemcg == "" &&
			!kill.Unscored && f.alike(m, kill) {
			f.OOM.Shortage = basis.Found(m.At, m.Obs.ID)
		}
	}
}

// alike reports whether a killed process is called like the container, as the kernel cuts names (TASK_COMM_LEN): most
// images of Kubernetes itself run a program of their container's name. It remembers that, and doubts it.
func (f *finder) alike(m timeline.Occurrence, kill evidence.OOMKill) bool {
	if kill.Task == "" || kill.Task != f.R.Container[:min(len(f.R.Container), 15)] {
		return false
	}
	f.OOM.Told = true
	f.Doubt("the kernel's record names no container, only a process that has the container's name", m.Obs.ID)
	return true
}

// namedBy reports whether a daemon's message is about all of this container, at its end: a daemon that kills whole
// cgroups kills at once, and may choose one that the container created for a part of itself.
func (f *finder) namedBy(m timeline.Occurrence, kill *evidence.UserspaceOOMKill, end time.Time) bool {
	s, early := &m.Obs.Subject, end.Sub(m.At)
	switch {
	case !m.Obs.Source.Vouched || early < -tolerance.Dies || !kill.Asks && f.Exit.Known && f.Exit.Code != 137:
		return false // with SIGKILL no process chooses its exit code
	case kill.PID != 0:
		return kill.PID == f.MainPID() && !m.At.Before(f.BeganBy(f.R.From))
	case s.ContainerID == "" && s.PodUID == "" || early > tolerance.Dies+time.Second:
		return false
	}
	return s.ContainerID != "" && !Nested(kill.Cgroup, s.ContainerID) || s.ContainerID == "" && podLevel(kill.Cgroup)
}

// onlyContainer corrects the level for a pod whose limit comes from a single container's: the kubelet gives the pod's
// cgroup the sum of the limits (kubelet cm/helpers_linux.go ResourceConfigForPod).
func (f *finder) onlyContainer(record string, k *evidence.OOMKill) {
	if f.OOM.Level != OOMPod {
		return
	}
	p, spec := f.R.Pod, f.R.Spec
	if p == nil || spec == nil {
		// a kernel tells of no container that it spares: that there is only one needs another witness
		f.OOM.Unsure, f.OOM.Lone = true, !f.R.From.OnlyKilled && f.R.Lone()
		return
	}
	running := 0
	for i := range p.Containers {
		if k := p.Containers[i].Kind; k == evidence.KindApp || k == evidence.KindSidecar {
			if running++; running > 1 {
				return
			}
		}
	}
	if running == 1 && spec.Kind == evidence.KindApp && spec.MemoryLimit > 0 && p.MemoryLimit == 0 {
		f.OOM.Level, f.OOM.ByPod = OOMContainer, true
		f.othersCharged(record, k)
	}
}

// limitOfThePod corrects the level for a container without a limit of its own in a pod
// with one: the kubelet gives the container's cgroup the pod's (kubelet v1.34
// kuberuntime_container_linux.go getMemoryLimit).
func (f *finder) limitOfThePod() {
	if p, spec := f.R.Pod, f.R.Spec; p != nil && spec != nil && f.OOM.Level == OOMContainer &&
		spec.MemoryLimit == 0 && p.MemoryLimit > 0 {
		f.OOM.Level = OOMPod
	}
}

// Nested reports whether the limit is one that the container set for a part of itself: a runtime or an init system in
// it creates cgroups below the container's. crun puts the whole container into one named "container".
func Nested(memcg, containerID string) bool {
	_, below, ok := strings.Cut(memcg, containerID)
	_, below, deeper := strings.Cut(below, "/")
	return ok && containerID != "" && deeper && below != "" && below != "container"
}

// levelOf returns whose limit was hit: the container's own cgroup, the pod's above it, or the whole machine's; "" where
// the record does not name the cgroup that was full.
func levelOf(k evidence.OOMKill, containerID string) OOMLevel {
	switch {
	case k.Global || k.Constraint != "" && k.Constraint != "CONSTRAINT_MEMCG":
		return OOMNode
	case k.OOMMemcg == "":
		return ""
	case k.OOMMemcg == k.TaskMemcg || containerID != "" && strings.Contains(k.OOMMemcg, containerID):
		return OOMContainer
	case podLevel(k.OOMMemcg):
		return OOMPod
	}
	return OOMNode
}

// podLevel reports whether the last element of a cgroup path is a pod's cgroup: "pod<uid>" (cgroupfs) or
// "…-pod<uid>.slice" (systemd).
func podLevel(path string) bool {
	last := path[strings.LastIndexByte(path, '/')+1:]
	return strings.HasPrefix(last, "pod") || strings.HasSuffix(last, ".slice") && strings.Contains(last, "-pod")
}
