// Package node holds the causes that concern the whole node: it booted, or its container runtime was restarted and lost
// the container.
//
// Rules only: findings in, claims out. See package causes.
package node

import (
	"fmt"
	"slices"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{
		{ID: causes.NodeReboot, Hypothesis: sim.NodeDown, Title: "The node rebooted", WholePod: true,
			Claim: reboot, Against: againstReboot,
			Do: causes.Always("check whether the node rebooted: on the node, journalctl --list-boots")},
		{ID: causes.RuntimeRestarted, HypothesisOf: lostByRuntime,
			Title:    "The container runtime restarted and lost the container",
			WholePod: true, Claim: restarted, Against: againstRestarted, Do: causes.Always(
				"find out why the runtime restarted (package update, crash): on the node, journalctl -u containerd -u crio " +
					"-u docker")},
	}
}

// lostByRuntime: a runtime that was restarted takes the sandbox along, or the container alone.
func lostByRuntime(f *finding.Findings) sim.Hypothesis {
	if f.Sandbox.Changed.Answer == finding.Yes {
		return sim.NodeDown
	}
	return sim.Ended
}

func reboot(f *finding.Findings) *causes.Claim {
	boot := f.NodeEvents.Boot
	if boot.Answer != finding.Yes {
		return maybeBooted(f)
	}
	s := causes.Strong
	switch end := f.R.From.Finished; {
	case f.Exit.Lost && (end.IsZero() || boot.At.Sub(end) < tolerance.InTime):
		s = causes.Decisive // lost by the runtime, and the machine did go down
	case !end.IsZero() && boot.At.After(end) && !f.NodeWentDown():
		s = causes.Weak // it had ended before, while the kubelet was there to see it
	case f.R.To == nil && wroteOn(f):
		s = causes.Weak // its kubelet may have been there to see it, and start nothing
	case f.Sandbox.Changed.Answer == finding.Yes && boot.At.Sub(f.Sandbox.Changed.At) > tolerance.Slack:
		s = causes.Weak // the kubelet had found its sandbox gone before
	case f.End.Answer == finding.Yes && f.End.How == evidence.EndShutdown:
		s = causes.Weak // its kubelet had ended the pod before, for the shutdown
	case signs.MaybeNew(f):
		s = causes.Weak // the log may have begun with the boot
	case finding.Faults[syscall.Signal(f.Exit.Signal())] && f.Kill.Answer != finding.Yes:
		s = causes.Weak // no shutdown sends such a signal
	case f.OOM.Label && boot.At.After(end):
		s = causes.Weak // it was killed for memory, the runtime says, and the boot came later
	case f.R.To == nil && boot.At.After(end) && f.Exit.Known && f.Exit.Code == 0 && runsOnce(f):
		s = causes.Weak // it may have been done
	case !end.IsZero() && boot.At.After(end) && signs.EndsOften(f):
		s = causes.Weak // it ended as it always does, and the boot came while it waited
	}
	what := causes.TheNode(f) + " rebooted"
	return &causes.Claim{
		Mechanism: causes.SandboxChanged, Strength: s,
		Chain: append(causes.Behind(f, causes.Machine, boot.At),
			causes.Link{Cause: causes.NodeReboot, Text: what, At: boot.At, Evidence: boot.Evidence},
			causes.Link{Cause: causes.SandboxChanged,
				Text: "no sandbox survives a reboot: the kubelet recreates every pod on the node",
				At:   f.Sandbox.Changed.At, Evidence: f.Sandbox.Changed.Evidence},
			causes.EndStep(f), causes.Then(f)),
		Summary: causes.Who(f) + ": " + what + "; everything on it restarted",
		Actions: []string{"find out why the node rebooted: on the node, run journalctl --list-boots and read the end of " +
			"the previous boot (journalctl -b -1 -n 100)"},
		Root: &causes.Root{Key: boot.At.UTC().Format("2006-01-02T15:04"), At: boot.At,
			Summary: what, Kind: "the node rebooted"},
	}
}

// wroteOn reports whether the kubelet's log goes on behind the end for longer than a machine takes to stop what runs on
// it. A log that does not tell boots apart may do so though nobody wrote.
func wroteOn(f *finding.Findings) bool {
	end := f.R.From.Finished
	on := end.Add(tolerance.DownLag)
	covered, _ := f.KubeletLogCovers(end, on)
	return !end.IsZero() && on.Before(f.NodeEvents.Boot.At) && covered
}

