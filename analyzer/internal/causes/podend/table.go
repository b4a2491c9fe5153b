package podend

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// table lists the causes of this family.
func table() []cause {
	return []cause{
		{
			id: causes.EvictedMemory, title: "The kubelet evicted the pod: the node was low on memory", how: evidence.EndEvicted,
			fits: low("memory"),
			what: evicted("memory"), shared: "an eviction for memory",
			actions: causes.Always("see what the pods use: kubectl top pods -A --sort-by=memory",
				"give the pod a memory request that covers its use: pods above their request are evicted first"),
		},
		{
			id: causes.EvictedDisk, title: "The kubelet evicted the pod: the node was low on disk, or the pod used more than " +
				"its limit", how: evidence.EndEvicted,
			fits: low("disk"), what: evicted("disk"), shared: "an eviction for disk space",
			actions: func(f *finding.Findings) []string {
				if f.End.OwnLimit {
					return []string{"find out what it writes, and where: logs, caches, an emptyDir",
						"raise the limit (resources.limits.ephemeral-storage, emptyDir.sizeLimit) only if it really needs more"}
				}
				return []string{
					causes.Named(f, "see what fills the node's disk: kubectl get --raw /api/v1/nodes/{NODE}/proxy/stats/summary"),
					"limit what the pod writes: resources.limits.ephemeral-storage, emptyDir.sizeLimit"}
			},
		},
		{
			id: causes.EvictedPID, title: "The kubelet evicted the pod: the node was low on process IDs",
			how:  evidence.EndEvicted,
			fits: low("pids"),
			what: evicted("process IDs"), shared: "an eviction for process IDs",
			actions: causes.Always("find out what starts so many processes and threads: on {the node}, "+
				"ps -eo nlwp,pid,comm --sort=-nlwp", "podPidsLimit in the kubelet's configuration limits each pod"),
		},
		{
			id: causes.PreemptedByKubelet, title: "The kubelet preempted the pod to make room for a critical one",
			how: evidence.EndPreempted, shared: "a preemption for a critical pod",
			what: says("the kubelet on {node} preempted the pod to admit a critical one"),
			actions: causes.Always(
				"leave room for static and critical pods on the node: kubectl describe node/{NODE}"),
		},
		{
			id: causes.AdmissionRejected, title: "The kubelet rejected the pod when it checked admission again",
			how: evidence.EndRejected, shared: "pods rejected at re-admission", messages: admissions,
			what: func(f *finding.Findings) string {
				return quoted("the kubelet on "+causes.Node(f)+" did not admit the pod ("+said(&f.End)+")", f)
			},
			actions: func(f *finding.Findings) []string {
				do := causes.Named(f, "compare the node's labels, taints, devices and free resources with what the pod "+
					"requests: kubectl describe node/{NODE}")
				if told, ok := causes.ReadMessage(admissions, because(f), f); ok {
					do = told.Advice
				}
				return []string{do, "a kubelet checks admission again for every pod when it starts"}
			},
		},
		{
			id: causes.DeadlineExceeded, title: "The pod exceeded its activeDeadlineSeconds", how: evidence.EndDeadline,
			what:    func(*finding.Findings) string { return "the pod ran longer than its activeDeadlineSeconds" },
			actions: causes.Always("raise activeDeadlineSeconds of the pod or job, or make the work shorter"),
		},
		{
			id: causes.NodeShutdown, title: "The node was shut down gracefully",
			how: evidence.EndShutdown, shared: "a graceful shutdown of the node",
			what: func(f *finding.Findings) string {
				if f.End.Refused {
					return quoted(causes.TheNode(f)+" was being shut down, and its kubelet did not admit the pod", f)
				}
				return causes.TheNode(f) + " was about to shut down, and its kubelet stopped the pods first"
			},
			actions: causes.Always("find out who shut the node down: on the node, journalctl -u systemd-logind; spot and " +
				"preemptible machines are shut down by their cloud"),
		},
		{
			id: causes.APIEvicted, title: "The pod was evicted through the API, as a drain does",
			how: evidence.EndAPI, shared: "a drain", messages: evictors,
			what: func(f *finding.Findings) string {
				if by, ok := causes.ReadMessage(evictors, because(f), f); ok {
					return quoted(by.Words, f)
				}
				return quoted("the pod was evicted through the API, as kubectl drain does", f)
			},
			actions: func(f *finding.Findings) []string {
				if strings.HasPrefix(f.End.Message, evidence.RequestedBy) {
					return []string{asked}
				}
				if by, ok := causes.ReadMessage(evictors, because(f), f); ok {
					return []string{by.Advice}
				}
				return []string{causes.Named(f, "find out who evicted it: a drain (the node is then unschedulable), an "+
					"autoscaler, a descheduler: kubectl describe node/{NODE}"),
					"the API server's audit log shows who requested the eviction (verb create, resource pods/eviction)"}
			},
		},
		{
			id: causes.TaintEvicted, title: "The pod did not tolerate a taint of its node",
			how: evidence.EndTaint, shared: "a NoExecute taint",
			what: func(f *finding.Findings) string {
				if f.End.Reason == evidence.NodeLost || f.End.Reason == "NodeControllerEviction" {
					return quoted(causes.TheNode(f)+" stopped reporting, and the node controller evicted its pods", f)
				}
				if ofDevice(f) {
					return quoted("a device of the pod got a NoExecute taint that the pod does not tolerate", f)
				}
				return quoted(causes.TheNode(f)+" got a NoExecute taint that the pod does not tolerate", f)
			},
			actions: func(f *finding.Findings) []string {
				if ofDevice(f) {
					return []string{"find the device's taint, and who set it: kubectl get devicetaintrules,resourceslices -o yaml",
						"see which device the pod has: its ResourceClaim's status names it"}
				}
				return []string{causes.Named(f, "check the node's taints and when they were added: "+
					"kubectl get node/{NODE} -o jsonpath='{.spec.taints}'"),
					"node.kubernetes.io/unreachable and not-ready mean that the node stopped reporting"}
			},
		},
		{
			id: causes.PreemptedByScheduler, title: "The scheduler preempted the pod for one of higher priority",
			how:  evidence.EndScheduler,
			what: says("the scheduler preempted the pod to make room for one of higher priority"),
			actions: causes.Always("see the priorities on the node: kubectl get pods -A -o custom-columns="+
				"POD:.metadata.name,PRIORITY:.spec.priority --field-selector spec.nodeName={NODE}",
				"add capacity, or raise this pod's priority (priorityClassName)"),
		},
		{
			id: causes.PodOrphaned, title: "The pod's object was gone, so the kubelet stopped what was left of the pod",
			how:  evidence.EndRemoved,
			fits: func(e *finding.PodEnd) bool { return e.Successor == nil && (e.Origin == "" || e.Origin == "api") },
			what: func(f *finding.Findings) string {
				if f.End.Unwanted {
					return "the kubelet stopped what was left of a pod that it did not have to run any longer"
				}
				return "the pod's object was gone from the API server, and the kubelet stopped what was left of the pod"
			},
			actions: causes.Always(
				"the API server's audit log shows who force-deleted the pod (verb delete, grace period 0)"),
		},
		{
			id: causes.PodDeleted, title: "The pod was deleted", how: evidence.EndDeleted,
			fits: func(e *finding.PodEnd) bool { return e.Successor == nil },
			what: func(f *finding.Findings) string {
				if f.End.By != "" {
					return quoted("the pod was deleted through the API by "+f.End.By, f)
				}
				if f.End.ByOwner {
					who := "its controller"
					if f.R.Pod != nil && f.R.Pod.Owner.Kind != "" {
						who = owner(f)
					}
					return quoted("the pod was deleted by "+who+", as in a rollout or when it is scaled down", f)
				}
				return quoted("the pod was deleted through the API"+by(f), f)
			},
			actions: func(f *finding.Findings) []string {
				if f.End.By != "" {
					return []string{asked}
				}
				if f.End.ByOwner {
					return []string{"nothing, if a rollout or a smaller scale was intended",
						"see what its controller did (ScalingReplicaSet, SuccessfulDelete): kubectl get events -n " +
							report.Quote(f.R.Namespace)}
				}
				const audit = "the API server's audit log shows who deleted it (verb delete, resource pods)"
				if f.R.Pod == nil || f.R.Pod.Owner.Kind == "" {
					return []string{audit}
				}
				return []string{"check whether its owner replaced it, as in a rollout: kubectl get events -n " +
					report.Quote(f.R.Namespace) + " --field-selector involvedObject.kind=" + report.Quote(f.R.Pod.Owner.Kind), audit}
			},
		},
	}
}

// because returns what is said of a pod's end: its reason and message.
func because(f *finding.Findings) string { return f.End.Reason + ": " + f.End.Message }

// asked is what to do about an end whose author an audit log names.
const asked = "nothing, if it was intended; otherwise ask whom the audit log names"

// by returns what is known of who deletes a pod: its controller does in a rollout.
func by(f *finding.Findings) string {
	if f.R.Pod == nil || f.R.Pod.Owner.Kind == "" {
		return ""
	}
	return "; it belongs to " + owner(f)
}

// owner returns the controller of a pod that has one.
func owner(f *finding.Findings) string {
	return f.R.Pod.Owner.Kind + " " + f.R.Pod.Owner.Name
}
