package breaks

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// announcedBy gives a pod the condition of someone who was about to delete it, and its deletion, if there is one.
func announcedBy(reason string, at, deleted float64) func(story.Object) {
	return func(pod story.Object) {
		if deleted > 0 {
			m := pod["metadata"].(story.Object)
			m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(deleted+30), 30
		}
		pod["status"].(story.Object)["conditions"] = []any{story.Object{"type": "DisruptionTarget", "status": "True",
			"reason": reason, "message": "about to be deleted", "lastTransitionTime": story.Stamp(at)}}
	}
}

// podStories are exits whose pod shows something that does not belong to them.
func podStories() []Written {
	var out []Written
	for _, reason := range []string{"PreemptionByScheduler", "EvictionByEvictionAPI", "DeletionByTaintManager"} {
		out = append(out, Variants("a deletion by hand with code %d, long after "+reason+" that failed",
			func(code int) *story.Story {
				s := story.Ended(142.5, code, "Error").Deleted(140).Is("pod-deleted")
				return s.Last(announcedBy(reason, 70, 140))
			}, 0, 1, 143)...)
		out = append(out, Variants("a liveness kill with code %d, after "+reason+" that was called off",
			func(code int) *story.Story {
				return story.Ended(42.5, code, "Error").Liveness(40).Last(announcedBy(reason, 20, 0))
			}, 0, 1, 143)...)
	}
	out = append(out, Variants("a liveness kill with code %d of a pod that got the name of one that was taken away",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Liveness(40)
			return s.Kubelet(0.2, `kubelet.go:2440] "SyncLoop REMOVE" source="api" pods=["shop/web-0"]`).Last(nil)
		}, 0, 1, 143)...)
	return append(out, Variants("a restart rule that kubelet %s does not know, and policy Never",
		func(version string) *story.Story {
			s := story.Ended(42.5, 42, "Error")
			s.Version = version
			s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "v1.30.14", version, 1) })
			s.Spec["restartPolicy"], s.Container["restartPolicy"] = "Never", "Never"
			s.Container["restartPolicyRules"] = []any{story.Object{"action": "Restart",
				"exitCodes": story.Object{"operator": "In", "values": []any{42}}}}
			return s.Is("app-exit-error") // its record was gone, or the kubelet's gate was on
		}, "v1.24.17", "v1.30.14", "v1.33.2", "v1.34.0")...)
}
