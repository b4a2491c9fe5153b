package analyzertest

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Told is a story with its truth: the cause that the analyzer must name and the highest confidence that it may claim
// with all of this evidence.
type Told struct {
	Name       string
	Story      func() *Story
	Cause      string
	Confidence string
}

// The hashes of the container in the definition stories.
const (
	HashJSON      = "c87f01d2" // 1.16–1.30, of the present spec
	HashNameImage = "5d6b7c01" // 1.31 and newer, of the present spec
	HashOther     = "0badcafe" // 1.31 and newer, of another image
)

// Died is an instance that ended by itself, and the one that was started again at a time.
func Died(start, end float64, code int32, reason string, again float64) *Story {
	s := New().Events().Logs().Status(start, end, code, reason, again).Records(start, end, code, reason, again, nil)
	s.KubeletStarts(-500, "v1.36.3", 80)
	return s.Kubelet(end+0.6, OldID, evidence.ContainerDied{}).Kubelet(end+0.6,
		OldID, evidence.ContainerFinished{ExitCode: code})
}

// Killed is a kill by the kubelet at 40.2 s, for a probe or a hook that fails.
func Killed(reason evidence.KillReason, message string, code int32) *Story {
	return Died(10, 42.5, code, "Error", 43).unhealthy(reason).Kill(reason, message)
}

// Kill adds the kubelet's kill of the old instance at 40.2 s: the reason, with 2 s of grace.
func (s *Story) Kill(reason evidence.KillReason, message string) *Story {
	s.Logged(40.2, reason, message).Pod.GraceSeconds = 2
	return s.Event(40.2, Decided(reason, message)).Stop(40.3, 2)
}

// Decided is the reason for a kill, as an event or a line has it.
func Decided(reason evidence.KillReason, message string) evidence.KillDecided {
	return evidence.KillDecided{Reason: reason, Message: safetext.Clean(message), Count: 1}
}

// Logged adds the kubelet's line with the reason for a kill of the old instance.
func (s *Story) Logged(at float64, reason evidence.KillReason, message string) *Story {
	return s.Add(evidence.SourceKubeletLog, at, Of(OldID),
		Decided(reason, message))
}

// Stop adds the kubelet's line of a kill with a grace period, and the request that the runtime gets.
func (s *Story) Stop(at float64, grace int) *Story {
	return s.Stopping(at, grace).Runtime(at+0.01, OldID, evidence.StopRequested{TimeoutSeconds: grace})
}

// Stopping adds the kubelet's line of a kill with a grace period.
func (s *Story) Stopping(at float64, grace int) *Story {
	return s.Add(evidence.SourceKubeletLog, at, Of(OldID), evidence.KillStarted{GraceSeconds: grace})
}

// WholePod adds the event that the kubelet stops the container with its pod.
func (s *Story) WholePod(at float64) *Story {
	return s.Event(at, Decided(evidence.KillPod, "Stopping container a"))
}

// unhealthy adds the event of the probe's failures along with a kill for them.
func (s *Story) unhealthy(reason evidence.KillReason) *Story {
	switch reason {
	case evidence.KillLiveness:
		return s.Event(40.2, evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 3})
	case evidence.KillStartup:
		return s.Event(40.2, evidence.ProbeFailed{Probe: evidence.ProbeStartup, Count: 3})
	}
	return s
}

func hashed(oldHash string, oldImage string) func(old, new *evidence.ContainerRecord) {
	return func(old, new *evidence.ContainerRecord) {
		old.Hash, new.Hash, old.Image = oldHash, HashNameImage, oldImage
	}
}

