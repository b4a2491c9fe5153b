package sim

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// Hypothesis is one change to what the kubelet sees.
type Hypothesis uint8

// The hypotheses, in the order in which help lists them. None changes nothing that affects the decision.
const (
	None Hypothesis = iota
	SandboxNotReady
	SandboxMissing
	SandboxSeveral
	SandboxNetwork
	SandboxNoAddress
	NodeDown
	CgroupMissing
	NetworkNotReady
	PodFailed
	PodDeleted
	PodDeadline
	Readmitted
	PodRejected
	LivenessFailed
	StartupFailed
	HookFailed
	Ended
	AllRestart
	StateUnknown
	RecordGone
	LogFiles
	HashDiffers
	Resized
	RecordMissing
	EntryLacks
	NoRecords
	NoAppArmor
	// Hypotheses is the number of hypotheses.
	Hypotheses
)

// Argument is what a hypothesis is about, as far as its shape requires it.
type Argument struct {
	Container string
	// Code is an exit code or a number.
	Code   int
	Reason string
}

// shape is the form of the argument after a hypothesis' name.
type shape uint8

const (
	alone        shape = iota
	ofContainer        // =C
	withExitCode       // =C:CODE
	withNumber         // =N
	withReason         // =REASON
)

// row is the definition of a hypothesis.
type row struct {
	name  string
	shape shape
	// text describes it; {c} is the container. note is an addition in help.
	text, note string
	apply      func(*PodState, Argument)
	// kills: under it the decision must stop the container; one that would not contradicts it.
	kills bool
	// whole: it is about the whole pod, and all its containers are stopped or gone.
	whole bool
	// refutable: what happened can rule it out. The end of a whole pod is left to direct evidence: a pod whose status
	// was never written may come back.
	refutable bool
}

