package breaks

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// turnStories are exits next to the exit of something else with the same name, or before an announced one.
func turnStories() []Written {
	var out []Written
	former := func(code int, until float64) *story.Story {
		s := story.Ended(3.6, code, "Error")
		// Everything earlier is the former pod's: its kubelet logs DELETE again when its object goes.
		return s.Configured(-20, "DELETE").Configured(until-0.1, "DELETE").Configured(until, "REMOVE").Configured(
			until+0.2, "ADD").Kubelet(-20+0.05, story.KillingLine(story.FormerUID, "shop/web-0", story.SecondSandboxID, 30))
	}
	for _, until := range []float64{0.3, 0.7, 1.0} {
		out = append(out, Variants(fmt.Sprintf("the former pod of its name was taken away at %v s, and code %%d", until),
			func(code int) *story.Story { return former(code, until).Born(0).Is("app-exit-error") }, 1, 3, 70)...)
		out = append(out,
			Variants(fmt.Sprintf("the former pod of its name was taken away at %v s, it fails and stays, code %%d", until),
				func(code int) *story.Story {
					s := former(code, until).Born(0).Is("app-exit-error")
					s.Spec["restartPolicy"] = "Never"
					return s.Last(nil)
				}, 1, 3, 70)...)
	}
	out = append(out, Variants("a kill of the former pod that goes on under its name, and code %d",
		func(code int) *story.Story {
			s := story.Ended(12.5, code, "Error").Born(0)
			s.Kubelet(11.8, story.KillingLine(story.FormerUID, "shop/web-0", story.SecondSandboxID, 30))
			s.Kubelet(11.7, story.DecidedLine("shop/web-0", story.SecondSandboxID, story.LivenessText))
			s.Event(11.7, "Killing", story.LivenessText,
				func(e story.Object) { e["involvedObject"].(story.Object)["uid"] = story.FormerUID })
			return s.Is("app-exit-error")
		}, 1, 3)...)
	for _, reason := range []string{"DeletionByTaintManager", "EvictionByEvictionAPI", "PreemptionByScheduler"} {
		out = append(out, Variants(reason+" was announced, an exit with %d came first, and then the deletion",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is("app-exit-error")
				return s.Configured(43.9, "DELETE").Last(announcedBy(reason, 42, 43))
			}, 1, 3, 70)...)
		out = append(out, Variants(reason+" by an API server whose clock is behind by %v s, and an exit of its own before",
			func(behind float64) *story.Story {
				s := story.Ended(42.5, 1, "Error").Is("app-exit-error")
				return s.Deleted(44).Last(announcedBy(reason, 43.9-behind, 43.9-behind))
			}, 2.0, 10.0, 40.0)...)
		out = append(out, Variants(reason+" by an API server whose clock is behind by %v s, and nobody reads logs",
			func(behind float64) *story.Story {
				s := story.Ended(42.5, 1, "Error").Is("app-exit-error")
				s.Logs, s.Forms = nil, []machine.Form{machine.Text}
				s.Event(44, "Killing", "Stopping container app", nil)
				return s.Last(announcedBy(reason, 43.9-behind, 43.9-behind))
			}, 2.0, 10.0, 40.0)...)
	}
	for _, behind := range []float64{0.4, 5, 30} {
		out = append(out, Variants(fmt.Sprintf("the node shuts down %v s after an exit with %%d", behind),
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is("app-exit-error")
				t := 42.5 + behind
				s.Kubelet(t,
					`nodeshutdown_manager_linux.go:285] "Shutdown manager detected new shutdown event, isNowShuttingDown" `+
						`event=true`).Kubelet(t+0.01, `nodeshutdown_manager_linux.go:299] "Shutdown manager processing shutdown event"`)
				return s.Last(func(pod story.Object) {
					status := pod["status"].(story.Object)
					status["phase"], status["reason"], status["message"] = "Failed", "Terminated",
						"Pod was terminated in response to imminent node shutdown."
				})
			}, 1, 3, 70)...)
	}
	for _, after := range []float64{-0.4, 0.3, 3} {
		out = append(out, Variants(fmt.Sprintf("the eviction manager ranks it %v s from an exit with %%d, and evicts another",
			after),
			func(code int) *story.Story {
				t := 42.5 + after
				return story.Ended(42.5, code, "Error").Kubelet(t-0.02,
					`eviction_manager.go:341] "Eviction manager: attempting to reclaim" `+
						`resourceName="memory"`).Kubelet(t-0.01,
					`eviction_manager.go:352] "Eviction manager: must evict pod(s) to reclaim" `+
						`resourceName="memory"`).Kubelet(t, `eviction_manager.go:370] "Eviction manager: pods ranked for eviction" `+
					`pods=["ops/other","shop/web-0"]`).Kubelet(t+1.1, `eviction_manager.go:574] "Eviction manager: pod is evicted `+
					`successfully" pod="ops/other"`).Is("app-exit-error")
			}, 1, 3, 70)...)
	}
	boot := func(from float64, code int, reason string) *story.Story {
		s := story.Ended(42.5, code, reason)
		s.Boots = append(s.Boots, "cc35731d488a498ba6eb103ff6db4acc")
		s.Kernel(from, "Linux version 6.1.0")
		s.Each(func(_ *machine.Log, l *machine.Line) {
			if !l.True.Before(story.At(from)) {
				l.Boot = 1
			}
		})
		return s
	}
	out = append(out, Variants("exit code 255 of its own, and the node boots %v s later",
		func(after float64) *story.Story {
			return boot(42.5+after, 255, "Error").Is("app-exit-error")
		}, 1.0, 2.0)...)
	out = append(out, Variants("a liveness kill, a kubelet that starts again before the end, and code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Liveness(40)
			s.Kubelet(41, `flags.go:64] FLAG: --v="2"`).Kubelet(41.01, `server.go:491] "Kubelet version" kubeletVersion="`+
				s.Version+`"`)
			return s
		}, 0, 1, 3, 143, 139)...)
	return append(out, snapshots()...)
}

