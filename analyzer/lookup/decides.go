package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

const inState = "reason and message in the container's state: `kubectl describe pod`"

// own are the words of causes that likelihood has none for, because nothing but the look
// of an end never speaks for them.
var own = map[causes.ID]likelihood.Words{
	causes.StartError: {May: "the runtime could not start the process", Decides: inState},
	causes.CreateError: {
		May:     "the container could not be created, or its image could not be pulled",
		Decides: inState,
	},
	causes.InitRerun: {
		May:     "the init containers may have run again because their records were gone",
		Decides: "the runtime's records on the node, and what cleans them up",
	},
	causes.ReadinessFlip: {
		May:     "the kubelet restarted and the pod was briefly not ready: no container restarted",
		Decides: "the restart count, which is the same as before",
	},
	causes.MirrorPodDeleted: {
		May:     "only the mirror pod of a static pod was recreated: no container restarted",
		Decides: "the container ids, which are the same as before",
	},
	causes.PostStartHookFailed: {
		May:     "its postStart hook may have failed, so the kubelet killed it",
		Decides: "a FailedPostStartHook event",
	},
}

func wordsOf(id causes.ID) (likelihood.Words, bool) {
	if w, ok := likelihood.In(id); ok {
		return w, true
	}
	w, ok := own[id]
	return w, ok
}
