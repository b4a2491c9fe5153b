package decide

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// makeRecords is what SyncPod of kubelet.go does right before it decides (kuberuntime_manager.go InitializeActuatedPod,
// 1.37+): a pod without an entry in actuated_pods_state gets one from its spec. An entry that lacks a container stays
// as it is.
func (d *decision) makeRecords() {
	if !d.p.Rules.RecordsMade || !d.gate(kubelet.InPlacePodVerticalScaling) {
		return
	}
	if !d.ask(&bRecords, d.s.Resources == nil && d.s.PodResources == nil, "", func() string {
		if d.s.Resources == nil && d.s.PodResources == nil {
			return "actuated_pods_state does not have the pod"
		}
		return "actuated_pods_state has the pod"
	}) {
		return
	}
	made := *d.s
	made.Resources = map[string]corev1.ResourceRequirements{}
	for _, list := range [][]corev1.Container{d.pod.Spec.InitContainers, d.pod.Spec.Containers} {
		for i := range list {
			made.Resources[list[i].Name] = list[i].Resources
		}
	}
	if d.gate(kubelet.InPlacePodLevelResourcesVerticalScaling) {
		made.PodResources = d.pod.Spec.Resources
	}
	d.s = &made
}

// resizeForStart is startingResizedContainer (1.36.4+): it checks the containers to start until one has another size.
func (d *decision) resizeForStart(list []corev1.Container, start []int) {
	if !d.p.Rules.StartingResized || d.a.UpdatePodLevelResources || d.a.UpdatePodResources {
		return
	}
	for _, i := range start {
		c := &list[i]
		record, found := d.s.Resources[c.Name]
		want, have := amountsOf(&c.Resources), amountsOf(&record)
		if d.gate(kubelet.InPlacePodLevelResourcesVerticalScaling) {
			want, have = want.within(d.pod.Spec.Resources), have.within(d.s.PodResources)
		}
		if d.ask(&bStartSize, want != have, c.Name, func() string {
			switch {
			case want == have:
				return "it starts with what is on record"
			case !found:
				return "actuated_pods_state does not have it"
			}
			return differences(want, have)
		}) {
			d.a.UpdatePodResources = true
			return
		}
	}
}
