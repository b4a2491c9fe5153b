package apiobject

import corev1 "k8s.io/api/core/v1"

// templates holds the containers of redacted pods, each list once. Pods of a workload are made from one template, so
// what is kept of their containers is the same in all of them: a third of a pod's memory.
type templates map[string][2][]corev1.Container

// key is the same for pods with equal containers; empty where they cannot be compared.
func (templates) key(p *corev1.Pod) string {
	only := corev1.PodSpec{InitContainers: p.Spec.InitContainers, Containers: p.Spec.Containers}
	b, err := only.Marshal()
	if err != nil {
		return ""
	}
	return string(b)
}

// share replaces a pod's containers with those of an earlier pod that has the same. They must not change from then on.
func (t templates) share(p *corev1.Pod, key string) {
	if key == "" {
		return
	}
	have, known := t[key]
	if !known {
		have = [2][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers}
		t[key] = have
	}
	p.Spec.InitContainers, p.Spec.Containers = have[0], have[1]
}
