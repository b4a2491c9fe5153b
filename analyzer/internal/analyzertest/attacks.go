package analyzertest

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// This file holds evidence that points to one cause and has another one: two things at once, things that happen long
// before or after, the same messages for another reason.

// timeouts is a container whose exec probe times out, killed for it by v1.20. The caller adds the kubelets before that.
func timeouts() *Story {
	s := probeKills("v1.20.15", evidence.KillLiveness, livenessText)
	s.live(evidence.Probe{Handler: "exec", Period: 5, Timeout: 1, FailureThreshold: 2})
	return s.failedRun(35, OldID, evidence.ProbeLiveness, "").failedRun(40, OldID, evidence.ProbeLiveness, "")
}

// kubeletEvent adds the node's event of a kubelet's start.
func (s *Story) kubeletEvent(at float64) *Story {
	return s.Add(evidence.SourceAPI, at, evidence.Subject{Node: Node}, evidence.KubeletStarted{})
}

// settings adds what a kubelet logs of its runtime when it starts.
func (s *Story) settings(at float64, name, value string) *Story {
	return s.Add(evidence.SourceKubeletLog, at, evidence.Subject{},
		evidence.KubeletSetting{Name: name, Value: safetext.Clean(value)})
}

// sibling adds a second container to the pod, which exited cleanly at a time.
func (s *Story) sibling(end float64) *Story {
	code := int32(0)
	s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "b", Kind: evidence.KindApp, Image: Image})
	b := pod()
	b.Container, b.ContainerID = "b", "7777777777777777777777777777777777777777777777777777777777777777"
	return s.Add(evidence.SourceAPI, end, b, evidence.ContainerRecord{Kind: evidence.KindApp,
		State: evidence.StateExited, Attempt: 0, Started: At(10), Finished: At(end), ExitCode: &code, Reason: "Completed"})
}

// job makes the pod one that is not restarted.
func (s *Story) job() *Story {
	s.Pod.RestartPolicy, s.Pod.Phase = "Never", "Failed"
	return s
}

// change keeps the observations that keep accepts, with its changes.
func (s *Story) change(keep func(*evidence.Observation) bool) *Story {
	kept := s.Observations[:0]
	for _, o := range s.Observations {
		if keep(&o) {
			kept = append(kept, o)
		}
	}
	s.Observations = kept
	return s
}

// recorded changes the records of instances in a state.
func (s *Story) recorded(state evidence.ContainerState, change func(*evidence.ContainerRecord)) *Story {
	for i := range s.Observations {
		if r, ok := s.Observations[i].Fact.(evidence.ContainerRecord); ok && r.State == state {
			change(&r)
			s.Observations[i].Fact = r
		}
	}
	return s
}

// unkilled is a pod whose sandbox ended at 40 s and whose container had ended before, with a code, and without a kill
// by the kubelet.
func unkilled(end float64, code int32) *Story {
	s := sandboxDies().change(func(o *evidence.Observation) bool {
		switch o.Fact.(type) {
		case evidence.KillDecided, evidence.KillStarted:
			return false
		}
		return true
	})
	return s.recorded(evidence.StateExited, func(r *evidence.ContainerRecord) { r.Finished, r.ExitCode = At(end), &code })
}

// InitBeside is an init container that ran again next to a container b that had ended at 42 s with a code; b's rule
// restarts all containers for code 7.
func InitBeside(code int32) *Story {
	s := died(1, 3, 0, "Completed", 44)
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
		b := pod()
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

// Unlogged is a memory fault along with an API event that the kubelet killed the container, which is not in the
// kubelet's log.
func Unlogged() *Story {
	s := died(10, 40.1, 139, "Error", 43).live(evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 3})
	return s.Event(39, decided(evidence.KillLiveness, livenessText))
}

