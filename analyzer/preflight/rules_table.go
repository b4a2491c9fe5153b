package preflight

// The rules that items name. Those that explain a restart are causes of the catalogue by the same name, so that what was
// predicted can be compared with what is found afterwards.
const (
	ruleHash       = "hash-kubelet-upgrade"
	ruleOtherHash  = "spec-changed"
	ruleStatic     = "static-pod-kubelet-upgrade"
	ruleRuntime    = "runtime-switched"
	ruleResize     = "resize-record-missing"
	ruleCgroup     = "pod-cgroup-missing"
	ruleDriver     = "cgroup-driver-mismatch"
	ruleSandbox    = "sandbox-changed"
	ruleStartup    = "startup-probe-rerun"
	ruleExec       = "probe-timeout-enforced"
	ruleAdmission  = "admission-rejected"
	ruleDecision   = "kubelet-decision" // a kill that has nothing to do with the versions
	ruleUnchanged  = "unchanged"
	ruleNotRunning = "not-running"
	ruleEnds       = "pod-ends"
	ruleNoVersion  = "kubelet-version-unknown"
	ruleNoObject   = "pod-not-read"
	ruleNoStatus   = "no-status"
	ruleNoHash     = "hash-unknown"
)

// advice is what to do about each rule.
var advice = map[string]string{
	ruleHash:      "drain each node before its kubelet is changed (kubectl drain NODE --ignore-daemonsets), or accept the restarts and change one node at a time; nothing in the workloads needs an edit",
	ruleOtherHash: "the running container is not the one of the spec: find out who edited it before the kubelet is touched",
	ruleStatic:    "one node at a time: wait until its static pods are ready before the next; a manifest that sets metadata.uid keeps its pod, but has to be given a new uid by hand with each edit",
	ruleRuntime:   "drain the node and change the runtime first, with the old kubelet; then the kubelet",
	ruleResize:    "drain the node first, or take resizePolicy RestartContainer from the pod template before the pods are made",
	ruleCgroup:    "drain the node before the change",
	ruleDriver:    "drain the node, bring the cgroup drivers of runtime and kubelet in line, then change the kubelet",
	ruleSandbox:   "the sandbox would be replaced by the present kubelet too: look at the pod first",
	ruleStartup:   "make sure that the startup probe still passes against a container that has long been up (a cache that warmed once, a port that is closed after the start)",
	ruleExec:      "measure how long the command takes and raise timeoutSeconds, which is 1 s unless it is set, before the change",
	ruleAdmission: "before the kubelet is touched, put right what the reason names (a label, a taint, room on the node), or drain the pods; for devices, take a patch release that has the fix",
	ruleDecision:  "kubectl restartwhy replay POD tells why",
	ruleNoVersion: "read the node (get on nodes), or give a recording that has it",
	ruleNoObject:  "give a recording that has the pod's object",
	ruleNoStatus:  "wait until the node reports, and ask again",
	ruleNoHash:    "ask a live cluster, where the hashes of the whole spec can be computed, or read the runtime's records (--evidence pod)",
}
