package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// shiftStories are exits during simultaneous changes of the pod and of the node.
func shiftStories() []Written {
	var out []Written
	resized := func(t float64) func(int) *story.Story {
		return func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Is("app-exit-error")
			s.Version = "v1.33.2"
			s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "v1.30.14", s.Version, 1) })
			s.Container["resizePolicy"] = []any{story.Object{"resourceName": "memory", "restartPolicy": "RestartContainer"}}
			s.Limit()
			s.Kubelet(t, `kubelet.go:2440] "SyncLoop UPDATE" source="api" pods=["shop/web-0"]`)
			return s.Event(t, "ResizeCompleted", "Pod resize completed", func(e story.Object) {
				delete(e["involvedObject"].(story.Object), "fieldPath")
			})
		}
	}
	for _, t := range []float64{38, 42.4, 43} {
		out = append(out, Variants(fmt.Sprintf("a resize that asks for a restart at %v s, and an end of its own with %%d", t),
			resized(t), 1, 3, 70)...)
	}
	out = append(out, Variants("a resize's kill, and memory at its limit %v s before the end",
		func(before float64) *story.Story {
			s := story.Ended(42.5, 137, "OOMKilled").Limit()
			s.Version = "v1.33.2"
			s.Decided(40.1, "Container app resize requires restart").Killing(40.2).Stop(40.21)
			s.OOM(42.5-before, "CONSTRAINT_MEMCG", story.Cgroup, "web", 4711,
				story.TaskRow(4711, "web")).TaskOOM(42.5 - before + 0.03)
			return s.Event(40.1, "Killing", "Container app resize requires restart", nil)
		}, 0.1, 1.0, 2.2)...)
	out = append(out, Variants("a liveness kill, and memory at its limit %v s before the end",
		func(before float64) *story.Story {
			s := story.Ended(42.5, 137, "OOMKilled").Limit().Liveness(40)
			s.OOM(42.5-before, "CONSTRAINT_MEMCG", story.Cgroup, "web", 4711,
				story.TaskRow(4711, "web")).TaskOOM(42.5 - before + 0.03)
			return s.Is(story.Undecided)
		}, 0.1, 1.0, 2.2)...)
	out = append(out, Variants("the limit of %s, which is above the pod", func(above string) *story.Story {
		s := story.Ended(42.5, 137, "OOMKilled").Limit()
		return s.OOM(42.4, "CONSTRAINT_MEMCG", above, "web", 4711, story.TaskRow(4711, "web")).TaskOOM(42.43).Is("oom-node")
	}, "/kubepods", "/kubepods/burstable", "/kubepods.slice")...)
	out = append(out, Variants("a sidecar's end of its own with %d, and the pod's other container goes on",
		func(code int) *story.Story {
			return story.Ended(42.5, code, "Error").Sidecar().Is("app-exit-error")
		}, 1, 3, 70)...)
	out = append(out, Variants("a sidecar that is stopped at the pod's end, and code %d", func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error").Sidecar()
		s.Kubelet(40, `kuberuntime_container.go:779] "Killing container with a grace period" pod="shop/web-0" podUID="`+story.UID+
			`" containerName="app" containerID="containerd://`+story.OldID+`" gracePeriod=30`).Stop(40.02)
		return s.Event(40, "Killing", "Stopping container app", nil)
	}, 0, 1, 143, 137)...)
	out = append(out, Variants("an exec'd process that dies at the same moment as the container, with %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, 1, "Error").ExecEnds(42.3, code).Without(story.Has("podsandbox handler container_id:\\\"" +
				story.OldID +
				"\\\" id:\\\"" + story.OldID))
			return s.Liveness(40.1).Without(story.Has("Killing container", "Message for",
				"Probe failed", "StopContainer", "Suppressed")).Line(
				41, machine.Line{Writer: "systemd-journald", Unit: "systemd-journald.service", PID: 30,
					Text: "Suppressed 44 messages from kubelet.service"})
		}, 137, 1, 0)...)
	for _, who := range []string{"earlyoom", "systemd-oomd"} {
		out = append(out, Variants(who+" kills a process of the same name, PID %d, in another pod at that moment",
			func(pid int) *story.Story {
				s := story.Ended(42.5, 137, "Error").Is("killed-externally")
				text := fmt.Sprintf(`sending SIGKILL to process %d uid 0 "web": oom_score 1300, VmRSS 900 MiB`, pid)
				if who == "systemd-oomd" {
					text = "Killed /kubepods/burstable/podaaaa6a52-0b8e-4a57-9f0a-5e2c1b9daaaa/" +
						story.SecondSandboxID + " due to memory pressure " +
						"for /kubepods being 85.12% > 60.00% for > 30s with reclaim activity"
				}
				return s.Line(42.3, machine.Line{Writer: who, Unit: who + ".service", PID: 60, Text: text})
			}, 4712, 99, 31337)...)
	}
	for _, by := range []float64{-90, -6, 6, 90} {
		out = append(out,
			Variants(fmt.Sprintf("the API server's clock is %+v s off, the pod is deleted after its end with %%d", by),
				func(code int) *story.Story {
					s := story.Ended(42.5, code, "Error").Is("app-exit-error")
					s.Configured(44, "DELETE")
					return s.Last(func(pod story.Object) {
						m := pod["metadata"].(story.Object)
						m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(44+by+30), 30
					})
				}, 1, 3, 70)...)
	}
	for _, after := range []float64{0.05, 0.3, 1.1} {
		out = append(out,
			Variants(fmt.Sprintf("a liveness kill under way, and a deletion with grace %%d that ends it after %v s", after),
				func(grace int) *story.Story {
					s := story.Ended(30, 137, "Error").Liveness(20).Configured(30-after-0.03, "DELETE")
					s.Kubelet(30-after-0.02, story.KillingLine(story.UID, "shop/web-0", story.OldID, grace)).Stop(30 - after - 0.01)
					s.Event(30-after-0.02, "Killing", "Stopping container app", nil)
					return s.Last(func(pod story.Object) {
						m := pod["metadata"].(story.Object)
						m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(30-after+float64(grace)), grace
					}).Is(story.Undecided)
				}, 0, 1, 2)...)
	}
	out = append(out, Variants("an image that is pulled anew for the next instance after an end of its own with %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Is("app-exit-error")
			s.Spec["containers"].([]any)[0].(story.Object)["image"] = "registry.example/web:8"
			return s.Kubelet(43, `kubelet.go:2440] "SyncLoop UPDATE" source="api" pods=["shop/web-0"]`)
		}, 1, 3, 70)...)
	out = append(out, Variants("an event of a kill, aggregated, whose last one is of the instance after, code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Is("app-exit-error")
			s.Container["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080},
				"periodSeconds": 10, "failureThreshold": 1}
			s.Meta["creationTimestamp"] = story.Stamp(-1000)
			s.Logs, s.Forms, s.Records = nil, []machine.Form{machine.Text}, false
			return s.Event(400, "Killing", story.LivenessText, func(e story.Object) {
				e["count"], e["firstTimestamp"], e["lastTimestamp"] = 7, story.Stamp(-300), story.Stamp(400)
			}).Event(40, "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 503", nil)
		}, 1, 3, 137)...)
	return append(out, Variants("a kubelet that runs under another name beside the node's own, and exit code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Liveness(40)
			s.Each(func(_ *machine.Log, l *machine.Line) {
				if l.Writer == "kubelet" && strings.Contains(l.Text, "Killing container") {
					l.Unit = "kubelet2.service"
				}
			})
			return s
		}, 0, 1, 3, 143)...)
}
