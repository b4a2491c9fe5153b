// Package oom holds the causes in which memory ran out: at the container's own limit, at the pod's, on the whole node,
// or for a child process only.
//
// The kernel's record is decisive, because it names the victim's cgroup and the cgroup whose limit was hit. The
// runtime's label OOMKilled is not: it comes from a counter that includes children and earlier kills.
//
// Rules only: findings in, claims out. See package causes.
package oom

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{
		{ID: causes.OOMContainerLimit, Hypothesis: sim.Ended, Linux: true,
			Title: "The container exceeded its own memory limit",
			Claim: container, Against: againstContainer, Do: forContainer},
		{ID: causes.OOMPodLimit, Hypothesis: sim.Ended, Linux: true, Title: "The pod's memory limit was exceeded",
			Claim:   atLevel(causes.OOMPodLimit, finding.OOMPod, "the pod's memory limit was exceeded"),
			Against: againstLevel(finding.OOMPod), Do: causes.Always(
				"see which container uses the pod's memory: kubectl top pod {pod} --containers",
				"raise the pod's memory limit only if it really needs more")},
		{ID: causes.OOMNode, Hypothesis: sim.Ended, Linux: true, Title: "The node ran out of memory",
			WholePod: true, Claim: atLevel(causes.OOMNode, finding.OOMNode, "the node ran out of memory"),
			Against: againstLevel(finding.OOMNode), Do: causes.Always(
				"see what uses the node's memory: kubectl top pods -A --sort-by=memory",
				"give every pod a memory request that covers its use: the victim is not always the one that used the memory")},
		{ID: causes.OOMChildProcess, Hypothesis: sim.Ended, Linux: true,
			Title: "The OOM killer killed a child process, and the container then exited",
			Claim: child, Against: againstChild, Do: causes.Always("find out which child process uses the memory; the main " +
				"process should survive its end, or log why it exits")},
	}
}

func container(f *finding.Findings) *causes.Claim {
	if f.Exit.Known && f.Exit.Code != 137 || f.Exit.Invented || f.OOM.Asked.Answer == finding.Yes {
		return nil
	}
	var s causes.Strength
	switch {
	case f.OOM.Child, !f.Exit.Known && (f.OOM.Label || f.OOM.Answer != finding.Yes &&
		(f.OOM.Notice.Answer == finding.Yes || f.OOM.Unplaced.Answer == finding.Yes)):
		s = causes.Weak // the runtime's label, or a record without the cgroup, without the exit code; or a child's end
	case !f.Exit.Known && f.OOM.Answer == finding.Yes && f.OOM.Level == finding.OOMContainer:
		s = causes.Strong // the kernel killed it at its end; the exit code is unknown
	case !f.Exit.Known && !f.OOM.Unsure:
		return nil
	case f.OOM.Answer == finding.Yes && f.OOM.Level == finding.OOMContainer:
		s = causes.Decisive
	case f.OOM.Unsure && !f.OOM.Lone:
		s = causes.Weak // others share the limit that was reached
	case f.OOM.Unsure:
		s = causes.Strong // the pod's cgroup was full; with one container that is the container's limit
	case f.OOM.Answer == finding.Yes:
		return nil // another limit
	case f.R.Pod != nil && f.R.Pod.MemoryLimit > 0 && (f.OOM.Notice.Answer == finding.Yes || f.OOM.Label ||
		f.OOM.Unplaced.Answer == finding.Yes):
		s = causes.Weak // it may have been the pod's own limit
	case f.OOM.Notice.Answer == finding.Yes && f.Kill.Answer != finding.Yes,
		f.OOM.Label && (spared(f) || unsaid(f)) && !remembered(f):
		s = causes.Strong
	case f.Kill.Answer != finding.Yes &&
		(f.Metrics.OOM.Answer == finding.Yes || f.OOM.Label && f.Metrics.Near.Answer == finding.Yes):
		s = causes.Strong // counted in its cgroup, or its memory was at its limit
	case f.OOM.Unplaced.Answer == finding.Yes && f.Exit.Code == 137 && f.Kill.Answer != finding.Yes:
		if s = causes.Strong; f.Together > 0 {
			s = causes.Weak // it may be another container's that ended with it
		}
	case f.OOM.Label:
		s = causes.Weak // the label does not say whose limit it was, and may be left over from a child's death
	default:
		return nil
	}
	limit := ""
	if n := limitOf(f); n > 0 {
		limit = " of " + bytes(n)
	}
	what := "it exceeded its memory limit" + limit
	summary := what + " and the kernel killed it" + causes.Lifetime(f)
	if s == causes.Weak {
		what = "it may have exceeded its memory limit" + limit
		summary = "it was OOM-killed" + causes.Lifetime(f) + "; " + what
		if !f.OOM.Label && f.OOM.Answer != finding.Yes && f.OOM.Notice.Answer != finding.Yes {
			summary = "the kernel killed a process for memory as it ended" + causes.Lifetime(f) + "; " + what
		}
	}
	return &causes.Claim{
		Strength: s, Hedged: s == causes.Weak, Needs: causes.NeedKernelLog(f),
		Chain:   steps(f, causes.OOMContainerLimit, what),
		Summary: causes.Who(f) + ": " + summary,
	}
}

