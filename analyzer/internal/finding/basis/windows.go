package basis

import (
	"strings"
)

// StoppedOnWindows tells the code of a Windows process that did not end by itself.
func (e Exit) StoppedOnWindows() bool { return e.OfProcess() && stoppedOnWindows[e.Code] }

// Exception tells the code of a Windows process that failed with an exception: an NTSTATUS of severity error, or of
// a runtime (MS-ERREF 2.3; .NET has 0xE0434352).
func (e Exit) Exception() bool {
	return e.OfProcess() && uint32(e.Code)>>30 == 3 && !stoppedOnWindows[e.Code] && !unclearOnWindows[e.Code]
}

// windows reports whether the container ran on Windows: by its node, its pod, or a code that no Linux process has. What
// the node says of itself goes before the code.
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

// controlC is what Windows reports of a process that was asked to end by control-C or its
// like, which is how containers are stopped there (NTSTATUS 0xC000013A).
const controlC = -1073741510

// stoppedOnWindows are codes of processes that Windows, and not the process, brought to an end: their container was
// stopped or killed, or the machine went down.
var stoppedOnWindows = map[int32]bool{
	controlC:   true, // STATUS_CONTROL_C_EXIT
	0x40010004: true, // DBG_TERMINATE_PROCESS: what still runs when the machine goes down
	1067:       true, // ERROR_PROCESS_ABORTED: what the compute service ends, as after a failed liveness probe
}

// unclearOnWindows are codes that tell nothing about who ended the process: -1 is what the compute service says of a
// process that it lost and what programs choose, STATUS_DLL_INIT_FAILED is what starts while a container is stopped
// end with, and of 128 and a signal only ports of Linux programs speak there.
var unclearOnWindows = map[int32]bool{-1: true, -1073741502: true, 137: true, 139: true, 143: true, 255: true}
