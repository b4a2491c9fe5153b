// Package app holds the causes in which the process itself ended: its own exit code, a fatal signal, a failed init
// container.
//
// Rules only: findings in, claims out. See package causes.
package app

import (
	"slices"
	"syscall"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{
		{ID: causes.InitContainerFailed, Hypothesis: sim.Ended, Title: "An init container failed",
			Claim: initFailed, Against: againstInit, Do: readLogs},
		{ID: causes.AppExitError, Hypothesis: sim.Ended, Title: "The process exited with an error",
			Claim: exitError, Against: againstExitError, Do: afterError, Messages: lastWords},
		{ID: causes.AppExitZero, Hypothesis: sim.Ended,
			Title: "The process finished successfully, but the container should always run",
			Claim: exitZero, Against: againstExitZero, Do: afterZero},
		{ID: causes.AppSignal, Hypothesis: sim.Ended, Linux: true,
			Title: "The process was terminated by a signal from inside the container",
			Claim: signal, Against: againstSignal, Do: afterSignal},
		{ID: causes.StartError, Hypothesis: sim.Ended, Title: "The runtime could not start the process",
			NeverRan: true, Claim: startError, Against: againstStart, Messages: starts, Do: causes.Always(
				"compare the command, working directory, mounts and user in the spec with the contents of the image: kubectl " +
					"get pod {pod} -o yaml")},
		{ID: causes.CreateError, Title: "The container could not be created",
			NeverRan: true, WholePod: true, Claim: createError, Against: againstCreate,
			Do:       causes.Always(findError + ": kubectl describe pod {pod}"),
			Messages: slices.Concat(configs, pulls, sandboxes, volumes, starts)},
		{ID: causes.InitRerun, Hypothesis: sim.RecordGone, Title: "An init container ran again because its record was gone",
			Claim: initRerun, Against: againstRerun, Do: causes.Always("find out what removes dead containers on the node: " +
				"docker or crictl prune jobs, disk cleaners")},
	}
}

// endedFromOutside returns the contradictions of every end by the process itself.
func endedFromOutside(f *finding.Findings) causes.Against {
	if f.RuleDecided {
		return causes.Contradict("its restart policy alone would not restart it; one of the container's restart rules did",
			f.Exit.Evidence...)
	}
	if f.Kill.Late || f.Kill.Close {
		return causes.FirstOf(f, causes.NotTheProcess, causes.OutOfMemory, causes.KilledForTheNode, oomOfChild)
	}
	return causes.FirstOf(f, causes.NotTheProcess, causes.KilledByKubelet,
		causes.StoppedThroughRuntime, causes.OutOfMemory, causes.KilledForTheNode, oomOfChild)
}

// oomOfChild: the kernel killed a process of the container right before the end, so the exit code is a consequence of
// that.
func oomOfChild(f *finding.Findings) causes.Against {
	if f.OOM.Answer == finding.Yes {
		return causes.Contradict("right before, the kernel's OOM killer killed a process in its cgroup", f.OOM.Evidence...)
	}
	return causes.Against{}
}

