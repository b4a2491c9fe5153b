package breaks

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// victimStories are exits by a SIGKILL from the node, while an OOM kill that names this container belongs to another.
func victimStories() []Written {
	var out []Written
	killed := func() *story.Story { return story.Ended(42.5, 137, "OOMKilled").Limit().Is("killed-externally") }
	inner := "/kubepods/burstable/pod" + story.OtherUID + "/" + story.OtherID + story.Cgroup
	slice := "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
		strings.ReplaceAll(story.OtherUID, "-", "_") +
		".slice/cri-containerd-" + story.OtherID + ".scope"
	out = append(out, Variants("a container that makes a cgroup of this one's name in its own (%s)",
		func(group string) *story.Story {
			s := killed().OOM(42.4, "CONSTRAINT_MEMCG", "GROUP", "web", 9711, story.TaskRow(9711, "web"))
			s.Each(func(_ *machine.Log, l *machine.Line) {
				l.Text = strings.ReplaceAll(strings.ReplaceAll(l.Text, "task_memcg="+story.Cgroup, "task_memcg="+group), "GROUP",
					group)
			})
			return s.TaskOOM(42.43)
		}, inner, slice+story.Cgroup, slice+"/cri-containerd-"+story.OldID+".scope",
		"/kubepods/besteffort/pod"+story.OtherUID+"/"+story.OldID)...)
	out = append(out, Variants("systemd-oomd kills a cgroup of this one's name in another container (%s)",
		func(group string) *story.Story {
			s := killed()
			s.Reason = "Error"
			return s.Line(42.3, machine.Line{Writer: "systemd-oomd", Unit: "systemd-oomd.service", PID: 60, Text: "Killed " +
				group + " due to memory pressure for /kubepods being 85.12% > 60.00% for > 30s with reclaim activity"})
		}, inner, slice+story.Cgroup, "/kubepods/burstable/pod"+story.OtherUID+"/"+story.OldID)...)
	out = append(out, Variants("a kill for memory of %s, which ran as part of kubectl exec",
		func(task string) *story.Story {
			return killed().OOM(42.4, "CONSTRAINT_MEMCG", story.Cgroup, task, 9711, story.TaskRow(4711, "web"),
				story.TaskRow(9711, task)).TaskOOM(
				42.43)
		}, "dd", "web", "sh")...)
	out = append(out, Variants("a kill for memory in a table that was cut, %v s before a SIGKILL",
		func(before float64) *story.Story {
			s := killed()
			s.OOM(42.5-before, "CONSTRAINT_MEMCG", story.Cgroup, "worker", 4712, story.TaskRow(4712, "worker"))
			return s.TaskOOM(42.5 - before + 0.03)
		}, 0.1, 0.5, 1.5)...)
	return append(out, Variants("the limit of the pod for a neighbour's process, and a SIGKILL %v s later",
		func(after float64) *story.Story {
			s := killed()
			s.Spec["resources"] = story.Object{"limits": story.Object{"memory": "512Mi"}}
			pod := "/kubepods/burstable/pod" + story.UID
			s.OOM(42.5-after, "CONSTRAINT_MEMCG", pod, "worker", 4712, story.TaskRow(4711, "web"), story.TaskRow(4712, "worker"))
			s.Each(func(_ *machine.Log, l *machine.Line) {
				l.Text = strings.ReplaceAll(l.Text, "task_memcg="+story.Cgroup, "task_memcg="+pod+"/"+story.OtherID)
			})
			return s
		}, 0.1, 1.0)...)
}

