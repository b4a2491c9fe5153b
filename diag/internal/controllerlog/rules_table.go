package controllerlog

// rule reads the messages that begin with a prefix.
type rule struct {
	begins string
	// file is the source file in the header, if other programs write the same message.
	file string
	read func(*line) []end
}

// rules are the lines that report the end of a pod, the most specific first.
var rules = []rule{
	// kubernetes pkg/controller/nodelifecycle/scheduler/taint_manager.go, v1.29+ pkg/controller/tainteviction
	{`NoExecuteTaintManager is deleting Pod: `, "", printed("TaintManagerEviction", "NoExecuteTaintManager is deleting Pod: ")},
	{`"NoExecuteTaintManager is deleting pod"`, "", evicted("TaintManagerEviction", "pod")},
	// pkg/controller/util/node/controller_utils.go DeletePods: of nodes that do not report
	{`Starting deletion of pod `, "", printed("NodeControllerEviction", "Starting deletion of pod ")},
	{`"Starting deletion of pod"`, "", evicted("NodeControllerEviction", "pod")},
	// pkg/controller/podgc/gc_controller.go
	{`PodGC is force deleting Pod: `, "", printed("DeletionByPodGC", "PodGC is force deleting Pod: ")},
	{`"PodGC is force deleting Pod"`, "", evicted("DeletionByPodGC", "pod")},
	// pkg/controller/statefulset/stateful_set_control.go, which deletes its pods without the line below
	{`"Pod of StatefulSet is terminating for update"`, "", deleting},
	{`"StatefulSet terminating Pod for update"`, "", deleting},
	{`"StatefulSet terminating unavailable Pod for update"`, "", deleting},
	// pkg/controller/controller_utils.go RealPodControl.DeletePod; taint_eviction.go
	{`"Deleting pod" `, "", deleting},
	// pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem
	{`"Deleting item" `, "", collected},
	// pkg/scheduler/framework/preemption/preemption.go, v1.28+
	{`"Preemptor Pod preempted victim Pod"`, "", evicted("PreemptionByScheduler", "victim")},
	// autoscaler cluster-autoscaler/core/scale_down.go, v1.24+ core/scaledown/actuation/actuator.go
	{`Scale-down: removing node `, "", scaledDown},
	{`"Scale-down: removing node"`, "", scaledDown},
	// autoscaler vertical-pod-autoscaler/pkg/updater/logic/updater.go, priority/update_priority_calculator.go
	{`pod accepted for update `, "", accepted},
	{`evicting pod `, "updater.go", printed("EvictedByVPA", "evicting pod ")},
	{`"Evicting pod"`, "updater.go", evicted("EvictedByVPA", "pod")},
	// descheduler pkg/descheduler/evictions/evictions.go
	{`Evicted pod: `, "", descheduled},
	{`"Evicted pod"`, "evictions.go", evicted("Descheduled", "pod")},
	// client-go tools/record/event.go StartLogging, StartStructuredLogging
	{`Event(v1.ObjectReference{Kind:"Pod"`, "", recorded},
	{`Event(api.ObjectReference{Kind:"Pod"`, "", recorded},
	{`"Event occurred" `, "", recorded},
}