// Attacks are such stories. Cause and confidence have the same meaning as in Misleading.
func Attacks() []Told {
	return []Told{
		{"a probe that times out long after the kubelets that did not mind", func() *Story {
			return timeouts().KubeletStarts(-550, "v1.19.16", 70).KubeletStarts(-500,
				"v1.20.15", 80).kubeletEvent(-500).KubeletStarts(25, "v1.20.15", 2080).kubeletEvent(25)
		}, "liveness-probe-failed", "proven"},
		{"an image edit right after a restart of a kubelet that was upgraded long ago", func() *Story {
			s := definition("", "").KubeletStarts(-550, "v1.30.14", 70).KubeletStarts(-500,
				"v1.31.2", 80).KubeletStarts(38, "v1.31.2", 2080).kubeletEvent(38)
			s.NodeInfo.KubeletVersion = "v1.31.2"
			return s
		}, "spec-image-changed", "any"},
		{"a startup probe that ran again after a kubelet with the same PID", func() *Story {
			s := probeKills("v1.30.14", evidence.KillStartup, startupText)
			s.starts(evidence.Probe{Handler: "httpGet", Period: 1, Timeout: 1, FailureThreshold: 3})
			s.KubeletStarts(-500, "v1.30.14", 80).KubeletStarts(30, "v1.30.14", 80).kubeletEvent(30)
			for _, at := range []float64{38, 39, 40} {
				s.failedRun(at, OldID, evidence.ProbeStartup, "HTTP probe failed with statuscode: 404")
			}
			return s
		}, "startup-probe-rerun", "any"},
		{"an end of its own a moment before the kubelet killed it for its probe", func() *Story {
			s := died(10, 40.1, 3, "Error", 43).live(evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 3})
			s.Event(40.5, decided(evidence.KillLiveness, livenessText))
			return s.logged(40.5, evidence.KillLiveness, livenessText).stopping(40.51, 2)
		}, "app-exit-error", "any"},
		{"a deleted pod whose probe fails while it ends", func() *Story {
			s := New().Events().Status(10, 60, 137, "Error", 0)
			s.live(evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 3})
			s.Pod.DeletedAt, s.NodeInfo.KubeletVersion = At(30), "v1.20.15"
			s.wholePod(30).PodEvent(30, evidence.PodDeleted{})
			return s.Event(45, decided(evidence.KillLiveness, livenessText))
		}, "pod-deleted", "any"},
		{"a resize long after a kubelet that had no record", func() *Story {
			s := died(-300, 42.5, 143, "Error", 43).KubeletStarts(-200, "v1.36.3", 2080)
			s.Add(evidence.SourceKubeletLog, -199, container(""), evidence.MissingActuatedRecord{})
			return s.kill(evidence.KillResize, "Container a resize requires restart")
		}, "resize-restart", "any"},
		{"a container of a job that had ended long before its pod was evicted", func() *Story {
			s := New().Events().Status(10, 17.3, 3, "Error", 0).job().sibling(500)
			s.Pod.Reason = "Evicted"
			return s.PodEvent(Never, lowOnMemory)
		}, "app-exit-error", "any"},
		{"a container of a job that had ended long before its pod's deadline", func() *Story {
			s := New().Events().Status(10, 17.3, 143, "Error", 0).job().sibling(500)
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
			s := died(10, 17.3, 139, "Error", 44).change(func(o *evidence.Observation) bool {
				return o.Source.Kind != evidence.SourceCRI
			})
			return s.KubeletPod(43, evidence.SandboxJudged{Reason: evidence.SandboxNone})
		}, "app-signal", "any"},
		{"a node that booted long after the end of a job's container", func() *Story {
			s := New().Events().KubeletLog().Status(10, 17.3, 143, "Error", 0).job().KubeletStarts(-500, "v1.36.3", 80)
			s.Kubelet(17.9, OldID, evidence.ContainerDied{}).Kubelet(17.9, OldID, evidence.ContainerFinished{ExitCode: 143})
			s.Add(evidence.SourceSystemd, -900, evidence.Subject{}, evidence.KernelBooted{BootID: "b1"})
			return s.Add(evidence.SourceSystemd, 3000, evidence.Subject{}, evidence.KernelBooted{BootID: "b2"})
		}, "killed-externally", "any"},
		{"dockershim that became cri-dockerd under an end that nobody saw", func() *Story {
			s := anotherRuntime().change(func(o *evidence.Observation) bool {
				switch f := o.Fact.(type) {
				case evidence.KubeletSetting, evidence.RuntimeEndpoint:
					return false
				case evidence.ContainerRecord:
					f.Runtime = ""
					o.Fact = f
				}
				return true
			})
			s.settings(-499, evidence.SettingRuntime, "docker").settings(-498, evidence.SettingRuntimeVersion, "docker 20.10.7")
			return s.settings(38.1, evidence.SettingRuntime, "remote").settings(38.5,
				evidence.SettingRuntimeVersion, "docker 20.10.7")
		}, "sandbox-missing", "any"},
		{"a static pod that was stopped with its node and came back with it", func() *Story {
			s := stoppedWithPod(143, 120)
			s.Coverage = nil
			s.Events().KubeletLog()
			s.Pod.Mirror, s.Pod.ConfigHash = true, OldStaticUID
			return s.KubeletStarts(100, "v1.36.3", 90).kubeletEvent(100).judged(115, evidence.SandboxNotReady)
		}, "node-reboot", "any"},
		{"a sandbox that was removed while the container waited after the kernel had struck", func() *Story {
			s := died(10, 17.3, 137, "OOMKilled", 60).change(func(o *evidence.Observation) bool {
				return o.Source.Kind != evidence.SourceCRI
			})
			s.limited()
			path := inPod("/" + OldID)
			return s.oom(17.2, path, path, "web", 4712).KubeletPod(59, evidence.SandboxJudged{Reason: evidence.SandboxNone})
		}, "oom-container-limit", "likely"},
		{"an image with two tags, recreated by another kubelet", func() *Story {
			s := New().Events().Status(10, 42.5, 137, "Error", 43)
			s.NodeInfo.KubeletVersion = "v1.31.2"
			s.Spec(func(c *evidence.Container) { c.Image = "quay.io/shop/app:latest" })
			s.recorded(evidence.StateRunning, func(r *evidence.ContainerRecord) { r.Image = "quay.io/shop/app:1.2.3" })
			s.Event(9, evidence.ImageSeen{Image: "quay.io/shop/app:latest"}).Event(42.9,
				evidence.ImageSeen{Image: "quay.io/shop/app:latest"}).kubeletEvent(38)
			return s.Event(40.2, decided(evidence.KillDefinition, definitionText))
		}, "hash-kubelet-upgrade", "any"},
		{"an image edit that was taken back", func() *Story {
			s := definition(hashNameImage, Image).KubeletStarts(-500, "v1.36.3", 80)
			return s.recorded(evidence.StateRunning, func(r *evidence.ContainerRecord) {
				r.Hash, r.Image = hashOther, "docker.io/library/busybox:0"
			})
		}, "spec-image-changed", "proven"},
		{"another kubelet and another image at once", func() *Story {
			return definition("77777777", "docker.io/library/busybox:0").KubeletStarts(-500,
				"v1.30.14", 80).KubeletStarts(38, "v1.36.3", 2080)
		}, "spec-image-changed", "any"},
		{"two upgrades, one after the other", func() *Story {
			return definition(hashJSON, Image).KubeletStarts(-500, "v1.29.6", 80).KubeletStarts(25,
				"v1.30.14", 1080).KubeletStarts(38, "v1.36.3", 2080)
		}, "hash-kubelet-upgrade", "proven"},
		{"a kubelet that was taken back to the minor before", func() *Story {
			s := definition(hashNameImage, Image).KubeletStarts(-500, "v1.31.2-eks-7f9249a",
				80).KubeletStarts(38, "v1.30.4-eks-1", 2080)
			s.NodeInfo.KubeletVersion = "v1.30.4-eks-1"
			return s.recorded(evidence.StateRunning, func(r *evidence.ContainerRecord) { r.Hash = hashJSON })
		}, "hash-kubelet-upgrade", "proven"},
		{"a static pod that is evicted now and had been moved away before", func() *Story {
			s := New().Events().Logs().Status(10, 42.5, 143, "Error", 60).KubeletStarts(-500, "v1.34.4", 80)
			s.Pod.Mirror, s.Pod.ConfigHash, s.NodeInfo.KubeletVersion = true, OldStaticUID, "v1.34.4"
			s.Pod.Phase, s.Pod.Reason = "Failed", "Evicted"
			s.PodEvent(Never, lowOnMemory)
			return s.wholePod(40.2).stop(40.2, 30).config(40, "REMOVE").config(59, "ADD")
		}, "static-pod-removed", "any"},
	}
}
