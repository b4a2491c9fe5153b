package main

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// sidecar makes the container a restartable init container beside another one that runs on.
func (s *story) sidecar() *story {
	s.container["restartPolicy"] = "Always"
	s.spec["initContainers"] = s.spec["containers"]
	s.spec["containers"] = []any{object{"name": "main", "image": "registry.example/main:1"}}
	return s
}

// shiftStories are ends beside changes of the pod and of the node that are under way at the same moment.
func shiftStories() []written {
	var out []written
	resized := func(t float64) func(int) *story {
		return func(code int) *story {
			s := ended(42.5, code, "Error").is("app-exit-error")
			s.version = "v1.33.2"
			s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "v1.30.14", s.version, 1) })
			s.container["resizePolicy"] = []any{object{"resourceName": "memory", "restartPolicy": "RestartContainer"}}
			s.limit()
			s.kubelet(t, `kubelet.go:2440] "SyncLoop UPDATE" source="api" pods=["shop/web-0"]`)
			return s.event(t, "ResizeCompleted", "Pod resize completed", func(e object) {
				delete(e["involvedObject"].(object), "fieldPath")
			})
		}
	}
	for _, t := range []float64{38, 42.4, 43} {
		out = append(out, variants(fmt.Sprintf("a resize that asks for a restart at %v s, and an end of its own with %%d", t),
			resized(t), 1, 3, 70)...)
	}
	out = append(out, variants("a resize's kill, and memory at its limit %v s before the end",
		func(before float64) *story {
			s := ended(42.5, 137, "OOMKilled").limit()
			s.version = "v1.33.2"
			s.decided(40.1, "Container app resize requires restart").killing(40.2).stop(40.21)
			s.oom(42.5-before, "CONSTRAINT_MEMCG", cgroup, "web", 4711, taskRow(4711, "web")).taskOOM(42.5 - before + 0.03)
			return s.event(40.1, "Killing", "Container app resize requires restart", nil)
		}, 0.1, 1.0, 2.2)...)
	out = append(out, variants("a liveness kill, and memory at its limit %v s before the end",
		func(before float64) *story {
			s := ended(42.5, 137, "OOMKilled").limit().liveness(40)
			s.oom(42.5-before, "CONSTRAINT_MEMCG", cgroup, "web", 4711, taskRow(4711, "web")).taskOOM(42.5 - before + 0.03)
			return s.is(undecided)
		}, 0.1, 1.0, 2.2)...)
	out = append(out, variants("the limit of %s, which is above the pod", func(above string) *story {
		s := ended(42.5, 137, "OOMKilled").limit()
		return s.oom(42.4, "CONSTRAINT_MEMCG", above, "web", 4711, taskRow(4711, "web")).taskOOM(42.43).is("oom-node")
	}, "/kubepods", "/kubepods/burstable", "/kubepods.slice")...)
	out = append(out, variants("a sidecar's end of its own with %d, and the pod's other container goes on",
		func(code int) *story {
			return ended(42.5, code, "Error").sidecar().is("app-exit-error")
		}, 1, 3, 70)...)
	out = append(out, variants("a sidecar that is stopped at the pod's end, and code %d", func(code int) *story {
		s := ended(42.5, code, "Error").sidecar()
		s.kubelet(40, `kuberuntime_container.go:779] "Killing container with a grace period" pod="shop/web-0" podUID="`+uid+
			`" containerName="app" containerID="containerd://`+oldID+`" gracePeriod=30`).stop(40.02)
		return s.event(40, "Killing", "Stopping container app", nil)
	}, 0, 1, 143, 137)...)
	out = append(out, variants("an exec'd process that dies at the same moment as the container, with %d",
		func(code int) *story {
			s := ended(42.5, 1, "Error").execEnds(42.3, code).without(has("podsandbox handler container_id:\\\"" + oldID +
				"\\\" id:\\\"" + oldID))
			return s.liveness(40.1).without(has("Killing container", "Message for",
				"Probe failed", "StopContainer", "Suppressed")).line(
				41, machine.Line{Writer: "systemd-journald", Unit: "systemd-journald.service", PID: 30,
					Text: "Suppressed 44 messages from kubelet.service"})
		}, 137, 1, 0)...)
	for _, who := range []string{"earlyoom", "systemd-oomd"} {
		out = append(out, variants(who+" kills a process of the same name, PID %d, in another pod at that moment",
			func(pid int) *story {
				s := ended(42.5, 137, "Error").is("killed-externally")
				text := fmt.Sprintf(`sending SIGKILL to process %d uid 0 "web": oom_score 1300, VmRSS 900 MiB`, pid)
				if who == "systemd-oomd" {
					text = "Killed /kubepods/burstable/podaaaa6a52-0b8e-4a57-9f0a-5e2c1b9daaaa/" +
						secondBox + " due to memory pressure " +
						"for /kubepods being 85.12% > 60.00% for > 30s with reclaim activity"
				}
				return s.line(42.3, machine.Line{Writer: who, Unit: who + ".service", PID: 60, Text: text})
			}, 4712, 99, 31337)...)
	}
	for _, by := range []float64{-90, -6, 6, 90} {
		out = append(out,
			variants(fmt.Sprintf("the API server's clock is %+v s off, the pod is deleted after its end with %%d", by),
				func(code int) *story {
					s := ended(42.5, code, "Error").is("app-exit-error")
					s.configured(44, "DELETE")
					return s.last(func(pod object) {
						m := pod["metadata"].(object)
						m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = stamp(44+by+30), 30
					})
				}, 1, 3, 70)...)
	}
	for _, after := range []float64{0.05, 0.3, 1.1} {
		out = append(out,
			variants(fmt.Sprintf("a liveness kill under way, and a deletion with grace %%d that ends it after %v s", after),
				func(grace int) *story {
					s := ended(30, 137, "Error").liveness(20).configured(30-after-0.03, "DELETE")
					s.kubelet(30-after-0.02, killingLine(uid, "shop/web-0", oldID, grace)).stop(30 - after - 0.01)
					s.event(30-after-0.02, "Killing", "Stopping container app", nil)
					return s.last(func(pod object) {
						m := pod["metadata"].(object)
						m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = stamp(30-after+float64(grace)), grace
					}).is(undecided)
				}, 0, 1, 2)...)
	}
	out = append(out, variants("an image that is pulled anew for the next instance after an end of its own with %d",
		func(code int) *story {
			s := ended(42.5, code, "Error").is("app-exit-error")
			s.spec["containers"].([]any)[0].(object)["image"] = "registry.example/web:8"
			return s.kubelet(43, `kubelet.go:2440] "SyncLoop UPDATE" source="api" pods=["shop/web-0"]`)
		}, 1, 3, 70)...)
	out = append(out, variants("an event of a kill, aggregated, whose last one is of the instance after, code %d",
		func(code int) *story {
			s := ended(42.5, code, "Error").is("app-exit-error")
			s.container["livenessProbe"] = object{"httpGet": object{"path": "/", "port": 8080},
				"periodSeconds": 10, "failureThreshold": 1}
			s.meta["creationTimestamp"] = stamp(-1000)
			s.Logs, s.forms, s.records = nil, []machine.Form{machine.Text}, false
			return s.event(400, "Killing", livenessText, func(e object) {
				e["count"], e["firstTimestamp"], e["lastTimestamp"] = 7, stamp(-300), stamp(400)
			}).event(40, "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 503", nil)
		}, 1, 3, 137)...)
	return append(out, variants("a kubelet that runs under another name beside the node's own, and exit code %d",
		func(code int) *story {
			s := ended(42.5, code, "Error").liveness(40)
			s.Each(func(_ *machine.Log, l *machine.Line) {
				if l.Writer == "kubelet" && strings.Contains(l.Text, "Killing container") {
					l.Unit = "kubelet2.service"
				}
			})
			return s
		}, 0, 1, 3, 143)...)
}
