package breaks

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

// both returns a story with the node's logs and without them.
func both[T any](name string, tell func(T) *story.Story, values ...T) []Written {
	return append(Variants(name, tell, values...),
		Variants(name+", by the API alone", func(v T) *story.Story { return tell(v).APIOnly() }, values...)...)
}

// claimedStories are exits about which only an event says something.
func claimedStories() []Written {
	var out []Written
	out = append(out, both("an event of a boot under another id, and code %d", func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error").Is("app-exit-error")
		return s.NodeEvent(43, "Rebooted", "Node n1 has been rebooted, boot id: 0000731d-488a-498b-a6eb-103ff6db4a36").NodeEvent(
			43, "Starting", "Starting kubelet.")
	}, 1, 255)...)
	out = append(out, both("an event of a kubelet that starts, and code %d", func(code int) *story.Story {
		return story.Ended(42.5, code, "Error").NodeEvent(42, "Starting", "Starting kubelet.").Is("app-exit-error")
	}, 1, 255)...)
	out = append(out, both("an event of the node's memory, %s", func(victim string) *story.Story {
		return story.Ended(42.5, 137, "Error").NodeEvent(42, "SystemOOM",
			"System OOM encountered, victim process: "+victim).Is(
			"killed-externally")
	}, "web, pid: 4711", "web, pid: 99")...)
	out = append(out, both("an event %s of a pod that goes on, and an exit of its own", func(reason string) *story.Story {
		return story.Ended(42.5, 1, "Error").Event(42, reason, map[string]string{
			"Evicted": "The node was low on resource: memory. ", "Preempting": "Preempted in order to admit critical pod",
			"TaintManagerEviction": "Marking for deletion Pod shop/web-0", "Preempted": "Preempted by pod x on node n1",
			"NodeNotReady": "Node is not ready", "FailedKillPod": "error killing pod", "DeadlineExceeded": "x",
			"NodeShutdown": "Pod was terminated in response to imminent node shutdown.",
		}[reason], nil).Is("app-exit-error")
	}, "Evicted", "Preempting", "TaintManagerEviction", "Preempted", "NodeNotReady", "FailedKillPod", "DeadlineExceeded",
		"NodeShutdown")...)
	out = append(out, both("an event SandboxChanged of a pod whose sandbox stays, and code %d",
		func(code int) *story.Story {
			s := story.Ended(42.5, code, "Error").Is("app-exit-error")
			return s.Event(42, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.", func(e story.Object) {
				delete(e["involvedObject"].(story.Object), "fieldPath")
			})
		}, 1, 3)...)
	rules := func(code int) *story.Story {
		s := story.Ended(42.5, code, "Error")
		s.Version = "v1.36.0"
		s.Each(func(_ *machine.Log, l *machine.Line) { l.Text = strings.Replace(l.Text, "v1.30.14", s.Version, 1) })
		gate := story.Object{"name": "gate", "image": "x", "restartPolicy": "Never", "restartPolicyRules": []any{story.Object{
			"action": "RestartAllContainers", "exitCodes": story.Object{"operator": "In", "values": []any{42}}}}}
		s.Spec["containers"] = []any{s.Container, gate}
		return s
	}
	out = append(out, both("a rule that restarts all containers, which none of them set off, and code %d",
		func(code int) *story.Story { return rules(code).Is("app-exit-error") }, 1, 3)...)
	out = append(out, both("a rule that restarts all containers, an event that says so, and code %d",
		func(code int) *story.Story {
			return rules(code).Event(42, "Killing", "Container app will be restarted because of a RestartAllContainers action",
				nil)
		}, 1, 137)...)
	out = append(out, both("memory at its limit by the status alone, and a child's kill: code %d",
		func(code int) *story.Story {
			return story.Ended(42.5, code, "OOMKilled").Limit()
		}, 0, 1, 137, 143)...)
	upgrade := func(t float64) *story.Story {
		s := story.Ended(41.5, 137, "Error").Decided(40.3, "Container app definition changed, will be restarted").Killing(
			40.4).Stop(40.41)
		s.Spec["terminationGracePeriodSeconds"] = 1
		s.Event(40.3, "Killing", "Container app definition changed, will be restarted", nil)
		s.Kubelet(40, `flags.go:64] FLAG: --v="2"`)
		s.Kubelet(40.01, `server.go:491] "Kubelet version" kubeletVersion="v1.31.2"`)
		s.Each(func(_ *machine.Log, l *machine.Line) {
			l.Text = strings.Replace(l.Text, "gracePeriod=30", "gracePeriod=1", 1)
		})
		s.Meta["managedFields"] = []any{story.Object{"manager": "kubectl-set", "operation": "Update", "apiVersion": "v1",
			"time": story.Stamp(t), "fieldsType": "FieldsV1",
			"fieldsV1": story.Object{"f:spec": story.Object{"f:containers": story.Object{
				`k:{"name":"app"}`: story.Object{"f:image": story.Object{}}}}}}}
		return s
	}
	return append(out, both("a kubelet's upgrade, and an image that was set at %v s", upgrade, 20.0, 39.0, 40.0, 41.0)...)
}
