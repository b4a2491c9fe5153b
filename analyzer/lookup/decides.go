package lookup

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

const inState = "reason and message in the container's state: `kubectl describe pod`"

// own says what decides for causes without a text in likelihood, which the form of an end alone never suggests.
var own = map[causes.ID]string{
	causes.StartError:          inState,
	causes.CreateError:         inState,
	causes.InitRerun:           "the runtime's records on the node, and what cleans them up",
	causes.ReadinessFlip:       "the restart count, which is the same as before",
	causes.MirrorPodDeleted:    "the container ids, which are the same as before",
	causes.PostStartHookFailed: "a FailedPostStartHook event",
}

// decides returns what distinguishes a cause from the others, "" for one without a text; a test finds these.
func decides(id causes.ID) string {
	if w, ok := likelihood.In(id); ok {
		return w.Decides
	}
	return own[id]
}
