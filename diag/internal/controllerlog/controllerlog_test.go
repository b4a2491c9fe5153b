package controllerlog

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var at = time.Date(2024, 3, 5, 10, 0, 9, 0, time.UTC)

// told is what the lines of a log say, as "reason namespace/pod uid".
func told(lines ...string) (all []string) {
	var p Parser
	for _, l := range lines {
		p.Add(&evidence.Entry{Time: at, Message: l}, func(o evidence.Observation) {
			said := "deleted"
			if f, ok := o.Fact.(evidence.PodEvicted); ok {
				said = f.Reason
			}
			s := said + " " + o.Subject.Namespace + "/" + o.Subject.Pod
			if o.Subject.PodUID != "" {
				s += " " + o.Subject.PodUID
			}
			all = append(all, s)
		})
	}
	return all
}

func TestControllersTellWhomTheyEnd(t *testing.T) {
	const head = "I0305 10:00:09.000000       1 "
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{name: "the taint manager, 1.6 to 1.20", want: []string{"TaintManagerEviction prod/web-0"},
			lines: []string{head + "taint_manager.go:102] NoExecuteTaintManager is deleting Pod: prod/web-0"}},
		{name: "the taint manager, 1.21 to 1.28", want: []string{"TaintManagerEviction prod/web-0"},
			lines: []string{head + `taint_manager.go:106] "NoExecuteTaintManager is deleting pod" pod="prod/web-0"`}},
		{name: "the taint eviction controller, 1.29 and later", want: []string{"TaintManagerEviction prod/web-0"},
			lines: []string{head + `taint_eviction.go:111] "Deleting pod" logger="taint-eviction-controller" controller="taint-eviction-controller" pod="prod/web-0"`}},
		{name: "a replica set's controller", want: []string{"deleted prod/web-0"},
			lines: []string{head + `controller_utils.go:609] "Deleting pod" logger="replicaset-controller" controller="web" pod="prod/web-0"`}},
		{name: "a stateful set's controller, 1.27 and later", want: []string{"deleted prod/web-0", "deleted prod/web-1", "deleted prod/web-2"},
			lines: []string{
				head + `stateful_set_control.go:490] "Pod of StatefulSet is terminating for update" statefulSet="prod/web" pod="prod/web-0"`,
				head + `stateful_set_control.go:490] "Pod of StatefulSet is terminating for scale down" statefulSet="prod/web" pod="prod/web-4"`,
				head + `stateful_set_control.go:762] "StatefulSet terminating Pod for update" statefulSet="prod/web" pod="prod/web-1"`,
				head + `stateful_set_control.go:887] "StatefulSet terminating unavailable Pod for update" statefulSet="prod/web" pod="prod/web-2"`}},
		{name: "the node controller before taints", want: []string{"NodeControllerEviction prod/web-0"},
			lines: []string{head + "controller_utils.go:97] Starting deletion of pod prod/web-0"}},
		{name: "the collector of pods without a node, 1.8 to 1.20", want: []string{"DeletionByPodGC prod/web-0"},
			lines: []string{head + "gc_controller.go:77] PodGC is force deleting Pod: prod/web-0"}},
		{name: "the same up to 1.7", want: []string{"DeletionByPodGC prod/web-0"},
			lines: []string{head + "gc_controller.go:63] PodGC is force deleting Pod: prod:web-0"}},
		{name: "the collector of garbage", want: []string{"deleted prod/web-0 6e3ae2a1-9c0a-4f43-bb0c-1b7a3a7a61f4"},
			lines: []string{head + `garbagecollector.go:549] "Deleting item" item="[v1/Pod, namespace: prod, name: web-0, uid: 6e3ae2a1-9c0a-4f43-bb0c-1b7a3a7a61f4]" propagationPolicy="Background"`}},
		{name: "what else it collects", lines: []string{head +
			`garbagecollector.go:549] "Deleting item" item="[apps/v1/ReplicaSet, namespace: prod, name: web, uid: 6e3]"`}},
		{name: "the scheduler", want: []string{"PreemptionByScheduler prod/web-0"},
			lines: []string{head + `preemption.go:391] "Preemptor Pod preempted victim Pod" preemptor="prod/big-0" victim="prod/web-0" node="n1"`}},
		{name: "cluster-autoscaler", want: []string{"ScaleDown prod/web-0", "ScaleDown prod/web-1"},
			lines: []string{head + "scale_down.go:917] Scale-down: removing node n1, utilization: {0.01 0.02 0 cpu 0.02}, pods to reschedule: prod/web-0,prod/web-1"}},
		{name: "the same, structured", want: []string{"ScaleDown prod/web-0"},
			lines: []string{head + `actuator.go:210] "Scale-down: removing node" node="n1" utilization={} podsToReschedule="prod/web-0"`}},
		{name: "an empty node", lines: []string{head + "scale_down.go:874] Scale-down: removing empty node n1"}},
		{name: "the updater, with the namespace a line before", want: []string{"EvictedByVPA prod/web-0"},
			lines: []string{head + "update_priority_calculator.go:143] pod accepted for update prod/web-0 with priority 8.87",
				head + "updater.go:215] evicting pod web-0"}},
		{name: "the updater without it", lines: []string{head + "updater.go:215] evicting pod web-0"}},
		{name: "the updater, structured", want: []string{"EvictedByVPA prod/web-0"},
			lines: []string{head + `updater.go:300] "Evicting pod" pod="prod/web-0"`}},
		{name: "the kubelet's line of the same words", lines: []string{head +
			`eviction_manager.go:1] "Evicting pod" pod="prod/web-0"`}},
		{name: "descheduler", want: []string{"Descheduled prod/web-0"},
			lines: []string{head + `evictions.go:117] Evicted pod: "web-0" in namespace "prod" (LowNodeUtilization)`,
				head + `lownodeutilization.go:302] Evicted pod: "web-0"`}},
		{name: "descheduler, structured", want: []string{"Descheduled prod/web-0"},
			lines: []string{head + `evictions.go:171] "Evicted pod" pod="prod/web-0" reason="" strategy="PodLifeTime" node="n1"`}},
		{name: "an event that its recorder logs", want: []string{"EvictedByVPA prod/web-0 u1"},
			lines: []string{head + `updater.go:205] Event(v1.ObjectReference{Kind:"Pod", Namespace:"prod", Name:"web-0", UID:"u1", APIVersion:"v1", ResourceVersion:"1", FieldPath:""}): type: 'Normal' reason: 'EvictedByVPA' Pod was evicted by VPA Updater to apply resource recommendation.`}},
		{name: "the same, structured", want: []string{"TaintManagerEviction prod/web-0"},
			lines: []string{head + `event.go:307] "Event occurred" object="prod/web-0" fieldPath="" kind="Pod" apiVersion="" type="Normal" reason="TaintManagerEviction" message="Marking for deletion Pod prod/web-0"`}},
		{name: "one that was called off",
			lines: []string{head + `event.go:307] "Event occurred" object="prod/web-0" kind="Pod" reason="TaintManagerEviction" message="Cancelling deletion of Pod prod/web-0"`}},
		{name: "an eviction that is the kubelet's",
			lines: []string{head + `server.go:608] Event(v1.ObjectReference{Kind:"Pod", Namespace:"prod", Name:"web-0", UID:"u1"}): type: 'Warning' reason: 'Evicted' The node was low on resource: memory.`}},
		{name: "no header", lines: []string{"NoExecuteTaintManager is deleting Pod: prod/web-0"}},
		{name: "no pod", lines: []string{head + "taint_manager.go:102] NoExecuteTaintManager is deleting Pod: ",
			head + `taint_manager.go:106] "NoExecuteTaintManager is deleting pod"`, head + `x.go:1] "Deleting pod" `}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, told(c.lines...)); diff != "" {
				t.Errorf("what is told (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzAdd(f *testing.F) {
	f.Add(`I0305 10:00:09.000000       1 scale_down.go:917] Scale-down: removing node n1, utilization: {}, pods to reschedule: a/b,c`)
	f.Add(`I0305 10:00:09.000000       1 evictions.go:117] Evicted pod: "web-0" in namespace "prod" (x)`)
	f.Add(`I0305 10:00:09.000000       1 g.go:1] "Deleting item" item="[v1/Pod, namespace: a, name: b, uid: c]"`)
	f.Fuzz(func(t *testing.T, s string) {
		var p Parser
		p.Add(&evidence.Entry{Message: s}, func(o evidence.Observation) {
			if o.Subject.Pod == "" || o.Subject.Namespace == "" || o.Fact == nil {
				t.Errorf("%q: an end of nobody: %+v", s, o)
			}
		})
	})
}
