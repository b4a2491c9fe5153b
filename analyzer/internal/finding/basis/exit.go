package basis

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Exit is how the old instance ended.
type Exit struct {
	Known bool
	Code  int32
	// Invented: the kubelet made the code up (ContainerStatusUnknown, 137).
	Invented bool
	// Lost: the runtime lost the task and reports 255, with reason "Unknown" if it noticed.
	Lost bool
	// Shim: the runtime lost it because its shim was gone.
	Shim Point
	// NotStarted: the runtime could not start the process.
	NotStarted bool
	// LastFailed: no code is known, and in the last known start the runtime failed.
	LastFailed bool
	// StartUnseen: the code is the one that runtimes report for a process that they could not start, no record gives a
	// reason, and nothing shows that the process ran.
	StartUnseen bool
	// Windows: it ran on Windows, which has no signals, no cgroups and no OOM killer. It may be known without a code.
	Windows bool
	// Fault: the kernel's record that a fault ended the main process.
	Fault Point
	// FaultNear: the kernel's record of a fault at that moment, of a process that may be the container's or not.
	FaultNear Point
	Reason    string
	Evidence  []string
}

// fatal are the signals that end a process which neither handles nor ignores them (signal(7)). The others stop it, let
// it continue, or are ignored: 128 plus one of them is a code that a process chose.
var fatal = [32]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true,
	7: true, 8: true, 9: true, 10: true, 11: true, 12: true, 13: true, 14: true, 15: true, 16: true,
	24: true, 25: true, 26: true, 27: true, 29: true, 30: true, 31: true}

// fault looks for the kernel's record of the fault that ended the main process. A code alone only shows what the
// process returned: a shell whose child was ended by signal 11 returns 139 itself.
func (f *Basis) fault() {
	in := f.R.From
	if f.Exit.Signal() == 0 || in.Finished.IsZero() || f.Node == nil {
		return
	}
	began := in.Finished.Add(-tolerance.OOMLag)
	if f.MainPID() != 0 {
		began = in.Finished.Add(-tolerance.AroundEnd) // it may take its time to write a core
	}
	for _, m := range timeline.Since(f.Node.Faults, began) {
		if m.At.After(in.Finished.Add(tolerance.OOMLag)) {
			return
		}
		s, ok := m.Obs.Fact.(evidence.Segfault)
		switch main := f.MainPID(); {
		case !ok:
		case main == 0:
			f.Exit.FaultNear = Found(m.At, m.Obs.ID)
		case s.PID == main && f.hadPID(m.At) && m.Obs.Source.Vouched:
			f.Exit.Fault = Found(m.At, m.Obs.ID)
		}
	}
}

// hadPID reports whether the main process's PID belonged to the old instance at the moment: PIDs are reused.
func (f *Basis) hadPID(at time.Time) bool {
	latest := f.R.From.Finished.Add(time.Second)
	if end, exact := f.ExactEnd(); exact {
		latest = end.Add(tolerance.Jitter)
	}
	return !at.Before(f.BeganBy(f.R.From)) && !at.After(latest)
}

// Signal returns the signal that an exit code above 128 represents, or 0. A process may have returned it itself.
func (e Exit) Signal() int {
	if n := e.Code - 128; e.OfProcess() && !e.Windows && n > 0 && int(n) < len(fatal) && fatal[n] {
		return int(n)
	}
	return 0
}

// Ambiguous reports whether it is unknown if the process chose the code: 160 to 192 may be a real-time signal, 255 is
// what dockerd and CRI-O report for a process that they lost, and 128 what containerd reports for one that it could not
// start.
func (e Exit) Ambiguous() bool {
	if e.Windows {
		return e.OfProcess() && (unclearOnWindows[e.Code] || e.StartUnseen)
	}
	return e.OfProcess() && (e.Code >= 128+32 && e.Code <= 128+64 || e.Code == 255 || e.StartUnseen)
}

// Chosen reports whether the process returned the code itself; zero included.
func (e Exit) Chosen() bool {
	return e.OfProcess() && e.Signal() == 0 && !e.Ambiguous() && !e.StoppedOnWindows()
}

// shimLost returns the runtime's message that it lost the shim of the old instance: then 255 is the runtime's own code
// for an end that it did not see.
func (f *Basis) shimLost() Point {
	for _, m := range f.R.From.Marks {
		if _, lost := m.Obs.Fact.(evidence.ShimLost); lost && m.Obs.Subject.ContainerID == f.R.From.ID {
			return Found(m.At, m.Obs.ID)
		}
	}
	return Point{}
}

// OfProcess reports whether the code is not known to be made up.
func (e Exit) OfProcess() bool { return e.Known && !e.Invented && !e.Lost && !e.NotStarted }

// invented reports whether a reason is the kubelet's for an exit that it never saw.
func invented(reason string) bool {
	return reason == "ContainerStatusUnknown" || reason == "RestartingAllContainers"
}

func (f *Basis) exit() {
	in := f.R.From
	f.Exit.Windows = f.windows()
	if in.ExitCode == nil {
		f.Exit.LastFailed = in.Started.IsZero() && lastStartFailed(in)
		f.Exit.NotStarted, f.Exit.Invented = notStarted(in.Reason), invented(in.Reason)
		if f.Exit.NotStarted || f.Exit.Invented { // from a partial status
			f.Exit.Reason, f.Exit.Evidence = in.Reason, in.Records
		}
		return
	}
	f.Exit = Exit{
		Known: true, Code: *in.ExitCode, Reason: in.Reason, Evidence: in.Records,
		Invented:   invented(in.Reason),
		Lost:       *in.ExitCode == 255 && in.Reason == "Unknown",
		NotStarted: notStarted(in.Reason), Windows: f.Exit.Windows,
	}
	if in.Reason == "" && in.Started.IsZero() {
		f.startUnseen()
	}
	if f.Exit.Code == 255 && f.Exit.OfProcess() {
		f.Exit.Shim = f.shimLost()
		f.Exit.Lost = f.Exit.Shim.Answer == Yes
	}
}

// startFailedCode is the exit code that runtimes report for a process that they could not start (containerd
// pkg/cri/server container_start.go errorStartExitCode; dockerd's is one of 126 to 128, with a reason).
const startFailedCode = 128

// startUnseen handles an end without a reason that is only in logs: the runtime's log may say that this very container
// did not start. The kubelet's message about it has no id, and covers starts that failed after the process started too
// (postStart).
func (f *Basis) startUnseen() {
	e := &f.Exit
	for _, m := range f.R.From.MarksWith(timeline.HasFailure) {
		failed, ok := m.Obs.Fact.(evidence.RuntimeFailed)
		if ok && failed.Op == "StartContainer" && m.Obs.Subject.ContainerID == f.R.From.ID {
			e.NotStarted = true
			return
		}
	}
	e.StartUnseen = e.Code == startFailedCode
}

// lastStartFailed reports whether the runtime failed in the last known start.
func lastStartFailed(in *timeline.Instance) bool {
	for _, m := range slices.Backward(in.Marks) {
		switch e := m.Obs.Fact.(type) {
		case evidence.StartFailed:
			return e.Reason == "RunContainerError"
		case evidence.RuntimeFailed:
			if e.Op == "StartContainer" {
				return true
			}
		case evidence.ContainerStarted, evidence.TaskStarted, evidence.ProbeFailed, evidence.KillDecided:
			return false
		}
	}
	return false
}

// notStarted reports whether the reason is of an end without a process.
func notStarted(reason string) bool {
	switch reason {
	case "StartError", "ContainerCannotRun", "CreateContainerError", "RunContainerError":
		return true
	}
	return false
}
