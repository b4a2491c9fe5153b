package signs

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/node"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Condition reports whether the node has a condition, or had it until soon after the end. If the pod's node is unknown,
// any node with the condition counts.
func Condition(f *finding.Findings, name string) bool {
	if f.Node == nil {
		return f.R.Node == "" && slices.ContainsFunc(slices.Collect(maps.Values(f.T.Nodes)),
			func(n *timeline.NodeStory) bool {
				return slices.ContainsFunc(n.Info.Conditions, func(c evidence.NodeCondition) bool {
					return c.Type == name && c.Status == "True"
				})
			})
	}
	for _, c := range f.Node.Info.Conditions {
		if c.Type != name {
			continue
		}
		after := c.Since.Sub(f.R.End())
		joined := c.Since.Sub(f.Node.Info.CreatedAt) < tolerance.Settle
		return c.Status == "True" || c.Status == "False" && !joined && !f.R.End().IsZero() &&
			after > 0 && after < tolerance.Pressed
	}
	return false
}

// CameBack reports whether the node became ready around the end or soon after it, and had existed for longer.
func CameBack(f *finding.Findings) bool {
	end := f.R.End()
	if f.Node == nil || end.IsZero() {
		return false
	}
	until := end.Add(tolerance.Pressed)
	if to := f.R.To; to != nil && !to.Started.IsZero() {
		until = to.Started.Add(tolerance.RebootLag)
	}
	for _, c := range f.Node.Info.Conditions {
		if c.Type == "Ready" && c.Status == "True" {
			return c.Since.After(end.Add(-tolerance.ReadyBefore)) && c.Since.Before(until) &&
				c.Since.Sub(f.Node.Info.CreatedAt) > tolerance.Settle
		}
	}
	return false
}

// OthersRanOn reports whether a container that runs on the node had been started before the end: neither the machine
// nor a runtime that takes its containers along went down. What ended at an unknown time may have ended right after its
// own start.
func OthersRanOn(f *finding.Findings) bool {
	end, begun := f.R.End(), f.R.From.Begun()
	switch p := f.R.Pod; {
	case f.R.From.Finished.IsZero() && !begun.IsZero():
		end = begun
	case end.IsZero() && p != nil:
		end = p.CreatedAt // its end is unknown, but after this
	}
	return f.Node != nil && !f.Node.Oldest.IsZero() && !end.IsZero() && f.Node.Oldest.Before(end.Add(-tolerance.Slack))
}

// Comeback returns the start of a kubelet that found the sandboxes of many pods gone, this one's too, and did not see
// the container's end: the machine or its runtime went down before. It is nil where there is none.
func Comeback(f *finding.Findings) *timeline.KubeletRun {
	changed, end := f.Sandbox.Changed, f.R.From.Finished
	if f.Node == nil || changed.Answer != finding.Yes || f.Kill.Answer == finding.Yes {
		return nil
	}
	run, _ := f.Node.KubeletAt(changed.At)
	if run == nil || len(run.Remade) < many || run.Workloads < 2 || changed.At.Sub(run.Start) > tolerance.FirstSync ||
		!end.IsZero() && (end.After(run.Start) || run.Start.Sub(end) > tolerance.InTime) {
		return nil
	}
	return run
}

// many is how many pods of one node lose their sandboxes at once only where something took all of them.
const many = 3

// somewhere reports whether any node saw something, if the pod's node is unknown.
func somewhere(f *finding.Findings, saw func(*timeline.NodeStory) bool) bool {
	return f.R.Node == "" && !f.R.End().IsZero() && slices.ContainsFunc(slices.Collect(maps.Values(f.T.Nodes)), saw)
}

// BootSomewhere reports whether a node booted in the minutes before the end, if the pod's node is unknown.
func BootSomewhere(f *finding.Findings) bool {
	return somewhere(f, func(n *timeline.NodeStory) bool {
		return timeline.Near(n.Boots, f.R.End(), tolerance.Settle, tolerance.RebootLag) != nil
	})
}