// runsOnce reports whether what ends without an error stays down.
func runsOnce(f *finding.Findings) bool {
	policy := f.RestartPolicy()
	return policy == "Never" || policy == "OnFailure"
}

// maybeBooted claims a boot that may have been before the container's start, or one that no evidence shows: the runtime
// that lost the container was started, and so was the kubelet.
func maybeBooted(f *finding.Findings) *causes.Claim {
	boot, start := f.NodeEvents.Boot, f.NodeEvents.Runtime
	if near := f.NodeEvents.Perhaps; near.Answer == finding.Yes {
		what := causes.TheNode(f) + " rebooted, and may have ended it: nothing tells when it was started"
		return &causes.Claim{
			Strength: causes.Weak, Hedged: true,
			Chain: []causes.Link{{Cause: causes.NodeReboot, Text: what, At: near.At, Evidence: near.Evidence},
				causes.EndStep(f), causes.Then(f)},
			Summary: causes.Who(f) + ": " + what,
			Actions: []string{"compare when it was started with the boots of the node: journalctl --list-boots"},
		}
	}
	if run := signs.Comeback(f); run != nil && boot.Answer != finding.No {
		return wentDown(f, run)
	}
	if !f.Exit.Lost || start.Answer != finding.Yes || boot.Answer != finding.Unknown ||
		f.NodeEvents.Kubelet.Answer == finding.No || f.Versions.SameProcess {
		return nil
	}
	what := causes.TheNode(f) + " may have rebooted: its runtime started around the end"
	if f.NodeEvents.Kubelet.Answer == finding.Yes {
		what = causes.TheNode(f) + " may have rebooted: its runtime and its kubelet both started around the end"
	}
	seen := slices.Concat(start.Evidence, f.NodeEvents.Kubelet.Evidence)
	return &causes.Claim{
		Strength: causes.Weak, Hedged: true,
		Chain: []causes.Link{{Cause: causes.NodeReboot, Text: what, At: start.At, Evidence: seen},
			causes.EndStep(f), causes.Then(f)},
		Summary: causes.Who(f) + ": " + what,
	}
}

// wentDown claims a boot from what a kubelet found when it started: the sandboxes of many pods were gone.
func wentDown(f *finding.Findings, run *timeline.KubeletRun) *causes.Claim {
	pods := fmt.Sprintf("%d pods", len(run.Remade))
	found := fmt.Sprintf("the kubelet on %s started and found the sandboxes of %s gone", causes.Node(f), pods)
	seen := basis.IDs(run.Obs)
	for _, m := range run.Remade[:min(len(run.Remade), 3)] {
		seen = append(seen, m.Obs.ID)
	}
	what := causes.TheNode(f) + " may have rebooted: its kubelet started and found the sandboxes of " + pods + " gone"
	return &causes.Claim{
		Mechanism: causes.SandboxChanged, Strength: causes.Weak, Hedged: true,
		Chain: []causes.Link{
			{Cause: causes.NodeReboot, Text: causes.TheNode(f) + " may have rebooted", Evidence: f.Sandbox.Changed.Evidence},
			causes.EndStep(f),
			{Text: found, At: run.Start, Evidence: seen}, causes.Then(f)},
		Summary: causes.Who(f) + ": " + what,
		Root: &causes.Root{Key: "back" + run.Start.UTC().Format(time.RFC3339), At: run.Start, Hedged: true,
			Summary: causes.TheNode(f) + " may have rebooted", Kind: "the node may have rebooted"},
	}
}

func againstReboot(f *finding.Findings) causes.Against {
	boot, start := f.NodeEvents.Boot, f.NodeEvents.Runtime
	switch {
	case boot.Answer == finding.No:
		return causes.Contradict("the node did not reboot between the two containers")
	case boot.Answer != finding.Yes && signs.OthersRanOn(f) && reports(f):
		return causes.Contradict(
			"another container on the node has been running since before, so the node did not reboot in between")
	case f.Exit.Lost && runtimeFirst(f) && (boot.At.Sub(start.At) > tolerance.InTime || startedTwice(f)):
		return causes.Contradict("the runtime had already restarted and lost it before the node rebooted", start.Evidence...)
	case len(delayed(f)) > 0:
		return causes.Contradict("it had ended before: the kubelet was waiting to start it again when the node rebooted",
			delayed(f)...)
	case causes.StatedReason(f):
	case f.NodeWentDown(), boot.Answer == finding.Unknown && f.NodeEvents.Between.Answer == finding.Yes,
		boot.Answer != finding.No && (signs.Away(f) || f.R.Elsewhere > 1):
		return causes.Against{} // a process that is asked to end chooses its exit code
	}
	return leftACode(f)
}

