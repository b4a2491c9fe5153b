package main

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func (s *story) another(prefix string, lines ...string) *story {
	s.records = false
	log := s.Log("containerd")
	log.Lines = nil
	s.Each(func(_ *machine.Log, l *machine.Line) {
		l.Text = strings.ReplaceAll(l.Text, "containerd://", prefix+"://")
	})
	for i, text := range lines {
		t := []float64{-70, 1.9, 2, s.end + 0.02, s.end + 2.9, s.end + 3, 598}[min(i, 6)]
		s.line(t, machine.Line{Writer: prefix, Unit: prefix + ".service", PID: 70,
			Text: `time="` + at(t).Format("2006-01-02T15:04:05.000000000Z07:00") + `" level=info ` + text})
	}
	return s
}

func (s *story) docker() *story {
	return s.another("docker", `msg="Daemon has completed initialization"`, `msg="x"`, `msg="x"`,
		`msg="ignoring event" container=`+oldID+
			` module=libcontainerd namespace=moby topic=/tasks/delete type="*events.TaskDelete"`,
		`msg="y"`, `msg="y"`, `msg="z"`)
}

func (s *story) crio() *story {
	return s.another("cri-o", `msg="Starting CRI-O, version: 1.30.4, git: x"`,
		`msg="Created container `+oldID+`: shop/web-0/app" id=1`,
		`msg="Started container" PID=4711 containerID=`+oldID+` description=shop/web-0/app id=1 sandboxID=`+box,
		`msg="y"`, `msg="Created container `+newID+`: shop/web-0/app" id=2`,
		`msg="Started container" PID=4811 containerID=`+newID+` description=shop/web-0/app id=2 sandboxID=`+box, `msg="z"`)
}

