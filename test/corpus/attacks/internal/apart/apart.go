// Package apart has stories of evidence that does not belong together: two clocks, two kubelets, two pods with one
// name, two answers of the API. None of them was ever proven wrong. They have the same form as those of package breaks.
package apart

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// All returns the stories by class.
func All() map[string][]breaks.Written {
	return map[string][]breaks.Written{"maker": makerStories(), "apart": apartStories()}
}

// apartStories are exits with evidence from two clocks, two kubelets, two pods with one name or two API answers that do
// not belong together.
func apartStories() []breaks.Written {
	var out []breaks.Written
	// A deleted pod with the same name, whose successor was created within the same second, and exits by itself.
	for _, gap := range []float64{0.2, 0.6, 0.95} {
		out = append(out, breaks.Variants(fmt.Sprintf("the deletion of a pod of its name goes on %v s before it ends, code %%d", gap),
			func(code int) *story.Story {
				s := story.Ended(3.4, code, "Error").Born(1)
				t := 3.4 - gap
				s.Kubelet(t, `kubelet.go:2430] "SyncLoop DELETE" source="api" pods=["shop/web-0"]`)
				s.Kubelet(t+0.01, story.KillingLine(story.FormerUID, "shop/web-0", story.OtherID, 30))
				s.Runtime(t+0.02, `msg="StopContainer for \"`+story.OtherID+`\" with timeout 30 (s)"`)
				s.Kubelet(t+0.03, `kubelet.go:2424] "SyncLoop REMOVE" source="api" pods=["shop/web-0"]`)
				s.Event(t, "Killing", "Stopping container app", func(e story.Object) {
					e["involvedObject"].(story.Object)["uid"] = story.FormerUID
				})
				return s.Is("app-exit-error")
			}, 1, 3)...)
	}
	// The image was set after the kill, by an API server whose clock is behind.
	for _, behind := range []float64{5, 120, 400} {
		out = append(out, breaks.Variants(fmt.Sprintf("an upgrade's kill, and an edit after it by an API server %v s behind, code %%d",
			behind), func(code int) *story.Story {
			s := Succeeded(story.Ended(42.5, code, "Error"), "v1.31.2", 40, 41.4)
			return s.SetImage(41 - behind/100).Plainly("hash-kubelet-upgrade")
		}, 143, 137)...)
	}
	// The clock of the new boot is wrong until NTP sets it: the boot seems to be at the time of the exit.
	for _, code := range []int{255, 137, 143, 1} {
		out = append(out, breaks.Variants(fmt.Sprintf("code %d, and a boot at 300 s by a clock that is %%v s behind", code),
			func(behind float64) *story.Story {
				s := story.Ended(42.5, code, "Error")
				s.Records = false
				s.Boots = append(s.Boots, "cc35731d488a498ba6eb103ff6db4acc")
				s.Kernel(300, "Linux version 6.1.0")
				s.Runtime(305, `msg="starting containerd" revision=x version="1.7.2"`)
				s.Kubelet(308, `flags.go:64] FLAG: --v="2"`).Kubelet(308.01, `server.go:491] "Kubelet version" kubeletVersion="`+
					s.Version+`"`)
				s.Kubelet(290, `kubelet_getters.go:187] "Pod status updated" pod="kube-system/other" status="Running"`)
				s.Each(func(_ *machine.Log, l *machine.Line) {
					if !l.True.Before(story.At(300)) {
						l.Boot = 1
						if l.True.Before(story.At(330)) {
							l.Step = -time.Duration(behind * float64(time.Second))
						}
					}
				})
				return s
			}, 256.0, 257.4, 270.0, 240.0)...)
	}
	// Two kubelets of one host: the other one finds this container in the runtime and treats it as an orphan.
	for _, unit := range []string{"kubelet.service", "rke2-agent.service", "k3s-agent.service"} {
		out = append(out, breaks.Variants("another kubelet of the host in "+unit+" takes the pod for an orphan, code %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is("killed-externally")
				for i, text := range []string{`kubelet.go:2299] "Pod terminated, but some pods have not been cleaned up"`,
					`kuberuntime_container.go:779] "Killing container with a grace period override" pod="shop/web-0" podUID="` + story.UID +
						`" containerName="app" containerID="containerd://` + story.OldID + `" gracePeriod=1`} {
					t := 40 + float64(i)/100
					s.Line(t, machine.Line{Writer: "kubelet", Unit: unit, PID: 180,
						Text: strings.Replace(story.Klog(t, text), "     80 ", "    180 ", 1)})
				}
				return s.Stop(40.02)
			}, 143, 0, 137)...)
	}
	// The kubelet lost the log directory and counts attempts from 0 again.
	out = append(out, breaks.Variants("the next instance has the same attempt as this one, and code %d", func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error").Is("app-exit-error")
		s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "Attempt:1", "Attempt:0", 1) })
		s.Records = false
		return s
	}, 1, 3)...)
	// A→B→A: the spec was changed for a moment and changed back, maybe by someone else's webhook.
	out = append(out, breaks.Variants("an image that was set to another and back, and code %d", func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error").Decided(40.1, "Container app definition changed, will be restarted").Killing(
			40.2).Stop(40.21)
		s.Kubelet(39.5, `kubelet.go:2440] "SyncLoop UPDATE" source="api" pods=["shop/web-0"]`)
		s.Kubelet(40.15, `kubelet.go:2440] "SyncLoop UPDATE" source="api" pods=["shop/web-0"]`)
		return s.SetImage(40).Event(40.1, "Killing", "Container app definition changed, will be restarted", nil).Is("spec-image-changed")
	}, 143, 137, 0)...)
	// The API answer is from a cache: older than the log.
	out = append(out, breaks.Variants("an answer of the API from before the end, and code %d", func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error").Is("app-exit-error")
		s.Records = false
		return s.Restatus(func(status story.Object) {
			status["restartCount"], status["containerID"] = 0, "containerd://"+story.OldID
			status["state"] = story.Object{"running": story.Object{"startedAt": story.Stamp(2)}}
			delete(status, "lastState")
		})
	}, 1, 3, 137)...)
	out = append(out, breaks.Variants("an answer of the API from before a liveness kill, and code %d", func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error").Liveness(40)
		s.Records, s.Events = false, nil
		return s.Restatus(func(status story.Object) {
			status["restartCount"], status["containerID"] = 0, "containerd://"+story.OldID
			status["state"] = story.Object{"running": story.Object{"startedAt": story.Stamp(2)}}
			delete(status, "lastState")
		})
	}, 143, 0, 137)...)
	// A paused machine: the guest's monotonic clock continues where it stopped, the wall clock is set.
	for _, still := range []float64{20, 45, 300} {
		out = append(out, breaks.Variants(fmt.Sprintf("a machine that is paused for %v s between a kill and its end, code %%d", still),
			func(code int) *story.Story {
				s := story.Ended(44.5, code, "Error").Liveness(40)
				s.Records = false
				return paused(s, 42, still)
			}, 137, 143, 1)...)
		out = append(out, breaks.Variants(fmt.Sprintf("a machine that is paused for %v s before an end of its own, code %%d", still),
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is("app-exit-error")
				s.Records = false
				return paused(s, 42, still)
			}, 1, 3)...)
	}
	return out
}

// paused sets all wall clocks forward from a moment on, even in the status, which the kubelet wrote.
func paused(s *story.Story, from, still float64) *story.Story {
	by := time.Duration(still * float64(time.Second))
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if !l.True.Before(story.At(from)) {
			l.Step += by
		}
	})
	return s.Restatus(func(status story.Object) {
		status["state"] = story.Object{"running": story.Object{"startedAt": story.Stamp(s.End + 3 + still)}}
		status["lastState"].(story.Object)["terminated"].(story.Object)["finishedAt"] = story.Stamp(s.End + still)
	})
}
