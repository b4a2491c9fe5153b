package main

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// This file holds the choices, as kubelets and the API server write them.

// podEnd is phase, reason and message of a pod; names are the causes of which the verdict must name one, none if the
// reason leaves it open.
type podEnd struct {
	phase           corev1.PodPhase
	reason, message string
	names           []string
}

var anyEviction = []string{"evicted-memory", "evicted-disk", "evicted-pid"}

var podEnds = []podEnd{
	{phase: corev1.PodRunning},
	{phase: corev1.PodPending},
	{phase: corev1.PodSucceeded},
	{phase: corev1.PodFailed},
	// kubelet v1.14–v1.37 eviction/helpers.go, eviction_manager.go
	{corev1.PodFailed, "Evicted",
		"The node was low on resource: memory. Container main was using 1Gi, which exceeds its request of 0. ",
		[]string{"evicted-memory"}},
	{corev1.PodFailed, "Evicted",
		"The node was low on resource: memory. Threshold quantity: 100Mi, available: 52Mi. Container main was using 1Gi, request is 0, has larger consumption of memory. ", []string{"evicted-memory"}},
	{corev1.PodFailed, "Evicted",
		"The node was low on resource: ephemeral-storage. Container main was using 40Ki, which exceeds its request of 0. ",
		[]string{"evicted-disk"}},
	{corev1.PodFailed, "Evicted", "The node was low on resource: inodes. ", []string{"evicted-disk"}},
	{corev1.PodFailed, "Evicted", "The node was low on resource: pids. ", []string{"evicted-pid"}},
	{corev1.PodFailed, "Evicted", `Container main exceeded its local ephemeral storage limit "1Gi". `,
		[]string{"evicted-disk"}},
	{corev1.PodFailed, "Evicted", `Usage of EmptyDir volume "cache" exceeds the limit "1Gi". `, []string{"evicted-disk"}},
	{corev1.PodFailed, "Evicted", "Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ",
		[]string{"evicted-disk"}},
	{corev1.PodFailed, "Evicted", "", anyEviction},
	{corev1.PodFailed, "Evicted", "Pod The node had condition: [MemoryPressure]. ", []string{"admission-rejected"}},
	{corev1.PodFailed, "Evicted", "Pod was rejected: The node had condition: [DiskPressure]. ",
		[]string{"admission-rejected"}},
	// nodeshutdown_manager_linux.go
	{corev1.PodFailed, "Shutdown", "Node is shutting, evicting pods", []string{"node-shutdown"}},
	{corev1.PodFailed, "NodeShutdown", "Pod Node is in progress of shutting down, not admitting any new pods",
		[]string{"node-shutdown"}},
	{corev1.PodFailed, "NodeShutdown", "Pod was rejected: Pod was rejected as the node is shutting down.",
		[]string{"node-shutdown"}},
	{corev1.PodFailed, "Terminated", "Pod was terminated in response to imminent node shutdown.",
		[]string{"node-shutdown"}},
	// lifecycle/predicate.go, kubelet.go rejectPod
	{corev1.PodFailed, "NodeAffinity", "Pod Predicate NodeAffinity failed", []string{"admission-rejected"}},
	{corev1.PodFailed, "NodeAffinity",
		"Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
		[]string{"admission-rejected"}},
	{corev1.PodFailed, "OutOfcpu",
		"Pod Node didn't have enough resource: cpu, requested: 2000, used: 1500, capacity: 2000",
		[]string{"admission-rejected"}},
	{corev1.PodFailed, "OutOfmemory",
		"Pod was rejected: Node didn't have enough resource: memory, requested: 2000, used: 1500, capacity: 2000",
		[]string{"admission-rejected"}},
	{corev1.PodFailed, "OutOfpods",
		"Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 110, capacity: 110",
		[]string{"admission-rejected"}},
	{corev1.PodFailed, "UnexpectedAdmissionError",
		"Pod was rejected: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices example.com/gpu, which is unexpected", []string{"admission-rejected"}},
	{corev1.PodFailed, "TopologyAffinityError", "Pod was rejected: Resources cannot be allocated with Topology locality",
		[]string{"admission-rejected"}},
	{corev1.PodFailed, "Preempting", "Preempted in order to admit critical pod", []string{"preempted-by-kubelet"}},
	{corev1.PodFailed, "DeadlineExceeded", "Pod was active on the node longer than the specified deadline",
		[]string{"deadline-exceeded"}},
	{corev1.PodRunning, "NodeLost", "Node n1 which was running pod web is unresponsive", []string{"taint-evicted"}},
}

// end is how a container exited: the runtime's reason, its code and signal.
type end struct {
	reason string
	code   int32
	signal int32
}

// never reports whether the process never ran.
func (e end) never() bool { return e.reason == "StartError" || e.reason == "ContainerCannotRun" }

var ends = []end{
	{"Error", 1, 0}, {"Completed", 0, 0}, {"Error", 137, 0}, {"OOMKilled", 137, 0},
	{"Error", 143, 0}, {"Error", 2, 0}, {"Error", 30, 0}, {"Error", 126, 0}, {"Error", 127, 0},
	{"Error", 128, 0}, {"Error", 129, 0}, {"Error", 130, 0}, {"Error", 134, 0},
	{"Error", 139, 0}, {"Error", 139, 11}, {"Error", 137, 9}, {"Error", 255, 0},
	{"Error", -1073741510, 0}, {"Error", -1073741819, 0}, {"OOMKilled", 0, 0},
	{"OOMKilled", 1, 0}, {"OOMKilled", 143, 0}, {"OOMKilled", 139, 0},
	{"ContainerCannotRun", 126, 0}, {"ContainerCannotRun", 127, 0}, {"ContainerCannotRun", 128, 0},
	{"StartError", 128, 0}, {"ContainerStatusUnknown", 137, 0}, {"Unknown", 255, 0},
	{"", 0, 0}, {"", 1, 0}, {"", 137, 0}, {"", 143, 0}, {"", 255, 0}, {"", 139, 11},
}

