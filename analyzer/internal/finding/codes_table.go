package finding

import (
	"syscall"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds what exit codes and signals stand for, and lists of words and kinds.

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

// faults are the signals of a process's own faults.
var faults = map[syscall.Signal]bool{
	syscall.SIGSEGV: true, syscall.SIGABRT: true, syscall.SIGBUS: true, syscall.SIGILL: true,
	syscall.SIGFPE: true, syscall.SIGTRAP: true,
}

// rank orders endings: who ended the pod tells more than that it was deleted.
var rank = map[evidence.Ending]int{evidence.EndRemoved: 1, evidence.EndDeleted: 2}

// sharing are the names that their installers give to runtime classes whose containers run on the node's own kernel.
// Any other may give the pod a kernel of its own, whose log is not the node's: "kata-qemu-nvidia-gpu" does.
var sharing = []string{"runc", "crun", "youki", "nvidia", "nvidia-cdi", "nvidia-legacy", "nvidia-experimental",
	"sysbox-runc"}

// logsReason are the reasons that the kubelet's log gives, at the level at which it tells of kills (kubelet v1.8
// and newer kuberuntime_manager.go computePodActions).
var logsReason = map[evidence.KillReason]bool{evidence.KillLiveness: true,
	evidence.KillStartup: true, evidence.KillDefinition: true}

// taintsFrom is the minor from which node controllers only taint (kubernetes v1.13 TaintBasedEvictions).
const taintsFrom = 14
