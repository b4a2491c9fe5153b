package main

import (
	"fmt"
	"strings"
)

// overtaken is a machine that went down at a time and booted 15 s later. What had not ended by then has the end that
// the restarted runtime gives it.
func overtaken(down float64, code int, reason string) *story {
	s := ended(down+20, code, reason)
	s.without(has("TaskExit", "exitCode="))
	return s.rebooted(down + 15)
}

// downStories are ends beside a kill, or a request to stop, that the end of the machine overtook.
func downStories() []written {
	var out []written
	kills := map[string]func(*story, float64) *story{
		"liveness": func(s *story, t float64) *story { return s.liveness(t) },
		"changed definition": func(s *story, t float64) *story {
			return s.decided(t+0.1, "Container app definition changed, will be restarted").killing(t+0.2).stop(t+0.21).event(t,
				"Killing", "Container app definition changed, will be restarted", nil)
		},
		"deletion": func(s *story, t float64) *story { return s.deleted(t) },
		"resize": func(s *story, t float64) *story {
			return s.decided(t+0.1, "Container app resize requires restart").killing(t+0.2).stop(t+0.21).event(t, "Killing",
				"Container app resize requires restart", nil)
		},
		"failed hook": func(s *story, t float64) *story {
			s.runs("postStart", "x")
			return s.kubelet(t, `handlers.go:78] "Exec lifecycle hook for Container in Pod failed" err="command 'x' exited with 1: " `+
				`execCommand=["x"] containerName="app" pod="shop/web-0" message=""`).
				killing(t+0.2).
				stop(t+0.21).
				event(t,
					"FailedPostStartHook", "PostStartHook failed", nil).
				event(t, "Killing", "FailedPostStartHook", nil)
		},
		"stop by hand": func(s *story, t float64) *story { return s.stop(t) },
		"kill for a new sandbox": func(s *story, t float64) *story {
			return s.kubelet(t, `kuberuntime_manager.go:488] "No ready sandbox for pod can be found. Need to start a new one" `+
				`pod="shop/web-0"`).killing(t+0.2).stop(t+0.21).event(t, "Killing", "Stopping container app", nil)
		},
	}
	for name, kill := range kills {
		for _, before := range []float64{0.5, 4, 12} {
			out = append(
				out,
				variants(fmt.Sprintf("a machine that went down %v s after a kill (%s), and code %%d", before, name),
					func(code int) *story {
						reason := map[int]string{255: "Unknown", 137: "Error"}[code]
						return kill(overtaken(42, code, reason), 42-before).is(undecided)
					}, 255, 137)...)
			out = append(
				out,
				variants(fmt.Sprintf("a machine that went down %v s after a kill (%s), known by its boot id, and code "+
					"%%d", before, name),
					func(code int) *story {
						reason := map[int]string{255: "Unknown", 137: "Error"}[code]
						s := kill(overtaken(42, code, reason), 42-before).is(undecided)
						return s.without(has("Linux version"))
					}, 255, 137)...)
		}
		out = append(out, variants("a containerd that is restarted %v s after a kill ("+name+") and has lost the container",
			func(after float64) *story {
				s := kill(ended(41, 255, "Unknown"), 41-after).is(undecided)
				return s.without(has("TaskExit")).
					runtime(40.9, `msg="starting containerd" revision=x version="1.7.2"`).
					runtime(40.95,
						`msg="containerd successfully booted in 0.091s"`)
			}, 0.7, 3.0, 12.0)...)
		out = append(out, variants("a machine that is shut down %v s after a kill ("+name+"), and SIGTERM from both",
			func(after float64) *story {
				s := kill(ended(42.5, 143, "Error"), 42.3-after).rebooted(70)
				s.stoppedUnit(42.3, "kubepods.slice", "libcontainer container kubepods.slice")
				return s.is(undecided)
			}, 0.7, 3.0)...)
	}
	return out
}

// boxStories are those of a pod that got a new sandbox of which one line or another is lost.
func boxStories() []written {
	var out []written
	for name, lost := range map[string][]string{
		"nothing": {"\x00"}, "the kubelet's judgement": {"No ready sandbox"}, "the loss of the old one": {box + `\" id:`},
		"both":                     {"No ready sandbox", box + `\" id:`},
		"both, and the new one":    {"No ready sandbox", box + `\" id:`, "RunPodSandbox"},
		"both, and the stop of it": {"No ready sandbox", box + `\" id:`, "StopPodSandbox"},
		"all of the sandboxes":     {"No ready sandbox", box + `\" id:`, "StopPodSandbox", "RunPodSandbox"},
	} {
		for _, event := range []bool{true, false} {
			change := func(s *story) *story {
				s.boxAnew()
				if !event {
					s.events = nil
				}
				if strings.Contains(name, "stop") {
					s.runtime(39.9, `msg="StopPodSandbox for \"`+box+`\""`)
				}
				return s.without(has(lost...))
			}
			name := fmt.Sprintf("a new sandbox, of which %s is lost, event %v", name, event)
			out = append(out, variants(name+", and code %d", func(code int) *story {
				return change(ended(42.5, code, "Error").boxEnds(41)) // it may have died first, and the container of its own
			}, 0, 1, 3, 139, 143)...)
			out = append(out, variants(name+", killed by the kubelet, code %d", func(code int) *story {
				s := ended(42.5, code, "Error").boxEnds(39).killing(40.2).stop(40.21).is("sandbox-died")
				s.event(40, "Killing", "Stopping container app", nil)
				s = change(s)
				return s.kubelet(40, `kuberuntime_manager.go:488] "No ready sandbox for pod can be found. Need to start a new one" `+
					`pod="shop/web-0"`).
					without(has(lost...))
			}, 0, 1, 143)...)
			out = append(out, variants(name+", killed by the kubelet for a lost address, code %d", func(code int) *story {
				s := ended(42.5, code, "Error").killing(40.2).stop(40.21).is("sandbox-no-ip")
				s.event(40, "Killing", "Stopping container app", nil)
				s = change(s).without(has("No ready sandbox"))
				return s.kubelet(40, `kuberuntime_manager.go:488] "Sandbox for pod has no IP address. Need to start a new one" `+
					`pod="shop/web-0"`).without(has(append(lost, "no IP")...))
			}, 0, 143)...)
		}
	}
	return out
}
