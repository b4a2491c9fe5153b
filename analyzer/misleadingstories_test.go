package analyzer_test

import (
	"slices"

	. "github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// lowOnMemory is the kubelet's reason for an eviction.
var lowOnMemory = evidence.PodEvicted{Reason: "Evicted",
	Message: safetext.Clean("The node was low on resource: memory.")}

// runtimeTakesItAlong is a container that a daemon ended along with itself: dockerd without live-restore sends SIGTERM
// to everything and comes back.
func runtimeTakesItAlong(code int32, reason string) *Story {
	return Died(10, 42.5, code, reason, 50).Add(evidence.SourceRuntimeLog,
		46, evidence.Subject{}, evidence.RuntimeStarted{})
}

// oldUpgrade is "definition changed" between two kubelets whose hashes nobody computes any more: 1.14 hashed a printed
// struct.
func oldUpgrade() *Story {
	s := New().Events().Logs().Status(10, 42.5, 137, "Error", 43).Records(10,
		42.5, 137, "Error", 43, func(old, new *evidence.ContainerRecord) {
			old.Hash, new.Hash = "1a2b3c4d", "5e6f7081"
		})
	s.NodeInfo.KubeletVersion = "v1.14.7"
	s.KubeletStarts(-500, "v1.13.6", 80).KubeletStarts(38, "v1.14.7", 2080)
	return s.Kill(evidence.KillDefinition, DefinitionText)
}

// podFull is a pod's limit that killed the pause process and, with victim, the container's own process too.
func podFull(victim bool) *Story {
	path := "/kubepods.slice/kubepods-pod" + PodUID + ".slice"
	pause := evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: path,
		TaskMemcg: path + "/" + OldBox, Task: "pause", PID: 4700}
	if !victim {
		return SandboxDies().Kernel(39.8, OldBox, pause)
	}
	s := SandboxGoes(39.9).Kernel(39.8, OldBox, pause).Kubelet(40, OldID, evidence.ContainerDied{})
	return s.OOM(39.8, path, path+"/"+OldID, "runhttp", 4711)
}

// row is a Told whose fields need no names.
type row Told

