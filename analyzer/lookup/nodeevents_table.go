package lookup

import "github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"

const nodeController = "kubernetes pkg/controller/nodelifecycle"

// nodeEvents are the reasons of events about nodes and their kubelets.
var nodeEvents = []Meaning{
	{
		Term: "NodeNotReady", Is: Event, Also: []string{"NotReady", "node not ready"}, Page: "nodenotready",
		Says:   []string{"Node is not ready"},
		Causes: Weights{causes.ReadinessFlip: 45, causes.NodeReboot: 35, causes.TaintEvicted: 20},
		Means: "The control plane got no message from the node's kubelet for 40 s or 50 s, and marks its " +
			"pods as not ready. Containers run on; if the node stays away for 5 minutes its pods are evicted.",
		Do: []Command{doDescNode, doNode}, Source: nodeController,
	},
	{
		Term: "NodeReady", Is: Event,
		Also:  []string{"NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID", "RegisteredNode"},
		Means: normal + "the node is fine (again), or the control plane has just discovered it.",
		Do:    []Command{doDescNode}, Source: "kubelet nodestatus/setters.go; " + nodeController,
	},
	{
		Term: "RemovingNode", Is: Event, Also: []string{"DeletingNode", "NodeNotSchedulable"}, Facts: "node.cordoned",
		Causes: Weights{causes.PodOrphaned: 40, causes.APIEvicted: 60},
		Means:  "The node is being drained or was removed from the cluster, together with its pods.",
		Do:     []Command{doDescNode, doNode}, Source: nodeController,
	},
	{
		Term: "SystemOOM", Is: Event, Causes: Weights{causes.OOMNode: 100}, Says: []string{"System OOM encountered"},
		Means: "The node itself was out of memory, and the kernel killed a process to get some. The message " +
			"names the process; it may belong to a container or to the node itself.",
		Do: []Command{doNode, doKernel, doDescNode}, Source: "kubelet oom/oom_watcher_linux.go", Facts: "node.system-oom",
	},
	{
		Term: "OOMKilling", Is: Event,
		Causes: Weights{causes.OOMContainerLimit: 65, causes.OOMNode: 25, causes.OOMPodLimit: 10},
		Means:  "The node problem detector saw the kernel kill a process for memory.",
		Do:     []Command{doKernel, doNode}, Source: "node-problem-detector config/kernel-monitor.json",
	},
	{
		Term: "Rebooted", Is: Event, Causes: Weights{causes.NodeReboot: 100}, Says: []string{"*has been rebooted, boot id"},
		Means: "The node rebooted: every container on it restarted.",
		Do:    []Command{doNode, doTogether, doDescNode}, Source: "kubelet nodestatus (boot id)",
	},
	{
		Term: "NodeHasInsufficientMemory", Is: Event, Also: []string{"MemoryPressure"},
		Causes: Weights{causes.EvictedMemory: 60, causes.OOMNode: 40},
		Means:  "The node is low on memory: the kubelet will evict pods, or the kernel will kill processes first.",
		Do:     []Command{doDescNode, doNode}, Source: "kubelet nodestatus/setters.go",
	},
	{
		Term: "NodeHasDiskPressure", Is: Event,
		Also:   []string{"DiskPressure", "FreeDiskSpaceFailed", "ImageGCFailed", "ContainerGCFailed"},
		Causes: Weights{causes.EvictedDisk: 100}, Says: []string{"*failed to garbage collect required amount of images"},
		Means: "The node is low on disk space or inodes, and removing images was not enough: the kubelet will evict pods.",
		Do:    []Command{doDescNode, doNode}, Source: "kubelet nodestatus/setters.go, images/image_gc_manager.go",
	},
	{
		Term: "NodeHasInsufficientPID", Is: Event, Also: []string{"PIDPressure"}, Causes: Weights{causes.EvictedPID: 100},
		Means: "The node is low on process IDs: the kubelet will evict pods.",
		Do:    []Command{doDescNode, doNode}, Source: "kubelet nodestatus/setters.go",
	},
	{
		Term: "EvictionThresholdMet", Is: Event, Causes: evicted, Says: []string{"Attempting to reclaim "},
		Facts: "kubelet.eviction-pressure",
		Means: "The node fell below an eviction threshold: the kubelet frees what it can, then evicts pods. " +
			"The message names the resource.",
		Do: []Command{doDescNode, doNode}, Source: "kubelet eviction/eviction_manager.go",
	},
	{
		Term: "Starting", Is: Event,
		Causes: Weights{
			causes.ReadinessFlip: 60, causes.HashKubeletUpgrade: 20, causes.KubeletRestarted: 10,
			causes.AdmissionRejected: 10,
		},
		Says: []string{"Starting kubelet"},
		Means: "The node's kubelet started. Containers keep running, but pods are briefly not ready, " +
			"and another version may see containers as changed and restart them.",
		Do: []Command{doNode, doPreflight}, Source: "kubelet kubelet.go BirthCry",
	},
	{
		Term: "KubeletSetupFailed", Is: Event,
		Means: "The kubelet could not set up the node and exits. Containers keep running without it.",
		Do:    []Command{doUnit, doNode}, Source: kubeletEvents,
	},
	{
		Term: "InvalidDiskCapacity", Is: Event,
		Also: []string{
			"InvalidImageID", "NodeAllocatableEnforced", "NodeSchedulable", "PossibleMemoryBackedVolumesOnDisk",
			"VolumeResizeSuccessful", "FileSystemResizeSuccessful", "VolumePermissionChangeInProgress",
		},
		Means: normal + "a note from the kubelet, most often from its start, that does not end or start a container.",
		Do:    []Command{doDescribe}, Source: kubeletEvents,
	},
}
