package trace

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

const (
	worker  = "pod_workers.go"
	syncer  = "kubelet.go"
	manager = "kuberuntime/kuberuntime_manager.go"
	util    = "kuberuntime/util/util.go"
)

// upgrade is what v1.31 decides about a container that v1.30 started.
func upgradeDecision() *report.Decision {
	q := func(depth int, function, file, container, question string, answer bool, fact, then string) report.Branch {
		return report.Branch{Depth: depth, Function: function, File: file, Container: container, Question: question, Answer: answer, Fact: fact, Then: then}
	}
	return &report.Decision{
		Kubelet: "v1.31.0", ModelledAs: "v1.31",
		Supposed: []string{"the kubelet was restarted: it admits the pod again and has forgotten probe results and back-off"},
		Assumed:  []string{"the pod's cgroup is where the kubelet expects it"},
		Branches: []report.Branch{
			q(0, "HandlePodAdditions", syncer, "", "Does the kubelet take this pod up again after its own start?", true, "it started at 08:33:56", "The pod must be admitted again, although it runs."),
			q(0, "HandlePodAdditions", syncer, "", "Does admission refuse the pod now?", false, "nothing says so", "It goes on as it was."),
			q(0, "SyncPod", syncer, "", "Was the pod asked to go (deletion, eviction)?", false, "no deletion timestamp", ""),
			q(0, "SyncPod", syncer, "", "Is the pod's active deadline over?", false, "it has none", ""),
			q(0, "SyncPod", syncer, "", "Has the pod already ended (phase Succeeded or Failed)?", false, "phase Running", ""),
			q(0, "computePodActions", manager, "", "Is the pod marked to restart all of its containers in place?", false, "no mark", ""),
			q(1, "PodSandboxChanged", util, "", "Is the pod without any sandbox?", false, "one sandbox, ready", ""),
			q(1, "PodSandboxChanged", util, "", "Has the newest sandbox ceased to be ready?", false, "SANDBOX_READY", ""),
			q(0, "computePodActions", manager, "", "Must the sandbox be replaced?", false, "PodSandboxChanged says no", "The containers are looked at one by one."),
			q(0, "computePodActions", manager, "web", "Is web stopped or gone?", false, "CONTAINER_RUNNING", "Then the question is whether to kill it."),
			q(0, "computePodActions", manager, "web", "Does the stored hash of web differ from the hash of its spec?", true, "stored c87f01d2, computed 5d6b2a10", "It is killed and started again, whatever the restart policy."),
			q(1, "ShouldContainerBeRestarted", "container/helpers.go", "log", "Does the restart policy want it started?", false, "", ""),
			q(0, "doBackOff", manager, "web", "Must web wait after its last crash?", false, "no crash is remembered", "It is started now."),
		},
		Outcome: "kill and start again: web; sandbox and container log stay",
		Agrees:  true,
	}
}

// otherwise is a replay that ends differently from what happened.
func otherwise() *report.Decision {
	d := upgradeDecision()
	d.ModelledAs, d.Kubelet = "v1.36", "v1.37.0"
	d.Agrees = false
	d.Differs = []string{"container log was killed too", "the sandbox was replaced"}
	return d
}

// long is a decision about a pod of many containers.
func long(containers int) *report.Decision {
	d := upgradeDecision()
	for i := range containers {
		for n := range 4 {
			d.Branches = append(d.Branches, report.Branch{
				Depth: n % 3, Function: fmt.Sprintf("function%d", n), File: worker, Container: fmt.Sprintf("c%d", i),
				Question: "Is it so?", Answer: (i+n)%5 == 0, Fact: "a fact",
			})
		}
	}
	return d
}
