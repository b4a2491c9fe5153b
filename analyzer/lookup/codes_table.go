package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

const (
	bySignal = "a runtime reports 128 + the number of the signal that ended the process (containerd, CRI-O, runc; POSIX " +
		"sh has the same rule)"
	byShell = "the exit statuses of POSIX shells (IEEE Std 1003.1, Shell Command Language, 2.8.2)"
	byHand  = "the program itself"
)

// codes are exit codes, as kubectl describe prints them, and the signals that they stand for.
var codes = []Meaning{
	{
		Term: "exit 0", Is: ExitCode, Also: []string{"0", "exit code 0"}, Look: likelihood.Zero,
		Means: "The process ended without an error. A container that is meant to run always is started again " +
			"anyway; one that got SIGTERM and obeyed also ends with 0.",
		Do: []Command{doWhy, doPrevious, doDescribe}, Source: byHand,
	},
	{
		Term: "exit 1", Is: ExitCode, Also: []string{"1"}, Page: "exit-1", Look: likelihood.Code,
		Says: []string{"Traceback (most recent call last)"},
		Means: "The program ended by itself with a general error, such as an exception that it did not " +
			"catch, a missing setting, or a database that does not answer. Usually nothing asked it to " +
			"stop; a process that obeys SIGTERM may return 1, too.",
		Do: []Command{doPrevious, doWhy, doDescribe}, Source: byHand,
	},
	{
		Term: "exit 2", Is: ExitCode, Also: []string{"2"}, Look: likelihood.Code,
		Says: []string{"panic: ", "fatal error: all goroutines are asleep"},
		Means: "The program ended by itself: many programs use 2 for a wrong command line, and a Go program " +
			"ends with 2 after a panic.",
		Do: []Command{doPrevious, doWhy}, Source: byHand + "; Go runtime/panic.go; getopt's custom",
	},
	{
		Term: "exit 126", Is: ExitCode, Also: []string{"126"},
		Means: "The command was found but cannot be run: it is not executable, it is a directory, or it " +
			"was built for another architecture.",
		Causes: Weights{causes.AppExitError: 60, causes.StartError: 40}, Do: []Command{doDescribe, doPrevious, doWhy},
		Source: byShell,
	},
	{
		Term: "exit 127", Is: ExitCode, Also: []string{"127", "command not found"}, Page: "exit-127",
		Means: "The command was not found: a wrong path, a missing interpreter or library in the image, or " +
			"a mistyped command in the spec.",
		Causes: Weights{causes.AppExitError: 60, causes.StartError: 40}, Do: []Command{doDescribe, doPrevious, doWhy},
		Source: byShell,
	},
	{
		Term: "exit 128", Is: ExitCode, Also: []string{"128"},
		Means: "The runtime could not start the process and reported a placeholder: 128 with StartError. A " +
			"program may also end with 128 by itself.",
		Causes: Weights{causes.StartError: 75, causes.AppExitError: 25}, Do: []Command{doDescribe, doWhy},
		Source: "containerd internal/cri/server/helpers.go (errorStartExitCode, errorStartReason)",
	},
	{
		Term: "exit 129", Is: ExitCode, Also: []string{"129", "SIGHUP", "hangup"}, Look: likelihood.Signalled,
		Means: "Ended by SIGHUP (128 + 1). Often a script or a supervisor in the container that asks its " +
			"child to reload, where the child has no handler for it.",
		Do: []Command{doPrevious, doWhy}, Source: bySignal,
	},
	{
		Term: "exit 130", Is: ExitCode, Also: []string{"130", "SIGINT", "Ctrl-C"}, Look: likelihood.Asked,
		Means: "Ended by SIGINT (128 + 2), as by Ctrl-C. Images with STOPSIGNAL SIGINT get it in place of " +
			"SIGTERM when the kubelet stops them.",
		Do: []Command{doWhy, doDescribe, doPrevious}, Source: bySignal,
	},
	{
		Term: "exit 131", Is: ExitCode, Also: []string{"131", "SIGQUIT"}, Look: likelihood.Signalled,
		Means: "Ended by SIGQUIT (128 + 3). Images such as nginx name it as their stop signal; a JVM prints " +
			"its threads on it and runs on.",
		Do: []Command{doWhy, doPrevious}, Source: bySignal,
	},
	{
		Term: "exit 132", Is: ExitCode, Also: []string{"132", "SIGILL"}, Look: likelihood.Fault,
		Means: "Ended by SIGILL (128 + 4): the processor does not know an instruction. Most often the " +
			"program was built for a newer processor than the node has.",
		Do: []Command{doPrevious, doWhy}, Source: bySignal,
	},
	{
		Term: "exit 133", Is: ExitCode, Also: []string{"133", "SIGTRAP"}, Look: likelihood.Fault,
		Means: "Ended by SIGTRAP (128 + 5): a breakpoint, or a runtime that stops itself on an error it " +
			"cannot handle, as V8 and Swift do.",
		Do: []Command{doPrevious, doWhy}, Source: bySignal,
	},
	{
		Term: "exit 134", Is: ExitCode, Look: likelihood.Fault,
		Also: []string{"134", "SIGABRT", "SIGIOT", "signal: aborted", "aborted"},
		Means: "Ended by SIGABRT (128 + 6): the program stopped itself, as after a failed assertion, a heap " +
			"that is full (Node.js), or an error in malloc.",
		Do: []Command{doPrevious, doWhy}, Source: bySignal,
	},
	{
		Term: "exit 135", Is: ExitCode, Also: []string{"135", "SIGBUS", "bus error"}, Look: likelihood.Fault,
		Means: "Ended by SIGBUS (128 + 7): a mapped file was cut or its disk or shared memory is full. " +
			"/dev/shm of a container has 64 MiB unless the spec mounts another.",
		Do: []Command{doPrevious, doWhy}, Source: bySignal,
	},
	{
		Term: "exit 136", Is: ExitCode, Also: []string{"136", "SIGFPE"}, Look: likelihood.Fault,
		Means: "Ended by SIGFPE (128 + 8): an integer division by zero or another error of arithmetic.",
		Do:    []Command{doPrevious, doWhy}, Source: bySignal,
	},
	{
		Term: "exit 137", Is: ExitCode, Page: "exit-137",
		Also: []string{"137", "128+9", "SIGKILL", "signal: killed", "killed"},
		Means: "Ended by SIGKILL (128 + 9), which no program can catch. 137 alone does not mean out of " +
			"memory: the kubelet sends the same signal when the grace period of a kill is over.",
		Causes: killed, Do: []Command{doWhy, doDescribe, doKernel}, Source: bySignal,
	},
	{
		Term: "exit 139", Is: ExitCode, Page: "exit-139", Look: likelihood.Fault,
		Also: []string{"139", "SIGSEGV", "segfault", "segmentation fault", "signal: segmentation fault", "core dumped"},
		Means: "Ended by SIGSEGV (128 + 11): the program accessed memory that is not its own. It is a fault of " +
			"the program, a library or, seldom, the hardware; no Kubernetes limit causes it.",
		Do: []Command{doPrevious, doWhy}, Source: bySignal,
	},
	{
		Term: "exit 141", Is: ExitCode, Also: []string{"141", "SIGPIPE", "broken pipe"}, Look: likelihood.Fault,
		Means: "Ended by SIGPIPE (128 + 13): the program wrote to a pipe or socket whose reader was gone. In " +
			"shell scripts with pipefail a short reader such as head is enough.",
		Do: []Command{doPrevious, doWhy}, Source: bySignal,
	},
	{
		Term: "exit 143", Is: ExitCode, Page: "exit-143", Look: likelihood.Asked,
		Also: []string{"143", "128+15", "SIGTERM", "signal: terminated", "terminated by signal 15"},
		Means: "Ended by SIGTERM (128 + 15): something asked the process to stop, and it did within its " +
			"grace period; a program with a handler mostly ends with 0. In most cases the kubelet asked, which sends " +
			"SIGKILL after terminationGracePeriodSeconds; the question is why.",
		Do: []Command{doWhy, doDescribe, doLogs}, Source: bySignal + "; kubelet kuberuntime_container.go killContainer",
	},
	{
		Term: "exit 159", Is: ExitCode, Also: []string{"159", "SIGSYS"}, Look: likelihood.Fault,
		Means: "Ended by SIGSYS (128 + 31): a seccomp profile forbids a system call that the program made.",
		Do:    []Command{doDescribe, doPrevious, doWhy}, Source: bySignal,
	},
	{
		Term: "exit 255", Is: ExitCode, Also: []string{"255"}, Page: "exit-255", Look: likelihood.Lost,
		Means: "Either the program returned -1, or nothing returned a code: a runtime that lost the process, " +
			"as after a reboot of the node, reports 255 with reason Unknown or Error.",
		Do:     []Command{doWhy, doDescNode, doPrevious},
		Source: "containerd internal/cri/server/helpers.go (unknownExitCode); " + byHand,
	},
}

// killed are the causes behind SIGKILL where only the code is known, and not whether the reason was OOMKilled. The
// shares are those of 111 public incidents of test/field that show the code, less what such incidents over-report.
var killed = Weights{
	causes.OOMContainerLimit: 50, causes.LivenessProbeFailed: 12, causes.OOMNode: 8, causes.KilledExternally: 5,
	causes.EvictedDisk: 4, causes.EvictedMemory: 4, causes.RuntimeRestarted: 3, causes.StartupProbeFailed: 3,
	causes.NodeReboot: 3, causes.OOMPodLimit: 2, causes.AppSignal: 2, causes.NodeShutdown: 1,
	causes.SpecImageChanged: 1, causes.HashKubeletUpgrade: 1, causes.PodDeleted: 1, causes.SandboxDied: 1,
}
