package detail

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// nodeTold returns the text for what happened at the node: to its daemons, its kernel, its packages.
func nodeTold(n *names, o *evidence.Observation) (report.LaneKind, string) {
	switch f := o.Fact.(type) {
	case evidence.KubeletStarted:
		if f.Beside {
			return report.LaneKubelet, "another process may be writing as the kubelet beside" + pid(f.PID)
		}
		return report.LaneKubelet, strings.TrimSpace("kubelet "+f.Version) + " started" + pid(f.PID)
	case evidence.KubeletExited:
		return report.LaneKubelet, "the kubelet exits" + because(f.Message)
	case evidence.RuntimeTrouble:
		return report.LaneKubelet, runtimeTroubles[f.State] + because(f.Message)
	case evidence.EvictionPressure:
		return report.LaneKubelet, "the node is low on " + f.Resource + ": " + pressures[f.State]
	case evidence.NodeShutdown:
		return report.LaneKubelet, "node shutdown: " + string(f.Phase)
	case evidence.ManifestRead:
		if f.Failed {
			return report.LaneKubelet, "cannot read the manifest " + f.Path + because(f.Why)
		}
		return report.LaneKubelet, "reads the manifest " + f.Path
	case evidence.NodeCordoned:
		return report.LaneKubelet, "the node was closed to new pods"
	case evidence.SystemOOM:
		return report.LaneKubelet, "the node ran out of memory" + because(f.Message)
	case evidence.HostOOMKills:
		return report.LaneKernel, fmt.Sprintf("killed %d processes for memory somewhere on the node, by its counter", f.By)
	case evidence.OOMSeen:
		return report.LaneKubelet, "saw that the node ran out of memory; killed: " +
			cmp.Or(f.Process, "a process") + pid(f.PID)
	case evidence.RuntimeStarted:
		return report.LaneRuntime, strings.TrimSpace("the container runtime "+f.Version) + " started"
	case evidence.RuntimeStopping:
		return report.LaneRuntime, "the container runtime shuts down cleanly" + where(f.Signal, ", signal "+f.Signal)
	case evidence.OOMKill:
		if f.PID == 0 && f.Task == "" && f.TaskMemcg == "" && !f.Global {
			return report.LaneKernel, "the out-of-memory killer ran; the line that says whom it killed is missing"
		}
		return report.LaneKernel, fmt.Sprintf("out of memory %s: killed %s%s%s",
			oomScope(f), cmp.Or(f.Task, "a process"), pid(f.PID), n.in(o))
	case evidence.Segfault:
		return report.LaneKernel, cmp.Or(f.Kind, "fault") + " in " + cmp.Or(f.Task, "a process") + pid(f.PID) + n.in(o)
	case evidence.HungTask:
		return report.LaneKernel, fmt.Sprintf("%s made no progress for %d s (%s)%s",
			cmp.Or(f.Task, "a task"), f.Seconds, f.Kind, pid(f.PID))
	case evidence.KernelBooted:
		return report.LaneKernel, "the node booted" + where(f.BootID, ", boot "+f.BootID)
	case evidence.NodeRebooted:
		return report.LaneKernel, "the kubelet saw that the node had rebooted" + where(f.BootID, ", boot "+f.BootID)
	case evidence.ClockSet:
		if f.Disorder {
			return report.LaneSystemd, "the times of the log go back"
		}
		return report.LaneSystemd, "the node's clock was set"
	case evidence.UnitChanged:
		return report.LaneSystemd, unitChange(f)
	case evidence.UserspaceOOMKill:
		return report.LaneSystemd, fmt.Sprintf("%s killed %s because memory was low%s",
			f.Killer, cmp.Or(f.Cgroup, f.Task), pid(f.PID))
	case evidence.Signalled:
		if f.By == "" {
			return report.LaneSystemd, "a line mentions a signal"
		}
		return report.LaneSystemd, strings.TrimSpace(f.By + " reports a signal " + f.Signal)
	case evidence.PackageChanged:
		return report.LaneSystemd, packageChange(f)
	case evidence.RestartAsked:
		return report.LaneSystemd, f.By + " restarted " + short(strings.Join(f.Units, ", "))
	case evidence.PowerChange:
		return report.LaneSystemd, "a request for the machine's " + f.Change
	}
	return "", ""
}

var runtimeTroubles = map[evidence.RuntimeState]string{
	evidence.RuntimeSyncSkipped: "does not sync pods because the container runtime or PLEG is down",
	evidence.RuntimeNoNetwork:   "the runtime reports that its network is not ready",
	evidence.RuntimeNotReady:    "the runtime reports that it is not ready",
	evidence.RuntimeNoAnswer:    "the runtime does not answer",
	evidence.RuntimeEmptied:     "the runtime finds its files of a sandbox gone",
}

var pressures = map[evidence.EvictionState]string{
	evidence.EvictionReclaiming: "the kubelet first removes images and dead containers",
	evidence.EvictionMustEvict:  "the kubelet must evict pods",
	evidence.EvictionRelieved:   "no pod had to be evicted",
}

// counted returns the text for a counter that rose between two scrapes.
func counted(f evidence.Counted) (report.LaneKind, string) {
	if f.Counter == evidence.CountedOOM {
		return report.LaneKernel, fmt.Sprintf("killed %d processes for memory in its cgroup, by the counter", f.By)
	}
	return report.LaneProbe, fmt.Sprintf("%s probe failed %d times since the scrape before", f.Counter, f.By)
}

func oomScope(f evidence.OOMKill) string {
	switch {
	case f.Global || f.Constraint != "" && f.Constraint != "CONSTRAINT_MEMCG":
		return "of the whole node"
	case f.Limit > 0:
		return fmt.Sprintf("at a cgroup's limit of %d MiB", f.Limit>>20)
	}
	return "at a cgroup's limit"
}

func unitChange(f evidence.UnitChanged) string {
	text := f.Unit + " " + strings.ReplaceAll(f.Change, "-", " ")
	switch {
	case f.Change == "exited" && f.Code != "":
		text += fmt.Sprintf(": %s %d", f.Code, f.Status)
	case f.Change == "process-killed" && f.Process != "":
		text += ": " + f.Process + pid(f.PID)
	case f.Change == "restart-scheduled" && f.Restarts > 0:
		text += fmt.Sprintf(", number %d", f.Restarts)
	}
	return text + where(f.Result, " ("+f.Result+")")
}

// unitTold returns the texts for what a unit's state says about the past: when it was started, and how its main process
// ended.
func unitTold(f evidence.UnitState) (all []told) {
	if !f.ActiveEnterTime.IsZero() {
		all = append(all, told{report.LaneSystemd, f.ActiveEnterTime, f.Unit + " became active" + pid(f.MainPID)})
	}
	if !f.ExitTime.IsZero() {
		all = append(all, told{report.LaneSystemd, f.ExitTime,
			fmt.Sprintf("the main process of %s ended: %s %d", f.Unit, cmp.Or(f.ExitCode, "code"), f.ExitStatus)})
	}
	return all
}

func packageChange(f evidence.PackageChanged) string {
	version := f.To
	if f.From != "" && f.To != "" {
		version = f.From + " → " + f.To
	}
	return strings.TrimSpace(f.Manager+" "+f.Action+" "+f.Package+" "+cmp.Or(version, f.From)) + where(f.By, ", by "+f.By)
}

func pid(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" (pid %d)", n)
}

// where returns text if the condition is not empty.
func where(condition, text string) string {
	if condition == "" {
		return ""
	}
	return text
}
