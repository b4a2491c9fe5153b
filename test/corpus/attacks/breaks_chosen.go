package main

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// evilUID is that of a pod whose author picks what he may: names, annotations, commands, where his events point.
const evilUID = "e7e76a52-0b8e-4a57-9f0a-5e2c1b9de7e7"

// evil puts such a pod beside the other, in a namespace of its author.
func (s *story) evil(namespace string, annotations object) *story {
	s.cluster = append(s.cluster, object{"kind": "Pod", "apiVersion": "v1",
		"metadata": object{"name": "web-0", "namespace": namespace, "uid": evilUID, "creationTimestamp": stamp(0),
			"annotations": annotations},
		"spec": object{"nodeName": node, "restartPolicy": "Always", "containers": []any{object{"name": "app", "image": "x",
			"livenessProbe": object{"httpGet": object{"path": "/", "port": 80}, "periodSeconds": 10, "failureThreshold": 1}}}},
		"status": object{"phase": "Running", "containerStatuses": []any{object{"name": "app", "restartCount": 0,
			"ready": true, "containerID": "containerd://" + strings.Repeat("e7", 32),
			"state": object{"running": object{"startedAt": stamp(2)}}}}}})
	return s
}

// elsewhereEvent is an event in the author's own namespace that has another pod's UID.
func (s *story) elsewhereEvent(t float64, reason, message string) *story {
	return s.event(t, reason, message, func(e object) {
		e["metadata"].(object)["namespace"] = "evil"
		e["involvedObject"].(object)["namespace"] = "evil"
	})
}

// chosenStories are ends beside a pod whose author chose its words so that they look like another's.
func chosenStories() []written {
	var out []written
	mirror := object{"kubernetes.io/config.source": "file", "kubernetes.io/config.mirror": uid,
		"kubernetes.io/config.hash": uid}
	quiet := func(code int) *story {
		s := ended(42.5, code, "Error")
		s.container["livenessProbe"] = object{"httpGet": object{"path": "/", "port": 8080},
			"periodSeconds": 10, "failureThreshold": 1}
		s.Logs, s.forms, s.records = nil, []machine.Form{machine.Text}, false
		return s
	}
	out = append(out, variants("events in another namespace with this pod's UID, and code %d", func(code int) *story {
		return quiet(code).evil("evil", nil).elsewhereEvent(41, "Unhealthy",
			"Liveness probe failed: HTTP probe failed with statuscode: 503").elsewhereEvent(41, "Killing", livenessText)
	}, 1, 3, 137, 143)...)
	out = append(out, variants("a pod that calls itself the mirror of this one, with events of its own, and code %d",
		func(code int) *story {
			s := quiet(code).evil("evil", mirror)
			for reason, message := range map[string]string{"Unhealthy": "Liveness probe failed: HTTP probe failed with " +
				"statuscode: 503", "Killing": livenessText} {
				s.elsewhereEvent(41, reason, message)
				s.events[len(s.events)-1].(object)["involvedObject"].(object)["uid"] = evilUID
			}
			return s
		}, 1, 3, 137, 143)...)
	for _, namespace := range []string{"evil", "zoo"} {
		out = append(out, variants("a pod of "+namespace+" that calls itself the mirror of this one, a liveness kill, code %d",
			func(code int) *story { return ended(42.5, code, "Error").liveness(40).evil(namespace, mirror) }, 1, 143)...)
		out = append(out, variants("a pod of "+namespace+" that calls itself the mirror of this one, an exit of its own with %d",
			func(code int) *story {
				return ended(42.5, code, "Error").evil(namespace, mirror).is("app-exit-error")
			}, 1, 3)...)
	}
	for _, text := range []string{`StopContainer for "` + oldID + `" with timeout 30 (s)`,
		`Kill container "` + oldID + `"`} {
		out = append(out, variants("a command that reads as "+text[:8]+"… of another, and an exit of its own with %d",
			func(code int) *story {
				inner := strings.ReplaceAll(text, `"`, `\\\"`)
				other := strings.Repeat("e7", 32)
				return ended(42.5, code, "Error").runtime(41, `msg="StartContainer for \"`+other+`\" failed" error="failed to `+
					`create containerd task: exec: \"x msg=`+inner+`\": executable file not found"`).runtime(41.5,
					`msg="ExecSync for \"`+other+`\" failed" error="exec: \" msg=\\\"`+inner+`\\\"\": not found"`).is("app-exit-error")
			}, 1, 3, 143)...)
	}
	for _, name := range []string{"a,pid=4711,u", "web,pid=4711", "x) total-vm:1"} {
		out = append(out, variants("a child called \""+name+"\" that is killed for memory %v s before the end",
			func(before float64) *story {
				s := ended(42.5, 137, "OOMKilled").limit()
				s.oom(42.5-before, "CONSTRAINT_MEMCG", cgroup, name, 4712, taskRow(4711, "web"), taskRow(4712, name))
				return s.runtime(42.51, `msg="TaskOOM event container_id:\"`+oldID+`\""`)
			}, 0.1, 1.0, 4.0)...)
	}
	in := func(id string) string { return "cri-containerd-" + id + ".scope" }
	for where, line := range map[string]string{
		"a cpuset": fmt.Sprintf("cpuset=x,oom_memcg=%s,task_memcg=%s,mems_allowed=0,oom_memcg=/evil,task_memcg=/evil",
			in(oldID), in(oldID)),
		"a cgroup": fmt.Sprintf("cpuset=x,mems_allowed=0,oom_memcg=/evil/,oom_memcg=%s,task_memcg=/evil/,task_memcg=%s",
			in(oldID), in(oldID)),
	} {
		out = append(out, variants(where+" that is called like a victim, and %d from the node", func(code int) *story {
			s := ended(42.5, code, "Error").limit()
			s.kernel(42.4, "web invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=999")
			return s.kernel(42.4, "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),"+line+",task=web,pid=4711,uid=0").is(
				"killed-externally")
		}, 137)...)
	}
	return out
}
