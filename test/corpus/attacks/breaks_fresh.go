package main

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// otherUID and otherID are those of a pod beside this one, of its name or not.
const (
	otherUID = "aaaa6a52-0b8e-4a57-9f0a-5e2c1b9daaaa"
	otherID  = "abababababababababababababababababababababababababababababababab"
)

// victimStories are ends by a SIGKILL from the node beside a kill for memory that names this container and is
// another's.
func victimStories() []written {
	var out []written
	killed := func() *story { return ended(42.5, 137, "OOMKilled").limit().is("killed-externally") }
	inner := "/kubepods/burstable/pod" + otherUID + "/" + otherID + cgroup
	slice := "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + strings.ReplaceAll(otherUID, "-", "_") +
		".slice/cri-containerd-" + otherID + ".scope"
	out = append(out, variants("a container that makes a cgroup of this one's name in its own (%s)",
		func(group string) *story {
			s := killed().oom(42.4, "CONSTRAINT_MEMCG", "GROUP", "web", 9711, taskRow(9711, "web"))
			s.Each(func(_ *machine.Log, l *machine.Line) {
				l.Text = strings.ReplaceAll(strings.ReplaceAll(l.Text, "task_memcg="+cgroup, "task_memcg="+group), "GROUP", group)
			})
			return s.taskOOM(42.43)
		}, inner, slice+cgroup, slice+"/cri-containerd-"+oldID+".scope", "/kubepods/besteffort/pod"+otherUID+"/"+oldID)...)
	out = append(out, variants("systemd-oomd kills a cgroup of this one's name in another container (%s)",
		func(group string) *story {
			s := killed()
			s.reason = "Error"
			return s.line(42.3, machine.Line{Writer: "systemd-oomd", Unit: "systemd-oomd.service", PID: 60, Text: "Killed " +
				group + " due to memory pressure for /kubepods being 85.12% > 60.00% for > 30s with reclaim activity"})
		}, inner, slice+cgroup, "/kubepods/burstable/pod"+otherUID+"/"+oldID)...)
	out = append(out, variants("a kill for memory of %s, which ran as part of kubectl exec", func(task string) *story {
		return killed().oom(42.4, "CONSTRAINT_MEMCG", cgroup, task, 9711, taskRow(4711, "web"), taskRow(9711, task)).taskOOM(
			42.43)
	}, "dd", "web", "sh")...)
	out = append(out, variants("a kill for memory in a table that was cut, %v s before a SIGKILL",
		func(before float64) *story {
			s := killed()
			s.oom(42.5-before, "CONSTRAINT_MEMCG", cgroup, "worker", 4712, taskRow(4712, "worker"))
			return s.taskOOM(42.5 - before + 0.03)
		}, 0.1, 0.5, 1.5)...)
	return append(out, variants("the limit of the pod for a neighbour's process, and a SIGKILL %v s later",
		func(after float64) *story {
			s := killed()
			s.spec["resources"] = object{"limits": object{"memory": "512Mi"}}
			pod := "/kubepods/burstable/pod" + uid
			s.oom(42.5-after, "CONSTRAINT_MEMCG", pod, "worker", 4712, taskRow(4711, "web"), taskRow(4712, "worker"))
			s.Each(func(_ *machine.Log, l *machine.Line) {
				l.Text = strings.ReplaceAll(l.Text, "task_memcg="+cgroup, "task_memcg="+pod+"/"+otherID)
			})
			return s
		}, 0.1, 1.0)...)
}