// Definition is a kill for a changed definition, whose old instance has this hash and image.
func Definition(oldHash, oldImage string) *Story {
	s := New().Events().Logs().Status(10, 42.5, 137, "Error", 43).Records(10,
		42.5, 137, "Error", 43, hashed(oldHash, oldImage))
	s.Spec(func(c *evidence.Container) {
		c.Hashes = []evidence.SpecHash{
			{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json", Hex: HashJSON, Image: Image},
			{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: HashNameImage, Image: Image},
			{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: HashOther, Image: "docker.io/library/busybox:0"},
		}
	})
	return s.Kill(evidence.KillDefinition, DefinitionText)
}

// The kubelet's messages before kills.
const (
	DefinitionText = "Container a definition changed, will be restarted"
	LivenessText   = "Container a failed liveness probe, will be restarted"
	StartupText    = "Container a failed startup probe, will be restarted"
)

// SandboxDies is a pause process that was killed, and what the kubelet did then.
func SandboxDies() *Story {
	s := SandboxGoes(42.5).WholePod(40.2)
	s.Pod.GraceSeconds = 2
	return s.Stop(40.2, 2)
}

// SandboxGoes is a container whose sandbox died at 40 s, that ended at a time, and that was recreated in another
// sandbox.
func SandboxGoes(end float64) *Story {
	s := New().Events().Logs().Status(10, end, 137, "Error", 44).KubeletStarts(-500, "v1.36.3", 80)
	code := int32(137)
	o, n := Of(OldID), Of(NewID)
	o.SandboxID, n.SandboxID = OldBox, NewBox
	s.Add(evidence.SourceCRI, end, o, evidence.ContainerRecord{State: evidence.StateExited,
		Attempt: 0, Started: At(10), Finished: At(end), ExitCode: &code, Reason: "Error", Image: Image})
	s.Add(evidence.SourceCRI, 44, n, evidence.ContainerRecord{State: evidence.StateRunning,
		Attempt: 1, Started: At(44), Image: Image, RestartCount: 1})
	s.Boxes("", "").Kubelet(40, OldBox, evidence.ContainerDied{})
	return s.Judged(40.1, evidence.SandboxNotReady)
}

// Boxes adds the runtime's records of both sandboxes, each with its cgroup.
func (s *Story) Boxes(parents ...string) *Story {
	for i, id := range []string{OldBox, NewBox} {
		box, at := OfPod(), float64(9+i*34)
		box.SandboxID = id
		s.Add(evidence.SourceCRI, at, box,
			evidence.SandboxRecord{Attempt: i, Ready: i == 1, Created: At(at), CgroupParent: parents[i]})
	}
	return s
}

// Judged adds what the kubelet logs about a sandbox that it replaces.
func (s *Story) Judged(at float64, reason evidence.SandboxReason) *Story {
	return s.KubeletPod(at, evidence.SandboxJudged{Reason: reason}).PodEvent(at, evidence.SandboxChanged{Count: 1})
}

// Stories are one story of each cause, with full evidence.
func Stories() []Told {
	return append([]Told{
		{"an application error", func() *Story { return Died(10, 17.3, 3, "Error", 18) }, "app-exit-error", "proven"},
		{"one clean end", func() *Story { return Died(10, 17.3, 0, "Completed", 18) }, "app-exit-zero", "likely"},
		{"a memory fault", func() *Story {
			return Died(10, 17.3, 139, "Error", 18).Runtime(17.3, OldID, evidence.TaskExited{PID: 4711}).
				Kernel(17.2, "", evidence.Segfault{Task: "web", PID: 4711, Kind: "segfault"})
		}, "app-signal", "proven"},
		{"the code of a memory fault", func() *Story { return Died(10, 17.3, 139, "Error", 18) }, "app-signal", "likely"},
		{"a failed init container", func() *Story {
			s := Died(10, 12.1, 1, "Error", 13)
			s.Pod.Containers[0].Kind = evidence.KindInit
			return s
		}, "init-container-failed", "proven"},
		{"the container's memory limit", func() *Story {
			s := Died(10, 17.3, 137, "OOMKilled", 18).Limited()
			path := InPod("/" + OldID)
			return s.Kernel(17.2, OldID, evidence.OOMKill{
				Constraint: "CONSTRAINT_MEMCG", OOMMemcg: path, TaskMemcg: path, Task: "tail",
				PID: 4711, Tasks: 1, First: 4711, Last: 4711,
			}).Runtime(17.25, OldID, evidence.TaskOOM{})
		}, "oom-container-limit", "proven"},
		{"the limit of a pod's only container", func() *Story {
			return Died(10, 17.3, 137, "OOMKilled", 18).Limited().OOM(17.2, Burstable, InPod("/"+OldID), "tail", 4711)
		}, "oom-container-limit", "likely"},
		{"the pod's memory limit", func() *Story {
			s := Died(10, 17.3, 137, "OOMKilled", 18).Limited()
			s.Pod.Containers = append(s.Pod.Containers,
				evidence.Container{Name: "b", Kind: evidence.KindApp, Image: Image, MemoryLimit: 20 << 20})
			return s.OOM(17.2, Burstable, InPod("/"+OldID), "tail", 4711)
		}, "oom-pod-limit", "likely"},
		{"the node's memory", func() *Story {
			s := Died(10, 17.3, 137, "Error", 18)
			return s.Kernel(17.2, OldID, evidence.OOMKill{Constraint: "CONSTRAINT_NONE",
				Global: true, TaskMemcg: "/kubepods/besteffort/pod" + PodUID + "/" + OldID, Task: "tail", PID: 4711})
		}, "oom-node", "likely"},
		{"a child out of memory", func() *Story {
			return Died(10, 17.3, 1, "OOMKilled", 18).Limited().Full(17.2, InPod("/"+OldID))
		}, "oom-child-process", "likely"},
		{"a failed liveness probe", func() *Story {
			s := Killed(evidence.KillLiveness, LivenessText, 137).Liveness()
			const out = "cat: can't open '/tmp/ok'"
			return s.FailedRun(35, "", evidence.ProbeLiveness, out).FailedRun(40, "", evidence.ProbeLiveness, out)
		}, "liveness-probe-failed", "proven"},
		{"a failed startup probe", func() *Story {
			return Killed(evidence.KillStartup, StartupText, 143).Starts(
				evidence.Probe{Handler: "httpGet", Period: 5, FailureThreshold: 2})
		}, "startup-probe-failed", "proven"},
		{"an exec timeout that an upgrade enforces", timeoutEnforced, "probe-timeout-enforced", "likely"},
		{"a startup probe that ran again", startupReruns, "startup-probe-rerun", "proven"},
		{"a failed postStart hook", func() *Story {
			s := Died(38, 42.5, 137, "Error", 43).Spec(func(c *evidence.Container) { c.PostStart = true })
			s.Add(evidence.SourceKubeletLog, 39.9, Of(OldID), evidence.HookFailed{Hook: "PostStart"})
			s.Pod.GraceSeconds = 2
			s.Stop(40, 2).Event(40, evidence.HookFailed{Hook: "PostStart"})
			return s.Event(40, Decided(evidence.KillPostStart, "FailedPostStartHook"))
		}, "post-start-hook-failed", "proven"},
		{"an in-place kubelet upgrade", func() *Story {
			s := Definition(HashJSON, Image).KubeletStarts(-500, "v1.30.14", 80).KubeletStarts(38, "v1.36.3", 2080)
			return s.KubeletEvent(38)
		}, "hash-kubelet-upgrade", "proven"},
		{"an image edit", func() *Story {
			return Definition(HashOther, "docker.io/library/busybox:0").KubeletStarts(-500, "v1.36.3", 80)
		}, "spec-image-changed", "proven"},
		{"a dead sandbox", SandboxDies, "sandbox-died", "proven"},
		{"a stop through the runtime", func() *Story {
			return Died(10, 42.5, 137, "Error", 43).Runtime(40, OldID, evidence.StopRequested{})
		}, "killed-externally", "proven"},
		{"a SIGKILL from the node", func() *Story { return Died(10, 42.5, 137, "Error", 43) },
			"killed-externally", "possible"},
		{"a boot of the node", func() *Story {
			s := New().Events().Logs().Status(10, 42, 255, "Unknown", 120)
			s.Add(evidence.SourceSystemd, 100, evidence.Subject{}, evidence.KernelBooted{BootID: "b2"})
			return s.Judged(115, evidence.SandboxNotReady)
		}, "node-reboot", "proven"},
		{"an invented exit code", func() *Story {
			s := New().Events().Logs()
			code := int32(137)
			s.Add(evidence.SourceAPI, Never, Of(""),
				evidence.ContainerRecord{State: evidence.StateExited, Attempt: -1,
					Last: true, ExitCode: &code, Reason: "ContainerStatusUnknown", RestartCount: -1})
			return s.Add(evidence.SourceAPI, 43, Of(NewID),
				evidence.ContainerRecord{State: evidence.StateRunning, Attempt: 1, Started: At(43), RestartCount: 1})
		}, "container-status-unknown", "likely"},
	}, slices.Concat(Kubelets(), definitions())...)
}
