package analyzer_test

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	. "github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// This file holds stories in which the decisive evidence of one cause exists and another one is the truth: about
// processes, memory, the node and its daemons.

const thirdID = "3333333333333333333333333333333333333333333333333333333333333333"

// onWindows is a container of a Windows node that ended with a code. There is no kernel log.
func onWindows(code int32) *Story {
	s := Died(10, 17.3, code, "Error", 18)
	s.NodeInfo.OS = "windows"
	s.Coverage = slices.DeleteFunc(s.Coverage,
		func(c evidence.Coverage) bool { return c.Source == evidence.SourceKernelLog })
	return s
}

// over is the end of an instance that was not started again.
func over(end float64, code int32, reason string) *Story {
	s := New().Events().Logs().Status(10, end, code, reason, 0).KubeletStarts(-500, "v1.36.3", 80)
	s.Kubelet(end+0.6, OldID, evidence.ContainerDied{}).Kubelet(end+0.6, OldID,
		evidence.ContainerFinished{ExitCode: code}).Runtime(end+0.01, OldID, evidence.TaskExited{ExitCode: &code})
	return s.Add(evidence.SourceCRI, end, Of(OldID),
		evidence.ContainerRecord{State: evidence.StateExited, Attempt: 0, Created: At(9.9),
			Started: At(10), Finished: At(end), ExitCode: &code, Reason: reason})
}

// rebooted adds an orderly reboot of the machine after the end.
func rebooted(s *Story) *Story {
	s.Add(evidence.SourceKernelLog, 100, evidence.Subject{}, evidence.KernelBooted{BootID: "b2"}).KubeletStarts(110,
		"v1.36.3", 81)
	for i := range s.Observations { // no sandbox survives that
		if o := &s.Observations[i].Subject; o.ContainerID == NewID && o.SandboxID != "" {
			o.SandboxID = NewBox
		}
	}
	return s.Judged(115, evidence.SandboxNotReady)
}

// dockerGoes is a dockerd that ends its containers and comes back minutes later.
func dockerGoes() *Story {
	s := Died(10, 42.5, 1, "Error", 250).Add(evidence.SourceRuntimeLog, 40,
		evidence.Subject{}, evidence.RuntimeStopping{Signal: "terminated"})
	return s.Add(evidence.SourceRuntimeLog, 220, evidence.Subject{}, evidence.RuntimeStarted{})
}

