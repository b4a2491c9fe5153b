package podend

import (
	"regexp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
)

// admissions are the reasons and messages of a kubelet that does not admit a pod (kubelet lifecycle/predicate.go,
// cm/devicemanager/manager.go, preemption/preemption.go, eviction/eviction_manager.go). The sentence quotes them.
var admissions = []causes.KnownMessage{
	{Message: regexp.MustCompile(`unhealthy devices? ([\w./-]*\w)`),
		Advice: "check the state of $1 on NODE and its device plugin's pod: kubectl get pods -A -o wide --field-selector " +
			"spec.nodeName=NODE"},
	{Message: regexp.MustCompile(`number of devices unavailable for ([\w./-]*\w)`),
		Advice: "see which pods have $1 on NODE, and whether its device plugin has registered since the kubelet started: " +
			"kubectl describe node/NODE"},
	{Message: regexp.MustCompile(`unable to reach|unregistered resource`),
		Advice: "check the device plugin's pod: kubectl get pods -A -o wide --field-selector spec.nodeName=NODE"},
	{Message: regexp.MustCompile(`no space left on device`),
		Advice: "free disk space on NODE: the kubelet could not write its checkpoint there"},
	{Message: regexp.MustCompile(`no set of running pods found to reclaim resources`),
		Advice: "make room for this critical pod (res: pods is the kubelet's maxPods): kubectl describe node/NODE"},
	{Message: regexp.MustCompile(`NodeAffinity|MatchNodeSelector`),
		Advice: "compare the node's labels with the pod's nodeSelector and affinity: kubectl get node/NODE --show-labels"},
	{Message: regexp.MustCompile(`(?i)topology ?affinity ?error|SMTAlignmentError|not enough cpus available`),
		Advice: "lower the pod's CPU request, or change topologyManagerPolicy and cpuManagerPolicyOptions in the kubelet's " +
			"configuration on NODE"},
	{Message: regexp.MustCompile(`conditions?: \[(\w+)`),
		Advice: "find out why the node has $1; until that is over its kubelet admits only some pods: " +
			"kubectl describe node/NODE"},
	{Message: regexp.MustCompile(`OutOfpods|enough resource: pods`),
		Advice: "the node runs as many pods as its kubelet allows (maxPods): kubectl describe node/NODE"},
	{Message: regexp.MustCompile(`(?:OutOf|not? ?have enough resource: |enough resource: )([\w./-]*\w)`),
		Advice: "free $1 on the node, or lower the pod's request; pods that are still ending count until they are gone: " +
			"kubectl describe node/NODE"},
}

// evictors are those who evict pods through the API and write an event about it: the vertical autoscaler's updater, the
// descheduler, the cluster autoscaler and Karpenter.
var evictors = []causes.KnownMessage{
	{Message: regexp.MustCompile(`^EvictedByVPA\b|VPA Updater`),
		Words: "the pod was evicted by the vertical pod autoscaler's updater",
		Advice: "nothing, if other requests were wanted; otherwise see the recommendation, minAllowed, maxAllowed and " +
			"updateMode: kubectl get vpa -n NAMESPACE -o yaml"},
	{Message: regexp.MustCompile(`^Descheduled\b|sigs\.k8s\.io/descheduler|by (?:the )?descheduler\b`),
		Words:  "the pod was evicted by the descheduler",
		Advice: "see which strategy of the descheduler's policy chose it: its log, and ConfigMap descheduler"},
	{Message: regexp.MustCompile(`^ScaleDown\b|deleting pod for node scale ?down`),
		Words: "the pod was evicted by the cluster autoscaler, which removed the node",
		Advice: "nothing, if another pod took over; the annotation cluster-autoscaler.kubernetes.io/safe-to-evict: " +
			"\"false\" keeps a pod's node"},
	{Message: regexp.MustCompile(`Evicted pod: (?:Underutilized|Empty|Drifted|Expired|Interrupted)`),
		Words: "the pod was evicted by Karpenter, which removed the node",
		Advice: "the annotation karpenter.sh/do-not-disrupt keeps a pod's node from consolidation and drift; why this one " +
			"was removed: kubectl get events -A --field-selector involvedObject.kind=NodeClaim"},
}