// reports reports whether the node is not known to be away: for one that is, the API has the state from before.
func reports(f *finding.Findings) bool {
	return f.Node != nil && !slices.ContainsFunc(f.Node.Info.Conditions,
		func(c evidence.NodeCondition) bool { return c.Type == "Ready" && c.Status != "True" })
}

// runtimeFirst reports whether a start of the runtime at the end came before the boot.
func runtimeFirst(f *finding.Findings) bool {
	boot, start := f.NodeEvents.Boot, f.NodeEvents.Runtime
	return boot.Answer == finding.Yes && start.Answer == finding.Yes && start.At.Before(boot.At)
}

// delayed returns the kubelet's words, after the end and before the boot, that it waits before it starts the container
// again: it had seen that end.
func delayed(f *finding.Findings) []string {
	boot, end := f.NodeEvents.Boot, f.R.From.Finished
	if boot.Answer != finding.Yes || end.IsZero() {
		return nil
	}
	for _, m := range f.R.From.Marks {
		_, ok := m.Obs.Fact.(evidence.BackedOff)
		if ok && m.At.After(end.Add(tolerance.Slack)) && m.At.Before(boot.At.Add(-tolerance.Slack)) {
			return []string{m.Obs.ID}
		}
	}
	return nil
}

// startedTwice reports whether the runtime was started again after the boot: the start at the end was another one, and
// not the boot's by a clock that was slow then.
func startedTwice(f *finding.Findings) bool {
	boot, start, end := f.NodeEvents.Boot, f.NodeEvents.Runtime, f.R.From.Finished
	if f.Node == nil || end.IsZero() || start.At.After(end.Add(time.Second)) { // the API's records have whole seconds
		return false
	}
	return slices.ContainsFunc(f.Node.Runtime, func(m timeline.Occurrence) bool {
		return m.At.After(boot.At) && m.At.Sub(boot.At) < tolerance.Settle && !f.T.Counted(m.Obs.ID)
	})
}

// leftACode contradicts losses: the runtime saw the process end and has its exit code.
func leftACode(f *finding.Findings) causes.Against {
	if causes.StatedReason(f) {
		return causes.KilledByKubelet(f)
	}
	e := &f.Exit
	if e.Known && !e.Invented && !e.Lost && !e.StoppedOnWindows() &&
		!(e.Windows && e.Ambiguous()) && e.Code != 137 && e.Code != 143 &&
		e.Code != 255 && (e.Code != 0 || f.Kill.Answer == finding.No) {
		return causes.Contradict(causes.Exited(f, ": the runtime saw the process exit and did not lose it"), e.Evidence...)
	}
	return causes.Against{}
}

func restarted(f *finding.Findings) *causes.Claim {
	start := f.NodeEvents.Runtime
	if withOthers(f) {
		return goneTogether(f)
	}
	if start.Answer == finding.Unknown && f.Exit.Lost && f.NodeEvents.Boot.Answer != finding.Yes &&
		f.Kill.Answer != finding.Yes {
		return lost(f)
	}
	if start.Answer != finding.Yes || f.NodeEvents.Boot.Answer == finding.Yes &&
		!runtimeFirst(f) || f.Kill.Answer == finding.Yes {
		return nil
	}
	s := causes.Weak
	what := "the container runtime on " + causes.Node(f) + " restarted"
	switch {
	case f.Exit.Lost && (f.NodeEvents.Boot.Answer != finding.Unknown || f.Versions.SameProcess):
		s = causes.Strong // a boot loses it, too, and starts the runtime
	case f.TakenAlong() && (!f.Exit.Lost || f.NodeEvents.Down.Answer == finding.Yes):
		s = causes.Strong // what the runtime lost, a boot of which no log tells may have ended
		if f.Together > 0 {
			what += fmt.Sprintf(", and containers of %d other pods ended with this one", f.Together)
		}
	}
	return &causes.Claim{
		Strength: s, Needs: causes.NeedKubeletLog(f),
		Chain: append(causes.Behind(f, causes.Runtime, start.At),
			causes.Link{Cause: causes.RuntimeRestarted, Text: what, At: start.At, Evidence: start.Evidence},
			causes.EndStep(f), causes.Then(f)),
		Summary: causes.Who(f) + ": " + what + " and lost it",
		Root: &causes.Root{Key: start.At.UTC().Format("2006-01-02T15:04"), At: start.At,
			Summary: what, Kind: "the container runtime restarted"},
	}
}

