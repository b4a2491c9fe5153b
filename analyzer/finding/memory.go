package finding

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// oom reads the kernel's records of this container and the runtime's notices.
func (f *Findings) oom() {
	in := f.R.From
	f.OOM.Label = in.Reason == "OOMKilled"
	if f.KernelLog {
		f.OOM.Answer = No
	}
	if f.RuntimeLog {
		f.OOM.Notice.Answer = No
	}
	for _, m := range in.Marks {
		atEnd := !in.Finished.IsZero() && m.At.After(in.Finished.Add(-oomLag)) && m.At.Before(in.Finished.Add(oomLag))
		switch fact := m.Obs.Fact.(type) {
		case evidence.OOMKill:
			if !atEnd {
				f.OOM.Earlier = Fact{Yes, m.At, append(f.OOM.Earlier.Evidence, m.Obs.ID)}
				continue
			}
			f.OOM.Fact = Fact{Yes, m.At, append(f.OOM.Evidence, m.Obs.ID)}
			f.OOM.Level, f.OOM.Victim = levelOf(fact, in.ID), fact.Task
		case evidence.TaskOOM:
			if atEnd {
				f.OOM.Notice = Fact{Yes, m.At, append(f.OOM.Notice.Evidence, m.Obs.ID)}
			}
		}
	}
}

// levelOf tells whose limit was hit: the container's own cgroup, one above it
// that is the pod's, or the whole machine's.
func levelOf(k evidence.OOMKill, containerID string) OOMLevel {
	switch {
	case k.Global || k.Constraint != "" && k.Constraint != "CONSTRAINT_MEMCG":
		return OOMNode
	case k.OOMMemcg == k.TaskMemcg || containerID != "" && strings.Contains(k.OOMMemcg, containerID):
		return OOMContainer
	case podLevel(k.OOMMemcg):
		return OOMPod
	}
	return OOMNode
}

// podLevel tells whether the last step of a cgroup path is a pod's cgroup:
// "pod<uid>" (cgroupfs) or "…-pod<uid>.slice" (systemd).
func podLevel(path string) bool {
	last := path[strings.LastIndexByte(path, '/')+1:]
	return strings.HasPrefix(last, "pod") || strings.HasSuffix(last, ".slice") && strings.Contains(last, "-pod")
}