var table = [Hypotheses]row{
	SandboxNotReady: {name: "sandbox-not-ready", text: "the pod's sandbox is no longer ready",
		note: "its pause process ended, the node rebooted", apply: notReady, kills: true, whole: true, refutable: true},
	SandboxMissing: {name: "sandbox-missing", text: "the runtime has no sandbox of the pod",
		apply: func(s *PodState, _ Argument) { s.Status.Sandboxes = nil }, kills: true, whole: true, refutable: true},
	SandboxSeveral: {name: "sandbox-several", text: "more than one sandbox of the pod is ready",
		apply: secondSandbox, kills: true, whole: true, refutable: true},
	SandboxNetwork: {name: "sandbox-network", text: "the sandbox's network mode differs from the spec",
		apply: otherNetwork, kills: true, whole: true, refutable: true},
	SandboxNoAddress: {name: "sandbox-no-ip", text: "the sandbox has no IP address",
		apply: func(s *PodState, _ Argument) { s.each(func(b *decide.Sandbox) { b.IP = "" }) },
		kills: true, whole: true, refutable: true},
	NodeDown: {name: "node-down", text: "the pod's sandbox and all of its containers have ended",
		apply: nodeDown, whole: true, refutable: true},
	CgroupMissing: {name: "cgroup-missing", text: "the pod's cgroup is not where the kubelet looks for it",
		note:  "another driver or QoS class",
		apply: func(s *PodState, _ Argument) { s.Status.Before.CgroupMissing = true },
		kills: true, whole: true, refutable: true},
	NetworkNotReady: {name: "network-not-ready", text: "the runtime reports that its network is not ready",
		apply: func(s *PodState, _ Argument) { s.Status.Before.NetworkNotReady = true }},
	PodFailed: {name: "pod-failed", text: "the pod has failed for good", note: "evicted, preempted, node shutdown",
		apply: func(s *PodState, _ Argument) { s.Status.Before.Phase = corev1.PodFailed }, kills: true, whole: true},
	PodDeleted: {name: "deleted", text: "the pod is being deleted or evicted",
		apply: func(s *PodState, _ Argument) { s.Pod.DeletionTimestamp = &metav1.Time{Time: s.Now} },
		kills: true, whole: true},
	PodDeadline: {name: "deadline-exceeded", text: "the pod has exceeded its active deadline",
		apply: deadline, kills: true, whole: true},
	Readmitted: {name: "readmitted", text: "the kubelet has restarted: it admits the pod again",
		note: "it has lost probe results and back-off", apply: func(s *PodState, _ Argument) { s.Readmit() }},
	PodRejected: {name: "rejected", shape: withReason, text: "the kubelet has just started and rejects the pod",
		note: "readmitted, with a reason such as OutOfcpu or NodeAffinity", apply: reject, kills: true, whole: true},
	LivenessFailed: {name: "liveness-failed", shape: ofContainer, text: "{c} has failed its liveness probe",
		apply: func(s *PodState, a Argument) { s.Status.Liveness[s.running(a.Container).ID] = decide.ProbeFailure },
		kills: true, refutable: true},
	StartupFailed: {name: "startup-failed", shape: ofContainer, text: "{c} has failed its startup probe",
		apply: func(s *PodState, a Argument) { s.Status.Startup[s.running(a.Container).ID] = decide.ProbeFailure },
		kills: true, refutable: true},
	HookFailed: {name: "hook-failed", shape: ofContainer, text: "{c} was killed because its postStart hook failed",
		apply: func(s *PodState, a Argument) { s.End(s.record(a.Container), killed) }},
	Ended: {name: "exited", shape: withExitCode, text: "{c} has exited by itself",
		apply: func(s *PodState, a Argument) { s.End(s.record(a.Container), a.Code) }, refutable: true},
	AllRestart: {name: "restart-all", shape: withExitCode,
		text: "a restart rule asks for all containers of the pod", note: "C has exited; 1.35+",
		apply: restartAll, refutable: true},
	StateUnknown: {name: "unknown", shape: ofContainer, text: "the runtime does not know the state of {c}",
		apply: func(s *PodState, a Argument) { s.record(a.Container).State = decide.StateUnknown }},
	RecordGone: {name: "record-gone", shape: ofContainer, text: "the runtime's record of {c} is gone",
		apply: func(s *PodState, a Argument) { s.dropRecords(a.Container) }},
	LogFiles: {name: "log-dir-count", shape: withNumber, text: "the newest log file of each container is N.log",
		note: "the kubelet counts from it when the runtime's record is gone, 1.21+", apply: logFiles},
	HashDiffers: {name: "hash-differs", shape: ofContainer,
		text:  "the stored hash of {c} differs from the hash that the kubelet computes",
		apply: func(s *PodState, a Argument) { s.differ = append(s.differ, s.running(a.Container).Name) },
		kills: true, refutable: true},
	Resized: {name: "resized", shape: ofContainer, text: "the resources of {c} were changed",
		note: "under a policy that restarts it, 1.27+", apply: resized, kills: true},
	RecordMissing: {name: "resize-record-missing", shape: ofContainer,
		text:  "the kubelet has no record of the resources that it gave {c}",
		note:  "1.33+; 1.37 creates them for a pod that has none",
		apply: noRecord},
	EntryLacks: {name: "resize-entry-missing", shape: ofContainer,
		text: "the kubelet has no record of the resources that it gave {c}", note: "but has some of the pod, 1.33+",
		apply: func(s *PodState, a Argument) { delete(s.Status.Resources, s.running(a.Container).Name) }, kills: true},
	NoRecords: {name: "resize-records-missing",
		text: "the kubelet has no record of the resources that it gave the pod", note: "as when the file is gone, 1.33+",
		apply: noRecords},
	NoAppArmor: {name: "no-apparmor", text: "the node cannot enforce AppArmor profiles",
		note:  "checked for new pods only, up to 1.30",
		apply: func(s *PodState, _ Argument) { s.Node.NoAppArmor = true }},
}

// Apply changes the state. A container that it is about must be in the pod's spec.
func (h Hypothesis) Apply(s *PodState, a Argument) {
	if apply := table[h].apply; apply != nil {
		apply(s, a)
	}
}

// Text describes the hypothesis for a container.
func (h Hypothesis) Text(container string) string {
	return strings.ReplaceAll(table[h].text, "{c}", container)
}

// String returns the name that users write.
func (h Hypothesis) String() string { return table[h].name }

