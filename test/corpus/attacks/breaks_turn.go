package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// formerUID is that of a pod of the same name that was there before.
const formerUID = "6c6c6a52-0b8e-4a57-9f0a-5e2c1b9d6c6c"

// born moves the making of the pod, and of its sandbox, to a time.
func (s *story) born(t float64) *story {
	s.meta["creationTimestamp"] = stamp(t)
	s.records = false
	return s
}

func (s *story) configured(t float64, op string) *story {
	return s.kubelet(t, `kubelet.go:2430] "SyncLoop `+op+`" source="api" pods=["shop/web-0"]`)
}

// turnStories are ends beside the end of something else of the same name, or before one that was announced.
func turnStories() []written {
	var out []written
	former := func(code int, until float64) *story {
		s := ended(3.6, code, "Error")
		// What comes before is the former pod's: its kubelet says DELETE once more when its object goes.
		return s.configured(-20, "DELETE").configured(until-0.1, "DELETE").configured(until, "REMOVE").configured(
			until+0.2, "ADD").kubelet(-20+0.05, killingLine(formerUID, "shop/web-0", secondBox, 30))
	}
	for _, until := range []float64{0.3, 0.7, 1.0} {
		out = append(out, variants(fmt.Sprintf("the former pod of its name was taken away at %v s, and code %%d", until),
			func(code int) *story { return former(code, until).born(0).is("app-exit-error") }, 1, 3, 70)...)
		out = append(out,
			variants(fmt.Sprintf("the former pod of its name was taken away at %v s, it fails and stays, code %%d", until),
				func(code int) *story {
					s := former(code, until).born(0).is("app-exit-error")
					s.spec["restartPolicy"] = "Never"
					return s.last(nil)
				}, 1, 3, 70)...)
	}
	out = append(out, variants("a kill of the former pod that goes on under its name, and code %d", func(code int) *story {
		s := ended(12.5, code, "Error").born(0)
		s.kubelet(11.8, killingLine(formerUID, "shop/web-0", secondBox, 30))
		s.kubelet(11.7, decidedLine("shop/web-0", secondBox, livenessText))
		s.event(11.7, "Killing", livenessText, func(e object) { e["involvedObject"].(object)["uid"] = formerUID })
		return s.is("app-exit-error")
	}, 1, 3)...)
	for _, reason := range []string{"DeletionByTaintManager", "EvictionByEvictionAPI", "PreemptionByScheduler"} {
		out = append(out, variants(reason+" was announced, an exit with %d came first, and then the deletion",
			func(code int) *story {
				s := ended(42.5, code, "Error").is("app-exit-error")
				return s.configured(43.9, "DELETE").last(announcedBy(reason, 42, 43))
			}, 1, 3, 70)...)
		out = append(out, variants(reason+" by an API server whose clock is behind by %v s, and an exit of its own before",
			func(behind float64) *story {
				s := ended(42.5, 1, "Error").is("app-exit-error")
				return s.deleted(44).last(announcedBy(reason, 43.9-behind, 43.9-behind))
			}, 2.0, 10.0, 40.0)...)
		out = append(out, variants(reason+" by an API server whose clock is behind by %v s, and nobody reads logs",
			func(behind float64) *story {
				s := ended(42.5, 1, "Error").is("app-exit-error")
				s.Logs, s.forms = nil, []machine.Form{machine.Text}
				s.event(44, "Killing", "Stopping container app", nil)
				return s.last(announcedBy(reason, 43.9-behind, 43.9-behind))
			}, 2.0, 10.0, 40.0)...)
	}
	for _, behind := range []float64{0.4, 5, 30} {
		out = append(out, variants(fmt.Sprintf("the node shuts down %v s after an exit with %%d", behind),
			func(code int) *story {
				s := ended(42.5, code, "Error").is("app-exit-error")
				t := 42.5 + behind
				s.kubelet(t,
					`nodeshutdown_manager_linux.go:285] "Shutdown manager detected new shutdown event, isNowShuttingDown" `+
						`event=true`).kubelet(t+0.01, `nodeshutdown_manager_linux.go:299] "Shutdown manager processing shutdown event"`)
				return s.last(func(pod object) {
					status := pod["status"].(object)
					status["phase"], status["reason"], status["message"] = "Failed", "Terminated",
						"Pod was terminated in response to imminent node shutdown."
				})
			}, 1, 3, 70)...)
	}
	for _, after := range []float64{-0.4, 0.3, 3} {
		out = append(out, variants(fmt.Sprintf("the eviction manager ranks it %v s from an exit with %%d, and evicts another",
			after),
			func(code int) *story {
				t := 42.5 + after
				return ended(42.5, code, "Error").kubelet(t-0.02,
					`eviction_manager.go:341] "Eviction manager: attempting to reclaim" `+
						`resourceName="memory"`).kubelet(t-0.01,
					`eviction_manager.go:352] "Eviction manager: must evict pod(s) to reclaim" `+
						`resourceName="memory"`).kubelet(t, `eviction_manager.go:370] "Eviction manager: pods ranked for eviction" `+
					`pods=["ops/other","shop/web-0"]`).kubelet(t+1.1, `eviction_manager.go:574] "Eviction manager: pod is evicted `+
					`successfully" pod="ops/other"`).is("app-exit-error")
			}, 1, 3, 70)...)
	}
	boot := func(from float64, code int, reason string) *story {
		s := ended(42.5, code, reason)
		s.Boots = append(s.Boots, "cc35731d488a498ba6eb103ff6db4acc")
		s.kernel(from, "Linux version 6.1.0")
		s.Each(func(_ *machine.Log, l *machine.Line) {
			if !l.True.Before(at(from)) {
				l.Boot = 1
			}
		})
		return s
	}
	out = append(out, variants("exit code 255 of its own, and the node boots %v s later", func(after float64) *story {
		return boot(42.5+after, 255, "Error").is("app-exit-error")
	}, 1.0, 2.0)...)
	out = append(out, variants("a liveness kill, a kubelet that starts again before the end, and code %d",
		func(code int) *story {
			s := ended(42.5, code, "Error").liveness(40)
			s.kubelet(41, `flags.go:64] FLAG: --v="2"`).kubelet(41.01, `server.go:491] "Kubelet version" kubeletVersion="`+
				s.version+`"`)
			return s
		}, 0, 1, 3, 143, 139)...)
	return append(out, snapshots()...)
}

