package kubelet

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// missing is decided by the kubelet's own line about the pod's cgroup, or by two
// cgroups that it asked for. The order of things alone is strong: nothing else kills
// a whole pod, says nothing, and starts the same pod again.
func missing(f *finding.Findings) *causes.Claim {
	c := f.Cgroup
	if !silently(f) || f.R.To == nil || f.Sandbox.Changed.Answer != finding.Yes {
		return nil
	}
	s := causes.Weak
	what := "the kubelet of " + causes.Node(f) + " did not find the pod's cgroup where it looks for it"
	at, cites := f.Kill.At, f.Kill.Evidence
	switch {
	case c.Missing.Answer == finding.Yes:
		s, at, cites = causes.Decisive, c.Missing.At, c.Missing.Evidence
	case c.Moved.Answer == finding.Yes && f.Sandbox.KilledFirst.Answer == finding.Yes:
		s, cites = causes.Decisive, c.Moved.Evidence
	case c.Told.Answer == finding.Yes && f.Sandbox.KilledFirst.Answer == finding.Yes:
		s, cites = causes.Decisive, c.Told.Evidence
	case f.Sandbox.KilledFirst.Answer == finding.Yes && f.KubeletLog:
		s, cites = causes.Strong, f.Sandbox.KilledFirst.Evidence
	case f.Sandbox.KilledFirst.Answer == finding.Yes:
		cites = f.Sandbox.KilledFirst.Evidence // by events alone, whose times have whole seconds
	case c.Moved.Answer == finding.Yes:
		s, cites = causes.Strong, c.Moved.Evidence
	}
	if c.Moved.Answer == finding.Yes {
		what += ": it was made below " + c.Old + " and is looked for below " + c.New
	} else if c.Told.Answer == finding.Yes {
		what += ": its setting " + c.Setting + " was changed from " + c.Old + " to " + c.New
	}
	steps := append(started(f), causes.Step{Cause: causes.PodCgroupMissing, Text: what, At: at, Evidence: cites})
	needs := causes.NeedKubeletLog(f)
	if s < causes.Decisive {
		needs = append(needs, causes.Need{
			What: "the cgroup that each of the two sandboxes was made in, from the runtime's records", Consequence: "it tells where the kubelet had the pod before, and where it looks for it now",
			Command: "on " + causes.OnNode(f) + ": kubectl-restartwhy collect --local -o node.tar.zst",
		})
	}
	return &causes.Claim{
		Mechanism: causes.SandboxChanged, Strength: s, Chain: killed(f, steps), Needs: needs,
		Summary: causes.Who(f) + ": " + what + ", so it killed the pod without a word and made it anew",
		Actions: []string{
			"compare cgroupDriver, cgroupRoot, cgroupsPerQOS and the pod's QoS class before and after: kubelet flags, /var/lib/kubelet/config.yaml, kubectl get pod " + causes.InPod(f) + " -o jsonpath='{.status.qosClass}'",
			"drain a node before changing any of them",
		},
		Root: root(f, at, "the kubelet of "+causes.Node(f)+" did not find the cgroups of its pods"),
	}
}

// killed ends a chain with the kubelet's silent kill and what came of it.
func killed(f *finding.Findings, steps []causes.Step) []causes.Step {
	steps = append(steps,
		causes.Step{Role: report.RoleDecision, Text: "syncPod: containers run and the pod's cgroup is not there → kill the pod, make the cgroup, sync again", At: f.Kill.At, Evidence: f.Kill.Evidence},
		causes.Step{Role: report.RoleMechanism, Cause: causes.SandboxChanged, Text: "no ready sandbox was left: a new one, and every container again", At: f.Sandbox.Changed.At, Evidence: f.Sandbox.Changed.Evidence})
	return append(steps, causes.EndStep(f, ""), causes.Then(f))
}

// started is the start of the kubelet behind what it did right after it.
func started(f *finding.Findings) []causes.Step {
	k := f.Around.Kubelet
	if k.Answer != finding.Yes || f.Versions.SameProcess {
		return nil
	}
	return append(causes.Behind(f, causes.Kubelet, k.At),
		causes.Step{Role: report.RoleBehind, Cause: causes.KubeletRestarted, Text: "the kubelet of " + causes.Node(f) + " was started anew", At: k.At, Evidence: k.Evidence})
}

func root(f *finding.Findings, at time.Time, summary string) *causes.Root {
	if k := f.Around.Kubelet; k.Answer == finding.Yes {
		at = k.At
	}
	return &causes.Root{Key: at.UTC().Truncate(5 * time.Minute).Format(time.RFC3339), At: at, Summary: summary}
}

func againstMissing(f *finding.Findings) causes.Against {
	switch {
	case f.Cgroup.Drivers:
		return causes.Contradict("it is where another cgroup driver has it: the driver was changed", append(slices.Clone(f.Cgroup.Moved.Evidence), f.Cgroup.Told.Evidence...)...)
	case f.Cgroup.Missing.Answer == finding.Yes:
		return causes.Against{}
	}
	return causes.FirstOf(f, notSilent, sandboxFirst, anotherCame)
}

// anotherCame contradicts a kill that the kubelet makes good at once: the one that had
// stopped the pod was gone when its sandbox was looked at, as over a shutdown of the node.
func anotherCame(f *finding.Findings) causes.Against {
	run, _ := f.Node.KubeletAt(f.Sandbox.Changed.At)
	if f.Kill.Answer != finding.Yes || f.Kill.At.IsZero() || f.Sandbox.Changed.At.IsZero() || run == nil || !run.Start.After(f.Kill.At.Add(time.Second)) {
		return causes.Against{}
	}
	return causes.Contradict("another kubelet was started between the kill and the new sandbox; one that does not find a pod's cgroup kills the pod and makes it anew at once", run.Obs.ID)
}

