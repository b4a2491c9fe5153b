package kubeletmsg

import "strings"

// Rejects tells whether a pod's event or status with this reason is a refusal of the kubelet to admit the pod.
func Rejects(reason string) bool { return rejections[reason] || strings.HasPrefix(reason, "OutOf") }

// rejections are the reasons with which the kubelet refuses a pod, besides the
// OutOf… family (kubelet canAdmitPod and pkg/kubelet/lifecycle).
var rejections = map[string]bool{
	"MatchNodeSelector": true, "HostName": true, "PodFitsHostPorts": true, // ≤1.17
	"NodeAffinity": true, "NodeName": true, "NodePorts": true, "TaintToleration": true,
	"UnexpectedAdmissionError": true, "TopologyAffinityError": true, "InvalidNodeInfo": true,
	"UnknownReason": true, "UnexpectedPredicateFailureType": true,
	"PodOSSelectorNodeLabelDoesNotMatch": true, "PodOSNotSupported": true,
	"InitContainerRestartPolicyForbidden": true, "SupplementalGroupsPolicyNotSupported": true,
	"NodeShutdown": true, "Shutdown": true, "FailedNodeDeclaredFeaturesCheck": true,
}
