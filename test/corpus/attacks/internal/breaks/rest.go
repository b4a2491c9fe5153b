package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// restStories are exits under other runtimes, of static and of short-lived pods, and of pods with evidence from two
// different times.
func restStories() []Written {
	var out []Written
	out = append(out, Variants("docker stop on the node and exit code %d, beside dockerd's log",
		func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Docker().Is("killed-externally")
		}, 0, 1, 3, 137, 143)...)
	out = append(out, Variants("docker kill -s ABRT on the node and exit code %d, beside dockerd's log",
		func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Docker().Is("killed-externally")
		}, 134, 139, 129)...)
	out = append(out, Variants("a kill by runc under CRI-O, and exit code %d, beside its log at warnings",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").CRIO().Is("killed-externally")
			return s.Without(story.Has("Created container", "Started container"))
		}, 0, 1, 3, 137, 143)...)
	for _, reason := range []string{"", "Evicted", "Preempting"} {
		out = append(out, Variants("a static pod whose mirror is deleted by hand ("+reason+") as it ends of itself with %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is("app-exit-error")
				s.Meta["annotations"] = story.Object{"kubernetes.io/config.source": "file", "kubernetes.io/config.mirror": "abc",
					"kubernetes.io/config.hash": story.UID}
				s.Kubelet(42.1, `kubelet.go:2430] "SyncLoop DELETE" source="api" pods=["shop/web-0"]`)
				s.Kubelet(42.2, `mirror_client.go:130] "Deleting a mirror pod" pod="shop/web-0" podUID="`+story.FormerUID+`"`)
				if reason != "" {
					s.Event(42, reason, "x", nil)
				}
				return s
			}, 1, 3, 70)...)
	}
	for _, t := range []float64{41, 42.4, 43.5} {
		out = append(out, Variants(fmt.Sprintf("a kubelet that is restarted at %v s, and an end of its own with %%d", t),
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is("app-exit-error")
				s.Kubelet(t, `flags.go:64] FLAG: --v="2"`).Kubelet(t+0.01,
					`server.go:491] "Kubelet version" kubeletVersion="v1.31.0"`)
				s.Each(func(_ *machine.Log, l *machine.Line) {
					if l.Writer == "kubelet" && !l.True.Before(story.At(t)) {
						l.PID, l.Text = 180, strings.Replace(l.Text, "     80 ", "    180 ", 1)
					}
				})
				return s
			}, 1, 3, 70)...)
	}
	for _, t := range []float64{41, 42.45, 42.55} {
		out = append(out, Variants(fmt.Sprintf("a containerd that is restarted at %v s, and a stop that it lost, code %%d",
			t),
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Stop(t - 0.02).Is("killed-externally")
				s.Runtime(t+0.6, `msg="starting containerd" revision=x version="1.7.2"`).Runtime(t+0.7,
					`msg="containerd successfully booted in 0.091s"`)
				return s.Without(story.Has("StopContainer"))
			}, 0, 1, 3, 143)...)
	}
	out = append(out, Variants("a job's pod past its deadline, an end of its own with %d right before",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Is("app-exit-error")
			s.Spec["restartPolicy"], s.Spec["activeDeadlineSeconds"] = "Never", 42
			return s.Last(func(pod story.Object) {
				status := pod["status"].(story.Object)
				status["phase"], status["reason"], status["message"] = "Failed", "DeadlineExceeded",
					"Pod was active on the node longer than the specified deadline"
				status["startTime"] = story.Stamp(1)
			})
		}, 1, 3, 70)...)
	out = append(out, Variants("a preStop hook that ends the process with %d, in a liveness kill",
		func(code int) *story.Story {
			s := story.Ended(40.4, code, "Error").Probed(40).Decided(40.1, story.LivenessText).Killing(40.6).Stop(40.61)
			s.Container["lifecycle"] = story.Object{"preStop": story.Object{"exec": story.Object{"command": []any{"sh", "-c",
				"kill 1"}}}}
			return s.Event(40.1, "Killing", story.LivenessText, nil).Is("liveness-probe-failed")
		}, 0, 1, 3, 143)...)
	out = append(out, Variants("a preStop hook that ends the process with %d, as the pod is deleted",
		func(code int) *story.Story {
			s := story.Ended(40.4, code, "Error").Configured(40, "DELETE").Killing(40.6).Stop(40.61)
			s.Container["lifecycle"] = story.Object{"preStop": story.Object{"exec": story.Object{"command": []any{"sh", "-c",
				"kill 1"}}}}
			return s.Event(40.05, "Killing", "Stopping container app", nil).Last(func(pod story.Object) {
				m := pod["metadata"].(story.Object)
				m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(70), 30
			}).Is("pod-deleted")
		}, 0, 1, 3, 143)...)
	out = append(out, Variants("a container without a grace period, killed by its probe, and code %d",
		func(code int) *story.Story {
			s := story.Ended(40.25, code, "Error")
			s.Spec["terminationGracePeriodSeconds"] = 0
			s.Probed(40).Decided(40.1, story.LivenessText).Kubelet(40.2,
				story.KillingLine(story.UID, "shop/web-0", story.OldID, 0)).Runtime(40.21,
				`msg="StopContainer for \"`+story.OldID+`\" with timeout 0 (s)"`)
			return s.Event(40.1, "Killing", story.LivenessText, nil).Is("liveness-probe-failed")
		}, 137, 143, 1)...)
	return append(out, Variants("an event of a kill by another component, and an end of its own with %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Is("app-exit-error")
			s.Logs, s.Forms, s.Records = nil, []machine.Form{machine.Text}, false
			s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080},
				"periodSeconds": 10, "failureThreshold": 1}
			return s.Event(41, "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 503",
				nil).Event(41, "Killing",
				story.LivenessText, func(e story.Object) {
					e["source"] = story.Object{"component": "virtual-kubelet", "host": story.Node}
					e["reportingComponent"], e["eventTime"] = "virtual-kubelet",
						story.At(41).Format("2006-01-02T15:04:05.000000Z07:00")
				})
		}, 1, 3, 137)...)
}