// Kills reports whether the decision stops the container under the hypothesis.
func (h Hypothesis) Kills() bool { return table[h].kills }

// Whole reports whether the hypothesis is about the whole pod.
func (h Hypothesis) Whole() bool { return table[h].whole }

// Refutable reports whether what happened can rule the hypothesis out.
func (h Hypothesis) Refutable() bool { return table[h].refutable }

// OfCode reports whether the hypothesis' outcome depends on the exit code.
func (h Hypothesis) OfCode() bool { return table[h].shape == withExitCode }

func (s *PodState) each(change func(*decide.Sandbox)) {
	for i := range s.Status.Sandboxes {
		change(&s.Status.Sandboxes[i])
	}
}

// sandbox returns the newest one, or one that fits if there is none.
func (s *PodState) sandbox() decide.Sandbox {
	if len(s.Status.Sandboxes) > 0 {
		return s.Status.Sandboxes[0]
	}
	return NewSandbox(s.Pod, "supposed")
}

func notReady(s *PodState, _ Argument) { s.each(func(b *decide.Sandbox) { b.Ready = false }) }

func secondSandbox(s *PodState, _ Argument) {
	s.Status.Sandboxes = append(s.Status.Sandboxes, s.sandbox())
}

func otherNetwork(s *PodState, _ Argument) {
	other := decide.NamespaceNode
	if s.Pod.Spec.HostNetwork {
		other = decide.NamespacePod
	}
	s.each(func(b *decide.Sandbox) { b.Network = other })
}

func nodeDown(s *PodState, a Argument) {
	notReady(s, a)
	for i := range s.Status.Containers {
		if s.Status.Containers[i].State == decide.StateRunning {
			s.End(&s.Status.Containers[i], lost)
		}
	}
}

func deadline(s *PodState, _ Argument) {
	s.Status.Before.DeadlineExceeded = true
	if s.Pod.Spec.ActiveDeadlineSeconds == nil {
		s.Assumed = append(s.Assumed, "the pod has an active deadline")
	}
}

func reject(s *PodState, a Argument) {
	s.Readmit()
	s.Status.Before.Rejected = a.Reason
}

func restartAll(s *PodState, a Argument) {
	s.End(s.record(a.Container), a.Code)
	s.Status.RestartAllContainers = true
}

func resized(s *PodState, a Argument) {
	s.Status.Resources[s.running(a.Container).Name] = beforeResize(Container(&s.Pod.Spec, a.Container))
}

func (s *PodState) dropRecords(container string) {
	s.Status.Containers = slices.DeleteFunc(s.Status.Containers,
		func(c decide.Container) bool { return c.Name == container })
}

func logFiles(s *PodState, a Argument) {
	s.Status.LogFiles = map[string][]string{}
	for _, c := range Containers(&s.Pod.Spec) {
		s.Status.LogFiles[c.Name] = []string{strconv.Itoa(a.Code) + ".log"}
	}
}

// noRecord removes a record of resources. A file without it lacks the whole pod; since 1.37 that is different from an
// entry that lacks one container.
func noRecord(s *PodState, a Argument) {
	s.running(a.Container)
	if !s.Profile.Rules.RecordsMade {
		delete(s.Status.Resources, a.Container)
		return
	}
	noRecords(s, a)
	s.Assumed = append(s.Assumed, "the whole pod has no records of its resources; an entry that lacks only "+
		a.Container+" would still count as a change")
}

func noRecords(s *PodState, _ Argument) { s.Status.Resources, s.Status.PodResources = nil, nil }

// beforeResize returns resources that a container may have had before a resize with a restart policy: the spec's,
// changed where the policy requires a restart.
func beforeResize(c *corev1.Container) corev1.ResourceRequirements {
	before := *c.Resources.DeepCopy()
	for _, p := range c.ResizePolicy {
		if p.RestartPolicy != corev1.RestartContainer {
			continue
		}
		for _, list := range []corev1.ResourceList{before.Limits, before.Requests} {
			if q, ok := list[p.ResourceName]; ok {
				q.Add(resource.MustParse("1"))
				list[p.ResourceName] = q
			}
		}
	}
	return before
}
