package podend_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/podend"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What to do about a pod that was evicted or not admitted depends on who did that and why.
func TestTheAdviceFitsTheReason(t *testing.T) {
	for name, c := range map[string]struct {
		how                       evidence.Ending
		reason, message, says, do string
	}{
		"a device without health": {evidence.EndRejected, "UnexpectedAdmissionError", "Allocate failed due to no healthy " +
			"devices present; cannot allocate unhealthy devices example.com/gpu, which is unexpected", "no healthy devices",
			"check the state of example.com/gpu on n1"},
		"too few devices": {evidence.EndRejected, "UnexpectedAdmissionError", "Allocate failed due to requested number of " +
			"devices unavailable for example.com/gpu. Requested: 4, Available: 0, which is unexpected", "Requested: 4",
			"which pods have example.com/gpu on n1"},
		"labels": {evidence.EndRejected, "NodeAffinity", "Predicate NodeAffinity failed", "NodeAffinity",
			"kubectl get node/n1 --show-labels"},
		"a resource": {evidence.EndRejected, "OutOfcpu", "Node didn't have enough resource: cpu, requested: 1000", "cpu",
			"free cpu on the node"},
		"pressure": {evidence.EndRejected, "Evicted", "The node had condition: [MemoryPressure]. ", "MemoryPressure",
			"find out why the node has MemoryPressure"},
		"a critical pod": {evidence.EndRejected, "UnexpectedAdmissionError", "preemption: error finding a set of pods to " +
			"preempt: no set of running pods found to reclaim resources: [(res: pods, q: 1), ]", "res: pods", "maxPods"},
		"another reason": {evidence.EndRejected, "SomethingNew", "no", "SomethingNew", "compare the node's labels"},
		"a vertical autoscaler": {evidence.EndAPI, "EvictedByVPA", "Pod was evicted by VPA Updater to apply resource " +
			"recommendation.", "by the vertical pod autoscaler's updater", "kubectl get vpa -n shop -o yaml"},
		"a descheduler": {evidence.EndAPI, "Descheduled", "pod evicted from n1 node by sigs.k8s.io/descheduler",
			"by the descheduler", "strategy"},
		"a cluster autoscaler": {evidence.EndAPI, "ScaleDown", "deleting pod for node scale down",
			"by the cluster autoscaler", "safe-to-evict"},
		"too many pods": {evidence.EndRejected, "OutOfpods", "Node didn't have enough resource: pods, requested: 1", "pods",
			"maxPods"},
		"an event of a pod named so": {evidence.EndAPI, "EvictionByEvictionAPI", "evicting kube-system/karpenter-7c5",
			"as kubectl drain does", "find out who evicted it"},
		"a drain": {evidence.EndAPI, "EvictionByEvictionAPI", "Eviction API: evicting", "as kubectl drain does",
			"find out who evicted it"},
	} {
		f := over(c.how, "")
		f.End.Reason, f.End.Message = c.reason, c.message
		for _, r := range podend.Rules() {
			if want := map[evidence.Ending]causes.ID{evidence.EndRejected: causes.AdmissionRejected,
				evidence.EndAPI: causes.APIEvicted}[c.how]; r.ID != want {
				continue
			}
			claim := r.Claim(f)
			do := r.Advise(f, claim)
			if !strings.Contains(claim.Summary, c.says) || !strings.Contains(do[0], c.do) {
				t.Errorf("%s: %q, %q, want %q, %q", name, claim.Summary, do, c.says, c.do)
			}
			if _, command, ok := strings.Cut(do[0], ": kubectl"); ok && strings.ContainsAny(command, ";,") {
				t.Errorf("%s: words behind the command: %s", name, do[0])
			}
		}
	}
}