func forContainer(f *finding.Findings) []string {
	if lived := f.Lived(); lived >= 0 && lived < tolerance.Sampled {
		return []string{"raise resources.limits.memory: it reached its limit" + causes.Lifetime(f) +
			", before its use was sampled; if it did so only lately, look for what changed (image, input, heap size)"}
	}
	return []string{"compare its memory use with its limit: kubectl top pod " + causes.InPod(f) + " --containers",
		"raise resources.limits.memory if it really needs more; if its use grows until the kill, look for a leak"}
}

// limitOf returns the memory limit that the container had when it ended, as the kernel's record, the runtime or the
// spec has it; 0 for none, or unknown. A spec that was written since may have another limit than then.
func limitOf(f *finding.Findings) int64 {
	if f.OOM.Limit > 0 && f.OOM.Level == finding.OOMContainer {
		return f.OOM.Limit
	}
	if f.R.From.MemoryLimit > 0 || f.R.Spec == nil {
		return f.R.From.MemoryLimit
	}
	since := func(w evidence.SpecWrite) bool { return !w.OnlyImages && w.Time.After(f.R.From.Finished) }
	if p := f.R.Pod; p != nil && !f.R.From.Finished.IsZero() && slices.ContainsFunc(p.SpecWrites, since) || resizing(f) {
		return 0
	}
	return f.R.Spec.MemoryLimit
}

// resizing reports whether the container's status has another memory limit than its spec: a resize in place was asked
// for and is not done, so nobody knows which of both it had when it ended.
func resizing(f *finding.Findings) bool {
	p := f.PodObject()
	if p == nil {
		return false
	}
	status := &p.Whole().Status
	all := slices.Concat(status.InitContainerStatuses, status.ContainerStatuses) // a sidecar can be resized, too
	i := slices.IndexFunc(all, func(s corev1.ContainerStatus) bool { return s.Name == f.R.Container })
	if i < 0 || all[i].Resources == nil {
		return false
	}
	had, ok := all[i].Resources.Limits[corev1.ResourceMemory]
	return ok && had.Value() != f.R.Spec.MemoryLimit
}

// remembered reports whether the runtime's counter may have its kill from before: the kernel tells of one of a child
// well before the end, and of none at the end.
func remembered(f *finding.Findings) bool {
	e := &f.OOM.Earlier
	return e.Answer == finding.Yes && f.R.From.Finished.Sub(e.At) > tolerance.OOMLag
}