// withOthers reports whether a container of dockerd ended together with those of other pods and was started again,
// without log lines about the kubelet, dockerd or a boot.
func withOthers(f *finding.Findings) bool {
	return f.OfDocker() && f.Together > 0 && f.R.To != nil && f.Exit.Known && !f.Exit.Invented && !f.Exit.NotStarted &&
		f.NodeEvents.Runtime.Answer == finding.Unknown && f.NodeEvents.Boot.Answer != finding.Yes &&
		(f.Kill.Answer == finding.Unknown || f.Kill.Answer == finding.NoTrace) && f.End.Answer != finding.Yes
}

// goneTogether claims a restart of dockerd from the API alone: containers of several pods ended at the same moment,
// nothing says that the kubelet did it, and they were started again in their pods.
func goneTogether(f *finding.Findings) *causes.Claim {
	what := fmt.Sprintf("containers of %d other pods on %s ended with this one, as when dockerd restarts",
		f.Together, causes.Node(f))
	return &causes.Claim{
		Strength: causes.Weak, Needs: append(causes.NeedKubeletLog(f), causes.NeedRuntimeLog(f)...),
		Chain: []causes.Link{{Cause: causes.RuntimeRestarted, Text: what, At: f.R.From.Finished, Evidence: f.Exit.Evidence},
			causes.EndStep(f), causes.Then(f)},
		Summary: causes.Who(f) + ": " + what,
		Actions: []string{"check whether the runtime restarted: on the node, journalctl -u docker; with live-restore, " +
			"containers survive a restart of dockerd"},
	}
}

// lost claims what exit code 255 "Unknown" shows by itself: the runtime no longer had the container's process. A
// restart of the runtime does that, and so does a boot of the node.
func lost(f *finding.Findings) *causes.Claim {
	if down := f.RuntimeDown; down.Answer == finding.Yes && f.Versions.SameProcess {
		what := "the container runtime on " + causes.Node(f) + " was down: it did not answer the kubelet, which kept running"
		return &causes.Claim{
			Strength: causes.Strong, Needs: causes.NeedRuntimeLog(f),
			Chain: append(causes.Behind(f, causes.Runtime, down.At),
				causes.Link{Cause: causes.RuntimeRestarted, Text: what, At: down.At, Evidence: down.Evidence},
				causes.EndStep(f), causes.Then(f)),
			Summary: causes.Who(f) + ": " + what + ", and it lost the container",
			Actions: []string{"find out why the runtime was down (package update, crash): on the node, journalctl -u " +
				"containerd -u crio -u docker"},
			Root: &causes.Root{Key: "down" + down.At.UTC().Truncate(tolerance.OneRoot).Format(time.RFC3339),
				At: down.At, Summary: "the container runtime on " + causes.Node(f) + " was down",
				Kind: "the container runtime was down"},
		}
	}
	what := "the container runtime on " + causes.Node(f) +
		" lost it, as after a restart of the runtime or a reboot of the node"
	return &causes.Claim{
		Strength: causes.Weak, Hedged: true, Needs: append(causes.NeedRuntimeLog(f), causes.NeedKernelLog(f)...),
		Chain: []causes.Link{{Cause: causes.RuntimeRestarted, Text: what, At: f.R.From.Finished, Evidence: f.Exit.Evidence},
			causes.Then(f)},
		Summary: causes.Who(f) + ": " + what,
		Actions: []string{"check whether the node rebooted or its runtime restarted: on the node, journalctl --list-boots " +
			"and journalctl -u containerd -u crio -u docker"},
	}
}

func againstRestarted(f *finding.Findings) causes.Against {
	if f.NodeEvents.Runtime.Answer == finding.No {
		return causes.Contradict("the runtime's log covers this time and shows no start of the runtime")
	}
	if f.Kill.Answer == finding.Yes {
		return causes.KilledByKubelet(f)
	}
	boot, start, in := f.NodeEvents.Boot, f.NodeEvents.Runtime, f.R.From
	switch {
	case boot.Answer != finding.Yes:
	case start.Answer == finding.Yes && start.At.After(boot.At):
		return causes.Contradict("the node had rebooted before, and the runtime started with it", boot.Evidence...)
	case !in.Started.IsZero() && boot.At.After(in.Started.Add(tolerance.Slack)) && boot.At.Before(in.Finished):
		return causes.Contradict("the node had rebooted before its recorded end: what ran before was gone by then",
			boot.Evidence...)
	}
	if f.WentDown() || withOthers(f) {
		return causes.Against{}
	}
	return leftACode(f)
}