// editedStories are exits for which an API object was changed afterwards, or describes another instance.
func editedStories() []Written {
	var out []Written
	for _, count := range []int{0, 2, 7} {
		out = append(out, Variants(fmt.Sprintf("a restart count of %d, a last state of an instance that no log has, code %%d",
			count), func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Is("app-exit-error")
			return s.Restatus(func(status story.Object) {
				status["restartCount"] = count
				status["lastState"].(story.Object)["terminated"].(story.Object)["containerID"] = "containerd://" + story.OtherID
			})
		}, 1, 3)...)
	}
	for _, reason := range []string{"OOMKilled", "Completed", "ContainerStatusUnknown", "Unknown"} {
		out = append(out, Variants("a reason "+reason+" that somebody wrote into the status, and code %d",
			func(code int) *story.Story {
				return story.Ended(42.5, 1, "Error").Restatus(func(status story.Object) {
					t := status["lastState"].(story.Object)["terminated"].(story.Object)
					t["reason"], t["exitCode"] = reason, code
				})
			}, 0, 1, 137, 255)...)
	}
	for _, by := range []float64{-3000, -20, 20} {
		out = append(out, Variants(fmt.Sprintf("an end that the status dates %+v s off the logs, and code %%d", by),
			func(code int) *story.Story {
				s := story.Ended(3642.5, code, "Error")
				s.Records = false
				return s.Restatus(func(status story.Object) {
					status["lastState"].(story.Object)["terminated"].(story.Object)["finishedAt"] = story.Stamp(3642.5 + by)
				})
			}, 1, 137)...)
	}
	for _, t := range []float64{41, 50, 300} {
		out = append(
			out,
			Variants(fmt.Sprintf("an image that was set at %v s, a kill for a changed definition at 42 s, and code "+
				"%%d, by the API alone", t), func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").SetImage(t)
				if t > 42 {
					s.Plainly("hash-kubelet-upgrade")
				}
				s.Event(42, "Killing", "Container app definition changed, will be restarted", nil)
				return s.APIOnly()
			}, 143, 137, 0)...)
	}
	out = append(out, Variants("a tag that was moved, a kubelet that was upgraded at 40 s, and code %d",
		func(code int) *story.Story {
			s := upgraded(story.Ended(42.5, code, "Error"), 40)
			return s.Plainly("hash-kubelet-upgrade").Restatus(func(status story.Object) {
				status["image"], status["imageID"] = "registry.example/web:7", "registry.example/web@sha256:"+strings.Repeat(
					"b",
					64,
				)
			})
		}, 143, 137)...)
	return out
}

// upgraded adds a kubelet of another minor version that starts at a time and kills because of a changed definition.
func upgraded(s *story.Story, t float64) *story.Story {
	s.Kubelet(t, `flags.go:64] FLAG: --v="2"`).Kubelet(t+0.01, `server.go:491] "Kubelet version" kubeletVersion="v1.31.2"`)
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == "kubelet" && !l.True.Before(story.At(t)) {
			l.PID, l.Text = 180, strings.Replace(l.Text, "     80 ", "    180 ", 1)
		}
	})
	s.Version = "v1.31.2"
	return s.Decided(t+1.3, "Container app definition changed, will be restarted").Killing(t+1.4).Stop(t+1.41).Event(t+1.3,
		"Killing", "Container app definition changed, will be restarted", nil)
}

