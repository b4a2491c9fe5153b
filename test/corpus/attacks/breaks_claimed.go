package main

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// apiOnly leaves nothing but what the API server has.
func (s *story) apiOnly() *story {
	s.Logs, s.forms, s.records = nil, []machine.Form{machine.Text}, false
	return s
}

// nodeEvent is an event about the node, which anybody may write who may write events in the namespace default.
func (s *story) nodeEvent(t float64, reason, message string) *story {
	return s.event(t, reason, message, func(e object) {
		e["metadata"].(object)["namespace"] = "default"
		e["involvedObject"] = object{"kind": "Node", "name": node, "uid": node}
	})
}

// both runs a story with the node's logs and without.
func both[T any](name string, tell func(T) *story, values ...T) []written {
	return append(variants(name, tell, values...),
		variants(name+", by the API alone", func(v T) *story { return tell(v).apiOnly() }, values...)...)
}

// claimedStories are ends of which an event says something that nothing else does.
func claimedStories() []written {
	var out []written
	out = append(out, both("an event of a boot under another id, and code %d", func(code int) *story {
		s := ended(42.5, code, "Error").is("app-exit-error")
		return s.nodeEvent(43, "Rebooted", "Node n1 has been rebooted, boot id: 0000731d-488a-498b-a6eb-103ff6db4a36").nodeEvent(
			43, "Starting", "Starting kubelet.")
	}, 1, 255)...)
	out = append(out, both("an event of a kubelet that starts, and code %d", func(code int) *story {
		return ended(42.5, code, "Error").nodeEvent(42, "Starting", "Starting kubelet.").is("app-exit-error")
	}, 1, 255)...)
	out = append(out, both("an event of the node's memory, %s", func(victim string) *story {
		return ended(42.5, 137, "Error").nodeEvent(42, "SystemOOM", "System OOM encountered, victim process: "+victim).is(
			"killed-externally")
	}, "web, pid: 4711", "web, pid: 99")...)
	out = append(out, both("an event %s of a pod that goes on, and an exit of its own", func(reason string) *story {
		return ended(42.5, 1, "Error").event(42, reason, map[string]string{
			"Evicted": "The node was low on resource: memory. ", "Preempting": "Preempted in order to admit critical pod",
			"TaintManagerEviction": "Marking for deletion Pod shop/web-0", "Preempted": "Preempted by pod x on node n1",
			"NodeNotReady": "Node is not ready", "FailedKillPod": "error killing pod", "DeadlineExceeded": "x",
			"NodeShutdown": "Pod was terminated in response to imminent node shutdown.",
		}[reason], nil).is("app-exit-error")
	}, "Evicted", "Preempting", "TaintManagerEviction", "Preempted", "NodeNotReady", "FailedKillPod", "DeadlineExceeded",
		"NodeShutdown")...)
	out = append(out, both("an event SandboxChanged of a pod whose sandbox stays, and code %d", func(code int) *story {
		s := ended(42.5, code, "Error").is("app-exit-error")
		return s.event(42, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.", func(e object) {
			delete(e["involvedObject"].(object), "fieldPath")
		})
	}, 1, 3)...)
	rules := func(code int) *story {
		s := ended(42.5, code, "Error")
		s.version = "v1.36.0"
		s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "v1.30.14", s.version, 1) })
		gate := object{"name": "gate", "image": "x", "restartPolicy": "Never", "restartPolicyRules": []any{object{
			"action": "RestartAllContainers", "exitCodes": object{"operator": "In", "values": []any{42}}}}}
		s.spec["containers"] = []any{s.container, gate}
		return s
	}
	out = append(out, both("a rule that restarts all containers, which none of them set off, and code %d",
		func(code int) *story { return rules(code).is("app-exit-error") }, 1, 3)...)
	out = append(out, both("a rule that restarts all containers, an event that says so, and code %d",
		func(code int) *story {
			return rules(code).event(42, "Killing", "Container app will be restarted because of a RestartAllContainers action",
				nil)
		}, 1, 137)...)
	out = append(out, both("memory at its limit by the status alone, and a child's kill: code %d", func(code int) *story {
		return ended(42.5, code, "OOMKilled").limit()
	}, 0, 1, 137, 143)...)
	upgrade := func(t float64) *story {
		s := ended(41.5, 137, "Error").decided(40.3, "Container app definition changed, will be restarted").killing(
			40.4).stop(40.41)
		s.spec["terminationGracePeriodSeconds"] = 1
		s.event(40.3, "Killing", "Container app definition changed, will be restarted", nil)
		s.kubelet(40, `flags.go:64] FLAG: --v="2"`)
		s.kubelet(40.01, `server.go:491] "Kubelet version" kubeletVersion="v1.31.2"`)
		s.Each(func(_ *machine.Log, l *machine.Line) {
			l.Text = strings.Replace(l.Text, "gracePeriod=30", "gracePeriod=1", 1)
		})
		s.meta["managedFields"] = []any{object{"manager": "kubectl-set", "operation": "Update", "apiVersion": "v1",
			"time": stamp(t), "fieldsType": "FieldsV1", "fieldsV1": object{"f:spec": object{"f:containers": object{
				`k:{"name":"app"}`: object{"f:image": object{}}}}}}}
		return s
	}
	return append(out, both("a kubelet's upgrade, and an image that was set at %v s", upgrade, 20.0, 39.0, 40.0, 41.0)...)
}
