package analyzer_test

import (
	corev1 "k8s.io/api/core/v1"

	. "github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

// This file holds evidence that points to one cause and has another one: two things at once, things that happen long
// before or after, the same messages for another reason.

// timeouts is a container whose exec probe times out, killed for it by v1.20. The caller adds the kubelets before that.
func timeouts() *Story {
	s := ProbeKills("v1.20.15", evidence.KillLiveness, LivenessText)
	s.Live(evidence.Probe{Handler: "exec", Period: 5, Timeout: 1, FailureThreshold: 2})
	return s.FailedRun(35, OldID, evidence.ProbeLiveness, "").FailedRun(40, OldID, evidence.ProbeLiveness, "")
}

// unkilled is a pod whose sandbox ended at 40 s and whose container had ended before, with a code, and without a kill
// by the kubelet.
func unkilled(end float64, code int32) *Story {
	s := SandboxDies().Change(func(o *evidence.Observation) bool {
		switch o.Fact.(type) {
		case evidence.KillDecided, evidence.KillStarted:
			return false
		}
		return true
	})
	return s.Recorded(evidence.StateExited, func(r *evidence.ContainerRecord) { r.Finished, r.ExitCode = At(end), &code })
}

// initBeside is an init container that ran again next to a container b that had ended at 42 s with a code; b's rule
// restarts all containers for code 7.
func initBeside(code int32) *Story {
	s := Died(1, 3, 0, "Completed", 44)
	s.Pod.Containers[0].Kind = evidence.KindInit
	s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "b", Kind: evidence.KindApp, Image: Image})
	rule := corev1.ContainerRestartRule{Action: "RestartAllContainers",
		ExitCodes: &corev1.ContainerRestartRuleOnExitCodes{Operator: corev1.ContainerRestartRuleOnExitCodesOpIn,
			Values: []int32{7}}}
	s.Pod.RestartsAll = true
	s.Pod.Object = podobject.Of(&corev1.Pod{Spec: corev1.PodSpec{
		InitContainers: []corev1.Container{{Name: Container, Image: Image}},
		Containers: []corev1.Container{{Name: "b", Image: Image,
			RestartPolicyRules: []corev1.ContainerRestartRule{rule}}},
	}})
	for i, id := range []string{"7777777777777777777777777777777777777777777777777777777777777777",
		"8888888888888888888888888888888888888888888888888888888888888888"} {
		b := OfPod()
		b.Container, b.ContainerID, b.SandboxID = "b", id, OldBox
		r := evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateRunning,
			Attempt: i, Created: At(46), Started: At(46), RestartCount: i}
		if i == 0 {
			r.State, r.Created, r.Started, r.Finished, r.ExitCode, r.Reason = evidence.StateExited,
				At(4), At(4), At(42), &code, "Error"
		}
		s.Add(evidence.SourceCRI, 46, b, r)
	}
	return s
}

// unlogged is a memory fault along with an API event that the kubelet killed the container, which is not in the
// kubelet's log.
func unlogged() *Story {
	s := Died(10, 40.1, 139, "Error", 43).Live(evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 3})
	return s.Event(39, Decided(evidence.KillLiveness, LivenessText))
}

