// Package aged has stories of a kill that only an event tells, beside evidence that the event cannot be of the same
// time or pod. They have the same form as those of package breaks.
package aged

import (
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
)

// All returns the stories by class.
func All() map[string][]breaks.Written {
	return map[string][]breaks.Written{"event alone": besideStories(), "event in itself": contradictions()}
}

// killed returns a container that was killed for its liveness probe by an event, of which nothing else tells.
func killed(change func(story.Object)) *story.Story {
	s := story.Ended(402.5, 143, "Error").Probed(401)
	return s.Event(401, "Killing", story.LivenessText, change).APIOnly()
}

// besideStories have events of the node and the pod after which the kubelet would not have decided that kill.
func besideStories() []breaks.Written {
	out := []breaks.Written{{Name: "nothing else", Story: func() *story.Story {
		return killed(nil).Plainly("liveness-probe-failed")
	}}}
	ofPod := func(e story.Object) { delete(e["involvedObject"].(story.Object), "fieldPath") }
	out = append(out, breaks.Variants("a start of the kubelet at %v s", func(t float64) *story.Story {
		return killed(nil).NodeEvent(t, "Starting", "Starting kubelet.")
	}, 383, 391, 400, 401)...)
	out = append(out, breaks.Variants("a boot that is told at %v s", func(t float64) *story.Story {
		return killed(nil).NodeEvent(t, "Rebooted", "Node n1 has been rebooted, boot id: 4d7e9a11-6f6c-1b2d-0001-2f1d9a505c7b")
	}, 130, 300, 400, 401)...)
	out = append(out, breaks.Variants("a stop of the whole pod at %v s", func(t float64) *story.Story {
		return killed(nil).Event(t, "Killing", "Stopping container app", nil)
	}, 375, 395, 400, 401)...)
	out = append(out, breaks.Variants("a sandbox that was gone at %v s", func(t float64) *story.Story {
		return killed(nil).Event(t, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.", ofPod)
	}, 375, 395, 400, 401)...)
	return append(out, breaks.Variants("a deletion that was asked for at %v s", func(t float64) *story.Story {
		s := killed(nil)
		s.Meta["deletionTimestamp"], s.Meta["deletionGracePeriodSeconds"] = story.Stamp(t+30), 30
		return s
	}, 375, 395, 400, 401)...)
}

// contradictions are events of which one part speaks against another, or against the pod's spec.
func contradictions() []breaks.Written {
	var out []breaks.Written
	for name, change := range map[string]func(story.Object){
		"once at two times":     func(e story.Object) { e["firstTimestamp"] = story.Stamp(340) },
		"last before first":     func(e story.Object) { e["count"], e["firstTimestamp"] = 2, story.Stamp(402) },
		"fewer times than none": func(e story.Object) { e["count"] = -1 },
		"an init container": func(e story.Object) {
			e["involvedObject"].(story.Object)["fieldPath"] = "spec.initContainers{app}"
		},
		"an ephemeral container": func(e story.Object) {
			e["involvedObject"].(story.Object)["fieldPath"] = "spec.ephemeralContainers{app}"
		},
	} {
		out = append(out, breaks.Written{Name: name, Story: func() *story.Story { return killed(change) }})
	}
	return out
}
