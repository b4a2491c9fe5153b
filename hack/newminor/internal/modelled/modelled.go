// Package modelled lists the functions of Kubernetes that this program reimplements, and where: the places to check if
// a release changes one of them.
//
// It imports nothing of this module, and knows nothing of a release's source.
package modelled

// Part is a function, variable or constant of Kubernetes.
type Part struct {
	// Package below k8s.io/kubernetes, and Name: "computePodActions", or "worker.doProbe" of a type.
	Package, Name string
	// File and Func of ours, below the root of this repository.
	File, Func string
}

// Key names a part in an inventory.
func (p Part) Key() string { return p.Package + "." + p.Name }

const (
	runtime   = "pkg/kubelet/kuberuntime"
	container = "pkg/kubelet/container"
	kubelet   = "pkg/kubelet"
	prober    = "pkg/kubelet/prober"
	lifecycle = "pkg/kubelet/lifecycle"
	config    = "pkg/kubelet/config"
	allocate  = "pkg/kubelet/allocation"
	manager   = "kubeGenericRuntimeManager."

	decide    = "analyzer/kubelet/decide/"
	probe     = "analyzer/kubelet/probe/"
	worker    = "test/oracle/internal/worker/"
	hash      = "analyzer/kubelet/hash/"
	static    = "analyzer/kubelet/staticpod/"
	preflight = "analyzer/preflight/"
)

