package dying

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
)

// ends are lines with which a kubelet says that it has to end the pod, or to replace its sandbox.
var ends = map[string]string{
	"a deletion": `kubelet.go:2430] "SyncLoop DELETE" source="api" pods=["shop/web-0"]`,
	"a removal":  `kubelet.go:2424] "SyncLoop REMOVE" source="api" pods=["shop/web-0"]`,
	"an orphan": `kubelet_pods.go:1240] "Clean up containers for orphaned pod we had not seen before" podUID="` +
		story.UID + `" killPod=true`,
	"a preemption": `preemption.go:120] "Pod evicted successfully" pod="shop/web-0"`,
	"a shutdown": `nodeshutdown_manager_linux.go:360] "Shutdown manager killing pod with gracePeriod" pod="shop/web-0" ` +
		`gracePeriod=30`,
	"a lost sandbox": `util.go:30] "No ready sandbox for pod can be found. Need to start a new one" pod="shop/web-0"`,
}

// endingStories are of pods that their kubelet ends, and names no container of: one of which the runtime does not know
// whether it runs, and one that is not started yet.
func endingStories() []breaks.Written {
	var out []breaks.Written
	for why, line := range ends {
		out = append(out, breaks.Variants(why+", and a stop of the sandbox %v s later", func(after float64) *story.Story {
			s := story.Ended(42.5, 137, "Error").Kubelet(42-after, line).BoxEnds(42.6)
			s.Runtime(42, `msg="StopPodSandbox for \"`+story.SandboxID+`\""`).Last(nil)
			s.Files["cluster/pods.json"] = string(story.List(nil))
			return s
		}, 0.002, 0.3, 1.5)...)
	}
	out = append(out, breaks.Variants("a hook that the kubelet called off for a deletion, and code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Runs("postStart", "sleep", "60").Kubelet(41, ends["a deletion"])
			s.Kubelet(41.1, `kuberuntime_container.go:313] "Failed to execute PostStartHook" err="`+off+`" pod="shop/web-0" `+
				`podUID="`+story.UID+`" containerName="app" containerID="containerd://`+story.OldID+`"`)
			s.Killing(41.11).Killing(41.2).Stop(41.21).Event(41, "FailedPostStartHook", "PostStartHook failed", nil)
			s.Event(41, "Killing", "FailedPostStartHook", nil).Event(41, "Killing", "Stopping container app", nil)
			return s.Plainly("pod-deleted").Last(func(pod story.Object) {
				m := pod["metadata"].(story.Object)
				m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(71), 30
			})
		}, 0, 143)...)
	for _, gone := range []bool{false, true} {
		out = append(out, breaks.Variants(fmt.Sprintf("a start that the kubelet called off (%%s), gone %t", gone),
			func(reason string) *story.Story { return calledOff(reason, gone) },
			"CreateContainerError", "RunContainerError", "ErrImagePull", "CreatePodSandboxError")...)
	}
	return out
}

// off is the error of what the kubelet cancels.
const off = "rpc error: code = Canceled desc = context canceled"

// calledOff is a pod that is deleted while its only container is started for the first time.
func calledOff(reason string, gone bool) *story.Story {
	s := story.Ended(42.5, 137, "Error").Without(story.Has(story.OldID, story.NewID))
	s.Records = false
	s.Kubelet(10, ends["a deletion"])
	s.Kubelet(10.1, `pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \"StartContainer\" for `+
		`\"app\" with `+reason+`: \"`+off+`\"" pod="shop/web-0" podUID="`+story.UID+`"`)
	s.Event(10, "Failed", "Error: "+off, nil)
	s.Meta["deletionTimestamp"], s.Meta["deletionGracePeriodSeconds"] = story.Stamp(40), 30
	pods := []any{story.Object{"kind": "Pod", "apiVersion": "v1", "metadata": s.Meta, "spec": s.Spec,
		"status": story.Object{"phase": "Pending", "containerStatuses": []any{story.Object{"name": "app",
			"state": story.Object{"waiting": story.Object{"reason": reason, "message": off}}}}}}}
	if gone {
		pods = nil
	}
	s.Files["cluster/pods.json"] = string(story.List(pods))
	return s
}
