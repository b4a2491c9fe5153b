package lookup

// Command is a command that helps to decide, and what it shows. POD, CONTAINER and NODE are placeholders.
type Command struct{ Line, For string }

var (
	doWhy      = Command{"kubectl restartwhy POD", "the cause of each restart of the pod, with its proof"}
	doLogs     = Command{"kubectl restartwhy POD --evidence logs", "the same with the log of the pod's kubelet"}
	doDescribe = Command{"kubectl describe pod POD", "last state, exit code, limits, probes, and events of the last hour"}
	doPrevious = Command{"kubectl logs POD -c CONTAINER --previous", "the last log lines of the container that ended"}
	doEvents   = Command{"kubectl get events --field-selector involvedObject.name=POD",
		"what the kubelet and others said about the pod"}
	doStatus = Command{"kubectl get pod POD -o jsonpath='{.status.reason}: {.status.message}'",
		"why the pod ended as a whole"}
	doNode      = Command{"kubectl restartwhy node NODE", "what restarted on the node, and what the node did then"}
	doDescNode  = Command{"kubectl describe node NODE", "conditions, pressure, taints and reboots of the node"}
	doHash      = Command{"kubectl restartwhy hash POD", "which kubelet, from which spec, computed the stored hash"}
	doPreflight = Command{"kubectl restartwhy preflight --to v1.37", "which containers an upgrade of kubelets restarts"}
	doTogether  = Command{"kubectl restartwhy incidents -A", "what restarted together, and the shared root"}
	doKernel    = Command{"journalctl -k -g 'oom-kill|Out of memory'",
		"on the node: which process the kernel killed, and whose limit was reached"}
	doUnit = Command{"journalctl -u kubelet -u containerd -u crio -u docker",
		"on the node: the log of the kubelet and of the runtime"}
	doReplay = Command{"kubectl restartwhy replay POD", "the kubelet's decision about the pod, branch by branch"}
)
