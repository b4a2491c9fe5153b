package finding

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds signs that make causes likelier and prove none of them.

// TakenDown tells a pod of which nothing is known but that it was stopped, or should be.
func (f *Findings) TakenDown() bool {
	for _, m := range f.R.From.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.SandboxStopRequested, evidence.SandboxStopped, evidence.KillFailed, evidence.UnitChanged:
			return true
		}
	}
	return false
}

// Unhealthy tells that the kubelet took the result of a probe for failed when the container ended. A container that
// ended by itself has no result that is better.
func (f *Findings) Unhealthy(k ProbeKind) bool {
	end := f.R.End()
	for _, marks := range [][]timeline.Occurrence{f.R.From.Marks, f.R.PodMarks} {
		for _, m := range marks {
			r, ok := m.Obs.Fact.(evidence.ProbeResultChanged)
			if !ok || r.Status != "unhealthy" || m.At.Sub(end) > tolerance.Slack {
				continue
			}
			if r.Probe == "" || k == Liveness && r.Probe == evidence.ProbeLiveness ||
				k == Startup && r.Probe == evidence.ProbeStartup {
				return true
			}
		}
	}
	return false
}

// Misspelt tells that processes of the node run in directories that are called as systemd's driver spells a cgroup:
// its runtime takes such a name for a path.
func (f *Findings) Misspelt() bool { return f.Node != nil && f.Node.SpecForm }

// DriversDiffer tells that kubelet and runtime were told different cgroup drivers.
func (f *Findings) DriversDiffer() bool {
	if f.Node == nil || f.Node.RuntimeDriver == "" {
		return false
	}
	told := f.Node.Printed(evidence.SettingCgroupDriver)
	return len(told) > 0 && cgroupSetting(&told[len(told)-1]) != f.Node.RuntimeDriver
}

// Emptied tells that the node was closed to new pods not long before the end.
func (f *Findings) Emptied() bool {
	return f.Node != nil && shortlyBefore(f.Node.Cordoned, f.R.End(), tolerance.Drained)
}

// Faulted tells that a process of the node that no container is known by died of a fault, while the container waits to
// be started once more.
func (f *Findings) Faulted() bool {
	return f.Node != nil && (f.R.Waiting.Reason == "CrashLoopBackOff" || f.R.Mentioned()) && !f.Exit.Known &&
		shortlyBefore(f.Node.Faults, f.R.End(), tolerance.MadeAnew)
}

// shortlyBefore tells a mark of the time right before one.
func shortlyBefore(marks []timeline.Occurrence, end time.Time, before time.Duration) bool {
	near := timeline.Since(marks, end.Add(-before))
	return !end.IsZero() && len(near) > 0 && !near[0].At.After(end.Add(tolerance.Slack))
}

// ShortSomewhere tells that a node was out of memory right before, and it is not known which node the pod was on.
func (f *Findings) ShortSomewhere() bool {
	return f.somewhere(func(n *timeline.NodeStory) bool {
		return shortlyBefore(n.Shortages, f.R.End(), tolerance.OOMMinutes)
	})
}

// LostLease tells the end that a part of the control plane gives itself when it loses its lease: 255, of glog's and
// klog's Fatal up to v1. All of them that run on a machine lose it together; where everything ended with 255, the
// machine or its runtime went down.
func (f *Findings) LostLease() bool {
	return f.Exit.Known && !f.Exit.Invented && !f.Exit.Lost &&
		f.Exit.Code == 255 && f.Together <= len(leaders) &&
		slices.ContainsFunc(leaders, func(name string) bool { return strings.HasSuffix(f.R.Container, name) })
}

// PauseKilled tells that the kernel killed the process that holds the pod's sandbox, for want of memory.
func (f *Findings) PauseKilled() bool {
	return slices.ContainsFunc(f.R.PodMarks, func(m timeline.Occurrence) bool {
		k, ok := m.Obs.Fact.(evidence.OOMKill)
		return ok && k.Task == "pause"
	})
}
