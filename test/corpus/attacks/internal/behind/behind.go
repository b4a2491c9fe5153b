// Package behind has stories of ends that something else follows, or seems to, which would have been a cause had it
// come before. They have the same form as those of package breaks.
package behind

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// All returns the stories by class.
func All() map[string][]breaks.Written {
	return map[string][]breaks.Written{"behind": behindStories()}
}

// itself is what ended a process that nobody asked to end.
func itself(code int) string {
	switch code {
	case 137:
		return "killed-externally"
	case 134, 139:
		return "app-signal"
	}
	return "app-exit-error"
}

// behindStories are ends that something else follows, which the order alone tells from a cause.
func behindStories() []breaks.Written {
	out := breaks.Variants("a liveness kill, and a clock set %v s back before the end", func(back float64) *story.Story {
		s := story.Ended(42.5, 1, "Error").Liveness(40).Plainly("liveness-probe-failed")
		s.Records = false
		s.Each(func(_ *machine.Log, l *machine.Line) {
			if l.True.After(story.At(41)) {
				l.Step = -time.Duration(back * float64(time.Second))
			}
		})
		return s.Restatus(func(status story.Object) {
			status["lastState"].(story.Object)["terminated"].(story.Object)["finishedAt"] = story.Stamp(42.5 - back)
		})
	}, 4, 7, 20)
	for _, after := range []float64{0.02, 0.05, 0.11, 0.2, 0.29} {
		out = append(out, breaks.Variants(fmt.Sprintf("a liveness kill, all of it %v s behind an end with %%d", after),
			func(code int) *story.Story {
				return story.Ended(42.5, code, "Error").Liveness(42.4 + after).Plainly(itself(code))
			}, 1, 3, 137, 139)...)
	}
	for _, after := range []float64{0.003, 0.05, 0.25} {
		out = append(out, breaks.Variants(
			fmt.Sprintf("a liveness kill before an end with %%d, and a request to the runtime %v s behind it", after),
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Probed(42.44).Decided(42.445, story.LivenessText).Killing(42.45)
				s.Stop(42.5+after).Event(42.449, "Killing", story.LivenessText, nil)
				return s.Plainly(itself(code))
			}, 1, 3, 137, 139)...)
	}
	out = append(out, breaks.Variants("a process that answers no probe %v s before it exits, and one failure kills it",
		func(before float64) *story.Story {
			s, t := story.Ended(42.9, 2, "Error"), 42.9-before
			s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080}, "periodSeconds": 10,
				"failureThreshold": 1}
			s.Kubelet(t, `prober.go:107] "Probe failed" probeType="Liveness" pod="shop/web-0" podUID="`+story.UID+
				`" containerName="app" probeResult="failure" output="connect: connection refused"`)
			s.Event(t, "Unhealthy", "Liveness probe failed: connect: connection refused", nil)
			s.Decided(t+0.01, story.LivenessText).Killing(t + 0.02).Stop(t + 0.021)
			return s.Event(t+0.01, "Killing", story.LivenessText, nil).Is("app-exit-error")
		}, 0.1, 0.5, 1.4)...)
	out = append(out, breaks.Variants("SIGKILL from the node, %v s behind a child's kill for memory, and its label",
		func(after float64) *story.Story {
			return story.Ended(42.5, 137, "OOMKilled").Limit().OOM(42.5-after, "CONSTRAINT_MEMCG", story.Cgroup, "java", 4750,
				story.TaskRow(4711, "sh"), story.TaskRow(4750, "java")).Plainly("killed-externally")
		}, 7, 30)...)
	for _, code := range []int{1, 3, 137} {
		out = append(out, breaks.Variants(fmt.Sprintf("a boot %%v s behind an end with %d that its kubelet saw", code),
			func(after float64) *story.Story {
				s := story.Ended(42.5, code, "Error").Kubelet(42.5+after-5,
					`kubelet_getters.go:187] "Pod status updated" pod="kube-system/other" status="Running"`)
				s.Spec["restartPolicy"] = "Never"
				return s.Rebooted(42.5 + after).Plainly(itself(code)).Last(func(pod story.Object) {
					pod["status"].(story.Object)["phase"] = "Failed"
				})
			}, 130, 200, 400)...)
	}
	return out
}
