package main

// endings are the words of those who end whole pods: reason, message, and who signs them.
var endings = [][3]string{
	{"Evicted", "The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi. ", "kubelet"},
	{"Evicted", "The node had condition: [DiskPressure]. ", "kubelet"},
	{"Preempting", "Preempted in order to admit critical pod", "kubelet"},
	{"DeadlineExceeded", "Pod was active on the node longer than the specified deadline", "kubelet"},
	{"Preempted", "Preempted by pod 0f0e6a52-0b8e-4a57-9f0a-5e2c1b9d0003 on node n1", "default-scheduler"},
	{"TaintManagerEviction", "Marking for deletion Pod shop/web-0", "taint-eviction-controller"},
	{"EvictedByVPA", "Pod was evicted by VPA Updater to apply resource recommendation.", "vpa-updater"},
	{"Descheduled", "pod evicted by sigs.k8s.io/descheduler", "sigs.k8s.io/descheduler"},
	{"ScaleDown", "deleting pod for node scale down", "cluster-autoscaler"},
}
