package kubelet

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// missing is decisive given the kubelet's own line about the pod's cgroup, or two cgroups that it requested. The
// sequence of events alone is strong: nothing else kills a whole pod, logs no reason, and starts the same pod again.
func missing(f *finding.Findings) *causes.Claim {
	c := f.Cgroup
	if !silently(f) || f.R.To == nil || f.Sandbox.Changed.Answer != finding.Yes {
		return nil
	}
	s := causes.Weak
	what := "the kubelet on " + causes.Node(f) + " did not find the pod's cgroup where it looks for it"
	at, cites := f.Kill.At, f.Kill.Evidence
	switch {
	case c.Missing.Answer == finding.Yes:
		s, at, cites = causes.Decisive, c.Missing.At, c.Missing.Evidence
	case c.Moved.Answer == finding.Yes && f.Sandbox.KilledFirst.Answer == finding.Yes && firstSync(f):
		s, cites = causes.Decisive, c.Moved.Evidence
	case c.Told.Answer == finding.Yes && f.Sandbox.KilledFirst.Answer == finding.Yes && firstSync(f):
		s, cites = causes.Decisive, c.Told.Evidence
	case f.Sandbox.KilledFirst.Answer == finding.Yes && f.KubeletLog:
		s, cites = causes.Strong, f.Sandbox.KilledFirst.Evidence
	case f.Sandbox.KilledFirst.Answer == finding.Yes:
		cites = f.Sandbox.KilledFirst.Evidence // from events alone, whose times have whole seconds
	case c.Moved.Answer == finding.Yes:
		s, cites = causes.Strong, c.Moved.Evidence
	}
	if c.Moved.Answer == finding.Yes {
		what += ": it was created under " + c.Old + ", but the kubelet now looks under " + c.New
	} else if c.Told.Answer == finding.Yes {
		what += ": its setting " + c.Setting + " was changed from " + c.Old + " to " + c.New
	}
	steps := append(causes.AfterStart(f, ""),
		causes.Link{Cause: causes.PodCgroupMissing, Text: what, At: at, Evidence: cites})
	needs := causes.NeedKubeletLog(f)
	if s < causes.Decisive {
		needs = append(needs, causes.NeedNode(f, "the cgroup of each of the two sandboxes, from the runtime's records",
			"it shows where the kubelet had put the pod and where it looks now"))
	}
	return &causes.Claim{
		Mechanism: causes.SandboxChanged, Strength: s, Chain: killed(f, steps), Needs: needs,
		Summary: causes.Who(f) + ": " + what + ", so it killed and recreated the pod without logging a reason",
		Root:    root(f, at, "the kubelet on "+causes.Node(f)+" did not find the cgroups of its pods"),
	}
}

// firstSync reports whether the kubelet had just started when it killed the pod: it looks for the pod's cgroup at every
// sync, so that one that goes missing later has another reason than the kubelet's settings.
func firstSync(f *finding.Findings) bool {
	k := f.NodeEvents.Kubelet
	since := f.Kill.At.Sub(k.At)
	return k.Answer == finding.Yes && since > -tolerance.Slack && since < tolerance.FirstSync
}

// killed ends a chain with the kubelet's silent kill and its consequences.
func killed(f *finding.Findings, steps []causes.Link) []causes.Link {
	steps = append(steps,
		causes.Link{Role: report.RoleDecision,
			Text: "a kubelet that finds running containers but not their pod's cgroup kills the pod and creates the cgroup " +
				"again (syncPod)", At: f.Kill.At, Evidence: f.Kill.Evidence},
		causes.Link{Role: report.RoleMechanism, Cause: causes.SandboxChanged,
			Text: "no ready sandbox was left, so the kubelet created a new one and restarted every container",
			At:   f.Sandbox.Changed.At, Evidence: f.Sandbox.Changed.Evidence})
	return append(steps, causes.EndStep(f), causes.Then(f))
}

func root(f *finding.Findings, at time.Time, summary string) *causes.Root {
	if k := f.NodeEvents.Kubelet; k.Answer == finding.Yes {
		at = k.At
	}
	return &causes.Root{Key: at.UTC().Truncate(tolerance.OneRoot).Format(time.RFC3339), At: at, Summary: summary}
}

func againstMissing(f *finding.Findings) causes.Against {
	switch {
	case f.Cgroup.Drivers:
		return causes.Contradict("the cgroup is where another cgroup driver puts it: the driver was changed",
			append(slices.Clone(f.Cgroup.Moved.Evidence), f.Cgroup.Told.Evidence...)...)
	case f.Cgroup.Missing.Answer == finding.Yes:
		return causes.Against{}
	}
	return causes.FirstOf(f, notSilent, sandboxFirst, anotherCame)
}

// anotherCame contradicts a kill that the same kubelet repairs at once: the kubelet that had stopped the pod was gone
// when its sandbox was checked, as in a shutdown of the node.
func anotherCame(f *finding.Findings) causes.Against {
	run, _ := f.Node.KubeletAt(f.Sandbox.Changed.At)
	if f.Kill.Answer != finding.Yes || f.Kill.At.IsZero() || f.Sandbox.Changed.At.IsZero() ||
		run == nil || !run.Start.After(f.Kill.At.Add(time.Second)) {
		return causes.Against{}
	}
	return causes.Contradict(
		"another kubelet started between the kill and the new sandbox; a kubelet that does not find a pod's cgroup kills "+
			"the pod and recreates it at once", run.Obs.ID)
}