// attacksOnNodes are these stories.
func attacksOnNodes() []row {
	kata := "kata-qemu"
	return []row{
		{"a liveness kill with a grace of its own that began before the log", func() *Story {
			s := Died(10, 342.5, 1, "Error", 343).Liveness().Since(280)
			return s.Spec(func(c *evidence.Container) { c.Liveness.GracePause = 300 })
		}, "liveness-probe-failed", "any"},
		{"a deletion with a long grace that began before the log", func() *Story {
			s := over(642.5, 1, "Error").Since(570)
			s.Pod.DeletedAt = At(640)
			return s
		}, "pod-deleted", "any"},
		{"a dockerd that goes down and is away for minutes", dockerGoes, "runtime-restarted", "likely"},
		{"the same, with others", func() *Story { return dockerGoes().Others(2, 42) }, "runtime-restarted", "likely"},
		{"a shutdown that a process answers with an error", func() *Story {
			return rebooted(Died(10, 42.5, 1, "Error", 120))
		}, "node-reboot", "likely"},
		{"a shutdown that a process obeys", func() *Story { return rebooted(Died(10, 42.5, 0, "Completed", 120)) },
			"node-reboot", "likely"},
		{"a shutdown that ends with SIGKILL", func() *Story { return rebooted(Died(10, 42.5, 137, "Error", 120)) },
			"node-reboot", "likely"},
		{"a crash in back-off when the machine goes down", func() *Story {
			s := rebooted(Died(10, 42.5, 3, "Error", 120))
			return s.Add(evidence.SourceKubeletLog, 60, Of(""), evidence.BackedOff{})
		}, "app-exit-error", "proven"},
		{"lost by a restarted runtime, half an hour before a boot", func() *Story {
			s := over(42.5, 255, "Unknown").Add(evidence.SourceRuntimeLog, 41, evidence.Subject{}, evidence.RuntimeStarted{})
			return s.Add(evidence.SourceKernelLog, 1800, evidence.Subject{}, evidence.KernelBooted{BootID: "b2"})
		}, "runtime-restarted", "any"},
		{"a stop by hand that was given up long before a crash", func() *Story {
			return Died(10, 2042.5, 3, "Error", 2043).Runtime(40, OldID, evidence.StopRequested{TimeoutSeconds: 30})
		}, "app-exit-error", "likely"},
		{"a liveness kill that the runtime refused long before a crash", func() *Story {
			s := Died(10, 2042.5, 3, "Error", 2043).Liveness().Logged(40.2, evidence.KillLiveness, LivenessText)
			return s.Stopping(40.3, 2).Add(evidence.SourceKubeletLog, 160, Of(OldID),
				evidence.KillFailed{Message: safetext.Clean("DeadlineExceeded")})
		}, "app-exit-error", "possible"},
		{"a liveness kill, and a child out of memory in its grace", func() *Story {
			return Killed(evidence.KillLiveness, LivenessText, 137).Liveness().Limited().Full(41, InPod("/"+OldID))
		}, "liveness-probe-failed", "any"},
		{"a stop by hand, and a child out of memory in its grace", func() *Story {
			return Died(10, 42.5, 137, "Error", 43).Limited().Full(40.5, InPod("/"+OldID)).Runtime(32.4,
				OldID, evidence.StopRequested{TimeoutSeconds: 10})
		}, "killed-externally", "any"},
		{"a limit that a container sets for a part of itself, and a SIGKILL", func() *Story {
			return Died(10, 42.5, 137, "Error", 43).Limited().Full(40, InPod("/"+OldID+"/docker/abc"))
		}, "killed-externally", "any"},
		{"a limit of crun's own cgroup is the container's", func() *Story {
			return Died(10, 42.5, 137, "OOMKilled", 43).Limited().Full(42.4, InPod("/crio-"+OldID+".scope/container"))
		}, "oom-container-limit", "likely"},
		{"a pod's limit on a container without one", func() *Story {
			s := Died(10, 17.3, 137, "OOMKilled", 18).Full(17.2, InPod("/"+OldID))
			s.Pod.MemoryLimit = 64 << 20
			return s
		}, "oom-pod-limit", "likely"},
		{"a limit that the spec does not know", func() *Story {
			return Died(10, 17.3, 137, "OOMKilled", 18).Full(17.2, InPod("/"+OldID))
		}, "oom-container-limit", "likely"},
		{"255 of the process's own", func() *Story { return Died(10, 17.3, 255, "Error", 18) }, "app-exit-error", "likely"},
		{"255 that the runtime makes up when the shim is killed", func() *Story {
			return Died(10, 17.3, 255, "Error", 18).Runtime(17.25, OldID, evidence.ShimLost{})
		}, "killed-externally", "any"},
		{"container and sandbox that end as one", func() *Story {
			s := SandboxDies()
			s.Recorded(evidence.StateExited, func(r *evidence.ContainerRecord) {
				r.ExitCode, r.Reason, r.Finished = new(int32(0)), "Completed", At(30.02)
			})
			box := evidence.Subject{SandboxID: OldBox}
			s.Add(evidence.SourceRuntimeLog, 33, box, evidence.TaskExited{Ended: At(30.01)})
			return s.Add(evidence.SourceRuntimeLog, 43, box, evidence.SandboxStopRequested{})
		}, "killed-externally", "any"},
		{"128 of the process's own", func() *Story { return Died(10, 17.3, 128, "Error", 18) }, "app-exit-error", "proven"},
		{"200 of the process's own", func() *Story { return Died(10, 17.3, 200, "Error", 18) }, "app-exit-error", "proven"},
		{"151, and signal 23 ends nobody", func() *Story { return Died(10, 17.3, 151, "Error", 18) },
			"app-exit-error", "proven"},
		{"170, which may be a real-time signal", func() *Story { return Died(10, 17.3, 170, "Error", 18) },
			"app-exit-error", "likely"},
		{"127 of a shell", func() *Story { return Died(10, 17.3, 127, "Error", 18) }, "app-exit-error", "proven"},
		{"an exception of Windows", func() *Story { return Died(10, 17.3, -1073741819, "Error", 18) },
			"app-exit-error", "proven"},
		{"an exception on a Windows node", func() *Story { return onWindows(-1073741819) }, "app-exit-error", "proven"},
		{"137 on a Windows node", func() *Story { return onWindows(137) }, "app-exit-error", "likely"},
		{"139 on a Windows node", func() *Story { return onWindows(139) }, "app-exit-error", "likely"},
		{"a code that anybody may give on a Windows node", func() *Story { return onWindows(1) }, "app-exit-error", "likely"},
		{"ended by the compute service of a Windows node", func() *Story { return onWindows(1067) }, "killed-externally", "any"},
		{"stopped on a Windows node", func() *Story { return onWindows(-1073741510) }, "killed-externally", "any"},
		{"still there when a Windows node went down", func() *Story { return onWindows(0x40010004) }, "node-reboot", "any"},
		{"earlyoom kills one of many processes", func() *Story {
			return Died(10, 42.5, 137, "Error", 43).Add(evidence.SourceHostLog,
				42.3, evidence.Subject{}, evidence.UserspaceOOMKill{Killer: "earlyoom", Task: "java", PID: 4711})
		}, "oom-node", "any"},
		{"systemd-oomd kills another container", func() *Story {
			return Died(10, 42.5, 3, "Error", 43).Add(evidence.SourceHostLog, 42.3,
				evidence.Subject{PodUID: "other", ContainerID: thirdID},
				evidence.UserspaceOOMKill{Killer: "systemd-oomd", Cgroup: "/kubepods/podother/" + thirdID})
		}, "app-exit-error", "proven"},
		{"a kernel before 5.0 that does not tell whom it killed for the machine", func() *Story {
			return Died(10, 17.3, 137, "Error", 18).Add(evidence.SourceKernelLog,
				17.2, evidence.Subject{}, evidence.OOMKill{Task: "java", PID: 4711, Global: true})
		}, "oom-node", "likely"},
		{"out of memory under a kernel of its own", func() *Story {
			s := Died(10, 17.3, 137, "OOMKilled", 18).Limited()
			s.Pod.Object = podobject.Of(&corev1.Pod{Spec: corev1.PodSpec{RuntimeClassName: &kata,
				Containers: []corev1.Container{{Name: Container}}}})
			return s
		}, "oom-container-limit", "likely"},
		{"a crash, and the next start fails", func() *Story {
			return over(42.5, 3, "Error").Add(evidence.SourceAPI, 60, Of(""),
				evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateWaiting,
					Attempt: -1, Reason: "RunContainerError", Message: safetext.Clean("no such device"), RestartCount: 1})
		}, "app-exit-error", "proven"},
		{"a stop by hand under a runtime that writes warnings only",
			func() *Story { return Died(10, 42.5, 1, "Error", 43).Tells(0) }, "killed-externally", "any"},
		{"a docker stop by hand", func() *Story { return Died(10, 42.5, 1, "Error", 43).Tells(evidence.RuntimeTellsStarts) },
			"killed-externally", "any"},
		{"a cron job on the node that sends SIGTERM at every full hour", func() *Story {
			s := Died(5, 1800, 0, "Completed", 1802)
			code := int32(0)
			third, again := Of(thirdID), Of(NewID)
			third.SandboxID, again.SandboxID = OldBox, OldBox
			s.Add(evidence.SourceCRI, 3590, again, evidence.ContainerRecord{State: evidence.StateExited,
				Attempt: 1, Created: At(1802), Started: At(1802), Finished: At(3540), ExitCode: &code, Reason: "Completed"})
			return s.Add(evidence.SourceCRI, 3543, third,
				evidence.ContainerRecord{State: evidence.StateRunning, Attempt: 2, Created: At(3542), Started: At(3543)})
		}, "killed-externally", "any"},
		{"stopped for its sandbox, and evicted before the new start", func() *Story {
			s := StoppedWithPod(137, 0).PodEvent(40, evidence.SandboxChanged{Count: 1}).KubeletPod(40.1,
				evidence.SandboxJudged{Reason: evidence.SandboxNotReady}).Kubelet(39.9, OldBox, evidence.ContainerDied{})
			s.Pod.Phase, s.Pod.Reason = "Failed", "Evicted"
			return s.PodEvent(Never, lowOnMemory).PodEvent(70, lowOnMemory)
		}, "sandbox-died", "any"},
		{"a crash, and a deletion a second later", func() *Story {
			s := over(42.2, 3, "Error")
			s.Pod.DeletedAt = At(73)
			s.KubeletPod(43.05, evidence.PodConfig{Op: "DELETE", Origin: "api"})
			return s.WholePod(43.1).Stop(43.2, 30)
		}, "app-exit-error", "any"},
		{"a preStop hook that ends the process and then sleeps", func() *Story {
			s := over(42.2, 1, "Error").Spec(func(c *evidence.Container) { c.PreStop = true })
			s.Pod.DeletedAt = At(70)
			return s.KubeletPod(40.05, evidence.PodConfig{Op: "DELETE", Origin: "api"}).Add(evidence.SourceKubeletLog,
				56.2, Of(OldID), evidence.KillStarted{GraceSeconds: 15})
		}, "pod-deleted", "any"},
	}
}
