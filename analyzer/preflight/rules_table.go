package preflight

// The rules that items name. Those that explain a restart are causes of the catalogue with the same name, so that
// predictions can be compared with later findings.
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
	ruleDecision   = "kubelet-decision" // a kill that is unrelated to the versions
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
	ruleHash: "drain each node before you change its kubelet (kubectl drain NODE --ignore-daemonsets), or accept " +
		"the restarts and change one node at a time; nothing in the workloads needs an edit",
	ruleOtherHash: "the running container does not match the spec: find out who edited it before you touch the kubelet",
	ruleStatic: "one node at a time: wait until its static pods are ready before the next; a manifest that sets " +
		"metadata.uid keeps its pod, but then every edit needs a new uid by hand",
	ruleRuntime: "drain the node and change the runtime first, with the old kubelet; then the kubelet",
	ruleResize: "drain the node first, or remove resizePolicy RestartContainer from the pod template before the pods " +
		"are created",
	ruleCgroup:  "drain the node before the change",
	ruleDriver:  "drain the node, set the same cgroup driver for runtime and kubelet, then change the kubelet",
	ruleSandbox: "the present kubelet would also replace the sandbox: check the pod first",
	ruleStartup: "make sure that the startup probe still passes on a container that has been up for a long time (a cache " +
		"that is warmed once, a port that closes after the start)",
	ruleExec: "before the change, measure how long the command takes and raise timeoutSeconds (default 1 s)",
	ruleAdmission: "before you touch the kubelet, fix what the reason names (a label, a taint, room on the node), or " +
		"drain the pods; for devices, use a patch release with the fix",
	ruleDecision:  "kubectl restartwhy replay POD shows why",
	ruleNoVersion: "allow reading the node (get on nodes), or use a recording that contains it",
	ruleNoObject:  "use a recording that contains the pod's object",
	ruleNoStatus:  "wait until the node reports again, then run preflight again",
	ruleNoHash: "use a live cluster, where the hashes of the whole spec can be computed, or read the runtime's " +
		"records (--evidence pod)",
}
