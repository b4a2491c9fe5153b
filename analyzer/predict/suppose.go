package predict

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// Supposition is what a cause changes in the state that the kubelet sees.
type Supposition uint8

// The suppositions. None stands for causes that change nothing which the decision looks at.
const (
	None             Supposition = iota
	Ended                        // the container ended without the kubelet's doing
	LivenessFailed               // its liveness probe failed
	StartupFailed                // its startup probe failed
	HookFailed                   // its postStart hook failed, which killed it
	DefinitionDiffer             // its stored hash is another than the kubelet computes
	ResizeRestarts               // its resources were changed under a policy that restarts it
	ResizeNoRecord               // the kubelet has no record of what it gave to it
	StateUnknown                 // the runtime does not know its state
	RecordGone                   // the runtime's record of it is gone
	AllRestart                   // the pod is marked to restart all of its containers in place
	SandboxNotReady              // the sandbox ceased to be ready, the containers ran on
	SandboxMissing               // the runtime has no sandbox of the pod
	SandboxSeveral               // more than one sandbox is ready
	SandboxNetwork               // the sandbox's network mode is not the spec's
	SandboxNoAddress             // the sandbox has no address
	NodeDown                     // the sandbox and everything in it are gone with the node
	CgroupMissing                // the pod's cgroup is not where the kubelet looks for it
	PodFailed                    // the pod was ended for good: evicted, preempted, shut down
	PodDeleted                   // the pod was asked to go
	PodDeadline                  // its active deadline is over
	PodRejected                  // admission refuses it after a restart of the kubelet
	suppositions                 // how many there are
)

// of tells what each cause supposes. A cause that is missing supposes None.
var of = map[causes.ID]Supposition{
	causes.AppExitError: Ended, causes.AppExitZero: Ended, causes.AppSignal: Ended, causes.InitContainerFailed: Ended,
	causes.OOMContainerLimit: Ended, causes.OOMPodLimit: Ended, causes.OOMNode: Ended, causes.OOMChildProcess: Ended,
	causes.KilledExternally: Ended, causes.RestartRule: Ended, causes.StartError: Ended,
	causes.LivenessProbeFailed: LivenessFailed, causes.StartupProbeFailed: StartupFailed,
	causes.PostStartHookFailed: HookFailed,
	causes.StartupProbeRerun:   StartupFailed, causes.ProbeFailuresCarriedOver: LivenessFailed,
	causes.SpecImageChanged: DefinitionDiffer, causes.HashKubeletUpgrade: DefinitionDiffer,
	"spec-changed": DefinitionDiffer, "hash-apiserver-change": DefinitionDiffer,
	causes.ResizeRestart: ResizeRestarts, causes.ResizeRecordMissing: ResizeNoRecord,
	causes.RestartAllContainers:  AllRestart,
	causes.ContainerUnknownState: StateUnknown, causes.ContainerStatusUnknown: RecordGone, causes.InitRerun: RecordGone,
	causes.SandboxChanged: SandboxNotReady, causes.SandboxDied: SandboxNotReady, causes.SandboxMissing: SandboxMissing,
	causes.SandboxMultipleReady: SandboxSeveral, causes.SandboxNetworkChanged: SandboxNetwork,
	causes.SandboxNoIP: SandboxNoAddress,
	causes.NodeReboot:  NodeDown, causes.RuntimeRestarted: NodeDown, "runtime-switched": SandboxMissing,
	"pod-cgroup-missing": CgroupMissing, "cgroup-driver-mismatch": CgroupMissing,
	causes.EvictedMemory: PodFailed, causes.EvictedDisk: PodFailed, causes.EvictedPID: PodFailed,
	causes.PreemptedByKubelet: PodFailed,
	causes.NodeShutdown:       PodFailed, causes.DeadlineExceeded: PodDeadline, causes.AdmissionRejected: PodRejected,
	causes.APIEvicted: PodDeleted, causes.TaintEvicted: PodDeleted, causes.PreemptedByScheduler: PodDeleted,
	causes.PodDeleted: PodDeleted, causes.PodOrphaned: PodDeleted,
}