// mismatch is one of two: the kubelet's driver was changed under running pods, or the
// runtime's never fitted, and its containers run where nobody looks after them.
func mismatch(f *finding.Findings) *causes.Claim {
	if f.R.To == nil {
		return nil
	}
	if c := f.Cgroup; c.Drivers && silently(f) {
		what := "the cgroup driver of " + causes.Node(f) + " was changed: the pod was made below " + c.Old + " and is looked for below " + c.New
		cites := c.Moved.Evidence
		if c.Moved.Answer != finding.Yes {
			what, cites = "the cgroup driver of "+causes.Node(f)+" was changed from "+c.Old+" to "+c.New, c.Told.Evidence
		}
		s := causes.Strong
		if f.Sandbox.Changed.Answer == finding.Yes && (c.Moved.Answer == finding.Yes || f.Sandbox.KilledFirst.Answer == finding.Yes) {
			s = causes.Decisive
		}
		steps := append(started(f), causes.Step{Cause: causes.CgroupDriverMismatch, Text: what, At: f.Kill.At, Evidence: cites},
			causes.Step{Cause: causes.PodCgroupMissing, Text: "so the kubelet did not find the pod's cgroup", At: f.Kill.At, Evidence: f.Kill.Evidence})
		return &causes.Claim{
			Mechanism: causes.PodCgroupMissing, Strength: s, Chain: killed(f, steps), Needs: causes.NeedKubeletLog(f),
			Summary: causes.Who(f) + ": " + what + "; the kubelet killed the pod without a word and made it anew",
			Actions: []string{"drain a node before changing cgroupDriver, and change kubelet and runtime together"},
			Root:    root(f, f.Kill.At, "the cgroup driver of "+causes.Node(f)+" was changed under running pods"),
		}
	}
	return astray(f)
}

// astray is the second of the two. What ended the processes in the end leaves no
// trace of its own, so this is never proven; that many pods ended at once makes it
// likely.
func astray(f *finding.Findings) *causes.Claim {
	c := f.Cgroup
	if c.Outside.Answer != finding.Yes || f.Kill.Answer == finding.Yes || !f.Exit.Known || f.Exit.Invented || causes.EndedByItself(f).Holds() {
		return nil
	}
	s := causes.Weak
	if c.Certain && f.Together > 0 {
		s = causes.Strong
	}
	what := "the runtime of " + causes.Node(f) + " puts containers outside of the cgroups of their pods"
	action := "make the cgroup driver of kubelet and runtime the same, then recreate the pods"
	if c.SpecForm {
		what += ": it takes systemd's names of cgroups for directories"
		action = "set SystemdCgroup = true (containerd) or cgroup_manager = systemd (CRI-O), restart the runtime, then recreate the pods"
	}
	steps := []causes.Step{{Cause: causes.CgroupDriverMismatch, Text: what, Evidence: c.Outside.Evidence}}
	if f.Sandbox.Changed.Answer == finding.Yes {
		steps = append(steps, causes.Step{Role: report.RoleMechanism, Cause: causes.SandboxChanged, Text: "whoever tidied up what is no pod's cgroup ended the sandbox with the containers", At: f.Sandbox.Changed.At, Evidence: f.Sandbox.Changed.Evidence})
	}
	return &causes.Claim{
		Strength: s, Chain: append(steps, causes.EndStep(f, ""), causes.Then(f)), Needs: append(causes.NeedKubeletLog(f), causes.NeedKernelLog(f)...),
		Summary: causes.Who(f) + ": " + what + "; it ended together with others when those were tidied up",
		Actions: []string{action},
		Root:    root(f, f.R.End(), "containers outside of their pods' cgroups ended on "+causes.Node(f)),
	}
}

func againstMismatch(f *finding.Findings) causes.Against {
	c := f.Cgroup
	switch {
	case causes.StatedReason(f):
		return causes.KilledByKubelet(f)
	case f.Around.Boot.Answer == finding.Yes:
		return causes.Contradict("the node booted", f.Around.Boot.Evidence...)
	case f.End.Answer == finding.Yes && f.R.To == nil:
		return causes.Contradict("the whole pod had come to its end", f.End.Evidence...)
	case f.Sandbox.Changed.Answer == finding.No:
		return causes.Contradict("the pod kept its sandbox, and so its cgroup", f.Sandbox.Changed.Evidence...)
	case f.Exit.Lost:
		return causes.Contradict("the runtime lost it (255 \"Unknown\"): nobody stopped it", f.Exit.Evidence...)
	case c.Drivers || c.Outside.Answer == finding.Yes:
		if f.Kill.Answer == finding.Yes {
			return causes.Against{}
		}
		return causes.FirstOf(f, causes.EndedByItself, causes.OutOfMemory)
	case f.Kill.Answer == finding.Yes && c.Moved.Answer != finding.Unknown:
		return causes.Contradict("both sandboxes were made with the same cgroup driver", c.Moved.Evidence...)
	case f.Kill.Answer == finding.Yes && c.Told.Answer != finding.Unknown:
		return causes.Contradict("both kubelets were started with the same cgroup driver", c.Told.Evidence...)
	case f.Kill.Answer == finding.Yes && f.Versions.SameProcess:
		return causes.Contradict("one kubelet made it and stopped it: its cgroup driver did not change in between")
	case f.Kill.Answer == finding.Yes:
		return sandboxFirst(f)
	case f.KubeletLog && f.Together == 0:
		return causes.Contradict("no other pod of the node lost a container at that moment; a driver is the whole node's")
	}
	return causes.FirstOf(f, causes.EndedByItself, causes.StoppedThroughRuntime, causes.OutOfMemory)
}