// spared reports whether the kernel kills the container last when the whole node runs out of memory: it belongs to a
// Guaranteed pod (kubelet qos/policy.go: oom_score_adj -997). For it the label means its own limit.
func spared(f *finding.Findings) bool {
	p := f.R.Pod
	return p != nil && p.QOSClass == "Guaranteed" && p.MemoryLimit == 0 && f.Kill.Answer != finding.Yes
}

// unsaid reports whether the kubelet's log covers the end without a line about the node's own memory: its watcher logs
// every process that the kernel kills for the whole node (kubelet oom/oom_watcher_linux.go).
func unsaid(f *finding.Findings) bool {
	own := f.R.Pod != nil && f.R.Pod.MemoryLimit == 0
	return own && f.KubeletLog && f.OOM.Shortage.Answer != finding.Yes && f.Kill.Answer != finding.Yes
}

func steps(f *finding.Findings, id causes.ID, what string) []causes.Link {
	root := causes.Link{Cause: id, Text: what, At: f.OOM.At, Evidence: f.OOM.Evidence}
	if f.OOM.Answer != finding.Yes {
		root.At, root.Evidence = f.R.From.Finished, slices.Concat(f.Exit.Evidence, f.OOM.Notice.Evidence,
			f.OOM.Unplaced.Evidence, f.Metrics.OOM.Evidence, f.Metrics.Near.Evidence)
	}
	out := []causes.Link{root}
	if f.OOM.Victim != "" {
		text := "the kernel's OOM killer chose process " + f.OOM.Victim
		if f.OOM.ByPod {
			text += "; the full cgroup belongs to the pod, whose limit is the limit of its only container"
		}
		out = append(out, causes.Link{Text: text, At: f.OOM.At, Evidence: append(f.OOM.Evidence, f.OOM.Notice.Evidence...)})
	}
	return append(out, causes.EndStep(f), causes.Then(f))
}

func againstContainer(f *finding.Findings) causes.Against {
	// a limit that was set outside the spec counts, too
	byKernel := f.OOM.Answer == finding.Yes && f.OOM.Level == finding.OOMContainer
	if s := f.R.Spec; s != nil && s.MemoryLimit == 0 && !byKernel {
		return causes.Contradict("the container has no memory limit")
	}
	if f.OOM.Answer == finding.Yes && f.OOM.Level != finding.OOMContainer && !f.OOM.Unsure {
		return causes.Contradict(fmt.Sprintf("the kernel's record names the memory limit of the %s, not of the container",
			f.OOM.Level), f.OOM.Evidence...)
	}
	return notOOM(f)
}

// notOOM contradicts every death by the out-of-memory killer. A missing notice in the runtime's log contradicts
// nothing: containerd misses it when the container is gone at once.
func notOOM(f *finding.Findings) causes.Against {
	switch e := &f.Exit; {
	case e.Known && e.Code != 137:
		return causes.Contradict("exit code "+causes.Code(e.Code)+": a process that the OOM killer kills ends with 137",
			e.Evidence...)
	case e.Invented:
		return causes.NotTheProcess(f)
	case f.OOM.Asked.Answer == finding.Yes && f.OOM.Answer != finding.Yes:
		return causes.Contradict("the kernel killed it because it was asked to (SysRq f), not because memory was low",
			f.OOM.Asked.Evidence...)
	case f.OOM.Answer == finding.No:
		return causes.Contradict("the kernel's log covers this time and shows no OOM kill in its cgroup")
	case f.OOM.Answer != finding.Yes && !f.OOM.Label && f.Kill.GraceOver:
		return causes.Contradict("it ended when the grace period of the kubelet's kill was over", f.Kill.Evidence...)
	case f.OOM.Answer != finding.Yes && !f.OOM.Label && e.Known && causes.StatedReason(f):
		return causes.Contradict("the runtime does not report OOMKilled, and the kubelet gives another reason",
			f.Kill.Evidence...)
	}
	return causes.Against{}
}

