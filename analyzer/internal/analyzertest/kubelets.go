package analyzertest

import (
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// This file holds stories of kubelets that were exchanged, and of what they do then.

// StoppedWithPod is a kill of the whole pod by the kubelet, for an unknown reason.
func StoppedWithPod(code int32, again float64) *Story {
	s := New().Events().Logs().Status(10, 42.5, code, "Error", again).KubeletStarts(-500, "v1.36.3", 80)
	return s.WholePod(40.2).Stop(40.2, 2).Kubelet(42.6, OldID, evidence.ContainerDied{}).Kubelet(42.6,
		OldID, evidence.ContainerFinished{ExitCode: code})
}

// KilledForItsCgroup is a pod that a new kubelet killed before it checked its sandbox, and recreated. was and is are
// the cgroups of its two sandboxes, "" where the runtime does not report them.
func KilledForItsCgroup(was, is string) *Story {
	s := StoppedWithPod(143, 44).KubeletStarts(38, "v1.36.3", 2080)
	return s.Boxes(was, is).Kubelet(42.8, OldBox, evidence.ContainerDied{}).Judged(43, evidence.SandboxNotReady)
}

// The cgroups of the story's pod: in two QoS classes, and with the other driver.
const (
	Burstable  = "/kubepods/burstable/pod" + PodUID
	bestEffort = "/kubepods/besteffort/pod" + PodUID
	slice      = "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0b222463_b4cd_48ff_b717_ecaa167c7f92.slice"
)

// AnotherRuntime is a container that was left behind with the old runtime: the new one does not know it.
func AnotherRuntime() *Story {
	s := New().Events().Logs()
	s.KubeletStarts(-500, "v1.23.17", 80).KubeletStarts(38, "v1.24.17", 2080)
	s.NodeInfo.KubeletVersion = "v1.24.17"
	for at, runtime := range map[float64]string{-499: "docker 20.10.7", 38.5: "containerd 1.6.20"} {
		s.Add(evidence.SourceKubeletLog, at, evidence.Subject{},
			evidence.KubeletSetting{Name: evidence.SettingRuntimeVersion, Value: safetext.Clean(runtime)})
	}
	code := int32(137)
	s.Add(evidence.SourceKubeletLog, 10.5, Of(OldID), evidence.ContainerStarted{})
	s.Add(evidence.SourceAPI, Never, Of(""),
		evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateExited,
			Attempt: -1, Last: true, ExitCode: &code, Reason: "ContainerStatusUnknown", RestartCount: -1})
	s.Add(evidence.SourceAPI, 43, Of(NewID),
		evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateRunning,
			Attempt: 1, Started: At(43), RestartCount: 1, Runtime: "containerd"})
	s.KubeletPod(39, evidence.SandboxJudged{Reason: evidence.SandboxNone})
	s.Kubelet(43.4, NewID, evidence.ContainerStarted{})
	return s.Add(evidence.SourceCRI, Never, evidence.Subject{}, evidence.RuntimeEndpoint{Name: "docker", Sandboxes: 3}).
		Add(evidence.SourceCRI, Never, evidence.Subject{},
			evidence.RuntimeEndpoint{Name: "containerd", Sandboxes: 3, Configured: true, Used: true})
}

// stoppedByANewKubelet is a pod that a kubelet killed right after its start, and that did not come back.
func stoppedByANewKubelet() *Story {
	s := StoppedWithPod(143, 0).KubeletStarts(38, "v1.36.3", 2080)
	s.Add(evidence.SourceSystemd, -900, evidence.Subject{}, evidence.KernelBooted{BootID: "b1"})
	return s.KubeletEvent(38)
}

// runsOn is a pod with a readiness probe whose container outlives its kubelet.
func runsOn() *Story {
	s := New().Events().Logs().KubeletStarts(-500, "v1.30.14", 80).KubeletStarts(380, "v1.30.14", 2080)
	s.NodeInfo.KubeletVersion = "v1.30.14"
	s.Spec(func(c *evidence.Container) {
		c.Readiness = &evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 3}
	})
	s.KubeletEvent(380)
	return s.Add(evidence.SourceAPI, 10, Of(OldID),
		evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateRunning,
			Attempt: 0, Started: At(10), RestartCount: 0})
}

// Kubelets are stories of kubelets that were exchanged, with full evidence.
func Kubelets() []Told {
	return []Told{
		{"a pod whose cgroup was missing", func() *Story { return KilledForItsCgroup(Burstable, bestEffort) },
			"pod-cgroup-missing", "proven"},
		{"another cgroup driver", func() *Story { return KilledForItsCgroup(Burstable, slice) },
			"cgroup-driver-mismatch", "proven"},
		{"another container runtime", AnotherRuntime, "runtime-switched", "likely"},
		{"a pod that a new kubelet stopped", stoppedByANewKubelet, "kubelet-restarted", "likely"},
		{"a readiness that flipped", func() *Story {
			s := runsOn().KubeletPod(381, evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness}).KubeletPod(386,
				evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness, Status: "ready"})
			return s.Add(evidence.SourceAPI, 386, OfPod(), evidence.ReadinessChanged{Ready: true})
		}, "readiness-flip", "proven"},
		{"a mirror pod that was recreated", func() *Story {
			s := runsOn()
			s.Pod.Mirror, s.Pod.ConfigHash = true, "8d3f0c9e51b7a2446fa0c1d29be75310"
			s.Pod.CreatedAt, s.NodeInfo.CreatedAt = At(200), At(-86400)
			byName := evidence.Subject{Namespace: Namespace, Pod: PodName}
			return s.Add(evidence.SourceKubeletLog, 199, byName, evidence.MirrorPod{Change: evidence.MirrorDeleted}).Add(
				evidence.SourceKubeletLog, 200, byName, evidence.MirrorPod{Change: evidence.MirrorCreated})
		}, "mirror-pod-deleted", "proven"},
	}
}
