package preflight

import corev1 "k8s.io/api/core/v1"

// qosSinceInit is the minor since which init containers count for the QoS class (apis/core/v1/helper/qos GetPodQOS,
// #75223).
const qosSinceInit = 16

// qosDiffers reports whether a pod's QoS class, and with it the place of its cgroup, changes when init containers
// count.
func qosDiffers(p *corev1.Pod) bool {
	if len(p.Spec.InitContainers) == 0 {
		return false
	}
	without := qosOf(p.Spec.Containers)
	return without != qosOf(append(append([]corev1.Container(nil), p.Spec.Containers...), p.Spec.InitContainers...))
}

func qosOf(containers []corev1.Container) corev1.PodQOSClass {
	any, guaranteed := false, true
	for i := range containers {
		r := &containers[i].Resources
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			limit, request := r.Limits[name], r.Requests[name]
			any = any || !limit.IsZero() || !request.IsZero()
			guaranteed = guaranteed && !limit.IsZero() && (request.IsZero() || limit.Cmp(request) == 0)
		}
	}
	switch {
	case !any:
		return corev1.PodQOSBestEffort
	case guaranteed:
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}
