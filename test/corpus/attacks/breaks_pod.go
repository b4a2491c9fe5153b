package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// last has the container not run again, and changes its pod.
func (s *story) last(change func(pod object)) *story {
	s.records = false
	for _, log := range s.Logs {
		log.Lines = slices.DeleteFunc(log.Lines, func(l machine.Line) bool { return strings.Contains(l.Text, newID) })
	}
	status := object{"name": "app", "restartCount": 0, "ready": false, "containerID": "containerd://" + oldID,
		"state": object{"terminated": object{"exitCode": s.code, "reason": s.reason, "containerID": "containerd://" + oldID,
			"startedAt": stamp(2), "finishedAt": stamp(s.end)}}}
	pod := object{"kind": "Pod", "apiVersion": "v1", "metadata": maps.Clone(s.meta), "spec": s.spec,
		"status": object{"phase": "Running", "containerStatuses": []any{status}}}
	if change != nil {
		change(pod)
	}
	s.files["cluster/pods.json"] = string(list([]any{pod}))
	return s
}

func (s *story) deleted(t float64) *story {
	s.kubelet(t, `kubelet.go:2430] "SyncLoop DELETE" source="api" pods=["shop/web-0"]`).killing(t + 0.01).stop(t + 0.02)
	return s.event(t+0.01, "Killing", "Stopping container app", nil)
}

// announcedBy gives a pod the condition of someone who was about to delete it, and its deletion, if there is one.
func announcedBy(reason string, at, deleted float64) func(object) {
	return func(pod object) {
		if deleted > 0 {
			m := pod["metadata"].(object)
			m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = stamp(deleted+30), 30
		}
		pod["status"].(object)["conditions"] = []any{object{"type": "DisruptionTarget", "status": "True",
			"reason": reason, "message": "about to be deleted", "lastTransitionTime": stamp(at)}}
	}
}

// podStories are ends whose pod shows what does not belong to them.
func podStories() []written {
	var out []written
	for _, reason := range []string{"PreemptionByScheduler", "EvictionByEvictionAPI", "DeletionByTaintManager"} {
		out = append(out, variants("a deletion by hand with code %d, long after "+reason+" that failed",
			func(code int) *story {
				s := ended(142.5, code, "Error").deleted(140).is("pod-deleted")
				return s.last(announcedBy(reason, 70, 140))
			}, 0, 1, 143)...)
		out = append(out, variants("a liveness kill with code %d, after "+reason+" that was called off",
			func(code int) *story {
				return ended(42.5, code, "Error").liveness(40).last(announcedBy(reason, 20, 0))
			}, 0, 1, 143)...)
	}
	out = append(out, variants("a liveness kill with code %d of a pod that got the name of one that was taken away",
		func(code int) *story {
			s := ended(42.5, code, "Error").liveness(40)
			return s.kubelet(0.2, `kubelet.go:2440] "SyncLoop REMOVE" source="api" pods=["shop/web-0"]`).last(nil)
		}, 0, 1, 143)...)
	return append(out, variants("a restart rule that kubelet %s does not know, and policy Never",
		func(version string) *story {
			s := ended(42.5, 42, "Error")
			s.version = version
			s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "v1.30.14", version, 1) })
			s.spec["restartPolicy"], s.container["restartPolicy"] = "Never", "Never"
			s.container["restartPolicyRules"] = []any{object{"action": "Restart",
				"exitCodes": object{"operator": "In", "values": []any{42}}}}
			return s.is("app-exit-error") // and its record was gone, or the kubelet's gate was on
		}, "v1.24.17", "v1.30.14", "v1.33.2", "v1.34.0")...)
}