// Parts are listed in the order of a kubelet's decision.
var Parts = []Part{
	{kubelet, "Kubelet.SyncPod", decide + "before.go", "before"},
	{kubelet, "Kubelet.syncPod", decide + "before.go", "before"},
	{kubelet, "Kubelet.generateAPIPodStatus", decide + "derive.go", "endPhase"},
	{kubelet, "getPhase", decide + "derive.go", "endPhase"},
	{kubelet, "Kubelet.HandlePodAdditions", preflight + "admission.go", "refused"},
	{kubelet, "Kubelet.HandlePodUpdates", decide + "before.go", "before"},
	{kubelet, "Kubelet.HandlePodReconcile", decide + "before.go", "before"},
	{kubelet, "handleProbeSync", worker + "simulate.go", "Simulate"},
	{kubelet, "newCrashLoopBackOff", decide + "backoff.go", "BackOffLimits"},
	{kubelet, "podWorkers.UpdatePod", decide + "before.go", "before"},
	{runtime + "/util", "PodSandboxChanged", decide + "sandbox.go", "sandboxChanged"},
	{runtime + "/util", "NetworkNamespaceForPod", decide + "sandbox.go", "networkModeDiffers"},
	{runtime, manager + "computePodActions", decide + "compute.go", "compute"},
	{runtime, manager + "computeInitContainerActions", decide + "initactions.go", "initActions"},
	{runtime, "findNextInitContainerToRun", decide + "initnext.go", "nextInit"},
	{runtime, manager + "getContainersToReset", decide + "reset.go", "toReset"},
	{runtime, "containerChanged", decide + "regular.go", "hashDiffers"},
	{runtime, "containerSucceeded", decide + "compute.go", "succeeded"},
	{runtime, "shouldRestartOnFailure", decide + "compute.go", "mayRestart"},
	{runtime, manager + "SyncPod", decide + "decide.go", "Decide"},
	{runtime, manager + "doBackOff", decide + "backoff.go", "backOff"},
	{runtime, manager + "killContainer", decide + "kill.go", "text"},
	{runtime, manager + "GetPodStatus", decide + "status.go", "find"},
	{runtime, "calcRestartCountByLogDir", decide + "logcount.go", "CountFromLogs"},
	{runtime, "containerGC.evictContainers", decide + "status.go", "find"},
	{runtime, manager + "computePodResizeAction", decide + "resize.go", "resize"},
	{runtime, manager + "computePodLevelResourcesResizeAction", decide + "resize.go", "resize"},
	{runtime, manager + "startingResizedContainer", decide + "resize.go", "resize"},
	{runtime, manager + "validateMemoryResizeAction", decide + "resize.go", "resize"},
	{runtime, manager + "InitializeActuatedPod", decide + "resize.go", "resources"},
	{runtime, manager + "UpdateActuatedPodLevelResources", decide + "resize.go", "resources"},
	{runtime, "containerResourcesFromRequirements", decide + "resize.go", "amountsOf"},
	{allocate, "IsInPlacePodVerticalScalingAllowed", decide + "resize.go", "mayResize"},
	{allocate, "manager.canAdmitPod", preflight + "admission.go", "refused"},
	{container, "HashContainer", hash + "hash.go", "hashEra"},
	{container, "pickFieldsToHash", hash + "hash.go", "hashEra"},
	{container, "ShouldContainerBeRestarted", decide + "restart.go", "shouldRestart"},
	{container, "ShouldAllContainersRestart", decide + "reset.go", "resetAll"},
	{container, "AllContainersRestartCleanedUp", decide + "reset.go", "whyReset"},
	{container, "HasAnyRegularContainerStarted", decide + "compute.go", "wasInitialized"},
	{container, "HasAnyActiveRegularContainerStarted", decide + "compute.go", "wasInitialized"},
	{container, "PodStatus.FindContainerStatusByName", decide + "status.go", "find"},
	{container, "PodStatus.FindActiveContainerStatusByName", decide + "status.go", "find"},
	{"pkg/util/hash", "DeepHashObject", static + "staticpod_test.go", "uidOf"},
	{config, "applyDefaults", static + "staticpod_test.go", "uidOf"},
	{config, "tryDecodeSinglePod", static + "staticpod_test.go", "uidOf"},
	{config, "generatePodName", "diag/internal/kubeletdir/manifests.go", "observe"},
	{prober, "manager.AddPod", probe + "restart.go", "AfterRestart"},
	{prober, "manager.UpdatePodStatus", probe + "restart.go", "shown"},
	{prober, "manager.setReadyStateOnKubeletRestart", probe + "restart.go", "AfterRestart"},
	{prober, "manager.StopLivenessAndStartup", worker + "simulate.go", "Simulate"},
	{prober, "newWorker", worker + "simulate.go", "Simulate"},
	{prober, "worker.run", worker + "simulate.go", "Simulate"},
	{prober, "worker.doProbe", worker + "worker.go", "before"},
	{prober, "prober.probe", worker + "worker.go", "after"},
	{prober, "prober.runProbeWithRetries", worker + "worker.go", "after"},
	{prober, "prober.runProbe", worker + "worker.go", "after"},
	{lifecycle, "predicateAdmitHandler.Admit", preflight + "admission.go", "refused"},
	{lifecycle, "predicateAdmitHandler.generalFilter", preflight + "admission.go", "refused"},
	{lifecycle, "generalFilter", preflight + "admission.go", "refused"},
	{lifecycle, "rejectPodAdmissionBasedOnOSSelector", preflight + "admission.go", "refused"},
	{lifecycle, "rejectPodAdmissionBasedOnOSField", preflight + "admission.go", "refused"},
	{kubelet + "/sysctl", "patternAllowlist.Admit", preflight + "admission.go", "refused"},
	{lifecycle, "appArmorAdmitHandler.Admit", decide + "before.go", "rejected"},
	{lifecycle, "podFeaturesAdmitHandler.Admit", preflight + "admission.go", "refused"},
	{lifecycle, "declaredFeaturesAdmitHandler.Admit", preflight + "admission.go", "refused"},
	{kubelet + "/eviction", "managerImpl.Admit", preflight + "admission.go", "refused"},
	{kubelet, "newNodeHasSyncedFunc", preflight + "admission.go", "refused"},
	{"pkg/apis/core/v1/helper/qos", "ComputePodQOS", preflight + "qos.go", "qosOf"},
	{kubelet, "MaxCrashLoopBackOff", decide + "backoff.go", "BackOffLimits"},
	{kubelet, "initialCrashLoopBackOff", decide + "backoff.go", "BackOffLimits"},
	{kubelet, "backOffPeriod", decide + "backoff.go", "BackOffLimits"},
}