// States of a container: running, no status at all, then waits, then ends.
const (
	nowRuns = iota
	nowAbsent
	nowWaits
)

// wait is why a container waits; names is the cause that must be given for it.
type wait struct{ reason, message, names string }

var waits = []wait{
	{"CrashLoopBackOff", "back-off 5m0s restarting failed container=main pod=web_default(u)", ""},
	{"ContainerCreating", "", ""},
	{"PodInitializing", "", ""},
	{"ErrImagePull", `rpc error: code = NotFound desc = failed to pull and unpack image "r.example/a:1": not found`,
		"create-error"},
	{"ImagePullBackOff", `Back-off pulling image "r.example/a:1"`, "create-error"},
	{"ErrImageNeverPull", `Container image "r.example/a:1" is not present with pull policy of Never`, "create-error"},
	{"InvalidImageName",
		`Failed to apply default image tag "R:": couldn't parse image name "R:": invalid reference format`, "create-error"},
	{"CreateContainerConfigError", `secret "token" not found`, "create-error"},
	{"CreateContainerError", "context deadline exceeded", "create-error"},
	{"RunContainerError", `failed to start container "a": exec: "nope": executable file not found in $PATH`,
		"start-error"},
	{"PostStartHookError", "Exec lifecycle hook ([sh -c false]) failed: exit status 1", "post-start-hook-failed"},
}

const (
	kindApp = iota
	kindInit
	kindSidecar
)

var policies = []corev1.RestartPolicy{corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure,
	corev1.RestartPolicyNever}

const besideRuns = 1

// probe is which probes the container has.
type probe struct {
	liveness, startup, readiness bool
	delay                        int32
}

func (p probe) has(kind string) bool {
	return kind == "Liveness" && p.liveness || kind == "Startup" && p.startup || kind == "Readiness" && p.readiness
}

const (
	probeLiveness = 1
	probeStartup  = 2
)

var probes = []probe{
	{}, {liveness: true}, {startup: true}, {readiness: true}, {liveness: true, delay: 120},
	{liveness: true, startup: true, readiness: true, delay: 5}, {startup: true, delay: 300},
}

const hookPostStart = 1

var owners = []string{"", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "Node"}

var disruptions = []string{"TerminationByKubelet", "EvictionByEvictionAPI",
	"DeletionByTaintManager", "PreemptionByScheduler", "DeletionByPodGC"}

// version is a kubelet's version.
type version struct {
	minor int
	text  string
}

var versions = []version{{31, "v1.31.4"}, {14, "v1.14.10"}, {20, "v1.20.15"},
	{24, "v1.24.17"}, {28, "v1.28.15"}, {34, "v1.34.4"}, {37, "v1.37.1"}}

const (
	firstSidecars = 4
	firstStartup  = 2
)

var runtimes = []struct{ name, version string }{{"containerd", "containerd://1.7.27"},
	{"docker", "docker://20.10.7"}, {"cri-o", "cri-o://1.31.2"}}

const nodeNeighbour = 2

var lives = []time.Duration{time.Hour, 3 * time.Second, 45 * time.Second, 10 * 24 * time.Hour}

const (
	lifeLong       = 0
	shortestProbed = 301 * time.Second
)

// kill is a message of the kubelet's event Killing: what it is for, and since which minor version.
type kill struct {
	of, message string
	since       int
	names       string
}

func (k kill) probed() bool { return k.of == "liveness" || k.of == "startup" }

var kills = []kill{
	{"liveness", "Container main failed liveness probe, will be restarted", 14, "liveness-probe-failed"},
	{"startup", "Container main failed startup probe, will be restarted", 18, "startup-probe-failed"},
	{"definition", "Container main definition changed, will be restarted", 14, ""},
	{"postStart", "FailedPostStartHook", 14, "post-start-hook-failed"},
	{"pod", "Stopping container main", 14, ""},
	{"resize", "Container main resize requires restart", 27, "resize-restart"},
	{"unknown", `Container is in "unknown" state, try killing it before restart`, 20, ""},
}

var unhealthy = []string{"Liveness", "Startup", "Readiness"}

// spoken is an event by its reason and message.
type spoken struct{ reason, message, component string }

var podEvents = []spoken{
	{"BackOff", "Back-off restarting failed container main in pod web_default(u)", "kubelet"},
	{"SandboxChanged", "Pod sandbox changed, it will be killed and re-created.", "kubelet"},
	{"FailedPostStartHook", "PostStartHook failed", "kubelet"},
	{"FailedPreStopHook", "PreStopHook failed", "kubelet"},
	{"Evicted", "The node was low on resource: memory. Container main was using 1Gi, which exceeds its request of 0. ",
		"kubelet"},
	{"Preempting", "Preempted in order to admit critical pod", "kubelet"},
	{"NodeNotReady", "Node is not ready", "node-controller"},
	{"TaintManagerEviction", "Marking for deletion Pod default/web", "taint-eviction-controller"},
}

var nodeEvents = []spoken{
	{"Rebooted", "Node n1 has been rebooted, boot id: 0a1b2c3d-0000-4000-8000-000000000001", "kubelet"},
	{"Starting", "Starting kubelet.", "kubelet"},
	{"SystemOOM", "System OOM encountered, victim process: java, pid: 4711", "kubelet"},
	{"NodeNotReady", "Node n1 status is now: NodeNotReady", "node-controller"},
}
