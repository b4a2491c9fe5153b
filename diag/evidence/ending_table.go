package evidence

// Ending is how a whole pod ended. A pod that ended is never started again under the same UID, unless it is static.
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
	EndDeleted   Ending = "deleted"       // by a deletion, whoever requested it
	EndRemoved   Ending = "removed"       // taken from the kubelet's config: its object or file is gone
)

// NodeLost is the reason that node controllers before v1.13 gave to pods of a node that had stopped reporting
// (kubernetes v1.12 pkg/util/node NodeUnreachablePodReason).
const NodeLost = "NodeLost"

// NetworkNotReady is the reason of a StartFailed of a pod whose node has no network (kubelet.go syncPod). The kubelet
// reports it for pods that run, too, and leaves these as they are.
const NetworkNotReady = "NetworkNotReady"

// EvictedByController is our name for an eviction by a controller: the API's reason alone would look like the
// kubelet's.
const EvictedByController = "EvictedByController"

// The reason of the condition and of the event with which a pod is deleted because of a taint of one of its devices
// (kubernetes v1.33 pkg/controller/devicetainteviction).
const (
	DeletionByDeviceTaint = "DeletionByDeviceTaintManager"
	DeviceTaintEviction   = "DeviceTaintManagerEviction"
)

// EndingOf returns what a reason of a status, condition or event says about a pod's end, "" if nothing. For
// TerminationByKubelet the status has the reason.
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
		DeletionByDeviceTaint, DeviceTaintEviction,
		NodeLost, "NodeControllerEviction": // what the node controller did before taints
		return EndTaint
	case "PreemptionByScheduler", "Preempted":
		return EndScheduler
	case "DeletionByPodGC": // its node was gone
		return EndDeleted
	}
	return ""
}

// ByAPI reports whether the end was requested through the API server.
func (e Ending) ByAPI() bool {
	switch e {
	case EndAPI, EndTaint, EndScheduler, EndDeleted:
		return true
	}
	return false
}