// misleading are stories whose surface points to a wrong cause. Cause and Confidence are the honest verdict with all of
// the evidence; with less evidence, only Cause may ever be proven. `unknown` means a truth that the catalogue has no
// rule for.
func misleading() (all []Told) {
	stale := func(s *Story) *Story {
		s.Recorded(evidence.StateExited, func(r *evidence.ContainerRecord) { r.Reason = "OOMKilled" })
		return s.Limited().Full(20, InPod("/"+OldID))
	}
	for _, r := range slices.Concat([]row{
		{"a liveness kill with the label of an earlier child", func() *Story {
			s := stale(Killed(evidence.KillLiveness, LivenessText, 143))
			return s.Live(evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 3})
		}, "liveness-probe-failed", "proven"},
		{"a stop through the runtime with the label of an earlier child", func() *Story {
			return stale(Died(10, 42.5, 143, "Error", 43).Runtime(40, OldID, evidence.StopRequested{}))
		}, "killed-externally", "likely"},
		{"an out-of-memory kill that the kernel's log lacks", func() *Story {
			return Died(10, 17.3, 137, "OOMKilled", 18).Limited()
		}, "oom-container-limit", "likely"},
		{"a stop through the runtime that the process obeyed", func() *Story {
			return Died(10, 42.5, 0, "Completed", 43).Runtime(42, OldID, evidence.StopRequested{})
		}, "killed-externally", "proven"},
		{"an eviction that ended in an invented exit code", func() *Story {
			s := StoppedWithPod(137, 0)
			s.Pod.Phase, s.Pod.Reason = "Failed", "Evicted"
			s.Observations = s.Observations[1:] // the record of the true end is gone
			code := int32(137)
			s.Add(evidence.SourceAPI, Never, Of(""),
				evidence.ContainerRecord{State: evidence.StateExited, Attempt: -1,
					ExitCode: &code, Reason: "ContainerStatusUnknown", RestartCount: 1})
			return s.PodEvent(40, lowOnMemory)
		}, "evicted-memory", "proven"},
		{"an eviction that outlived its grace period", func() *Story {
			s := StoppedWithPod(137, 0).Limited()
			s.Pod.Phase, s.Pod.Reason = "Failed", "Evicted"
			return s.PodEvent(40, lowOnMemory)
		}, "evicted-memory", "proven"},
		{"a restarted daemon that made it end with 0", func() *Story { return runtimeTakesItAlong(0, "Completed") },
			"runtime-restarted", "any"},
		{"a restarted daemon that made it end with an error", func() *Story { return runtimeTakesItAlong(1, "Error") },
			"runtime-restarted", "any"},
		{"a daemon that restarts every night", func() *Story {
			s := runtimeTakesItAlong(0, "Completed")
			code := int32(0)
			third := Of("3333333333333333333333333333333333333333333333333333333333333333")
			third.SandboxID = OldBox
			again := Of(NewID)
			again.SandboxID = OldBox
			s.Add(evidence.SourceCRI, 82.5, again, evidence.ContainerRecord{State: evidence.StateExited,
				Attempt: 1, Started: At(50), Finished: At(82.5), ExitCode: &code, Reason: "Completed"})
			s.Add(evidence.SourceCRI, 90, third, evidence.ContainerRecord{State: evidence.StateRunning,
				Attempt: 2, Started: At(90)})
			return s.Add(evidence.SourceRuntimeLog, 86, evidence.Subject{}, evidence.RuntimeStarted{})
		}, "runtime-restarted", "any"},
		{"an upgrade between kubelets of an unknown hash era", oldUpgrade, "hash-kubelet-upgrade", "likely"},
		{"an image edit by a controller", func() *Story {
			d := Definition("abcdef12", "quay.io/shop/caddy:2").KubeletStarts(-500, "v1.25.4", 80)
			d.NodeInfo.KubeletVersion = "v1.25.4"
			return d
		}, "spec-image-changed", "proven"},
		{"a full pod that took the pause process alone", func() *Story { return podFull(false) }, "sandbox-died", "proven"},
		{"a full pod that took container and pause process", func() *Story { return podFull(true) }, "oom-pod-limit", "any"},
		{"a pod whose cgroup was missing, and nobody tells where it was", func() *Story { return KilledForItsCgroup("", "") },
			"pod-cgroup-missing", "likely"},
		{"a sandbox that died while a new kubelet looked", func() *Story {
			return SandboxDies().KubeletStarts(25, "v1.36.3", 2080)
		}, "sandbox-died", "proven"},
		{"a liveness kill right after a new kubelet's start", func() *Story {
			return Killed(evidence.KillLiveness, LivenessText,
				143).KubeletStarts(38, "v1.36.3", 2080).Live(evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 1})
		}, "liveness-probe-failed", "proven"},
		{"a node whose mirror pod was deleted long before its sandbox died", func() *Story {
			s := SandboxDies()
			s.Pod.Mirror, s.Pod.ConfigHash = true, "8d3f0c9e51b7a2446fa0c1d29be75310"
			return s.KubeletPod(30, evidence.PodConfig{Op: "DELETE", Origin: "api"}).KubeletPod(30.1,
				evidence.PodConfig{Op: "REMOVE", Origin: "api"})
		}, "sandbox-died", "any"},
		{"containers astray in the cgroup tree that ended by themselves", func() *Story {
			s := Died(10, 17.3, 3, "Error", 18)
			return s.Add(evidence.SourceCgroup, Never, Of(NewID),
				evidence.CgroupPlacement{Path: "/x", Expected: Burstable, Outside: true, DriverFrom: "tree"})
		}, "app-exit-error", "proven"},
		{"a sandbox without an address", func() *Story {
			s := StoppedWithPod(143, 44)
			s.PodEvent(40, evidence.SandboxChanged{Count: 1})
			return s.KubeletPod(40.1, evidence.SandboxJudged{Reason: evidence.SandboxNoIP})
		}, "sandbox-no-ip", "proven"},
		{"a resize that requires a restart", func() *Story {
			return Killed(evidence.KillResize, "Container a resize requires restart", 143)
		}, "resize-restart", "proven"},
		{"a restart of all containers", func() *Story {
			return Killed(evidence.KillRestartAll, "killing", 137)
		}, "restart-all-containers", "proven"},
		{"a SIGTERM that nobody owns up to", func() *Story { return Died(10, 42.5, 143, "Error", 43) },
			"killed-externally", "any"},
		{"a crash right after a liveness kill of the instance before", func() *Story {
			s := Died(10, 17.3, 3, "Error", 18).Live(evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 2})
			return s.Event(8, Decided(evidence.KillLiveness, LivenessText))
		}, "app-exit-error", "proven"},
		{"a lost task of a restarted runtime", func() *Story {
			s := Died(10, 42.5, 255, "Unknown", 50)
			return s.Add(evidence.SourceRuntimeLog, 41, evidence.Subject{}, evidence.RuntimeStarted{})
		}, "runtime-restarted", "any"},
		{"a shutdown of the node", func() *Story {
			s := StoppedWithPod(143, 120)
			s.Add(evidence.SourceSystemd, 100, evidence.Subject{}, evidence.KernelBooted{BootID: "b2"})
			return s.Judged(115, evidence.SandboxNotReady)
		}, "node-reboot", "any"},
	}, attacks(), attacksOnNodes()) {
		all = append(all, Told(r))
	}
	return all
}
