package app

import (
	"slices"
	"strconv"
	"syscall"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// This file holds the cause of processes that ended by a signal.

// fromOutside are signals that are sent rather than caused: they do not identify the sender.
var fromOutside = map[syscall.Signal]bool{syscall.SIGHUP: true, syscall.SIGINT: true,
	syscall.SIGKILL: true, syscall.SIGTERM: true}

func signal(f *finding.Findings) *causes.Claim {
	n := f.Exit.Signal()
	if n == 0 || isInit(f) || f.OOM.Label && f.Exit.Code == 137 {
		return nil // for OOMKilled the runtime says whose signal it was
	}
	sig := syscall.Signal(n)
	s := strength(f)
	switch {
	case f.OOM.Label:
		s = causes.Weak // the runtime saw an out-of-memory kill by the kernel
	case fromOutside[sig]:
		s = causes.Weak
	case f.Exit.Fault.Answer != finding.Yes:
		s = min(s, causes.Strong) // a process may return the code itself, and others may signal its processes
	}
	what := "the process was terminated by signal " + strconv.Itoa(n) + " (" + sig.String() + ")" + causes.Lifetime(f)
	steps, kernel := chain(f, causes.AppSignal, what), causes.NeedKernelLog(f)
	if finding.Faults[sig] {
		kernel = causes.NeedFault(f)
		if at := f.Exit.FaultNear; at.Answer == finding.Yes {
			steps = slices.Insert(steps, 1, causes.Link{Role: report.RoleThen, At: at.At, Evidence: at.Evidence,
				Text: "at that moment the kernel logged a fault of a process on the node; whose it is, the line does not say"})
		}
	}
	return &causes.Claim{
		Strength: s, Needs: append(needs(f), kernel...), Chain: steps,
		Summary: causes.Who(f) + ": " + what,
	}
}

// afterSignal returns the actions for the signal: one that is sent leaves no core dump.
func afterSignal(f *finding.Findings) []string {
	if fromOutside[syscall.Signal(f.Exit.Signal())] {
		return []string{"check what ran in it last and which of its processes kill others: " + logs(f)}
	}
	if syscall.Signal(f.Exit.Signal()) == syscall.SIGILL {
		return []string{"its program needs a processor instruction that " + causes.TheNode(f) + " may lack: choose another " +
			"image or other nodes", "look for the crash in its own log: " + logs(f)}
	}
	return []string{"look for the crash in its own log: " + logs(f),
		"a core dump or a sanitizer build shows where it crashed"}
}

func againstSignal(f *finding.Findings) causes.Against {
	if e := &f.Exit; e.Chosen() || e.NotStarted || e.StartUnseen || e.Code == 255 && e.Ambiguous() {
		return causes.Contradict("exit code "+causes.Code(e.Code)+" does not come from a signal", e.Evidence...)
	}
	if isInit(f) {
		return causes.Contradict("it is an init container")
	}
	return endedFromOutside(f)
}