// says puts a supposition into words; {c} is the container.
var says = [...]string{
	Ended: "{c} has exited by itself", LivenessFailed: "{c} has failed its liveness probe",
	StartupFailed:    "{c} has failed its startup probe",
	HookFailed:       "{c} was killed because its postStart hook failed",
	DefinitionDiffer: "the stored hash of {c} differs from the hash that the kubelet computes",
	ResizeRestarts:   "the resources of {c} were changed",
	ResizeNoRecord:   "the kubelet has no record of the resources that it gave {c}",
	StateUnknown:     "the runtime does not know the state of {c}", RecordGone: "the runtime's record of {c} is gone",
	AllRestart:      "a restart rule asks for all containers of the pod",
	SandboxNotReady: "the pod's sandbox is no longer ready",
	SandboxMissing:  "the runtime has no sandbox of the pod", SandboxSeveral: "more than one sandbox of the pod is ready",
	SandboxNetwork: "the sandbox's network mode differs from the spec", SandboxNoAddress: "the sandbox has no IP address",
	NodeDown:      "the pod's sandbox and all of its containers have ended",
	CgroupMissing: "the pod's cgroup is not where the kubelet looks for it",
	PodFailed:     "the pod has failed for good", PodDeleted: "the pod is being deleted or evicted",
	PodDeadline: "the pod has exceeded its active deadline",
	PodRejected: "the kubelet has just started and rejects the pod",
}

// apply changes the scene. Container records that it needs are there.
func (s Supposition) apply(x *scene, code int32) {
	st := &x.status
	mine := x.record(x.who)
	switch s {
	case Ended:
		x.end(mine, int(code))
	case HookFailed:
		x.end(mine, killed)
	case LivenessFailed:
		st.Liveness[mine.ID] = decide.ProbeFailure
	case StartupFailed:
		st.Startup[mine.ID] = decide.ProbeFailure
	case DefinitionDiffer:
		mine.Hash, mine.HashWithoutResources = otherHash, otherHash
	case ResizeRestarts:
		st.Resources[x.who] = changed(x.container(x.who))
	case ResizeNoRecord:
		delete(st.Resources, x.who)
	case StateUnknown:
		mine.State = decide.StateUnknown
	case RecordGone:
		st.Containers = slices.DeleteFunc(st.Containers, func(c decide.Container) bool { return c.Name == x.who })
	case AllRestart:
		x.end(mine, int(code))
		st.RestartAllContainers = true
	case SandboxNotReady:
		st.Sandboxes[0].Ready = false
	case SandboxMissing:
		st.Sandboxes = nil
	case SandboxSeveral:
		st.Sandboxes = append(st.Sandboxes, st.Sandboxes[0])
	case SandboxNetwork:
		other := map[bool]decide.NamespaceMode{true: decide.NamespacePod, false: decide.NamespaceNode}
		st.Sandboxes[0].Network = other[x.pod.Spec.HostNetwork]
	case SandboxNoAddress:
		st.Sandboxes[0].IP = ""
	case NodeDown:
		st.Sandboxes[0].Ready = false
		for i := range st.Containers {
			if st.Containers[i].State == decide.StateRunning {
				x.end(&st.Containers[i], lost)
			}
		}
	case CgroupMissing:
		st.Before.CgroupMissing = true
	case PodFailed:
		st.Before.Phase = corev1.PodFailed
	case PodDeleted:
		x.pod.DeletionTimestamp = &metav1.Time{Time: x.now}
	case PodDeadline:
		st.Before.DeadlineExceeded = true
	case PodRejected:
		st.Before.Readmitted, st.Before.Rejected = true, "UnexpectedAdmissionError"
	case None:
	}
}

// Exit codes that a supposition brings: of a SIGKILL, and of a process that the runtime lost.
const (
	killed = 137
	lost   = 255
)

// changed is what a container may have had before a resize that its policy answers with a restart: the spec's resources
// but for those that have such a policy.
func changed(c *corev1.Container) corev1.ResourceRequirements {
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