// snapshots are two answers about one pod, taken at different times, in one directory.
func snapshots() []written {
	older := func(change func(pod, status object)) func(int) *story {
		return func(code int) *story {
			s := ended(142.5, code, "Error").is("app-exit-error")
			e := s.entry("x", machine.Text)
			var now struct{ Items []object }
			if err := json.Unmarshal(e.Files["cluster/pods.json"], &now); err != nil {
				panic(err) // the story's own
			}
			text := string(list([]any{now.Items[0]}))
			text = strings.ReplaceAll(strings.ReplaceAll(text, oldID, secondBox), newID, oldID)
			var then struct{ Items []object }
			if err := json.Unmarshal([]byte(text), &then); err != nil {
				panic(err)
			}
			pod := then.Items[0]
			status := pod["status"].(object)["containerStatuses"].([]any)[0].(object)
			status["restartCount"] = 0
			status["state"] = object{"running": object{"startedAt": stamp(2)}}
			delete(status, "lastState")
			change(pod, status)
			s.cluster = append(s.cluster, pod)
			return s
		}
	}
	var out []written
	out = append(out, variants("an older answer about the pod beside the newer, and code %d",
		older(func(_, _ object) {}), 1, 3)...)
	out = append(out, variants("an older answer about the pod that was then stopped for good, and code %d",
		older(func(pod, _ object) {
			m := pod["metadata"].(object)
			m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = stamp(100), 30
		}), 1, 3)...)
	return append(out, variants("a pod of the same name in another cluster, whose probe failed, and code %d",
		older(func(pod, status object) {
			pod["metadata"].(object)["uid"] = formerUID
			status["containerID"] = "containerd://" + strings.Repeat("77", 32)
			status["lastState"] = object{"terminated": object{"exitCode": 137, "reason": "Error",
				"containerID": "containerd://" + secondBox, "startedAt": stamp(2), "finishedAt": stamp(142.5)}}
		}), 1, 3)...)
}
