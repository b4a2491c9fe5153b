package basis

import (
	"strings"
)

// StoppedOnWindows reports whether the code is of a Windows process that did not end by itself.
func (e Exit) StoppedOnWindows() bool { return e.OfProcess() && stoppedOnWindows[e.Code] }

// Exception reports whether the code is of a Windows process that failed with an exception: an NTSTATUS of severity
// error, or of a runtime (MS-ERREF 2.3; .NET has 0xE0434352).
func (e Exit) Exception() bool {
	return e.OfProcess() && uint32(e.Code)>>30 == 3 && !stoppedOnWindows[e.Code] && !unclearOnWindows[e.Code]
}

// windows reports whether the container ran on Windows: by its node, its pod, or a code that no Linux process has. The
// node's own fields take precedence over the code.
func (f *Basis) windows() bool {
	if f.Node != nil {
		switch n := &f.Node.Info; {
		case n.OS != "":
			return n.OS == "windows"
		case n.OSImage != "":
			return strings.HasPrefix(n.OSImage, "Windows")
		}
	}
	strange := func(c *int32) bool { return c != nil && (*c < 0 || *c > highestCode) }
	if c := f.R.From.ExitCode; strange(c) || c == nil && f.R.To != nil && strange(f.R.To.ExitCode) {
		return true
	}
	return f.R.Pod != nil && f.R.Pod.OS == "windows"
}

// highestCode is the highest code that a Linux process can end with (wait(2)).
const highestCode = 255

// controlC is what Windows reports of a process that was asked to end by control-C or a similar event, which is how
// containers are stopped there (NTSTATUS 0xC000013A).
const controlC = -1073741510

// stoppedOnWindows are codes of processes that Windows ended: their container was stopped or killed, or the machine
// went down.
var stoppedOnWindows = map[int32]bool{
	controlC:   true, // STATUS_CONTROL_C_EXIT
	0x40010004: true, // DBG_TERMINATE_PROCESS: still running when the machine goes down
	1067:       true, // ERROR_PROCESS_ABORTED: ended by the compute service, for example after a failed liveness probe
}

// unclearOnWindows are codes that do not show who ended the process: -1 is what the compute service reports of a lost
// process and what programs choose; STATUS_DLL_INIT_FAILED is the code of a process that starts while its container is
// stopped; and only ports of Linux programs use 128 plus a signal there.
var unclearOnWindows = map[int32]bool{-1: true, -1073741502: true, 137: true, 139: true, 143: true, 255: true}