// strength of an end that nobody requested: decisive when the logs of kubelet and runtime cover the moment and are
// silent; strong when nothing speaks against it; weak when a kill because of a probe may have left no trace.
func strength(f *finding.Findings) causes.Strength {
	switch {
	case f.TakenAlong(), f.NodeWentDown():
		return causes.Weak // the runtime, or the machine, took it along
	case f.NodeEvents.Between.Answer == finding.Yes && f.NodeEvents.Boot.Answer == finding.Unknown:
		return causes.Weak // the kubelet went down with it, and perhaps the whole machine
	case f.UnitNear.Answer == finding.Yes:
		return causes.Weak // systemd may have stopped it first
	case f.OOM.Killer != "":
		return causes.Weak // a daemon of the node killed it, or asked it to end, because of memory
	case f.Kill.Answer != finding.No && (f.Together >= crowd || f.Together > 0 && f.OfDocker()):
		return causes.Weak // something happened to the node, and no log says what
	case f.Kill.Answer != finding.No && f.R.To != nil && tookPod(f):
		return causes.Weak // something happened to the pod, and no log says what
	case f.Signalled.Answer == finding.Yes:
		return causes.Weak // a signal was sent to it from outside right before
	case f.OOM.Notice.Answer == finding.Yes:
		return causes.Weak // memory ran out in its cgroup right before
	case f.OOM.Label && f.OOM.Answer != finding.No:
		return causes.Weak // memory ran out in its cgroup, and no log of the kernel says when
	case f.Kill.Late, f.Kill.Unlogged:
		return causes.Strong
	case f.Exit.Windows && !f.Exit.Exception() && f.Kill.Answer == finding.No:
		return causes.Strong // whoever ends a process there chooses its code (TerminateProcess)
	case f.Kill.Close:
		return causes.Weak
	case f.Kill.Answer == finding.No && f.Stop.Answer == finding.No && f.OwnProcesses():
		return causes.Decisive // in a shared namespace, a neighbour may have ended it
	case f.Kill.Answer == finding.No, f.Kill.Answer == finding.NoTrace:
		return causes.Strong
	case canBeKilled(f) && !finding.Faults[syscall.Signal(f.Exit.Signal())]:
		return causes.Weak
	}
	return causes.Strong
}

// tookPod reports whether all containers of the pod ended at one moment, for a reason that is not this one's own: a
// fault, a program that fails right at its start, again and again, or whose rule ends the whole pod.
func tookPod(f *finding.Findings) bool {
	c := f.ContainerSpec(f.R.Container)
	return signs.WholePod(f, tolerance.SandboxWith) && !signs.Loops(f) && f.Lived() >= tolerance.BackoffFirst &&
		!finding.Faults[syscall.Signal(f.Exit.Signal())] && !(c != nil && finding.RestartsAll(c, f.Exit.Code))
}

// crowd is how many other pods of the node must lose a container at the same moment to suggest a common reason rather
// than chance.
const crowd = 3

// canBeKilled reports whether the spec gives the kubelet a reason to kill, or is unknown. A probe that did not fail is
// no reason.
func canBeKilled(f *finding.Findings) bool {
	switch s := f.R.Spec; {
	case f.R.ContainerKind == evidence.KindSidecar && f.R.To == nil && f.R.Pod != nil && f.R.Pod.Ended() && !outlived(f):
		return true // the kubelet stops sidecars when the containers that they serve have ended
	case f.Metrics.NoProbe:
		return s != nil && s.PostStart
	default:
		return s == nil || s.Liveness != nil || s.Startup != nil || s.PostStart
	}
}

// outlived reports whether another container of an ended pod ended later, by whole seconds.
func outlived(f *finding.Findings) bool {
	o := f.R.Pod.Object
	return o != nil && slices.ContainsFunc(o.Whole().Status.ContainerStatuses, func(c corev1.ContainerStatus) bool {
		return c.State.Terminated != nil && c.State.Terminated.FinishedAt.Time.After(f.R.From.Finished)
	})
}

func needs(f *finding.Findings) []causes.Need {
	return causes.NeedLogs(f)
}

func isInit(f *finding.Findings) bool { return f.R.ContainerKind == evidence.KindInit }

func logs(f *finding.Findings) string { return causes.Logs(f) }

func chain(f *finding.Findings, id causes.ID, root string) []causes.Link {
	steps := append(make([]causes.Link, 0, 3), causes.Link{Cause: id, Text: root,
		At: f.R.From.Finished, Evidence: f.Exit.Evidence})
	return append(steps, causes.Said(f), causes.Then(f))
}

