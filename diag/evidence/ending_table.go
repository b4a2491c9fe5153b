package evidence

// Ending is how a whole pod came to its end. A pod that ended is never started
// again under the same UID, unless it is static.
type Ending string

// The endings.
const (
	EndEvicted   Ending = "evicted"       // by the kubelet, for a resource of the node
	EndPreempted Ending = "preempted"     // by the kubelet, for a critical pod
	EndRejected  Ending = "rejected"      // by the kubelet's admission
	EndDeadline  Ending = "deadline"      // activeDeadlineSeconds
	EndShutdown  Ending = "shutdown"      // by the kubelet's node shutdown manager
	EndAPI       Ending = "api-evicted"   // through the eviction API
	EndTaint     Ending = "taint-evicted" // by the taint manager
	EndScheduler Ending = "scheduler"     // by the scheduler, for a pod of higher priority
	EndDeleted   Ending = "deleted"       // by a deletion, whoever asked for it
	EndRemoved   Ending = "removed"       // taken from the kubelet's config: its object or file is gone
)

// NodeLost is the reason that node controllers before v1.13 gave pods of a node that had
// stopped reporting (kubernetes v1.12 pkg/util/node NodeUnreachablePodReason).
const NodeLost = "NodeLost"

// EvictedByController is what an eviction is called here whose reason alone would be the kubelet's.
const EvictedByController = "EvictedByController"

// EndingOf is what a reason of a status, a condition or an event says of a pod's end, "" if nothing: that it was the
// kubelet (TerminationByKubelet) is told by the status.
func EndingOf(reason string) Ending {
	switch reason {
	case "Evicted":
		return EndEvicted
	case "Preempting":
		return EndPreempted
	case "DeadlineExceeded":
		return EndDeadline
	case "Terminated", "Shutdown", "NodeShutdown": // kubelet nodeshutdown_manager_linux.go
		return EndShutdown
	case "EvictionByEvictionAPI", "EvictedByVPA", "Descheduled", "ScaleDown", EvictedByController:
		return EndAPI
	case "DeletionByTaintManager", "TaintManagerEviction",
		NodeLost, "NodeControllerEviction": // what the node controller did before taints
		return EndTaint
	case "PreemptionByScheduler", "Preempted":
		return EndScheduler
	case "DeletionByPodGC": // its node was gone
		return EndDeleted
	}
	return ""
}

// ByAPI tells the endings that the API server was asked for.
func (e Ending) ByAPI() bool {
	switch e {
	case EndAPI, EndTaint, EndScheduler, EndDeleted:
		return true
	}
	return false
}
