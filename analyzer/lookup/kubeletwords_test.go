package lookup

import (
	"strings"
	"testing"
)

// kubeletWords are the reasons that kubelet v1.37.1 and the CRI use for containers, pods and events (events/event.go,
// container/sync_result.go, images/types.go, kuberuntime_container.go, lifecycle, eviction, preemption, nodeshutdown,
// kubelet_pods.go, cm/admission; cri-api pkg/errors).
const kubeletWords = `
AlreadyMountedVolume AppArmor BackOff ConfigPodSandboxError ContainerGCFailed ContainerStatusUnknown
CrashLoopBackOff CreateContainerConfigError CreateContainerError CreatePodSandboxError Created
EmptyPodSharedPoolError ErrImageNeverPull ErrImagePull Evicted ExceededGracePeriod Failed FailedAttachVolume
FailedCreatePodContainer FailedCreatePodSandBox FailedKillPod FailedMapVolume FailedMount
FailedMountOnFilesystemMismatch FailedNodeAllocatableEnforcement FailedNodeDeclaredFeaturesCheck
FailedPodSandBoxStatus FailedPostStartHook FailedPreStopHook FailedPrepareDynamicResources FailedSync
FailedValidation FileSystemResizeFailed FileSystemResizeSuccessful FreeDiskSpaceFailed ImageGCFailed
ImageInspectError ImagePullBackOff ImageVolumeMountFailed InspectFailed InvalidDiskCapacity InvalidImageID
InvalidImageName KillContainerError KillPodSandboxError Killing KubeletSetupFailed NetworkNotReady
NodeAllocatableEnforced NodeNotReady NodeNotSchedulable NodeReady NodeSchedulable NodeShutdown
PodFeatureUnsupported PodLevelResourcesNotSupported PossibleMemoryBackedVolumesOnDisk PostStartHookError
PreCreateHookError PreStartHookError Preempting ProbeWarning Pulled Pulling RROUnsupported Rebooted
RegistryUnavailable RemoveContainerError ResizeCompleted ResizeDeferred ResizeError ResizeInfeasible
ResizePodInPlaceError ResizeStarted RestartingAllContainers RunContainerError SandboxChanged Shutdown
SignatureValidationFailed Started Starting SuccessfulAttachVolume SuccessfulMountVolume SysctlForbidden
Terminated UnexpectedAdmissionError Unhealthy UnknownReason VolumePermissionChangeInProgress
VolumeResizeFailed VolumeResizeSuccessful
`

func TestEveryReasonOfTheKubeletIsKnown(t *testing.T) {
	words := strings.Fields(kubeletWords)
	if len(words) < 90 {
		t.Fatalf("%d words", len(words))
	}
	for _, w := range words {
		if _, ok := Find(w); !ok {
			t.Errorf("%s is not known", w)
		}
	}
}