func atLevel(id causes.ID, level finding.OOMLevel, what string) func(*finding.Findings) *causes.Claim {
	return func(f *finding.Findings) *causes.Claim {
		if level == finding.OOMNode && f.OOM.Answer != finding.Yes {
			return shortage(f)
		}
		if f.OOM.Answer != finding.Yes || f.OOM.Level != level || f.Exit.Known && f.Exit.Code != 137 || f.Exit.Invented {
			return nil
		}
		s := causes.Decisive
		switch {
		case f.OOM.Lone:
			s = causes.Weak // hardly any pod has its own limit
		case f.R.From.OnlyKilled && f.R.From.ID == "":
			s = causes.Weak // the kernel names no container: it may have been a program of the node
		case f.OOM.Unsure || !f.Exit.Known:
			s = causes.Strong
		}
		return &causes.Claim{
			Strength: s, Chain: steps(f, id, what),
			Summary: fmt.Sprintf("%s: %s, and the kernel chose it as the victim", causes.Who(f), what),
			Root:    &causes.Root{Key: rootKey(f, level), At: f.OOM.At, Summary: what},
		}
	}
}

// shortage claims from a message of the kubelet, or of a kernel before 5.0, that the node ran out of memory at that
// moment: it names a process, but not its container. A daemon that kills before the kernel does may name the container.
// It may ask before it kills, so that the process chooses its exit code.
func shortage(f *finding.Findings) *causes.Claim {
	at, killer := f.OOM.Shortage, f.OOM.Killer
	if at.Answer != finding.Yes || f.OOM.Asked.Answer == finding.Yes || !f.Exit.Known && !f.OOM.Told || f.Exit.Known &&
		f.Exit.Code != 137 && killer == "" || f.Exit.Invented || f.Exit.NotStarted || f.Kill.Answer == finding.Yes {
		return nil
	}
	what := "the node ran out of memory at that moment"
	how := "it was killed with SIGKILL when " + what
	if at.At.IsZero() {
		what = "the node ran out of memory once"
		how = what + ", and the kernel killed a process that had the container's name"
	}
	strength, step := causes.Strong, what+", as the node itself reports"
	if killer != "" {
		how = "the node was low on memory, and " + killer + " killed it"
		step = killer + " killed it because the node was low on memory"
	}
	if f.OOM.Own {
		what = "its own cgroup was under memory pressure"
		how, step = killer+" killed it because "+what, killer+" killed it because "+what
	}
	switch {
	case f.OOM.Own:
		strength = causes.Weak // it may have been at its own limit, with the node not short at all
	case f.OOM.Named:
		strength = causes.Decisive
	case at.At.IsZero():
		strength = causes.Weak // any process may have that name, and any end may be meant
	case f.OOM.Elsewhere, f.Together > 1:
		strength = causes.Weak // the named process is more likely that container's
	case !f.Exit.Known && killer == "":
		strength = causes.Weak // nothing else tells of the end, and it may have been a process of no container
	}
	return &causes.Claim{
		Strength: strength, Needs: causes.NeedKernelLog(f),
		Chain: []causes.Link{{Cause: causes.OOMNode, Text: step, At: at.At, Evidence: at.Evidence},
			causes.EndStep(f), causes.Then(f)},
		Summary: causes.Who(f) + ": " + how,
		Root: &causes.Root{Key: string(finding.OOMNode) + at.At.UTC().Format("2006-01-02T15:04"),
			At: at.At, Summary: what},
	}
}

// unlimited reports whether the pod's cgroup has no memory limit because one of its containers has none (kubelet
// cm/helpers_linux.go ResourceConfigForPod: it has one where every container declares one). The relevant ones come
// after the init containers, of which there may be thousands.
func unlimited(p *evidence.Pod) bool {
	for i := len(p.Containers) - 1; i >= 0; i-- {
		if c := &p.Containers[i]; c.Kind == evidence.KindApp && c.MemoryLimit == 0 {
			return true
		}
	}
	return false
}

