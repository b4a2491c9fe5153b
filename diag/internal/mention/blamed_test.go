package mention

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// What people blame for the end of a pod becomes that end, if nothing else is said of it.
func TestWhoIsBlamedForAnEnd(t *testing.T) {
	const (
		moved, tainted = `"message":"Evicted pod"`, `"TaintManagerEviction"`
		deleted, pre   = `"message":"Need to kill Pod"`, `"Preempted"`
		shut, box      = `imminent node shutdown`, `"SandboxChanged"`
		disk, memory   = `low on resource: ephemeral-storage`, `low on resource: memory`
		config, create = `"CreateContainerConfigError"`, `"CreateContainerError"`
	)
	for said, want := range map[string]string{
		"Each time, the cloud was reclaiming the Spot/preemptible node below, and the pods were gone":   shut,
		"The VM was preempted by GCE, and all pods on it were lost":                                     shut,
		"Disk pressure came again, and the pod was evicted; its row says ContainerStatusUnknown":        disk,
		"The build pod vanished while it was compiling, nobody touched it":                              deleted,
		"My runner pods disappear in the middle of a job, kubectl get pods does not list them any more": deleted,
		"The cluster autoscaler removes a node at night, and the pod of our database gets killed":       moved,
		"Karpenter consolidates too eagerly. Pods with long jobs are terminated halfway through":        moved,
		"# VPA: pods evicted in a loop":                                                                         moved,
		"the descheduler is on, and since then these pods are evicted each half hour":                           moved,
		"During the upgrade of the node pool all replicas were unavailable, the PDB notwithstanding":            moved,
		"Drift replaced all nodes after the new AMI and our pods restarted at once":                             moved,
		"Each node repair of GKE drains the machine, so the pods get rescheduled with an outage":                moved,
		"We put a NoExecute taint on the node and the pod was terminated although it tolerates it":              tainted,
		"The node goes NotReady for two minutes, later its pods are deleted and come up elsewhere":              tainted,
		"tolerationSeconds is 900 but the pod gets evicted after 300 seconds":                                   tainted,
		"The operator deletes the pod again and again and makes a new one":                                      deleted,
		"My notebook server was culled while its kernel was busy, the pod is gone":                              deleted,
		"When KEDA scales the deployment in, pods with work in hand are terminated":                             deleted,
		"A colleague deleted the pod, so the StatefulSet started another one":                                   deleted,
		"Our batch pods are preempted as soon as the large job with its priorityClass comes":                    pre,
		"The spot node was interrupted and the pods on it were killed":                                          shut,
		"On preemption of a spot VM its pods fail after half a minute":                                          shut,
		"Many pods of the deployment end up as OutOfcpu on the same node":                                       `"OutOfcpu"`,
		"The pod is stuck in the NodeAffinity status after the machine was made anew":                           `"NodeAffinity"`,
		"the kubelet was started again and the pod failed with MatchNodeSelector":                               `"MatchNodeSelector"`,
		"The pause container dies, and then the kubelet makes the whole pod anew":                               box,
		"The node crashed hard, all its pods restarted when it was back":                                        `"lastState"`,
		"We had a power outage, afterwards each pod shows a restart":                                            `"lastState"`,
		"systemctl stop containerd kills all my containers":                                                     `"lastState"`,
		"etcd restarts all the time. It went away with SystemdCgroup = true in the pods' runtime":               `"lastState"`,
		"secret \"db\" is missing, so the container can't be created":                                           config,
		"Error: container has runAsNonRoot and image will run as root":                                          config,
		"Error: failed to reserve container name \"a_b_c_d_0\": it is taken":                                    create,
		"An emptyDir volume is full and the pod gets evicted":                                                   disk,
		"The node runs out of inodes, then the kubelet starts evicting pods":                                    disk,
		"Memory of the node got low, and hundreds of pods were evicted":                                         memory,
		"Pods were evicted with lots of free memory, their emptyDir had exceeded its limit":                     disk,
		"# Pods constantly deleted and made anew":                                                               deleted,
		"# Pod of the replica in container status unknown":                                                      `"ContainerStatusUnknown"`,
		"If we shut a node down, its pods are never rescheduled":                                                `"lastState"`,
		"Busy pods were terminated by the scheduler to make room":                                               pre,
		"kubelet: couldn't find key tls.crt in Secret shop/web":                                                 config,
		"The pod fails: Node didn't have enough resource: memory, requested: 3, used: 2":                        `"OutOfmemory"`,
		"with RunContainerError: \"PostStart handler: it ended with -1\"":                                       `"FailedPostStartHook"`,
		"The pods are crashing. Setting SystemdCgroup = true in the runtime's config helps":                     `"lastState"`,
		"The pod stays in a crash loop with FailedPostStartHook":                                                `"FailedPostStartHook"`,
		"nvidia-container-cli: initialization error: nvml error: driver not loaded, says the container's event": `"StartError"`,
	} {
		raw := fmt.Sprintf("%s", Of("pod web-0 in namespace shop\n\n"+said+"\n", "a.txt", printed).Read(naming.Names{}, true))
		if !strings.Contains(raw, want) {
			t.Errorf("%q: %s, want %s", said, raw, want)
		}
	}
}