// mismatch claims one of two: the kubelet's driver was changed under running pods, or the runtime's never matched, and
// its containers run where nobody manages them.
func mismatch(f *finding.Findings) *causes.Claim {
	if f.R.To == nil {
		return nil
	}
	if c := f.Cgroup; c.Drivers && silently(f) {
		what := "the cgroup driver on " + causes.Node(f) + " was changed: the pod was created under " +
			c.Old + ", but the kubelet now looks under " + c.New
		cites := c.Moved.Evidence
		if c.Moved.Answer != finding.Yes {
			what, cites = "the cgroup driver on "+causes.Node(f)+" was changed from "+c.Old+" to "+c.New, c.Told.Evidence
		}
		s := causes.Strong
		if f.Sandbox.Changed.Answer == finding.Yes && firstSync(f) &&
			(c.Moved.Answer == finding.Yes || f.Sandbox.KilledFirst.Answer == finding.Yes) {
			s = causes.Decisive
		}
		steps := append(causes.AfterStart(f, ""), causes.Link{Cause: causes.CgroupDriverMismatch,
			Text: what, At: f.Kill.At, Evidence: cites},
			causes.Link{Cause: causes.PodCgroupMissing, Text: "so the kubelet did not find the pod's cgroup",
				At: f.Kill.At, Evidence: f.Kill.Evidence})
		return &causes.Claim{
			Mechanism: causes.PodCgroupMissing, Strength: s, Chain: killed(f, steps), Needs: causes.NeedKubeletLog(f),
			Summary: causes.Who(f) + ": " + what + "; the kubelet killed and recreated the pod without logging a reason",
			Actions: []string{"drain a node before changing cgroupDriver, and change the kubelet and the runtime together"},
			Root:    root(f, f.Kill.At, "the cgroup driver on "+causes.Node(f)+" was changed under running pods"),
		}
	}
	return astray(f)
}

// astray is the second of the two. What finally ended the processes leaves no trace, so this is never proven; many pods
// that ended at once make it likely.
func astray(f *finding.Findings) *causes.Claim {
	c := f.Cgroup
	if c.Outside.Answer != finding.Yes || f.Kill.Answer == finding.Yes ||
		!f.Exit.Known || f.Exit.Invented || causes.EndedByItself(f).Holds() {
		return nil
	}
	s := causes.Weak
	if c.Certain && f.Together > 0 {
		s = causes.Strong
	}
	what := "the runtime on " + causes.Node(f) + " puts containers outside their pods' cgroups"
	action := "set the same cgroup driver for kubelet and runtime, then recreate the pods"
	if c.SpecForm {
		what += ": it treats systemd cgroup names as directories"
		action = "set SystemdCgroup = true (containerd) or cgroup_manager = systemd (CRI-O), restart the runtime, then " +
			"recreate the pods"
	}
	steps := []causes.Link{{Cause: causes.CgroupDriverMismatch, Text: what, Evidence: c.Outside.Evidence}}
	if f.Sandbox.Changed.Answer == finding.Yes {
		steps = append(steps, causes.Link{Role: report.RoleMechanism, Cause: causes.SandboxChanged,
			Text: "something removed the cgroups that belong to no pod, and the sandbox ended with the containers",
			At:   f.Sandbox.Changed.At, Evidence: f.Sandbox.Changed.Evidence})
	}
	return &causes.Claim{
		Strength: s, Chain: append(steps, causes.EndStep(f), causes.Then(f)),
		Needs:   append(causes.NeedKubeletLog(f), causes.NeedKernelLog(f)...),
		Summary: causes.Who(f) + ": " + what + "; it ended together with others when those cgroups were removed",
		Actions: []string{action},
		Root:    root(f, f.R.End(), "containers outside their pods' cgroups ended on "+causes.Node(f)),
	}
}

func againstMismatch(f *finding.Findings) causes.Against {
	c := f.Cgroup
	switch {
	case causes.StatedReason(f):
		return causes.KilledByKubelet(f)
	case f.NodeEvents.Boot.Answer == finding.Yes:
		return causes.Contradict("the node rebooted", f.NodeEvents.Boot.Evidence...)
	case f.End.Answer == finding.Yes && f.R.To == nil:
		return causes.Contradict("the whole pod had ended", f.End.Evidence...)
	case f.Sandbox.Changed.Answer == finding.No:
		return causes.Contradict("the pod kept its sandbox, and so its cgroup", f.Sandbox.Changed.Evidence...)
	case f.Exit.Lost:
		return causes.Contradict("the runtime lost it (255 \"Unknown\"): nothing stopped it", f.Exit.Evidence...)
	case c.Drivers || c.Outside.Answer == finding.Yes:
		if f.Kill.Answer == finding.Yes {
			return causes.Against{}
		}
		return causes.FirstOf(f, causes.EndedByItself, causes.OutOfMemory)
	case f.Kill.Answer == finding.Yes && c.Moved.Answer != finding.Unknown:
		return causes.Contradict("both sandboxes were created with the same cgroup driver", c.Moved.Evidence...)
	case f.Kill.Answer == finding.Yes && c.Told.Answer != finding.Unknown:
		return causes.Contradict("both kubelets started with the same cgroup driver", c.Told.Evidence...)
	case f.Kill.Answer == finding.Yes && f.Versions.SameProcess:
		return causes.Contradict(
			"the same kubelet process created and stopped it: its cgroup driver did not change in between")
	case f.Kill.Answer == finding.Yes:
		return sandboxFirst(f)
	case signs.DriversDiffer(f): // the kubelet asks its containers to stop, and they choose their exit codes
		return causes.OutOfMemory(f)
	case f.KubeletLog && f.Together == 0:
		return causes.Contradict(
			"no other pod on the node lost a container at that moment, but the driver applies to the whole node")
	}
	return causes.FirstOf(f, causes.EndedByItself, causes.StoppedThroughRuntime, causes.OutOfMemory)
}