// besideStories are exits next to something else that exits, or that watches over them.
func besideStories() []Written {
	var out []Written
	out = append(out, Variants("a shim that somebody kills, and code %d", func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error").Runtime(42.45, `msg="shim disconnected" id=`+story.OldID+` namespace=k8s.io`)
		return s.Runtime(42.46, `msg="cleaning up after shim disconnected" id=`+story.OldID+` namespace=k8s.io`).Runtime(
			42.47,
			`msg="cleaning up dead shim"`).Is("killed-externally")
	}, 137, 255)...)
	out = append(out, Variants("another container's rule that restarts all, at the moment of an end of its own with %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Is("app-exit-error")
			s.Version = "v1.36.0"
			s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "v1.30.14", s.Version, 1) })
			gate := story.Object{"name": "gate", "image": "x", "restartPolicy": "Never",
				"restartPolicyRules": []any{story.Object{
					"action": "RestartAllContainers", "exitCodes": story.Object{"operator": "In", "values": []any{42}}}}}
			s.Spec["containers"] = []any{s.Container, gate}
			return s.Kubelet(42.2, fmt.Sprintf(
				`generic.go:334] "Generic (PLEG): container finished" podID="%s" containerID="%s" exitCode=42`, story.UID,
				story.OtherID))
		}, 1, 3, 137)...)
	for _, before := range []float64{0.05, 0.2, 0.9} {
		out = append(out, Variants(fmt.Sprintf("a SIGTERM from the node %v s before a deletion, and code %%d", before),
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Deleted(42.5 + before)
				return s.Is("killed-externally").Last(func(pod story.Object) {
					m := pod["metadata"].(story.Object)
					m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = story.Stamp(72.5+before), 30
				})
			}, 143, 137, 0)...)
		out = append(out, Variants(fmt.Sprintf("a SIGKILL from the node %v s before an eviction, and code %%d", before),
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Is("killed-externally")
				s.Kubelet(42.5+before, `eviction_manager.go:387] "Eviction manager: must evict pod(s) to reclaim" `+
					`resourceName="memory"`).Kubelet(42.5+before+0.01, `eviction_manager.go:615] "Eviction manager: pod is evicted `+
					`successfully" pod="shop/web-0"`)
				s.Event(42.5+before, "Evicted", "The node was low on resource: memory. Threshold quantity: 100Mi", nil)
				return s.Last(func(pod story.Object) {
					status := pod["status"].(story.Object)
					status["phase"], status["reason"], status["message"] = "Failed", "Evicted",
						"The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi."
				})
			}, 143, 137, 0)...)
	}
	for _, state := range []string{"running", "terminated", "waiting"} {
		out = append(out, Variants("a debugger that is "+state+" by the API, with times of its choice, and code %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error")
				s.Spec["ephemeralContainers"] = []any{story.Object{"name": "d", "image": "x", "targetContainerName": "app"}}
				was := map[string]story.Object{"running": {"startedAt": story.Stamp(40)},
					"terminated": {"startedAt": story.Stamp(41),
						"finishedAt": story.Stamp(43), "exitCode": 0}, "waiting": {"reason": "ContainerCreating"}}[state]
				return s.Last(func(pod story.Object) {
					pod["status"].(story.Object)["ephemeralContainerStatuses"] = []any{story.Object{"name": "d",
						"state": story.Object{state: was}}}
				})
			}, 1, 3, 139)...)
	}
	out = append(out, Variants("earlyoom's other victim, PID %d, and a SIGTERM from the node", func(pid int) *story.Story {
		return story.Ended(42.5, 143, "Error").Plainly("killed-externally").Line(42.3, machine.Line{Writer: "earlyoom",
			Unit: "earlyoom.service", PID: 60, Text: fmt.Sprintf(
				`sending SIGTERM to process %d uid 0 "java": oom_score 1300, VmRSS 900 MiB`, pid)})
	}, 4712, 99)...)
	out = append(out, Variants("a static pod whose manifest is written anew at the moment of an end of its own with %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Is("app-exit-error")
			s.Meta["annotations"] = story.Object{"kubernetes.io/config.source": "file", "kubernetes.io/config.mirror": story.UID,
				"kubernetes.io/config.hash": story.UID}
			return s.Kubelet(42.6, `kubelet.go:2418] "SyncLoop REMOVE" source="file" pods=["shop/web-0"]`).Kubelet(42.61,
				`kubelet.go:2418] "SyncLoop ADD" source="file" pods=["shop/web-0"]`)
		}, 1, 3, 137)...)
	out = append(out, Variants("a pod of the same name in another namespace that is killed for its probe, and code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Evil("evil", nil).Kubelet(41.2,
				story.KillingLine(story.EvilUID, "evil/web-0", story.OtherID, 30))
			s.Kubelet(41.1, story.DecidedLine("evil/web-0", story.OtherID, story.LivenessText)).Runtime(41.21,
				`msg="StopContainer for \"`+story.OtherID+
					`\" with timeout 30 (s)"`)
			if code < 128 {
				s.Is("app-exit-error")
			}
			return s
		}, 1, 3, 143)...)
	return append(
		out,
		Variants("a kubelet's log in JSON beside its klog lines, of a kill that is told in one alone, code %d",
			func(code int) *story.Story {
				s := story.Ended(42.5, code, "Error").Probed(40).Stop(40.21)
				s.Line(
					40.2,
					machine.Line{Writer: "kubelet", Unit: "kubelet.service", PID: 80, Text: fmt.Sprintf(`{"ts":%d.2,"caller":`+
						`"kuberuntime/kuberuntime_container.go:779","msg":"Killing container with a grace period","v":2,"pod":{"name":"web-0",`+
						`"namespace":"shop"},"podUID":"%s","containerName":"app","containerID":{"Type":"containerd","ID":"%s"},`+
						`"gracePeriod":30}`, story.At(40).UnixMilli(), story.UID, story.OldID)},
				)
				return s
			}, 0, 1, 3, 143)...)
}
