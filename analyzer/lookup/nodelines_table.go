package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

// nodeLines are lines of runtimes, the kernel, systemd and daemons of the node.
var nodeLines = []Meaning{
	{
		Term: "oom-kill: the container's limit", Is: Message, Also: []string{"Memory cgroup out of memory"},
		Causes: Weights{causes.OOMContainerLimit: 85, causes.OOMPodLimit: 10, causes.OOMChildProcess: 5},
		Means: "The kernel killed a process because its cgroup reached its memory limit: that of the " +
			"container, or of the pod. oom_memcg in the line says whose limit it was.",
		Do: []Command{doWhy, doKernel}, Source: "Linux mm/oom_kill.c dump_oom_summary, mm/memcontrol.c",
	},
	{
		Term: "oom-kill: the node's memory", Is: Message, Causes: Weights{causes.OOMNode: 100},
		Says: []string{"*Out of memory: Killed process", "*Out of memory: Kill process"},
		Means: "The kernel killed a process because the whole node was out of memory. Which process is a " +
			"matter of its size and oom_score_adj, not of which process caused it.",
		Do: []Command{doNode, doKernel, doDescNode}, Source: "Linux mm/oom_kill.c dump_oom_summary (global_oom)",
	},
	{
		Term: "segfault", Is: Message, Look: likelihood.Fault, Facts: "kernel.segfault",
		Means: "A process did what the kernel does not allow (an invalid memory access or instruction) and was " +
			"ended for it: exit 139, or 132 to 136.",
		Do: []Command{doPrevious, doWhy}, Source: "Linux arch/x86/mm/fault.c, arch/x86/kernel/traps.c",
	},
	{
		Term: "hung task", Is: Message, Also: []string{"soft lockup"}, Facts: "kernel.hung-task",
		Means: noRestartOfItself + "A task made no progress for a long time: a disk or network file system that " +
			"does not answer, or a node with far too much to do. Probes time out then.",
		Do: []Command{doNode, doDescNode}, Source: "Linux kernel/hung_task.c, kernel/watchdog.c",
	},
	{
		Term: "node booted", Is: Message, Also: []string{"Linux version"}, Causes: Weights{causes.NodeReboot: 100},
		Means: "The kernel's first line: the node booted, and every container on it restarted.",
		Do:    []Command{doNode, doTogether}, Source: "Linux init/main.c", Facts: "kernel.booted node.rebooted",
	},
	{
		Term: "node going down", Is: Message, Causes: Weights{causes.NodeShutdown: 70, causes.NodeReboot: 30},
		Means: "The machine got a request to shut down or reboot.",
		Do:    []Command{doNode, doTogether}, Source: "systemd logind-dbus.c", Facts: "node.power-change",
	},
	{
		Term: "killed for memory by a daemon of the node", Is: Message, Causes: Weights{causes.OOMNode: 100},
		Facts: "node.userspace-oom-kill",
		Means: "systemd-oomd, earlyoom or Talos killed processes before the kernel ran out of memory. The " +
			"kernel's log does not show it.",
		Do: []Command{doNode}, Source: "systemd oomd-manager.c; earlyoom kill.c; Talos runtime.OOMController",
	},
	{
		Term: "kubelet or runtime unit changed", Is: Message, Facts: "systemd.unit-changed",
		Causes: Weights{causes.RuntimeRestarted: 35, causes.HashKubeletUpgrade: 25, causes.ReadinessFlip: 40},
		Means: "systemd started, stopped or lost a unit that matters here. A restart of the kubelet restarts " +
			"no container by itself; one of Docker does unless live-restore is on.",
		Do: []Command{doNode, doUnit}, Source: "systemd src/core/job.c, service.c",
	},
	{
		Term: "process ended (runtime)", Is: Message, Look: likelihood.Unstated,
		Means: "The runtime saw the process of a container end. Without a code in the line, look at the container's state.",
		Do:    []Command{doWhy, doDescribe}, Source: "containerd TaskExit; dockerd; conmon",
	},
	{
		Term: "out of memory (runtime)", Is: Message, Look: likelihood.Label, Facts: "runtime.task-oom",
		Means: "The runtime was notified that a cgroup reached its memory limit and the kernel killed a process.",
		Do:    []Command{doWhy, doKernel}, Source: "containerd TaskOOM; conmon \"OOM received\"",
	},
	{
		Term: "stop request to the runtime", Is: Message, Look: likelihood.Stopped,
		Facts: "runtime.stop-requested runtime.removal-requested",
		Means: "The runtime got a request to stop a container, most often from the kubelet. If the kubelet's log " +
			"shows no kill at this time, something else on the node sent it.",
		Do: []Command{doWhy, doUnit}, Source: "CRI StopContainer",
	},
	{
		Term: "command run in a container (kubectl exec)", Is: Message, Facts: "runtime.exec-started",
		Means: "A person or a program ran a command in a running container, or attached to it. A signal from there that " +
			"ends the process leaves no other trace.",
		Do: []Command{doWhy}, Source: "CRI Exec, Attach",
	},
	{
		Term: "signal from outside of a container", Is: Message, Look: likelihood.Stopped, Facts: "node.signalled",
		Means: "Someone on the node sent a signal to a process: systemctl kill, SysRq, a program that says so, or a " +
			"process that the kernel's audit records name (auditctl -S kill).",
		Do: []Command{doWhy, doUnit}, Source: "systemd \"Sent signal … on client request\", sysrq, audit OBJ_PID",
	},
	{
		Term: "end of a command in a container", Is: Message, Facts: "runtime.exec-exited",
		Means: normal + "a command of an exec probe, a hook or kubectl exec ended. Where the container has no such probe " +
			"or hook, someone was in it.",
		Do: []Command{doWhy}, Source: "containerd TaskExit with an id that is not the container's",
	},
	{
		Term: "sandbox stop request to the runtime", Is: Message, Causes: takenDown,
		Facts: "runtime.sandbox-stop-requested runtime.sandbox-stopped",
		Means: "The runtime got a request to stop a pod's sandbox, as the last step of stopping the pod, or " +
			"to recreate it.",
		Do: []Command{doWhy, doUnit}, Source: "CRI StopPodSandbox",
	},
	{
		Term: "container created or started (runtime)", Is: Message,
		Facts: "runtime.container-created runtime.sandbox-created runtime.task-started",
		Means: normal + "the runtime created or started a container or sandbox. An attempt above 0 is a restart.",
		Do:    []Command{doWhy}, Source: "CRI RunPodSandbox, CreateContainer, StartContainer",
	},
	{
		Term: "runtime started", Is: Message, Causes: Weights{causes.RuntimeRestarted: 60, causes.NodeReboot: 40},
		Means: "The container runtime started. Containers survive a restart of containerd and CRI-O; Docker " +
			"ends them unless live-restore is on.",
		Do: []Command{doNode, doUnit}, Source: "containerd, CRI-O and dockerd", Facts: "runtime.started",
	},
	{
		Term: "runtime stopping", Is: Message, Causes: Weights{causes.RuntimeRestarted: 60, causes.NodeShutdown: 40},
		Means: "The container runtime shuts down cleanly.",
		Do:    []Command{doNode, doUnit}, Source: "containerd, CRI-O and dockerd", Facts: "runtime.stopping",
	},
	{
		Term: "call to the runtime failed", Is: Message, Causes: starting, Facts: "runtime.failed",
		Means: "The runtime answered a call of the kubelet with an error; the line says which call and why.",
		Do:    []Command{doDescribe, doUnit}, Source: "containerd, CRI-O and cri-dockerd",
	},
	{
		Term: "shim lost", Is: Message, Facts: "runtime.shim-lost",
		Causes: Weights{causes.KilledExternally: 50, causes.RuntimeRestarted: 30, causes.OOMNode: 20},
		Means: "containerd lost the shim of a container, and the container with it. The exit code that " +
			"follows (255 or 137) does not come from the process.",
		Do: []Command{doWhy, doNode}, Source: "containerd internal/cri/server/events.go",
	},
	{
		Term: "container state lost", Is: Message, Facts: "runtime.state-lost",
		Causes: Weights{causes.ContainerUnknownState: 70, causes.RuntimeRestarted: 30},
		Means: "After its own start the runtime does not know the state of a container; the kubelet kills it " +
			"and starts it again.",
		Do: []Command{doWhy, doUnit}, Source: "containerd internal/cri/server/restart.go",
	},
	{
		Term: "package changed", Is: Message, Causes: Weights{causes.HashKubeletUpgrade: 50, causes.RuntimeRestarted: 50},
		Means: "A package manager changed the kubelet, the runtime or the kernel on the node.",
		Do:    []Command{doNode, doPreflight}, Source: "dpkg, yum, dnf", Facts: "node.package-changed",
	},
	{
		Term: "restart requested by a tool", Is: Message, Causes: Weights{causes.RuntimeRestarted: 100},
		Means: "A tool such as needrestart restarted units after an update of a library that they use.",
		Do:    []Command{doNode}, Source: "needrestart", Facts: "node.restart-asked",
	},
	{
		Term: "clock set", Is: Message, Facts: "node.clock-set",
		Means: noRestartOfItself + "The node's clock was set: times before and after it cannot be compared.",
		Do:    []Command{doNode}, Source: "systemd src/timesync, journald",
	},
}