func exitError(f *finding.Findings) *causes.Claim {
	e := f.Exit
	lostToo := e.Code == 255 && (f.NodeEvents.Boot.Answer == finding.Yes || f.NodeEvents.Runtime.Answer == finding.Yes)
	if e.Code == 0 || !e.Chosen() && !e.Ambiguous() || lostToo || isInit(f) {
		return nil
	}
	s, n := strength(f), needs(f)
	if e.StartUnseen {
		s = min(s, causes.Weak)
	}
	if e.Ambiguous() {
		s = min(s, causes.Strong)
		if e.Code == 255 && !e.Windows && !f.RuntimeLog && !signs.Loops(f) {
			s = causes.Weak // only once, and no log that would show a lost shim or machine
		}
		n = append(n, causes.Need{What: "what the process itself logged about its exit",
			Consequence: ambiguous(e), Command: logs(f)})
	}
	what := "the process exited with code " + causes.Code(e.Code) + causes.Lifetime(f)
	asked, certain := unasked(f)
	return &causes.Claim{
		Strength: s, Needs: n, Hedged: !certain, Chain: chain(f, causes.AppExitError, what),
		Summary: causes.Who(f) + ": " + what + said(f) + "; " + asked,
	}
}

func readLogs(f *finding.Findings) []string {
	log := "look for the reason in the container's log: " + logs(f)
	for _, line := range slices.Backward(signs.Lines(f)) { // the last one that is known tells of the end
		if told, ok := causes.ReadMessage(lastWords, line, f); ok {
			return []string{told.Advice, log}
		}
	}
	return []string{log}
}

func afterError(f *finding.Findings) []string {
	if notRun[f.Exit.Code] == "" {
		return readLogs(f)
	}
	return append(readLogs(f), "compare command, args and the first line of scripts (#!) with what is in the image, and "+
		"whether it may be executed")
}

// notRun are the codes with which a shell says that it could not run a command (POSIX, Shell & Utilities 2.8.2).
var notRun = map[int32]string{126: "was found but could not be executed", 127: "was not found in the image"}

// said adds what the process itself said of its end, or what its code usually means.
func said(f *finding.Findings) string {
	if line := signs.LastWords(f); line != "" {
		return ": " + line
	}
	if how := notRun[f.Exit.Code]; how != "" {
		return ", as a shell does when a command or its interpreter " + how
	}
	return ""
}

// unasked says as much as the logs show: a signal from inside the container, or from someone on the node, leaves no
// trace, and the process then chooses its exit code.
func unasked(f *finding.Findings) (text string, certain bool) {
	switch k := &f.Kill; {
	case k.Late:
		return "it had already ended when the kubelet killed it", true
	case k.Close:
		return "the kubelet killed it at the same moment, so it is not certain which came first", false
	case k.Unlogged:
		return "an event says that the kubelet killed it, but the kubelet's log does not show this kill", true
	case k.Answer == finding.No && f.Stop.Answer == finding.No:
		return "the kubelet did not stop it, and the runtime got no request to stop it", true
	}
	return "the evidence shows no request to stop it", false
}

// ambiguous says what else the code may mean.
func ambiguous(e finding.Exit) string {
	switch {
	case e.StartUnseen:
		return "runtimes report " + causes.Code(e.Code) + " also for a process that they could not start"
	case e.Windows && e.Code < 0:
		return "Windows also has this code for processes that it ended, or that it lost"
	case e.Windows && e.Code != 255:
		return causes.Code(e.Code) + " stands for a signal on Linux; there are none on Windows"
	case e.Code == 255:
		return "some runtimes also report 255 for a process that they lost"
	}
	return causes.Code(e.Code) + " is also the exit code that real-time signal " + causes.Code(e.Code-128) + " leaves"
}

func againstExitError(f *finding.Findings) causes.Against {
	switch e := &f.Exit; {
	case e.Known && e.Code == 0:
		return causes.Contradict("exit code 0 is not an error", e.Evidence...)
	case e.Fault.Answer == finding.Yes:
		return causes.Contradict("the kernel's record shows the fault that ended its process", e.Fault.Evidence...)
	}
	if isInit(f) {
		return causes.Contradict("it is an init container")
	}
	return endedFromOutside(f)
}

// sameAges is how many other ends at the same age show that a process ends by itself: an agent that ends it again and
// again makes lives of only roughly equal length.
const sameAges = 2

