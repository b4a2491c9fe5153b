package kubeletmsg

import "strings"

// Rejects reports whether a pod's event or status with this reason means that the kubelet refused to admit the pod.
func Rejects(reason string) bool { return rejections[reason] || strings.HasPrefix(reason, "OutOf") }

// Refused reports whether an event of a pod is such a refusal. Since 1.14 an Evicted that names a condition of the node
// is one; an Evicted that names a resource is an eviction.
func Refused(reason, message string) bool {
	return Rejects(reason) || reason == "Evicted" && strings.HasPrefix(message, "The node had condition:")
}

// rejections are the reasons with which the kubelet refuses a pod, apart from the OutOf… family (kubelet canAdmitPod
// and pkg/kubelet/lifecycle).
var rejections = map[string]bool{
	"MatchNodeSelector": true, "HostName": true, "PodFitsHostPorts": true, // ≤1.17
	"NodeAffinity": true, "NodeName": true, "NodePorts": true, "TaintToleration": true,
	"UnexpectedAdmissionError": true, "TopologyAffinityError": true, "InvalidNodeInfo": true,
	"Topology Affinity Error": true, // 1.16–1.17, cm/topologymanager/topology_manager.go
	"UnknownReason":           true, "UnexpectedPredicateFailureType": true,
	"PodOSSelectorNodeLabelDoesNotMatch": true, "PodOSNotSupported": true,
	"InitContainerRestartPolicyForbidden": true, "SupplementalGroupsPolicyNotSupported": true,
	"NodeShutdown": true, "Shutdown": true, "FailedNodeDeclaredFeaturesCheck": true,
	"SysctlForbidden": true, "InvalidSysctlAnnotation": true, // sysctl/allowlist.go, the latter ≤1.20
	"AppArmor": true, "PodLevelResourcesNotSupported": true, "PodFeatureUnsupported": true,
}
