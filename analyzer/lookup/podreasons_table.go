package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
)

// evicted are the shortages for which the kubelet evicts.
var evicted = Weights{causes.EvictedDisk: 50, causes.EvictedMemory: 45, causes.EvictedPID: 5}

// podReasons are those of a pod that ended or was refused as a whole (status.reason).
var podReasons = []Meaning{
	{
		Term: "Evicted for memory", Is: Message, Causes: Weights{causes.EvictedMemory: 100},
		Also: []string{"low on resource: memory"}, Says: []string{"The node was low on resource: memory"},
		Means: "The kubelet evicted the pod because its node was low on memory. It takes pods first that use more than " +
			"they request; the pod's controller creates another pod.",
		Do: []Command{doDescNode, doStatus, doWhy}, Source: "kubelet eviction/helpers.go evictionMessage",
	},
	{
		Term: "Evicted for process IDs", Is: Message, Causes: Weights{causes.EvictedPID: 100},
		Also: []string{"low on resource: pids"}, Says: []string{"The node was low on resource: pids"},
		Means: "The kubelet evicted the pod because its node was low on process IDs; the pod's controller creates " +
			"another pod.",
		Do: []Command{doDescNode, doStatus, doWhy}, Source: "kubelet eviction/helpers.go evictionMessage",
	},
	{
		Term: "Evicted for disk", Is: Message, Causes: Weights{causes.EvictedDisk: 100},
		Also: []string{"low on resource: ephemeral-storage", "low on resource: inodes"},
		Says: []string{
			"The node was low on resource: ephemeral-storage", "The node was low on resource: inodes",
			"The node was low on resource: nodefs", "The node was low on resource: imagefs",
			"The node was low on resource: containerfs", "Pod ephemeral local storage usage exceeds",
			"Usage of EmptyDir volume ", "*exceeded its local ephemeral storage limit",
			"*ephemeral local storage usage exceeds",
		},
		Means: "The kubelet evicted the pod because its node was low on disk space or inodes, or because the pod used more " +
			"disk than its own limit; the pod's controller creates another pod.",
		Do: []Command{doDescNode, doStatus, doWhy}, Source: "kubelet eviction/helpers.go, eviction_manager.go",
	},
	{
		Term: "Evicted", Is: Reason, Page: "evicted", Causes: evicted,
		Says: []string{"The node was low on resource: ", "*, request is "},
		Means: "The kubelet evicted the pod because its node was low on memory, disk or process IDs, or " +
			"because the pod used more disk than its limit. The pod's message names the resource; its controller " +
			"creates another pod.",
		Do: []Command{doStatus, doDescNode, doWhy}, Source: "kubelet eviction/helpers.go (Reason)",
	},
	{
		Term: "DeadlineExceeded", Is: Reason, Causes: Weights{causes.DeadlineExceeded: 100},
		Says: []string{
			"Pod was active on the node longer than the specified deadline",
			"Job was active longer than specified deadline",
		},
		Means: "The pod ran for longer than its activeDeadlineSeconds, or its Job did, and was ended.",
		Do:    []Command{doStatus, doDescribe}, Source: "kubelet active_deadline.go; job controller",
	},
	{
		Term: "Preempting", Is: Reason, Also: []string{"PreemptContainer"}, Causes: Weights{causes.PreemptedByKubelet: 100},
		Says:  []string{"Preempted in order to admit critical pod"},
		Means: "The kubelet preempted the pod to make room for a critical one on the same node.",
		Do:    []Command{doStatus, doDescNode, doWhy}, Source: "kubelet preemption/preemption.go",
	},
	{
		Term: "Terminated", Is: Reason, Also: []string{"NodeShutdown", "Shutdown", "node shutdown"},
		Causes: Weights{causes.NodeShutdown: 100}, Facts: "kubelet.node-shutdown",
		Says: []string{
			"Pod was terminated in response to imminent node shutdown",
			"Pod was rejected as the node is shutting down", "Node is shutting down",
		},
		Means: "As the reason of a pod: its node was shut down gracefully, and the kubelet stopped the pod, or " +
			"rejected it because the shutdown had begun. As the state of a container it says only that it ended.",
		Do: []Command{doStatus, doNode, doDescNode}, Source: "kubelet nodeshutdown/nodeshutdown_manager_linux.go",
	},
	{
		Term: "NodeLost", Is: Reason, Also: []string{"NodeUnreachable"},
		Causes: Weights{causes.NodeReboot: 60, causes.TaintEvicted: 40}, Says: []string{"*which was running pod"},
		Means: "The control plane has not heard from the node: it is down, cut off, or its kubelet does not " +
			"run. The pod's containers may still be running there.",
		Do: []Command{doDescNode, doNode}, Source: "kubernetes pkg/util/node NodeUnreachablePodReason",
	},
	{
		Term: "UnexpectedAdmissionError", Is: Reason, Causes: Weights{causes.AdmissionRejected: 100},
		Says: []string{"Allocate failed due to", "Pod was rejected: Allocate failed"},
		Means: "The kubelet rejected the pod because a device, CPU set or memory could not be given. After a " +
			"restart of the kubelet it admits running pods again, and can refuse one before its device " +
			"plugin is back.",
		Do: []Command{doStatus, doNode, doWhy}, Source: "kubelet lifecycle/handlers.go, cm/devicemanager",
	},
	{
		Term: "NodeAffinity", Is: Reason, Also: []string{"MatchNodeSelector", "NodeName", "HostName"},
		Causes: Weights{causes.AdmissionRejected: 100},
		Says: []string{
			"Predicate NodeAffinity failed", "Predicate MatchNodeSelector failed",
			"Pod was rejected: Predicate",
		},
		Means: "The kubelet rejected the pod because the node's labels do not fit its selector or affinity. " +
			"It happens after a restart of the kubelet or the node, before the labels are known, or when a " +
			"label was changed.",
		Do: []Command{doStatus, doDescNode, doWhy}, Source: "kubelet lifecycle/predicate.go",
	},
	{
		Term: "OutOfcpu", Is: Reason,
		Also:   []string{"OutOfmemory", "OutOfpods", "OutOfephemeral-storage", "OutOfnvidia.com/gpu"},
		Causes: Weights{causes.AdmissionRejected: 100},
		Says: []string{
			"Node didn't have enough resource", "Pod Node didn't have enough resource",
			"Pod was rejected: Node didn't have enough resource",
		},
		Means: "The kubelet rejected the pod because the node did not have enough of the resource left, " +
			"although it was scheduled there: other pods were counted, or the node came back with less.",
		Do: []Command{doStatus, doDescNode}, Source: "kubelet lifecycle/predicate.go (OutOf + resource)",
	},
	{
		Term: "NodePorts", Is: Reason, Also: []string{"PodFitsHostPorts"}, Causes: Weights{causes.AdmissionRejected: 100},
		Means: "The kubelet rejected the pod because another pod on the node has its host port.",
		Do:    []Command{doStatus, doDescNode}, Source: "kubelet lifecycle/predicate.go",
	},
	{
		Term: "TaintToleration", Is: Reason, Causes: Weights{causes.AdmissionRejected: 100},
		Means: "The kubelet rejected a static pod that does not tolerate a NoExecute taint of its node.",
		Do:    []Command{doStatus, doDescNode}, Source: "kubelet lifecycle/predicate.go",
	},
	{
		Term: "TopologyAffinityError", Is: Reason, Causes: Weights{causes.AdmissionRejected: 100},
		Says: []string{"Resources cannot be allocated with Topology locality"},
		Means: "The kubelet rejected the pod because CPUs, memory and devices are not free on NUMA nodes that " +
			"fit together.",
		Do: []Command{doStatus, doDescNode}, Source: "kubelet cm/topologymanager",
	},
	{
		Term: "PodOSNotSupported", Is: Reason,
		Also: []string{"PodOSSelectorNodeLabelDoesNotMatch", "InvalidNodeInfo",
			"InitContainerRestartPolicyForbidden", "SupplementalGroupsPolicyNotSupported",
			"PodLevelResourcesNotSupported", "PodFeatureUnsupported",
			"UnknownReason",
			"UnexpectedPredicateFailureType",
			"FailedNodeDeclaredFeaturesCheck",
			"AppArmor",
			"SysctlForbidden"},
		Causes: Weights{causes.AdmissionRejected: 100},
		Means: "The kubelet rejected the pod because the node, its system or its version does not support " +
			"what the spec asks for. The pod's message says what.",
		Do: []Command{doStatus, doDescNode}, Source: "kubelet lifecycle/handlers.go, lifecycle/predicate.go",
	},
}
