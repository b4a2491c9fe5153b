package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// boundStories are exits at the same time as the end of what contains them.
func boundStories() []Written {
	var out []Written
	for _, after := range []float64{2, 6, 15, 40, 80} {
		out = append(out, Variants(fmt.Sprintf("a node that is shut down by its operator and boots %v s after code %%d",
			after),
			func(code int) *story.Story { return story.Ended(42.5, code, "Error").Rebooted(42.5 + after) }, 0, 1, 3, 137, 143,
			255)...)
	}
	for _, reason := range []string{"Evicted", "Preempting", "Terminated", "NodeShutdown"} {
		gone := func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Is("app-exit-error").Last(func(pod story.Object) {
				status := pod["status"].(story.Object)
				status["phase"], status["reason"], status["message"] = "Failed", reason,
					"The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi."
			})
		}
		out = append(out, Variants("a pod that ends with %d right before it is "+reason, func(code int) *story.Story {
			s := gone(code).Event(43, reason, "The node was low on resource: memory. Threshold quantity: 100Mi", nil)
			return s.Kubelet(43.1, `eviction_manager.go:574] "Eviction manager: pod is evicted successfully" pod="shop/web-0"`)
		}, 1, 3, 139)...)
		out = append(out, Variants("a pod that ends with %d right before it is "+reason+", without logs",
			func(code int) *story.Story {
				s := gone(code).Event(43, reason, "The node was low on resource: memory. Threshold quantity: 100Mi", nil)
				s.Logs, s.Forms = nil, []machine.Form{machine.Text}
				return s
			}, 1, 3, 139)...)
	}
	for _, t := range []float64{41, 42.55, 44} {
		out = append(out, Variants(fmt.Sprintf("code %%d of its own, and a kubelet that is restarted at %v s", t),
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is("app-exit-error")
				return s.Kubelet(t, `flags.go:64] FLAG: --v="2"`).Kubelet(t+0.01,
					`server.go:491] "Kubelet version" kubeletVersion="`+s.Version+`"`)
			}, 255, 137)...)
		out = append(out, Variants(fmt.Sprintf("code %%d of its own, and a containerd that is restarted at %v s", t),
			func(code int) *story.Story {
				return story.Ended(42.5, code, "Error").Runtime(t, `msg="starting containerd" revision=x version="1.7.2"`).Runtime(
					t+0.1,
					`msg="containerd successfully booted in 0.091s"`).Is("app-exit-error")
			}, 255, 137)...)
	}
	out = append(out, Variants("a pod that is gone from the API, whose processes it may have shared, and code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error")
			s.Files["cluster/pods.json"] = string(story.List(nil))
			return s
		}, 1, 3, 139, 143)...)
	out = append(out, Variants("an API that says %d where the runtime's log says 137", func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error")
		s.Each(func(_ *machine.Log, l *machine.Line) {
			l.Text = strings.Replace(l.Text, fmt.Sprintf("exit_status:%d", code), "exit_status:137", 1)
			l.Text = strings.Replace(l.Text, fmt.Sprintf("exitCode=%d", code), "exitCode=137", 1)
		})
		return s
	}, 1, 3, 0)...)
	narrowed := func(s *story.Story) *story.Story {
		return s.Kept("web-0", story.UID, story.OldID, story.NewID, story.SandboxID)
	}
	out = append(out, Variants("a containerd that lost a stop, in a log that was searched for the pod, and code %d",
		func(code int) *story.Story {
			return narrowed(story.Ended(42.5, code, "Error").Runtime(43.05, `msg="starting containerd" version="1.7.2"`)).Is(
				"killed-externally")
		}, 1, 3)...)
	return append(out, Variants("a node's shutdown in a log that was searched for the pod, and code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Kubelet(40,
				`nodeshutdown_manager_linux.go:285] "Shutdown manager detected new `+
					`shutdown event, isNowShuttingDown" event=true`).Killing(40.2).Stop(40.21)
			return narrowed(s).Is("node-shutdown")
		}, 0, 1, 143)...)
}
