package likelihood

import "github.com/restartwhy/kubectl-restartwhy/analyzer/causes"

// Words are how a cause is named that nothing but the look of an end speaks for.
type Words struct {
	// May says what may have happened.
	May string
	// Decides says what would tell it from the others.
	Decides string
}

// In returns the words of a cause; false for a cause that is not offered without a claim.
func In(id causes.ID) (Words, bool) {
	w, ok := words[id]
	return w, ok
}

const (
	killEvent  = "an event Killing of that moment, or the kubelet's log"
	kernelLog  = "the kernel's log: it names the process and whose limit was reached"
	bootEvent  = "the node's boot time: `journalctl --list-boots` on it, or its event Rebooted"
	runtimeLog = "the start times of the runtime: `journalctl -u containerd -u crio -u docker` on the node"
	ownLog     = "its own last words: `kubectl logs --previous`"
	hashes     = "the hashes of the old and the new container: `crictl inspect` shows both while they are there"
)

var words = map[causes.ID]Words{
	causes.AppExitError:           {"the process may have ended by itself, with an error", ownLog},
	causes.AppExitZero:            {"the process may have finished by itself", ownLog},
	causes.AppSignal:              {"a process in the container may have ended it with a signal", ownLog},
	causes.OOMChildProcess:        {"the kernel may have killed a child process for memory, and the main process ended after it", kernelLog},
	causes.OOMContainerLimit:      {"it may have exceeded its memory limit, so that the kernel killed it", kernelLog},
	causes.OOMPodLimit:            {"the memory limit of its pod may have been exceeded, so that the kernel killed it", kernelLog},
	causes.OOMNode:                {"the node may have run out of memory, and the kernel chose it", kernelLog},
	causes.LivenessProbeFailed:    {"its liveness probe may have failed, so that the kubelet killed it", killEvent},
	causes.StartupProbeFailed:     {"its startup probe may have failed, so that the kubelet killed it", killEvent},
	causes.SpecImageChanged:       {"its image may have been changed in the pod's spec, so that the kubelet replaced it", killEvent},
	causes.HashKubeletUpgrade:     {"another kubelet version may have computed another hash of its spec, and replaced it", hashes},
	causes.SandboxDied:            {"the pod's sandbox may have died, and the kubelet made the whole pod again", "an event SandboxChanged of that moment, or the kubelet's log"},
	causes.NodeReboot:             {"the node may have gone down and booted", bootEvent},
	causes.NodeShutdown:           {"the node may have been shut down in order", bootEvent},
	causes.KubeletRestarted:       {"the kubelet was started anew, and may not have found the pod as it had left it", "the kubelet's log: why it stopped the pod after its start"},
	causes.RuntimeRestarted:       {"the container runtime may have been restarted and lost it", runtimeLog},
	causes.KilledExternally:       {"somebody or something on the node may have ended it: a person, an agent, a job", "the runtime's log (a request to stop it), or an audit of signals on the node"},
	causes.ContainerStatusUnknown: {"its record may have been removed from the runtime behind the kubelet", "the runtime's log, and what cleans up containers on the node"},
	causes.EvictedDisk:            {"the kubelet may have evicted its pod for disk space", "the pod's status.reason and message, or its event Evicted"},
	causes.EvictedMemory:          {"the kubelet may have evicted its pod for memory", "the pod's status.reason and message, or its event Evicted"},
	causes.PodDeleted:             {"its pod may have been deleted", "the API server's audit log (delete pods)"},
	causes.InitContainerFailed:    {"the init container may have failed by itself", ownLog},
	causes.SandboxMissing:         {"the pod may have had no sandbox any more", killEvent},
	causes.SandboxNetworkChanged:  {"the pod's place in the network may have changed, which takes a new sandbox", killEvent},
	causes.EvictedPID:             {"the kubelet may have evicted its pod for process ids", "the pod's status.reason and message, or its event Evicted"},
	causes.PreemptedByKubelet:     {"the kubelet may have ended its pod for a critical one", killEvent},
	causes.AdmissionRejected:      {"the kubelet may have refused its pod when it admitted it again", killEvent},
	causes.DeadlineExceeded:       {"the deadline of its pod may have been over", killEvent},
	causes.APIEvicted:             {"its pod may have been evicted through the API", "the API server's audit log (pods/eviction)"},
	causes.TaintEvicted:           {"a taint of the node may have evicted its pod", killEvent},
	causes.PreemptedByScheduler:   {"the scheduler may have ended its pod for one of higher priority", "the API server's audit log (delete pods)"},
}