// attacks are such stories. Cause and confidence have the same meaning as in misleading.
func attacks() []row {
	return []row{
		{"a probe that times out long after the kubelets that did not mind", func() *Story {
			return timeouts().KubeletStarts(-550, "v1.19.16", 70).KubeletStarts(-500,
				"v1.20.15", 80).KubeletEvent(-500).KubeletStarts(25, "v1.20.15", 2080).KubeletEvent(25)
		}, "liveness-probe-failed", "proven"},
		{"an image edit right after a restart of a kubelet that was upgraded long ago", func() *Story {
			s := Definition("", "").KubeletStarts(-550, "v1.30.14", 70).KubeletStarts(-500,
				"v1.31.2", 80).KubeletStarts(38, "v1.31.2", 2080).KubeletEvent(38)
			s.NodeInfo.KubeletVersion = "v1.31.2"
			return s
		}, "spec-image-changed", "any"},
		{"a startup probe that ran again after a kubelet with the same PID", func() *Story {
			s := ProbeKills("v1.30.14", evidence.KillStartup, StartupText)
			s.Starts(evidence.Probe{Handler: "httpGet", Period: 1, Timeout: 1, FailureThreshold: 3})
			s.KubeletStarts(-500, "v1.30.14", 80).KubeletStarts(30, "v1.30.14", 80).KubeletEvent(30)
			for _, at := range []float64{38, 39, 40} {
				s.FailedRun(at, OldID, evidence.ProbeStartup, "HTTP probe failed with statuscode: 404")
			}
			return s
		}, "startup-probe-rerun", "any"},
		{"an end of its own a moment before the kubelet killed it for its probe", func() *Story {
			s := Died(10, 40.1, 3, "Error", 43).Live(evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 3})
			s.Event(40.5, Decided(evidence.KillLiveness, LivenessText))
			return s.Logged(40.5, evidence.KillLiveness, LivenessText).Stopping(40.51, 2)
		}, "app-exit-error", "any"},
		{"a deleted pod whose probe fails while it ends", func() *Story {
			s := New().Events().Status(10, 60, 137, "Error", 0)
			s.Live(evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 3})
			s.Pod.DeletedAt, s.NodeInfo.KubeletVersion = At(30), "v1.20.15"
			s.WholePod(30).PodEvent(30, evidence.PodDeleted{})
			return s.Event(45, Decided(evidence.KillLiveness, LivenessText))
		}, "pod-deleted", "any"},
		{"a resize long after a kubelet that had no record", func() *Story {
			s := Died(-300, 42.5, 143, "Error", 43).KubeletStarts(-200, "v1.36.3", 2080)
			s.Add(evidence.SourceKubeletLog, -199, Of(""), evidence.MissingActuatedRecord{})
			return s.Kill(evidence.KillResize, "Container a resize requires restart")
		}, "resize-restart", "any"},
		{"a container of a job that had ended long before its pod was evicted", func() *Story {
			s := New().Events().Status(10, 17.3, 3, "Error", 0).Job().Sibling(500)
			s.Pod.Reason = "Evicted"
			return s.PodEvent(Never, lowOnMemory)
		}, "app-exit-error", "any"},
		{"a container of a job that had ended long before its pod's deadline", func() *Story {
			s := New().Events().Status(10, 17.3, 143, "Error", 0).Job().Sibling(500)
			s.Pod.Reason = "DeadlineExceeded"
			return s.PodEvent(Never, evidence.PodEvicted{Reason: "DeadlineExceeded"})
		}, "killed-externally", "any"},
		{"a pod that someone stopped with crictl stopp", func() *Story {
			return unkilled(39.5, 137).Kubelet(40, OldID, evidence.ContainerDied{})
		}, "killed-externally", "any"},
		{"a sandbox that died while the container waited after a memory fault", func() *Story {
			return unkilled(17.3, 139).Kubelet(17.9, OldID, evidence.ContainerDied{}).Kubelet(17.9,
				OldID, evidence.ContainerFinished{ExitCode: 139})
		}, "app-signal", "any"},
		{"a sandbox that was removed while the container waited after a memory fault", func() *Story {
			s := Died(10, 17.3, 139, "Error", 44).Change(func(o *evidence.Observation) bool {
				return o.Source.Kind != evidence.SourceCRI
			})
			return s.KubeletPod(43, evidence.SandboxJudged{Reason: evidence.SandboxNone})
		}, "app-signal", "any"},
		{"a node that booted long after the end of a job's container", func() *Story {
			s := New().Events().KubeletLog().Status(10, 17.3, 143, "Error", 0).Job().KubeletStarts(-500, "v1.36.3", 80)
			s.Kubelet(17.9, OldID, evidence.ContainerDied{}).Kubelet(17.9, OldID, evidence.ContainerFinished{ExitCode: 143})
			s.Add(evidence.SourceSystemd, -900, evidence.Subject{}, evidence.KernelBooted{BootID: "b1"})
			return s.Add(evidence.SourceSystemd, 3000, evidence.Subject{}, evidence.KernelBooted{BootID: "b2"})
		}, "killed-externally", "any"},
		{"dockershim that became cri-dockerd under an end that nobody saw", func() *Story {
			s := AnotherRuntime().Change(func(o *evidence.Observation) bool {
				switch f := o.Fact.(type) {
				case evidence.KubeletSetting, evidence.RuntimeEndpoint:
					return false
				case evidence.ContainerRecord:
					f.Runtime = ""
					o.Fact = f
				}
				return true
			})
			s.Setting(-499, evidence.SettingRuntime, "docker").Setting(-498, evidence.SettingRuntimeVersion, "docker 20.10.7")
			return s.Setting(38.1, evidence.SettingRuntime, "remote").Setting(38.5,
				evidence.SettingRuntimeVersion, "docker 20.10.7")
		}, "sandbox-missing", "any"},
		{"a static pod that was stopped with its node and came back with it", func() *Story {
			s := StoppedWithPod(143, 120)
			s.Coverage = nil
			s.Events().KubeletLog()
			s.Pod.Mirror, s.Pod.ConfigHash = true, OldStaticUID
			return s.KubeletStarts(100, "v1.36.3", 90).KubeletEvent(100).Judged(115, evidence.SandboxNotReady)
		}, "node-reboot", "any"},
		{"a sandbox that was removed while the container waited after the kernel had struck", func() *Story {
			s := Died(10, 17.3, 137, "OOMKilled", 60).Change(func(o *evidence.Observation) bool {
				return o.Source.Kind != evidence.SourceCRI
			})
			s.Limited()
			path := InPod("/" + OldID)
			return s.OOM(17.2, path, path, "web", 4712).KubeletPod(59, evidence.SandboxJudged{Reason: evidence.SandboxNone})
		}, "oom-container-limit", "likely"},
		{"an image with two tags, recreated by another kubelet", func() *Story {
			s := New().Events().Status(10, 42.5, 137, "Error", 43)
			s.NodeInfo.KubeletVersion = "v1.31.2"
			s.Spec(func(c *evidence.Container) { c.Image = "quay.io/shop/app:latest" })
			s.Recorded(evidence.StateRunning, func(r *evidence.ContainerRecord) { r.Image = "quay.io/shop/app:1.2.3" })
			s.Event(9, evidence.ImageSeen{Image: "quay.io/shop/app:latest"}).Event(42.9,
				evidence.ImageSeen{Image: "quay.io/shop/app:latest"}).KubeletEvent(38)
			return s.Event(40.2, Decided(evidence.KillDefinition, DefinitionText))
		}, "hash-kubelet-upgrade", "any"},
		{"an image edit that was taken back", func() *Story {
			s := Definition(HashNameImage, Image).KubeletStarts(-500, "v1.36.3", 80)
			return s.Recorded(evidence.StateRunning, func(r *evidence.ContainerRecord) {
				r.Hash, r.Image = HashOther, "docker.io/library/busybox:0"
			})
		}, "spec-image-changed", "proven"},
		{"another kubelet and another image at once", func() *Story {
			return Definition("77777777", "docker.io/library/busybox:0").KubeletStarts(-500,
				"v1.30.14", 80).KubeletStarts(38, "v1.36.3", 2080)
		}, "spec-image-changed", "any"},
		{"two upgrades, one after the other", func() *Story {
			return Definition(HashJSON, Image).KubeletStarts(-500, "v1.29.6", 80).KubeletStarts(25,
				"v1.30.14", 1080).KubeletStarts(38, "v1.36.3", 2080)
		}, "hash-kubelet-upgrade", "proven"},
		{"a kubelet that was taken back to the minor before", func() *Story {
			s := Definition(HashNameImage, Image).KubeletStarts(-500, "v1.31.2-eks-7f9249a",
				80).KubeletStarts(38, "v1.30.4-eks-1", 2080)
			s.NodeInfo.KubeletVersion = "v1.30.4-eks-1"
			return s.Recorded(evidence.StateRunning, func(r *evidence.ContainerRecord) { r.Hash = HashJSON })
		}, "hash-kubelet-upgrade", "proven"},
		{"a static pod that is evicted now and had been moved away before", func() *Story {
			s := New().Events().Logs().Status(10, 42.5, 143, "Error", 60).KubeletStarts(-500, "v1.34.4", 80)
			s.Pod.Mirror, s.Pod.ConfigHash, s.NodeInfo.KubeletVersion = true, OldStaticUID, "v1.34.4"
			s.Pod.Phase, s.Pod.Reason = "Failed", "Evicted"
			s.PodEvent(Never, lowOnMemory)
			return s.WholePod(40.2).Stop(40.2, 30).Config(40, "REMOVE").Config(59, "ADD")
		}, "static-pod-removed", "any"},
	}
}