// GoingDown reports whether logind or Talos took the machine down right before the end. If the pod's node is unknown,
// any node counts.
func GoingDown(f *finding.Findings) bool {
	end := f.R.End()
	down := func(n *timeline.NodeStory) bool {
		return slices.ContainsFunc(timeline.Since(n.AdminActions, end.Add(-tolerance.DownLag)),
			func(m timeline.Occurrence) bool {
				_, power := m.Obs.Fact.(evidence.PowerChange)
				return power && !m.At.After(end.Add(tolerance.Slack))
			})
	}
	return somewhere(f, down) || f.Node != nil && !end.IsZero() && down(f.Node)
}

// BootBeside reports whether a text asks why something ended, and mentions that a node booted: the author mentions it
// because of the question.
func BootBeside(f *finding.Findings) bool {
	asked := f.R.Mentioned() && f.R.End().IsZero() &&
		beside(f, func(n *timeline.NodeStory) bool { return len(n.Boots) > 0 })
	return asked || OnePerBoot(f)
}

// OnePerBoot reports whether a table's row counts as many restarts as its node booted, or a multiple of them: a row
// adds up those of all containers. Nothing dates them.
func OnePerBoot(f *finding.Findings) bool {
	if f.Node == nil || !f.R.End().IsZero() || !strings.HasPrefix(f.R.PodUID, evidence.Row) {
		return false
	}
	boots := len(f.Node.Boots)
	return boots > 0 && f.R.Restarts%boots == 0 && f.R.Restarts <= containersOfRow*boots
}

// containersOfRow is how many containers a pod may have for its restarts to be one for each boot.
const containersOfRow = 4

// RuntimeBeside is the same for a runtime that was started on a node that did not boot, next to a text that asks or a
// row whose container the runtime lost.
func RuntimeBeside(f *finding.Findings) bool {
	asked := f.R.Mentioned() || f.Exit.Lost && strings.HasPrefix(f.R.PodUID, evidence.Row)
	return asked && f.R.End().IsZero() && !BootBeside(f) &&
		beside(f, func(n *timeline.NodeStory) bool { return len(n.Runtime) > 0 })
}

// RuntimeSomewhere reports whether a runtime started right before or after the end, if the pod's node is unknown.
func RuntimeSomewhere(f *finding.Findings) bool {
	return somewhere(f, func(n *timeline.NodeStory) bool {
		return timeline.Near(n.Runtime, f.R.End(), tolerance.RuntimeStart, tolerance.RuntimeStart) != nil
	})
}

// RuntimeWent reports whether the runtime stopped or started at the end of what it takes along: Docker's containers,
// without live-restore, and for any runtime a sandbox that was gone then, or a container with the code that containerd
// gives what it lost. A kubelet that started, too, suggests a boot of the node, unless the runtime's service had been
// stopped.
func RuntimeWent(f *finding.Findings) bool {
	start := f.NodeEvents.Runtime.Answer == finding.Yes
	boxed := f.R.WholePod() || f.Sandbox.Changed.Answer == finding.Yes || f.Exit.Known && f.Exit.Code == 255
	return f.OfDocker() && (start || f.NodeEvents.Down.Answer == finding.Yes) ||
		boxed && start && (f.NodeEvents.Kubelet.Answer != finding.Yes || ServiceRestarted(f))
}

// ServiceRestarted reports whether systemd stopped the runtime's service before its start around the end, without a
// boot in between.
func ServiceRestarted(f *finding.Findings) bool {
	start := f.NodeEvents.Runtime
	if f.Node == nil || start.Answer != finding.Yes || f.NodeEvents.Boot.Answer == finding.Yes {
		return false
	}
	for _, m := range timeline.Since(f.Node.AdminActions, start.At.Add(-tolerance.DownLag)) {
		unit, ok := m.Obs.Fact.(evidence.UnitChanged)
		if ok && !m.At.After(start.At) && evidence.UnitOf(unit.Unit).OnlyRuntime() {
			return true
		}
	}
	return false
}