// snapshots are two API answers about one pod, from different times, in one directory.
func snapshots() []Written {
	older := func(change func(pod, status story.Object)) func(int) *story.Story {
		return func(code int) *story.Story {
			s := story.Ended(142.5, code, "Error").Is("app-exit-error")
			e := s.Entry("x", machine.Text)
			var now struct{ Items []story.Object }
			if err := json.Unmarshal(e.Files["cluster/pods.json"], &now); err != nil {
				panic(err) // cannot fail: it is the story's own file
			}
			text := string(story.List([]any{now.Items[0]}))
			text = strings.ReplaceAll(strings.ReplaceAll(text, story.OldID, story.SecondSandboxID), story.NewID, story.OldID)
			var then struct{ Items []story.Object }
			if err := json.Unmarshal([]byte(text), &then); err != nil {
				panic(err)
			}
			pod := then.Items[0]
			status := pod["status"].(story.Object)["containerStatuses"].([]any)[0].(story.Object)
			status["restartCount"] = 0
			status["state"] = story.Object{"running": story.Object{"startedAt": story.Stamp(2)}}
			delete(status, "lastState")
			change(pod, status)
			s.Cluster = append(s.Cluster, pod)
			return s
		}
	}
	var out []Written
	out = append(out, Variants("an older answer about the pod beside the newer, and code %d",
		older(func(_, _ story.Object) {}), 1, 3)...)
	out = append(out, Variants("an older answer about the pod that was then stopped for good, and code %d",
		older(func(pod, _ story.Object) {
			m := pod["metadata"].(story.Object)
			m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(100), 30
		}), 1, 3)...)
	return append(out, Variants("a pod of the same name in another cluster, whose probe failed, and code %d",
		older(func(pod, status story.Object) {
			pod["metadata"].(story.Object)["uid"] = story.FormerUID
			status["containerID"] = "containerd://" + strings.Repeat("77", 32)
			status["lastState"] = story.Object{"terminated": story.Object{"exitCode": 137, "reason": "Error",
				"containerID": "containerd://" + story.SecondSandboxID, "startedAt": story.Stamp(2),
				"finishedAt": story.Stamp(142.5)}}
		}), 1, 3)...)
}
