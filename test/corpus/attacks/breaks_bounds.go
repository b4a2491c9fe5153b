package main

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// rebooted has the node boot at a time, with the next instance after that.
func (s *story) rebooted(from float64) *story {
	s.Boots = append(s.Boots, "cc35731d488a498ba6eb103ff6db4acc")
	s.records = false
	for _, log := range s.Logs {
		for i := range log.Lines {
			if l := &log.Lines[i]; strings.Contains(l.Text, newID) {
				l.True = l.True.Add(at(from + 20).Sub(at(s.end + 2)))
			}
		}
	}
	s.kernel(from, "Linux version 6.1.0")
	s.runtime(from+5, `msg="starting containerd" revision=x version="1.7.2"`).runtime(from+5.1,
		`msg="containerd successfully booted in 0.091s"`)
	s.kubelet(from+8, `flags.go:64] FLAG: --v="2"`).kubelet(from+8.01, `server.go:491] "Kubelet version" kubeletVersion="`+
		s.version+`"`)
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if !l.True.Before(at(from)) {
			l.Boot = 1
		}
	})
	return s
}

// boundStories are ends beside the end of what they lived in.
func boundStories() []written {
	var out []written
	for _, after := range []float64{2, 6, 15, 40, 80} {
		out = append(out, variants(fmt.Sprintf("a node that is shut down by its operator and boots %v s after code %%d", after),
			func(code int) *story { return ended(42.5, code, "Error").rebooted(42.5 + after) }, 0, 1, 3, 137, 143, 255)...)
	}
	for _, reason := range []string{"Evicted", "Preempting", "Terminated", "NodeShutdown"} {
		gone := func(code int) *story {
			return ended(42.5, code, "Error").is("app-exit-error").last(func(pod object) {
				status := pod["status"].(object)
				status["phase"], status["reason"], status["message"] = "Failed", reason,
					"The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi."
			})
		}
		out = append(out, variants("a pod that ends with %d right before it is "+reason, func(code int) *story {
			s := gone(code).event(43, reason, "The node was low on resource: memory. Threshold quantity: 100Mi", nil)
			return s.kubelet(43.1, `eviction_manager.go:574] "Eviction manager: pod is evicted successfully" pod="shop/web-0"`)
		}, 1, 3, 139)...)
		out = append(out, variants("a pod that ends with %d right before it is "+reason+", without logs",
			func(code int) *story {
				s := gone(code).event(43, reason, "The node was low on resource: memory. Threshold quantity: 100Mi", nil)
				s.Logs, s.forms = nil, []machine.Form{machine.Text}
				return s
			}, 1, 3, 139)...)
	}
	for _, t := range []float64{41, 42.55, 44} {
		out = append(out, variants(fmt.Sprintf("code %%d of its own, and a kubelet that is restarted at %v s", t),
			func(code int) *story {
				s := ended(42.5, code, "Error").is("app-exit-error")
				return s.kubelet(t, `flags.go:64] FLAG: --v="2"`).kubelet(t+0.01,
					`server.go:491] "Kubelet version" kubeletVersion="`+s.version+`"`)
			}, 255, 137)...)
		out = append(out, variants(fmt.Sprintf("code %%d of its own, and a containerd that is restarted at %v s", t),
			func(code int) *story {
				return ended(42.5, code, "Error").runtime(t, `msg="starting containerd" revision=x version="1.7.2"`).runtime(t+0.1,
					`msg="containerd successfully booted in 0.091s"`).is("app-exit-error")
			}, 255, 137)...)
	}
	out = append(out, variants("a pod that is gone from the API, whose processes it may have shared, and code %d",
		func(code int) *story {
			s := ended(42.5, code, "Error")
			s.files["cluster/pods.json"] = string(list(nil))
			return s
		}, 1, 3, 139, 143)...)
	out = append(out, variants("an API that says %d where the runtime's log says 137", func(code int) *story {
		s := ended(42.5, code, "Error")
		s.Each(func(_ *machine.Log, l *machine.Line) {
			l.Text = strings.Replace(l.Text, fmt.Sprintf("exit_status:%d", code), "exit_status:137", 1)
			l.Text = strings.Replace(l.Text, fmt.Sprintf("exitCode=%d", code), "exitCode=137", 1)
		})
		return s
	}, 1, 3, 0)...)
	narrowed := func(s *story) *story { return s.kept("web-0", uid, oldID, newID, box) }
	out = append(out, variants("a containerd that lost a stop, in a log that was searched for the pod, and code %d",
		func(code int) *story {
			return narrowed(ended(42.5, code, "Error").runtime(43.05, `msg="starting containerd" version="1.7.2"`)).is(
				"killed-externally")
		}, 1, 3)...)
	return append(out, variants("a node's shutdown in a log that was searched for the pod, and code %d",
		func(code int) *story {
			s := ended(42.5, code, "Error").kubelet(40, `nodeshutdown_manager_linux.go:285] "Shutdown manager detected new `+
				`shutdown event, isNowShuttingDown" event=true`).killing(40.2).stop(40.21)
			return narrowed(s).is("node-shutdown")
		}, 0, 1, 143)...)
}