// BothRestarted reports whether a kubelet started around the end that shares its service with the runtime, as in k3s.
// The sandboxes outlive that, unless the runtime lost something of them.
func BothRestarted(f *finding.Findings) bool {
	start := f.NodeEvents.Kubelet
	if f.Node == nil || start.Answer != finding.Yes || f.NodeEvents.Boot.Answer == finding.Yes ||
		f.Sandbox.Changed.Answer != finding.Yes {
		return false
	}
	if strings.Contains(f.Versions.At, "+k3s") || strings.Contains(f.Versions.At, "+rke2") {
		return true
	}
	before := timeline.Since(f.Node.AdminActions, start.At.Add(-tolerance.DownLag))
	return slices.ContainsFunc(before, func(m timeline.Occurrence) bool {
		unit, ok := m.Obs.Fact.(evidence.UnitChanged)
		of := evidence.UnitOf(unit.Unit)
		return ok && !m.At.After(start.At) && of.Kubelet && of.Runtime
	})
}

// Misspelt reports whether processes of the node run in directories named like the systemd driver's cgroup
// specification: its runtime treats such a name as a path.
func Misspelt(f *finding.Findings) bool { return f.Node != nil && f.Node.SpecForm }

// DriversDiffer reports whether kubelet and runtime were configured with different cgroup drivers.
func DriversDiffer(f *finding.Findings) bool {
	if f.Node == nil || f.Node.RuntimeDriver == "" {
		return false
	}
	told := f.Node.Printed(evidence.SettingCgroupDriver)
	return len(told) > 0 && node.CgroupSetting(&told[len(told)-1]) != f.Node.RuntimeDriver
}

// Emptied reports whether the node was cordoned not long before the end.
func Emptied(f *finding.Findings) bool {
	return f.Node != nil && shortlyBefore(f.Node.Cordoned, f.R.End(), tolerance.Drained)
}

// Faulted reports whether a process of the node that belongs to no known container died of a fault, while the container
// waits to be restarted.
func Faulted(f *finding.Findings) bool {
	return f.Node != nil && (f.R.Waiting.Reason == "CrashLoopBackOff" || f.R.Mentioned()) && !f.Exit.Known &&
		shortlyBefore(f.Node.Faults, f.R.End(), tolerance.MadeAnew)
}

// shortlyBefore reports whether there is a mark right before the end.
func shortlyBefore(marks []timeline.Occurrence, end time.Time, before time.Duration) bool {
	near := timeline.Since(marks, end.Add(-before))
	return !end.IsZero() && len(near) > 0 && !near[0].At.After(end.Add(tolerance.Slack))
}

// ShortSomewhere reports whether a node was out of memory right before, if the pod's node is unknown.
func ShortSomewhere(f *finding.Findings) bool {
	return somewhere(f, func(n *timeline.NodeStory) bool {
		return shortlyBefore(n.Shortages, f.R.End(), tolerance.OOMMinutes)
	})
}

// WithKubelet reports whether a table lists containers of several pods as ended at about one moment, and the kubelet's
// container as ended or started then: it did not stop them, but went down with them.
func WithKubelet(f *finding.Findings) bool {
	end := f.R.From.Finished
	if f.Node == nil || !f.R.From.Coarse || f.Together == 0 || f.R.Workloads < 2 || end.IsZero() {
		return false
	}
	near := func(at time.Time) bool { return at.Sub(end).Abs() <= tolerance.Age+tolerance.Slack }
	return slices.ContainsFunc(f.Node.Kubelet, func(run timeline.KubeletRun) bool { return near(run.Start) }) ||
		slices.ContainsFunc(f.Node.AdminActions, func(m timeline.Occurrence) bool {
			unit, ok := m.Obs.Fact.(evidence.UnitChanged)
			return ok && evidence.UnitOf(unit.Unit).Kubelet && near(m.At)
		})
}

// RunEmptied reports whether the runtime of the node, or of any where it is unknown, had lost what it stores below /run
// when it started around the end.
func RunEmptied(f *finding.Findings) bool {
	end := f.R.End()
	emptied := func(n *timeline.NodeStory) bool {
		return slices.ContainsFunc(n.RuntimeErrors, func(m timeline.Occurrence) bool {
			return m.Obs.Fact.(evidence.RuntimeTrouble).State == evidence.RuntimeEmptied &&
				(end.IsZero() || end.Sub(m.At).Abs() < tolerance.Settle)
		})
	}
	return f.Node != nil && emptied(f.Node) || somewhere(f, emptied)
}