// editedStories are ends of which an object of the API was changed afterwards, or tells of another instance.
func editedStories() []written {
	var out []written
	for _, count := range []int{0, 2, 7} {
		out = append(out, variants(fmt.Sprintf("a restart count of %d, a last state of an instance that no log has, code %%d",
			count), func(code int) *story {
			s := ended(42.5, code, "Error").is("app-exit-error")
			return s.restatus(func(status object) {
				status["restartCount"] = count
				status["lastState"].(object)["terminated"].(object)["containerID"] = "containerd://" + otherID
			})
		}, 1, 3)...)
	}
	for _, reason := range []string{"OOMKilled", "Completed", "ContainerStatusUnknown", "Unknown"} {
		out = append(out, variants("a reason "+reason+" that somebody wrote into the status, and code %d",
			func(code int) *story {
				return ended(42.5, 1, "Error").restatus(func(status object) {
					t := status["lastState"].(object)["terminated"].(object)
					t["reason"], t["exitCode"] = reason, code
				})
			}, 0, 1, 137, 255)...)
	}
	for _, by := range []float64{-3000, -20, 20} {
		out = append(out, variants(fmt.Sprintf("an end that the status dates %+v s off the logs, and code %%d", by),
			func(code int) *story {
				s := ended(3642.5, code, "Error")
				s.records = false
				return s.restatus(func(status object) {
					status["lastState"].(object)["terminated"].(object)["finishedAt"] = stamp(3642.5 + by)
				})
			}, 1, 137)...)
	}
	for _, t := range []float64{41, 50, 300} {
		out = append(
			out,
			variants(fmt.Sprintf("an image that was set at %v s, a kill for a changed definition at 42 s, and code "+
				"%%d, by the API alone", t), func(code int) *story {
				s := ended(42.5, code, "Error").setImage(t)
				if t > 42 {
					s.plainly("hash-kubelet-upgrade")
				}
				s.event(42, "Killing", "Container app definition changed, will be restarted", nil)
				return s.apiOnly()
			}, 143, 137, 0)...)
	}
	out = append(out, variants("a tag that was moved, a kubelet that was upgraded at 40 s, and code %d",
		func(code int) *story {
			s := upgraded(ended(42.5, code, "Error"), 40)
			return s.plainly("hash-kubelet-upgrade").restatus(func(status object) {
				status["image"], status["imageID"] = "registry.example/web:7", "registry.example/web@sha256:"+strings.Repeat(
					"b",
					64,
				)
			})
		}, 143, 137)...)
	return out
}

// restatus changes the container's status in the API.
func (s *story) restatus(change func(status object)) *story {
	status := object{"name": "app", "restartCount": 1, "ready": true, "containerID": "containerd://" + newID,
		"state": object{"running": object{"startedAt": stamp(s.end + 3)}}, "lastState": object{"terminated": object{
			"exitCode": s.code, "reason": s.reason, "containerID": "containerd://" + oldID, "startedAt": stamp(2),
			"finishedAt": stamp(s.end)}}}
	change(status)
	s.files["cluster/pods.json"] = string(list([]any{object{"kind": "Pod", "apiVersion": "v1", "metadata": s.meta,
		"spec": s.spec, "status": object{"phase": "Running", "containerStatuses": []any{status}}}}))
	return s
}

// setImage is someone's write of the image into the spec.
func (s *story) setImage(t float64) *story {
	s.meta["creationTimestamp"] = stamp(-1000)
	s.meta["managedFields"] = []any{object{"manager": "kubectl-set", "operation": "Update", "apiVersion": "v1",
		"time": stamp(t), "fieldsType": "FieldsV1", "fieldsV1": object{"f:spec": object{"f:containers": object{
			`k:{"name":"app"}`: object{"f:image": object{}}}}}}}
	return s
}

// upgraded is a kubelet of another minor that starts at a time, and kills for a changed definition.
func upgraded(s *story, t float64) *story {
	s.kubelet(t, `flags.go:64] FLAG: --v="2"`).kubelet(t+0.01, `server.go:491] "Kubelet version" kubeletVersion="v1.31.2"`)
	s.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == "kubelet" && !l.True.Before(at(t)) {
			l.PID, l.Text = 180, strings.Replace(l.Text, "     80 ", "    180 ", 1)
		}
	})
	s.version = "v1.31.2"
	return s.decided(t+1.3, "Container app definition changed, will be restarted").killing(t+1.4).stop(t+1.41).event(t+1.3,
		"Killing", "Container app definition changed, will be restarted", nil)
}