// restStories are ends under other runtimes, of static and of short-lived pods, and of pods whose evidence is of two
// times.
func restStories() []written {
	var out []written
	out = append(out, variants("docker stop on the node and exit code %d, beside dockerd's log", func(code int) *story {
		return ended(42.5, code, "Error").docker().is("killed-externally")
	}, 0, 1, 3, 137, 143)...)
	out = append(out, variants("docker kill -s ABRT on the node and exit code %d, beside dockerd's log",
		func(code int) *story {
			return ended(42.5, code, "Error").docker().is("killed-externally")
		}, 134, 139, 129)...)
	out = append(out, variants("a kill by runc under CRI-O, and exit code %d, beside its log at warnings",
		func(code int) *story {
			s := ended(42.5, code, "Error").crio().is("killed-externally")
			return s.without(has("Created container", "Started container"))
		}, 0, 1, 3, 137, 143)...)
	for _, reason := range []string{"", "Evicted", "Preempting"} {
		out = append(out, variants("a static pod whose mirror is deleted by hand ("+reason+") as it ends of itself with %d",
			func(code int) *story {
				s := ended(42.5, code, "Error").is("app-exit-error")
				s.meta["annotations"] = object{"kubernetes.io/config.source": "file", "kubernetes.io/config.mirror": "abc",
					"kubernetes.io/config.hash": uid}
				s.kubelet(42.1, `kubelet.go:2430] "SyncLoop DELETE" source="api" pods=["shop/web-0"]`)
				s.kubelet(42.2, `mirror_client.go:130] "Deleting a mirror pod" pod="shop/web-0" podUID="`+formerUID+`"`)
				if reason != "" {
					s.event(42, reason, "x", nil)
				}
				return s
			}, 1, 3, 70)...)
	}
	for _, t := range []float64{41, 42.4, 43.5} {
		out = append(out, variants(fmt.Sprintf("a kubelet that is restarted at %v s, and an end of its own with %%d", t),
			func(code int) *story {
				s := ended(42.5, code, "Error").is("app-exit-error")
				s.kubelet(t, `flags.go:64] FLAG: --v="2"`).kubelet(t+0.01,
					`server.go:491] "Kubelet version" kubeletVersion="v1.31.0"`)
				s.Each(func(_ *machine.Log, l *machine.Line) {
					if l.Writer == "kubelet" && !l.True.Before(at(t)) {
						l.PID, l.Text = 180, strings.Replace(l.Text, "     80 ", "    180 ", 1)
					}
				})
				return s
			}, 1, 3, 70)...)
	}
	for _, t := range []float64{41, 42.45, 42.55} {
		out = append(out, variants(fmt.Sprintf("a containerd that is restarted at %v s, and a stop that it lost, code %%d",
			t),
			func(code int) *story {
				s := ended(42.5, code, "Error").stop(t - 0.02).is("killed-externally")
				s.runtime(t+0.6, `msg="starting containerd" revision=x version="1.7.2"`).runtime(t+0.7,
					`msg="containerd successfully booted in 0.091s"`)
				return s.without(has("StopContainer"))
			}, 0, 1, 3, 143)...)
	}
	out = append(out, variants("a job's pod past its deadline, an end of its own with %d right before",
		func(code int) *story {
			s := ended(42.5, code, "Error").is("app-exit-error")
			s.spec["restartPolicy"], s.spec["activeDeadlineSeconds"] = "Never", 42
			return s.last(func(pod object) {
				status := pod["status"].(object)
				status["phase"], status["reason"], status["message"] = "Failed", "DeadlineExceeded",
					"Pod was active on the node longer than the specified deadline"
				status["startTime"] = stamp(1)
			})
		}, 1, 3, 70)...)
	out = append(out, variants("a preStop hook that ends the process with %d, in a liveness kill", func(code int) *story {
		s := ended(40.4, code, "Error").probed(40).decided(40.1, livenessText).killing(40.6).stop(40.61)
		s.container["lifecycle"] = object{"preStop": object{"exec": object{"command": []any{"sh", "-c", "kill 1"}}}}
		return s.event(40.1, "Killing", livenessText, nil).is("liveness-probe-failed")
	}, 0, 1, 3, 143)...)
	out = append(out, variants("a preStop hook that ends the process with %d, as the pod is deleted",
		func(code int) *story {
			s := ended(40.4, code, "Error").configured(40, "DELETE").killing(40.6).stop(40.61)
			s.container["lifecycle"] = object{"preStop": object{"exec": object{"command": []any{"sh", "-c", "kill 1"}}}}
			return s.event(40.05, "Killing", "Stopping container app", nil).last(func(pod object) {
				m := pod["metadata"].(object)
				m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = stamp(70), 30
			}).is("pod-deleted")
		}, 0, 1, 3, 143)...)
	out = append(out, variants("a container without a grace period, killed by its probe, and code %d",
		func(code int) *story {
			s := ended(40.25, code, "Error")
			s.spec["terminationGracePeriodSeconds"] = 0
			s.probed(40).decided(40.1, livenessText).kubelet(40.2, killingLine(uid, "shop/web-0", oldID, 0)).runtime(40.21,
				`msg="StopContainer for \"`+oldID+`\" with timeout 0 (s)"`)
			return s.event(40.1, "Killing", livenessText, nil).is("liveness-probe-failed")
		}, 137, 143, 1)...)
	return append(out, variants("an event of a kill by another component, and an end of its own with %d",
		func(code int) *story {
			s := ended(42.5, code, "Error").is("app-exit-error")
			s.Logs, s.forms, s.records = nil, []machine.Form{machine.Text}, false
			s.container["livenessProbe"] = object{"httpGet": object{"path": "/", "port": 8080},
				"periodSeconds": 10, "failureThreshold": 1}
			return s.event(41, "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 503",
				nil).event(41, "Killing",
				livenessText, func(e object) {
					e["source"] = object{"component": "virtual-kubelet", "host": node}
					e["reportingComponent"], e["eventTime"] = "virtual-kubelet", at(41).Format("2006-01-02T15:04:05.000000Z07:00")
				})
		}, 1, 3, 137)...)
}