// exitZero is decisive only when it repeats at the same age: a clean end may also be a signal from elsewhere on the
// node that the process obeyed, and such a signal leaves no trace.
func exitZero(f *finding.Findings) *causes.Claim {
	if !f.Exit.Known || f.Exit.Code != 0 || isInit(f) {
		return nil
	}
	s := strength(f)
	n := needs(f)
	if s == causes.Decisive && (f.SameAge < sameAges || f.Clockwork) {
		s = causes.Strong
		n = append(n, causes.Need{
			What:        "more exits of the same kind at the same age, to the second",
			Consequence: "a process that obeys a signal from elsewhere on the node looks the same and leaves no trace",
		})
	}
	if f.R.ContainerKind == "" {
		s = min(s, causes.Strong) // it may be an init container, which is expected to end
	}
	unasked := f.Kill.Answer == finding.No && f.Stop.Answer == finding.No
	if f.Repeats == 0 && !signs.Often(f) && !succeeded(f) && !unasked {
		s = min(s, causes.Weak) // one end of a server that obeyed a signal looks the same
	}
	what := "the process finished with exit code 0" + causes.Lifetime(f)
	if f.Repeats > 0 {
		what += ", as before"
	}
	if succeeded(f) {
		what += " and the pod has succeeded"
	}
	return &causes.Claim{
		Strength: s, Needs: n, Chain: chain(f, causes.AppExitZero, what),
		Summary: causes.Who(f) + ": " + what + startedAgain(f),
	}
}

// succeeded reports whether the pod did what it was for. Docker reports what a boot took along as completed, all
// containers of the pod at once.
func succeeded(f *finding.Findings) bool {
	return f.R.Pod != nil && f.R.Pod.Phase == "Succeeded" && f.R.To == nil && len(f.R.Siblings) <= 1
}

func afterZero(f *finding.Findings) []string {
	if succeeded(f) {
		return []string{"nothing, if this is a task that ends; keep a server in the foreground: " + logs(f)}
	}
	return []string{"run a task that finishes as a Job; keep a server in the foreground: " + logs(f)}
}

// startedAgain says how its restart policy treats a clean end.
func startedAgain(f *finding.Findings) string {
	switch {
	case f.R.To == nil && (f.R.Pod == nil || f.R.Pod.Ended()):
	case f.R.To != nil, f.R.Pod.RestartPolicy == "Always", f.R.ContainerKind == evidence.KindSidecar:
		return "; its restart policy restarts it"
	}
	return ""
}

func againstExitZero(f *finding.Findings) causes.Against {
	if e := &f.Exit; e.Known && e.Code != 0 {
		return causes.Contradict("exit code "+causes.Code(e.Code)+" is not 0", e.Evidence...)
	}
	if isInit(f) {
		return causes.Contradict("it is an init container")
	}
	return endedFromOutside(f)
}

func initFailed(f *finding.Findings) *causes.Claim {
	if !isInit(f) || !f.Exit.Known || f.Exit.Code == 0 {
		return nil
	}
	mechanism := causes.AppExitError
	if f.Exit.Signal() > 0 {
		mechanism = causes.AppSignal
	}
	what := "init container " + f.R.Container + " failed with exit code " + causes.Code(f.Exit.Code) + causes.Lifetime(f)
	s := strength(f)
	switch {
	case f.OOM.Label && f.Exit.Code == 137:
		s = causes.Weak // the runtime reports that memory ran out: another rule decides for whom
	case f.Exit.Code == 137:
		s = min(s, causes.Strong) // who sent the SIGKILL is not known
	}
	return &causes.Claim{
		Mechanism: mechanism, Strength: s, Needs: needs(f),
		Chain: append([]causes.Link{{Cause: causes.InitContainerFailed, Text: what,
			At: f.R.From.Finished, Evidence: f.Exit.Evidence}}, chain(f, mechanism, causes.ExitText(f))[1:]...),
		Summary: what + "; the pod's other containers wait until it succeeds",
	}
}

func againstInit(f *finding.Findings) causes.Against {
	if f.R.ContainerKind != "" && !isInit(f) {
		return causes.Contradict("it is not an init container")
	}
	if e := &f.Exit; e.Known && e.Code == 0 {
		return causes.Contradict("it succeeded (exit code 0)", e.Evidence...)
	}
	return endedFromOutside(f)
}