// besideStories are ends beside something that ends too, or that looks after them.
func besideStories() []written {
	var out []written
	out = append(out, variants("a shim that somebody kills, and code %d", func(code int) *story {
		s := ended(42.5, code, "Error").runtime(42.45, `msg="shim disconnected" id=`+oldID+` namespace=k8s.io`)
		return s.runtime(42.46, `msg="cleaning up after shim disconnected" id=`+oldID+` namespace=k8s.io`).runtime(42.47,
			`msg="cleaning up dead shim"`).is("killed-externally")
	}, 137, 255)...)
	out = append(out, variants("another container's rule that restarts all, at the moment of an end of its own with %d",
		func(code int) *story {
			s := ended(42.5, code, "Error").is("app-exit-error")
			s.version = "v1.36.0"
			s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "v1.30.14", s.version, 1) })
			gate := object{"name": "gate", "image": "x", "restartPolicy": "Never", "restartPolicyRules": []any{object{
				"action": "RestartAllContainers", "exitCodes": object{"operator": "In", "values": []any{42}}}}}
			s.spec["containers"] = []any{s.container, gate}
			return s.kubelet(42.2, fmt.Sprintf(
				`generic.go:334] "Generic (PLEG): container finished" podID="%s" containerID="%s" exitCode=42`, uid, otherID))
		}, 1, 3, 137)...)
	for _, before := range []float64{0.05, 0.2, 0.9} {
		out = append(out, variants(fmt.Sprintf("a SIGTERM from the node %v s before a deletion, and code %%d", before),
			func(code int) *story {
				s := ended(42.5, code, "Error").deleted(42.5 + before)
				return s.is("killed-externally").last(func(pod object) {
					m := pod["metadata"].(object)
					m["deletionTimestamp"], m["deletionGracePeriodSeconds"] = stamp(72.5+before), 30
				})
			}, 143, 137, 0)...)
		out = append(out, variants(fmt.Sprintf("a SIGKILL from the node %v s before an eviction, and code %%d", before),
			func(code int) *story {
				s := ended(42.5, code, "Error").is("killed-externally")
				s.kubelet(42.5+before, `eviction_manager.go:387] "Eviction manager: must evict pod(s) to reclaim" `+
					`resourceName="memory"`).kubelet(42.5+before+0.01, `eviction_manager.go:615] "Eviction manager: pod is evicted `+
					`successfully" pod="shop/web-0"`)
				s.event(42.5+before, "Evicted", "The node was low on resource: memory. Threshold quantity: 100Mi", nil)
				return s.last(func(pod object) {
					status := pod["status"].(object)
					status["phase"], status["reason"], status["message"] = "Failed", "Evicted",
						"The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi."
				})
			}, 143, 137, 0)...)
	}
	for _, state := range []string{"running", "terminated", "waiting"} {
		out = append(out, variants("a debugger that is "+state+" by the API, with times of its choice, and code %d",
			func(code int) *story {
				s := ended(42.5, code, "Error")
				s.spec["ephemeralContainers"] = []any{object{"name": "d", "image": "x", "targetContainerName": "app"}}
				was := map[string]object{"running": {"startedAt": stamp(40)}, "terminated": {"startedAt": stamp(41),
					"finishedAt": stamp(43), "exitCode": 0}, "waiting": {"reason": "ContainerCreating"}}[state]
				return s.last(func(pod object) {
					pod["status"].(object)["ephemeralContainerStatuses"] = []any{object{"name": "d", "state": object{state: was}}}
				})
			}, 1, 3, 139)...)
	}
	out = append(out, variants("earlyoom's other victim, PID %d, and a SIGTERM from the node", func(pid int) *story {
		return ended(42.5, 143, "Error").plainly("killed-externally").line(42.3, machine.Line{Writer: "earlyoom",
			Unit: "earlyoom.service", PID: 60, Text: fmt.Sprintf(
				`sending SIGTERM to process %d uid 0 "java": oom_score 1300, VmRSS 900 MiB`, pid)})
	}, 4712, 99)...)
	out = append(out, variants("a static pod whose manifest is written anew at the moment of an end of its own with %d",
		func(code int) *story {
			s := ended(42.5, code, "Error").is("app-exit-error")
			s.meta["annotations"] = object{"kubernetes.io/config.source": "file", "kubernetes.io/config.mirror": uid,
				"kubernetes.io/config.hash": uid}
			return s.kubelet(42.6, `kubelet.go:2418] "SyncLoop REMOVE" source="file" pods=["shop/web-0"]`).kubelet(42.61,
				`kubelet.go:2418] "SyncLoop ADD" source="file" pods=["shop/web-0"]`)
		}, 1, 3, 137)...)
	out = append(out, variants("a pod of the same name in another namespace that is killed for its probe, and code %d",
		func(code int) *story {
			s := ended(42.5, code, "Error").evil("evil", nil).kubelet(41.2, killingLine(evilUID, "evil/web-0", otherID, 30))
			s.kubelet(41.1, decidedLine("evil/web-0", otherID, livenessText)).runtime(41.21, `msg="StopContainer for \"`+otherID+
				`\" with timeout 30 (s)"`)
			if code < 128 {
				s.is("app-exit-error")
			}
			return s
		}, 1, 3, 143)...)
	return append(
		out,
		variants("a kubelet's log in JSON beside its klog lines, of a kill that is told in one alone, code %d",
			func(code int) *story {
				s := ended(42.5, code, "Error").probed(40).stop(40.21)
				s.line(
					40.2,
					machine.Line{Writer: "kubelet", Unit: "kubelet.service", PID: 80, Text: fmt.Sprintf(`{"ts":%d.2,"caller":`+
						`"kuberuntime/kuberuntime_container.go:779","msg":"Killing container with a grace period","v":2,"pod":{"name":"web-0",`+
						`"namespace":"shop"},"podUID":"%s","containerName":"app","containerID":{"Type":"containerd","ID":"%s"},`+
						`"gracePeriod":30}`, at(40).UnixMilli(), uid, oldID)},
				)
				return s
			}, 0, 1, 3, 143)...)
}