// rootKey returns the key of a shortage: the minute, and for a pod's own limit the pod.
func rootKey(f *finding.Findings, level finding.OOMLevel) string {
	key := string(level) + f.OOM.At.UTC().Format("2006-01-02T15:04")
	if level == finding.OOMPod {
		key += f.R.PodUID
	}
	return key
}

func againstLevel(level finding.OOMLevel) func(*finding.Findings) causes.Against {
	return func(f *finding.Findings) causes.Against {
		if f.OOM.Answer == finding.Yes && f.OOM.Level != level {
			return causes.Contradict(fmt.Sprintf("the kernel's record names the memory limit of the %s", f.OOM.Level),
				f.OOM.Evidence...)
		}
		if p := f.R.Pod; level == finding.OOMPod && f.OOM.Answer != finding.Yes &&
			p != nil && p.MemoryLimit == 0 && unlimited(p) {
			return causes.Contradict("the pod has no memory limit: the pod itself sets none, and neither does every container")
		}
		if level == finding.OOMNode && f.OOM.Killer != "" && !f.Exit.Invented && !causes.StatedReason(f) {
			return causes.Against{} // the kernel is not involved
		}
		return notOOM(f)
	}
}

// child claims that the container ended with its own code right after the kernel had killed one of its processes, or
// has the label with another code than 137.
func child(f *finding.Findings) *causes.Claim {
	if f.Exit.Known && f.Exit.Code == 137 || f.Exit.Lost || f.Kill.Answer == finding.Yes {
		return nil
	}
	if !f.Exit.Known && (f.OOM.Answer != finding.Yes || f.OOM.Level != finding.OOMContainer) {
		return nil
	}
	if f.OOM.Answer != finding.Yes && f.OOM.Notice.Answer != finding.Yes && !f.OOM.Label {
		return nil
	}
	what, s := "the OOM killer killed a process in the container, not its main process", causes.Strong
	if f.OOM.Answer != finding.Yes && f.OOM.Notice.Answer != finding.Yes || !f.Exit.Known && !f.OOM.Child ||
		f.R.From.OnlyKilled {
		// the label may come from an older kill; usually the main process is the victim; and what only the kernel knows may
		// not have ended
		what, s = "the OOM killer may have killed a process in the container, not its main process", causes.Weak
	}
	mechanism := causes.AppExitError
	if f.Exit.Known && f.Exit.Code == 0 {
		mechanism = causes.AppExitZero
	}
	return &causes.Claim{
		Mechanism: mechanism, Strength: s, Hedged: s == causes.Weak, Chain: steps(f, causes.OOMChildProcess, what),
		Summary: fmt.Sprintf("%s: %s; the main process then exited%s", causes.Who(f), what, withCode(f)),
		Needs: append(causes.NeedKernelLog(f), causes.Need{
			What:        "what the main process itself logged about its exit",
			Consequence: "only its own log can show whether it exited because of the child",
			Command:     causes.Logs(f),
		}),
	}
}

func withCode(f *finding.Findings) string {
	if !f.Exit.Known {
		return ""
	}
	return fmt.Sprintf(" with code %d", f.Exit.Code)
}

func againstChild(f *finding.Findings) causes.Against {
	switch {
	case f.Kill.Answer == finding.Yes:
		return causes.KilledByKubelet(f)
	case f.OOM.Label && f.Exit.Known && f.Exit.Code != 137:
		return causes.Against{} // the runtime's counter did increase at some time: a log without it lost it
	case f.OOM.Answer == finding.No:
		return causes.Contradict("the kernel's log covers this time and shows no OOM kill in its cgroup")
	case f.Exit.Known && f.Exit.Code == 137:
		return causes.Contradict("exit code 137: its main process was killed too", f.Exit.Evidence...)
	}
	return causes.Against{}
}

func bytes(n int64) string {
	const mi = 1 << 20
	if n%mi == 0 {
		return fmt.Sprintf("%d MiB", n/mi)
	}
	return fmt.Sprintf("%d bytes", n)
}
