package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

const inState = "reason and message in the container's state: `kubectl describe pod`"

// own says what decides of causes that likelihood has no words for, because nothing but the look of an end never speaks
// for them.
var own = map[causes.ID]string{
	causes.StartError:          inState,
	causes.CreateError:         inState,
	causes.InitRerun:           "the runtime's records on the node, and what cleans them up",
	causes.ReadinessFlip:       "the restart count, which is the same as before",
	causes.MirrorPodDeleted:    "the container ids, which are the same as before",
	causes.PostStartHookFailed: "a FailedPostStartHook event",
}

// decides is what tells a cause from the others, "" for one without words; a test finds these.
func decides(id causes.ID) string {
	if w, ok := likelihood.In(id); ok {
		return w.Decides
	}
	return own[id]
}