// The same words blame nobody in a wish, in a plan, of something else, or where it did not happen.
func TestNobodyIsBlamed(t *testing.T) {
	for _, said := range []string{
		"It would be nice if the descheduler could evict pods by a label",
		"We plan to use karpenter for the cluster. Please add selectors for that to the pods",
		"Please add a PodDisruptionBudget, so that pods are not evicted while nodes are upgraded",
		"The chart should support tolerations of a NoExecute taint, for pods on tainted nodes",
		"## Expected behavior\nPods are moved when the spot instance is interrupted, the node is deleted after that",
		"The node pool was upgraded last week, and all pods are well since then",
		"If a node is drained, its pods are evicted",
		"The cluster autoscaler cannot drain the node: the pod blocks its eviction",
		"0/3 nodes are available: 3 MatchNodeSelector, for the pod",
		"The karpenter controller's pod has a memory limit of 1Gi",
		"The VPA was never able to evict the pod",
		"We drained the queue of the consumer pods, then the workers stopped",
		"Our pods run on spot instances",
		"How do we drain a node with pods that have local disks? We want to replace it",
		"The autoscaler does not remove the node, although all its pods were deleted by me",
		"The secret \"db\" was not found by the operator, it makes one then for the pod",
		"The worker pod crashed. VPA only gives recommendations here",
		"The pod died after our own CA had been replaced",
		"The pod crashes each time that kafka rebalances",
		"The pod restarts. Karpenter is there, and PDBs",
		"The pod dies. Nobody had drained the node, and karpenter did not consolidate it",
		"The web pod crashed with a trace, nobody has deleted the old pod",
		"When I change the filter the pods disappear from the list. The pods are all Running",
		"Pod metrics disappear in Grafana when the pods restart",
		"I set TaintToleration weight in the scheduler config. Pods are scheduled fine",
		"The docs name UnexpectedAdmissionError as a reason. The pod crashed at noon",
		"Our operator pod crashes while it deletes pods of a tenant",
		"The pod crashes. The scheduler evicted old keys from its cache",
		"Can karpenter evict pods that have a PDB?",
		"We drained the node on Monday, and its pods moved as planned",
		"The pod crashes in a rolling file appender",
		"The pod restarts since the hash of the file changed after we updated it",
		"9m   Normal   TaintManagerEviction   pod/web-0   Cancelling deletion of Pod shop/web-0",
	} {
		text := "pod web-0 in namespace shop\n\n" + said + "\n"
		raw := fmt.Sprintf("%s", Of(text, "a.txt", printed).Read(naming.Names{}, false))
		if naming.AnyOf(raw, `"kind":"Event"`, `"Failed"`, `"waiting"`) {
			t.Errorf("%q: %s", said, raw)
		}
	}
}

// Families that only say that something ended are denied in the same way.
func TestWhatIsDenied(t *testing.T) {
	for said, want := range map[string]bool{
		"containerd was stopped":                    false,
		"containerd was never stopped":              true,
		"Nobody ran docker kill":                    true,
		"docker kill was not run":                   true,
		"the pods did not recover, docker kill":     false,
		"the node is not ready after a docker kill": false,
	} {
		at := regexp.MustCompile(`containerd was (?:never )?stopped|docker kill`).FindStringIndex(said)
		if got := denied(said, at[0], at[1]); got != want {
			t.Errorf("%q: %t, want %t", said, got, want)
		}
	}
}

// It counts only where nothing else tells of the end, and an eviction without a cause gets the one that is blamed.
func TestBlameIsTheLastResort(t *testing.T) {
	const blamed = "Since we have karpenter our pods are killed whenever it consolidates.\n"
	for said, want := range map[string]bool{
		blamed:                            true,
		blamed + "exit code 3\n":          false,
		"The pod was evicted.\n" + blamed: true,
		"Pods get replaced while we scale in.\n" + blamed:                  true,
		"The pod was evicted for its use of ephemeral storage.\n" + blamed: false,
		"2026-03-04T08:00:00Z Deleting pod shop/web-0\n" + blamed:          false,
	} {
		raw := fmt.Sprintf("%s", Of("pod web-0 in namespace shop\n\n"+said, "a.txt", printed).Read(naming.Names{}, true))
		if strings.Contains(raw, `"Evicted pod"`) != want {
			t.Errorf("%q: %s, want %t", said, raw, want)
		}
	}
}
