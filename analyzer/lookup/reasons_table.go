package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

// starting are the causes of a container that cannot be created or started.
var starting = Weights{causes.CreateError: 60, causes.StartError: 40}

// reasons are those of a container's state: terminated and waiting.
var reasons = []Meaning{
	{
		Term: "OOMKilled", Is: Reason, Also: []string{"OOM", "out of memory", "OOM killed", "OOMKill"}, Page: "oomkilled",
		Look: likelihood.Label,
		Means: "The kernel killed a process of the container for memory. Most often the container reached its " +
			"own limit, but it can also be the limit of the pod, or the node's memory. The label can also be " +
			"left over from an earlier kill that did not cause this exit.",
		Do: []Command{doWhy, doDescribe, doKernel},
		Source: "containerd, CRI-O and dockerd set it from the cgroup's count of kills; kubelet " +
			"kuberuntime_container.go toKubeContainerStatus",
	},
	{
		Term: "Error", Is: Reason, Page: "error", Look: likelihood.Code,
		Means: "The container ended with an exit code other than 0. The word says no more than that: the " +
			"code says who ended it, so look it up next (explain 137, explain 1).",
		Do: []Command{doDescribe, doPrevious, doWhy}, Source: "containerd internal/cri/server/helpers.go (errorExitReason)",
	},
	{
		Term: "Completed", Is: Reason, Page: "completed", Look: likelihood.Zero,
		Means: "The container ended with exit 0. In a Job that is success; under restartPolicy Always the " +
			"container restarts, and if it keeps ending it goes into CrashLoopBackOff.",
		Do:     []Command{doWhy, doPrevious, doDescribe},
		Source: "containerd internal/cri/server/helpers.go (completeExitReason)",
	},
	{
		Term: "ContainerCannotRun", Is: Reason, Causes: Weights{causes.StartError: 100},
		Means: "Docker could not start the process: the command does not exist, may not be run, or a mount " +
			"is wrong. The application never ran.",
		Do: []Command{doDescribe, doWhy}, Source: "dockershim and cri-dockerd docker_container.go ContainerStatus",
	},
	{
		Term: "StartError", Is: Reason, Causes: Weights{causes.StartError: 100},
		Says: []string{
			"*OCI runtime create failed", "*failed to create containerd task", "*container_linux.go:",
			"*exec: \"", "*executable file not found in $PATH", "*failed to start containerd task",
		},
		Means: "The runtime could not start the process: the command does not exist, may not be run, or a " +
			"mount or user is wrong. The application never ran.",
		Do: []Command{doDescribe, doWhy}, Source: "containerd internal/cri/server/helpers.go (errorStartReason)",
	},
	{
		Term: "exec format error", Is: Message, Causes: Weights{causes.AppExitError: 60, causes.StartError: 40},
		Says: []string{"*exec format error"},
		Means: "The program is built for another processor than the node has, such as an amd64 image on an arm64 " +
			"node, or a script lacks its #! line. The container ends right after its start.",
		Do: []Command{doDescribe, doDescNode, doWhy}, Source: "Linux errno(3) ENOEXEC; runc",
	},
	{
		Term: "out of memory in the program itself", Is: Message,
		Causes: Weights{causes.AppExitError: 70, causes.AppSignal: 30},
		Says: []string{"*java.lang.OutOfMemoryError", "*JavaScript heap out of memory", "MemoryError",
			"fatal error: runtime: out of memory"},
		Means: "The program reached a limit of its own (the heap of a JVM or of Node.js, an allocation that failed) " +
			"and ended itself, or goes on with an error. The kernel did not kill it: this is not OOMKilled, and a " +
			"higher memory limit alone need not help.",
		Do: []Command{doPrevious, doDescribe, doWhy}, Source: "the JVM, V8, Python, Go",
	},
	{
		Term: "State: Terminated", Is: Reason, Also: []string{"Last State: Terminated"},
		Means: "The container has ended. The state alone says no more: Reason and Exit Code below it say how, so " +
			"look those up.",
		Do: []Command{doDescribe, doWhy}, Source: "kubectl describe pod",
	},
	{
		Term: "ContainerStatusUnknown", Is: Reason, Look: likelihood.Vanished, Page: "containerstatusunknown",
		Says: []string{"The container could not be located when the pod was"},
		Means: "The kubelet no longer found the container in the runtime and wrote exit 137 as a " +
			"placeholder. No process returned 137, and it is not a sign of a memory problem.",
		Do: []Command{doWhy, doStatus, doNode}, Source: "kubelet kubelet_pods.go convertToAPIContainerStatuses",
	},
	{
		Term: "Unknown", Is: Reason, Look: likelihood.Lost,
		Means: "The runtime lost the process and reports exit 255, as after a reboot of the node.",
		Do:    []Command{doWhy, doDescNode}, Source: "containerd internal/cri/server/helpers.go (unknownExitReason)",
	},
	{
		Term: "CrashLoopBackOff", Is: Reason, Also: []string{"crash loop", "crashloop"}, Page: "crashloopbackoff",
		Says: []string{"back-off ", "Back-off restarting failed"}, Facts: "kubelet.backed-off",
		Means: "The container ended again and again, and the kubelet waits before the next start: 10 s, " +
			"then twice as long each time, up to 5 minutes. It is the wait, not the cause; the last exit " +
			"code says more.",
		Causes: Weights{
			causes.AppExitError: 62, causes.AppExitZero: 8, causes.OOMContainerLimit: 10,
			causes.LivenessProbeFailed: 8, causes.StartupProbeFailed: 3, causes.StartError: 5,
			causes.AppSignal: 3, causes.PostStartHookFailed: 1,
		},
		Do: []Command{doWhy, doPrevious, doDescribe}, Source: "kubelet kuberuntime_manager.go doBackOff",
	},
	{
		Term: "ImagePullBackOff", Is: Reason, Page: "imagepullbackoff", Says: []string{"Back-off pulling image"},
		Means: "The image cannot be pulled, and the kubelet waits before it tries again: a wrong name or " +
			"tag, no credentials, a registry that does not answer or limits pulls. The container never " +
			"started.",
		Causes: Weights{causes.CreateError: 100}, Do: []Command{doDescribe, doEvents},
		Source: "kubelet images/types.go ErrImagePullBackOff",
	},
	{
		Term: "ErrImagePull", Is: Reason, Also: []string{"image pull failed"}, Page: "errimagepull",
		Says: []string{"Failed to pull image"},
		Means: "The last try to pull the image failed: a wrong name or tag, no credentials, or a registry " +
			"that does not answer. ImagePullBackOff follows.",
		Causes: Weights{causes.CreateError: 100}, Do: []Command{doDescribe, doEvents},
		Source: "kubelet images/types.go ErrImagePull",
	},
	{
		Term: "ErrImageNeverPull", Is: Reason, Says: []string{"*is not present with pull policy of Never"},
		Means:  "imagePullPolicy is Never, and the node does not have the image.",
		Causes: Weights{causes.CreateError: 100}, Do: []Command{doDescribe},
		Source: "kubelet images/types.go ErrImageNeverPull",
	},
	{
		Term: "InvalidImageName", Is: Reason, Also: []string{"ErrInvalidImageName"},
		Says:   []string{"Failed to apply default image tag", "*couldn't parse image name"},
		Means:  "The name of the image in the spec cannot be read: a blank, a capital letter, or a doubled tag.",
		Causes: Weights{causes.CreateError: 100}, Do: []Command{doDescribe},
		Source: "kubelet images/types.go ErrInvalidImageName",
	},
	{
		Term: "ErrImageInspect", Is: Reason, Also: []string{"ImageInspectError"}, Says: []string{"Failed to inspect image"},
		Means:  "The kubelet could not ask the runtime about the image: the runtime or its disk is in trouble.",
		Causes: Weights{causes.CreateError: 100}, Do: []Command{doDescribe, doUnit},
		Source: "kubelet images/types.go ErrImageInspect",
	},
	{
		Term: "RegistryUnavailable", Is: Reason,
		Means:  "The registry did not answer when the image was to be pulled.",
		Causes: Weights{causes.CreateError: 100}, Do: []Command{doDescribe},
		Source: "kubelet images/types.go, cri-api pkg/errors ErrRegistryUnavailable",
	},
	{
		Term: "SignatureValidationFailed", Is: Reason,
		Means:  "The runtime refused the image: its signature does not fit the node's policy.",
		Causes: Weights{causes.CreateError: 100}, Do: []Command{doDescribe},
		Source: "cri-api pkg/errors ErrSignatureValidationFailed",
	},
	{
		Term: "CreateContainerConfigError", Is: Reason, Page: "createcontainerconfigerror",
		Says: []string{"Error: configmap ", "Error: secret ", "configmap \"", "secret \"", "*couldn't find key "},
		Means: "The kubelet could not put the container's configuration together: a ConfigMap or Secret, or " +
			"a key in one, that the spec names is not there, or runAsNonRoot contradicts the image.",
		Causes: Weights{causes.CreateError: 100}, Do: []Command{doDescribe, doEvents},
		Source: "kubelet kuberuntime_container.go ErrCreateContainerConfig",
	},
	{
		Term: "CreateContainerError", Is: Reason, Says: []string{"*failed to reserve container name", "*is reserved for"},
		Means: "The runtime could not create the container: no command at all, a name that an old container " +
			"still holds, a mount or device that is not there.",
		Causes: Weights{causes.CreateError: 100}, Do: []Command{doDescribe, doUnit},
		Source: "kubelet kuberuntime_container.go ErrCreateContainer",
	},
	{
		Term: "RunContainerError", Is: Reason, Also: []string{"runcontainererror"}, Causes: Weights{causes.StartError: 100},
		Means: "The runtime created the container and could not start it: the command does not exist or may " +
			"not be run, or a mount or user is wrong.",
		Do: []Command{doDescribe, doWhy}, Source: "kubelet container/sync_result.go ErrRunContainer",
	},
	{
		Term: "PreCreateHookError", Is: Reason, Causes: starting,
		Means: "A step of the kubelet before it creates the container failed, as when a device or CPU set " +
			"could not be assigned.",
		Do: []Command{doDescribe, doUnit}, Source: "kubelet kuberuntime_container.go ErrPreCreateHook",
	},
	{
		Term: "PreStartHookError", Is: Reason, Causes: starting,
		Means: "A step of the kubelet between creating and starting the container failed, as when a device " +
			"or CPU set could not be assigned.",
		Do: []Command{doDescribe, doUnit}, Source: "kubelet kuberuntime_container.go ErrPreStartHook",
	},
	{
		Term: "PostStartHookError", Is: Reason, Causes: Weights{causes.PostStartHookFailed: 100},
		Means: "The postStart hook failed, so the kubelet killed the container: it starts the hook and the " +
			"process at the same time, and the hook may be too early.",
		Do: []Command{doDescribe, doWhy, doPrevious}, Source: "kubelet kuberuntime_container.go ErrPostStartHook",
	},
	{
		Term: "ContainerCreating", Is: Reason,
		Means: "The kubelet is creating the pod: it mounts volumes, creates the sandbox, pulls images. If it " +
			"lasts for minutes, the events name what it waits for.",
		Do: []Command{doDescribe, doEvents}, Source: "kubelet kubelet_pods.go convertToAPIContainerStatuses",
	},
	{
		Term: "PodInitializing", Is: Reason,
		Means: "The container waits until the pod's init containers have ended. If it lasts, or comes back " +
			"after a restart, an init container runs, fails, or ran again.",
		Causes: Weights{causes.InitContainerFailed: 70, causes.InitRerun: 15, causes.SandboxDied: 8, causes.NodeReboot: 7},
		Do:     []Command{doDescribe, doPrevious, doWhy}, Source: "kubelet kubelet_pods.go PodInitializing",
	},
	{
		Term: "CreatePodSandboxError", Is: Reason, Also: []string{"ConfigPodSandboxError"},
		Means:  "The pod's sandbox could not be created: the network plugin or the runtime answered with an error.",
		Causes: Weights{causes.CreateError: 100}, Do: []Command{doDescribe, doUnit},
		Source: "kubelet container/sync_result.go ErrCreatePodSandbox",
	},
	{
		Term: "KillContainerError", Is: Reason, Also: []string{"KillPodSandboxError"},
		Means: "The runtime did not end a container or a sandbox that the kubelet asked it to end: a process " +
			"that the kernel cannot kill, or a runtime that hangs.",
		Do: []Command{doDescribe, doUnit}, Source: "kubelet container/sync_result.go ErrKillContainer, ErrKillPodSandbox",
	},
	{
		Term: "Terminating", Is: Reason,
		Means: "The pod is being deleted: it has a deletionTimestamp, and its containers get their grace " +
			"period. It stays where a finalizer, a node that is gone, or a process that cannot be killed " +
			"holds it.",
		Causes: Weights{
			causes.PodDeleted: 80, causes.APIEvicted: 12, causes.TaintEvicted: 5,
			causes.PreemptedByScheduler: 3,
		},
		Do: []Command{doDescribe, doWhy}, Source: "kubectl pkg/printers",
	},
	{
		Term: "ImageVolumeMountFailed", Is: Reason, Also: []string{"RROUnsupported"},
		Causes: Weights{causes.CreateError: 100},
		Means: "The runtime could not mount what the spec asks for: an image as a volume, or a mount that is read-only " +
			"all the way down.",
		Do: []Command{doDescribe, doUnit}, Source: "cri-api pkg/errors ErrImageVolumeMountFailed, ErrRROUnsupported",
	},
	{
		Term: "RestartingAllContainers", Is: Reason, Causes: Weights{causes.RestartAllContainers: 100},
		Means: "A restart rule restarted all containers of the pod, and this one was removed for it (1.35 and later).",
		Do:    []Command{doWhy, doReplay}, Source: "kubelet kubelet_pods.go RestartingAllContainers",
	},
	{
		Term: "EmptyPodSharedPoolError", Is: Reason, Causes: Weights{causes.AdmissionRejected: 100},
		Means: "The kubelet rejected the pod: its containers with exclusive CPUs leave none for the others.",
		Do:    []Command{doStatus, doDescNode}, Source: "kubelet cm/admission/errors.go ErrorReasonEmptyPodSharedPool",
	},
	{
		Term: "RemoveContainerError", Is: Reason, Also: []string{"ResizePodInPlaceError"},
		Means: "The runtime answered with an error when the kubelet removed a container or changed the resources of a " +
			"pod. The kubelet tries again.",
		Do:     []Command{doDescribe, doUnit},
		Source: "kubelet container/sync_result.go ErrRemoveContainer, ErrResizePodInPlace",
	},
}
