package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
)

// overtaken returns a story of a machine that went down at a time and booted 15 s later. What had not exited by then
// gets its exit from the restarted runtime.
func overtaken(down float64, code int, reason string) *story.Story {
	s := story.Ended(down+20, code, reason)
	s.Without(story.Has("TaskExit", "exitCode=", "ContainerDied"))
	s.Kubelet(down+24, `kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="shop/web-0" event={"ID":"`+story.UID+
		`","Type":"ContainerDied","Data":"`+story.OldID+`"}`)
	return s.Rebooted(down + 15)
}

// downStories are exits with a kill, or a stop request, that was still under way when the machine went down.
func downStories() []Written {
	var out []Written
	kills := map[string]func(*story.Story, float64) *story.Story{
		"liveness": func(s *story.Story, t float64) *story.Story { return s.Liveness(t) },
		"changed definition": func(s *story.Story, t float64) *story.Story {
			return s.Decided(t+0.1, "Container app definition changed, will be restarted").Killing(t+0.2).Stop(t+0.21).Event(t,
				"Killing", "Container app definition changed, will be restarted", nil)
		},
		"deletion": func(s *story.Story, t float64) *story.Story { return s.Deleted(t) },
		"resize": func(s *story.Story, t float64) *story.Story {
			return s.Decided(t+0.1, "Container app resize requires restart").Killing(t+0.2).Stop(t+0.21).Event(t, "Killing",
				"Container app resize requires restart", nil)
		},
		"failed hook": func(s *story.Story, t float64) *story.Story {
			s.Runs("postStart", "x")
			return s.Kubelet(t, `handlers.go:78] "Exec lifecycle hook for Container in Pod failed" err="command 'x' exited with 1: " `+
				`execCommand=["x"] containerName="app" pod="shop/web-0" message=""`).
				Killing(t+0.2).
				Stop(t+0.21).
				Event(t,
					"FailedPostStartHook", "PostStartHook failed", nil).
				Event(t, "Killing", "FailedPostStartHook", nil)
		},
		"stop by hand": func(s *story.Story, t float64) *story.Story { return s.Stop(t) },
		"kill for a new sandbox": func(s *story.Story, t float64) *story.Story {
			return s.Kubelet(t, `kuberuntime_manager.go:488] "No ready sandbox for pod can be found. Need to start a new one" `+
				`pod="shop/web-0"`).Killing(t+0.2).Stop(t+0.21).Event(t, "Killing", "Stopping container app", nil)
		},
	}
	for name, kill := range kills {
		for _, before := range []float64{0.5, 4, 12} {
			out = append(
				out,
				Variants(fmt.Sprintf("a machine that went down %v s after a kill (%s), and code %%d", before, name),
					func(code int) *story.Story {
						reason := map[int]string{255: "Unknown", 137: "Error"}[code]
						return kill(overtaken(42, code, reason), 42-before).Is(story.Undecided)
					}, 255, 137)...)
			out = append(
				out,
				Variants(fmt.Sprintf("a machine that went down %v s after a kill (%s), known by its boot id, and code "+
					"%%d", before, name),
					func(code int) *story.Story {
						reason := map[int]string{255: "Unknown", 137: "Error"}[code]
						s := kill(overtaken(42, code, reason), 42-before).Is(story.Undecided)
						return s.Without(story.Has("Linux version"))
					}, 255, 137)...)
		}
		out = append(out, Variants("a containerd that is restarted %v s after a kill ("+name+") and has lost the container",
			func(after float64) *story.Story {
				s := kill(story.Ended(41, 255, "Unknown"), 41-after).Is(story.Undecided)
				return s.Without(story.Has("TaskExit")).
					Runtime(40.9, `msg="starting containerd" revision=x version="1.7.2"`).
					Runtime(40.95,
						`msg="containerd successfully booted in 0.091s"`)
			}, 0.7, 3.0, 12.0)...)
		out = append(out, Variants("a machine that is shut down %v s after a kill ("+name+"), and SIGTERM from both",
			func(after float64) *story.Story {
				s := kill(story.Ended(42.5, 143, "Error"), 42.3-after).Rebooted(70)
				s.StoppedUnit(42.3, "kubepods.slice", "libcontainer container kubepods.slice")
				return s.Is(story.Undecided)
			}, 0.7, 3.0)...)
	}
	return out
}

// boxStories are exits of a pod that got a new sandbox, with one or another log line lost.
func boxStories() []Written {
	var out []Written
	for name, lost := range map[string][]string{
		"nothing": {"\x00"}, "the kubelet's judgement": {"No ready sandbox"},
		"the loss of the old one":  {story.SandboxID + `\" id:`},
		"both":                     {"No ready sandbox", story.SandboxID + `\" id:`},
		"both, and the new one":    {"No ready sandbox", story.SandboxID + `\" id:`, "RunPodSandbox"},
		"both, and the stop of it": {"No ready sandbox", story.SandboxID + `\" id:`, "StopPodSandbox"},
		"all of the sandboxes":     {"No ready sandbox", story.SandboxID + `\" id:`, "StopPodSandbox", "RunPodSandbox"},
	} {
		for _, event := range []bool{true, false} {
			change := func(s *story.Story) *story.Story {
				s.BoxAnew()
				if !event {
					s.Events = nil
				}
				if strings.Contains(name, "stop") {
					s.Runtime(39.9, `msg="StopPodSandbox for \"`+story.SandboxID+`\""`)
				}
				return s.Without(story.Has(lost...))
			}
			name := fmt.Sprintf("a new sandbox, of which %s is lost, event %v", name, event)
			out = append(out, Variants(name+", and code %d", func(code int) *story.Story {
				return change(story.Ended(42.5, code, "Error").BoxEnds(41)) // it or the container may have died first
			}, 0, 1, 3, 139, 143)...)
			out = append(out, Variants(name+", killed by the kubelet, code %d", func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").BoxEnds(39).Killing(40.2).Stop(40.21).Is("sandbox-died")
				s.Event(40, "Killing", "Stopping container app", nil)
				s = change(s)
				return s.Kubelet(40, `kuberuntime_manager.go:488] "No ready sandbox for pod can be found. Need to start a new one" `+
					`pod="shop/web-0"`).
					Without(story.Has(lost...))
			}, 0, 1, 143)...)
			out = append(out, Variants(name+", killed by the kubelet for a lost address, code %d", func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Killing(40.2).Stop(40.21).Is("sandbox-no-ip")
				s.Event(40, "Killing", "Stopping container app", nil)
				s = change(s).Without(story.Has("No ready sandbox"))
				return s.Kubelet(40, `kuberuntime_manager.go:488] "Sandbox for pod has no IP address. Need to start a new one" `+
					`pod="shop/web-0"`).Without(story.Has(append(lost, "no IP")...))
			}, 0, 143)...)
		}
	}
	return out
}
